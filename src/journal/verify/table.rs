//! One board at one table: played = dealt, every action through the rules, the chain, and the moves of AI players.

use std::io::BufRead;
use std::sync::Arc;

use serde_json::Value;

use super::source::Source;
use super::wrong::Wrong;
use crate::canonical;
use crate::games::{Game, Refusal as _, Viewer};
use crate::journal::bundle::model::JournalLine;
use crate::journal::scan::{self, is_entry};
use crate::journal::{Board, By, Entry, Header};
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

/// How a board ended at a table.
#[derive(Debug)]
pub(super) struct Ended<G: Game> {
    pub state: G::State,
    pub entries: u32,
    pub chain: String,
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
    while !G::finished(board.state()) {
        let number = board.entries() + 1;
        match source.peek()? {
            None => {
                return Err(here(source.wrong("cut_off", Message::plain("verify-unfinished"))).entry(number));
            }
            Some(text) if !is_entry(text) => {
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
    }
    if let Some(text) = source.peek()?
        && is_entry(text)
    {
        let number = board.entries() + 1;
        return Err(
            here(source.wrong("after_the_board", Message::plain("verify-after-the-board"))).entry(number)
        );
    }
    let (entries, chain) = (board.entries(), hex::encode(board.chain()));
    Ok(Ended { state: board.into_state(), entries, chain, ai_moves })
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
    /// Plays the entry on a line; answers whether it was a recomputed move of an AI player.
    fn run(self, line: &str) -> Result<bool, Fault> {
        let Some(scanned) = scan::scan(line) else { return Err(unreadable(line)) };
        let Some(written) = scanned.hash else { return Err(unreadable(line)) };
        let entry = scan::read::<G>(&scanned)
            .map_err(|detail| ("malformed", Message::plain("verify-malformed").with("detail", detail)))?;
        if let Some(at) = entry.at {
            if at < *self.last_at {
                return Err(("time_runs_back", Message::plain("verify-time-runs-back")));
            }
            *self.last_at = at;
        }
        while G::dealer_first(self.board.state(), &entry.action) && self.board.advance() {}
        let moved = self.recompute(&entry)?;
        let hash = self.board.play(&entry).map_err(|illegal| {
            let reason = Message::plain("verify-illegal")
                .with("seat", scanned.seat)
                .with("action", scanned.text)
                .with("reason", illegal.code());
            ("illegal", reason)
        })?;
        let mut digits = [0; 64];
        // 32 bytes have 64 digits.
        let _ = hex::encode_to_slice(hash, &mut digits);
        if digits != *written.as_bytes() {
            return Err(("chain", Message::plain("verify-chain")));
        }
        if !is_canonical(line, self.board.last_bytes(), written, scanned.seat) {
            return Err(("not_canonical", Message::plain("verify-not-canonical")));
        }
        Ok(moved)
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

/// Whether a line is the canonical bytes with `"hash":"…",` put in before the seat.
fn is_canonical(line: &str, canonical: &str, hash: &str, seat: &str) -> bool {
    let tail = seat.len() + "\"seat\":\"\"}".len();
    let Some(split) = canonical.len().checked_sub(tail) else { return false };
    let middle = "\"hash\":\"".len() + hash.len() + "\",".len();
    line.len() == canonical.len() + middle
        && line.as_bytes().get(..split) == canonical.as_bytes().get(..split)
        && line.as_bytes().get(split + middle..) == canonical.as_bytes().get(split..)
}

/// Why a line that begins like an entry is none.
fn unreadable(line: &str) -> Fault {
    match crate::journal::strict::object(line) {
        Err(detail) => ("malformed", Message::plain("verify-malformed").with("detail", detail)),
        Ok(object) => {
            let value = Value::Object(object);
            if canonical::to_string(&value).ok().as_deref() == Some(line) {
                let detail = "an entry has the keys at, do, hash, seat, and where needed after and by";
                ("bad_fields", Message::plain("verify-bad-fields").with("detail", detail))
            } else {
                ("not_canonical", Message::plain("verify-not-canonical"))
            }
        }
    }
}
