//! The persons of an event and their connections.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::handle::{Allowance, Ask, DeviceBinding, Join, JoinRefused, Missed, Told, Welcome};
use super::opening::replayed;
use super::{Hall, Lane, Member, Person, Place, Status};
use crate::event::EventError;
use crate::event::archive::{EntryRow, PlayId};
use crate::games::{ActionText, Ruleset as _, Seat, Viewer};
use crate::journal::Header;
use crate::players::Levels;
use crate::tables::answer::{CommandId, Refused, body_hash};
use crate::tables::ledger::{Evidence, RefereeCall};
use crate::tables::message;
use crate::tables::table::CALL;
use crate::tables::task::{self, Command, Sink};

/// Of how many of its calls a connection is told on coming in.
const CALLS_TOLD: usize = 8;

impl<G: Levels> Hall<G> {
    /// Whether a device at this spot is where the person plays now or next.
    fn fits(&self, member: Member, spot: Option<&DeviceBinding>) -> bool {
        let Some(spot) = spot else { return true };
        let seated = self.people.get(&member).and_then(|person| person.seated).map(|(place, _)| place);
        let next = || {
            let mut lanes = self.lanes.iter().filter(|lane| lane.members.contains(&member));
            lanes.find_map(|lane| lane.places.get(lane.next).copied())
        };
        let Some(at) = seated.or_else(next).and_then(|place| self.places.get(place)) else { return true };
        let seat = self.seat_of(member, at).and_then(G::seat_name);
        at.table == spot.table && spot.seat.as_deref().is_none_or(|bound| seat == Some(bound))
    }

    /// Where a person sits at a board.
    fn seat_of(&self, member: Member, at: &Place) -> Option<Seat> {
        let positions = self.setup.event.positions();
        let (_, seats) = positions
            .iter()
            .zip(&at.who)
            .find_map(|((_, seats), who)| (who.entrant() == Some(member.0)).then_some((who, seats)))?;
        seats.get(usize::from(member.1)).copied()
    }

    /// Sends away whoever sits at a device of another place than the one of the next board.
    pub(super) fn send_away(&mut self) {
        let away: Vec<Member> = self
            .people
            .iter()
            .filter(|(member, person)| person.sink.is_some() && !self.fits(**member, person.spot.as_ref()))
            .map(|(member, _)| *member)
            .collect();
        for member in away {
            let Some(person) = self.people.get_mut(&member) else { continue };
            if let Some(told) = person.told.take() {
                let _ = told.send(Told::Elsewhere);
            }
            person.sink = None;
            person.ready = false;
        }
    }

    /// Tells a connection about its table and the table about the connection.
    pub(super) fn seat(&self, member: Member, from: Option<(i64, u32)>) {
        let Some(person) = self.people.get(&member) else { return };
        let (Some(sink), Some(told), Some((place, seat))) = (&person.sink, &person.told, person.seated)
        else {
            return;
        };
        let Some(at) = self.places.get(place) else { return };
        let Some(handle) = &at.handle else { return };
        sink.send(self.seated_message(at, seat));
        let _ = told.send(Told::Seated(handle.clone(), seat));
        let from = from.filter(|(play, _)| *play == at.play.0).map(|(_, n)| n);
        handle.send(Command::Attach { seat, sink: sink.clone(), from });
    }

    pub(super) fn seated_message(&self, at: &Place, seat: Seat) -> String {
        let event = &self.setup.event;
        let persons = event.persons(&at.who);
        let mut seats = Map::new();
        for ((_, of_position), who) in event.positions().iter().zip(&at.who) {
            let entrant = who.entrant().and_then(|number| event.entrant(number));
            let person = entrant.is_some_and(|entrant| entrant.level.is_none());
            for (member, seat) in (0_u8..).zip(of_position) {
                let there = who
                    .entrant()
                    .and_then(|number| self.people.get(&(number, member)))
                    .is_some_and(|person| person.sink.is_some());
                let seat = G::seat_name(*seat).unwrap_or_default();
                let name = persons.get(seat).copied().flatten().or(event.settings.opponents.as_deref());
                seats.insert(
                    seat.to_owned(),
                    json!({"name": name.unwrap_or_default(), "kind": if person { "person" } else { "ai" }, "connected": !person || there}),
                );
            }
        }
        let rules = serde_json::to_value(event.rules.as_ref()).unwrap_or_default();
        let value = json!({
            "type": "seated", "play": at.play.0, "board": at.board.to_string(), "round": at.round, "table": at.table,
            "seat": G::seat_name(seat).unwrap_or_default(), "seats": seats, "rules": rules,
            "ruleset": event.rules.name(),
        });
        match value {
            Value::Object(object) => message::text(&object),
            _ => String::new(),
        }
    }

