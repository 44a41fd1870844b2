//! The persons of an event and their connections.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tokio::sync::{Semaphore, mpsc};

use super::handle::{
    Allowance, Command as HallCommand, DeviceBinding, Join, JoinRefused, Missed, SeatMessage, Welcome,
};
use super::stations::Station;
use super::{Hall, Member, Seated, Status};
use crate::event::answer::{CommandId, Refused, body_hash};
use crate::event::archive::PlayId;
use crate::event::called::person;
use crate::event::ledger::{Evidence, RefereeCall};
use crate::formats::{Occupant, Sitting};
use crate::games::{ActionText, Seat};
use crate::tables::limit::Limit;
use crate::tables::message;
use crate::tables::table::CALL;
use crate::tables::task::{self, Command, Sink};

/// Number of its latest calls that a connection is told on coming in.
const CALLS_TOLD: usize = 8;
/// How many commands for boards that are over are looked up at once for one person.
const LOOKUPS_EACH: usize = 4;
/// How often a person may come in, per second on average, and at once after a quiet time.
const JOINS: (u32, u32) = (20, 100);

/// A person who takes part.
pub(super) struct Participant {
    pub sink: Option<Sink>,
    pub messages: Option<mpsc::UnboundedSender<SeatMessage>>,
    /// The id of the last `ready` that was accepted.
    last_ready: Option<String>,
    /// Where the person's device stands, if it is bound to a place.
    device: Option<DeviceBinding>,
    pub ready: bool,
    /// The sitting at whose table the person sits.
    pub seated: Option<(u32, Seat)>,
    /// Warnings that the person has not been told yet.
    warnings: Vec<String>,
    /// The sink of the latest connection that came in, or is about to.
    newest: u64,
    /// How often the person may come in.
    joins: Limit,
    /// Bounds what is looked up for the person.
    lookups: Arc<Semaphore>,
}

impl Participant {
    pub fn new() -> Participant {
        Participant {
            sink: None,
            messages: None,
            last_ready: None,
            device: None,
            ready: false,
            seated: None,
            warnings: Vec::new(),
            newest: 0,
            joins: Limit::new(JOINS.0, JOINS.1),
            lookups: Arc::new(Semaphore::new(LOOKUPS_EACH)),
        }
    }

    /// Whether the person is there and ready for the next board.
    pub fn is_ready(&self) -> bool {
        self.ready && self.sink.is_some()
    }

    /// Takes the word that the person is ready; the same word again is accepted again. Whether it was accepted.
    pub fn says_ready(&mut self, id: &str) -> bool {
        let again = self.last_ready.as_deref() == Some(id);
        let free = self.seated.is_none();
        if free && !again {
            self.ready = true;
            self.last_ready = Some(id.to_owned());
        }
        free || again
    }

    /// The person does not sit at a table any more.
    pub fn leave_table(&mut self) {
        self.seated = None;
        if let Some(messages) = &self.messages {
            let _ = messages.send(SeatMessage::Unseated);
        }
    }
}

impl Hall {
    /// Whether a device that is bound to a place is where the person plays now or next.
    fn fits(&self, member: Member, device: Option<&DeviceBinding>) -> bool {
        let Some(device) = device else { return true };
        let seated = self.participants.get(&member).and_then(|one| one.seated).map(|(number, _)| number);
        let ordered = || {
            let mut stations = self.stations.iter().filter(|station| station.members.contains(&member));
            stations.find_map(Station::next)
        };
        let at = seated.or_else(ordered).and_then(|number| self.seated.get(&number)).map(|at| &at.sitting);
        let Some((table, seat)) = (match at {
            Some(sitting) => Some((sitting.table, self.seat_of(member, sitting))),
            None => self.expected(member),
        }) else {
            return true;
        };
        let name = seat.map(|seat| self.tables.seat_name(seat));
        table == device.table && device.seat.as_deref().is_none_or(|bound| name == Some(bound))
    }

    /// The table and the seat of a person in the next round that has not started, as far as it is planned.
    fn expected(&self, member: Member) -> Option<(u32, Option<Seat>)> {
        let ahead = self.schedule.iter().filter(|one| !self.rounds.contains(&(one.stage, one.round)));
        ahead.flat_map(|round| &round.plan.tables).find_map(|table| {
            let who = table.sittings.first()?;
            let position = who.iter().position(|who| *who == Occupant::Entrant(member.0))?;
            let seat = self.settings.positions.get(position)?.get(usize::from(member.1));
            Some((table.table, seat.and_then(|seat| self.tables.seat_named(seat))))
        })
    }

