//! An event as the desk keeps it: what was decided, who takes part, who sits where; its creation and announcement.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::archive::{AnnouncementRow, Archive, AuditRow, EntrantRow, EventRow, NewEvent};
use super::called::{Numbered, called, person};
use super::error::EventError;
use super::live::Live;
use super::schedule::Schedule;
use super::state::EventState;
use crate::canonical;
use crate::dealing::{Announcement, DelayedValue, MasterKey, Purpose, Sealed, SetDealer, SetLine};
use crate::formats::settings::{Entrant, Settings};
use crate::formats::{BoardSet, Competition, DealRef, Occupant, Round, Setup};
use crate::games::{Game, Seat};
use crate::journal::Header;
use crate::sabotage;
use crate::words::message;

/// The name under which the sealed master key is kept.
pub const MASTER: &str = "master";

/// An event.
#[derive(Clone, Debug)]
pub struct Event<G: Game> {
    /// Its id.
    pub id: String,
    /// Format, scoring, levels.
    pub settings: Settings,
    /// The ruleset.
    pub rules: Arc<G::Rules>,
    /// The entrants in order of their numbers; the movement says these, too.
    pub entrants: Vec<Entrant>,
    /// The rounds, as far as they are known: what the event's journal says ([`Event::follow`]); they are not stored.
    pub rounds: Vec<Round>,
    /// How it is played live.
    pub live: Live,
    /// Sizes, the delayed value, the draw.
    pub schedule: Schedule,
}

/// What the settings column of an event holds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    settings: Settings,
    rules: Map<String, Value>,
    #[serde(default)]
    live: Live,
    #[serde(default)]
    schedule: Schedule,
}

/// What anybody needs to know of an event of any game: what was decided about its course, and who takes part.
#[derive(Clone, Debug)]
pub struct EventParts {
    /// Format, scoring, levels.
    pub settings: Settings,
    /// The entrants in order of their numbers.
    pub entrants: Vec<Entrant>,
}

impl EventParts {
    /// Reads them from an archive.
    ///
    /// # Errors
    /// There is no such event, or it is damaged.
    pub fn load(archive: &dyn Archive, id: &str) -> Result<EventParts, EventError> {
        #[derive(Deserialize)]
        struct Kept {
            settings: Settings,
        }
        let row = archive.event(id)?;
        let kept: Kept =
            serde_json::from_str(&row.settings).map_err(|error| EventError::Damaged(error.to_string()))?;
        let entrants = archive.entrants(id)?.into_iter().map(EntrantRow::entrant).collect();
        Ok(EventParts { settings: kept.settings, entrants })
    }
}

/// One sitting of the movement: a board at a table.
#[derive(Clone, Debug)]
pub struct Sitting<'a> {
    /// The round.
    pub round: u32,
    /// The table.
    pub table: u32,
    /// The board's number.
    pub board: u32,
    /// Who takes each position.
    pub who: &'a [Occupant],
}

