//! The state machine of one board at one table.

use std::collections::{BTreeMap, VecDeque};

use super::clock::{Clock, Step};
use crate::canonical::Hash;
use crate::event::answer::{Answer, Answered, CommandId, Refused, body_hash};
use crate::event::archive::{EntryRow, PlayId};
use crate::event::ledger::{Counted, Given, LedgerError, Write};
use crate::games::{ActionText, Game, Refusal as _, Seat, Seats, Waiting};
use crate::journal::control::{ControlEntry, ControlKind, Line};
use crate::journal::{Board, By, Entry, Header, Hold, finished};

/// The longest text of an action.
const TEXT_MAX: usize = 1000;
/// How many inputs wait while one becomes durable.
const QUEUE_MAX: usize = 256;
/// How many commands of one seat wait while something becomes durable: nobody's fill the queue of the others.
const SEAT_QUEUE_MAX: usize = 16;
/// How many refused commands of a seat at a board are kept word for word, with their answers. Further ones are answered
/// and counted, and write nothing.
pub const REFUSALS_KEPT: usize = 64;
/// How often a seat may call the referee at a board. Each call is a line of the journal.
pub const CALLS_MAX: usize = 3;
/// How long after a failed write the table tries again, µs.
const RETRY_US: u64 = 500_000;
/// The code of a refusal because the clock stands. It is no fault of the player: it is not kept or counted, and the same
/// command is judged anew when it comes again.
const STOPPED: &str = "stopped";

/// Who decides for a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatController {
    /// A person, or a program that is connected like one.
    Person,
    /// An AI player of this server.
    Software,
    /// Nobody sits there.
    Empty,
}

/// What the event decided about its tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSettings {
    /// More time, once a board, for a seat whose connection breaks while it must decide; 0 for none.
    pub grace_ms: u32,
    /// The wall clock when the board opened, µs since 1970: what the receipt's row says. Nothing else uses it.
    pub opened_us: i64,
}

/// What happens to a table.
#[derive(Clone, Debug)]
pub enum Input<A> {
    /// A player acts.
    Act {
        /// The seat, as the connection proved it.
        seat: Seat,
        /// The client's id.
        id: CommandId,
        /// The action as written.
        text: ActionText,
    },
    /// A player calls the referee.
    Call {
        /// The seat.
        seat: Seat,
        /// The client's id.
        id: CommandId,
        /// Why, in the player's words; kept with the command, not in the journal.
        words: String,
    },
    /// The AI players have thought.
    Decided {
        /// The number of [`Order::Ask`].
        asked: u32,
        /// What they do; `None` lets the occasion pass.
        action: Option<(Seat, A)>,
    },
    /// A referee, the clock of the round or the server writes a note; `at` is filled in here.
    Control {
        /// For the answer.
        token: u64,
        /// The note.
        note: ControlEntry,
    },
    /// A seat's connection is there.
    Online(Seat),
    /// A seat's connection is gone.
    Offline(Seat),
    /// The last [`Order::Write`] is durable or has failed.
    Stored(Result<(), LedgerError>),
    /// Time has gone by.
    Tick,
}

/// Whom an answer is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A player's command.
    Command(Seat, CommandId),
    /// The token of [`Input::Control`].
    Token(u64),
}

/// A call to the referee is kept like a command whose text begins so.
pub const CALL: &str = "referee! ";

/// What the driver of a table must do.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a write is the usual case")]
pub enum Order {
    /// Make this durable and answer with [`Input::Stored`]. There is one at a time.
    Write(Write),
    /// The board's first line is durable: the cards may be shown.
    Opened,
    /// Answer.
    Answer(Reply, Answer),
    /// Line number n (from 1) is durable: show it.
    Show(u32),
    /// Ask the AI players of these seats in this order until one acts; with several seats, each may let it pass.
    Ask {
        /// For [`Input::Decided`].
        asked: u32,
        /// The seats.
        seats: Vec<Seat>,
    },
    /// The clock stands because the database fails (`true`), or goes on.
    Stalled(bool),
    /// The board is over.
    Finished,
    /// The journal belongs to somebody else or is damaged: this table can never go on.
    Lost(String),
}

