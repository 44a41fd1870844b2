//! What a table says to a connection: the messages of protocol v1 that concern one board (`docs/protocol.md`).
//!
//! An event is a function of the journal and the viewer, its clock included: whoever comes back gets the same bytes as
//! those who stayed.

use serde_json::{Map, Value, json};

use super::story::{Disclosure, Story, kept_from};
use super::table::{Shown, step_of};
use super::task::RESUME_MAX;
use super::{Clock, Refused};
use crate::event::answer::Answer;
use crate::event::ledger::CallState;
use crate::games::{ActionText, Game, Seat, Viewer};
use crate::journal::control::{ControlEntry, ControlKind, Line};
use crate::journal::{Board, Entry, Header};
use crate::words::Lang;

/// How many legal actions a message lists.
pub const LEGAL_MAX: usize = 200;
/// How many lines of a board's past a snapshot lists, the latest ones.
pub const PAST_MAX: usize = 256;

fn object(kind: &str) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("type".to_owned(), kind.into());
    object
}

/// A referee has warned the player; `count` is how many warnings the entrant has now.
#[must_use]
pub fn warned(code: &str, reason: &str, count: usize) -> String {
    let mut object = object("warned");
    object.insert("code".to_owned(), code.into());
    object.insert("reason".to_owned(), reason.into());
    object.insert("count".to_owned(), count.into());
    text(&object)
}

/// What has become of a call of the referee.
#[must_use]
pub fn called(play: i64, n: u32, state: CallState) -> String {
    let mut object = object("called");
    object.insert("play".to_owned(), play.into());
    object.insert("n".to_owned(), n.into());
    object.insert("state".to_owned(), state.word().into());
    text(&object)
}

/// A message as it is sent.
#[must_use]
pub fn text(object: &Map<String, Value>) -> String {
    // Texts, integers and lists of them always have a JSON form.
    serde_json::to_string(object).unwrap_or_default()
}

/// The time that everybody who must decide has left at an instant of the table, and how long the seat on turn may still
/// take without being slow.
fn clock_json<G: Game>(clock: &Clock, board: &Board<G>, now: u64) -> Value {
    let mut seats = Map::new();
    for seat in G::waiting_for(board.state()).seats.iter() {
        if let (Some(name), Some(left)) = (G::seat_name(seat), clock.left_ms(seat, now)) {
            seats.insert(name.to_owned(), left.into());
        }
    }
    let mut shown = json!({"running": clock.runs(), "elapsed_ms": now / 1000, "seats": seats});
    if let Some(left) = board.slow_left(now) {
        shown["slow_ms"] = (left / 1000).into();
    }
    shown
}

/// The legal actions of a seat as texts, and whether there are more.
#[must_use]
pub fn legal_texts<G: Game>(state: &G::State, seat: Seat) -> (Vec<String>, bool) {
    let mut actions = G::legal(state, seat);
    let list = actions.by_ref().take(LEGAL_MAX).map(|action| G::write_action(&action).text).collect();
    (list, actions.next().is_some())
}

fn add_legal<G: Game>(object: &mut Map<String, Value>, state: &G::State, viewer: Seat) {
    if G::waiting_for(state).seats.contains(viewer) {
        let (list, cut) = legal_texts::<G>(state, viewer);
        object.insert("legal".to_owned(), list.into());
        if cut {
            object.insert("cut".to_owned(), true.into());
        }
    }
}

fn board_part<G: Game>(
    object: &mut Map<String, Value>,
    board: &Board<G>,
    clock: &Clock,
    now: u64,
    viewer: Viewer,
    legal: bool,
) {
    let view = serde_json::to_value(G::view(board.state(), viewer)).unwrap_or_default();
    object.insert("view".to_owned(), view);
    object.insert("clock".to_owned(), clock_json::<G>(clock, board, now));
    if let Some(seat) = G::ahead(board.state()).and_then(G::seat_name) {
        object.insert("ahead".to_owned(), seat.into());
    }
    if let (true, Viewer::Seat(seat)) = (legal && !board.ended(), viewer) {
        add_legal::<G>(object, board.state(), seat);
    }
}

/// The board as a viewer may see it now. `past` is what has happened on it: see [`past`].
#[must_use]
pub fn snapshot<G: Game>(
    play: i64,
    n: u32,
    past: Vec<Value>,
    board: &Board<G>,
    clock: &Clock,
    now: u64,
    viewer: Viewer,
) -> String {
    let mut message = object("snapshot");
    message.insert("play".to_owned(), play.into());
    message.insert("n".to_owned(), n.into());
    if !past.is_empty() {
        message.insert("past".to_owned(), past.into());
    }
    board_part(&mut message, board, clock, now, viewer, true);
    text(&message)
}

