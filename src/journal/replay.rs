//! Replaying records through the rules: what `fushi replay` and `fushi legal` answer.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::Board;
use super::control::{self, Fields};
use super::entry::{By, Entry};
use super::header::{Header, game_of};
use super::record::{ActionLine, Content, NoteLine, Numbered, RawRecord};
use crate::canonical::Hash;
use crate::games::holdem::Holdem;
use crate::games::tuolaji::Tuolaji;
use crate::games::wakeng::Wakeng;
use crate::games::{Fault, Game, GameKind, Refusal as _, Seat, Seats, StartError};
use crate::words::{Lang, Message, message, say};

/// Why a record could not be replayed to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The line of the file, from 1.
    pub line: usize,
    /// The seat as written, if the line has one.
    pub seat: Option<String>,
    /// The action as written, if the line has one.
    pub text: Option<String>,
    /// Stable reason code.
    pub reason: &'static str,
    /// The sentence.
    pub message: FailureMessage,
    /// Every inconsistency of a header.
    pub problems: Vec<Fault>,
}

/// What a failure says.
#[derive(Clone, Debug, PartialEq)]
pub enum FailureMessage {
    /// A sentence of the Fluent files.
    Translated(Message),
    /// Inconsistencies of a header.
    Faults(Vec<Fault>),
}

impl Failure {
    fn header(line: usize, reason: &'static str, problems: Vec<Fault>) -> Box<Failure> {
        let message = FailureMessage::Faults(problems.clone());
        Box::new(Failure { line, seat: None, text: None, reason, message, problems })
    }

    /// A header whose start is refused.
    pub(super) fn of_start(line: usize, error: StartError) -> Box<Failure> {
        match error {
            StartError::Header(faults) => Failure::header(line, "bad_header", faults),
            StartError::Deal(faults) => Failure::header(line, "bad_deal", faults),
        }
    }

    fn action(
        line: usize,
        action: &ActionLine,
        reason: &'static str,
        message: FailureMessage,
    ) -> Box<Failure> {
        Box::new(Failure {
            line,
            seat: Some(action.seat.clone()),
            text: Some(action.action.text.clone()),
            reason,
            message,
            problems: Vec::new(),
        })
    }

    /// The sentence in a language.
    #[must_use]
    pub fn sentence(&self, lang: Lang) -> String {
        match &self.message {
            FailureMessage::Translated(message) => say(lang, message),
            FailureMessage::Faults(faults) => Fault::sentences(faults, lang),
        }
    }

    /// The object that `fushi replay --format json` prints.
    #[must_use]
    pub fn to_json(&self, record: usize, lang: Lang) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("ok".to_owned(), false.into());
        object.insert("record".to_owned(), record.into());
        object.insert("line".to_owned(), self.line.into());
        if let Some(seat) = &self.seat {
            object.insert("seat".to_owned(), seat.as_str().into());
        }
        if let Some(text) = &self.text {
            object.insert("do".to_owned(), text.as_str().into());
        }
        object.insert("reason".to_owned(), self.reason.into());
        object.insert("message".to_owned(), self.sentence(lang).into());
        if !self.problems.is_empty() {
            let told = |fault: &Fault| json!({"code": fault.code, "message": fault.sentence(lang)});
            object.insert("problems".to_owned(), self.problems.iter().map(told).collect());
        }
        object
    }
}

/// A record replayed to its last line.
#[derive(Clone, Debug)]
pub struct Replayed<G: Game> {
    /// The header.
    pub header: Header<G>,
    /// Every accepted entry.
    pub entries: Vec<Entry<G::Action>>,
    /// The board after them.
    pub board: Board<G>,
}

