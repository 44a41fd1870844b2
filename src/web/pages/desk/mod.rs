//! The desk: where organizers set events up and run them, and referees watch the floor.
//!
//! Invariants: every button calls the public API and has its consequences beside it; what a visitor may not do is not
//! offered. Whatever cannot be undone asks first.

pub mod accounts;
pub mod audit;
pub mod checkin;
pub mod entries;
pub mod event;
pub mod file;
pub mod floor;
pub mod home;
pub mod notice;
pub mod ruling_form;
pub mod rulings;
pub mod scoring;
pub mod settings;
pub mod slips;
pub mod startlist;
pub mod venue;

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};
use serde_json::Value;

use super::Visit;
use super::event::{format_word, game_word, state_word};
use super::rules::{Told, told};
use crate::desk::people::{Account, CheckIn, People as _};
use crate::desk::rights::Right;
use crate::desk::stages::{self, Closing};
use crate::event::archive::{AnnouncementRow, Archive, EventRow};
use crate::event::called::{Numbered, called};
use crate::event::live::Live;
use crate::event::schedule::Schedule;
use crate::event::{Event, EventState};
use crate::formats::settings::{Entrant, Settings};
use crate::formats::{Occupant, Round};
use crate::games::GameKind;
use crate::tables::hall::Progress;
use crate::web::audience::frozen;
use crate::web::problem::Problem;
use crate::web::sample;
use crate::with_game;
use crate::words::{Message, terms};

/// Everything that the pages of the desk say about an event.
#[allow(clippy::struct_excessive_bools, reason = "each says one thing about the event")]
#[derive(Clone, Debug)]
pub struct Standing {
    /// Its row.
    pub row: EventRow,
    /// Its settings.
    pub settings: Settings,
    /// How it is played.
    pub live: Live,
    /// Sizes and the delayed value.
    pub schedule: Schedule,
    /// Its movement.
    pub rounds: Vec<Round>,
    /// Its entrants.
    pub entrants: Vec<Entrant>,
    /// Its rules.
    pub rules: Told,
    /// Who has come.
    pub came: Vec<CheckIn>,
    /// What was announced.
    pub announced: Option<AnnouncementRow>,
    /// Where play stands; nothing where no hall is open.
    pub progress: Progress,
    /// Whether every board is over.
    pub complete: bool,
    /// Whether slips have been made.
    pub slips: bool,
    /// Whether the keys are revealed.
    pub revealed: bool,
    /// Whether the public standings are frozen.
    pub frozen: bool,
    /// What organizers and referees are called, by the name they log in with.
    pub staff: BTreeMap<String, String>,
    /// What closing the stage that is over leads to.
    pub closing: Option<Closing>,
    /// The boards whose journals are damaged, with the tables.
    pub damaged: Vec<(i64, i64)>,
}

/// See [`Standing::staff`]: those with equal names are told apart by the name they log in with.
fn staff(accounts: &[Account]) -> BTreeMap<String, String> {
    let called = |account: &Account| {
        let twice = accounts.iter().filter(|other| other.display == account.display).count() > 1;
        if twice { format!("{} ({})", account.display, account.name) } else { account.display.clone() }
    };
    accounts.iter().map(|account| (account.name.clone(), called(account))).collect()
}

