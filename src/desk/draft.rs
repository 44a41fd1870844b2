//! Drafts: an event is put together, changed, and looked at before anybody is bound by it.
//!
//! Everything that cannot be is listed at once. Nothing here is announced or drawn.

use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::demo::seats_of;
use super::groups::{self, RoundRobinFields};
use crate::dealing::is_id;
use crate::event::live::{Live, Pace, ROUND_MAX};
use crate::event::model::Event;
use crate::event::schedule::{DelayedPlan, Schedule};
use crate::formats::settings::{Measure, Settings};
use crate::formats::{self, Fill, Format, MovementRules, Stage, StageFormat};
use crate::games::rulesets::not_known;
use crate::games::{Fault, Game, GameKind, Ruleset as _, Seat, rulesets};
use crate::players::{self, Levels};
use crate::scoring;
use crate::words::{Lang, is_name, message};

/// Boards of a reserve set at most.
const RESERVE_MAX: u32 = 200;

/// What an organizer says about an event; what is absent stays as it is, or takes the game's usual value.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fields {
    /// The event's name for people.
    pub title: Option<String>,
    /// A shipped ruleset by name.
    pub ruleset: Option<String>,
    /// A ruleset with single fields replaced: `{"base": NAME, FIELD: VALUE…}`.
    pub rules: Option<Map<String, Value>>,
    /// The text of a ruleset file: every field, or `base` and those that differ.
    pub ruleset_file: Option<String>,
    /// `human-ai`, `individual`, `pairs` or `round-robin`.
    pub format: Option<String>,
    /// Groups, deals, points and the final stage of a round-robin.
    pub round_robin: Option<RoundRobinFields>,
    /// The entrants' seat of a human–AI event, by name.
    pub seat: Option<String>,
    /// How many boards.
    pub boards: Option<u32>,
    /// How many boards each round.
    pub boards_per_round: Option<u32>,
    /// Boards that are dealt and kept back.
    pub reserve_boards: Option<u32>,
    /// `stand-in` or `bye`.
    pub fill: Option<String>,
    /// The AI level of opponents and stand-ins.
    pub opponents: Option<String>,
    /// Which number of a finished board is compared.
    pub measure: Option<Measure>,
    /// Method, ranks, ties: what is absent takes the usual value.
    pub scoring: Option<scoring::Rules>,
    /// `own` or `rounds`.
    pub pace: Option<Pace>,
    /// How long a round lasts, minutes; 0 for no limit.
    pub round_minutes: Option<u32>,
    /// How long an AI player takes at least, ms.
    pub ai_delay_ms: Option<u32>,
    /// More time when a connection breaks, once a board, ms.
    pub grace_ms: Option<u32>,
    /// How long a table waits for its players, seconds.
    pub late_s: Option<u32>,
    /// How long a table waits between two boards, seconds.
    pub between_s: Option<u32>,
    /// Whether the next round starts when one is over.
    pub auto_rounds: Option<bool>,
    /// After how long the floor marks a table that waits or stands still, seconds; 0 for never.
    pub alarm_s: Option<u32>,
    /// At the players' own pace: how long a seat nobody has come to is waited for, seconds; 0 for ever.
    pub absent_s: Option<u32>,
    /// The delayed public value, `"none"` or an object.
    pub delayed: Option<DelayedField>,
    /// `en`, `zh-CN` or `zh-TW`.
    pub language: Option<String>,
    /// Who holds the event, for people: a club, an association; may be empty.
    pub host: Option<String>,
}

/// The delayed public value as an organizer gives it: `"none"`, or what it will be.
#[derive(Clone, Debug)]
pub struct DelayedField(pub Option<DelayedPlan>);

impl<'de> Deserialize<'de> for DelayedField {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DelayedField, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(word) if word == "none" => Ok(DelayedField(None)),
            value @ Value::Object(_) => {
                serde_json::from_value(value).map(|plan| DelayedField(Some(plan))).map_err(D::Error::custom)
            }
            _ => Err(D::Error::custom(
                "`delayed` is \"none\" or an object with `description` and `known_after`",
            )),
        }
    }
}

