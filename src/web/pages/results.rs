//! What spectators see of an event: standings, cross-tabulation, boards, cards of entrants, replays, the projector.
//!
//! The pages only lay places out; the numbers come from the API, which decides what may be shown. Where nothing may be
//! shown yet the page says so in words and asks for nothing.

use actix_web::web;
use maud::{Markup, html};
use serde_json::{Map, Value, json};

use super::event::{format_word, game_word, outline_of, playable, state_word};
use super::layout::{self, Content};
use super::{Shown, Visit};
use crate::desk::rights::Right;
use crate::event::archive::EventRow;
use crate::event::called::{Numbered, called};
use crate::event::live::Pace;
use crate::event::{Event, EventError, EventState};
use crate::games::GameKind;
use crate::scoring::said;
use crate::web::audience::{Pending, Sees, at_desk, public, sees};
use crate::web::problem::{Code, Problem};
use crate::with_game;
use crate::words::Message;

/// A tab of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// Standings.
    Standings,
    /// Entrants × boards.
    CrossTab,
    /// Boards and travellers.
    Boards,
    /// What was ruled, and what changed between publications.
    Rulings,
    /// The rules that are played.
    Rules,
    /// How to verify the event.
    Verify,
}

/// Whether the seats are drawn, so that there are standings.
#[must_use]
pub fn has_results(row: &EventRow) -> bool {
    row.state.is_drawn()
}

/// What an address ends with that asks for the desk's own view of results.
const AS_DESK: &str = "?view=desk";

/// Whether a visitor asks for the desk's own view of results and may see it. Everybody else, organizers who did not ask
/// included, is shown what the public sees: a page that is projected by mistake tells nothing.
#[must_use]
pub fn desk_view(visit: &Visit, row: &EventRow) -> bool {
    at_desk(&visit.who, &row.id) && visit.query.split('&').any(|pair| pair == "view=desk")
}

/// Which view this is, for those who have two: the desk's own says on the screen and on paper that it is not for the
/// hall; the public one leads to it.
fn whose_view(visit: &Visit, row: &EventRow) -> Markup {
    let rest = |pair: &&str| !pair.is_empty() && *pair != "view=desk";
    let query: Vec<&str> = visit.query.split('&').filter(rest).collect();
    html! {
        @if desk_view(visit, row) {
            div.notice.bad.desk-view #desk-view {
                p { strong { (visit.say("results-desk-view")) } " " (visit.say("results-desk-view-what")) }
                a.button.quiet.small href={ (visit.path) "?" (query.join("&")) } { (visit.say("results-to-public-view")) }
            }
        } @else if at_desk(&visit.who, &row.id) {
            p.view-switch {
                span.muted { (visit.say("results-public-view")) } " "
                a.button.quiet.small #to-desk-view href={ (visit.path) "?" (query.iter().copied().chain(["view=desk"]).collect::<Vec<_>>().join("&")) } {
                    (visit.say("results-to-desk-view"))
                }
            }
        }
    }
}

/// The tabs, without those that have nothing yet.
fn tabs(visit: &Visit, row: &EventRow, here: Tab) -> Markup {
    let base = format!("/events/{}", row.id);
    let shown = has_results(row);
    let query = if desk_view(visit, row) { AS_DESK } else { "" };
    let all = [
        (Tab::Standings, "", "results-tab-standings", shown),
        (Tab::CrossTab, "/cross-tab", "results-tab-crosstab", shown),
        (Tab::Boards, "/boards", "results-tab-boards", shown),
        (Tab::Rulings, "/rulings", "results-tab-rulings", shown),
        (Tab::Rules, "/rules", "rules-link", row.state != EventState::Draft),
        (Tab::Verify, "/verify", "results-tab-verify", row.state != EventState::Draft),
    ];
    html! {
        @if row.state != EventState::Draft {
            nav.tabs aria-label=(visit.say("results-tabs")) {
                @if !shown { a href=(base) aria-current=[(here == Tab::Standings).then_some("page")] {
                    (visit.say("results-tab-event"))
                } }
                @for (tab, path, name, shown) in all {
                    @if shown {
                        a href={ (base) (path) (query) } aria-current=[(here == tab).then_some("page")] { (visit.say(name)) }
                    }
                }
            }
        }
    }
}

/// The table of big points that results rest on, by name: it stands wherever results do (`TL 7.2`).
fn big_points(visit: &Visit, table: &str) -> Markup {
    html! { (visit.say("rules-big-points")) " " (table) }
}

