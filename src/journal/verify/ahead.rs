//! The sections ahead of the journals: what was announced, revealed, decided and planned.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::sync::Arc;

use serde_json::Value;

use super::source::Source;
use super::table::Dealt;
use super::wrong::Wrong;
use super::{Found, Options};
use crate::canonical;
use crate::dealing::{
    AiReveal, Announcement, DealError, DelayedValue, DrawReveal, DrawSeed, Purpose, ReserveUse, Reveal,
    SEATS, SetDealer, draw_seed, list_hash,
};
use crate::formats::settings::{Entrant, Settings};
use crate::formats::{self, Occupant, Round};
use crate::games::{Game, Ruleset as _, Seat, rulesets};
use crate::journal::Header;
use crate::journal::bundle::model::{
    AnnouncementLine, BundleLine, DelayedLine, DrawLine, RoundStart, RulesetLine, Section,
};
use crate::players::{self, AiKey, Levels, PlayerRef};
use crate::words::{Message, Part, is_name, message};

/// Everything ahead of the journals, checked.
pub(super) struct Ahead<G: Game> {
    pub announcement: Announcement,
    pub settings: Settings,
    /// The seats of each position, with the position's name.
    pub positions: Vec<(String, Vec<Seat>)>,
    pub entrants: Vec<Entrant>,
    pub rounds: Vec<Round>,
    /// The rounds that have started, by number.
    pub starts: BTreeMap<u32, RoundStart>,
    /// Why reserve sets were opened, each with its line of the file.
    pub reserves: Vec<(ReserveUse, u64)>,
    /// The boards of the movement by number.
    pub boards: BTreeMap<u32, Dealt<G>>,
    pub sets: u64,
    /// Before this instant nobody could know any cards, µs since 1970: nothing about a board can be older.
    pub not_before: i64,
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
) -> Found<Ahead<G>> {
    let announcement = announcement(source, first, options)?;
    let delayed = delayed(source, &announcement)?;
    let not_before = announcement.not_before();
    let (dealers, reserves, sets) = sets::<G, R>(source, &announcement, &delayed)?;
    let ai_key = ai_key(source, &announcement)?;
    let rules = ruleset::<G, R>(source, &announcement)?;
    let settings: Settings = source.one(Section::Settings)?;
    let written = canonical::hash_of(&settings).unwrap_or_default();
    if announcement.body().settings.is_some_and(|announced| announced != written) {
        return Err(source.wrong("other_settings", Message::plain("verify-other-settings")));
    }
    let positions = positions::<G, R>(source, &settings)?;
    let entrants = entrants(source)?;
    let drawn = draw(source, &announcement, &delayed, &entrants)?;
    let rounds = rounds(source, &positions, &entrants)?;
    movement(source, &announcement, &settings, &entrants, &rounds, drawn)?;
    let starts = starts(source, &rounds, not_before)?;
    let known = Known { announcement: &announcement, dealers: &dealers, reserves: &reserves, not_before };
    let boards = boards::<G, R>(source, &known, &rules, &rounds)?;
    levels::<G, R>(source, &announcement, &settings, &entrants, options)?;
    let ai_key = ai_key.filter(|_| options.ai);
    Ok(Ahead {
        announcement,
        settings,
        positions,
        entrants,
        rounds,
        starts,
        reserves,
        boards,
        sets,
        not_before,
        ai_key,
    })
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

type Dealers = BTreeMap<String, SetDealer>;
/// Why reserve sets were opened, each with its line of the file.
type Reserves = Vec<(ReserveUse, u64)>;

fn sets<G: Game, R: BufRead>(
    source: &mut Source<R>,
    announcement: &Announcement,
    delayed: &DelayedValue,
) -> Found<(Dealers, Reserves, u64)> {
    let mut dealers = BTreeMap::new();
    let mut sets = 0;
    let mut next = Some(source.one::<Reveal>(Section::Set)?);
    while let Some(reveal) = next {
        let dealer = announcement
            .revealed_dealer(G::PACK, &reveal, delayed)
            .map_err(|error| deal_wrong(source, "wrong_key", &error))?;
        if dealers.insert(reveal.set.clone(), dealer).is_some() {
            return Err(source.wrong("set_twice", Message::plain("verify-set-twice")));
        }
        sets += 1;
        next = source.next_of(Section::Set)?;
    }
    let mut log: Vec<ReserveUse> = Vec::new();
    let mut lines = Vec::new();
    while let Some(entry) = source.next_of::<ReserveUse>(Section::Reserve)? {
        let published_at = announcement.body().published_at;
        if entry.at < published_at {
            let message = Message::plain("verify-instant-runs-back")
                .with("at", entry.at)
                .with("earliest", published_at);
            return Err(source.wrong("instant_runs_back", message));
        }
        log.push(entry);
        lines.push(source.line());
        announcement.verify_reserves([], &log).map_err(|error| deal_wrong(source, "bad_reserve", &error))?;
    }
    announcement
        .verify_reserves(dealers.keys().map(String::as_str), &log)
        .map_err(|error| deal_wrong(source, "bad_reserve", &error))?;
    Ok((dealers, log.into_iter().zip(lines).collect(), sets))
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

type Positions = Vec<(String, Vec<Seat>)>;

/// The positions are all seats of a table, each once; one position per seat, or one per pair.
fn positions<G: Game, R: BufRead>(source: &Source<R>, settings: &Settings) -> Found<Positions> {
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
    let size = if settings.pairs() { 2 } else { 1 };
    let mut taken = BTreeSet::new();
    let mut positions = Vec::new();
    for names in &settings.positions {
        let seats: Option<Vec<Seat>> = names.iter().map(|name| G::seat_named(name)).collect();
        match seats {
            Some(seats) if seats.len() == size && seats.iter().all(|seat| taken.insert(*seat)) => {
                positions.push((names.concat(), seats));
            }
            _ => return Err(bad("positions".into())),
        }
    }
    let whole = (0_u8..).zip(&taken).all(|(number, seat)| seat.0 == number);
    if !whole || positions.len() < 2 {
        return Err(bad("positions".into()));
    }
    if let Some(seat) = settings.own_seat()
        && !taken.contains(&Seat(seat))
    {
        return Err(bad("format".into()));
    }
    Ok(positions)
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

/// What the seat draw gives.
struct Drawn {
    /// The seed in hexadecimal digits.
    seed: String,
    /// Who has which place in the plan.
    draw: formats::Draw,
}

/// The seat draw: its seed follows from the announced key, the announcement, the delayed value and the list, and gives
/// every entrant a place in the plan; the list is that of the entrants in order of their numbers.
fn draw<R: BufRead>(
    source: &mut Source<R>,
    announcement: &Announcement,
    delayed: &DelayedValue,
    entrants: &[Entrant],
) -> Found<Drawn> {
    let line: DrawLine = source.one(Section::Draw)?;
    let reveal = DrawReveal { key: line.key, salt: line.salt };
    let key = reveal.verify(announcement).map_err(|error| deal_wrong(source, error.code(), &error))?;
    let none = DelayedValue::none();
    let earliest = if line.delayed { announcement.not_before() } else { announcement.body().published_at };
    if line.at < earliest {
        let message =
            Message::plain("verify-instant-runs-back").with("at", line.at).with("earliest", earliest);
        return Err(source.wrong("instant_runs_back", message));
    }
    let about = DrawSeed {
        announcement_hash: announcement.hash(),
        delayed: if line.delayed { delayed } else { &none },
        purpose: SEATS,
        number: 1,
        list: &list_hash(&line.order),
    };
    let seed = hex::encode(draw_seed(&key, &about));
    if !line.order.iter().eq(entrants.iter().map(|entrant| &entrant.id)) {
        return Err(source.wrong("other_draw", Message::plain("verify-other-draw")));
    }
    let count = u32::try_from(line.order.len()).unwrap_or(u32::MAX);
    let draw = formats::draw(count, seed.as_bytes());
    Ok(Drawn { seed, draw })
}

/// The rounds on original boards are the movement that follows from the draw's seed; behind them stand only rounds on
/// boards of reserve sets.
fn movement<R: BufRead>(
    source: &Source<R>,
    announcement: &Announcement,
    settings: &Settings,
    entrants: &[Entrant],
    rounds: &[Round],
    drawn: Drawn,
) -> Found<()> {
    let originals = || announcement.body().sets.iter().filter(|set| set.purpose == Purpose::Original);
    let original = |board: &u32| originals().any(|set| (set.first..=set.last).contains(board));
    let planned = rounds.iter().take_while(|round| round.boards.iter().all(original)).count();
    let (planned, replays) = rounds.split_at(planned);
    let count = u32::try_from(entrants.len()).unwrap_or(u32::MAX);
    let request = settings.movement_request(count, &drawn.seed);
    let numbers: Vec<u32> = entrants.iter().map(|entrant| entrant.number).collect();
    let seated = |plan: formats::Plan| drawn.draw.seat(plan.rounds, &numbers);
    let follows =
        request.is_some_and(|request| formats::plan(&request).is_ok_and(|plan| seated(plan) == planned));
    if follows && replays.iter().all(|round| !round.boards.iter().any(original)) {
        return Ok(());
    }
    Err(source.wrong_section("other_movement", Message::plain("verify-other-movement")))
}

/// When the rounds started, each once and in order.
fn starts<R: BufRead>(
    source: &mut Source<R>,
    rounds: &[Round],
    not_before: i64,
) -> Found<BTreeMap<u32, RoundStart>> {
    let mut starts: BTreeMap<u32, RoundStart> = BTreeMap::new();
    while let Some(start) = source.next_of::<RoundStart>(Section::Start)? {
        let follows = starts.last_key_value().is_none_or(|(last, _)| *last < start.round);
        if !follows || !rounds.iter().any(|round| round.round == start.round) {
            let detail = message!("round-start", round = start.round);
            return Err(source.wrong("bad_round", Message::plain("verify-bad-round").with("detail", detail)));
        }
        if start.at < not_before {
            let message =
                Message::plain("verify-instant-runs-back").with("at", start.at).with("earliest", not_before);
            return Err(source.wrong("instant_runs_back", message));
        }
        starts.insert(start.round, start);
    }
    Ok(starts)
}

fn rounds<R: BufRead>(
    source: &mut Source<R>,
    positions: &Positions,
    entrants: &[Entrant],
) -> Found<Vec<Round>> {
    let mut rounds: Vec<Round> = Vec::new();
    let mut boards = BTreeSet::new();
    let mut next = Some(source.one::<Round>(Section::Round)?);
    while let Some(round) = next {
        let bad = |source: &Source<R>, detail: Message| {
            Err(source.wrong("bad_round", Message::plain("verify-bad-round").with("detail", detail)))
        };
        if round.round as usize != rounds.len() + 1 {
            return bad(source, message!("round-place", round = round.round, place = rounds.len() + 1));
        }
        if round.boards.is_empty() || !round.boards.iter().all(|board| boards.insert(*board)) {
            return bad(source, message!("round-boards"));
        }
        if let Err(detail) = sittings(&round, positions, entrants) {
            return bad(source, detail);
        }
        rounds.push(round);
        next = source.next_of(Section::Round)?;
    }
    Ok(rounds)
}

/// Everybody sits once per board, or has a bye.
fn sittings(round: &Round, positions: &Positions, entrants: &[Entrant]) -> Result<(), Message> {
    for (place, board) in round.boards.iter().enumerate() {
        let mut seen: BTreeSet<Occupant> =
            round.byes.iter().map(|number| Occupant::Entrant(*number)).collect();
        if seen.len() != round.byes.len() {
            return Err(message!("round-byes"));
        }
        for (number, table) in (1..).zip(&round.tables) {
            let sitting = table.sittings.get(place).filter(|sitting| sitting.len() == positions.len());
            let Some(sitting) =
                sitting.filter(|_| table.table == number && table.sittings.len() == round.boards.len())
            else {
                return Err(message!("round-table", number));
            };
            for who in sitting {
                if *who != Occupant::Ai && !seen.insert(*who) {
                    return Err(message!("round-twice", who, board));
                }
            }
        }
        let known =
            |who: &Occupant| who.entrant().is_none_or(|number| Entrant::numbered(entrants, number).is_some());
        if !seen.iter().all(known) {
            return Err(message!("round-stranger", board));
        }
        if seen.iter().filter(|who| who.entrant().is_some()).count() != entrants.len() {
            return Err(message!("round-absent", board));
        }
    }
    Ok(())
}

/// What the boards are dealt from.
struct Known<'a> {
    announcement: &'a Announcement,
    dealers: &'a Dealers,
    reserves: &'a [(ReserveUse, u64)],
    not_before: i64,
}

/// Deals every board of the movement from the revealed keys.
fn boards<G: Game, R: BufRead>(
    source: &Source<R>,
    known: &Known<'_>,
    rules: &Arc<G::Rules>,
    rounds: &[Round],
) -> Found<BTreeMap<u32, Dealt<G>>> {
    let Known { announcement, dealers, reserves, not_before } = known;
    let mut boards = BTreeMap::new();
    // A reserve set may repeat the numbers of an original one; it counts where no original set holds the board.
    let mut revealed: Vec<_> =
        announcement.body().sets.iter().filter(|set| dealers.contains_key(&set.id)).collect();
    revealed.sort_by_key(|set| set.purpose == Purpose::Reserve);
    let mut used = BTreeSet::new();
    for number in rounds.iter().flat_map(|round| &round.boards) {
        let mut holding = revealed.iter().filter(|set| (set.first..=set.last).contains(number));
        let first = holding.next();
        let rival = holding.next().filter(|rival| Some(rival.purpose) == first.map(|set| set.purpose));
        let (Some(set), None) = (first, rival) else {
            let message = Message::plain("verify-no-set").with("board", number);
            return Err(source.wrong_section("no_set", message));
        };
        used.insert(set.id.as_str());
        let Some(dealer) = dealers.get(&set.id) else { continue };
        let name = format!("{}/{number}", set.id);
        let start = G::deal(rules, *number, &dealer.order(*number));
        let header = Header::<G>::new(name.clone(), Arc::clone(rules), start);
        // A reserve set is played after the decision to open it.
        let of_set = |(reserve, _): &&(ReserveUse, u64)| reserve.set == set.id;
        let opened = reserves.iter().filter(of_set).map(|(reserve, _)| reserve.at).max();
        let not_before = opened.unwrap_or(*not_before).max(*not_before);
        boards.insert(*number, Dealt::new(*number, name, header, not_before));
    }
    if let Some(unused) = dealers.keys().find(|id| !used.contains(id.as_str())) {
        let message = Message::plain("verify-set-unused").with("set", unused);
        return Err(source.wrong_section("set_unused", message));
    }
    Ok(boards)
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

impl<G: Levels> Ahead<G> {
    /// Who an occupant is: the text in a journal's seats, and the level that plays.
    pub fn who(&self, occupant: Occupant) -> (String, Option<PlayerRef<G>>) {
        let level = |name: Option<&String>| name.and_then(|name| players::find::<G>(name).ok());
        let opponents = self.settings.opponents.as_ref();
        match occupant {
            Occupant::Entrant(number) => {
                let entrant = Entrant::numbered(&self.entrants, number);
                let id = entrant.map(|entrant| entrant.id.clone()).unwrap_or_default();
                (id, level(entrant.and_then(|entrant| entrant.level.as_ref())))
            }
            Occupant::StandIn(number) => (format!("stand-in:{number}"), level(opponents)),
            Occupant::Ai => {
                let name = opponents.map_or("", String::as_str);
                (format!("ai:{name}"), level(opponents))
            }
        }
    }
}
