//! Reading a hand of a PHH file.
//!
//! Two passes over the actions: the first gathers the cards, the second walks along with the engine to find out
//! whether `cbr` is a bet or a raise and whether board cards come when they are due. What the rules refuse is
//! written down as it stands: whoever replays the record finds it at the same place.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use toml::Table;

use super::DEAD;
use super::VARIANTS;
use super::amount::Decimal;
use super::cards;
use super::fields::Fields;
use super::file::{LineStarts, Spans};
use super::remark::Remark;
use super::walk::Walk;
use crate::cards::Card;
use crate::games::holdem::start::{NAMES, SEATS_MAX, seat_name, words};
use crate::games::holdem::{Holdem, Rules, Start};
use crate::games::{ActionText, Fault, Game, Seat, StartError, rulesets};
use crate::words::{Message, message};

/// One line of a hand, as an action of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line of the file, from 1.
    pub line: usize,
    /// Which of the actions it is, from 1; 0 for what is compared after the last.
    pub index: usize,
    /// The seat, if the line has one.
    pub seat: Option<Seat>,
    /// The action as the file has it.
    pub written: String,
    /// The action as a record has it, or why it cannot be read.
    pub action: Result<ActionText, Message>,
    /// Whether it is an official's: a hand is dead.
    pub official: bool,
}

/// A hand that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// `hand` of the file: the name or number of the hand.
    pub name: Option<String>,
    /// The ruleset of the hand: this program's own `_ruleset`, else the default.
    pub rules: Arc<Rules>,
    /// Seats are numbered as the file's players: `p1` sits in seat 1, the button is the last seat.
    pub start: Start,
    /// What was done.
    pub lines: Vec<Line>,
    /// How many decimal places the amounts have: the record counts in units of the last of them.
    pub places: u32,
    /// What the winners of a cash hand paid out of the pots, in the record's units.
    pub rake: u64,
    /// What is written otherwise than the rules have it and was read all the same.
    pub remarks: Vec<Remark>,
    /// The first thing that is refused: which action it is (0: what is compared after the last), and its text.
    pub refused: Option<(usize, String)>,
}

pub(super) fn header(faults: Vec<Fault>) -> StartError {
    StartError::Header(faults)
}

/// An action of the file.
pub(super) enum Act {
    Nothing,
    Hole(usize, Vec<Option<Card>>),
    Board(Vec<Option<Card>>),
    Fold(usize),
    /// A fold with the comment `dead`: an official killed the hand.
    Dead(usize),
    Call(usize),
    Raise(usize, Decimal),
    Show(usize, Vec<Option<Card>>),
    /// `sm -`: shows the cards that are known already.
    ShowKnown(usize),
    Muck(usize),
}

fn parse_act(text: &str) -> Result<Act, Message> {
    let (text, comment) = text.split_once('#').unwrap_or((text, ""));
    let player = |word: &str| {
        let number = word.strip_prefix('p').and_then(|number| number.parse::<usize>().ok());
        number
            .filter(|number| (1..=SEATS_MAX).contains(number))
            .ok_or_else(|| message!("phh-no-player", word))
    };
    let run = |word: &str| cards::parse(word).ok_or_else(|| message!("phh-no-cards", word));
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        [] => Ok(Act::Nothing),
        ["d", "dh", who, dealt] => Ok(Act::Hole(player(who)?, run(dealt)?)),
        ["d", "db", dealt] => Ok(Act::Board(run(dealt)?)),
        [who, "f"] if comment.trim() == DEAD => Ok(Act::Dead(player(who)?)),
        [who, "f"] => Ok(Act::Fold(player(who)?)),
        [who, "cc"] => Ok(Act::Call(player(who)?)),
        [who, "cbr", amount] => {
            let to = Decimal::parse(amount).ok_or_else(|| message!("phh-no-amount", amount))?;
            Ok(Act::Raise(player(who)?, to))
        }
        [who, "sm"] => Ok(Act::Muck(player(who)?)),
        [who, "sm", "-"] => Ok(Act::ShowKnown(player(who)?)),
        [who, "sm", shown] => Ok(Act::Show(player(who)?, run(shown)?)),
        _ => {
            let shown: String = text.trim().chars().take(60).collect();
            Err(message!("phh-no-action", shown))
        }
    }
}