    /// Where a person sits at a board.
    fn seat_of(&self, member: Member, sitting: &Sitting) -> Option<Seat> {
        let position = self.settings.positions.iter().find(|seats| {
            seats.first().is_some_and(|seat| self.entrant_at(sitting, seat) == Some(member.0))
        })?;
        self.tables.seat_named(position.get(usize::from(member.1))?)
    }

    /// Sends away whoever sits at a device of another place than the one of the next board.
    pub(super) fn send_away(&mut self) {
        let away: Vec<Member> = self
            .participants
            .iter()
            .filter(|(member, one)| one.sink.is_some() && !self.fits(**member, one.device.as_ref()))
            .map(|(member, _)| *member)
            .collect();
        for member in away {
            let Some(one) = self.participants.get_mut(&member) else { continue };
            if let Some(messages) = one.messages.take() {
                let _ = messages.send(SeatMessage::Elsewhere);
            }
            one.sink = None;
            one.ready = false;
        }
    }

    /// Tells a connection about its table and the table about the connection.
    pub(super) fn seat(&self, member: Member, from: Option<(i64, u32)>) {
        let Some(one) = self.participants.get(&member) else { return };
        let (Some(sink), Some(messages), Some((number, seat))) = (&one.sink, &one.messages, one.seated)
        else {
            return;
        };
        let Some(at) = self.seated.get(&number) else { return };
        let Some(handle) = &at.handle else { return };
        sink.send(self.seated_message(at, seat));
        let _ = messages.send(SeatMessage::Seated(handle.clone(), seat));
        let from = from.filter(|(play, _)| *play == at.play.0).map(|(_, n)| n);
        handle.send(Command::Attach { seat, sink: sink.clone(), from });
    }

    fn seated_message(&self, at: &Seated, seat: Seat) -> String {
        let sitting = &at.sitting;
        let mut seats = Map::new();
        for position in &self.settings.positions {
            for (member, name) in (0_u8..).zip(position) {
                let number = self.entrant_at(sitting, name);
                let entrant = number.and_then(|number| self.entrant(number));
                let is_person = entrant.is_some_and(|entrant| entrant.level.is_none());
                let there = number
                    .and_then(|number| self.participants.get(&(number, member)))
                    .is_some_and(|one| one.sink.is_some());
                let called =
                    entrant.map(|entrant| person(&entrant.name, position.len(), usize::from(member)));
                let called = called.or(self.settings.opponents.as_deref()).unwrap_or_default();
                let kind = if is_person { "person" } else { "ai" };
                seats.insert(
                    name.clone(),
                    json!({"name": called, "kind": kind, "connected": !is_person || there}),
                );
            }
        }
        let (ruleset, rules) = self.tables.rules();
        let value = json!({
            "type": "seated", "play": at.play.0, "board": sitting.deal.board.to_string(),
            "round": self.ordinal(sitting.stage, sitting.round), "table": sitting.table,
            "seat": self.tables.seat_name(seat), "seats": seats, "rules": rules, "ruleset": ruleset,
        });
        match value {
            Value::Object(object) => message::text(&object),
            _ => String::new(),
        }
    }

