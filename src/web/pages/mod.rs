//! The pages: HTML for people, rendered on the server; small scripts bring them to life and call the same API as
//! everybody else.
//!
//! Invariants: a page shows nothing that the API would not answer to the same asker; it holds no inline script and no
//! inline style, so that the policy of every page can forbid them; nothing comes from another server; a refusal is a
//! page in words where a browser asks.

pub mod assets;
pub mod desk;
pub mod event;
pub mod home;
pub mod layout;
pub mod names;
pub mod play;
pub mod qr;
pub mod results;
pub mod rules;
pub mod rulings;
pub mod seats;
pub mod sign;
pub mod trial;
pub mod verify;
pub mod watch;

use std::future::{Ready, ready};
use std::net::{IpAddr, Ipv4Addr};

use actix_web::dev::Payload;
use actix_web::http::header::{ACCEPT, HOST};
use actix_web::middleware::Compress;
use actix_web::{FromRequest, HttpMessage, HttpRequest, HttpResponse, Route, web};

use super::App;
use super::context::{Actor, Met, Who};
use super::problem::{Code, Problem};
use super::routes::reads;
use crate::desk::rights::Right;
use crate::event::EventState;
use crate::event::archive::{Archive, ArchiveError, EventRow};
use crate::words::{Lang, Message, say};

/// What every page ends with.
pub type Shown = Result<HttpResponse, Problem>;

/// Marks a response that is a refusal as a page.
#[derive(Clone, Copy, Debug)]
pub struct Refusal;

/// A page: its path, the right that is needed, and who makes it.
pub struct Page {
    /// The pattern of its path.
    pub path: &'static str,
    /// The right that is needed.
    pub right: Right,
    route: fn() -> Route,
}

impl std::fmt::Debug for Page {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Page").field("path", &self.path).field("right", &self.right).finish_non_exhaustive()
    }
}

/// Every page, in one place like the endpoints of the API. Rights are checked before the page is made.
pub const PAGES: &[Page] = &[
    Page { path: "/", right: Right::SeePublic, route: || reads().to(home::page) },
    Page { path: "/login", right: Right::SeePublic, route: || reads().to(sign::log_in) },
    Page { path: "/seat", right: Right::SeePublic, route: || reads().to(sign::seat) },
    Page { path: "/setup", right: Right::SeePublic, route: || reads().to(sign::setup) },
    Page { path: "/events/{event}", right: Right::SeePublic, route: || reads().to(event::page) },
    Page { path: "/events/{event}/rules", right: Right::SeePublic, route: || reads().to(rules::page) },
    Page { path: "/events/{event}/seats", right: Right::SeePublic, route: || reads().to(seats::page) },
    Page { path: "/desk", right: Right::OwnAccount, route: || reads().to(desk::home::page) },
    Page { path: "/desk/new", right: Right::EditEvent, route: || reads().to(desk::home::new) },
    Page { path: "/desk/accounts", right: Right::OwnAccount, route: || reads().to(desk::accounts::page) },
    Page { path: "/desk/{event}", right: Right::SeeDesk, route: || reads().to(desk::event::page) },
    Page {
        path: "/desk/{event}/settings",
        right: Right::SeeDesk,
        route: || reads().to(desk::settings::page),
    },
    Page { path: "/desk/{event}/entries", right: Right::SeeDesk, route: || reads().to(desk::entries::page) },
    Page { path: "/desk/{event}/notice", right: Right::SeeDesk, route: || reads().to(desk::notice::page) },
    Page {
        path: "/desk/{event}/start-list",
        right: Right::SeeDesk,
        route: || reads().to(desk::startlist::page),
    },
    Page { path: "/desk/{event}/slips", right: Right::CheckIn, route: || reads().to(desk::slips::page) },
    Page { path: "/desk/{event}/checkin", right: Right::CheckIn, route: || reads().to(desk::checkin::page) },
    Page { path: "/desk/{event}/floor", right: Right::SeeFloor, route: || reads().to(desk::floor::page) },
    Page {
        path: "/desk/{event}/boards/{board}/tables/{table}",
        right: Right::SeeFloor,
        route: || reads().to(desk::file::page),
    },
    Page { path: "/desk/{event}/rulings", right: Right::SeeDesk, route: || reads().to(desk::rulings::page) },
    Page { path: "/desk/{event}/venue", right: Right::SeeDesk, route: || reads().to(desk::venue::page) },
    Page { path: "/desk/{event}/audit", right: Right::ReadAudit, route: || reads().to(desk::audit::page) },
    Page {
        path: "/desk/{event}/rulings/{ruling}",
        right: Right::SeeDesk,
        route: || reads().to(desk::ruling_form::page),
    },
    Page {
        path: "/events/{event}/cross-tab",
        right: Right::SeePublic,
        route: || reads().to(results::crosstab),
    },
    Page { path: "/events/{event}/boards", right: Right::SeePublic, route: || reads().to(results::boards) },
    Page {
        path: "/events/{event}/boards/{board}",
        right: Right::SeePublic,
        route: || reads().to(results::traveller),
    },
    Page {
        path: "/events/{event}/boards/{board}/projector",
        right: Right::SeePublic,
        route: || reads().to(results::board_of_the_day),
    },
    Page {
        path: "/events/{event}/boards/{board}/tables/{table}",
        right: Right::SeePublic,
        route: || reads().to(results::replay),
    },
    Page {
        path: "/events/{event}/entrants/{entrant}",
        right: Right::SeePublic,
        route: || reads().to(results::card),
    },
    Page {
        path: "/events/{event}/projector",
        right: Right::SeePublic,
        route: || reads().to(results::projector),
    },
    Page { path: "/events/{event}/rulings", right: Right::SeePublic, route: || reads().to(rulings::page) },
    Page { path: "/events/{event}/sheet", right: Right::SeePublic, route: || reads().to(rulings::sheet) },
    Page { path: "/events/{event}/verify", right: Right::SeePublic, route: || reads().to(verify::page) },
    Page { path: "/events/{event}/watch", right: Right::SeePublic, route: || reads().to(watch::page) },
    Page { path: "/play/{event}", right: Right::SeePublic, route: || reads().to(play::page) },
    Page { path: "/try/{game}", right: Right::SeePublic, route: || reads().to(trial::page) },
];