/// A durable line of the journal.
#[derive(Clone, Debug)]
pub struct Shown<G: Game> {
    /// The line.
    pub line: Line<G::Action>,
    /// µs since the board opened.
    pub at: u64,
}

struct Flight<G: Game> {
    board: Board<G>,
    line: Option<Shown<G>>,
    answer: Option<(Reply, Answer)>,
    kept: Option<Given>,
    counted: Vec<Counted>,
    /// The receipt is part of it.
    receipt: bool,
}

impl<G: Game> Flight<G> {
    /// Nothing but the board as it is to be.
    const fn of(board: Board<G>) -> Flight<G> {
        Flight { board, line: None, answer: None, kept: None, counted: Vec::new(), receipt: false }
    }
}

/// A call of the referee that stands in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// Who called.
    pub seat: Seat,
    /// The line of the journal, from 1.
    pub n: u32,
    /// Why, in the player's words.
    pub words: String,
}

/// The refused commands of a seat at this board.
#[derive(Clone, Copy, Debug, Default)]
struct Refusals {
    /// How many are kept.
    kept: usize,
    /// How many more there were since the table was opened here.
    more: u64,
    /// Those of them that no write has reported yet: how many, the first and the last instant.
    unreported: Option<(u64, i64, i64)>,
}

/// A board in play at a table. See [the room](super).
#[allow(clippy::struct_excessive_bools, reason = "independent facts, not states of one machine")]
pub struct Table<G: Game> {
    header: Header<G>,
    play: PlayId,
    settings: TableSettings,
    kinds: Vec<SeatController>,
    online: Seats,
    graced: Seats,
    board: Board<G>,
    lines: Vec<Shown<G>>,
    clock: Clock,
    answers: BTreeMap<(Seat, CommandId), Answered>,
    /// The calls of the referee in the order of the journal; at most [`CALLS_MAX`] of a seat.
    called: Vec<Called>,
    refusals: BTreeMap<Seat, Refusals>,
    flight: Option<Flight<G>>,
    queue: VecDeque<Input<G::Action>>,
    /// The number of lines at which the AI players think or have let the occasion pass.
    asked: Option<u32>,
    thinking: bool,
    opened: bool,
    /// When the last write failed.
    stalled: Option<u64>,
    lost: bool,
    done: bool,
    last_at: u64,
}

/// Everybody who decides may let it pass.
fn optional<G: Game>(state: &G::State, waiting: &Waiting) -> bool {
    !waiting.seats.is_empty() && waiting.seats.iter().all(|seat| G::timeout(state, seat).is_none())
}

/// What a line means for the clocks; `before` is the state that the line met.
pub(super) fn step_of<G: Game>(before: &G::State, line: &Line<G::Action>) -> Step {
    match line {
        Line::Action(entry) => {
            let waiting = G::waiting_for(before);
            match (optional::<G>(before, &waiting), G::occasion_goes_on(before)) {
                (true, true) => Step::Nothing,
                (true, false) => Step::ActedAnew,
                (false, _) => Step::Acted(entry.seat),
            }
        }
        Line::Control(note) => match note.kind {
            ControlKind::Deal => Step::Dealt,
            ControlKind::Stop => Hold::of(note.by).map_or(Step::Nothing, Step::Stop),
            ControlKind::Go => Hold::of(note.by).map_or(Step::Nothing, Step::Go),
            ControlKind::Give { ms } => {
                note.seat.map_or(Step::Nothing, |seat| Step::Give(seat, u64::from(ms) * 1000))
            }
            ControlKind::Restart => Step::Restart,
            ControlKind::Call
            | ControlKind::Look
            | ControlKind::End
            | ControlKind::Slow
            | ControlKind::StandIn => Step::Nothing,
        },
    }
}

