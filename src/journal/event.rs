//! The event's journal: what happened to an event, line by line, each chained to the one before.
//!
//! A line says when (in the event's own time and by the calendar), by whom, what happened (a *fact*), and what the
//! format decided about it (its *orders*). Its canonical bytes are canonical JSON ([`crate::canonical`]) without the
//! hash; `hash = SHA-256(prev ‖ bytes)`, and before the first line stands the announcement's hash. Whoever replays the
//! lines computes every order again: [`EventJournal`] is the one way to write a line and the one way to read it, in a live
//! event, in a demonstration, for pages and for the offline check.

use std::fmt;
use std::sync::Arc;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::bundle::model::{ResultState, Revision};
use super::desk_fact::{Desk, DeskFact, DeskRefused};
use super::revision::{Heading, Snapshot};
use super::strict;
use crate::canonical::{self, Hash, link};
use crate::dealing::{DelayedValue, DrawKey, DrawSeed, draw_seed, list_hash};
use crate::formats::ruling::Ruling;
use crate::formats::tally::TallyFault;
use crate::formats::{Competition, DrawDue, DrawMade, Fact, Order, Refused, order_of};
use crate::games::rulesets;
use crate::words::{Message, is_name, message, nearest};

/// Who wrote a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Author {
    /// The account of an organizer, a referee or a player.
    Account(String),
    /// The event's clock.
    Clock,
    /// A table, at the end of a board.
    Table,
    /// The server itself: draws, for instance.
    Server,
}

impl Author {
    /// The word in the journal.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Author::Account(id) => id,
            Author::Clock => "clock",
            Author::Table => "table",
            Author::Server => "server",
        }
    }

    /// Whom a word names; `None` for a text that no account can have.
    #[must_use]
    pub fn named(word: &str) -> Option<Author> {
        match word {
            "clock" => Some(Author::Clock),
            "table" => Some(Author::Table),
            "server" => Some(Author::Server),
            id => is_name(id, 200).then(|| Author::Account(id.to_owned())),
        }
    }
}

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Serialize for Author {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for Author {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Author, D::Error> {
        let word = String::deserialize(deserializer)?;
        Author::named(&word).ok_or_else(|| D::Error::custom("`by` names nobody"))
    }
}

/// What a line says has happened: a fact for the format, or one of the desk's, of which the format knows nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum EventFact {
    /// A fact that the format is given.
    Play(Fact),
    /// A fact of the desk: it leads to no orders.
    Desk(DeskFact),
}

impl From<Fact> for EventFact {
    fn from(fact: Fact) -> EventFact {
        EventFact::Play(fact)
    }
}

impl From<DeskFact> for EventFact {
    fn from(fact: DeskFact) -> EventFact {
        EventFact::Desk(fact)
    }
}

/// The keys of the facts that a format is given.
const PLAY: [&str; 9] =
    ["locked", "draw", "round", "finished", "bell", "closed", "replay", "ruling", "pause"];
/// The keys of a ruling beside the one that names its decision.
const RULING: [&str; 4] = ["at", "by", "number", "reason"];

impl EventFact {
    /// The fact as it stands in a line: an object with one key.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // Facts hold texts, integers and exact fractions: they can always be written.
        match self {
            EventFact::Play(Fact::Ruling(ruling)) => {
                let mut fact = Map::new();
                fact.insert("ruling".to_owned(), Value::Object(flat(ruling)));
                Value::Object(fact)
            }
            EventFact::Play(fact) => serde_json::to_value(fact).unwrap_or_default(),
            EventFact::Desk(fact) => serde_json::to_value(fact).unwrap_or_default(),
        }
    }

    /// The key of the fact.
    #[must_use]
    pub fn name(&self) -> String {
        self.to_value().as_object().and_then(|fact| fact.keys().next().cloned()).unwrap_or_default()
    }

    /// Reads a fact.
    ///
    /// # Errors
    /// Not an object with one key, an unknown key, or wrong fields.
    pub fn from_value(value: Value) -> Result<EventFact, EventFault> {
        let Value::Object(object) = value else { return Err(EventFault::FactKey) };
        let mut members = object.into_iter();
        let (Some((key, body)), None) = (members.next(), members.next()) else {
            return Err(EventFault::FactKey);
        };
        if key == "ruling" {
            return ruling_of(body).map(|ruling| EventFact::Play(Fact::Ruling(ruling)));
        }
        let known = |names: &[&str]| names.contains(&key.as_str());
        let (play, desk) = (known(&PLAY), known(&DeskFact::NAMES));
        let whole = Value::Object(Map::from_iter([(key.clone(), body)]));
        if play {
            return fields(whole).map(EventFact::Play);
        }
        if desk {
            return fields(whole).map(EventFact::Desk);
        }
        let names: Vec<&str> = PLAY.into_iter().chain(DeskFact::NAMES).collect();
        let meant = nearest(&key, &names).map(str::to_owned);
        Err(EventFault::UnknownFact { key: strict::short(&key), meant })
    }
}

