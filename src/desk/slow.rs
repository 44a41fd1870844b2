//! Slow play: how often each player took longer than the rules allow, from the notes `slow` of the journals. What
//! follows from it is a ruling, never automatic.

use std::collections::BTreeMap;

use crate::event::archive::{EntryRow, PlayRow};
use crate::event::model::Event;
use crate::games::{Game, Ruleset as _};
use crate::journal::{ControlKind, Line, scan_line};

/// What is counted together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Counted {
    /// The entrant, by id.
    pub entrant: String,
    /// Which of a pair, from 0; `None` where the pair is counted together.
    pub member: Option<usize>,
    /// The round; `None` where the whole event is counted together.
    pub round: Option<u32>,
}

/// How often somebody was slow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlowCount {
    /// Whose decisions, and over what.
    pub of: Counted,
    /// How many were slow.
    pub count: u32,
    /// Points that the ruleset gives for all of them: none for the first.
    pub penalty: u32,
}

/// The counts of an event, by entrant, member and round; none where the rules know no slow play. `notes` are the lines
/// of its journals that note slow play, `plays` the boards at tables.
#[must_use]
pub fn counts<G: Game>(event: &Event<G>, plays: &[PlayRow], notes: &[EntryRow]) -> Vec<SlowCount> {
    let Some(rule) = event.rules.slow_play() else { return Vec::new() };
    let by_id: BTreeMap<i64, &PlayRow> = plays.iter().map(|row| (row.id.0, row)).collect();
    let mut found: BTreeMap<Counted, u32> = BTreeMap::new();
    for row in notes {
        let (Some(play), Ok(Line::Control(note))) = (by_id.get(&row.play_id), scan_line::<G>(&row.body))
        else {
            continue;
        };
        let (ControlKind::Slow, Some(seat)) = (note.kind, note.seat) else { continue };
        let seating: BTreeMap<String, String> = serde_json::from_str(&play.play.seating).unwrap_or_default();
        let name = G::seat_name(seat).unwrap_or_default();
        let Some(entrant) = seating.get(name) else { continue };
        let mut pairs = event.settings.positions.iter().filter(|seats| seats.len() > 1);
        let member = pairs.find_map(|seats| seats.iter().position(|one| one == name));
        let counted = Counted {
            entrant: entrant.clone(),
            member: member.filter(|_| !rule.of_pair),
            round: u32::try_from(play.play.round).ok().filter(|_| !rule.of_event),
        };
        *found.entry(counted).or_default() += 1;
    }
    let total = |(of, count): (Counted, u32)| {
        let penalty = count.saturating_sub(1).saturating_mul(rule.penalty);
        SlowCount { of, count, penalty }
    };
    found.into_iter().map(total).collect()
}
