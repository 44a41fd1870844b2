//! Level two: candidates of the rules of thumb, tried in imagined worlds that agree with everything shown.
//!
//! The budget is a number of imagined plays, never time, so that the answer is the same on every machine.

use crate::cards::Pack;
use crate::games::GameKind;
use crate::games::tuolaji::Tuolaji;
use crate::games::tuolaji::action::Action;
use crate::games::tuolaji::bag::Bag;
use crate::games::tuolaji::view::Offer;
use crate::games::tuolaji::winner::power;
use crate::players::{Ask, LevelInfo, Player};

use super::policy::{self, Candidate};
use super::sample::{Known, world};
use super::sight::Sight;
use super::sim::Sim;
use super::{ONE, obligatory};

/// Candidates that are tried.
const CANDIDATES: usize = 5;
/// Imagined worlds at most.
const WORLDS: u32 = 20;
/// Imagined plays after which no new world is begun.
const NODES: u32 = 3_000;
/// Tricks played on in the middle of a board; the last ones are played to the end.
const TRICKS: usize = 8;
const LAST_CARDS: usize = 8;

/// Level two.
#[derive(Clone, Copy, Debug)]
pub struct Search;

impl Player<Tuolaji> for Search {
    fn info(&self) -> LevelInfo {
        LevelInfo {
            game: GameKind::Tuolaji,
            name: "tuolaji-2",
            definition: "3; tuolaji-1 candidates 5, worlds 20, nodes 3000, tricks 8, to the end from 8 cards; worlds by \
                         card priorities; a trick that is decided as tuolaji-1",
        }
    }

    fn choose(&self, ask: &Ask<'_, Tuolaji>) -> Option<Action> {
        match ask.view().offer() {
            Offer::Lead(..) | Offer::Follow(..) => play(ask).or_else(|| obligatory(ask)),
            _ => ONE.choose(ask),
        }
    }
}

fn play(ask: &Ask<'_, Tuolaji>) -> Option<Action> {
    let view = ask.view();
    let sight = Sight::of(view)?;
    let mut candidates = policy::candidates(&sight, policy::WIDE);
    let first = candidates.first()?.cards;
    if decided(&sight, &candidates) {
        return Some(Action::Play(first.into()));
    }
    candidates.truncate(CANDIDATES);
    let best = match (candidates.len(), Known::of(view, &sight)) {
        (2.., Some(known)) => search(ask, &sight, &known, &candidates).unwrap_or(first),
        _ => first,
    };
    Some(Action::Play(best.into()))
}

/// Whether the last seat of a trick has no say in who wins it: the same side does, whatever it plays. Imagined worlds
/// have nothing to tell then, and their noise would give points away.
fn decided(sight: &Sight, candidates: &[Candidate]) -> bool {
    let Some(lead) = sight.lead.filter(|_| sight.later().next().is_none()) else { return false };
    let Some((holder, best)) = sight.best() else { return false };
    let takes = |cards: Bag| power(&sight.ladder, &lead, cards).is_some_and(|power| power > best);
    !sight.opposes(holder) || candidates.iter().all(|candidate| !takes(candidate.cards))
}

fn search(ask: &Ask<'_, Tuolaji>, sight: &Sight, known: &Known, candidates: &[Candidate]) -> Option<Bag> {
    let pack: Bag = Pack::TwoWithJokers.cards().into_iter().collect();
    let bottom = ask.view().bottom;
    let played = pack.minus(sight.hand).minus(sight.unseen).minus(bottom.unwrap_or_default());
    let tricks = if sight.hand.len() <= LAST_CARDS { usize::MAX } else { TRICKS };
    // The static value breaks near ties: it counts as a small share of one world.
    let mut totals: Vec<i64> = candidates.iter().map(|candidate| i64::from(candidate.value) / 2).collect();
    let mut nodes = 0;
    let worlds = ask.worlds();
    for number in 0..WORLDS {
        if nodes >= NODES {
            break;
        }
        let (hands, bottom) = world(sight, known, bottom, &mut worlds.dice(number))?;
        for (candidate, total) in candidates.iter().zip(&mut totals) {
            let mut sim = Sim {
                ladder: sight.ladder,
                banker: sight.banker,
                hands,
                bottom,
                leader: sight.leader,
                plays: sight.plays.clone(),
                lead: sight.lead,
                told: sight.told,
                score: 0,
                nodes: 0,
            };
            sim.play(candidate.cards);
            let now = played.plus(sight.hand.minus(sim.hands.get(sight.me).copied().unwrap_or_default()));
            sim.play_on(tricks, pack, now);
            nodes += sim.nodes;
            let value = i64::from(sim.value());
            *total += if (sight.me ^ sight.banker) & 1 == 1 { value } else { -value };
        }
    }
    let (at, _) = totals.iter().enumerate().rev().max_by_key(|(_, total)| **total)?;
    candidates.get(at).map(|candidate| candidate.cards)
}