impl Serialize for EventFact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}

/// A ruling with the name of its decision as a key beside the others.
fn flat(ruling: &Ruling) -> Map<String, Value> {
    let Ok(Value::Object(mut object)) = serde_json::to_value(ruling) else { return Map::new() };
    if let Some(Value::Object(decision)) = object.shift_remove("decision") {
        object.extend(decision);
    }
    object
}

/// Reads a ruling as [`flat`] writes it.
fn ruling_of(body: Value) -> Result<Ruling, EventFault> {
    let Value::Object(mut object) = body else { return Err(EventFault::FactKey) };
    let names: Vec<String> = object.keys().filter(|key| !RULING.contains(&key.as_str())).cloned().collect();
    let [name] = names.as_slice() else { return Err(EventFault::OneDecision(names.len())) };
    let decision = object.shift_remove(name).unwrap_or_default();
    let decision = Map::from_iter([(name.clone(), decision)]);
    object.insert("decision".to_owned(), Value::Object(decision));
    fields(Value::Object(object))
}

fn fields<T: DeserializeOwned>(value: Value) -> Result<T, EventFault> {
    serde_json::from_value(value)
        .map_err(|error| EventFault::Fields(rulesets::told_by_library(&strict::short(&error.to_string()))))
}

/// A line of an event's journal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventLine {
    /// Counted from 1.
    pub seq: u64,
    /// µs of the event's own time, which passes only while a server is up.
    pub at: u64,
    /// µs since 1970-01-01T00:00:00Z.
    pub wall: i64,
    /// Who wrote the line.
    pub by: Author,
    /// What happened.
    pub fact: EventFact,
    /// What the format decided, in the order in which it applies.
    pub orders: Vec<Order>,
}

/// The line before its fact is looked at.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLine {
    seq: u64,
    at: u64,
    wall: i64,
    by: Author,
    fact: Value,
    orders: Vec<Order>,
}

impl EventLine {
    /// The canonical bytes: what is chained and stored.
    #[must_use]
    pub fn canonical(&self) -> String {
        // Lines hold no floats.
        canonical::to_string(self).unwrap_or_default()
    }

    /// Reads the canonical bytes of a line.
    ///
    /// # Errors
    /// Anything but the canonical bytes of a line.
    pub fn read(text: &str) -> Result<EventLine, EventFault> {
        let object = strict::object(text).map_err(|fault| EventFault::NotJson(fault.message()))?;
        let line = EventLine::of_object(object)?;
        if line.canonical() == text { Ok(line) } else { Err(EventFault::NotCanonical) }
    }

    fn of_object(object: Map<String, Value>) -> Result<EventLine, EventFault> {
        let raw: RawLine = fields(Value::Object(object))?;
        Ok(EventLine {
            seq: raw.seq,
            at: raw.at,
            wall: raw.wall,
            by: raw.by,
            fact: EventFact::from_value(raw.fact)?,
            orders: raw.orders,
        })
    }

    /// The line as `fushi export --journal` prints it, with its hash last.
    #[must_use]
    pub fn printed(&self, hash: &Hash) -> String {
        let mut object = Map::new();
        let orders = serde_json::to_value(&self.orders).unwrap_or_default();
        object.insert("seq".to_owned(), self.seq.into());
        object.insert("at".to_owned(), self.at.into());
        object.insert("wall".to_owned(), self.wall.into());
        object.insert("by".to_owned(), self.by.word().into());
        object.insert("fact".to_owned(), self.fact.to_value());
        object.insert("orders".to_owned(), orders);
        object.insert("hash".to_owned(), hex::encode(hash).into());
        Value::Object(object).to_string()
    }
}