pub(super) fn read_hand(
    starts: &LineStarts,
    table: &Table,
    spans: &Spans,
    first: usize,
) -> Result<Hand, StartError> {
    refuse_variant(table)?;
    let mut fields = Fields { table, faults: Vec::new() };
    fields.unknown_keys();
    let stacks = fields.amounts("starting_stacks", true);
    let antes = fields.amounts("antes", true);
    let posts = fields.posts_of_newcomers();
    let blinds = if posts { None } else { fields.amounts("blinds_or_straddles", true) };
    let min_bet = fields.one("min_bet");
    let finishing = fields.amounts("finishing_stacks", false);
    let winnings = fields.amounts("winnings", false);
    let actions = read_actions(&mut fields, starts, spans, first);
    let (Some(stacks), Some(antes), Some(blinds), Some(min_bet)) = (stacks, antes, blinds, min_bet) else {
        return Err(header(fields.faults));
    };
    let count = stacks.len();
    if !(2..=SEATS_MAX).contains(&count) {
        fields.fault("wrong_count", message!("phh-player-count", count));
    }
    for (key, list) in [
        ("antes", Some(&antes)),
        ("blinds_or_straddles", Some(&blinds)),
        ("finishing_stacks", finishing.as_ref()),
        ("winnings", winnings.as_ref()),
    ] {
        if list.is_some_and(|list| list.len() != count) {
            fields.fault("wrong_count", message!("phh-list-count", key, count));
        }
    }
    fields.seats(count);
    if !fields.faults.is_empty() {
        return Err(header(fields.faults));
    }
    let raises = actions.iter().filter_map(|action| match action.act {
        Ok(Act::Raise(_, to)) => Some(to),
        _ => None,
    });
    let after = finishing.iter().chain(&winnings).flatten();
    let amounts = stacks.iter().chain(&antes).chain(&blinds).chain(after).copied();
    let places = amounts.chain(raises).chain([min_bet]).map(Decimal::places).max().unwrap_or_default();
    let scale =
        |list: &[Decimal]| list.iter().map(|amount| amount.scaled(places)).collect::<Option<Vec<u64>>>();
    let (Some(stacks), Some(antes), Some(blinds), Some(min_bet)) =
        (scale(&stacks), scale(&antes), scale(&blinds), min_bet.scaled(places))
    else {
        return Err(header(vec![Fault::new("bad_amount", message!("phh-too-fine"))]));
    };
    let rules = read_rules(table)?;
    let unit = match table.get("_unit").and_then(toml::Value::as_integer) {
        Some(unit) => u64::try_from(unit).unwrap_or_default(),
        None => 1,
    };
    let mut object = settings(&stacks, &antes, &blinds, min_bet, unit).map_err(header)?;
    object.insert("deal".to_owned(), deal(count, &actions).map_err(StartError::Deal)?);
    let start = Holdem::read_start(&rules, &object)?;
    let mut walk = Walk::new(Holdem::open(&rules, &start), places);
    let mut lines: Vec<Line> = actions.into_iter().filter_map(|action| walk.step(action)).collect();
    let line = lines.last().map_or(first, |last| last.line);
    let money = ["currency", "currency_symbol"].iter().any(|key| table.contains_key(*key));
    let mut rake = 0;
    for (key, list) in [("finishing_stacks", finishing), ("winnings", winnings)] {
        let Some(given) = list.and_then(|list| scale(&list)).filter(|_| !walk.stopped) else { continue };
        match walk.compare(key, &given, money) {
            Ok(paid) => rake = rake.max(paid),
            Err((seat, message)) => {
                let written = format!("{key} {}", seat.map_or("", seat_name));
                walk.refused = Some((0, written.clone()));
                lines.push(Line { line, index: 0, seat, written, action: Err(message), official: false });
                walk.stopped = true;
            }
        }
    }
    let name = table.get("hand").map(|hand| match hand.as_str() {
        Some(name) => name.chars().take(100).collect(),
        None => hand.to_string(),
    });
    Ok(Hand { name, rules, start, lines, places, rake, remarks: walk.remarks, refused: walk.refused })
}

