//! The sections before the boards' journals: what was announced, revealed and decided, and the event's journal.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::sync::Arc;

use serde_json::Value;

use super::course::{Course, Known, course};
use super::source::Source;
use super::wrong::Wrong;
use super::{Found, Options};
use crate::canonical;
use crate::dealing::{
    AiReveal, Announcement, DealError, DelayedValue, DrawKey, DrawReveal, Reveal, SetDealer,
};
use crate::formats::settings::{Entrant, Settings};
use crate::formats::{Format, StageFormat};
use crate::games::{Game, Ruleset as _, Seat, rulesets};
use crate::journal::bundle::model::{AnnouncementLine, BundleLine, DelayedLine, RulesetLine, Section};
use crate::players::{self, AiKey, Levels, PlayerRef};
use crate::words::{Message, Part, is_name, message};

/// Everything before the boards' journals, checked.
pub(super) struct Preamble<G: Levels> {
    pub announcement: Announcement,
    pub settings: Settings,
    pub entrants: Vec<Entrant>,
    /// The AI players that play for entrants, by the entrants' ids.
    players: BTreeMap<String, PlayerRef<G>>,
    /// What the event's journal says.
    pub course: Course<G>,
    pub sets: u64,
    /// The key of the AI players, when their moves are to be computed again.
    pub ai_key: Option<AiKey>,
}

fn deal_wrong<R: BufRead>(source: &Source<R>, code: &'static str, error: &DealError) -> Box<Wrong> {
    source.wrong(code, error.message())
}

pub(super) fn read<G: Levels, R: BufRead>(
    source: &mut Source<R>,
    first: &BundleLine,
    options: &Options,
) -> Found<Preamble<G>> {
    let announcement = announcement(source, first, options)?;
    let delayed = delayed(source, &announcement)?;
    let dealers = sets::<G, R>(source, &announcement, &delayed)?;
    let ai_key = ai_key(source, &announcement)?;
    let draw_key = draw_key(source, &announcement)?;
    let rules = ruleset::<G, R>(source, &announcement)?;
    let settings: Settings = source.one(Section::Settings)?;
    let written = canonical::hash_of(&settings).unwrap_or_default();
    if announcement.body().settings.is_some_and(|announced| announced != written) {
        return Err(source.wrong("other_settings", Message::plain("verify-other-settings")));
    }
    positions::<G, R>(source, &settings)?;
    let entrants = entrants(source)?;
    levels::<G, R>(source, &announcement, &settings, &entrants, options)?;
    let known = Known {
        announcement: &announcement,
        delayed: &delayed,
        draw_key: &draw_key,
        dealers: &dealers,
        rules: &rules,
        settings: &settings,
        entrants: &entrants,
    };
    let course = course(source, &known)?;
    let ai_key = ai_key.filter(|_| options.ai);
    let sets = dealers.len() as u64;
    let player = |entrant: &Entrant| {
        let level = players::find::<G>(entrant.level.as_deref()?).ok()?;
        Some((entrant.id.clone(), level))
    };
    let players = entrants.iter().filter_map(player).collect();
    Ok(Preamble { announcement, settings, entrants, players, course, sets, ai_key })
}

fn announcement<R: BufRead>(
    source: &mut Source<R>,
    first: &BundleLine,
    options: &Options,
) -> Found<Announcement> {
    let line: AnnouncementLine = source.one(Section::Announcement)?;
    let text = canonical::to_string(&line.body).unwrap_or_default();
    let announcement = Announcement::parse_canonical(&text)
        .map_err(|error| deal_wrong(source, "bad_announcement", &error))?;
    if line.hash != hex::encode(announcement.hash()) {
        return Err(source.wrong("announcement_hash", Message::plain("verify-announcement-hash")));
    }
    let body = announcement.body();
    source.server_key = Some(body.server_key);
    if body.event != first.event || body.game != first.game {
        return Err(source.wrong("other_event", Message::plain("verify-other-event")));
    }
    if options.announcement.is_some_and(|published| published != *announcement.hash()) {
        let message = Message::plain("verify-not-announced").with("found", line.hash);
        return Err(source.wrong("not_announced", message));
    }
    Ok(announcement)
}

