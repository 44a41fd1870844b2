//! How long a board takes, by estimate: a few boards are played by computer players, and each decision is given the time
//! that people take for it. For timetables only; no clock and no result rests on it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::canonical::Hash;
use crate::event::model::Event;
use crate::games::{Game, deal_board, rulesets};
use crate::players::{AiKey, Levels, arena};
use crate::rng::GameRng;

/// How many boards are played for an estimate.
const BOARDS: u32 = 4;
/// What a person takes for a decision on average, ms: a club's pace, well within the clocks of the rulesets.
const PERSON_MS: u64 = 6_000;
/// The estimate where no board comes to an end, which no tested level lets happen, seconds.
const UNKNOWN_S: u32 = 480;

/// The cards of a board that is dealt for an estimate, the same every time.
fn pack<G: Game>(board: u32) -> Vec<crate::cards::Card> {
    let mut cards = G::PACK.cards();
    GameRng::of("fushi-pace/1", &board.to_be_bytes()).shuffle(&mut cards);
    cards
}

/// The decisions of persons and of computer players on all boards of an estimate, by ruleset and the person's seat of a
/// human–AI event.
type Counted = BTreeMap<(Hash, Option<u8>), (u64, u64)>;

/// What has been counted, once as long as the program runs.
static COUNTED: Mutex<Counted> = Mutex::new(BTreeMap::new());
/// So many are kept: rulesets can be anybody's own.
const COUNTED_MAX: usize = 100;

fn decisions<G: Levels>(event: &Event<G>) -> Option<(u64, u64)> {
    let own = event.settings.own_seat();
    let key = (rulesets::hash(event.rules.as_ref()), own);
    let mut counted = COUNTED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = counted.get(&key) {
        return Some(*known);
    }
    // The quickest level that plays sensibly: the first one plays at random.
    let level = G::levels().get(1).or(G::levels().first())?;
    let (mut persons, mut others) = (0, 0);
    for board in 1..=BOARDS {
        let start = deal_board::<G>(&event.rules, board, &pack::<G>(board)).ok()?;
        let players = vec![*level; usize::from(G::seats(&start))];
        let played = arena::play::<G>(&event.rules, &start, board, &AiKey::new([0; 32]), &players).ok()?;
        for (seat, _) in played.actions {
            if own.is_none_or(|own| own == seat.0) {
                persons += 1;
            } else {
                others += 1;
            }
        }
    }
    if counted.len() >= COUNTED_MAX {
        counted.clear();
    }
    counted.insert(key, (persons, others));
    Some((persons, others))
}

/// How long a board takes at a table, with the pause after it, seconds. In a human–AI event one seat is a person's.
#[must_use]
pub fn board_seconds<G: Levels>(event: &Event<G>) -> u32 {
    let Some((persons, others)) = decisions(event) else { return UNKNOWN_S };
    let ms = persons * PERSON_MS + others * u64::from(event.live.ai_delay_ms);
    let mean = u32::try_from(ms.div_ceil(u64::from(BOARDS) * 1_000)).unwrap_or(u32::MAX);
    mean.saturating_add(event.live.between_s)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::draft::{Fields, apply, blank};
    use crate::games::holdem::Holdem;
    use crate::games::tuolaji::Tuolaji;
    use crate::games::wakeng::Wakeng;

    fn minutes<G: Levels>(format: &str) -> u32 {
        let mut event = blank::<G>("e").unwrap();
        let fields =
            Fields { title: Some("T".to_owned()), format: Some(format.to_owned()), ..Fields::default() };
        apply(&mut event, &fields).unwrap();
        board_seconds(&event).div_ceil(60)
    }

    #[test]
    fn a_board_takes_as_long_as_its_game_has_decisions() {
        let (wakeng, tuolaji, holdem) =
            (minutes::<Wakeng>("individual"), minutes::<Tuolaji>("pairs"), minutes::<Holdem>("individual"));
        assert!((2..=6).contains(&wakeng), "{wakeng}");
        assert!((8..=16).contains(&tuolaji), "{tuolaji}");
        assert!((1..=4).contains(&holdem), "{holdem}");
        assert!(minutes::<Wakeng>("human-ai") < wakeng, "computer players do not think so long");
    }
}