    /// Answers a command for a board that the player has left, from the ledger.
    pub(super) fn former(&self, member: Member, play: i64, id: CommandId, text: ActionText, sink: Sink) {
        let seat = self.of_play(play).and_then(|at| self.seat_of(member, &at.sitting));
        let Some(seat) = seat else {
            sink.send(message::refused(id.as_str(), &task::nowhere(), sink.lang));
            return;
        };
        // It sits there now; its connection has not been told yet.
        let now = self
            .participants
            .get(&member)
            .and_then(|one| one.seated)
            .and_then(|(number, _)| self.seated.get(&number));
        let there = now.filter(|at| at.play.0 == play).and_then(|at| at.handle.as_ref());
        if let Some(handle) = there.filter(|handle| !handle.gone()) {
            let refused = message::refused(id.as_str(), &Refused::by("busy"), sink.lang);
            let command = match text.text.strip_prefix(CALL) {
                Some(words) => Command::Call { seat, id, words: words.to_owned() },
                None => Command::Act { seat, id, text },
            };
            if !handle.send(command) {
                sink.send(refused);
            }
            return;
        }
        let own = self.participants.get(&member).and_then(|one| one.lookups.clone().try_acquire_owned().ok());
        let Some(own) = own else {
            sink.send(message::refused(id.as_str(), &Refused::by("busy"), sink.lang));
            return;
        };
        let ledger = Arc::clone(&self.deps.ledger);
        let everybody = Arc::clone(&self.deps.lookups);
        let body = body_hash(&text.text, text.after);
        tokio::spawn(async move {
            // The semaphore is never closed.
            let Ok(_place) = everybody.acquire_owned().await else { return };
            let asked = id.clone();
            let found = tokio::task::spawn_blocking(move || ledger.answer(PlayId(play), seat, &asked)).await;
            let message = match found {
                Ok(Ok(Some(known))) if known.body == body => {
                    message::answer(play, id.as_str(), &known.answer, sink.lang)
                }
                Ok(Ok(Some(_))) => message::refused(id.as_str(), &Refused::by("conflict"), sink.lang),
                Ok(Ok(None)) => message::refused(id.as_str(), &task::nowhere(), sink.lang),
                // It may have been answered: nobody can say now.
                _ => message::refused(id.as_str(), &Refused::by("try_again"), sink.lang),
            };
            sink.send(message);
            drop(own);
        });
    }

    fn of_play(&self, play: i64) -> Option<&Seated> {
        self.seated.get(&PlayId(play).sitting()).filter(|at| at.play.0 == play)
    }

    /// Looks up what a connection has missed that broke before the end of its board, then lets it come in. It is done
    /// elsewhere: a hall reads no journal while others wait. The join comes back where there is nothing to look up.
    fn look_up_end(&self, join: Join) -> Result<(), Join> {
        let Some((play, n)) = join.from else { return Err(join) };
        let over = self.of_play(play).filter(|at| at.status == Status::Over && at.handle.is_none());
        let found = over.and_then(|at| Some((at.sitting.clone(), self.seat_of(join.member, &at.sitting)?)));
        let Some((sitting, seat)) = found else { return Err(join) };
        let Some(one) = self.participants.get(&join.member) else { return Err(join) };
        let (own, everybody) = (Arc::clone(&one.lookups), Arc::clone(&self.deps.lookups));
        let (tables, commands) = (Arc::clone(&self.tables), self.commands.clone());
        tokio::spawn(async move {
            // A seat has one connection that counts: earlier ones that still wait give up their turn below.
            let Ok(_own) = own.acquire_owned().await else { return };
            let Ok(_place) = everybody.acquire_owned().await else { return };
            let missed = if join.messages.is_closed() {
                None
            } else {
                let number = sitting.sitting;
                match tokio::task::spawn_blocking(move || tables.missed(&sitting, seat, n)).await {
                    Ok(Ok(texts)) => Some(Missed { sitting: number, seat, texts }),
                    Ok(Err(error)) => {
                        tracing::warn!(%error, play, "the end of a board could not be told");
                        None
                    }
                    Err(error) => {
                        tracing::warn!(%error, play, "the end of a board could not be told");
                        None
                    }
                }
            };
            if let Some(commands) = commands.upgrade() {
                let _ = commands.send(HallCommand::Missed(join, missed)).await;
            }
        });
        Ok(())
    }

    pub(super) fn join(&mut self, join: Join) {
        let Some(one) = self.participants.get_mut(&join.member) else {
            let _ = join.answer.send(Err(JoinRefused::Unknown));
            return;
        };
        if !one.joins.admits() {
            let _ = join.answer.send(Err(JoinRefused::TooOften));
            return;
        }
        one.newest = one.newest.max(join.sink.id());
        self.admit_connection(join);
    }

    /// Lets a connection come in, once the table of its person is open if it is being opened.
    fn admit_connection(&mut self, join: Join) {
        let opening = |number: u32| self.seated.get(&number).is_some_and(|at| at.status == Status::Opening);
        let mut own = self.stations.iter().filter(|station| station.members.contains(&join.member));
        if own.any(|station| station.open.is_some_and(opening)) {
            self.put_off.push(join);
        } else if let Err(join) = self.look_up_end(join) {
            self.come_in(join, None);
        }
    }

    /// Lets those come in who have waited for a table to open.
    pub(super) fn admit_put_off(&mut self) {
        for join in std::mem::take(&mut self.put_off) {
            self.admit_connection(join);
        }
    }