/// Registers pages and assets.
pub fn configure(service: &mut web::ServiceConfig) {
    for page in PAGES {
        service.service(web::resource(page.path).route((page.route)()));
    }
    service.service(web::resource(assets::PATH).wrap(Compress::default()).route(reads().to(assets::asset)));
}

/// Light, dark, or as the system says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Theme {
    /// As the system says.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// As the cookie and the page write it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The media on which the dark colours hold. Paper is always white.
    #[must_use]
    pub const fn dark_for(self) -> &'static str {
        match self {
            Theme::Auto => "screen and (prefers-color-scheme: dark)",
            Theme::Light => "not all",
            Theme::Dark => "screen",
        }
    }

    fn of(word: Option<&str>) -> Theme {
        [Theme::Light, Theme::Dark].into_iter().find(|theme| Some(theme.word()) == word).unwrap_or_default()
    }
}

/// Somebody who looks at a page.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The server.
    pub app: App,
    /// The language of the page.
    pub lang: Lang,
    /// Whether the visitor asked for a language that we speak; otherwise an event may choose.
    pub asked: bool,
    /// Who looks.
    pub who: Who,
    /// From where.
    pub address: IpAddr,
    /// When, µs.
    pub now: i64,
    /// The path of the page.
    pub path: String,
    /// The query of the page.
    pub query: String,
    /// The host that the browser asked, if it is written plainly.
    pub host: Option<String>,
    /// The theme that was chosen.
    pub theme: Theme,
}