/// What stands above every page of an event: what it is, its state, the tabs.
#[must_use]
pub fn head(visit: &Visit, row: &EventRow, here: Tab) -> Markup {
    let schedule = outline_of(row);
    let boards = Message::plain("pages-boards").with("count", schedule.boards);
    html! {
        header.event-head {
            p.facts {
                span.tag { (game_word(visit, &row.game)) }
                span { (format_word(visit, &schedule.format)) }
                @if schedule.boards > 0 { span { (visit.tell(&boards)) } }
                span { (visit.say(state_word(visit, row))) }
                @if let Some(table) = &schedule.big_points { span { (big_points(visit, table)) } }
                @if row.one_account { span { (visit.say("org-one-account")) } }
            }
            div.title-line {
                h1 lang=[schedule.language.as_deref()] { (schedule.title) }
                @if watched(visit, row) && here == Tab::Standings {
                    p.row { a.button href={ "/events/" (row.id) "/watch" } { (visit.say("pages-watch")) } }
                } @else if playable(visit, row) && here == Tab::Standings {
                    p.row {
                        a.button href={ "/seat?event=" (row.id) } { (visit.say("pages-take-seat")) }
                        a.button.quiet href={ "/play/" (row.id) } { (visit.say("pages-to-table")) }
                    }
                }
            }
            (tabs(visit, row, here))
        }
    }
}

/// Whether there is a live table of an event to look at.
#[must_use]
pub fn watched(visit: &Visit, row: &EventRow) -> bool {
    let hall = (row.state == EventState::Locked).then(|| visit.app.halls.get(&row.id)).flatten();
    hall.is_some_and(|hall| {
        let progress = hall.progress();
        hall.only_computers && !progress.rounds.is_empty() && !progress.complete()
    })
}

/// A kind word instead of an empty or a refused page.
pub(super) fn notice(visit: &Visit, title: &'static str, text: &'static str) -> Markup {
    html! { div.empty { p { strong { (visit.say(title)) } } p.muted { (visit.say(text)) } } }
}

/// What a page of results consists of.
pub(super) struct Sheet {
    pub tab: Tab,
    pub title: Option<String>,
    pub body: Markup,
    pub script: &'static str,
    pub style: &'static str,
    pub class: &'static str,
    pub more: Map<String, Value>,
    pub words: &'static [&'static str],
    /// Whether everybody in the room looks at it, or it is to be hung up: then it shows what the public sees, whoever
    /// has opened it and however.
    pub hall: bool,
    /// Where numbers stand beside names.
    pub numbered: Numbered,
}

impl Sheet {
    pub fn new(tab: Tab, script: &'static str, body: Markup) -> Sheet {
        Sheet {
            tab,
            title: None,
            body,
            script,
            style: "results.css",
            class: "results",
            more: Map::new(),
            words: &["watch", "who"],
            hall: false,
            numbered: Numbered::WhereEqual,
        }
    }
}

/// Hold'em has its own word for a board: a hand.
fn of_game(row: &EventRow, id: &'static str, holdem: &'static str) -> Message {
    Message::plain(if row.game == GameKind::Holdem.name() { holdem } else { id })
}

/// What every page of results knows of an event: `names` of entrants by id, the `method` and what it is called, and
/// whether its values are a `rate`.
async fn known(visit: &Visit, row: &EventRow, numbered: Numbered) -> Result<Value, Problem> {
    let (id, kind) = (row.id.clone(), row.game.parse::<GameKind>().map_err(Problem::internal)?);
    visit
        .work(move |visit| {
            with_game!(kind, G => {
                let event = Event::<G>::load(visit.app.store.as_ref(), &id)?;
                let numbers: Map<String, Value> =
                    event.entrants.iter().map(|one| (one.id.clone(), one.number.into())).collect();
                let method = event.settings.scoring.method;
                let head = visit.say(said::method(method));
                // In rounds every seat is waited for as the round says.
                let absent = if event.live.pace == Pace::Own { event.live.absent_s } else { 0 };
                Ok(json!({
                    "names": called(&event.entrants, numbered), "numbers": numbers, "method": method, "methodName": head,
                    "rate": method.is_rate(), "absent": absent,
                }))
            })
        })
        .await
}