/// A line that fits behind the journal it was proposed to, with its canonical bytes and the chain after it.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainedLine {
    /// The line.
    pub line: EventLine,
    /// Its canonical bytes.
    pub bytes: String,
    /// The chain after it.
    pub hash: Hash,
}

/// Why a line cannot stand in an event's journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventFault {
    /// Not JSON, or a key stands twice.
    #[error("not a JSON object")]
    NotJson(Message),
    /// Missing, unknown or wrong fields.
    #[error("wrong fields")]
    Fields(Message),
    /// Not in canonical form.
    #[error("not in canonical form")]
    NotCanonical,
    /// A fact is an object with one key.
    #[error("a fact is an object with one key")]
    FactKey,
    /// A fact that nobody knows.
    #[error("unknown fact `{key}`")]
    UnknownFact {
        /// The key.
        key: String,
        /// The known key that is nearest to it.
        meant: Option<String>,
    },
    /// A ruling decides one thing.
    #[error("a ruling with {0} decisions")]
    OneDecision(usize),
    /// The number of the line is not the next one.
    #[error("line {found} where line {expected} must stand")]
    Seq {
        /// The next number.
        expected: u64,
        /// The line's.
        found: u64,
    },
    /// The hash is not the chain's.
    #[error("the hash is not the chain's")]
    Chain,
    /// The event's own time, or the calendar, is before that of the line before.
    #[error("{at} is before {earliest}")]
    RunsBack {
        /// The line's.
        at: i64,
        /// That of the line before.
        earliest: i64,
    },
    /// A ruling has another instant than its line.
    #[error("the ruling has another instant than its line")]
    Instant,
    /// The seed of a draw is not the one that follows from the key.
    #[error("the seed of draw {purpose} {number} does not follow from the key")]
    Seed {
        /// What was drawn.
        purpose: &'static str,
        /// The number of the draw.
        number: u32,
    },
    /// The orders are not those that the format gives.
    #[error("the orders are not those that the format gives")]
    Orders,
    /// The format refuses the fact.
    #[error("the format refuses the fact")]
    Refused(Box<Refused>),
    /// The desk's own rules refuse the fact.
    #[error(transparent)]
    Desk(DeskRefused),
    /// The results cannot be computed.
    #[error(transparent)]
    Tally(#[from] TallyFault),
    /// A publication says something else than boards and rulings give.
    #[error("the publication is not what boards and rulings give")]
    Revision,
}

impl EventFault {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            EventFault::NotJson(_) => "malformed",
            EventFault::Fields(_) | EventFault::OneDecision(_) => "bad_fields",
            EventFault::NotCanonical => "not_canonical",
            EventFault::FactKey | EventFault::UnknownFact { .. } => "unknown_fact",
            EventFault::Seq { .. } => "event_order",
            EventFault::Chain => "chain",
            EventFault::RunsBack { .. } => "time_runs_back",
            EventFault::Instant => "ruling_instant",
            EventFault::Seed { .. } => "draw_seed",
            EventFault::Orders => "other_orders",
            EventFault::Refused(_) => "fact_refused",
            EventFault::Desk(DeskRefused::Publication) => "revision_order",
            EventFault::Desk(_) => "desk_refused",
            EventFault::Tally(_) => "bad_ruling",
            EventFault::Revision => "revision_differs",
        }
    }

    /// The sentence for any reader.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            EventFault::NotJson(detail) => message!("verify-malformed", detail),
            EventFault::Fields(detail) => message!("verify-bad-fields", detail),
            EventFault::NotCanonical => message!("verify-not-canonical"),
            EventFault::FactKey => message!("event-fact-key"),
            EventFault::UnknownFact { key, meant: Some(meant) } => {
                message!("event-unknown-fact-meant", key, meant)
            }
            EventFault::UnknownFact { key, meant: None } => message!("event-unknown-fact", key),
            EventFault::OneDecision(count) => message!("event-one-decision", count),
            EventFault::Seq { expected, found } => message!("event-seq", expected, found),
            EventFault::Chain => message!("verify-chain"),
            EventFault::RunsBack { at, earliest } => message!("event-runs-back", at, earliest),
            EventFault::Instant => message!("event-ruling-instant"),
            EventFault::Seed { purpose, number } => message!("event-draw-seed", purpose, number),
            EventFault::Orders => message!("event-other-orders"),
            EventFault::Refused(refused) => message!("event-fact-refused", what = refused.message()),
            EventFault::Desk(refused) => refused.message(),
            EventFault::Tally(fault) => message!("verify-bad-ruling", detail = fault.message()),
            EventFault::Revision => message!("verify-revision-differs"),
        }
    }
}

