//! One board at one table: played = dealt, every action through the rules, every note where it fits, the chain, and
//! the moves of AI players.

use std::io::BufRead;
use std::sync::Arc;

use serde_json::Value;

use super::source::{Source, Tail};
use super::wrong::Wrong;
use crate::canonical::link;
use crate::canonical::{self, Hash};
use crate::games::{Game, Refusal as _, Seat, Viewer};
use crate::journal::bundle::Section;
use crate::journal::bundle::model::JournalLine;
use crate::journal::control::{self, Fields};
use crate::journal::scan::{self, Memo, Parts, Scanned, What};
use crate::journal::{Board, By, ControlKind, ControlRefused, Entry, Header};
use crate::players::{self, AiKey, PlayerRef};
use crate::words::{Message, message, terms};

/// A board as the revealed keys deal it.
#[derive(Debug)]
pub(super) struct Dealt<G: Game> {
    /// Its number in the event.
    pub number: u32,
    pub header: Header<G>,
    pub receipt: String,
    pub deal_hash: String,
    /// The chain after the receipt.
    pub opening: Hash,
    /// The first line of every journal of the board up to the instant of opening, and from there to the sitting.
    pub first_line: (String, String),
    /// Before this instant nobody could know the cards: no table can have opened the board earlier, µs since 1970.
    pub not_before: i64,
}

impl<G: Game> Dealt<G> {
    pub fn new(number: u32, header: Header<G>, not_before: i64) -> Dealt<G> {
        let (receipt, deal_hash) = (header.receipt(), header.deal_hash());
        let opening = link(&[0; 32], receipt.as_bytes());
        let first_line = (
            format!("{{\"hash\":\"{}\",\"opened\":", hex::encode(opening)),
            format!(",\"receipt\":{receipt},\"section\":\"journal\",\"sitting\":"),
        );
        Dealt { number, header, receipt, deal_hash, opening, first_line, not_before }
    }

    /// The instant of opening, if a line is the first one of a journal of this board as it must be; only that instant
    /// is free.
    pub fn begins(&self, line: &str, sitting: u32) -> Option<i64> {
        let rest = line.strip_prefix(self.first_line.0.as_str())?;
        let (opened, rest) = rest.split_once(',')?;
        let opening: i64 = opened.parse().ok().filter(|number: &i64| number.to_string() == opened)?;
        let rest = rest.strip_prefix(self.first_line.1.get(1..)?)?;
        (rest == format!("{sitting}}}")).then_some(opening)
    }

    /// Checks receipt and hash of the first line of a journal.
    pub fn receipt_of<R: BufRead>(&self, source: &Source<R>, line: &JournalLine) -> Result<(), Box<Wrong>> {
        let receipt = canonical::to_string(&line.receipt).unwrap_or_default();
        if receipt != self.receipt {
            return Err(source.wrong("not_as_dealt", not_as_dealt(line, self)).entry(0));
        }
        if line.hash != hex::encode(self.opening) {
            return Err(source.wrong("chain", Message::plain("verify-chain")).entry(0));
        }
        Ok(())
    }
}

/// How a board ended at a table: finished, or ended by a note.
#[derive(Debug)]
pub(super) struct Ended<G: Game> {
    pub state: G::State,
    pub entries: u32,
    pub notes: u32,
    /// The heads that a checkpoint may name: the line that ended the board, and every note after it.
    pub heads: Vec<(u32, Hash)>,
    pub acted: Acted,
    /// The note that ended the board unfinished, if one did.
    pub cut: Option<Cut>,
}

/// The note that ended a board unfinished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub by: By,
    /// The referee's account.
    pub who: Option<String>,
    /// µs since the board opened.
    pub at: u64,
    /// The entry's number, and its line in the file.
    pub place: (u32, u64),
}

/// Who acted, where it was not the player.
#[derive(Debug, Default)]
pub(super) struct Acted {
    /// Moves of AI players that were computed again.
    pub ai_moves: u64,
    /// Moves of AI players that were not computed again, because it was not asked for.
    pub ai_skipped: u64,
    /// Actions by the clock.
    pub time_outs: u64,
    /// Those of them at the seat of an AI player.
    pub ai_time_outs: u64,
    /// Actions by a referee: entry, line of the file.
    pub referee: Vec<(u32, u64)>,
    /// Notes by a referee.
    pub referee_notes: u64,
}