/// What this visitor sees of the results now; otherwise the words instead.
async fn shown(visit: &Visit, row: &EventRow, as_public: bool) -> Result<Result<Sees, Markup>, Problem> {
    if !has_results(row) {
        return Ok(Err(notice(visit, "results-early", "results-early-how")));
    }
    let row = row.clone();
    let answer =
        visit.work(
            move |visit| {
                if as_public { public(&visit.app, &row) } else { sees(&visit.app, &visit.who, &row) }
            },
        );
    match answer.await {
        Ok(scope) => Ok(Ok(scope)),
        Err(problem) if problem.code == Code::Sealed => {
            Ok(Err(notice(visit, "results-frozen", "results-frozen-how")))
        }
        Err(problem) => Err(problem),
    }
}

/// For the desk: that something was ruled which is not published yet, and which places and averages differ by it.
async fn pending(visit: &Visit, row: &EventRow, names: &Value) -> Result<Option<Markup>, Problem> {
    let id = row.id.clone();
    let found: Option<Pending> = visit
        .work(move |visit| {
            visit
                .app
                .read_model
                .look(&visit.app, &id, |state| Ok(state.pending().map_err(EventError::from)?))
        })
        .await?;
    let Some(found) = found else { return Ok(None) };
    let numbers: Vec<String> = found.rulings.iter().map(ToString::to_string).collect();
    let said = Message::plain("results-pending")
        .with("rulings", numbers.join(", "))
        .with("revision", found.revision.to_string());
    let text =
        |line: Option<&Value>, key: &str| line.and_then(|line| line[key].as_str()).unwrap_or("–").to_owned();
    let lines = found.changes.iter().filter(|change| change.board.is_none());
    let results = found.changes.iter().filter(|change| change.board.is_some()).count();
    let changed = Message::plain("results-pending-results").with("count", results);
    Ok(Some(html! {
        details.notice.warn #pending {
            summary { (visit.tell(&said)) }
            p { (visit.tell(&changed)) }
            ul {
                @for line in lines {
                    li {
                        (names[&line.entrant].as_str().unwrap_or(&line.entrant)) ": "
                        (text(line.before.as_ref(), "rank")) " (" (text(line.before.as_ref(), "average")) ") → "
                        strong { (text(line.after.as_ref(), "rank")) " (" (text(line.after.as_ref(), "average")) ")" }
                    }
                }
            }
        }
    }))
}

/// The page, or words where nothing may be shown.
pub(super) async fn show(visit: &Visit, row: &EventRow, sheet: Sheet) -> Shown {
    let schedule = outline_of(row);
    let title =
        sheet.title.map_or_else(|| schedule.title.clone(), |title| format!("{title} · {}", schedule.title));
    let desk = !sheet.hall && desk_view(visit, row);
    let sees = match shown(visit, row, !desk).await? {
        Ok(sees) => sees,
        Err(words) => {
            let switch = html! { @if !sheet.hall && has_results(row) { (whose_view(visit, row)) } };
            let main = html! { (head(visit, row, sheet.tab)) (switch) (words) };
            let content =
                Content { title, main, style: Some("results.css"), class: "results", ..Content::default() };
            return Ok(layout::found(visit, &content));
        }
    };
    let mut data = sheet.more;
    data.insert("event".to_owned(), row.id.clone().into());
    data.insert("state".to_owned(), row.state.word().into());
    let mut known = known(visit, row, sheet.numbered).await?;
    for key in ["names", "numbers", "method", "methodName", "rate"] {
        data.insert(key.to_owned(), known[key].take());
    }
    data.insert("game".to_owned(), row.game.clone().into());
    data.insert("view".to_owned(), sees.view().word().into());
    let absent = known["absent"].as_u64().filter(|seconds| {
        *seconds > 0 && sheet.tab == Tab::Standings && !sheet.hall && row.state == EventState::Locked
    });
    let pending = if sees == Sees::Everything { pending(visit, row, &data["names"]).await? } else { None };
    let main = html! {
        @if !sheet.hall { (head(visit, row, sheet.tab)) (whose_view(visit, row)) }
        @if let Some(pending) = pending { (pending) }
        @if let Some(seconds) = absent {
            p.notice #absent { (visit.tell(&Message::plain("results-absent").with("seconds", seconds))) }
        }
        (sheet.body)
    };
    let content = Content {
        title,
        main,
        script: Some(sheet.script),
        style: Some(sheet.style),
        class: sheet.class,
        data: Some(data.into()),
        words: sheet.words,
    };
    Ok(layout::found(visit, &content))
}