fn refuse_variant(table: &Table) -> Result<(), StartError> {
    let code = table.get("variant").and_then(toml::Value::as_str);
    let message = match code {
        Some("NT") => return Ok(()),
        None => message!("phh-no-variant"),
        Some(code) => {
            let known = VARIANTS.iter().find(|(known, _)| *known == code);
            let shown: String = code.chars().take(40).collect();
            let what = known.map_or(message!("phh-variant-unknown"), |(_, name)| Message::plain(name));
            message!("phh-variant", shown, what)
        }
    };
    Err(header(vec![Fault::new("other_variant", message)]))
}

/// `_ruleset`: the name of a shipped ruleset, or a table with `base` and the fields that differ from it.
fn read_rules(table: &Table) -> Result<Arc<Rules>, StartError> {
    let bad = |message: Message| vec![Fault::new("bad_ruleset", message)];
    match table.get("_ruleset") {
        None => rulesets::default::<Holdem>(),
        Some(toml::Value::String(name)) => rulesets::shipped::<Holdem>(name),
        Some(value) => match serde_json::to_value(value) {
            Ok(Value::Object(changes)) => rulesets::overridden::<Holdem>(&changes),
            _ => Err(bad(message!("phh-ruleset"))),
        },
    }
    .map_err(header)
}

/// An action with its place: the line, and which of the actions it is.
pub(super) struct Placed {
    pub(super) line: usize,
    pub(super) index: usize,
    pub(super) written: String,
    pub(super) act: Result<Act, Message>,
}

type Actions = Vec<Placed>;

fn read_actions(fields: &mut Fields<'_>, starts: &LineStarts, spans: &Spans, first: usize) -> Actions {
    let Some(items) = fields.table.get("actions").and_then(toml::Value::as_array) else {
        fields.fault("missing_key", message!("phh-needs-actions"));
        return Vec::new();
    };
    let mut actions = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let span = spans.actions.as_ref().and_then(|actions| actions.get(index));
        let line = span.map_or(first, |span| starts.line(span.span().start));
        match item.as_str() {
            Some(written) => {
                let (index, act) = (index + 1, parse_act(written));
                actions.push(Placed { line, index, written: written.trim().to_owned(), act });
            }
            None => fields.fault("wrong_type", message!("phh-action-text", number = index + 1)),
        }
    }
    actions
}