impl<G: Game> Event<G> {
    /// The sittings in the order of the journals in a bundle: by round, table, board.
    pub fn sittings(&self) -> impl Iterator<Item = Sitting<'_>> {
        self.rounds.iter().flat_map(|round| {
            round.tables.iter().flat_map(move |table| {
                round.boards.iter().zip(&table.sittings).map(move |(board, who)| Sitting {
                    round: round.round,
                    table: table.table,
                    board: *board,
                    who,
                })
            })
        })
    }

    /// Takes over the rounds that a competition knows.
    pub fn follow(&mut self, competition: &Competition) {
        self.rounds = competition.schedule().iter().map(|round| round.plan.clone()).collect();
    }

    /// What decides the course of the event, with the announced sets.
    #[must_use]
    pub fn competition(&self, announcement: &Announcement) -> Competition {
        let set = |set: &SetLine| BoardSet {
            id: set.id.clone(),
            first: set.first,
            last: set.last,
            reserve: set.purpose == Purpose::Reserve,
        };
        let sets: Vec<BoardSet> = announcement.body().sets.iter().map(set).collect();
        Competition::new(&self.settings, &sets, &G::setups(&self.rules))
    }

    /// How long a round with so many boards lasts, minutes; 0 for no limit. A round with fewer boards than a full one
    /// has its share of the time, rounded up.
    #[must_use]
    pub fn round_minutes(&self, boards: usize) -> u32 {
        let full = u64::from(self.settings.boards_per_round().max(1));
        let boards = u64::try_from(boards).unwrap_or(u64::MAX).min(full);
        u32::try_from((u64::from(self.live.round_minutes) * boards).div_ceil(full)).unwrap_or(u32::MAX)
    }

    /// The seats of each position with the position's name.
    #[must_use]
    pub fn positions(&self) -> Vec<(String, Vec<Seat>)> {
        self.settings
            .positions
            .iter()
            .map(|names| (names.concat(), names.iter().filter_map(|name| G::seat_named(name)).collect()))
            .collect()
    }

    /// What people call the entrants in results, by id: the name, with the number where several have the same one.
    #[must_use]
    pub fn names(&self) -> BTreeMap<String, String> {
        called(&self.entrants, Numbered::WhereEqual)
    }

    /// The entrant with a number.
    #[must_use]
    pub fn entrant(&self, number: u32) -> Option<&Entrant> {
        Entrant::numbered(&self.entrants, number)
    }

    /// Who an occupant is, as journals and results say it.
    #[must_use]
    pub fn who(&self, occupant: Occupant) -> String {
        match occupant {
            Occupant::Entrant(number) => {
                self.entrant(number).map(|entrant| entrant.id.clone()).unwrap_or_default()
            }
            Occupant::StandIn(number) => format!("stand-in:{number}"),
            Occupant::Ai => format!("ai:{}", self.settings.opponents.as_deref().unwrap_or_default()),
        }
    }

    /// Who sits where, by seat name.
    #[must_use]
    pub fn seats(&self, who: &[Occupant]) -> BTreeMap<String, String> {
        let mut seats = BTreeMap::new();
        for ((_, position), occupant) in self.positions().iter().zip(who) {
            for seat in position {
                seats.insert(G::seat_name(*seat).unwrap_or_default().to_owned(), self.who(*occupant));
            }
        }
        seats
    }

    /// What those are called who sit where, by seat name: of a pair one person at each seat. `None`: an AI player of
    /// the event.
    #[must_use]
    pub fn persons(&self, who: &[Occupant]) -> BTreeMap<String, Option<&str>> {
        let mut persons = BTreeMap::new();
        for ((_, position), occupant) in self.positions().iter().zip(who) {
            let entrant = occupant.entrant().and_then(|number| self.entrant(number));
            for (member, seat) in position.iter().enumerate() {
                let name = entrant.map(|entrant| person(&entrant.name, position.len(), member));
                persons.insert(G::seat_name(*seat).unwrap_or_default().to_owned(), name);
            }
        }
        persons
    }

    /// What the settings column of the event holds: canonical JSON.
    ///
    /// # Errors
    /// A number that has no canonical form.
    pub fn settings_text(&self) -> Result<String, EventError> {
        let Ok(Value::Object(rules)) = serde_json::to_value(self.rules.as_ref()) else {
            return Err(EventError::Setting("the ruleset cannot be written".to_owned()));
        };
        let stored = Stored {
            settings: self.settings.clone(),
            rules,
            live: self.live,
            schedule: self.schedule.clone(),
        };
        canonical::to_string(&stored).map_err(|error| EventError::Setting(error.to_string()))
    }

    /// Creates the event in an archive, with its master key sealed. Nothing of the key is kept in the clear.
    ///
    /// # Errors
    /// The id is taken; a number that has no canonical form.
    pub fn create(
        &self,
        archive: &dyn Archive,
        sealed: &Sealed,
        at: i64,
        who: &str,
    ) -> Result<(), EventError> {
        let settings = self.settings_text()?;
        let entrants = self
            .entrants
            .iter()
            .map(|entrant| EntrantRow {
                event_id: self.id.clone(),
                id: entrant.id.clone(),
                position: i64::from(entrant.number),
                name: entrant.name.clone(),
                level: entrant.level.clone(),
                club: entrant.club.clone(),
                region: entrant.region.clone(),
            })
            .collect();
        let event = EventRow {
            id: self.id.clone(),
            game: G::KIND.name().to_owned(),
            settings,
            state: EventState::Draft,
            created_us: at,
            one_account: false,
        };
        let sealed_keys = vec![(MASTER.to_owned(), sealed.to_text().into_bytes())];
        archive.create_event(NewEvent { event, entrants, sealed_keys }, self.act(at, who, "create", ""))?;
        Ok(())
    }

    /// Reads an event from an archive: what was decided about it and who takes part. What has happened to it stands in its
    /// journal ([`Event::follow`]).
    ///
    /// # Errors
    /// There is none, it is of another game, or it is damaged.
    pub fn load(archive: &dyn Archive, id: &str) -> Result<Event<G>, EventError> {
        let row = archive.event(id)?;
        if row.game != G::KIND.name() {
            return Err(EventError::Said(message!("desk-other-game", id, game = row.game)));
        }
        let damaged = |error: serde_json::Error| EventError::Damaged(error.to_string());
        let stored: Stored = serde_json::from_str(&row.settings).map_err(damaged)?;
        let rules: G::Rules = serde_json::from_value(Value::Object(stored.rules)).map_err(damaged)?;
        let entrants = archive.entrants(id)?;
        let entrants = entrants.into_iter().map(EntrantRow::entrant).collect();
        Ok(Event {
            id: id.to_owned(),
            settings: stored.settings,
            rules: Arc::new(rules),
            entrants,
            rounds: Vec::new(),
            live: stored.live,
            schedule: stored.schedule,
        })
    }

    /// Publishes the announcement, with every board of its sets.
    ///
    /// # Errors
    /// The event has been announced before.
    pub fn announce(
        &self,
        archive: &dyn Archive,
        announcement: &Announcement,
        who: &str,
    ) -> Result<(), EventError> {
        let at = announcement.body().published_at;
        let row = AnnouncementRow {
            event_id: self.id.clone(),
            body: announcement.text().to_owned(),
            hash: announcement.hash().to_vec(),
            delayed: None,
            published_us: at,
        };
        Ok(archive.announce(row, self.act(at, who, "announce", ""))?)
    }

    /// The announcement and the delayed value from an archive.
    ///
    /// # Errors
    /// Not announced yet, the delayed value is not there yet, or damaged.
    pub fn announced(&self, archive: &dyn Archive) -> Result<(Announcement, DelayedValue), EventError> {
        let row = archive
            .announcement(&self.id)?
            .ok_or_else(|| EventError::Said(message!("desk-not-announced", id = &self.id)))?;
        let announcement = Announcement::parse_canonical(&row.body)?;
        if announcement.hash().as_slice() != row.hash {
            return Err(EventError::Damaged(
                "the announcement is not the one whose hash was stored".to_owned(),
            ));
        }
        let delayed = announcement.delayed_value(row.delayed.as_deref())?;
        Ok((announcement, delayed))
    }

    /// An audit entry about this event.
    #[must_use]
    pub fn act(&self, at: i64, who: &str, act: &str, reason: &str) -> AuditRow {
        AuditRow {
            event_id: Some(self.id.clone()),
            at_us: at,
            who: who.to_owned(),
            act: act.to_owned(),
            reason: reason.to_owned(),
            details: "{}".to_owned(),
        }
    }
}