/// A field that narrows a table down.
fn filter(visit: &Visit) -> Markup {
    html! {
        div.find {
            label.unseen for="find" { (visit.say("results-find")) }
            input #find type="search" placeholder=(visit.say("results-find")) autocomplete="off" spellcheck="false";
        }
    }
}

/// Where the numbers will stand, as long as they are on their way; the pages of a long list below.
pub(super) fn waits(visit: &Visit) -> Markup {
    html! {
        (sheet_of(visit))
        nav #pages.pages aria-label=(visit.say("results-pages")) hidden {}
    }
}

fn sheet_of(visit: &Visit) -> Markup {
    html! { div #sheet aria-busy="true" { p.loading { (visit.say("results-loading")) } } }
}

/// Links to the same numbers of the same view as files.
fn files(visit: &Visit, row: &EventRow, view: &str) -> Markup {
    let event = &row.id;
    let desk = desk_view(visit, row);
    let (public, name) = if desk { ("", format!("{event}-desk")) } else { ("public=true&", event.clone()) };
    let address = |form: &str| {
        format!("/api/v1/events/{event}/views/{view}{public}format={form}&lang={}", visit.lang.tag())
    };
    html! {
        a.button.quiet.small href=(address("csv")) download={ (name) ".csv" } { "CSV" }
        a.button.quiet.small href=(address("xlsx")) download={ (name) ".xlsx" } { "XLSX" }
        button.button.quiet.small type="button" data-print { (visit.say("results-print")) }
    }
}

/// Where the explanation of a number appears.
fn explanation(visit: &Visit) -> Markup {
    html! {
        dialog #explain aria-labelledby="explain-title" {
            h2 #explain-title { (visit.say("results-explain")) }
            div #explain-text.explain-text {}
            form method="dialog" { p.row { button.button { (visit.say("pages-close")) } } }
        }
    }
}

/// The standings.
///
/// # Errors
/// The database.
pub async fn standings(visit: Visit, row: EventRow) -> Shown {
    let body = html! {
        section aria-labelledby="sheet-title" {
            h2 #sheet-title.unseen { (visit.say("results-tab-standings")) }
            p.table-note #counted role="status" {}
            div.bar {
                (filter(&visit))
                a.button.quiet.small href={ "/events/" (row.id) "/projector" } { (visit.say("results-projector")) }
                (files(&visit, &row, "ranking?"))
                @if row.state.is_published() {
                    a.button.quiet.small href={ "/events/" (row.id) "/sheet" } { (visit.say("results-sheet-link")) }
                }
            }
            (waits(&visit))
        }
    };
    let sheet = Sheet::new(Tab::Standings, "standings.js", body);
    show(&visit, &row, sheet).await
}

/// Entrants × boards.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn crosstab(mut visit: Visit, id: web::Path<String>) -> Shown {
    let row = visit.event(&id).await?;
    let body = html! {
        section aria-labelledby="sheet-title" {
            h2 #sheet-title.unseen { (visit.say("results-tab-crosstab")) }
            div.bar {
                (filter(&visit))
                div.choice role="group" aria-label=(visit.say("results-shown")) {
                    button.button.quiet.small type="button" data-shown="value" aria-pressed="true" {
                        (visit.say("results-shown-value"))
                    }
                    button.button.quiet.small type="button" data-shown="score" aria-pressed="false" {
                        (visit.say("results-shown-score"))
                    }
                }
                (files(&visit, &row, "cross-tab?"))
            }
            p.table-note { (visit.say("results-crosstab-note")) }
            (waits(&visit))
        }
        (explanation(&visit))
    };
    let mut sheet = Sheet::new(Tab::CrossTab, "crosstab.js", body);
    sheet.title = Some(visit.say("results-tab-crosstab"));
    sheet.class = "results wide";
    show(&visit, &row, sheet).await
}

/// The boards of an event.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn boards(mut visit: Visit, id: web::Path<String>) -> Shown {
    let row = visit.event(&id).await?;
    let body = html! {
        section aria-labelledby="sheet-title" {
            h2 #sheet-title.unseen { (visit.say("results-tab-boards")) }
            p.table-note { (visit.say("results-boards-note")) }
            (waits(&visit))
        }
    };
    let mut sheet = Sheet::new(Tab::Boards, "boards.js", body);
    sheet.title = Some(visit.say("results-tab-boards"));
    show(&visit, &row, sheet).await
}