impl<G: Game> Table<G> {
    /// A board that opens now. `kinds` has an entry for every seat of the game.
    #[must_use]
    pub fn open(
        header: Header<G>,
        play: PlayId,
        kinds: Vec<SeatController>,
        settings: TableSettings,
    ) -> (Table<G>, Vec<Order>) {
        let board = Board::open(&header);
        let clock = Clock::open(G::seats(&header.start), &G::waiting_for(board.state()));
        let mut table = Table {
            header,
            play,
            settings,
            kinds,
            online: Seats::NONE,
            graced: Seats::NONE,
            board,
            lines: Vec::new(),
            clock,
            answers: BTreeMap::new(),
            called: Vec::new(),
            refusals: BTreeMap::new(),
            flight: None,
            queue: VecDeque::new(),
            asked: None,
            thinking: false,
            opened: false,
            stalled: None,
            lost: false,
            done: false,
            last_at: 0,
        };
        let mut orders = Vec::new();
        table.write_receipt(&mut orders);
        (table, orders)
    }

    /// A board that another run of the server has left open: `lines` are those of its journal with their times,
    /// `answers` those that were given. Whoever must decide begins anew: nobody is charged for the time between.
    ///
    /// # Errors
    /// The code of the first line that does not fit.
    pub fn recover(
        header: Header<G>,
        play: PlayId,
        kinds: Vec<SeatController>,
        settings: TableSettings,
        lines: Vec<Shown<G>>,
        answers: Vec<Given>,
    ) -> Result<(Table<G>, Vec<Order>), String> {
        let (mut table, _) = Table::open(header, play, kinds, settings);
        table.flight = None;
        table.opened = true;
        for shown in lines {
            let step = step_of::<G>(table.board.state(), &shown.line);
            match &shown.line {
                Line::Action(entry) => table.board.play(entry).map(|_| ()).map_err(|illegal| illegal.code()),
                Line::Control(note) => table.board.note(note).map(|_| ()).map_err(|refused| refused.code()),
            }
            .map_err(str::to_owned)?;
            if let Line::Control(ControlEntry {
                kind: ControlKind::Give { .. },
                by: By::Clock,
                seat: Some(seat),
                ..
            }) = &shown.line
            {
                table.graced = table.graced.with(*seat);
            }
            table.last_at = shown.at;
            table.clock.follow(step, shown.at, &G::waiting_for(table.board.state()));
            table.lines.push(shown);
        }
        for given in answers {
            table.keep(given);
        }
        table.called.sort_by_key(|call| call.n);
        let mut orders = Vec::new();
        if table.over() {
            table.done = true;
            orders.push(Order::Finished);
        } else {
            let now = table.last_at;
            let _ = table.note(now, ControlEntry::new(ControlKind::Restart, By::Server), None, &mut orders);
        }
        Ok((table, orders))
    }

    fn write_receipt(&mut self, orders: &mut Vec<Order>) {
        let row =
            EntryRow::new(self.play, 0, self.settings.opened_us, self.header.receipt(), *self.board.chain());
        self.flight = Some(Flight { receipt: true, ..Flight::of(self.board.clone()) });
        orders.push(Order::Write(Write { rows: vec![row], ..Write::default() }));
    }

    /// Remembers an answer that is durable.
    fn keep(&mut self, given: Given) {
        let Given { seat, id, text, answered, .. } = given;
        match (&answered.answer, text.strip_prefix(CALL)) {
            (Answer::Accepted(n), Some(words)) => {
                self.called.push(Called { seat, n: *n, words: words.to_owned() });
            }
            (Answer::Accepted(_), None) => {}
            (Answer::Refused(_), _) => self.refusals.entry(seat).or_default().kept += 1,
        }
        self.answers.insert((seat, id), answered);
    }