/// What has happened on a board as a viewer may know it by now, from the journal's lines: what the events have told,
/// with the choices that were hidden and have become known since. The dealer's draws are left out, of the rest the last
/// [`PAST_MAX`] lines are told.
#[must_use]
pub fn past<G: Game>(header: &Header<G>, lines: &[Shown<G>], viewer: Viewer) -> Vec<Value> {
    let mut board = Board::open(header);
    let mut story = Story::open(&board);
    let mut past: Vec<(u32, Map<String, Value>)> = Vec::new();
    for shown in lines {
        if !followed(&mut board, &shown.line) {
            break;
        }
        let disclosed = story.follow(&shown.line, &board);
        for (n, entry) in &disclosed.opened {
            if let Ok(place) = past.binary_search_by_key(n, |(n, _)| *n)
                && let Some((_, what)) = past.get_mut(place)
            {
                *what = action::<G>(entry);
            }
        }
        if !matches!(&shown.line, Line::Control(note) if note.kind == ControlKind::Deal) {
            past.push((disclosed.n, what::<G>(&disclosed.before, board.state(), &shown.line, viewer)));
        }
    }
    let first = past.len().saturating_sub(PAST_MAX);
    past.into_iter().skip(first).map(|(n, what)| numbered(n, &what)).collect()
}

/// A line with its number.
fn numbered(n: u32, what: &Map<String, Value>) -> Value {
    json!({"n": n, "what": what})
}

/// An action as everybody may know it.
fn action<G: Game>(entry: &Entry<G::Action>) -> Map<String, Value> {
    let mut what = Map::new();
    let written = G::write_action(&entry.action);
    what.insert("kind".to_owned(), "action".into());
    what.insert("seat".to_owned(), G::seat_name(entry.seat).unwrap_or_default().into());
    what.insert("do".to_owned(), written.text.into());
    if let Some(after) = written.after {
        what.insert("after".to_owned(), after.into());
    }
    if let Some(by) = entry.by {
        what.insert("by".to_owned(), by.word().into());
    }
    what
}

/// What a line says to a viewer. A choice that the viewer may not know yet is `hidden`.
#[must_use]
pub fn what<G: Game>(
    before: &G::State,
    after: &G::State,
    line: &Line<G::Action>,
    viewer: Viewer,
) -> Map<String, Value> {
    let mut what = Map::new();
    let mut put = |key: &str, value: Value| {
        what.insert(key.to_owned(), value);
    };
    match line {
        Line::Action(entry) => {
            if viewer == Viewer::Seat(entry.seat) || kept_from::<G>(before, after, entry).is_none() {
                return action::<G>(entry);
            }
            put("kind", "hidden".into());
            put("seat", G::seat_name(entry.seat).unwrap_or_default().into());
        }
        Line::Control(ControlEntry { kind, by, seat, .. }) => {
            put("kind", "note".into());
            put("note", kind.word().into());
            if let Some(seat) = seat.and_then(G::seat_name) {
                put("seat", seat.into());
            }
            if let ControlKind::Give { ms } = kind {
                put("ms", (*ms).into());
            }
            put("by", by.word().into());
        }
    }
    what
}

/// A line as an event for a viewer; `board` and `clock` are those after it. What others chose before and the viewer may
/// know from now on stands under `revealed`.
#[must_use]
pub fn event<G: Game>(
    play: i64,
    disclosed: &Disclosure<G>,
    shown: &Shown<G>,
    board: &Board<G>,
    clock: &Clock,
    viewer: Viewer,
) -> String {
    let mut message = object("event");
    message.insert("play".to_owned(), play.into());
    message.insert("n".to_owned(), disclosed.n.into());
    message
        .insert("what".to_owned(), what::<G>(&disclosed.before, board.state(), &shown.line, viewer).into());
    let others = disclosed.opened.iter().filter(|(_, entry)| viewer != Viewer::Seat(entry.seat));
    let revealed: Vec<Value> = others.map(|(n, entry)| numbered(*n, &action::<G>(entry))).collect();
    if !revealed.is_empty() {
        message.insert("revealed".to_owned(), revealed.into());
    }
    board_part(&mut message, board, clock, shown.at, viewer, true);
    text(&message)
}

/// Every event with a number above `from`, from the journal's lines.
#[must_use]
pub fn events_after<G: Game>(
    play: i64,
    from: u32,
    header: &Header<G>,
    lines: &[Shown<G>],
    viewer: Viewer,
) -> Vec<String> {
    follow(play, from, header, lines, viewer).0
}

/// What somebody has missed of a board that is over: every event with a number above `from`, or the board as it is in
/// their place where these are more than [`RESUME_MAX`].
#[must_use]
pub fn missed<G: Game>(
    play: i64,
    from: u32,
    header: &Header<G>,
    lines: &[Shown<G>],
    viewer: Viewer,
) -> Vec<String> {
    let n = u32::try_from(lines.len()).unwrap_or(u32::MAX);
    if n.saturating_sub(from) <= RESUME_MAX {
        return events_after(play, from, header, lines, viewer);
    }
    let (_, board, clock) = follow(play, n, header, lines, viewer);
    let last = lines.last().map_or(0, |shown| shown.at);
    vec![snapshot(play, n, past(header, lines, viewer), &board, &clock, last, viewer)]
}