/// Replays one record of a known game.
///
/// # Errors
/// The first thing that is wrong.
pub fn replay<G: Game>(raw: &RawRecord, extra: &[Arc<G::Rules>]) -> Result<Replayed<G>, Box<Failure>> {
    let header = match &raw.header {
        Ok(object) => object.clone(),
        Err(message) => {
            return Err(Failure::header(raw.line, "bad_header", vec![Fault::new("unreadable", message)]));
        }
    };
    let header = Header::<G>::read(header, extra).map_err(|error| Failure::of_start(raw.line, error))?;
    let mut board = Board::open(&header);
    let mut entries = Vec::with_capacity(raw.actions.len());
    let mut last_at = 0;
    for numbered in &raw.actions {
        let at = match &numbered.content {
            Ok(Content::Action(action)) => action.at,
            Ok(Content::Control(note)) => note.at,
            Err(_) => None,
        };
        if at.is_some_and(|at| at < last_at) {
            return Err(runs_back(numbered));
        }
        last_at = at.unwrap_or(last_at);
        match &numbered.content {
            Ok(Content::Action(action)) => entries.push(step(&mut board, numbered.line, action)?),
            Ok(Content::Control(note)) => self::note(&mut board, numbered.line, note)?,
            Err(unreadable) => {
                return Err(Box::new(Failure {
                    line: numbered.line,
                    seat: unreadable.seat.clone(),
                    text: unreadable.text.clone(),
                    reason: "malformed",
                    message: FailureMessage::Translated(unreadable.message.clone()),
                    problems: Vec::new(),
                }));
            }
        }
    }
    Ok(Replayed { header, entries, board })
}

/// The time of a line never falls.
fn runs_back(numbered: &Numbered) -> Box<Failure> {
    let (seat, text) = match &numbered.content {
        Ok(Content::Action(action)) => (Some(action.seat.clone()), Some(action.action.text.clone())),
        Ok(Content::Control(note)) => (note.seat.clone(), None),
        Err(unreadable) => (unreadable.seat.clone(), unreadable.text.clone()),
    };
    let message = FailureMessage::Translated(Message::plain("verify-time-runs-back"));
    Box::new(Failure {
        line: numbered.line,
        seat,
        text,
        reason: "time_runs_back",
        message,
        problems: Vec::new(),
    })
}

/// What the clock does for a seat: nothing else stands under its name. The dealer's steps that a record has no line for
/// come first.
fn clock_action<G: Game>(board: &Board<G>, entry: &Entry<G::Action>) -> Option<G::Action> {
    let mut state = board.state().clone();
    while G::dealer_first(&state, &entry.action)
        && let Some(effect) = G::advance(&state)
    {
        G::apply(&mut state, effect);
    }
    G::timeout(&state, entry.seat)
}

/// Plays one line of a record.
fn step<G: Game>(
    board: &mut Board<G>,
    line: usize,
    action: &ActionLine,
) -> Result<Entry<G::Action>, Box<Failure>> {
    let malformed =
        |message: Message| Failure::action(line, action, "malformed", FailureMessage::Translated(message));
    let seat = G::seat_named(&action.seat)
        .ok_or_else(|| malformed(message!("record-no-seat", shown = action.seat.escape_debug())))?;
    let read = G::read_action(&action.action).map_err(malformed)?;
    let entry = Entry { seat, action: read, at: action.at, by: action.by };
    let expected = (entry.by == Some(By::Clock)).then(|| clock_action(board, &entry));
    let hash = board.play(&entry).map_err(|illegal| {
        Failure::action(line, action, illegal.code(), FailureMessage::Translated(illegal.message()))
    })?;
    if let Some(expected) = expected.filter(|expected| expected.as_ref() != Some(&entry.action)) {
        let expected = expected.map_or_else(|| "–".to_owned(), |action| G::write_action(&action).text);
        let message = Message::plain("verify-wrong-time-out").with("expected", expected);
        return Err(Failure::action(line, action, "wrong_time_out", FailureMessage::Translated(message)));
    }
    if fits(action.hash.as_ref(), &hash) {
        Ok(entry)
    } else {
        Err(Failure::action(line, action, "hash_mismatch", other_hash()))
    }
}

/// Takes one note of a record.
fn note<G: Game>(board: &mut Board<G>, line: usize, written: &NoteLine) -> Result<(), Box<Failure>> {
    let failure = |reason: &'static str, message: FailureMessage| {
        Box::new(Failure {
            line,
            seat: written.seat.clone(),
            text: None,
            reason,
            message,
            problems: Vec::new(),
        })
    };
    let fields = Fields {
        at: written.at,
        by: &written.by,
        ms: written.ms,
        note: &written.note,
        seat: written.seat.as_deref(),
        who: written.who.as_deref(),
    };
    let read = control::read::<G>(&fields)
        .map_err(|detail| failure("malformed", FailureMessage::Translated(detail)))?;
    let hash = board
        .note(&read)
        .map_err(|refused| failure(refused.code(), FailureMessage::Translated(refused.message())))?;
    if fits(written.hash.as_ref(), &hash) { Ok(()) } else { Err(failure("hash_mismatch", other_hash())) }
}

