//! Reading PHH.
//!
//! Two passes over the actions: the first gathers the cards, the second walks along with the engine to find out
//! whether `cbr` is a bet or a raise and whether board cards come when they are due. What the rules refuse is
//! written down as it stands: whoever replays the record finds it at the same place.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use toml::{Spanned, Table};

use super::VARIANTS;
use super::amount::Decimal;
use super::cards;
use crate::cards::Card;
use crate::games::holdem::start::{NAMES, SEATS_MAX, seat_name, words};
use crate::games::holdem::state::{Stage, State};
use crate::games::holdem::{Action, Holdem, Rules, Start};
use crate::games::{ActionText, Fault, Game, Seat, StartError, rulesets};

/// One line of a hand, as an action of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line of the file, from 1.
    pub line: usize,
    /// The seat, if the line has one.
    pub seat: Option<Seat>,
    /// The action as the file has it.
    pub written: String,
    /// The action as a record has it, or why it cannot be read.
    pub action: Result<ActionText, String>,
}

/// A hand that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// `hand` of the file: the name or number of the hand.
    pub name: Option<String>,
    /// The ruleset of the hand: this program's own note, else the default.
    pub rules: Arc<Rules>,
    /// Seats are numbered as the file's players: `p1` sits in seat 1, the button is the last seat.
    pub start: Start,
    /// What was done.
    pub lines: Vec<Line>,
}

/// Reads the text of a `.phh` or `.phhs` file: for each hand the line on which it begins, and the hand or everything
/// that is wrong with it.
#[must_use]
pub fn read(text: &str) -> Vec<(usize, Result<Hand, StartError>)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let table = match toml::from_str::<Table>(text) {
        Ok(table) => table,
        Err(error) => {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            let message = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
            let fault = Fault::new("bad_toml", format!("not a TOML file: {message}"));
            return vec![(line, Err(StartError::Header(vec![fault])))];
        }
    };
    if !table.is_empty() && table.values().all(toml::Value::is_table) {
        return read_many(text, &table);
    }
    let spans = toml::from_str::<Spans>(text).unwrap_or_default();
    vec![(1, read_hand(text, &table, &spans, 1))]
}

/// Where the actions stand in the text.
#[derive(Debug, Default, Deserialize)]
struct Spans {
    actions: Option<Vec<Spanned<String>>>,
}

fn read_many(text: &str, table: &Table) -> Vec<(usize, Result<Hand, StartError>)> {
    let spans: BTreeMap<String, Spanned<Spans>> = toml::from_str(text).unwrap_or_default();
    let mut hands: Vec<(&String, &toml::Value)> = table.iter().collect();
    hands.sort_by_key(|(key, _)| (key.parse::<u64>().unwrap_or(u64::MAX), (*key).clone()));
    let none = Spans::default();
    hands
        .into_iter()
        .map(|(key, value)| {
            let spanned = spans.get(key);
            let line = spanned.map_or(1, |spanned| line_of(text, spanned.span().start));
            let hand = match value.as_table() {
                Some(table) => read_hand(text, table, spanned.map_or(&none, Spanned::get_ref), line),
                None => Err(header(vec![Fault::new("wrong_type", format!("`{key}` must be a table"))])),
            };
            (line, hand)
        })
        .collect()
}

fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}

fn header(faults: Vec<Fault>) -> StartError {
    StartError::Header(faults)
}

/// The fields that make the start of a hand.
struct Fields<'a> {
    table: &'a Table,
    faults: Vec<Fault>,
}

impl Fields<'_> {
    fn fault(&mut self, code: &'static str, message: impl Into<String>) {
        self.faults.push(Fault::new(code, message));
    }

    fn amount(&mut self, key: &str, value: &toml::Value) -> Option<Decimal> {
        let amount = Decimal::of(value);
        if amount.is_none() {
            let shown: String = value.to_string().chars().take(40).collect();
            self.fault("bad_amount", format!("`{key}`: {shown} is not a known amount of chips"));
        }
        amount
    }

    /// A single amount.
    fn one(&mut self, key: &str) -> Option<Decimal> {
        let Some(value) = self.table.get(key) else {
            self.fault("missing_key", format!("the hand needs `{key}`"));
            return None;
        };
        self.amount(key, value)
    }

    /// An amount for each player.
    fn amounts(&mut self, key: &str, required: bool) -> Option<Vec<Decimal>> {
        let Some(value) = self.table.get(key) else {
            if required {
                self.fault("missing_key", format!("the hand needs `{key}`"));
            }
            return None;
        };
        let Some(items) = value.as_array() else {
            self.fault("wrong_type", format!("`{key}` must be a list of amounts, one per player"));
            return None;
        };
        let found: Vec<Option<Decimal>> = items.iter().map(|item| self.amount(key, item)).collect();
        found.into_iter().collect()
    }
}

