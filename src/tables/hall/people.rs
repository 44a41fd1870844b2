//! The persons of an event and their connections.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::handle::{Evidence, INCIDENTS_MAX, Incident, Join, JoinRefused, Spot, Told, Welcome};
use super::opening::replayed;
use super::{Hall, Lane, Member, Place, Status};
use crate::desk::DeskError;
use crate::desk::archive::PlayId;
use crate::games::{ActionText, Ruleset as _, Seat, Viewer};
use crate::players::Levels;
use crate::tables::answer::{CommandId, Refused, body_hash};
use crate::tables::message;
use crate::tables::table::CALL;
use crate::tables::task::{self, Command, Sink};

impl<G: Levels> Hall<G> {
    /// Whether a device at this spot is where the person plays now or next.
    fn fits(&self, member: Member, spot: Option<&Spot>) -> bool {
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

    pub(super) fn note_incident(&mut self, member: Member, what: Evidence) {
        let Some(entrant) = self.setup.event.entrant(member.0) else { return };
        let seated = self.people.get(&member).and_then(|person| person.seated);
        let play = seated.and_then(|(place, _)| self.places.get(place)).map(|at| at.play.0);
        let entrant = entrant.id.clone();
        if self.incidents.len() == INCIDENTS_MAX {
            self.incidents.pop_front();
        }
        let at_us = (self.setup.wall)();
        self.incidents.push_back(Incident { at_us, entrant, member: member.1, what, play });
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
        let ledger = Arc::clone(&self.setup.deps.ledger);
        let body = body_hash(&text.text, text.after);
        tokio::task::spawn_blocking(move || {
            let Ok(known) = ledger.answers(PlayId(play)) else {
                // It may have been answered: nobody can say now.
                sink.send(message::refused(id.as_str(), &Refused::by("try_again"), sink.lang));
                return;
            };
            let known = known.into_iter().find(|given| given.seat == seat && given.id == id);
            let message = match known {
                Some(given) if given.answered.body == body => {
                    message::answer(play, id.as_str(), &given.answered.answer, sink.lang)
                }
                Some(_) => message::refused(id.as_str(), &Refused::by("conflict"), sink.lang),
                None => message::refused(id.as_str(), &task::nowhere(), sink.lang),
            };
            sink.send(message);
        });
    }

    /// Tells a connection that broke before the end of a board what it has missed of it.
    fn tell_end(&mut self, member: Member, play: PlayId, n: u32, sink: &Sink) -> Result<(), DeskError> {
        let over = |at: &&Place| at.status == Status::Over;
        let at = self.by_play.get(&play).and_then(|place| self.places.get(*place)).filter(over);
        let Some((board, seat)) = at.and_then(|at| Some((at.board, self.seat_of(member, at)?))) else {
            return Ok(());
        };
        let header = self.header(board)?;
        let (board, lines) = replayed(&header, play, &self.setup.archive.journal(play)?)?;
        let count = u32::try_from(lines.len()).unwrap_or(u32::MAX);
        let Some(at) = self.by_play.get(&play).and_then(|place| self.places.get(*place)) else {
            return Ok(());
        };
        if n <= count {
            sink.send(self.seated_message(at, seat));
            for text in message::events_after::<G>(play.0, n, &header, &lines, Viewer::Seat(seat)) {
                sink.send(text);
            }
            sink.send(message::finished::<G>(play.0, count, &header, &board));
        }
        Ok(())
    }

    pub(super) fn join(&mut self, join: Join) {
        if !self.people.contains_key(&join.member) {
            let _ = join.answer.send(Err(JoinRefused::Unknown));
            return;
        }
        if !self.fits(join.member, join.spot.as_ref()) {
            let _ = join.answer.send(Err(JoinRefused::Elsewhere));
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
            resumed,
        };
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
        object.insert("resumed".to_owned(), resumed.into());
        object.insert("limits".to_owned(), json!(join.allowed));
        join.sink.send(message::text(&object));
        for warning in warnings {
            join.sink.send(warning);
        }
        let _ = join.answer.send(Ok(welcome));
        if let Some((play, n)) = join.from
            && let Err(error) = self.tell_end(join.member, PlayId(play), n, &join.sink)
        {
            tracing::warn!(%error, play, "the end of a board could not be told");
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

    /// Says what a person without a table waits for.
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
        sink.send(message::text(&object));
    }
}