    /// Counts a refusal that is not kept.
    fn count_refusal(&mut self, seat: Seat, at: i64) {
        let refusals = self.refusals.entry(seat).or_default();
        refusals.more = refusals.more.saturating_add(1);
        self.count_unreported(seat, 1, at, at);
    }

    /// Adds refusals that the next write has to report.
    fn count_unreported(&mut self, seat: Seat, more: u64, from: i64, to: i64) {
        let refusals = self.refusals.entry(seat).or_default();
        let (count, first, last) = refusals.unreported.unwrap_or((0, from, to));
        refusals.unreported = Some((count.saturating_add(more), first.min(from), last.max(to)));
    }

    /// What has been counted since the last write.
    fn counted(&mut self) -> Vec<Counted> {
        let play = self.play;
        let unreported = |(seat, refusals): (&Seat, &mut Refusals)| {
            let (count, first_us, last_us) = refusals.unreported.take()?;
            Some(Counted { play, seat: *seat, count, first_us, last_us })
        };
        self.refusals.iter_mut().filter_map(unreported).collect()
    }

    /// The board as everybody may see it by now: what is durable.
    pub const fn board(&self) -> &Board<G> {
        &self.board
    }

    /// The board at a table.
    pub const fn play(&self) -> PlayId {
        self.play
    }

    /// The header, cards included.
    pub const fn header(&self) -> &Header<G> {
        &self.header
    }

    /// Every durable line.
    pub fn lines(&self) -> &[Shown<G>] {
        &self.lines
    }

    /// The clock.
    pub const fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Whose connection is there.
    pub const fn online(&self) -> Seats {
        self.online
    }

    /// Whether the board's first line is durable; before, nobody may see a card of it.
    #[must_use]
    pub const fn opened(&self) -> bool {
        self.opened
    }

    /// Who decides for a seat.
    #[must_use]
    pub fn kind(&self, seat: Seat) -> SeatController {
        self.kinds.get(seat.index()).copied().unwrap_or(SeatController::Empty)
    }

    /// Whether the board is finished or ended.
    #[must_use]
    pub fn over(&self) -> bool {
        G::finished(self.board.state()) || self.board.ended()
    }

    /// The answer to a command that has been answered before; `conflict`, where its id was another command's.
    #[must_use]
    pub fn answered(&self, key: &(Seat, CommandId), text: &ActionText) -> Option<Answer> {
        let known = self.answers.get(key)?;
        Some(if known.body == body_hash(&text.text, text.after) {
            known.answer.clone()
        } else {
            Answer::Refused(Refused::by("conflict"))
        })
    }

    /// The calls of the referee in the order of the journal, with the players' words.
    pub fn called(&self) -> &[Called] {
        &self.called
    }

