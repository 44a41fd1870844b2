//! Writing PHH.

use std::fmt::Write as _;

use super::{DEAD, cards};
use crate::games::holdem::rules::{AnteKind, Rules};
use crate::games::holdem::start::{PerSeat, SEATS_MAX, Start, Street};
use crate::games::holdem::state::{EffectKind, Stage, State};
use crate::games::holdem::{Action, Holdem};
use crate::games::{Fault, Game, Refusal as _, Ruleset as _, Seat, rulesets};
use crate::words::message;

/// What a file says about a hand beside the play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// The name or number of the hand.
    pub hand: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// Names of the players, by seat; none = not written.
    pub players: Vec<String>,
}

/// A hand as the text of a `.phh` file. `p1` is the first seat left of the button; `seats` tells the seats' numbers,
/// `_ruleset` (a shipped ruleset's name, or every field that differs from one) and `_unit` this program's own settings. A
/// hand that an official killed folds with the comment `dead`.
///
/// # Errors
/// What PHH cannot say (a position, a dead big blind), a ruleset that cannot be written, or the first action that the
/// rules refuse.
pub fn write(
    rules: &std::sync::Arc<Rules>,
    start: &Start,
    actions: &[(Seat, Action)],
    notes: &Notes,
) -> Result<String, Vec<Fault>> {
    let players = players(start)?;
    let ruleset = ruleset(rules)?;
    let mut writer = Writer { players, state: Holdem::open(rules, start), lines: Vec::new() };
    writer.deal();
    for (seat, action) in actions {
        writer.act(*seat, *action)?;
    }
    writer.close();
    Ok(writer.text(&ruleset, start, notes))
}

/// The value of `_ruleset`.
fn ruleset(rules: &Rules) -> Result<toml::Value, Vec<Fault>> {
    match rulesets::overrides::<Holdem>(rules)? {
        None => Ok(toml::Value::String(rules.name().to_owned())),
        Some(changes) => toml::Value::try_from(changes)
            .map_err(|error| vec![Fault::new("unwritable", rulesets::told_by_library(&error.to_string()))]),
    }
}

/// Several hands as the text of a `.phhs` file, numbered from 1.
#[must_use]
pub fn write_many(hands: &[String]) -> String {
    let tables: Vec<String> =
        hands.iter().enumerate().map(|(index, hand)| format!("[{}]\n{hand}", index + 1)).collect();
    tables.join("\n")
}

/// The seats in the order of the file: clockwise from the left of the button.
fn players(start: &Start) -> Result<Vec<Seat>, Vec<Fault>> {
    if start.position.is_some() {
        return Err(vec![Fault::new("position", message!("phh-no-position"))]);
    }
    let mut players = Vec::with_capacity(SEATS_MAX);
    let mut seat = start.button;
    while let Some(next) = start.seats.next_after(seat).filter(|next| players.first() != Some(next)) {
        players.push(next);
        seat = next;
    }
    let heads_up = players.len() == 2;
    let big = if heads_up || start.sb.is_none() { players.first() } else { players.get(1) };
    let small = if heads_up { players.get(1) } else { players.first() };
    if start.bb.as_ref() != big || start.sb.as_ref().is_some_and(|sb| Some(sb) != small) {
        return Err(vec![Fault::new("bad_blinds", message!("phh-blinds"))]);
    }
    Ok(players)
}

struct Writer {
    players: Vec<Seat>,
    state: State,
    lines: Vec<String>,
}

impl Writer {
    fn player(&self, seat: Seat) -> usize {
        self.players.iter().position(|player| *player == seat).map_or(0, |index| index + 1)
    }

    fn deal(&mut self) {
        for (index, seat) in self.players.iter().enumerate() {
            self.lines.push(format!("d dh p{} {}", index + 1, cards::write(&self.state.hole(*seat))));
        }
        for seat in self.state.start.out.iter() {
            self.lines.push(format!("p{} f # {DEAD}", self.player(seat)));
        }
    }

    fn board(&mut self, from: usize, to: usize) {
        let board = self.state.start.cards.board;
        for street in [Street::Flop, Street::Turn, Street::River] {
            let end = street.board_cards();
            if from < end && end <= to {
                let first = if street == Street::Flop { 0 } else { end - 1 };
                let run = board.get(first..end).unwrap_or_default();
                self.lines.push(format!("d db {}", cards::write(run)));
            }
        }
    }