/// The announced set that holds a board: an original one, or else a reserve.
///
/// # Errors
/// No set, or several.
pub fn set_of(announcement: &Announcement, board: u32) -> Result<&str, EventError> {
    for purpose in [Purpose::Original, Purpose::Reserve] {
        let mut holding = announcement
            .body()
            .sets
            .iter()
            .filter(|set| set.purpose == purpose && (set.first..=set.last).contains(&board));
        match (holding.next(), holding.next()) {
            (Some(set), None) => return Ok(&set.id),
            (Some(_), Some(_)) => {
                return Err(EventError::Said(message!("desk-several-sets", board)));
            }
            (None, _) => {}
        }
    }
    Err(EventError::Said(message!("desk-no-set", board)))
}

/// In a test build, exchanges the hands of two seats: see [`sabotage::twist`].
fn twisted<G: Game>(rules: &Arc<G::Rules>, start: G::Start) -> G::Start {
    let Some((one, other)) = sabotage::twist() else { return start };
    let mut written = G::write_start(&start);
    let exchanged = exchange(&mut written, &one, &other).and_then(|()| G::read_start(rules, &written).ok());
    exchanged.unwrap_or(start)
}

fn exchange(written: &mut Map<String, Value>, one: &str, other: &str) -> Option<()> {
    let deal = written.get_mut("deal")?.as_object_mut()?;
    let (of_one, of_other) = (deal.get(one)?.clone(), deal.get(other)?.clone());
    deal.insert(one.to_owned(), of_other);
    deal.insert(other.to_owned(), of_one);
    Some(())
}

/// Deals the boards of an event for the server, set by set, from the master key.
pub struct Dealer<G: Game> {
    rules: Arc<G::Rules>,
    sets: BTreeMap<String, SetDealer>,
}

impl<G: Game> Dealer<G> {
    /// A dealer; reading the key is an audited event and the caller's to log.
    ///
    /// # Errors
    /// The master key is not the one that was announced.
    pub fn new(
        event: &Event<G>,
        announcement: &Announcement,
        master: &MasterKey,
        delayed: &DelayedValue,
    ) -> Result<Dealer<G>, EventError> {
        announcement.verify_master(master)?;
        let mut sets = BTreeMap::new();
        for set in &announcement.body().sets {
            sets.insert(set.id.clone(), announcement.dealer(G::PACK, master, delayed, &set.id)?);
        }
        Ok(Dealer { rules: Arc::clone(&event.rules), sets })
    }

    /// The board of a sitting with its cards: secret until every table has finished it.
    ///
    /// # Errors
    /// The set was not announced, or the game cannot begin with the setup.
    pub fn dealt(&self, sitting: &crate::formats::Sitting) -> Result<Header<G>, EventError> {
        self.board(&sitting.deal, &sitting.setup)
    }

    /// A board with its cards that begins with a setup; the same secret.
    ///
    /// # Errors
    /// As [`Dealer::dealt`].
    pub fn board(&self, deal: &DealRef, setup: &Setup) -> Result<Header<G>, EventError> {
        let (set, board) = (&deal.set, deal.board);
        let dealer = self.sets.get(set).ok_or_else(|| EventError::Said(message!("desk-no-set", board)))?;
        let start = G::deal(&self.rules, setup, &dealer.order(board))
            .map_err(|faults| EventError::all(faults.into_iter().map(|fault| fault.told)))?;
        let start = twisted::<G>(&self.rules, start);
        Ok(Header::new(format!("{set}/{board}"), Arc::clone(&self.rules), start))
    }
}
