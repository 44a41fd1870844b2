//! Reading which levels play: the values of `--ai` and `--levels`.

use super::{Levels, PlayerRef, usage};
use crate::games::{Fault, rulesets};
use crate::words::message;

/// The level with a name.
///
/// # Errors
/// An unknown name, with the nearest known one.
pub fn find<G: Levels>(name: &str) -> Result<PlayerRef<G>, Fault> {
    G::levels().iter().find(|player| player.info().name == name).copied().ok_or_else(|| {
        let known: Vec<&str> = G::levels().iter().map(|player| player.info().name).collect();
        Fault::new("unknown_level", rulesets::not_known("AI level", name, &known))
    })
}

/// Reads `LEVEL,LEVEL…`: at least one, blanks around names do not matter.
///
/// # Errors
/// An empty list, or every unknown name.
pub fn parse_levels<G: Levels>(text: &str) -> Result<Vec<PlayerRef<G>>, Vec<Fault>> {
    let mut players = Vec::new();
    let mut faults = Vec::new();
    for name in text.split(',').map(str::trim) {
        match find::<G>(name) {
            Ok(player) => players.push(player),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(players) } else { Err(faults) }
}

/// Reads which level sits where: words separated by commas, each `SEAT=LEVEL` or just `LEVEL`. Seats without a
/// word of their own take the plain levels in order, again from the first when there are fewer, and the default
/// level when there is none. The answer has a player for each of `seats` seats.
///
/// # Errors
/// Every unknown level, unknown seat and seat named twice; more plain levels than free seats.
pub fn parse_seats<G: Levels>(text: &str, seats: u8) -> Result<Vec<PlayerRef<G>>, Vec<Fault>> {
    let mut named: Vec<Option<PlayerRef<G>>> = vec![None; usize::from(seats)];
    let mut plain = Vec::new();
    let mut faults = Vec::new();
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let (seat, level) = match word.split_once('=') {
            Some((seat, level)) => (Some(seat.trim()), level.trim()),
            None => (None, word),
        };
        let player = match find::<G>(level) {
            Ok(player) => player,
            Err(fault) => {
                faults.push(fault);
                continue;
            }
        };
        let Some(seat) = seat else {
            plain.push(player);
            continue;
        };
        match G::seat_named(seat).and_then(|seat| named.get_mut(seat.index())) {
            Some(place @ None) => *place = Some(player),
            Some(Some(_)) => faults.push(usage(message!("ai-seat-twice", seat = short(seat)))),
            None => faults.push(usage(message!("ai-no-seat", seat = short(seat), seats))),
        }
    }
    let free = named.iter().filter(|place| place.is_none()).count();
    if plain.len() > free {
        faults.push(usage(message!("ai-too-many", levels = plain.len(), free)));
    }
    if plain.is_empty() && free > 0 && faults.is_empty() {
        match find::<G>(G::DEFAULT_LEVEL) {
            Ok(player) => plain.push(player),
            Err(fault) => faults.push(fault),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut plain = plain.into_iter().cycle();
    Ok(named.into_iter().filter_map(|place| place.or_else(|| plain.next())).collect())
}

fn short(text: &str) -> String {
    text.chars().take(20).collect()
}
