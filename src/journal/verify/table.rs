//! One board at one table: played = dealt, every action through the rules, every note where it fits, the chain, and
//! the moves of AI players.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::sync::Arc;

use serde_json::Value;

use super::source::{Source, Tail};
use super::wrong::Wrong;
use crate::canonical::{self, Hash};
use crate::games::{Game, Refusal as _, Viewer};
use crate::journal::bundle::Section;
use crate::journal::bundle::model::JournalLine;
use crate::journal::entry::link;
use crate::journal::note::{self, Fields};
use crate::journal::scan::{self, Memo, Parts, Scanned, What};
use crate::journal::{Board, By, Entry, Header, NoteRefused};
use crate::players::{self, AiKey, PlayerRef};
use crate::words::Message;

/// A board as the revealed keys deal it.
#[derive(Debug)]
pub(super) struct Dealt<G: Game> {
    /// Its number in the event.
    pub number: u32,
    /// `set/number`.
    pub name: String,
    pub header: Header<G>,
    pub receipt: String,
    pub deal_hash: String,
    /// The chain after the receipt.
    pub opening: Hash,
    /// The first line of every journal of the board up to the instant of opening, and from there to the round.
    pub first_line: (String, String),
}

impl<G: Game> Dealt<G> {
    pub fn new(number: u32, name: String, header: Header<G>) -> Dealt<G> {
        let (receipt, deal_hash) = (header.receipt(), header.deal_hash());
        let opening = link(&[0; 32], receipt.as_bytes());
        let first_line = (
            format!("{{\"board\":{number},\"hash\":\"{}\",\"opened\":", hex::encode(opening)),
            format!(",\"receipt\":{receipt},\"round\":"),
        );
        Dealt { number, name, header, receipt, deal_hash, opening, first_line }
    }

    /// Whether a line is the first one of a journal of this board as it must be; only the instant of opening is free.
    pub fn begins(&self, line: &str, round: u32, table: u32, seats: &BTreeMap<String, String>) -> bool {
        let rest = || {
            let rest = line.strip_prefix(self.first_line.0.as_str())?;
            let (opened, rest) = rest.split_once(',')?;
            let opening: i64 = opened.parse().ok().filter(|number: &i64| number.to_string() == opened)?;
            let _ = opening;
            let rest = rest.strip_prefix(self.first_line.1.get(1..)?)?;
            let rest = after_number(rest, round)?.strip_prefix(",\"seats\":")?;
            // Sorted keys and no blanks, as the canonical form has them.
            let rest = rest.strip_prefix(serde_json::to_string(seats).ok()?.as_str())?;
            after_number(rest.strip_prefix(",\"section\":\"journal\",\"table\":")?, table)
        };
        rest() == Some("}")
    }

    /// Checks receipt and hash of the first line of a journal.
    pub fn receipt_of<R: BufRead>(&self, source: &Source<R>, line: &JournalLine) -> Result<(), Box<Wrong>> {
        let here = |wrong: Box<Wrong>| wrong.on(&self.name, Some(line.table)).entry(0);
        let receipt = canonical::to_string(&line.receipt).unwrap_or_default();
        if receipt != self.receipt {
            return Err(here(source.wrong("not_as_dealt", not_as_dealt(line, self))));
        }
        if line.hash != hex::encode(self.opening) {
            return Err(here(source.wrong("chain", Message::plain("verify-chain"))));
        }
        Ok(())
    }
}

/// What follows a number in its shortest form.
fn after_number(text: &str, number: u32) -> Option<&str> {
    text.strip_prefix(number.to_string().as_str())
}

/// How a board ended at a table: finished, or ended by a note.
#[derive(Debug)]
pub(super) struct Ended<G: Game> {
    pub state: G::State,
    pub entries: u32,
    pub notes: u32,
    /// The heads that a checkpoint may name: the line that ended the board, and every note after it.
    pub heads: Vec<(u32, Hash)>,
    pub ai_moves: u64,
}

/// Who plays which seat, as far as it can be recomputed: `None` for a person.
pub(super) type Software<G> = Vec<Option<PlayerRef<G>>>;