/// For referees, the way from a board to a ruling on it.
fn rule_on(visit: &Visit, event: &str, query: &str) -> Markup {
    html! {
        @if visit.who.may(Right::Rule, Some(event)) {
            a.button.quiet.small href={ "/desk/" (event) "/rulings?" (query) } { (visit.say("rulings-here")) }
        }
    }
}

/// A number of a path.
fn number(text: &str, what: &'static str) -> Result<u32, Problem> {
    text.parse().map_err(|_| Problem::said(Code::NotFound, Message::plain(what)))
}

/// A board of an event.
fn board_of(row: &EventRow, text: &str) -> Result<u32, Problem> {
    let board = number(text, "results-no-board")?;
    if (1..=outline_of(row).boards).contains(&u64::from(board)) {
        return Ok(board);
    }
    Err(Problem::said(Code::NotFound, Message::plain("results-no-board")))
}

/// A board at every table.
///
/// # Errors
/// There is no such event for this visitor, or the board is no number.
pub async fn traveller(mut visit: Visit, path: web::Path<(String, String)>) -> Shown {
    let (id, board) = path.into_inner();
    let row = visit.event(&id).await?;
    let board = board_of(&row, &board)?;
    let title = visit.tell(&of_game(&row, "results-board", "results-board-holdem").with("board", board));
    let body = html! {
        section aria-labelledby="sheet-title" {
            div.title-line {
                h2 #sheet-title { (title) }
                p.row #neighbours {}
            }
            div.bar {
                (filter(&visit))
                (files(&visit, &row, &format!("traveller?board={board}&")))
                a.button.quiet.small href={ "/events/" (row.id) "/boards/" (board) "/projector" } { (visit.say("results-projector")) }
                (rule_on(&visit, &row.id, &format!("board={board}")))
            }
            (waits(&visit))
        }
        (explanation(&visit))
    };
    let mut sheet = Sheet::new(Tab::Boards, "boards.js", body);
    sheet.more.insert("board".to_owned(), board.into());
    sheet.title = Some(title);
    sheet.style = "board.css";
    sheet.class = "results traveller-page";
    sheet.words = &["watch", "play", "who"];
    show(&visit, &row, sheet).await
}

/// A board for the projector: the deal in large cards, and how often each score occurred.
///
/// # Errors
/// There is no such event for this visitor, or the board is no number.
pub async fn board_of_the_day(mut visit: Visit, path: web::Path<(String, String)>) -> Shown {
    let (id, board) = path.into_inner();
    let row = visit.event(&id).await?;
    let board = board_of(&row, &board)?;
    let schedule = outline_of(&row);
    let title = visit.tell(&of_game(&row, "results-board", "results-board-holdem").with("board", board));
    let body = html! {
        div.projector-head {
            h1 { (title) }
            p lang=[schedule.language.as_deref()] { (schedule.title) }
            @if let Some(table) = &schedule.big_points { p { (big_points(&visit, table)) } }
            a.button.quiet.small href={ "/events/" (row.id) "/boards/" (board) } { (visit.say("pages-close")) }
        }
        div #sheet.projector-sheet tabindex="0" role="region" aria-label=(title) aria-busy="true" {
            p.loading { (visit.say("results-loading")) }
        }
    };
    let mut sheet = Sheet::new(Tab::Boards, "boards.js", body);
    sheet.more.insert("board".to_owned(), board.into());
    sheet.more.insert("huge".to_owned(), true.into());
    sheet.title = Some(title);
    sheet.style = "board.css";
    sheet.class = "projector board-day";
    sheet.hall = true;
    sheet.words = &["watch", "play", "who"];
    show(&visit, &row, sheet).await
}