    /// How many commands were refused: those that are kept, and those that were counted since the table was opened here.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.refusals.values().map(|one| one.more.saturating_add(one.kept as u64)).sum()
    }

    /// Whether something is on its way to the ledger.
    #[must_use]
    pub const fn busy(&self) -> bool {
        self.flight.is_some()
    }

    /// Whether the table waits for the database to come back.
    #[must_use]
    pub const fn stalled(&self) -> bool {
        self.stalled.is_some()
    }

    /// When [`Input::Tick`] is due, µs since the board opened.
    #[must_use]
    pub fn wakes_at(&self) -> Option<u64> {
        if self.flight.is_some() || self.lost || self.over() {
            return None;
        }
        match self.stalled {
            Some(since) => Some(since.saturating_add(RETRY_US)),
            // An AI player that is slow is waited for: its decision must not depend on the load of the server.
            None if self.thinking && optional::<G>(self.board.state(), &self.waiting()) => None,
            None => {
                let slow = self.board.slow_at().filter(|_| self.person_decides());
                self.clock.next().into_iter().chain(slow).min()
            }
        }
    }

    /// Whether anybody who must decide is no AI player: nobody counts how long those take.
    fn person_decides(&self) -> bool {
        self.waiting().seats.iter().any(|seat| self.kind(seat) != SeatController::Software)
    }

    fn waiting(&self) -> Waiting {
        G::waiting_for(self.board.state())
    }

    fn count(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }

    /// Takes an input at a time of the table's clock (µs since the board opened; it may stand still but never goes
    /// back). The orders are to be carried out in order.
    pub fn handle(&mut self, now: u64, input: Input<G::Action>) -> Vec<Order> {
        let now = now.max(self.last_at);
        let mut orders = Vec::new();
        match input {
            Input::Stored(result) => self.stored(now, result, &mut orders),
            input if self.flight.is_some() => self.put_off(input, &mut orders),
            input => self.take(now, input, &mut orders),
        }
        while self.flight.is_none() {
            match self.queue.pop_front() {
                Some(input) => self.take(now, input, &mut orders),
                None => break,
            }
        }
        self.go_on(now, &mut orders);
        orders
    }

    fn put_off(&mut self, input: Input<G::Action>, orders: &mut Vec<Order>) {
        match input {
            // A tick comes again; whatever has become due is seen then.
            Input::Tick => {}
            Input::Act { seat, id, .. } | Input::Call { seat, id, .. } if self.full(seat) => {
                orders.push(Order::Answer(Reply::Command(seat, id), Answer::Refused(Refused::by("busy"))));
            }
            Input::Control { token, .. } if self.queue.len() >= QUEUE_MAX => {
                orders.push(Order::Answer(Reply::Token(token), Answer::Refused(Refused::by("busy"))));
            }
            // Presence and decisions are few: a seat has one connection, the players one question.
            input => self.queue.push_back(input),
        }
    }

    /// Whether no command of a seat may wait any more.
    fn full(&self, seat: Seat) -> bool {
        let own = |input: &&Input<G::Action>| match input {
            Input::Act { seat: other, .. } | Input::Call { seat: other, .. } => *other == seat,
            _ => false,
        };
        self.queue.len() >= QUEUE_MAX || self.queue.iter().filter(own).count() >= SEAT_QUEUE_MAX
    }

    fn take(&mut self, now: u64, input: Input<G::Action>, orders: &mut Vec<Order>) {
        match input {
            Input::Act { seat, id, text } => self.act(now, seat, id, &text, orders),
            Input::Call { seat, id, words } => {
                // No action of a game begins so: an id cannot stand for an action and a call.
                let text = ActionText::plain(format!("{CALL}{words}"));
                self.command(now, seat, id, &text, orders, |table, _| {
                    if table.over() {
                        return Err(Refused::by("over"));
                    }
                    if table.called.iter().filter(|call| call.seat == seat).count() >= CALLS_MAX {
                        return Err(Refused::by("called"));
                    }
                    let mut next = table.board.clone();
                    let note = ControlEntry {
                        at: Some(now),
                        seat: Some(seat),
                        ..ControlEntry::new(ControlKind::Call, By::Player)
                    };
                    match next.note(&note) {
                        Ok(_) => Ok((next, Line::Control(note))),
                        Err(refused) => Err(Refused::new(refused.code(), &refused.message())),
                    }
                });
            }
            Input::Decided { asked, action } => self.decided(now, asked, action, orders),
            Input::Control { token, note } => {
                if let Err(refused) = self.note(now, note, Some(token), orders) {
                    orders.push(Order::Answer(Reply::Token(token), Answer::Refused(refused)));
                }
            }
            Input::Online(seat) => self.online = self.online.with(seat),
            Input::Offline(seat) => self.offline(now, seat, orders),
            Input::Tick => {
                if let Some(since) = self.stalled
                    && now >= since.saturating_add(RETRY_US)
                {
                    self.try_again(now, orders);
                }
            }
            Input::Stored(_) => {}
        }
    }

    fn act(&mut self, now: u64, seat: Seat, id: CommandId, text: &ActionText, orders: &mut Vec<Order>) {
        self.command(now, seat, id, text, orders, |table, text| table.judge(now, seat, text));
    }

    /// What an action would lead to at a time of the table's clock, or why it is refused. Changes nothing.
    fn judge(&self, now: u64, seat: Seat, text: &ActionText) -> Result<(Board<G>, Line<G::Action>), Refused> {
        if text.text.len() > TEXT_MAX {
            return Err(Refused::by("malformed"));
        }
        let action = G::read_action(text).map_err(|_| Refused::by("malformed"))?;
        if self.board.ended() {
            return Err(Refused::by("over"));
        }
        if G::dealer_first(self.board.state(), &action) {
            return Err(Refused::by("unsuitable"));
        }
        if !self.clock.runs() {
            return Err(Refused::by(STOPPED));
        }
        let mut next = self.board.clone();
        let entry = Entry { seat, action, at: Some(now), by: None };
        match next.play(&entry) {
            Ok(_) => Ok((next, Line::Action(entry))),
            Err(illegal) => Err(Refused::new(illegal.code(), &illegal.message())),
        }
    }

    /// Why an action would be refused if it came now; `None` if it would be accepted. Nothing is kept or counted.
    #[must_use]
    pub fn refusal(&self, now: u64, seat: Seat, text: &ActionText) -> Option<Refused> {
        self.judge(now.max(self.last_at), seat, text).err()
    }

    /// Answers a command: as before if it came before, else by `decide`. The first [`REFUSALS_KEPT`] refusals of a seat
    /// are kept, too; further ones are told at once and leave nothing but a count.
    fn command(
        &mut self,
        now: u64,
        seat: Seat,
        id: CommandId,
        text: &ActionText,
        orders: &mut Vec<Order>,
        decide: impl FnOnce(&Table<G>, &ActionText) -> Result<(Board<G>, Line<G::Action>), Refused>,
    ) {
        let body = body_hash(&text.text, text.after);
        let key = (seat, id);
        let reply = Reply::Command(seat, key.1.clone());
        if let Some(answer) = self.answered(&key, text) {
            orders.push(Order::Answer(reply, answer));
            return;
        }
        if self.stalled.is_some() || self.lost {
            // Not kept, so that the same command may be tried again.
            orders.push(Order::Answer(reply, Answer::Refused(Refused::by("try_again"))));
            return;
        }
        let (board, line, answer) = match decide(self, text) {
            Ok((next, line)) => {
                (next, Some(Shown { line, at: now }), Answer::Accepted(self.count().saturating_add(1)))
            }
            Err(refused) => (self.board.clone(), None, Answer::Refused(refused)),
        };
        if matches!(&answer, Answer::Refused(why) if why.code == STOPPED) {
            orders.push(Order::Answer(reply, answer));
            return;
        }
        let at_us = i64::try_from(now).unwrap_or(i64::MAX);
        if line.is_none() && self.refusals.get(&seat).is_some_and(|one| one.kept >= REFUSALS_KEPT) {
            self.count_refusal(seat, at_us);
            orders.push(Order::Answer(reply, answer));
            return;
        }
        let answered = Answered { body, answer: answer.clone() };
        let given = Given {
            play: self.play,
            seat,
            id: key.1.clone(),
            at_us,
            text: text.text.chars().take(TEXT_MAX).collect(),
            answered,
        };
        let flight =
            Flight { line, answer: Some((reply, answer)), kept: Some(given.clone()), ..Flight::of(board) };
        self.send(flight, Some(given), orders);
    }

    fn decided(&mut self, now: u64, asked: u32, action: Option<(Seat, G::Action)>, orders: &mut Vec<Order>) {
        if self.asked != Some(asked) || !self.thinking {
            return;
        }
        self.thinking = false;
        if asked != self.count() || !self.clock.runs() || self.stalled.is_some() {
            // The board has gone on, or stands: they are asked again about what they see then.
            self.asked = None;
            return;
        }
        if let Some((seat, action)) = action
            && !G::dealer_first(self.board.state(), &action)
        {
            let mut next = self.board.clone();
            let entry = Entry { seat, action, at: Some(now), by: None };
            if next.play(&entry).is_ok() {
                self.propose(next, Shown { line: Line::Action(entry), at: now }, None, orders);
            }
        }
    }

    fn note(
        &mut self,
        now: u64,
        note: ControlEntry,
        token: Option<u64>,
        orders: &mut Vec<Order>,
    ) -> Result<(), Refused> {
        if self.lost || (self.stalled.is_some() && note.kind != ControlKind::Restart) {
            return Err(Refused::by("try_again"));
        }
        // The event's journal says where the journal of this board ends.
        if self.over() {
            return Err(Refused::by("over"));
        }
        let note = ControlEntry { at: Some(now), ..note };
        let mut next = self.board.clone();
        next.note(&note).map_err(|refused| Refused::new(refused.code(), &refused.message()))?;
        self.propose(next, Shown { line: Line::Control(note), at: now }, token, orders);
        Ok(())
    }

    fn propose(&mut self, next: Board<G>, shown: Shown<G>, token: Option<u64>, orders: &mut Vec<Order>) {
        let n = self.count().saturating_add(1);
        let answer = token.map(|token| (Reply::Token(token), Answer::Accepted(n)));
        let flight = Flight { line: Some(shown), answer, ..Flight::of(next) };
        self.send(flight, None, orders);
    }

    fn send(&mut self, mut flight: Flight<G>, given: Option<Given>, orders: &mut Vec<Order>) {
        let rows = flight
            .line
            .iter()
            .map(|shown| {
                let at = i64::try_from(shown.at).unwrap_or(i64::MAX);
                let hash: Hash = *flight.board.chain();
                let seq = i64::from(self.count()) + 1;
                EntryRow::new(self.play, seq, at, flight.board.last_bytes().to_owned(), hash)
            })
            .collect();
        let counted = self.counted();
        flight.counted.clone_from(&counted);
        let ends = !self.over() && flight.board.over();
        let finished = ends.then(|| finished(self.play.sitting(), &self.header, &flight.board));
        self.flight = Some(flight);
        orders.push(Order::Write(Write { rows, given, counted, finished, ..Write::default() }));
    }

    fn stored(&mut self, now: u64, result: Result<(), LedgerError>, orders: &mut Vec<Order>) {
        let Some(flight) = self.flight.take() else { return };
        match result {
            Ok(()) => self.commit(now, flight, orders),
            Err(LedgerError::Lost(reason)) => {
                self.lost = true;
                if let Some((reply, _)) = flight.answer {
                    orders.push(Order::Answer(reply, Answer::Refused(Refused::by("try_again"))));
                }
                orders.push(Order::Lost(reason));
            }
            Err(LedgerError::Busy | LedgerError::Failed(_)) => {
                if self.stalled.is_none() {
                    orders.push(Order::Stalled(true));
                }
                self.stalled = Some(now);
                for one in flight.counted {
                    self.count_unreported(one.seat, one.count, one.first_us, one.last_us);
                }
                if let Some((reply, _)) = flight.answer {
                    orders.push(Order::Answer(reply, Answer::Refused(Refused::by("try_again"))));
                }
            }
        }
    }

    fn commit(&mut self, now: u64, flight: Flight<G>, orders: &mut Vec<Order>) {
        if flight.receipt && !self.opened {
            self.opened = true;
            orders.push(Order::Opened);
        }
        if self.stalled.take().is_some() {
            orders.push(Order::Stalled(false));
            if flight.receipt {
                // The board opens only now, and so do its first decisions.
                let _ = self.note(now, ControlEntry::new(ControlKind::Restart, By::Server), None, orders);
                return;
            }
        }
        let before = std::mem::replace(&mut self.board, flight.board);
        if let Some(shown) = flight.line {
            let step = step_of::<G>(before.state(), &shown.line);
            self.clock.follow(step, shown.at, &G::waiting_for(self.board.state()));
            self.last_at = shown.at;
            self.lines.push(shown);
            orders.push(Order::Show(self.count()));
        }
        if let Some(given) = flight.kept {
            self.keep(given);
        }
        if let Some((reply, answer)) = flight.answer {
            orders.push(Order::Answer(reply, answer));
        }
        if self.over() && !self.done {
            self.done = true;
            orders.push(Order::Finished);
        }
    }

    /// The database failed: once it takes a note again, everybody's decision begins anew.
    fn try_again(&mut self, now: u64, orders: &mut Vec<Order>) {
        if !self.opened {
            self.write_receipt(orders);
            return;
        }
        if self.over()
            || self.note(now, ControlEntry::new(ControlKind::Restart, By::Server), None, orders).is_err()
        {
            self.stalled = None;
            orders.push(Order::Stalled(false));
        }
    }

    fn offline(&mut self, now: u64, seat: Seat, orders: &mut Vec<Order>) {
        self.online = self.online.without(seat);
        let grace = self.settings.grace_ms;
        let due = self.waiting().seats.contains(seat) && G::timeout(self.board.state(), seat).is_some();
        if grace == 0 || self.graced.contains(seat) || !due || !self.clock.runs() || self.stalled.is_some() {
            return;
        }
        let note = ControlEntry {
            seat: Some(seat),
            ..ControlEntry::new(ControlKind::Give { ms: grace }, By::Clock)
        };
        if self.note(now, note, None, orders).is_ok() {
            self.graced = self.graced.with(seat);
        }
    }

    /// Whatever is due without an input: time-outs, the dealer's steps, questions to AI players.
    fn go_on(&mut self, now: u64, orders: &mut Vec<Order>) {
        if self.flight.is_some() || self.stalled.is_some() || self.lost || self.over() || !self.clock.runs() {
            return;
        }
        let waiting = self.waiting();
        let state = self.board.state();
        let may_pass = optional::<G>(state, &waiting);
        let anew = self.asked != Some(self.count());
        if anew && !self.thinking {
            let mut seats: Vec<Seat> = G::precedence(state)
                .into_iter()
                .filter(|seat| waiting.seats.contains(*seat) && self.kind(*seat) == SeatController::Software)
                .collect();
            if !may_pass {
                // One after the other: what a player sees includes that others have chosen.
                seats.truncate(1);
            }
            if !seats.is_empty() {
                self.asked = Some(self.count());
                self.thinking = true;
                orders.push(Order::Ask { asked: self.count(), seats });
            }
        }
        if may_pass {
            let over = waiting.seats.iter().all(|seat| self.clock.over(seat, now));
            if over && !self.thinking {
                let _ = self.note(now, ControlEntry::new(ControlKind::Deal, By::Dealer), None, orders);
            }
            return;
        }
        // Slow play is noted before the clock acts, though both may have become due while the server was busy.
        if let (Some(due), Some(seat)) = (self.board.slow_at(), waiting.seats.iter().next())
            && due <= now
            && self.kind(seat) != SeatController::Software
        {
            let note = ControlEntry { seat: Some(seat), ..ControlEntry::new(ControlKind::Slow, By::Clock) };
            let _ = self.note(now, note, None, orders);
            return;
        }
        let late = waiting
            .seats
            .iter()
            .find(|seat| self.kind(*seat) != SeatController::Software && self.clock.over(*seat, now));
        if let Some(seat) = late
            && let Some(action) = G::timeout(self.board.state(), seat)
        {
            let mut next = self.board.clone();
            let entry = Entry { seat, action, at: Some(now), by: Some(By::Clock) };
            if next.play(&entry).is_ok() {
                self.propose(next, Shown { line: Line::Action(entry), at: now }, None, orders);
            }
        }
    }
}