impl Fields {
    /// Whether only the way of playing is touched, which may change after the announcement.
    #[must_use]
    pub fn only_live(&self) -> bool {
        self.title.is_none()
            && self.ruleset.is_none()
            && self.rules.is_none()
            && self.ruleset_file.is_none()
            && self.format.is_none()
            && self.round_robin.is_none()
            && self.seat.is_none()
            && self.boards.is_none()
            && self.boards_per_round.is_none()
            && self.reserve_boards.is_none()
            && self.fill.is_none()
            && self.opponents.is_none()
            && self.measure.is_none()
            && self.scoring.is_none()
            && self.delayed.is_none()
            && self.host.is_none()
    }
}

/// A draft of a game with the game's usual values.
///
/// # Errors
/// None in a tested build: the shipped rulesets are valid.
pub fn blank<G: Levels>(id: &str) -> Result<Event<G>, Vec<Fault>> {
    let rules = rulesets::default::<G>()?;
    let mut event = Event {
        id: id.to_owned(),
        settings: Settings {
            title: String::new(),
            positions: Vec::new(),
            opponents: Some(G::DEFAULT_LEVEL.to_owned()),
            measure: Measure::Score,
            scoring: scoring::Rules::default(),
            stages: vec![usual_stage()],
        },
        rules,
        entrants: Vec::new(),
        rounds: Vec::new(),
        live: Live::default(),
        schedule: Schedule::default(),
    };
    event.settings.positions = positions(&event);
    Ok(event)
}

/// The stage of an event of which nothing is said.
const fn usual_stage() -> Stage {
    let rules = MovementRules {
        kind: Format::HumanAi { seat: 0 },
        boards: 16,
        boards_per_round: 4,
        fill: Fill::StandIn,
    };
    Stage { format: StageFormat::Movement(rules), advance: None }
}