/// An action of the file.
enum Act {
    Nothing,
    Hole(usize, Vec<Option<Card>>),
    Board(Vec<Option<Card>>),
    Fold(usize),
    Call(usize),
    Raise(usize, Decimal),
    Show(usize, Vec<Option<Card>>),
    /// `sm -`: shows the cards that are known already.
    ShowKnown(usize),
    Muck(usize),
}

fn parse_act(text: &str) -> Result<Act, String> {
    let text = text.split('#').next().unwrap_or_default();
    let player = |word: &str| {
        let number = word.strip_prefix('p').and_then(|number| number.parse::<usize>().ok());
        number
            .filter(|number| (1..=SEATS_MAX).contains(number))
            .ok_or_else(|| format!("there is no player `{word}`"))
    };
    let run =
        |word: &str| cards::parse(word).ok_or_else(|| format!("`{word}` is not a run of cards such as AhKd"));
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        [] => Ok(Act::Nothing),
        ["d", "dh", who, dealt] => Ok(Act::Hole(player(who)?, run(dealt)?)),
        ["d", "db", dealt] => Ok(Act::Board(run(dealt)?)),
        [who, "f"] => Ok(Act::Fold(player(who)?)),
        [who, "cc"] => Ok(Act::Call(player(who)?)),
        [who, "cbr", amount] => {
            let to = Decimal::parse(amount).ok_or_else(|| format!("`{amount}` is not an amount of chips"))?;
            Ok(Act::Raise(player(who)?, to))
        }
        [who, "sm"] => Ok(Act::Muck(player(who)?)),
        [who, "sm", "-"] => Ok(Act::ShowKnown(player(who)?)),
        [who, "sm", shown] => Ok(Act::Show(player(who)?, run(shown)?)),
        _ => {
            let shown: String = text.trim().chars().take(60).collect();
            Err(format!("`{shown}` is no action of no-limit hold'em: write d dh, d db, f, cc, cbr or sm"))
        }
    }
}

fn read_hand(text: &str, table: &Table, spans: &Spans, first: usize) -> Result<Hand, StartError> {
    refuse_variant(table)?;
    let mut fields = Fields { table, faults: Vec::new() };
    let stacks = fields.amounts("starting_stacks", true);
    let antes = fields.amounts("antes", true);
    let blinds = fields.amounts("blinds_or_straddles", true);
    let min_bet = fields.one("min_bet");
    let finishing = fields.amounts("finishing_stacks", false);
    let actions = read_actions(&mut fields, text, spans, first);
    let (Some(stacks), Some(antes), Some(blinds), Some(min_bet)) = (stacks, antes, blinds, min_bet) else {
        return Err(header(fields.faults));
    };
    let count = stacks.len();
    if !(2..=SEATS_MAX).contains(&count) {
        fields.fault("wrong_count", format!("`starting_stacks` must name 2 to 10 players, not {count}"));
    }
    for (key, list) in [
        ("antes", Some(&antes)),
        ("blinds_or_straddles", Some(&blinds)),
        ("finishing_stacks", finishing.as_ref()),
    ] {
        if list.is_some_and(|list| list.len() != count) {
            fields
                .fault("wrong_count", format!("`{key}` must name {count} players as `starting_stacks` does"));
        }
    }
    if !fields.faults.is_empty() {
        return Err(header(fields.faults));
    }
    let raises = actions.iter().filter_map(|(_, _, act)| match act {
        Ok(Act::Raise(_, to)) => Some(*to),
        _ => None,
    });
    let amounts = stacks.iter().chain(&antes).chain(&blinds).chain(finishing.iter().flatten()).copied();
    let places = amounts.chain(raises).chain([min_bet]).map(Decimal::places).max().unwrap_or_default();
    let scale =
        |list: &[Decimal]| list.iter().map(|amount| amount.scaled(places)).collect::<Option<Vec<u64>>>();
    let (Some(stacks), Some(antes), Some(blinds), Some(min_bet)) =
        (scale(&stacks), scale(&antes), scale(&blinds), min_bet.scaled(places))
    else {
        return Err(header(vec![Fault::new("bad_amount", "an amount is too large, or too finely divided")]));
    };
    let rules = read_rules(table)?;
    let unit = match table.get("_unit").and_then(toml::Value::as_integer) {
        Some(unit) => u64::try_from(unit).unwrap_or_default(),
        None => 1,
    };
    let mut object = settings(&stacks, &antes, &blinds, min_bet, unit).map_err(header)?;
    object.insert("deal".to_owned(), deal(count, &actions).map_err(StartError::Deal)?);
    let start = Holdem::read_start(&rules, &object)?;
    let finishing = finishing.map(|list| scale(&list));
    let mut walk = Walk { state: Holdem::open(&rules, &start), dealt: 0, places, stopped: false };
    let mut lines: Vec<Line> =
        actions.into_iter().filter_map(|(line, written, act)| walk.step(line, written, act)).collect();
    if let (Some(finishing), false) = (finishing, walk.stopped) {
        let line = lines.last().map_or(first, |last| last.line);
        lines.extend(walk.compare(finishing.as_deref(), line));
    }
    let name = table.get("hand").map(|hand| match hand.as_str() {
        Some(name) => name.chars().take(100).collect(),
        None => hand.to_string(),
    });
    Ok(Hand { name, rules, start, lines })
}