fn read(visit: &Visit, row: EventRow) -> Result<Standing, Problem> {
    let kind: GameKind = row.game.parse().map_err(Problem::internal)?;
    let store = visit.app.store.as_ref();
    let archive: &dyn Archive = store;
    let progress = visit.app.halls.get(&row.id).map(|hall| hall.progress());
    let (came, announced) = (store.check_ins(&row.id)?, archive.announcement(&row.id)?);
    let revealed = store.server_value(&format!("reveal:{}", row.id))?.is_some();
    let frozen = frozen(&visit.app, &row)?;
    let staff = staff(&store.accounts()?);
    let slips = row.state == EventState::Locked && store.seat_codes_made(&row.id)?;
    let mut damaged: BTreeSet<i64> = visit
        .app
        .halls
        .get(&row.id)
        .map_or_else(BTreeSet::new, |hall| hall.watch.borrow().damaged.keys().copied().collect());
    with_game!(kind, G => {
        let mut event = Event::<G>::load(archive, &row.id)?;
        let mut closing = None;
        if row.state.is_drawn() {
            visit.app.read_model.look(&visit.app, &row.id, |state| {
                event.follow(state.competition());
                let competition = state.competition();
                closing = competition.may_close().and_then(|stage| stages::preview(competition, stage).ok());
                Ok(())
            })?;
        }
        if let Some(title) = sample::title(&row.id, &event.settings.title, visit.lang) {
            event.settings.title = title;
            visit.lang.tag().clone_into(&mut event.schedule.language);
        }
        let complete = match &progress {
            _ if row.state.takes_entries() => false,
            Some(progress) => progress.complete(),
            None if row.state == EventState::Locked && event.schedule.delayed.is_some()
                && announced.as_ref().is_none_or(|one| one.delayed.is_none()) => false,
            None => {
                let opened = visit.app.read_model.open::<G>(&visit.app, &row.id, "server")?;
                let complete = opened.look(&visit.app)?.complete;
                damaged.extend(opened.damaged(&visit.app).into_keys());
                complete
            }
        };
        let damaged = if damaged.is_empty() { Vec::new() } else {
            let plays = archive.plays(&row.id)?.into_iter().filter(|play| damaged.contains(&play.id.0));
            plays.map(|play| (play.play.number, play.play.table_number)).collect()
        };
        Ok(Standing {
            rules: told::<G>(visit, &event.rules),
            settings: event.settings, live: event.live, schedule: event.schedule, rounds: event.rounds,
            entrants: event.entrants, came, announced, progress: progress.unwrap_or_default(), complete, slips, revealed, frozen, staff, closing, damaged, row,
        })
    })
}

impl Standing {
    /// Reads it for a visitor.
    ///
    /// # Errors
    /// There is no such event for this visitor.
    pub async fn of(visit: &mut Visit, id: &str) -> Result<Standing, Problem> {
        let row = visit.event(id).await?;
        visit.work(move |visit| read(visit, row)).await
    }

    /// What the desk calls the entrants, by id: each with the number.
    #[must_use]
    pub fn names(&self) -> BTreeMap<String, String> {
        called(&self.entrants, Numbered::Always)
    }

    /// Where its API begins.
    #[must_use]
    pub fn api(&self) -> String {
        format!("/api/v1/events/{}", self.row.id)
    }

    /// Where its desk begins.
    #[must_use]
    pub fn desk(&self) -> String {
        format!("/desk/{}", self.row.id)
    }

    /// Whether pairs play.
    #[must_use]
    pub fn pairs(&self) -> bool {
        self.settings.pairs()
    }

    /// The persons among the entrants.
    #[must_use]
    pub fn persons(&self) -> usize {
        self.entrants.iter().filter(|entrant| entrant.level.is_none()).count()
    }

    /// So many of the entrants, in a sentence that says whether they are players or pairs.
    #[must_use]
    pub fn counted(&self, id: &'static str, count: usize) -> Message {
        Message::plain(id).with("count", count).with("kind", kind_of(self.pairs()))
    }

    /// The round that is played, or the next one that would be started; the second says whether it is played.
    #[must_use]
    pub fn round(&self) -> Option<(u32, bool)> {
        let progress = &self.progress;
        if let Some(running) = progress.rounds.iter().find(|round| !progress.rounds_over.contains(round)) {
            return Some((*running, true));
        }
        self.rounds
            .iter()
            .map(|one| one.round)
            .find(|one| !progress.rounds.contains(one))
            .map(|one| (one, false))
    }

    /// What stands beside the names that several have, by the entrant's id: club and region, as far as given.
    #[must_use]
    pub fn origins(&self) -> BTreeMap<&str, String> {
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        for entrant in &self.entrants {
            *count.entry(&entrant.name).or_default() += 1;
        }
        let several = |entrant: &&Entrant| count.get(entrant.name.as_str()).is_some_and(|count| *count > 1);
        let named = self.entrants.iter().filter(several);
        named.filter_map(|entrant| Some((entrant.id.as_str(), entrant.origin()?))).collect()
    }