    /// Takes a connection in, and tells it first what it has missed of a board that is over.
    pub(super) fn come_in(&mut self, join: Join, missed: Option<Missed>) {
        if !self.fits(join.member, join.device.as_ref()) {
            let _ = join.answer.send(Err(JoinRefused::Elsewhere));
            return;
        }
        let later = |one: &Participant| one.newest > join.sink.id();
        if join.messages.is_closed() || self.participants.get(&join.member).is_some_and(later) {
            // It is gone, or another one of the seat has come meanwhile.
            let _ = join.answer.send(Err(JoinRefused::Replaced));
            return;
        }
        let boards = self.boards_of(join.member);
        let Some(entrant) = self.entrant(join.member.0) else {
            let _ = join.answer.send(Err(JoinRefused::Unknown));
            return;
        };
        let (entrant, name) = (entrant.id.clone(), entrant.name.clone());
        let Some(one) = self.participants.get_mut(&join.member) else { return };
        let old = one.messages.replace(join.messages);
        let replaced = old.is_some_and(|old| old.send(SeatMessage::Replaced).is_ok());
        one.sink = Some(join.sink.clone());
        one.device = join.device;
        let seated = one.seated;
        let warnings = std::mem::take(&mut one.warnings);
        let resumed = match (seated, join.from) {
            (Some((number, _)), Some((play, _))) => self.log.play(number).0 == play,
            _ => false,
        };
        let welcome = Welcome {
            event: self.id.clone(),
            title: self.settings.title.clone(),
            game: self.tables.game(),
            entrant,
            name,
            boards,
            resumed,
        };
        join.sink.send(self::welcome(&welcome, join.allowed));
        for warning in warnings {
            join.sink.send(warning);
        }
        self.tell_calls(join.member, join.sink.clone());
        let _ = join.answer.send(Ok(welcome));
        if let Some(Missed { sitting, seat, texts }) = missed
            && !texts.is_empty()
            && let Some(at) = self.seated.get(&sitting)
        {
            join.sink.send(self.seated_message(at, seat));
            for text in texts {
                join.sink.send(text);
            }
        }
        if seated.is_some() {
            self.seat(join.member, join.from);
        } else {
            self.tell_waiting(join.member);
        }
        if replaced {
            self.note_incident(join.member, Evidence::Replaced);
        }
        self.note_incident(join.member, Evidence::Connected);
        self.feed_member(join.member);
        self.progress();
    }

    /// Tells a connection what has become of its latest calls. They are looked up elsewhere: a hall never waits for the
    /// database.
    fn tell_calls(&self, member: Member, sink: Sink) {
        let own: BTreeMap<PlayId, Seat> = self
            .sittings_of(member)
            .filter_map(|at| Some((at.play, self.seat_of(member, &at.sitting)?)))
            .collect();
        let (ledger, event) = (Arc::clone(&self.deps.ledger), self.id.clone());
        let everybody = Arc::clone(&self.deps.lookups);
        tokio::spawn(async move {
            // The semaphore is never closed.
            let Ok(_place) = everybody.acquire_owned().await else { return };
            let known = match tokio::task::spawn_blocking(move || ledger.calls(&event)).await {
                Ok(Ok(known)) => known,
                Ok(Err(error)) => return tracing::warn!(%error, "what became of calls could not be told"),
                Err(error) => return tracing::warn!(%error, "what became of calls could not be told"),
            };
            let own: Vec<&RefereeCall> =
                known.iter().filter(|call| own.get(&call.play) == Some(&call.seat)).collect();
            for call in own.iter().skip(own.len().saturating_sub(CALLS_TOLD)) {
                sink.send(message::called(call.play.0, call.line, call.state()));
            }
        });
    }

    /// Tells the player of a seat at a board what has become of a call.
    pub(super) fn call_went_on(&self, play: PlayId, seat: Seat, text: &str) {
        let Some(at) = self.of_play(play.0) else { return };
        for (member, one) in &self.participants {
            if let Some(sink) = one.sink.as_ref().filter(|_| self.seat_of(*member, &at.sitting) == Some(seat))
            {
                sink.send(text.to_owned());
            }
        }
    }

    pub(super) fn warn(&mut self, entrant: u32, text: &str) -> bool {
        let mut seen = false;
        for (_, one) in self.participants.iter_mut().filter(|(member, _)| member.0 == entrant) {
            match &one.sink {
                Some(sink) => {
                    sink.send(text.to_owned());
                    seen = true;
                }
                None => one.warnings.push(text.to_owned()),
            }
        }
        seen
    }