fn refuse_variant(table: &Table) -> Result<(), StartError> {
    let code = table.get("variant").and_then(toml::Value::as_str);
    let message = match code {
        Some("NT") => return Ok(()),
        None => "the hand needs `variant`: only \"NT\", no-limit Texas hold'em, is read".to_owned(),
        Some(code) => {
            let known = VARIANTS.iter().find(|(known, _)| *known == code);
            let shown: String = code.chars().take(40).collect();
            let what = known.map_or_else(|| "no known variant".to_owned(), |(_, name)| (*name).to_owned());
            format!("`{shown}` is {what}: only \"NT\", no-limit Texas hold'em, is read")
        }
    };
    Err(header(vec![Fault::new("other_variant", message)]))
}

fn read_rules(table: &Table) -> Result<Arc<Rules>, StartError> {
    match table.get("_ruleset").and_then(toml::Value::as_str) {
        Some(name) => rulesets::shipped::<Holdem>(name),
        None => rulesets::default::<Holdem>(),
    }
    .map_err(header)
}

type Actions = Vec<(usize, String, Result<Act, String>)>;

fn read_actions(fields: &mut Fields<'_>, text: &str, spans: &Spans, first: usize) -> Actions {
    let Some(items) = fields.table.get("actions").and_then(toml::Value::as_array) else {
        fields.fault("missing_key", "the hand needs `actions`, a list of texts");
        return Vec::new();
    };
    let mut actions = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let span = spans.actions.as_ref().and_then(|actions| actions.get(index));
        let line = span.map_or(first, |span| line_of(text, span.span().start));
        match item.as_str() {
            Some(written) => actions.push((line, written.trim().to_owned(), parse_act(written))),
            None => fields.fault("wrong_type", format!("action {} must be a text", index + 1)),
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
        faults.push(Fault::new("straddle", "straddles are not played: only a small and a big blind"));
    }
    let bb = at(&posted, big);
    if bb != min_bet {
        faults.push(Fault::new("bad_blinds", format!("`min_bet` ({min_bet}) must be the big blind ({bb})")));
    }
    let ante = if antes.iter().all(|ante| *ante == 0) {
        json!(["none", 0])
    } else if antes.iter().all(|ante| *ante == at(&antes, 0)) {
        json!(["all", at(&antes, 0)])
    } else if antes.iter().enumerate().all(|(index, ante)| *ante == 0 || index == big) {
        json!(["bb", at(&antes, big)])
    } else {
        faults
            .push(Fault::new("bad_ante", "antes are posted by all players alike, or by the big blind alone"));
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
    for (_, written, act) in actions {
        match act {
            Ok(Act::Hole(player, dealt)) => match holes.get_mut(player - 1) {
                Some(hole) if hole.len() + dealt.len() <= 2 => hole.extend(dealt),
                _ => {
                    faults.push(Fault::new("wrong_count", format!("`{written}`: two cards for each player")));
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
                    _ => faults.push(Fault::new(
                        "other_cards",
                        format!("`{written}`: two cards, and those that were dealt"),
                    )),
                }
            }
            Ok(Act::Board(dealt)) => board.extend(dealt),
            Ok(Act::Muck(player)) => mucked.push(player.to_string()),
            _ => {}
        }
    }
    if board.len() > 5 {
        faults.push(Fault::new("wrong_count", "the board has five cards"));
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

/// The engine, going along with the file.
struct Walk {
    state: State,
    /// Board cards that the file has dealt.
    dealt: usize,
    places: u32,
    /// Whether something was refused: whatever comes after is written down but not tried.
    stopped: bool,
}

impl Walk {
    fn step(&mut self, line: usize, written: String, act: Result<Act, String>) -> Option<Line> {
        let (player, action) = match act {
            Err(message) => (None, Err(message)),
            Ok(Act::Nothing | Act::Hole(..)) => return None,
            Ok(Act::Board(cards)) => (None, Err(self.board(cards.len())?)),
            Ok(Act::Muck(player) | Act::ShowKnown(player) | Act::Show(player, _)) => {
                (Some(player), Err(self.show(player)?))
            }
            Ok(Act::Fold(player)) => (Some(player), Ok(Action::Fold)),
            Ok(Act::Call(player)) => (Some(player), Ok(self.call(player))),
            Ok(Act::Raise(player, to)) => (Some(player), Ok(self.raise(to))),
        };
        let seat = player.and_then(|player| u8::try_from(player - 1).ok()).map(Seat);
        let action = action.and_then(|action| self.play(seat, action));
        self.stopped |= action.is_err();
        Some(Line { line, seat, written, action })
    }

    /// Board cards: as many as the street has, once the betting before it is over.
    fn board(&mut self, count: usize) -> Option<String> {
        let wanted = if self.dealt == 0 { 3 } else { 1 };
        if count != wanted {
            return Some(format!("{wanted} board cards are due, not {count}"));
        }
        if self.dealt + count > self.state.dealt && !self.stopped {
            return Some("the betting is not over: no board card is due".to_owned());
        }
        self.dealt += count;
        None
    }

    fn show(&self, player: usize) -> Option<String> {
        let live = u8::try_from(player - 1).is_ok_and(|index| self.state.live.contains(Seat(index)));
        (!live && !self.stopped).then(|| format!("p{player} has folded and can neither show nor muck"))
    }

    fn call(&self, player: usize) -> Action {
        let seat = u8::try_from(player - 1).map_or(Seat(0), Seat);
        if self.state.turn() == Some(seat) && self.state.owed(seat) == 0 {
            Action::Check
        } else {
            Action::Call
        }
    }

    fn raise(&self, to: Decimal) -> Action {
        let to = to.scaled(self.places).unwrap_or(u64::MAX);
        if self.state.top > 0 { Action::Raise(to) } else { Action::Bet(to) }
    }

    /// Tries an action; it is written down whether the rules allow it or not.
    fn play(&mut self, seat: Option<Seat>, action: Action) -> Result<ActionText, String> {
        let betting = matches!(self.state.stage, Stage::Betting(_));
        if betting && self.dealt < self.state.dealt && !self.stopped {
            return Err("the board cards of the street must be dealt first".to_owned());
        }
        let checked = seat.map(|seat| Holdem::check(&self.state, seat, &action));
        match checked {
            Some(Ok(effect)) if !self.stopped => self.state.apply(effect),
            _ => self.stopped = true,
        }
        Ok(Holdem::write_action(&action))
    }

    /// Compares `finishing_stacks` with what the rules give. Less in all than there was is rake, which only winners
    /// pay.
    fn compare(&self, finishing: Option<&[u64]>, line: usize) -> Option<Line> {
        if self.state.stage != Stage::Over {
            return None;
        }
        let finishing = finishing.unwrap_or_default();
        let won = |index: usize| self.state.pots.iter().any(|pot| pot.shares.get(index) > Some(&0));
        let raked = finishing.iter().sum::<u64>() < self.state.stacks.iter().sum();
        for (index, (given, ours)) in finishing.iter().zip(&self.state.stacks).enumerate() {
            if given != ours && !(raked && given < ours && won(index)) {
                let seat = u8::try_from(index).ok().map(Seat);
                let message = format!(
                    "`finishing_stacks` has {given} for p{}, the rules give {ours} (in the smallest unit of the file)",
                    index + 1
                );
                let written = format!("finishing_stacks {}", seat.map_or("", seat_name));
                return Some(Line { line, seat, written, action: Err(message) });
            }
        }
        None
    }
}