/// Plays a line of a journal again; `false` where it does not fit. Lines that were accepted once are accepted again.
pub(super) fn followed<G: Game>(board: &mut Board<G>, line: &Line<G::Action>) -> bool {
    match line {
        Line::Action(entry) => board.play(entry).is_ok(),
        Line::Control(note) => board.note(note).is_ok(),
    }
}

/// Plays lines again: the events with a number above `from`, the board and its clock at the end.
fn follow<G: Game>(
    play: i64,
    from: u32,
    header: &Header<G>,
    lines: &[Shown<G>],
    viewer: Viewer,
) -> (Vec<String>, Board<G>, Clock) {
    let mut board = Board::open(header);
    let mut clock = Clock::open(G::seats(&header.start), &G::waiting_for(board.state()));
    let mut story = Story::open(&board);
    let mut events = Vec::new();
    for shown in lines {
        if !followed(&mut board, &shown.line) {
            break;
        }
        let disclosed = story.follow(&shown.line, &board);
        clock.follow(step_of::<G>(&disclosed.before, &shown.line), shown.at, &G::waiting_for(board.state()));
        if disclosed.n > from {
            events.push(event::<G>(play, &disclosed, shown, &board, &clock, viewer));
        }
    }
    (events, board, clock)
}

/// The answer to a command.
#[must_use]
pub fn answer(play: i64, id: &str, answer: &Answer, lang: Lang) -> String {
    match answer {
        Answer::Accepted(n) => {
            let mut message = object("accepted");
            message.insert("id".to_owned(), id.into());
            message.insert("play".to_owned(), play.into());
            message.insert("n".to_owned(), (*n).into());
            text(&message)
        }
        Answer::Refused(why) => refused(id, why, lang),
    }
}

/// A refusal.
#[must_use]
pub fn refused(id: &str, why: &Refused, lang: Lang) -> String {
    let mut message = object("refused");
    message.insert("id".to_owned(), id.into());
    message.insert("code".to_owned(), why.code.as_str().into());
    message.insert("message".to_owned(), why.sentence(lang).into());
    text(&message)
}

/// The legal actions of the viewer now.
#[must_use]
pub fn legal<G: Game>(play: i64, n: u32, state: &G::State, seat: Seat) -> String {
    let (list, cut) = legal_texts::<G>(state, seat);
    let mut message = object("legal");
    message.insert("play".to_owned(), play.into());
    message.insert("n".to_owned(), n.into());
    message.insert("legal".to_owned(), list.into());
    message.insert("cut".to_owned(), cut.into());
    text(&message)
}

/// Whether an action would be accepted now, and why not.
#[must_use]
pub fn checked(play: i64, n: u32, action: &ActionText, why: Option<&Refused>, lang: Lang) -> String {
    let mut message = object("checked");
    message.insert("play".to_owned(), play.into());
    message.insert("n".to_owned(), n.into());
    message.insert("do".to_owned(), action.text.as_str().into());
    if let Some(after) = action.after {
        message.insert("after".to_owned(), after.into());
    }
    if let Some(why) = why {
        message.insert("code".to_owned(), why.code.as_str().into());
        message.insert("message".to_owned(), why.sentence(lang).into());
    }
    text(&message)
}

/// The answer to a question about a board at which the asker does not sit.
#[must_use]
pub fn no_legal(play: i64) -> String {
    let mut message = object("legal");
    message.insert("play".to_owned(), play.into());
    message.insert("n".to_owned(), 0.into());
    message.insert("legal".to_owned(), Value::Array(Vec::new()));
    message.insert("cut".to_owned(), false.into());
    text(&message)
}

/// A seat's connection has come or gone.
#[must_use]
pub fn presence<G: Game>(play: i64, seat: Seat, connected: bool) -> String {
    let mut message = object("presence");
    message.insert("play".to_owned(), play.into());
    message.insert("seat".to_owned(), G::seat_name(seat).unwrap_or_default().into());
    message.insert("connected".to_owned(), connected.into());
    text(&message)
}

/// The clock of the table was stopped or goes on.
#[must_use]
pub fn paused(play: i64, paused: bool) -> String {
    let mut message = object("paused");
    message.insert("play".to_owned(), play.into());
    message.insert("paused".to_owned(), paused.into());
    text(&message)
}

/// The board is over.
#[must_use]
pub fn finished<G: Game>(play: i64, n: u32, header: &Header<G>, board: &Board<G>) -> String {
    let mut message = object("finished");
    message.insert("play".to_owned(), play.into());
    message.insert("n".to_owned(), n.into());
    let unfinished = !G::finished(board.state());
    let scores = if unfinished {
        Value::Null
    } else {
        let seated = G::seated(&header.start);
        (0..)
            .map(Seat)
            .zip(G::scores(board.state()))
            .filter(|(seat, _)| seated.contains(*seat))
            .filter_map(|(seat, score)| Some((G::seat_name(seat)?.to_owned(), Value::from(score))))
            .collect::<Map<String, Value>>()
            .into()
    };
    message.insert("scores".to_owned(), scores);
    message.insert("unfinished".to_owned(), unfinished.into());
    text(&message)
}