/// The header keys of a hand: `p1` in seat 1, the button in the last seat. Heads-up the lists are the other way round.
fn settings(
    stacks: &[u64],
    antes: &[u64],
    blinds: &[u64],
    min_bet: u64,
    unit: u64,
) -> Result<Map<String, Value>, Vec<Fault>> {
    let count = stacks.len();
    let reversed = |list: &[u64]| -> Vec<u64> {
        if count == 2 { list.iter().rev().copied().collect() } else { list.to_vec() }
    };
    let (antes, posted) = (reversed(antes), reversed(blinds));
    // Heads-up the big blind is p1, else p2; with a dead small blind p1 posts the big one.
    let first_is_big = count == 2 || (posted.get(1) == Some(&0) && posted.first() > Some(&0));
    let big = usize::from(!first_is_big);
    let small = if count == 2 { Some(1) } else { (big == 1).then_some(0) };
    let at = |list: &[u64], index: usize| list.get(index).copied().unwrap_or_default();
    let mut faults = Vec::new();
    let straddles =
        posted.iter().enumerate().any(|(index, amount)| *amount > 0 && index != big && Some(index) != small);
    if straddles {
        faults.push(Fault::new("straddle", message!("phh-straddle")));
    }
    let bb = at(&posted, big);
    if bb != min_bet {
        faults.push(Fault::new("bad_blinds", message!("phh-min-bet", min_bet, bb)));
    }
    let ante = if antes.iter().all(|ante| *ante == 0) {
        json!(["none", 0])
    } else if antes.iter().all(|ante| *ante == at(&antes, 0)) {
        json!(["all", at(&antes, 0)])
    } else if antes.iter().enumerate().all(|(index, ante)| *ante == 0 || index == big) {
        json!(["bb", at(&antes, big)])
    } else {
        faults.push(Fault::new("bad_ante", message!("phh-antes")));
        Value::Null
    };
    if !faults.is_empty() {
        return Err(faults);
    }
    let names = || NAMES.iter().map(|name| (*name).to_owned());
    let by_seat: Map<String, Value> = names().zip(stacks.iter().map(|stack| (*stack).into())).collect();
    let mut object = Map::new();
    object.insert("button".to_owned(), count.to_string().into());
    object.insert("blinds".to_owned(), json!([small.map_or(0, |small| at(&posted, small)), bb]));
    object.insert("ante".to_owned(), ante);
    object.insert("unit".to_owned(), unit.into());
    object.insert("stacks".to_owned(), Value::Object(by_seat));
    if small.is_none() {
        object.insert("sb".to_owned(), Value::Null);
    }
    Ok(object)
}

/// The cards of the hand, from all of its actions.
fn deal(count: usize, actions: &Actions) -> Result<Value, Vec<Fault>> {
    let mut holes: Vec<Vec<Option<Card>>> = vec![Vec::new(); count];
    let mut board: Vec<Option<Card>> = Vec::new();
    let mut mucked = Vec::new();
    let mut faults = Vec::new();
    for Placed { written, act, .. } in actions {
        match act {
            Ok(Act::Hole(player, dealt)) => match holes.get_mut(player - 1) {
                Some(hole) if hole.len() + dealt.len() <= 2 => hole.extend(dealt),
                _ => {
                    faults.push(Fault::new("wrong_count", message!("phh-two-cards", written)));
                }
            },
            Ok(Act::Show(player, shown)) => {
                let known = |cards: &[Option<Card>]| cards.iter().flatten().copied().collect::<Vec<_>>();
                match holes.get_mut(player - 1) {
                    Some(hole)
                        if shown.len() == 2
                            && known(hole)
                                .iter()
                                .all(|card| shown.contains(&Some(*card)) || shown.contains(&None)) =>
                    {
                        if known(shown).len() > known(hole).len() {
                            hole.clone_from(shown);
                        }
                    }
                    _ => faults.push(Fault::new("other_cards", message!("phh-other-cards", written))),
                }
            }
            Ok(Act::Board(dealt)) => board.extend(dealt),
            Ok(Act::Muck(player)) if !mucked.contains(&player.to_string()) => mucked.push(player.to_string()),
            _ => {}
        }
    }
    if board.len() > 5 {
        faults.push(Fault::new("wrong_count", message!("phh-board-five")));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    board.resize(5, None);
    let by_seat: Map<String, Value> = NAMES
        .iter()
        .zip(&mut holes)
        .map(|(name, hole)| {
            hole.resize(2, None);
            ((*name).to_owned(), words(hole).into())
        })
        .collect();
    let mut object = Map::new();
    object.insert("holes".to_owned(), Value::Object(by_seat));
    object.insert("board".to_owned(), words(&board).into());
    if !mucked.is_empty() {
        object.insert("mucked".to_owned(), json!(mucked));
    }
    Ok(Value::Object(object))
}