/// What the seeds of an event's draws follow from, beside the list that is drawn from.
#[derive(Debug)]
pub struct Lots<'a> {
    /// The announcement's hash.
    pub announcement: &'a Hash,
    /// The key of the draws.
    pub key: &'a DrawKey,
    /// The delayed value; [`DelayedValue::none`] as long as it is not known.
    pub delayed: &'a DelayedValue,
}

impl Lots<'_> {
    fn seed(&self, due: &DrawDue, delayed: bool) -> String {
        let none = DelayedValue::none();
        let about = DrawSeed {
            announcement_hash: self.announcement,
            delayed: if delayed { self.delayed } else { &none },
            purpose: due.purpose.name(),
            number: due.number,
            list: &list_hash(&due.among),
        };
        hex::encode(draw_seed(self.key, &about))
    }

    /// Makes a draw that is due.
    #[must_use]
    pub fn draw(&self, due: DrawDue) -> DrawMade {
        let delayed = !self.delayed.is_none();
        let seed = self.seed(&due, delayed);
        let order = order_of(&due, &seed);
        DrawMade { due, seed, delayed, order }
    }

    /// Checks that the seed of a draw is the one that follows from the key. That its order follows from the seed is
    /// checked whenever the line is replayed.
    ///
    /// # Errors
    /// [`EventFault::Seed`].
    pub fn check(&self, made: &DrawMade) -> Result<(), EventFault> {
        // A draw cannot rest on a value that there is none of.
        if (made.delayed && self.delayed.is_none()) || made.seed != self.seed(&made.due, made.delayed) {
            let due = &made.due;
            return Err(EventFault::Seed { purpose: due.purpose.name(), number: due.number });
        }
        Ok(())
    }
}

/// The journal of an event: the competition and the desk as its lines have made them, and the end of the chain.
#[derive(Clone, Debug)]
pub struct EventJournal {
    competition: Competition,
    desk: Desk,
    /// What was published last.
    published: Option<Arc<Snapshot>>,
    seq: u64,
    at: u64,
    wall: i64,
    /// The instant of the last line that results rest on, or of the last publication.
    decided: i64,
    chain: Hash,
}

impl EventJournal {
    /// The journal of an event before its first line.
    #[must_use]
    pub fn begin(announcement: &Hash, competition: Competition) -> EventJournal {
        EventJournal {
            competition,
            desk: Desk::default(),
            published: None,
            seq: 0,
            at: 0,
            wall: i64::MIN,
            decided: i64::MIN,
            chain: *announcement,
        }
    }

    /// Writes the line of a fact without taking it: its orders, its bytes, its hash. Neither time runs back: one that is
    /// before that of the last line becomes it. A ruling has the instant of its line.
    ///
    /// # Errors
    /// The format or the desk's rules refuse the fact.
    pub fn propose(
        &self,
        by: Author,
        at: u64,
        wall: i64,
        fact: impl Into<EventFact>,
    ) -> Result<ChainedLine, EventFault> {
        let mut fact = fact.into();
        let (at, wall) = (at.max(self.at), wall.max(self.wall));
        if let EventFact::Play(Fact::Ruling(ruling)) = &mut fact {
            ruling.at = wall;
        }
        let orders = self.orders(&fact)?;
        let line = EventLine { seq: self.seq + 1, at, wall, by, fact, orders };
        let bytes = line.canonical();
        let hash = link(&self.chain, bytes.as_bytes());
        Ok(ChainedLine { line, bytes, hash })
    }

    /// What the fact leads to.
    fn orders(&self, fact: &EventFact) -> Result<Vec<Order>, EventFault> {
        match fact {
            EventFact::Play(fact) => {
                self.competition.check(fact).map_err(|refused| EventFault::Refused(Box::new(refused)))
            }
            EventFact::Desk(fact) => {
                self.desk.check(fact, &self.competition).map_err(EventFault::Desk)?;
                if let DeskFact::Published(signed) = fact {
                    let body = &signed.body;
                    if *body != self.revision(&body.event, body.at, body.state)? {
                        return Err(EventFault::Revision);
                    }
                }
                Ok(Vec::new())
            }
        }
    }