fn delayed<R: BufRead>(source: &mut Source<R>, announcement: &Announcement) -> Found<DelayedValue> {
    let line: DelayedLine = source.one(Section::Delayed)?;
    let value = announcement
        .delayed_value(line.value.as_deref())
        .map_err(|error| deal_wrong(source, "bad_delayed", &error))?;
    if line.value.as_deref().is_some_and(|written| written != value.as_str()) {
        return Err(source.wrong("not_canonical", Message::plain("verify-not-canonical")));
    }
    Ok(value)
}

/// Dealers of the revealed sets by id.
pub(super) type Dealers = BTreeMap<String, SetDealer>;

fn sets<G: Game, R: BufRead>(
    source: &mut Source<R>,
    announcement: &Announcement,
    delayed: &DelayedValue,
) -> Found<Dealers> {
    let mut dealers = Dealers::new();
    let mut next = Some(source.one::<Reveal>(Section::Set)?);
    while let Some(reveal) = next {
        let dealer = announcement
            .revealed_dealer(G::PACK, &reveal, delayed)
            .map_err(|error| deal_wrong(source, "wrong_key", &error))?;
        if dealers.insert(reveal.set.clone(), dealer).is_some() {
            return Err(source.wrong("set_twice", Message::plain("verify-set-twice")));
        }
        next = source.next_of(Section::Set)?;
    }
    Ok(dealers)
}

fn draw_key<R: BufRead>(source: &mut Source<R>, announcement: &Announcement) -> Found<DrawKey> {
    let reveal: DrawReveal = source.one(Section::DrawKey)?;
    reveal.verify(announcement).map_err(|error| deal_wrong(source, error.code(), &error))
}

fn ai_key<R: BufRead>(source: &mut Source<R>, announcement: &Announcement) -> Found<Option<AiKey>> {
    let reveal: Option<AiReveal> = source.next_of(Section::AiKey)?;
    match reveal {
        Some(reveal) => {
            let key =
                reveal.verify(announcement).map_err(|error| deal_wrong(source, "wrong_ai_key", &error))?;
            Ok(Some(AiKey::new(*key.expose())))
        }
        None if announcement.body().ai.levels.is_empty() => Ok(None),
        None => Err(source.expected(Section::AiKey)),
    }
}

fn ruleset<G: Game, R: BufRead>(source: &mut Source<R>, announcement: &Announcement) -> Found<Arc<G::Rules>> {
    let line: RulesetLine = source.one(Section::Ruleset)?;
    let rules: G::Rules = serde_json::from_value(Value::Object(line.rules.clone())).map_err(|error| {
        let detail = rulesets::told_by_library(&crate::journal::strict::short(&error.to_string()));
        source.wrong("bad_fields", Message::plain("verify-bad-fields").with("detail", detail))
    })?;
    let announced = &announcement.body().ruleset;
    let written = canonical::hash_of(&line.rules).unwrap_or_default();
    if written != announced.hash || rulesets::hash(&rules) != announced.hash || rules.name() != announced.name
    {
        return Err(source.wrong("other_ruleset", Message::plain("verify-other-ruleset")));
    }
    let named = rulesets::read::<G>(&Value::Object(line.rules)).err().unwrap_or_default();
    if let Some(fault) = named.first() {
        let message = Message::plain("verify-bad-fields").with("detail", &fault.told);
        return Err(source.wrong("bad_fields", message));
    }
    Ok(Arc::new(rules))
}