/// The card of an entrant.
///
/// # Errors
/// There is no such event for this visitor, or no such entrant.
pub async fn card(mut visit: Visit, path: web::Path<(String, String)>) -> Shown {
    let (id, entrant) = path.into_inner();
    let row = visit.event(&id).await?;
    let known =
        if has_results(&row) { known(&visit, &row, Numbered::WhereEqual).await? } else { Value::Null };
    let Some(name) = known["names"][&entrant].as_str().map(str::to_owned) else {
        return Err(Problem::said(Code::NotFound, Message::plain("results-no-entrant")));
    };
    let body = html! {
        section aria-labelledby="sheet-title" {
            div.title-line { h2 #sheet-title { (name) } p #place.place-line {} }
            div.bar { (files(&visit, &row, &format!("card?entrant={entrant}&"))) }
            (waits(&visit))
        }
        (explanation(&visit))
    };
    let mut sheet = Sheet::new(Tab::Standings, "card.js", body);
    sheet.more.insert("entrant".to_owned(), entrant.into());
    sheet.title = Some(name);
    show(&visit, &row, sheet).await
}

/// The standings in huge letters, scrolling by themselves.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn projector(mut visit: Visit, id: web::Path<String>) -> Shown {
    let row = visit.event(&id).await?;
    let schedule = outline_of(&row);
    let body = html! {
        div.projector-head {
            h1 lang=[schedule.language.as_deref()] { (schedule.title) }
            p #counted role="status" {}
            @if let Some(table) = &schedule.big_points { p { (big_points(&visit, table)) } }
            a.button.quiet.small href={ "/events/" (row.id) } { (visit.say("pages-close")) }
        }
        div #sheet.projector-sheet tabindex="0" role="region" aria-label=(visit.say("results-tab-standings")) aria-busy="true" {
            p.loading { (visit.say("results-loading")) }
        }
        p #legend.projector-legend hidden {
            a href={ "/events/" (row.id) "/rulings" } { (visit.say("results-projector-legend")) }
        }
    };
    let mut sheet = Sheet::new(Tab::Standings, "projector.js", body);
    sheet.class = "projector";
    sheet.hall = true;
    show(&visit, &row, sheet).await
}

fn player(visit: &Visit) -> Markup {
    let tool = |id: &str, name: &'static str, sign: &str| {
        html! { button.button.quiet.small id=(id) type="button" aria-label=(visit.say(name)) title=(visit.say(name)) { (sign) } }
    };
    html! {
        div.player role="group" aria-label=(visit.say("results-player")) {
            (tool("first", "results-first", "|◀"))
            (tool("back", "results-back", "◀"))
            button.button #run type="button" { (visit.say("results-run")) }
            (tool("forward", "results-forward", "▶"))
            (tool("last", "results-last", "▶|"))
            label.speed for="speed" { (visit.say("results-speed")) }
            select #speed {
                @for speed in ["0.5", "1", "2", "4"] {
                    option value=(speed) selected[speed == "1"] { (speed) "×" }
                }
            }
            label.speed for="seen-from" { (visit.say("results-seen-from")) }
            select #seen-from {}
            button.button.quiet.small #link type="button" { (visit.say("results-link")) }
        }
        input #at type="range" min="0" value="0" aria-label=(visit.say("results-position"));
    }
}

/// A finished board at a table, step by step.
///
/// # Errors
/// There is no such event for this visitor, or board or table are no numbers.
pub async fn replay(mut visit: Visit, path: web::Path<(String, String, String)>) -> Shown {
    let (id, board, table) = path.into_inner();
    let row = visit.event(&id).await?;
    let (board, table) = (number(&board, "results-no-board")?, number(&table, "results-no-table")?);
    let title = visit.tell(
        &of_game(&row, "results-replay", "results-replay-holdem").with("board", board).with("table", table),
    );
    let body = html! {
        div.title-line {
            h2 { (title) }
            p.row {
                a.button.quiet.small href={ "/events/" (id) "/boards/" (board) @if desk_view(&visit, &row) { (AS_DESK) } } { (visit.say("results-to-traveller")) }
                (rule_on(&visit, &id, &format!("board={board}&table={table}")))
            }
        }
        p #refused.notice role="status" hidden {}
        div #replay hidden {
            (player(&visit))
            p #said.said-line aria-live="polite" {}
            div.replay-body {
                section #table.table aria-label=(visit.say("pages-table")) {
                    div #facts.table-facts {}
                    div #others.others {}
                    div #centre.centre {}
                    div #me.me {}
                    div #own.own-hand {}
                    div #outcome {}
                }
                section.steps aria-labelledby="steps-title" {
                    h3 #steps-title { (visit.say("results-steps")) }
                    ol #steps tabindex="0" aria-labelledby="steps-title" {}
                }
            }
        }
    };
    let mut sheet = Sheet::new(Tab::Boards, "replay.js", body);
    sheet.more.insert("board".to_owned(), board.into());
    sheet.more.insert("table".to_owned(), table.into());
    sheet.title = Some(title);
    sheet.style = "replay.css";
    sheet.class = "results play-cards";
    sheet.words = &["watch", "play", "who"];
    show(&visit, &row, sheet).await
}