/// The earliest instants at which the clock could act for the seats. A real clock is never earlier: whatever gives
/// more time (a stop, a gift, a restart) is left out.
#[derive(Debug)]
struct Earliest {
    phase: &'static str,
    due: [Option<u64>; 16],
}

impl Earliest {
    fn of<G: Game>(state: &G::State) -> Earliest {
        let mut earliest = Earliest { phase: "", due: [None; 16] };
        earliest.follow::<G>(state, 0, None);
        earliest
    }

    /// The board has gone on at an instant; `actor` has acted.
    fn follow<G: Game>(&mut self, state: &G::State, at: u64, actor: Option<Seat>) {
        let waiting = G::waiting_for(state);
        let fresh = at.saturating_add(u64::from(waiting.limit_ms).saturating_mul(1000));
        let other = self.phase != waiting.phase;
        for (seat, due) in (0_u8..).map(Seat).zip(&mut self.due) {
            *due = match *due {
                _ if !waiting.seats.contains(seat) => None,
                Some(due) if !other && actor != Some(seat) => Some(due.min(fresh)),
                _ => Some(fresh),
            };
        }
        self.phase = waiting.phase;
    }

    /// When the clock may act for a seat at the earliest. A decision that the dealer's steps brought began after the
    /// last line.
    fn of_seat<G: Game>(&self, state: &G::State, seat: Seat, last_at: u64) -> u64 {
        let limit = u64::from(G::waiting_for(state).limit_ms).saturating_mul(1000);
        self.due.get(seat.index()).copied().flatten().unwrap_or_else(|| last_at.saturating_add(limit))
    }
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
    (name, table): (&str, u32),
    dealt: &Dealt<G>,
    software: &Software<G>,
    ai_key: Option<&AiKey>,
    memo: &mut Memo<G>,
) -> Result<Ended<G>, Box<Wrong>> {
    let wrong = |(code, message): Fault, number: u32, line: u64| {
        let wrong = Wrong::at(code, Some(Section::Journal), line, message);
        Err(wrong.on(name, Some(table)).entry(number))
    };
    let mut board = Board::opened(&dealt.header, dealt.opening);
    let mut last_at = 0;
    let mut acted = Acted::default();
    let mut cut = None;
    let mut earliest = Earliest::of::<G>(board.state());
    let mut heads = Vec::new();
    let mut over = board.over();
    let mut number = lines.first;
    for text in lines.text.split_terminator('\n') {
        number += 1;
        let entry = board.lines() + 1;
        let (last_at, acted, earliest, cut) = (&mut last_at, &mut acted, &mut earliest, &mut cut);
        let step = Step {
            board: &mut board,
            over,
            dealt,
            software,
            ai_key,
            last_at,
            earliest,
            acted,
            cut,
            place: (entry, number),
            memo,
        };
        if let Err(fault) = step.run(text) {
            return wrong(fault, entry, number);
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
    Ok(Ended { state: board.into_state(), entries, notes, heads, acted, cut })
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
    earliest: &'a mut Earliest,
    acted: &'a mut Acted,
    cut: &'a mut Option<Cut>,
    /// The entry's number, and its line in the file.
    place: (u32, u64),
    memo: &'a mut Memo<G>,
}

type Fault = (&'static str, Message);

impl<G: Game> Step<'_, G> {
    /// Takes an action or a note from its line.
    fn run(mut self, line: &str) -> Result<(), Fault> {
        let Some(scanned) = scan::scan(line) else { return Err(unreadable(line)) };
        let Some(written) = scanned.hash else { return Err(unreadable(line)) };
        let (hash, normal) = match &scanned.what {
            What::Action(parts) => self.action(parts, &scanned)?,
            What::Control(fields) => (self.note(fields)?, is_canonical(&scanned, self.board.last_bytes())),
        };
        if digits(&hash) != *written.as_bytes() {
            return Err(("chain", Message::plain("verify-chain")));
        }
        if !normal {
            return Err(("not_canonical", Message::plain("verify-not-canonical")));
        }
        Ok(())
    }

    /// Plays an action; answers the hash, and whether the action stands in its normal form.
    fn action(&mut self, parts: &Parts<'_>, scanned: &Scanned<'_>) -> Result<(Hash, bool), Fault> {
        if self.over {
            return Err(("after_the_board", Message::plain("verify-after-the-board")));
        }
        let (entry, normal) = self.memo.read(parts).map_err(malformed)?;
        let before = *self.last_at;
        self.follows(entry.at)?;
        // A journal without notes has no line for the dealer's steps; one with them has a line for each.
        if !self.board.dealt() {
            while G::dealer_first(self.board.state(), &entry.action) && self.board.advance() {}
        }
        self.recompute(&entry, before)?;
        // What is in canonical form is chained as it stands.
        let played =
            if normal { self.board.play_written(&entry, scanned.parts) } else { self.board.play(&entry) };
        let hash = played.map_err(|illegal| {
            let reason = Message::plain("verify-illegal")
                .with("seat", terms::position(parts.seat))
                .with("action", parts.text)
                .with("reason", illegal.code());
            ("illegal", reason)
        })?;
        self.earliest.follow::<G>(self.board.state(), *self.last_at, Some(entry.seat));
        Ok((hash, normal))
    }

    fn note(&mut self, fields: &Fields<'_>) -> Result<Hash, Fault> {
        let note = control::read::<G>(fields).map_err(malformed)?;
        self.follows(note.at)?;
        let hash = self.board.note(&note).map_err(|refused| match refused {
            ControlRefused::Over => ("after_the_board", Message::plain("verify-after-the-board")),
            other => ("bad_note", Message::plain("verify-bad-note").with("reason", other.reason())),
        })?;
        if note.kind == ControlKind::Deal {
            self.earliest.follow::<G>(self.board.state(), *self.last_at, None);
        }
        if note.kind == ControlKind::End {
            *self.cut = Some(Cut {
                by: note.by,
                who: note.who.clone(),
                at: note.at.unwrap_or(*self.last_at),
                place: self.place,
            });
        }
        self.acted.referee_notes += u64::from(note.by == By::Referee);
        Ok(hash)
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
    /// the revealed key give, and the clock acts for nobody whose time is not over. What a referee does is counted:
    /// it needs a ruling, which comes later in the file. `before` is the time of the line above.
    fn recompute(&mut self, entry: &Entry<G::Action>, before: u64) -> Result<(), Fault> {
        let state = self.board.state();
        let player = self.software.get(entry.seat.index()).copied().flatten();
        match entry.by {
            Some(By::Clock) => {
                let earliest = self.earliest.of_seat::<G>(state, entry.seat, before);
                match G::timeout(state, entry.seat) {
                    Some(action) if action == entry.action => {}
                    expected => {
                        return Err((
                            "wrong_time_out",
                            expected_move::<G>("verify-wrong-time-out", expected),
                        ));
                    }
                }
                if entry.at.is_none_or(|at| at < earliest) {
                    let message = Message::plain("verify-time-out-early").with("earliest", earliest);
                    return Err(("time_out_early", message));
                }
                self.acted.time_outs += 1;
                self.acted.ai_time_outs += u64::from(player.is_some());
                return Ok(());
            }
            Some(_) => {
                self.acted.referee.push(self.place);
                return Ok(());
            }
            None => {}
        }
        let Some(player) = player else { return Ok(()) };
        let Some(key) = self.ai_key else {
            self.acted.ai_skipped += 1;
            return Ok(());
        };
        let view = G::view(state, Viewer::Seat(entry.seat));
        let rules: &Arc<G::Rules> = &self.dealt.header.rules;
        let chosen = players::choose(player, key, rules, self.dealt.number, entry.seat, &view);
        if chosen.as_ref() == Some(&entry.action) {
            self.acted.ai_moves += 1;
            Ok(())
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

fn malformed(detail: Message) -> Fault {
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
        Err(fault) => ("malformed", Message::plain("verify-malformed").with("detail", fault.message())),
        Ok(object) => {
            let value = Value::Object(object);
            if canonical::to_string(&value).ok().as_deref() == Some(line) {
                let detail = message!("record-action-keys");
                ("bad_fields", Message::plain("verify-bad-fields").with("detail", detail))
            } else {
                ("not_canonical", Message::plain("verify-not-canonical"))
            }
        }
    }
}