/// Changes a draft.
///
/// # Errors
/// Everything that cannot be; the draft is to be thrown away then.
pub fn apply<G: Levels>(event: &mut Event<G>, fields: &Fields) -> Result<(), Vec<Fault>> {
    let mut faults = Vec::new();
    if let Some(title) = &fields.title {
        title.clone_into(&mut event.settings.title);
    }
    let usual = usual_minutes(event);
    match chosen_rules::<G>(fields) {
        Ok(Some(rules)) => event.rules = rules,
        Ok(None) => {}
        Err(wrong) => faults.extend(wrong),
    }
    apply_format(event, fields, &mut faults);
    apply_sizes(event, fields);
    apply_words(event, fields, &mut faults);
    apply_live(event, fields);
    if fields.round_minutes.is_none() && event.live.round_minutes == usual {
        event.live.round_minutes = usual_minutes(event);
    }
    event.settings.positions = positions(event);
    if !event.settings.plays_software() {
        event.settings.opponents = None;
    } else if event.settings.opponents.is_none() {
        event.settings.opponents = Some(G::DEFAULT_LEVEL.to_owned());
    }
    faults.extend(self::faults(event));
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// The ruleset that an organizer names, changes or gives as a file.
fn chosen_rules<G: Game>(fields: &Fields) -> Result<Option<Arc<G::Rules>>, Vec<Fault>> {
    match (&fields.ruleset, &fields.rules, &fields.ruleset_file) {
        (None, None, None) => Ok(None),
        (Some(name), None, None) => rulesets::shipped::<G>(name).map(Some),
        (None, Some(rules), None) => rulesets::overridden::<G>(rules).map(Some),
        (None, None, Some(text)) if text.len() as u64 > rulesets::FILE_MAX => {
            let told = message!("draft-ruleset-long", most = rulesets::FILE_MAX);
            Err(vec![Fault::new("ruleset_too_long", told)])
        }
        (None, None, Some(text)) => rulesets::parse::<G>(text).map(|rules| Some(Arc::new(rules))),
        _ => Err(vec![Fault::new("two_rulesets", message!("draft-two-rulesets"))]),
    }
}

/// How long a round usually lasts: as the ruleset says, where there are rounds.
fn usual_minutes<G: Game>(event: &Event<G>) -> u32 {
    match event.live.pace {
        Pace::Rounds => event.rules.round_minutes().unwrap_or(0).min(ROUND_MAX),
        Pace::Own => 0,
    }
}

fn apply_format<G: Levels>(event: &mut Event<G>, fields: &Fields, faults: &mut Vec<Fault>) {
    let seats = seats_of::<G>(&event.rules);
    let robin = fields.format.as_deref() == Some("round-robin");
    if robin || (fields.format.is_none() && event.settings.movement().is_none()) {
        if robin || fields.round_robin.is_some() {
            groups::apply(event, &fields.round_robin.clone().unwrap_or_default());
        }
        if fields.seat.is_some() {
            faults.push(Fault::new("bad_seat", message!("draft-seat-stray")));
        }
        return;
    }
    if fields.round_robin.is_some() {
        faults.push(Fault::new("bad_round_robin", message!("draft-groups-stray")));
    }
    if fields.format.is_some() && event.settings.movement().is_none() {
        event.settings.stages = vec![usual_stage()];
    }
    let Some(rules) = event.settings.movement_mut() else { return };
    if let Some(word) = &fields.format {
        match word.as_str() {
            "human-ai" => {
                if !matches!(rules.kind, Format::HumanAi { .. }) {
                    rules.kind = Format::HumanAi { seat: 0 };
                }
            }
            "individual" => rules.kind = Format::Individual,
            "pairs" => rules.kind = Format::Pairs,
            other => faults.push(Fault::new(
                "unknown_format",
                not_known("format", other, &["human-ai", "individual", "pairs", "round-robin"]),
            )),
        }
        if fields.boards_per_round.is_none() {
            rules.boards_per_round =
                if matches!(rules.kind, Format::HumanAi { .. }) { 4 } else { u32::from(seats) };
        }
    }
    if let Some(name) = &fields.seat {
        match (G::seat_named(name), rules.kind) {
            (Some(seat), Format::HumanAi { .. }) if seat.0 < seats => {
                rules.kind = Format::HumanAi { seat: seat.0 };
            }
            (Some(_), Format::HumanAi { .. }) | (None, _) => faults.push(Fault::new(
                "unknown_seat",
                message!("draft-seat", name = name.chars().take(20).collect::<String>()),
            )),
            _ => faults.push(Fault::new("bad_seat", message!("draft-seat-stray"))),
        }
    }
}

fn apply_sizes<G: Game>(event: &mut Event<G>, fields: &Fields) {
    if let Some(rules) = event.settings.movement_mut() {
        rules.boards = fields.boards.unwrap_or(rules.boards);
        rules.boards_per_round = fields.boards_per_round.unwrap_or(rules.boards_per_round);
        if fields.boards_per_round.is_none() {
            rules.boards_per_round = rules.boards_per_round.min(rules.boards.max(1));
        }
    }
    let schedule = &mut event.schedule;
    schedule.reserve_boards = fields.reserve_boards.unwrap_or(schedule.reserve_boards);
}

fn apply_words<G: Levels>(event: &mut Event<G>, fields: &Fields, faults: &mut Vec<Fault>) {
    if let Some(word) = &fields.fill {
        match word.parse::<Fill>() {
            Ok(fill) => {
                if let Some(rules) = event.settings.movement_mut() {
                    rules.fill = fill;
                }
            }
            Err(text) => faults.push(Fault::new("unknown_filling", text)),
        }
    }
    if let Some(level) = &fields.opponents {
        match players::find::<G>(level) {
            Ok(level) => event.settings.opponents = Some(level.info().name.to_owned()),
            Err(fault) => faults.push(fault),
        }
    }
    if let Some(measure) = fields.measure {
        event.settings.measure = measure;
    }
    if let Some(rules) = &fields.scoring {
        event.settings.scoring = rules.clone();
    }
    if let Some(language) = &fields.language {
        match language.parse::<Lang>() {
            Ok(lang) => lang.tag().clone_into(&mut event.schedule.language),
            Err(text) => faults.push(Fault::new("unknown_language", text)),
        }
    }
    if let Some(host) = &fields.host {
        host.clone_into(&mut event.schedule.host);
    }
    if let Some(DelayedField(plan)) = &fields.delayed {
        event.schedule.delayed.clone_from(plan);
    }
}

fn apply_live<G: Game>(event: &mut Event<G>, fields: &Fields) {
    // Who chooses that entrants meet has chosen rounds, too, unless something else is said.
    let meet = fields.format.is_some() && event.settings.own_seat().is_none();
    let live = &mut event.live;
    live.pace = fields.pace.unwrap_or(if meet { Pace::Rounds } else { live.pace });
    live.round_minutes = fields.round_minutes.unwrap_or(live.round_minutes);
    live.ai_delay_ms = fields.ai_delay_ms.unwrap_or(live.ai_delay_ms);
    live.grace_ms = fields.grace_ms.unwrap_or(live.grace_ms);
    live.late_s = fields.late_s.unwrap_or(live.late_s);
    live.between_s = fields.between_s.unwrap_or(live.between_s);
    live.auto_rounds = fields.auto_rounds.unwrap_or(live.auto_rounds);
    live.alarm_s = fields.alarm_s.unwrap_or(live.alarm_s);
    live.absent_s = fields.absent_s.unwrap_or(live.absent_s);
}

/// The seats of each position by name.
fn positions<G: Game>(event: &Event<G>) -> Vec<Vec<String>> {
    let name = |seat: u8| G::seat_name(Seat(seat)).unwrap_or_default().to_owned();
    let seats = seats_of::<G>(&event.rules);
    match event.settings.movement().map(|rules| rules.kind) {
        // Four seats are two pairs that sit opposite each other.
        None if G::KIND == GameKind::Tuolaji => vec![vec![name(0), name(2)], vec![name(1), name(3)]],
        Some(Format::Pairs) => vec![vec![name(0), name(2)], vec![name(1), name(3)]],
        _ => (0..seats).map(|seat| vec![name(seat)]).collect(),
    }
}

/// Everything about a draft that cannot be.
#[must_use]
pub fn faults<G: Levels>(event: &Event<G>) -> Vec<Fault> {
    let mut faults = Vec::new();
    let title = &event.settings.title;
    if !is_name(title, 200) {
        faults.push(Fault::new("bad_title", message!("draft-title")));
    }
    if !event.schedule.host.is_empty() && !is_name(&event.schedule.host, 100) {
        faults.push(Fault::new("bad_host", message!("draft-host")));
    }
    if !is_id(&event.id) {
        faults.push(Fault::new("bad_id", message!("draft-id")));
    }
    if event.schedule.reserve_boards > RESERVE_MAX {
        faults.push(Fault::new("out_of_range", message!("draft-reserve", reserve_max = RESERVE_MAX)));
    }
    if event.live.pace == Pace::Own && event.settings.own_seat().is_none() {
        faults.push(Fault::new("bad_pace", message!("draft-pace")));
    }
    if let Some(plan) = &event.schedule.delayed {
        let words = plan.description.chars().count();
        if !(1..=200).contains(&words) || plan.length > 1024 || plan.known_after <= 0 {
            faults.push(Fault::new("bad_delayed", message!("draft-delayed")));
        }
    }
    faults.extend(event.live.faults());
    let texts = event.settings.scoring_faults();
    faults.extend(texts.into_iter().map(|text| Fault::new("bad_scoring", text)));
    if event.settings.scoring.min_boards > event.settings.boards() {
        let told = message!("draft-min-boards", boards = event.settings.boards());
        faults.push(Fault::new("bad_scoring", told));
    }
    faults.extend(groups::faults(&event.settings));
    // What does not depend on the number of entrants.
    if let Some(rules) = event.settings.movement() {
        let request = event.settings.movement_request(enough(event, rules.kind), "check");
        faults.extend(
            request.iter().flat_map(formats::Request::faults).map(|fault| Fault::new(fault.code, fault.told)),
        );
    }
    faults
}

/// A number of entrants that fills tables well.
fn enough<G: Game>(event: &Event<G>, kind: Format) -> u32 {
    match kind {
        Format::HumanAi { .. } => 1,
        Format::Pairs => 4,
        Format::Individual => 2 * u32::from(seats_of::<G>(&event.rules)),
    }
}

/// The rules of an event as JSON, with the ruleset's hash.
#[must_use]
pub fn rules_of<G: Game>(rules: &Arc<G::Rules>) -> (Value, String) {
    let value = serde_json::to_value(rules.as_ref()).unwrap_or(Value::Null);
    (value, hex::encode(rulesets::hash(rules.as_ref())))
}
