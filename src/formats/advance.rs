//! Who advances from a stage: by the place in the group, and as one of the best of the others (外卡).

use std::collections::BTreeMap;

use super::{AdvancedBy, Advancement};
use crate::scoring::Exact;

/// Somebody with a place in a group.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub entrant: String,
    pub points: Exact,
    pub net: Exact,
    /// Number of meetings.
    pub played: u32,
}

/// Who advances in the order of their seeding, and how each came in.
pub(super) type Seeded = (Vec<String>, BTreeMap<String, AdvancedBy>);

/// Who advances, in the order of their seeding, and how each came in. `groups` have those who may advance in the order of
/// their places; `lots` are the lots `wild` that were drawn.
///
/// The winners of groups are seeded before the second, and so on; wild cards come last. Equal places of different groups are
/// in the order of what they have, then of the groups.
///
/// # Errors
/// The entrants of different groups between whom a lot has to decide.
pub(super) fn advance(
    groups: &[Vec<Placed>],
    rules: &Advancement,
    per_round: bool,
    lots: &[Vec<String>],
) -> Result<Seeded, Vec<String>> {
    // TL §8.6: per round played where groups are unequal.
    let value = |one: &Placed| {
        let share = |sum: &Exact| if per_round && one.played > 0 { sum.per(one.played) } else { sum.clone() };
        (share(&one.points), share(&one.net))
    };
    let mut seeded: Vec<String> = Vec::new();
    for place in 0..rules.quota as usize {
        let mut equal: Vec<&Placed> = groups.iter().filter_map(|group| group.get(place)).collect();
        equal.sort_by_key(|one| std::cmp::Reverse(value(one)));
        seeded.extend(equal.into_iter().map(|one| one.entrant.clone()));
    }
    let mut by: BTreeMap<String, AdvancedBy> =
        seeded.iter().map(|entrant| (entrant.clone(), AdvancedBy::Quota)).collect();
    let others = (0..).zip(groups).flat_map(|(group, placed)| {
        let rest = placed.iter().skip(rules.quota as usize);
        rest.map(move |one| (group, one))
    });
    let mut others: Vec<(usize, &Placed)> = others.collect();
    others.sort_by_key(|(_, one)| std::cmp::Reverse(value(one)));
    let mut free = rules.wild as usize;
    for equal in others.chunk_by(|(_, a), (_, b)| value(a) == value(b)) {
        let chosen = if equal.len() > free && free > 0 { by_lot(equal, lots)? } else { names(equal) };
        for entrant in chosen.into_iter().take(free) {
            by.insert(entrant.clone(), AdvancedBy::Wild);
            seeded.push(entrant);
            free -= 1;
        }
    }
    Ok((seeded, by))
}

fn names(placed: &[(usize, &Placed)]) -> Vec<String> {
    placed.iter().map(|(_, one)| one.entrant.clone()).collect()
}

/// The order among equals: a lot between groups. Inside a group its own order stays, and decides alone where all are of one.
fn by_lot(equal: &[(usize, &Placed)], lots: &[Vec<String>]) -> Result<Vec<String>, Vec<String>> {
    if equal.iter().all(|(group, _)| equal.first().is_some_and(|(first, _)| first == group)) {
        return Ok(names(equal));
    }
    let drawn = lots.iter().rev().find_map(|lot| {
        let mut placed: Vec<(usize, usize)> = equal
            .iter()
            .map(|(group, one)| Some((lot.iter().position(|name| *name == one.entrant)?, *group)))
            .collect::<Option<_>>()?;
        placed.sort_unstable();
        Some(placed)
    });
    let Some(drawn) = drawn else { return Err(names(equal)) };
    let mut left = equal.to_vec();
    let chosen = drawn.into_iter().filter_map(|(_, group)| {
        let at = left.iter().position(|(own, _)| *own == group)?;
        Some(left.remove(at).1.entrant.clone())
    });
    Ok(chosen.collect())
}