    pub(super) fn leave(&mut self, member: Member, sink: u64) {
        let Some(one) = self.participants.get_mut(&member) else { return };
        if one.sink.as_ref().is_none_or(|known| known.id() != sink) {
            return;
        }
        one.sink = None;
        one.messages = None;
        one.ready = false;
        if let Some((number, seat)) = one.seated
            && let Some(handle) = self.seated.get(&number).and_then(|at| at.handle.as_ref())
        {
            handle.send(Command::Detach { seat, sink });
        }
        self.note_incident(member, Evidence::Disconnected);
        self.progress();
    }

    /// The sittings of a person, in order.
    fn sittings_of(&self, member: Member) -> impl Iterator<Item = &Seated> {
        let stations = self.stations.iter().filter(move |station| station.members.contains(&member));
        let numbers: std::collections::BTreeSet<u32> =
            stations.flat_map(|station| station.sittings.iter().copied()).collect();
        numbers.into_iter().filter_map(|number| self.seated.get(&number))
    }

    /// The boards that a person has finished, in the order of play, with what each came to at the person's own seat: `null`
    /// where it was ended unfinished.
    fn boards_of(&self, member: Member) -> Vec<Value> {
        let over = self.sittings_of(member).filter(|at| at.status == Status::Over);
        over.filter_map(|at| {
            let seat = self.tables.seat_name(self.seat_of(member, &at.sitting)?);
            Some(json!({
                "play": at.play.0, "board": at.sitting.deal.board.to_string(),
                "round": self.ordinal(at.sitting.stage, at.sitting.round),
                "seat": seat, "score": at.scores.get(seat),
            }))
        })
        .collect()
    }

    /// Says to everybody without a table what they wait for.
    pub(super) fn tell_all_waiting(&self) {
        for (member, _) in self.participants.iter().filter(|(_, one)| one.seated.is_none()) {
            self.tell_waiting(*member);
        }
    }

    /// Says what a person without a table waits for, and for which board.
    pub(super) fn tell_waiting(&self, member: Member) {
        let Some(sink) = self.participants.get(&member).and_then(|one| one.sink.as_ref()) else { return };
        let mut own = self.stations.iter().filter(|station| station.members.contains(&member));
        let due = own.find(|station| station.next().is_some());
        let at = due.and_then(Station::next).and_then(|number| self.seated.get(&number));
        let what = match due {
            Some(_) if self.paused => "referee",
            Some(_) => "ready",
            None if self.ended || !self.more_to_come(member) => "end",
            None if self.rounds.is_empty() => "start",
            None => "round",
        };
        let mut object = Map::new();
        object.insert("type".to_owned(), "waiting".into());
        object.insert("for".to_owned(), what.into());
        if let Some(at) = at {
            if !self.own_pace() {
                let round = self.ordinal(at.sitting.stage, at.sitting.round);
                object.insert("round".to_owned(), round.into());
            }
            object.insert("board".to_owned(), at.sitting.deal.board.to_string().into());
        }
        sink.send(message::text(&object));
    }

    /// Whether a person may have a board to play in a round to come: one is planned, or a stage is not planned yet.
    fn more_to_come(&self, member: Member) -> bool {
        let planned = self.schedule.last().map_or(0, |round| round.stage);
        self.expected(member).is_some()
            || usize::try_from(planned).is_ok_and(|planned| planned < self.settings.stages.len())
    }
}

/// The first message to a connection that has its seat.
pub(super) fn welcome(welcome: &Welcome, allowed: Allowance) -> String {
    let mut object = Map::new();
    object.insert("type".to_owned(), "welcome".into());
    object.insert("v".to_owned(), 1.into());
    object.insert("server".to_owned(), concat!("fushi/", env!("CARGO_PKG_VERSION")).into());
    object.insert(
        "event".to_owned(),
        json!({"id": welcome.event, "title": welcome.title, "game": welcome.game}),
    );
    object.insert("entrant".to_owned(), json!({"id": welcome.entrant, "name": welcome.name}));
    object.insert("role".to_owned(), "player".into());
    object.insert("boards".to_owned(), welcome.boards.clone().into());
    object.insert("resumed".to_owned(), welcome.resumed.into());
    object.insert("limits".to_owned(), json!(allowed));
    message::text(&object)
}
