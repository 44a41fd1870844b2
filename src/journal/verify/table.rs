//! One board at one table: played = dealt, every action through the rules, every note where it fits, the chain, and
//! the moves of AI players.

use std::io::BufRead;
use std::sync::Arc;

use serde_json::Value;

use super::source::Source;
use super::wrong::Wrong;
use crate::canonical::{self, Hash};
use crate::games::{Game, Refusal as _, Viewer};
use crate::journal::bundle::model::JournalLine;
use crate::journal::note::{self, Fields};
use crate::journal::scan::{self, Parts, Scanned, What, is_entry};
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

/// Checks the journal that `line` begins: reads its entries up to the end of the board.
pub(super) fn check<G: Game, R: BufRead>(
    source: &mut Source<R>,
    line: &JournalLine,
    dealt: &Dealt<G>,
    software: &Software<G>,
    ai_key: Option<&AiKey>,
) -> Result<Ended<G>, Box<Wrong>> {
    let here = |wrong: Box<Wrong>| wrong.on(&dealt.name, Some(line.table));
    let receipt = canonical::to_string(&line.receipt).unwrap_or_default();
    if receipt != dealt.receipt {
        return Err(here(source.wrong("not_as_dealt", not_as_dealt(line, dealt))).entry(0));
    }
    let mut board = Board::open(&dealt.header);
    if line.hash != hex::encode(board.chain()) {
        return Err(here(source.wrong("chain", Message::plain("verify-chain"))).entry(0));
    }
    let mut last_at = 0;
    let mut ai_moves = 0;
    let mut heads = Vec::new();
    loop {
        let over = board.over();
        let number = board.lines() + 1;
        match source.peek()? {
            None if over => break,
            None => {
                return Err(here(source.wrong("cut_off", Message::plain("verify-unfinished"))).entry(number));
            }
            Some(text) if !is_entry(text) => {
                if over {
                    break;
                }
                let wrong = source.wrong("unfinished", Message::plain("verify-unfinished"));
                return Err(here(wrong).entry(number));
            }
            Some(text) => {
                let step = Step { board: &mut board, dealt, software, ai_key, last_at: &mut last_at };
                match step.run(text) {
                    Ok(moved) => ai_moves += u64::from(moved),
                    Err((code, message)) => return Err(here(source.wrong(code, message)).entry(number)),
                }
            }
        }
        source.take();
        if board.over() {
            heads.push((board.lines(), *board.chain()));
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
    dealt: &'a Dealt<G>,
    software: &'a Software<G>,
    ai_key: Option<&'a AiKey>,
    last_at: &'a mut u64,
}

type Fault = (&'static str, Message);

impl<G: Game> Step<'_, G> {
    /// Takes an action or a note from its line; answers whether it was a recomputed move of an AI player.
    fn run(mut self, line: &str) -> Result<bool, Fault> {
        let Some(scanned) = scan::scan(line) else { return Err(unreadable(line)) };
        let Some(written) = scanned.hash else { return Err(unreadable(line)) };
        let (hash, moved) = match &scanned.what {
            What::Action(parts) => self.action(parts)?,
            What::Note(fields) => (self.note(fields)?, false),
        };
        let mut digits = [0; 64];
        // 32 bytes have 64 digits.
        let _ = hex::encode_to_slice(hash, &mut digits);
        if digits != *written.as_bytes() {
            return Err(("chain", Message::plain("verify-chain")));
        }
        if !is_canonical(&scanned, self.board.last_bytes()) {
            return Err(("not_canonical", Message::plain("verify-not-canonical")));
        }
        Ok(moved)
    }

    fn action(&mut self, parts: &Parts<'_>) -> Result<(Hash, bool), Fault> {
        if self.board.over() {
            return Err(("after_the_board", Message::plain("verify-after-the-board")));
        }
        let entry = scan::read::<G>(parts).map_err(malformed)?;
        self.follows(entry.at)?;
        // A journal without notes has no line for the dealer's steps; one with them has a line for each.
        if !self.board.dealt() {
            while G::dealer_first(self.board.state(), &entry.action) && self.board.advance() {}
        }
        let moved = self.recompute(&entry)?;
        let hash = self.board.play(&entry).map_err(|illegal| {
            let reason = Message::plain("verify-illegal")
                .with("seat", parts.seat)
                .with("action", parts.text)
                .with("reason", illegal.code());
            ("illegal", reason)
        })?;
        Ok((hash, moved))
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