/// Whether the hash on a line, if there is one, is the chain's.
fn fits(written: Option<&String>, hash: &Hash) -> bool {
    written.is_none_or(|written| *written == hex::encode(hash))
}

fn other_hash() -> FailureMessage {
    FailureMessage::Translated(message!("record-hash"))
}

impl<G: Game> Replayed<G> {
    /// The object that `fushi replay --format json` prints.
    #[must_use]
    pub fn to_json(&self, record: usize) -> Map<String, Value> {
        let state = self.board.state();
        let finished = G::finished(state);
        let mut object = Map::new();
        object.insert("ok".to_owned(), true.into());
        object.insert("record".to_owned(), record.into());
        object.insert("board".to_owned(), self.header.board.as_deref().into());
        object.insert("finished".to_owned(), finished.into());
        if finished {
            let seated = G::seated(&self.header.start);
            let scores: Map<String, Value> = (0..)
                .zip(G::scores(state))
                .filter(|(seat, _)| seated.contains(Seat(*seat)))
                .filter_map(|(seat, score)| Some((G::seat_name(Seat(seat))?.to_owned(), score.into())))
                .collect();
            object.insert("scores".to_owned(), Value::Object(scores));
        } else if self.board.ended() {
            object.insert("ended".to_owned(), true.into());
        } else {
            let waiting = G::waiting_for(state);
            let names = waiting.seats.iter().filter_map(G::seat_name);
            if waiting.simultaneous {
                object.insert("waiting".to_owned(), names.collect::<Vec<_>>().into());
            } else {
                object.insert("turn".to_owned(), names.last().into());
            }
        }
        object.insert("outcome".to_owned(), serde_json::to_value(G::outcome(state)).unwrap_or_default());
        object.insert("actions".to_owned(), self.entries.len().into());
        if self.board.notes() > 0 {
            object.insert("notes".to_owned(), self.board.notes().into());
        }
        object.insert("hash".to_owned(), hex::encode(self.board.chain()).into());
        object
    }

    /// The objects that `fushi legal --format json` prints: one for each seat that may act; one with `"seat":null`
    /// for a board that is over.
    #[must_use]
    pub fn legal_json(&self, record: usize, limit: usize) -> Vec<Map<String, Value>> {
        let state = self.board.state();
        let begin = |seat: Option<&str>| {
            let mut object = Map::new();
            object.insert("record".to_owned(), record.into());
            object.insert("seat".to_owned(), seat.into());
            object
        };
        let mut objects = Vec::new();
        let waiting = if self.board.ended() { Seats::NONE } else { G::waiting_for(state).seats };
        for seat in waiting.iter() {
            let mut object = begin(G::seat_name(seat));
            object.extend(G::legal_listing(state, seat, limit));
            objects.push(object);
        }
        if objects.is_empty() {
            let mut object = begin(None);
            object.insert("legal".to_owned(), Value::Array(Vec::new()));
            objects.push(object);
        }
        objects
    }
}

/// What the commands print of a replayed record, whichever game it is.
pub trait Answer {
    /// As [`Replayed::to_json`].
    fn replay_answer(&self, record: usize) -> Map<String, Value>;
    /// As [`Replayed::legal_json`].
    fn legal_answer(&self, record: usize, limit: usize) -> Vec<Map<String, Value>>;
}

impl<G: Game> Answer for Replayed<G> {
    fn replay_answer(&self, record: usize) -> Map<String, Value> {
        self.to_json(record)
    }

    fn legal_answer(&self, record: usize, limit: usize) -> Vec<Map<String, Value>> {
        self.legal_json(record, limit)
    }
}

/// Replays one record of any game.
///
/// # Errors
/// The first thing that is wrong.
pub fn replay_any(raw: &RawRecord) -> Result<Box<dyn Answer>, Box<Failure>> {
    let header = raw.header.as_ref().map_err(|message| {
        Failure::header(raw.line, "bad_header", vec![Fault::new("unreadable", message)])
    })?;
    let kind = game_of(header).map_err(|faults| Failure::header(raw.line, "bad_header", faults))?;
    Ok(match kind {
        GameKind::Wakeng => Box::new(replay::<Wakeng>(raw, &[])?),
        GameKind::Tuolaji => Box::new(replay::<Tuolaji>(raw, &[])?),
        GameKind::Holdem => Box::new(replay::<Holdem>(raw, &[])?),
    })
}