    /// Takes a line that this journal has proposed.
    pub fn accept(&mut self, chained: &ChainedLine) {
        let line = &chained.line;
        match &line.fact {
            EventFact::Play(fact) => {
                self.competition.apply(fact, &line.orders);
                self.decided = line.wall;
            }
            EventFact::Desk(fact) => {
                if matches!(fact, DeskFact::Published(_)) {
                    self.decided = line.wall;
                    // A publication that nothing can be computed for was refused.
                    self.published = Snapshot::of(&self.competition).ok().map(Arc::new);
                }
                self.desk.apply(fact);
            }
        }
        (self.seq, self.at, self.wall, self.chain) = (line.seq, line.at, line.wall, chained.hash);
    }

    /// Proposes and takes a line.
    ///
    /// # Errors
    /// As [`EventJournal::propose`].
    pub fn append(
        &mut self,
        by: Author,
        at: u64,
        wall: i64,
        fact: impl Into<EventFact>,
    ) -> Result<ChainedLine, EventFault> {
        let chained = self.propose(by, at, wall, fact)?;
        self.accept(&chained);
        Ok(chained)
    }

    /// Takes a stored line: everything about it is computed again. Whether the seed of a draw follows from the event's
    /// key is a question for who knows the key ([`Lots::check`]).
    ///
    /// # Errors
    /// Whatever is wrong first: form, place, time, orders, chain.
    pub fn replay(&mut self, bytes: &str, hash: &Hash) -> Result<EventLine, EventFault> {
        self.replay_line(EventLine::read(bytes)?, bytes, hash)
    }

    /// As [`EventJournal::replay`], for a line that has been read.
    fn replay_line(&mut self, line: EventLine, bytes: &str, hash: &Hash) -> Result<EventLine, EventFault> {
        if line.seq != self.seq + 1 {
            return Err(EventFault::Seq { expected: self.seq + 1, found: line.seq });
        }
        if link(&self.chain, bytes.as_bytes()) != *hash {
            return Err(EventFault::Chain);
        }
        if line.at < self.at {
            let earliest = i64::try_from(self.at).unwrap_or(i64::MAX);
            return Err(EventFault::RunsBack { at: i64::try_from(line.at).unwrap_or(i64::MAX), earliest });
        }
        if line.wall < self.wall {
            return Err(EventFault::RunsBack { at: line.wall, earliest: self.wall });
        }
        if let EventFact::Play(Fact::Ruling(ruling)) = &line.fact
            && ruling.at != line.wall
        {
            return Err(EventFault::Instant);
        }
        if self.orders(&line.fact)? != line.orders {
            return Err(EventFault::Orders);
        }
        let chained = ChainedLine { line, bytes: String::new(), hash: *hash };
        self.accept(&chained);
        Ok(chained.line)
    }

    /// The revision that publishes what boards and rulings have given so far, before it is signed. It is never older than what
    /// it rests on, even if the clock was set back.
    ///
    /// # Errors
    /// A ruling that cannot stand; none that the competition has taken.
    pub fn revision(&self, event: &str, at: i64, state: ResultState) -> Result<Revision, TallyFault> {
        let rulings = u32::try_from(self.competition.rulings().len()).unwrap_or(u32::MAX);
        let number = self.desk.published().last().map_or(1, |last| last.body.number.saturating_add(1));
        let heading = Heading { number, event, at: at.max(self.decided), state, rulings };
        Ok(Snapshot::of(&self.competition)?.revision(heading, self.published.as_deref()))
    }

    /// What was published last.
    #[must_use]
    pub fn published(&self) -> Option<&Snapshot> {
        self.published.as_deref()
    }

    /// The competition after the last line.
    #[must_use]
    pub const fn competition(&self) -> &Competition {
        &self.competition
    }

    /// What the desk's facts have come to.
    #[must_use]
    pub const fn desk(&self) -> &Desk {
        &self.desk
    }

    /// The number of the last line; 0 before the first.
    #[must_use]
    pub const fn seq(&self) -> u64 {
        self.seq
    }

    /// The event's own time of the last line, µs.
    #[must_use]
    pub const fn at(&self) -> u64 {
        self.at
    }

    /// The instant of the last line, µs since 1970; [`i64::MIN`] before the first.
    #[must_use]
    pub const fn wall(&self) -> i64 {
        self.wall
    }

    /// The chain after the last line: the announcement's hash before the first.
    #[must_use]
    pub const fn chain(&self) -> &Hash {
        &self.chain
    }
}