    /// Answers a command for a board that the player has left, from the ledger.
    pub(super) fn former(&self, member: Member, play: i64, id: CommandId, text: ActionText, sink: Sink) {
        let seat =
            self.by_play.get(&PlayId(play)).and_then(|place| self.seat_of(member, self.places.get(*place)?));
        let Some(seat) = seat else {
            sink.send(message::refused(id.as_str(), &task::nowhere(), sink.lang));
            return;
        };
        // It sits there now; its connection has not been told yet.
        let now = self
            .people
            .get(&member)
            .and_then(|person| person.seated)
            .and_then(|(place, _)| self.places.get(place));
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
        let own = self.people.get(&member).and_then(|person| person.lookups.clone().try_acquire_owned().ok());
        let Some(own) = own else {
            sink.send(message::refused(id.as_str(), &Refused::by("busy"), sink.lang));
            return;
        };
        let ledger = Arc::clone(&self.setup.deps.ledger);
        let everybody = Arc::clone(&self.setup.deps.lookups);
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

    /// Looks up what a connection has missed that broke before the end of its board, then lets it come in. It is done
    /// elsewhere: a hall reads no journal while others wait. The join comes back where there is nothing to look up.
    fn look_up_end(&self, join: Join) -> Result<(), Join> {
        let Some((play, n)) = join.from else { return Err(join) };
        let over = |place: &usize| self.places.get(*place).is_some_and(|at| at.status == Status::Over);
        let Some(place) = self.by_play.get(&PlayId(play)).copied().filter(over) else { return Err(join) };
        let at = self.places.get(place);
        let Some((board, seat)) = at.and_then(|at| Some((at.board, self.seat_of(join.member, at)?))) else {
            return Err(join);
        };
        let Some(person) = self.people.get(&join.member) else { return Err(join) };
        let (own, everybody) = (Arc::clone(&person.lookups), Arc::clone(&self.setup.deps.lookups));
        let (dealer, archive) = (Arc::clone(&self.setup.dealer), Arc::clone(&self.setup.archive));
        let asks = self.asks.clone();
        tokio::spawn(async move {
            // A seat has one connection that counts: earlier ones that still wait give up their turn below.
            let Ok(_own) = own.acquire_owned().await else { return };
            let Ok(_place) = everybody.acquire_owned().await else { return };
            let missed = if join.told.is_closed() {
                None
            } else {
                let work = move || {
                    let header = dealer.header(board)?;
                    end_of::<G>(&header, PlayId(play), n, seat, &archive.journal(PlayId(play))?)
                };
                match tokio::task::spawn_blocking(work).await {
                    Ok(Ok(texts)) => Some(Missed { place, seat, texts }),
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
            if let Some(asks) = asks.upgrade() {
                let _ = asks.send(Ask::Missed(join, missed)).await;
            }
        });
        Ok(())
    }

    pub(super) fn join(&mut self, join: Join) {
        if !self.people.contains_key(&join.member) {
            let _ = join.answer.send(Err(JoinRefused::Unknown));
            return;
        }
        if self.people.get_mut(&join.member).is_some_and(|person| !person.may_join()) {
            let _ = join.answer.send(Err(JoinRefused::TooOften));
            return;
        }
        if let Some(person) = self.people.get_mut(&join.member) {
            person.newest = person.newest.max(join.sink.id());
        }
        if let Err(join) = self.look_up_end(join) {
            self.come_in(join, None);
        }
    }

    /// Takes a connection in, and tells it first what it has missed of a board that is over.
    pub(super) fn come_in(&mut self, join: Join, missed: Option<Missed>) {
        if !self.fits(join.member, join.spot.as_ref()) {
            let _ = join.answer.send(Err(JoinRefused::Elsewhere));
            return;
        }
        let later = |person: &Person| person.newest > join.sink.id();
        if join.told.is_closed() || self.people.get(&join.member).is_some_and(later) {
            // It is gone, or another one of the seat has come meanwhile.
            let _ = join.answer.send(Err(JoinRefused::Replaced));
            return;
        }
        let Some(person) = self.people.get_mut(&join.member) else { return };
        let replaced = person.told.replace(join.told).is_some_and(|told| told.send(Told::Replaced).is_ok());
        person.sink = Some(join.sink.clone());
        person.spot = join.spot;
        let seated = person.seated;
        let warnings = std::mem::take(&mut person.warnings);
        let event = &self.setup.event;
        let Some(entrant) = event.entrant(join.member.0) else {
            let _ = join.answer.send(Err(JoinRefused::Unknown));
            return;
        };
        let resumed = match (seated, join.from) {
            (Some((place, _)), Some((play, _))) => self.places.get(place).is_some_and(|at| at.play.0 == play),
            _ => false,
        };
        let welcome = Welcome {
            event: event.id.clone(),
            title: event.settings.title.clone(),
            game: G::KIND.name(),
            entrant: entrant.id.clone(),
            name: entrant.name.clone(),
            boards: self.boards_of(join.member),
            resumed,
        };
        join.sink.send(self::welcome(&welcome, join.allowed));
        for warning in warnings {
            join.sink.send(warning);
        }
        self.tell_calls(join.member, join.sink.clone());
        let _ = join.answer.send(Ok(welcome));
        if let Some(Missed { place, seat, texts }) = missed
            && !texts.is_empty()
            && let Some(at) = self.places.get(place)
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
        self.pump_member(join.member);
        self.progress();
    }

    /// Tells a connection what has become of its latest calls. They are looked up elsewhere: a hall never waits for the
    /// database.
    fn tell_calls(&self, member: Member, sink: Sink) {
        let own: BTreeMap<PlayId, Seat> = self
            .lanes
            .iter()
            .filter(|lane| lane.members.contains(&member))
            .flat_map(|lane| &lane.places)
            .filter_map(|place| self.places.get(*place))
            .filter_map(|at| Some((at.play, self.seat_of(member, at)?)))
            .collect();
        let (ledger, event) = (Arc::clone(&self.setup.deps.ledger), self.setup.event.id.clone());
        let everybody = Arc::clone(&self.setup.deps.lookups);
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
        let Some(at) = self.by_play.get(&play).and_then(|place| self.places.get(*place)) else { return };
        for (member, person) in &self.people {
            if let Some(sink) = person.sink.as_ref().filter(|_| self.seat_of(*member, at) == Some(seat)) {
                sink.send(text.to_owned());
            }
        }
    }

    pub(super) fn warn(&mut self, entrant: u32, text: &str) -> bool {
        let mut seen = false;
        for (_, person) in self.people.iter_mut().filter(|(member, _)| member.0 == entrant) {
            match &person.sink {
                Some(sink) => {
                    sink.send(text.to_owned());
                    seen = true;
                }
                None => person.warnings.push(text.to_owned()),
            }
        }
        seen
    }

    pub(super) fn leave(&mut self, member: Member, sink: u64) {
        let Some(person) = self.people.get_mut(&member) else { return };
        if person.sink.as_ref().is_none_or(|known| known.id() != sink) {
            return;
        }
        person.sink = None;
        person.told = None;
        person.ready = false;
        if let Some((place, seat)) = person.seated
            && let Some(handle) = self.places.get(place).and_then(|at| at.handle.as_ref())
        {
            handle.send(Command::Detach { seat, sink });
        }
        self.note_incident(member, Evidence::Disconnected);
        self.progress();
    }

    /// The boards that a person has finished, in the order of play, with what each came to at its own seat: `null` where
    /// it was ended unfinished.
    fn boards_of(&self, member: Member) -> Vec<Value> {
        let positions = self.setup.event.positions();
        let lanes = self.lanes.iter().filter(|lane| lane.members.contains(&member));
        let places = lanes.flat_map(|lane| &lane.places).filter_map(|place| self.places.get(*place));
        let over = places.filter(|at| at.status == Status::Over);
        over.filter_map(|at| {
            let seat = self.seat_of(member, at)?;
            let scored = positions.iter().zip(&at.scores).find(|((_, seats), _)| seats.contains(&seat));
            let score = scored.and_then(|(_, (score, _))| *score);
            Some(json!({
                "play": at.play.0, "board": at.board.to_string(), "round": at.round,
                "seat": G::seat_name(seat).unwrap_or_default(), "score": score,
            }))
        })
        .collect()
    }

    /// Says what a person without a table waits for, and for which board.
    pub(super) fn tell_waiting(&self, member: Member) {
        let Some(sink) = self.people.get(&member).and_then(|person| person.sink.as_ref()) else { return };
        let lanes: Vec<&Lane> = self.lanes.iter().filter(|lane| lane.members.contains(&member)).collect();
        let active = lanes.iter().find(|lane| lane.active && lane.next < lane.places.len());
        let (what, round) = match active {
            Some(lane) if self.paused => ("referee", Some(lane.round)),
            Some(lane) => ("ready", Some(lane.round)),
            None if lanes.iter().all(|lane| lane.next >= lane.places.len()) => ("end", None),
            None if self.rounds.is_empty() => ("start", None),
            None => ("round", None),
        };
        let mut object = Map::new();
        object.insert("type".to_owned(), "waiting".into());
        object.insert("for".to_owned(), what.into());
        if let Some(round) = round.filter(|round| *round > 0) {
            object.insert("round".to_owned(), round.into());
        }
        let next = active.and_then(|lane| self.places.get(*lane.places.get(lane.next)?));
        if let Some(at) = next {
            object.insert("board".to_owned(), at.board.to_string().into());
        }
        sink.send(message::text(&object));
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

/// What somebody who has seen `n` lines has missed of a board that is over, `finished` last; nothing for who has seen
/// more lines than there are.
fn end_of<G: Levels>(
    header: &Header<G>,
    play: PlayId,
    n: u32,
    seat: Seat,
    rows: &[EntryRow],
) -> Result<Vec<String>, EventError> {
    let (board, lines) = replayed(header, play, rows)?;
    let count = u32::try_from(lines.len()).unwrap_or(u32::MAX);
    if n > count {
        return Ok(Vec::new());
    }
    let mut texts = message::missed::<G>(play.0, n, header, &lines, Viewer::Seat(seat));
    texts.push(message::finished::<G>(play.0, count, header, &board));
    Ok(texts)
}