impl Visit {
    fn of(request: &HttpRequest, lang: Lang) -> Result<Visit, Problem> {
        let app = request.app_data::<web::Data<App>>().ok_or_else(|| Problem::internal("no state"))?;
        let headers = request.headers();
        let met = request.extensions().get::<Met>().cloned();
        let address = met.as_ref().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |met| met.address);
        let who = met.map(|met| met.who).unwrap_or_default();
        let plain = |host: &&str| {
            host.len() <= 255
                && host.chars().all(|letter| letter.is_ascii_alphanumeric() || ".-:[]".contains(letter))
        };
        let host = headers.get(HOST).and_then(|value| value.to_str().ok()).filter(plain);
        Ok(Visit {
            lang,
            asked: super::lang::asked(request.query_string(), headers).is_some(),
            who,
            address,
            now: app.clock.now(),
            path: request.path().to_owned(),
            query: request.query_string().to_owned(),
            host: host.map(str::to_owned),
            theme: Theme::of(super::lang::cookie(headers, "fushi_theme")),
            app: app.get_ref().clone(),
        })
    }

    /// A sentence in the language of the page.
    #[must_use]
    pub fn say(&self, id: &'static str) -> String {
        say(self.lang, &Message::plain(id))
    }

    /// A sentence with variables.
    #[must_use]
    pub fn tell(&self, message: &Message) -> String {
        say(self.lang, message)
    }

    /// The account that looks, if it is one.
    #[must_use]
    pub fn actor(&self) -> Option<&Actor> {
        match &self.who {
            Who::Account(actor) => Some(actor),
            _ => None,
        }
    }

    /// The address under which this server is reached, without a slash at the end.
    #[must_use]
    pub fn base(&self) -> String {
        match (&self.app.config.public_url, &self.host) {
            (Some(url), _) => url.trim_end_matches('/').to_owned(),
            (None, Some(host)) => format!("http://{host}"),
            (None, None) => String::new(),
        }
    }

    /// The event of a path, for whoever may see it. Its language becomes that of the page unless the visitor asked for
    /// one.
    ///
    /// # Errors
    /// There is none; it is a draft and the visitor may not see drafts.
    pub async fn event(&mut self, id: &str) -> Result<EventRow, Problem> {
        let (app, wanted) = (self.app.clone(), id.to_owned());
        let found = web::block(move || {
            let archive: &dyn Archive = app.store.as_ref();
            archive.event(&wanted)
        });
        let missing = || {
            let shown: String = id.chars().take(64).collect();
            Problem::said(Code::NotFound, Message::plain("pages-no-event").with("event", shown))
        };
        let row = match found.await.map_err(Problem::internal)? {
            Ok(row) => row,
            Err(ArchiveError::Missing(_)) => return Err(missing()),
            Err(other) => return Err(other.into()),
        };
        if row.state == EventState::Draft && !self.who.may(Right::SeeDesk, Some(id)) {
            return Err(missing());
        }
        if !self.asked
            && let Some(lang) = event::language_of(&row)
        {
            self.lang = lang;
        }
        Ok(event::in_language(row, self.lang))
    }

    /// Runs work that waits for the database on a thread that may wait.
    ///
    /// # Errors
    /// Those of the work.
    pub async fn work<T, F>(&self, work: F) -> Result<T, Problem>
    where
        T: Send + 'static,
        F: FnOnce(&Visit) -> Result<T, Problem> + Send + 'static,
    {
        let visit = self.clone();
        web::block(move || work(&visit)).await.map_err(Problem::internal)?
    }

    /// The events that this visitor wants to see, the newest first.
    ///
    /// # Errors
    /// The database.
    pub async fn events(
        &self,
        wanted: impl Fn(&Visit, &EventRow) -> bool + Send + 'static,
    ) -> Result<Vec<EventRow>, Problem> {
        self.work(move |visit| {
            let archive: &dyn Archive = visit.app.store.as_ref();
            let mut rows = Vec::new();
            for id in visit.app.store.events().map_err(ArchiveError::from)? {
                let row = archive.event(&id)?;
                if wanted(visit, &row) {
                    rows.push(event::in_language(row, visit.lang));
                }
            }
            rows.sort_by(|a, b| b.created_us.cmp(&a.created_us).then(a.id.cmp(&b.id)));
            Ok(rows)
        })
        .await
    }
}

impl FromRequest for Visit {
    type Error = Problem;
    type Future = Ready<Result<Visit, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let met = request.extensions().get::<Met>().cloned();
        let Some(met) = met else { return ready(Err(Problem::internal("no gate"))) };
        let pattern = request.match_pattern().unwrap_or_default();
        let right = PAGES.iter().find(|page| page.path == pattern).map(|page| page.right);
        let event = request.match_info().get("event");
        ready(match right {
            None => Err(Problem::new(Code::NotFound)),
            Some(right) if met.who.may(right, event) => Visit::of(request, met.lang),
            Some(right) => Err(met.who.refused(right, event)),
        })
    }
}

/// A refusal as a page, if it is a browser that asked for one; programs and scripts get problem details.
#[must_use]
pub fn refusal(request: &HttpRequest, lang: Lang, problem: &Problem) -> Option<HttpResponse> {
    let accepts = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok())?;
    if !accepts.contains("text/html") || request.path().starts_with("/api/") {
        return None;
    }
    let visit = Visit::of(request, lang).ok()?;
    let mut response = layout::refusal(&visit, problem);
    response.extensions_mut().insert(Refusal);
    Some(response)
}