/// The positions are all seats of a table, each once; one position per seat, or one per pair.
fn positions<G: Game, R: BufRead>(source: &Source<R>, settings: &Settings) -> Found<()> {
    let bad = |detail: Message| {
        source.wrong("bad_settings", Message::plain("verify-bad-settings").with("detail", detail))
    };
    let faults = settings.scoring_faults();
    if !faults.is_empty() {
        return Err(bad(message!("verbatim", text = Part::List(faults))));
    }
    if !is_name(&settings.title, 200) {
        return Err(bad("title".into()));
    }
    let size = settings.positions.first().map_or(0, Vec::len).min(2);
    let mut taken = BTreeSet::new();
    for names in &settings.positions {
        let seats: Option<Vec<Seat>> = names.iter().map(|name| G::seat_named(name)).collect();
        match seats {
            Some(seats) if seats.len() == size && seats.iter().all(|seat| taken.insert(*seat)) => {}
            _ => return Err(bad("positions".into())),
        }
    }
    let whole = (0_u8..).zip(&taken).all(|(number, seat)| seat.0 == number);
    if !whole || settings.positions.len() < 2 {
        return Err(bad("positions".into()));
    }
    for stage in &settings.stages {
        let StageFormat::Movement(rules) = &stage.format else { continue };
        let fits = match rules.kind {
            Format::HumanAi { seat } => size == 1 && taken.contains(&Seat(seat)),
            Format::Individual => size == 1,
            Format::Pairs => size == 2,
        };
        if !fits {
            return Err(bad("format".into()));
        }
    }
    Ok(())
}

/// Letters, digits, `.`, `_`, `-`: no id looks like `ai:…` or `stand-in:…`.
fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

/// The longest name of an entrant, in characters: two names of 100 and ` / ` between them.
const NAME_MAX: usize = 203;
/// The longest name of a club or a region, in characters.
const ORIGIN_MAX: usize = 100;

fn entrants<R: BufRead>(source: &mut Source<R>) -> Found<Vec<Entrant>> {
    let mut entrants: Vec<Entrant> = Vec::new();
    let mut ids = BTreeSet::new();
    let mut next = Some(source.one::<Entrant>(Section::Entrant)?);
    while let Some(entrant) = next {
        let last = entrants.last().map_or(0, |entrant| entrant.number);
        let number = entrant.number;
        let told = |text: &Option<String>| text.as_ref().is_none_or(|text| is_name(text, ORIGIN_MAX));
        let good = is_id(&entrant.id)
            && is_name(&entrant.name, NAME_MAX)
            && told(&entrant.club)
            && told(&entrant.region);
        if number <= last || !good {
            let message = Message::plain("verify-bad-entrant").with("number", number).with("most", NAME_MAX);
            return Err(source.wrong("bad_entrant", message).of(&entrant.id));
        }
        if !ids.insert(entrant.id.clone()) {
            let wrong = source.wrong("entrant_twice", Message::plain("verify-entrant-twice"));
            return Err(wrong.of(&entrant.id));
        }
        entrants.push(entrant);
        next = source.next_of(Section::Entrant)?;
    }
    Ok(entrants)
}

/// Every level in use was announced and is the one that this program has.
fn levels<G: Levels, R: BufRead>(
    source: &Source<R>,
    announcement: &Announcement,
    settings: &Settings,
    entrants: &[Entrant],
    options: &Options,
) -> Found<()> {
    let used = settings.opponents.iter().chain(entrants.iter().filter_map(|entrant| entrant.level.as_ref()));
    for name in used.collect::<BTreeSet<_>>() {
        let announced = announcement.body().ai.levels.iter().find(|level| level.name == *name);
        let Some(announced) = announced else {
            let message = Message::plain("verify-level-not-announced").with("level", name);
            return Err(source.wrong("level_not_announced", message));
        };
        let own = players::find::<G>(name).ok().map(|player| player.info().hash());
        if options.ai && own != Some(announced.hash) {
            let message = Message::plain("verify-level-changed").with("level", name);
            return Err(source.wrong("level_changed", message));
        }
    }
    Ok(())
}

impl<G: Levels> Preamble<G> {
    /// The level that plays for somebody whom a sitting names; `None` for a person.
    pub fn level(&self, who: &str) -> Option<PlayerRef<G>> {
        let find = |name: &str| players::find::<G>(name).ok();
        if let Some(name) = who.strip_prefix("ai:") {
            return find(name);
        }
        if who.starts_with("stand-in:") {
            return self.settings.opponents.as_deref().and_then(find);
        }
        self.players.get(who).copied()
    }
}