/// The lines of a journal after its first one.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    /// The lines with their line feeds.
    pub text: &'a str,
    /// The first line's number in the file.
    pub first: u64,
    pub tail: Tail,
}

/// Checks the journal of a board: its lines up to the end of the board.
pub(super) fn check<G: Game>(
    lines: &Lines<'_>,
    table: u32,
    dealt: &Dealt<G>,
    software: &Software<G>,
    ai_key: Option<&AiKey>,
    memo: &mut Memo<G>,
) -> Result<Ended<G>, Box<Wrong>> {
    let wrong = |(code, message): Fault, number: u32, line: u64| {
        let wrong = Wrong::at(code, Some(Section::Journal), line, message);
        Err(wrong.on(&dealt.name, Some(table)).entry(number))
    };
    let mut board = Board::opened(&dealt.header, dealt.opening);
    let mut last_at = 0;
    let mut ai_moves = 0;
    let mut heads = Vec::new();
    let mut over = board.over();
    let mut number = lines.first;
    for text in lines.text.split_terminator('\n') {
        number += 1;
        let entry = board.lines() + 1;
        let step = Step { board: &mut board, over, dealt, software, ai_key, last_at: &mut last_at, memo };
        match step.run(text) {
            Ok(moved) => ai_moves += u64::from(moved),
            Err(fault) => return wrong(fault, entry, number),
        }
        over = over || board.over();
        if over {
            heads.push((board.lines(), *board.chain()));
        }
    }
    if !over {
        let message = Message::plain("verify-unfinished");
        match lines.tail {
            Tail::Line => return wrong(("unfinished", message), board.lines() + 1, number + 1),
            Tail::End => return wrong(("cut_off", message), board.lines() + 1, number),
            // What could not be read is the fault.
            Tail::Unread => {}
        }
    }
    let (entries, notes) = (board.entries(), board.notes());
    Ok(Ended { state: board.into_state(), entries, notes, heads, ai_moves })
}

fn not_as_dealt<G: Game>(line: &JournalLine, dealt: &Dealt<G>) -> Message {
    let played = line.receipt.get("deal_sha256").and_then(Value::as_str).unwrap_or("—");
    let played: String = played.chars().take(64).collect();
    Message::plain("verify-not-as-dealt").with("dealt", &dealt.deal_hash).with("played", played)
}

/// One entry on its way through the checks.
struct Step<'a, G: Game> {
    board: &'a mut Board<G>,
    over: bool,
    dealt: &'a Dealt<G>,
    software: &'a Software<G>,
    ai_key: Option<&'a AiKey>,
    last_at: &'a mut u64,
    memo: &'a mut Memo<G>,
}