    fn act(&mut self, seat: Seat, action: Action) -> Result<(), Vec<Fault>> {
        let refused = |code: &'static str| {
            vec![Fault::new(code, message!("phh-refused", text = Holdem::write_action(&action).text))]
        };
        let effect = Holdem::check(&self.state, seat, &action).map_err(|illegal| refused(illegal.code()))?;
        let word = match effect.kind {
            EffectKind::Fold => "f".to_owned(),
            EffectKind::Kill => format!("f # {DEAD}"),
            EffectKind::Check | EffectKind::Call(_) => "cc".to_owned(),
            EffectKind::Raise(to) => format!("cbr {to}"),
        };
        self.lines.push(format!("p{} {word}", self.player(seat)));
        let before = self.state.dealt;
        self.state.apply(effect);
        if matches!(self.state.stage, Stage::Betting(_)) {
            self.board(before, self.state.dealt);
        } else {
            self.showdown(before);
        }
        Ok(())
    }

    /// A hand that is over before anybody could act.
    fn close(&mut self) {
        let acted = self.lines.len() > self.players.len() + self.state.start.out.len();
        if !acted && !matches!(self.state.stage, Stage::Betting(_)) {
            self.showdown(0);
        }
    }

    /// Shows and mucks, then the cards that an all-in left to come.
    fn showdown(&mut self, before: usize) {
        let order: Vec<(Seat, bool)> = self.state.order.iter().collect();
        // Of hands that are all mucked the last wins unseen (PK-37): it says nothing.
        let unseen = order.iter().all(|(_, shown)| !shown);
        let takes = |seat: Seat| self.state.pots.iter().any(|pot| pot.winners.contains(seat));
        let order: Vec<(Seat, bool)> =
            order.into_iter().filter(|(seat, _)| !(unseen && takes(*seat))).collect();
        for (seat, shown) in order {
            let player = self.player(seat);
            self.lines.push(if shown {
                format!("p{player} sm {}", cards::write(&self.state.hole(seat)))
            } else {
                format!("p{player} sm")
            });
        }
        self.board(before, self.state.dealt);
    }

    fn text(&self, ruleset: &toml::Value, start: &Start, notes: &Notes) -> String {
        let mut text = String::new();
        // Writing into a String cannot fail.
        let mut field = |key: &str, value: String| {
            let _ = writeln!(text, "{key} = {value}");
        };
        let by_player =
            |amounts: &PerSeat<u64>| self.players.iter().map(|seat| amounts[seat.index()]).collect();
        let heads_up = self.players.len() == 2;
        let forced = |mut list: Vec<u64>| {
            if heads_up {
                list.reverse();
            }
            format!("{list:?}")
        };
        let (mut antes, mut blinds) = ([0; SEATS_MAX], [0; SEATS_MAX]);
        for (seat, blind) in [start.sb, start.bb].into_iter().zip(start.blinds) {
            if let Some(seat) = seat {
                blinds[seat.index()] = blind;
            }
        }
        match (start.ante, start.bb) {
            ((AnteKind::All, ante), _) => antes = [ante; SEATS_MAX],
            ((AnteKind::Bb, ante), Some(bb)) => antes[bb.index()] = ante,
            _ => {}
        }
        field("variant", "\"NT\"".to_owned());
        field("antes", forced(by_player(&antes)));
        field("blinds_or_straddles", forced(by_player(&blinds)));
        field("min_bet", start.blinds[1].to_string());
        field("starting_stacks", format!("{:?}", by_player(&start.stacks)));
        let lines: Vec<String> = self.lines.iter().map(|line| format!("  \"{line}\",\n")).collect();
        field("actions", format!("[\n{}]", lines.concat()));
        if self.state.stage == Stage::Over {
            field("finishing_stacks", format!("{:?}", by_player(&self.state.stacks)));
        }
        field("seats", format!("{:?}", self.players.iter().map(|seat| seat.0 + 1).collect::<Vec<_>>()));
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        if let Some(hand) = &notes.hand {
            field("hand", quoted(hand));
        }
        if let Some(event) = &notes.event {
            field("event", quoted(event));
        }
        if !notes.players.is_empty() {
            let names: Vec<String> = self
                .players
                .iter()
                .map(|seat| quoted(notes.players.get(seat.index()).map_or("", String::as_str)))
                .collect();
            field("players", format!("[{}]", names.join(", ")));
        }
        field("_ruleset", ruleset.to_string());
        field("_unit", start.unit.to_string());
        text
    }
}