    /// Where an entrant sits on the first board of a round: the table and the seats of the position.
    #[must_use]
    pub fn place(&self, round: u32, number: u32) -> Option<(u32, Vec<String>)> {
        let round = self.rounds.iter().find(|one| one.round == round)?;
        round.tables.iter().find_map(|table| {
            let first = table.sittings.first()?;
            let at = first.iter().position(|one| *one == Occupant::Entrant(number))?;
            Some((table.table, self.settings.positions.get(at).cloned().unwrap_or_default()))
        })
    }
}

/// What sentences call the entrants: `pairs` or `players`.
#[must_use]
pub const fn kind_of(pairs: bool) -> &'static str {
    if pairs { "pairs" } else { "players" }
}

/// A seat, or both of a pair, in the language of the page: compass seats have words, others letters.
#[must_use]
pub fn seat_word(visit: &Visit, seat: &str) -> String {
    terms::seat(visit.lang, seat)
}

/// What a button asks for: the field of the body, its label, and what stands there already.
pub type Asked = (&'static str, String, String);

/// Something that can be done with one button.
#[derive(Debug, Default)]
pub struct Act {
    /// Its name on the page.
    pub id: &'static str,
    /// What the button says.
    pub label: String,
    /// The method of the call.
    pub method: &'static str,
    /// The path of the call.
    pub path: String,
    /// The body of the call; what is asked for is put into it.
    pub body: Value,
    /// What follows from it, line by line; without any it is done at once.
    pub lines: Vec<String>,
    /// What is asked for.
    pub asks: Option<Asked>,
    /// Where the page goes afterwards; empty: it is loaded again.
    pub then: String,
    /// Whether it destroys something.
    pub danger: bool,
    /// Whether nothing can take it back: its question looks different and wants a second, explicit act.
    pub forever: bool,
}

impl Act {
    /// The button, and the question that comes before it is done.
    #[must_use]
    pub fn show(&self, visit: &Visit, main: bool) -> Markup {
        let asks = !self.lines.is_empty() || self.asks.is_some();
        let (title, dialog) = (format!("ask-{}-title", self.id), format!("ask-{}", self.id));
        let class = match (main, self.danger) {
            (true, _) => "button main",
            (false, true) => "button danger",
            (false, false) => "button quiet",
        };
        html! {
            button type="button" class=(class) data-act=(self.id) data-method=(self.method) data-path=(self.path)
                data-body=(self.body.to_string()) data-then=(self.then) data-ask=[asks.then_some(&dialog)] {
                (self.label)
            }
            @if asks {
                dialog.forever[self.forever] id=(dialog) aria-labelledby=(title) {
                    form method="dialog" {
                        @if self.forever { p.forever-word { (visit.say("org-forever")) } }
                        h2 id=(title) { (self.label) }
                        @if self.lines.len() > 1 {
                            ul.consequences { @for line in &self.lines { li { (line) } } }
                        } @else {
                            @for line in &self.lines { p { (line) } }
                        }
                        @if let Some((field, label, value)) = &self.asks {
                            @let input = format!("{dialog}-{field}");
                            div.field {
                                label for=(input) { (label) }
                                input id=(input) name=(field) value=(value) autocomplete="off" maxlength="1000" required;
                            }
                        }
                        @if self.forever {
                            @let sure = format!("{dialog}-sure");
                            div.switch {
                                input type="checkbox" id=(sure) data-sure;
                                label for=(sure) { (visit.say("org-forever-sure")) }
                            }
                        }
                        p.notice.bad role="alert" hidden {}
                        div.row {
                            button type="submit" value="yes" disabled[self.forever] class=(if self.danger || self.forever { "button danger" } else { "button" }) {
                                (self.label)
                            }
                            button.button.quiet type="button" data-close { (visit.say("pages-cancel")) }
                        }
                    }
                }
            }
        }
    }
}

/// What a field is called, and the hint about it.
type Words = (&'static str, &'static str);

/// A control with its label above it and a hint between the two; the control names the hint, `NAME-hint`.
fn field(visit: &Visit, name: &str, (label, hint): Words, control: &Markup) -> Markup {
    html! {
        div.field {
            label for=(name) { (visit.say(label)) }
            p.hint id={ (name) "-hint" } { (visit.say(hint)) }
            (control)
        }
    }
}

/// A question that a script asks before something ends: what it is about (`ID-what`), and why (`ID-why`, the field
/// `reason`).
struct Question {
    /// Its name on the page.
    id: &'static str,
    /// What happens.
    title: &'static str,
    /// How the reason is called.
    reason: &'static str,
    /// The usual reason, where there is one.
    usual: Option<&'static str>,
    /// What the button says.
    button: &'static str,
    /// Whether the button destroys something.
    danger: bool,
}

impl Question {
    fn show(&self, visit: &Visit) -> Markup {
        let (title, why) = (format!("{}-title", self.id), format!("{}-why", self.id));
        html! {
            dialog id=(self.id) aria-labelledby=(title) {
                form method="dialog" {
                    h2 id=(title) { (visit.say(self.title)) }
                    p id={ (self.id) "-what" } {}
                    div.field {
                        label for=(why) { (visit.say(self.reason)) }
                        input id=(why) name="reason" value=[self.usual.map(|usual| visit.say(usual))] maxlength="1000"
                            autocomplete="off" required;
                    }
                    p.notice.bad role="alert" hidden {}
                    div.row {
                        button.button.danger[self.danger] type="submit" { (visit.say(self.button)) }
                        button.button.quiet type="button" data-close { (visit.say("pages-cancel")) }
                    }
                }
            }
        }
    }
}

/// The parts of an event's desk as tabs.
fn tabs(visit: &Visit, standing: &Standing, here: &str) -> Markup {
    let desk = standing.desk();
    let drawn = !standing.rounds.is_empty();
    let announced = standing.announced.is_some();
    let may = |right| visit.who.may(right, Some(&standing.row.id));
    let all = [
        ("", "org-tab-event", true),
        ("/settings", "org-tab-settings", true),
        ("/entries", "org-tab-entries", true),
        ("/start-list", "org-tab-start-list", true),
        ("/notice", "org-tab-notice", announced),
        ("/slips", "org-tab-slips", drawn && may(Right::CheckIn)),
        ("/checkin", "org-tab-checkin", announced && may(Right::CheckIn)),
        ("/floor", "org-tab-floor", drawn && may(Right::SeeFloor)),
        ("/rulings", "rulings-tab", drawn),
        ("/venue", "venue-tab", true),
        ("/audit", "audit-tab", may(Right::ReadAudit)),
    ];
    html! {
        nav.tabs aria-label=(visit.say("org-tabs")) {
            @for (path, name, there) in all {
                @if there {
                    a href={ (desk) (path) } aria-current=[(path == here).then_some("page")] { (visit.say(name)) }
                }
            }
        }
    }
}

/// The head of every page of an event's desk.
fn head(visit: &Visit, standing: &Standing, here: &str) -> Markup {
    let boards = Message::plain("pages-boards").with("count", standing.settings.boards());
    let format = standing.settings.format_name();
    html! {
        header.desk-head {
            p.facts {
                a href="/desk" { (visit.say("org-home")) }
                span.tag { (game_word(visit, &standing.row.game)) }
                span { (format_word(visit, format)) }
                span { (visit.tell(&boards)) }
                span { (visit.say(state_word(visit, &standing.row))) }
            }
            @if here.is_empty() {
                h1.event-name lang=(standing.schedule.language) { (standing.settings.title) }
            } @else {
                p.event-name lang=(standing.schedule.language) { (standing.settings.title) }
            }
            (tabs(visit, standing, here))
            @for (board, table) in &standing.damaged {
                p.notice.bad { (visit.tell(&Message::plain("org-damaged").with("board", board).with("table", table))) }
            }
        }
    }
}

/// The AI levels of a game, weakest first, and the shipped rulesets.
fn choices(kind: GameKind) -> (Vec<&'static str>, Vec<&'static str>) {
    use crate::games::Game as _;
    with_game!(kind, G => (
        crate::players::infos::<G>().into_iter().map(|info| info.name).collect(),
        G::RULESETS.iter().map(|(name, _)| *name).collect(),
    ))
}