type Fault = (&'static str, Message);

impl<G: Game> Step<'_, G> {
    /// Takes an action or a note from its line; answers whether it was a recomputed move of an AI player.
    fn run(mut self, line: &str) -> Result<bool, Fault> {
        let Some(scanned) = scan::scan(line) else { return Err(unreadable(line)) };
        let Some(written) = scanned.hash else { return Err(unreadable(line)) };
        let (hash, moved, normal) = match &scanned.what {
            What::Action(parts) => self.action(parts, &scanned)?,
            What::Note(fields) => {
                (self.note(fields)?, false, is_canonical(&scanned, self.board.last_bytes()))
            }
        };
        if digits(&hash) != *written.as_bytes() {
            return Err(("chain", Message::plain("verify-chain")));
        }
        if !normal {
            return Err(("not_canonical", Message::plain("verify-not-canonical")));
        }
        Ok(moved)
    }

    /// Plays an action; answers the hash, whether it was a recomputed move, whether it stands in its normal form.
    fn action(&mut self, parts: &Parts<'_>, scanned: &Scanned<'_>) -> Result<(Hash, bool, bool), Fault> {
        if self.over {
            return Err(("after_the_board", Message::plain("verify-after-the-board")));
        }
        let (entry, normal) = self.memo.read(parts).map_err(malformed)?;
        self.follows(entry.at)?;
        // A journal without notes has no line for the dealer's steps; one with them has a line for each.
        if !self.board.dealt() {
            while G::dealer_first(self.board.state(), &entry.action) && self.board.advance() {}
        }
        let moved = self.recompute(&entry)?;
        // What is in canonical form is chained as it stands.
        let played =
            if normal { self.board.play_written(&entry, scanned.parts) } else { self.board.play(&entry) };
        let hash = played.map_err(|illegal| {
            let reason = Message::plain("verify-illegal")
                .with("seat", parts.seat)
                .with("action", parts.text)
                .with("reason", illegal.code());
            ("illegal", reason)
        })?;
        Ok((hash, moved, normal))
    }

    fn note(&mut self, fields: &Fields<'_>) -> Result<Hash, Fault> {
        let note = note::read::<G>(fields).map_err(malformed)?;
        self.follows(note.at)?;
        self.board.note(&note).map_err(|refused| match refused {
            NoteRefused::Over => ("after_the_board", Message::plain("verify-after-the-board")),
            other => ("bad_note", Message::plain("verify-bad-note").with("reason", other.reason())),
        })
    }

    /// The time of a line never falls.
    fn follows(&mut self, at: Option<u64>) -> Result<(), Fault> {
        if let Some(at) = at {
            if at < *self.last_at {
                return Err(("time_runs_back", Message::plain("verify-time-runs-back")));
            }
            *self.last_at = at;
        }
        Ok(())
    }

    /// Time-outs and the moves of AI players are not a matter of opinion: they must be the ones that the rules and
    /// the revealed key give.
    fn recompute(&self, entry: &Entry<G::Action>) -> Result<bool, Fault> {
        let state = self.board.state();
        if entry.by == Some(By::Clock) {
            return match G::timeout(state, entry.seat) {
                Some(action) if action == entry.action => Ok(false),
                expected => Err(("wrong_time_out", expected_move::<G>("verify-wrong-time-out", expected))),
            };
        }
        let (Some(key), None) = (self.ai_key, entry.by) else { return Ok(false) };
        let Some(player) = self.software.get(entry.seat.index()).copied().flatten() else { return Ok(false) };
        let view = G::view(state, Viewer::Seat(entry.seat));
        let rules: &Arc<G::Rules> = &self.dealt.header.rules;
        let chosen = players::choose(player, key, rules, self.dealt.number, entry.seat, &view);
        if chosen.as_ref() == Some(&entry.action) {
            Ok(true)
        } else {
            let message =
                expected_move::<G>("verify-wrong-ai-move", chosen).with("level", player.info().name);
            Err(("wrong_ai_move", message))
        }
    }
}

fn expected_move<G: Game>(id: &'static str, expected: Option<G::Action>) -> Message {
    let text = expected.map_or_else(|| "—".to_owned(), |action| G::write_action(&action).text);
    Message::plain(id).with("expected", text)
}

/// The hexadecimal digits of a hash.
fn digits(hash: &Hash) -> [u8; 64] {
    let mut digits = [0; 64];
    // 32 bytes have 64 digits.
    let _ = hex::encode_to_slice(hash, &mut digits);
    digits
}

fn malformed(detail: String) -> Fault {
    ("malformed", Message::plain("verify-malformed").with("detail", detail))
}

/// Whether a line without its hash is the canonical bytes.
fn is_canonical(scanned: &Scanned<'_>, canonical: &str) -> bool {
    let (before, behind) = scanned.parts;
    canonical.strip_prefix(before) == Some(behind)
}

/// Why a line that begins like an entry is none.
fn unreadable(line: &str) -> Fault {
    match crate::journal::strict::object(line) {
        Err(detail) => ("malformed", Message::plain("verify-malformed").with("detail", detail)),
        Ok(object) => {
            let value = Value::Object(object);
            if canonical::to_string(&value).ok().as_deref() == Some(line) {
                let detail = "an action has the keys at, do, hash, seat, and where needed after and by; a note has at, \
                              by, hash, note, and where needed ms, seat and who";
                ("bad_fields", Message::plain("verify-bad-fields").with("detail", detail))
            } else {
                ("not_canonical", Message::plain("verify-not-canonical"))
            }
        }
    }
}
