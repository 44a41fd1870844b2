//! Boards to try: who may have how many at a time, and where a token leads.
//!
//! A board to try lives in memory alone ([`crate::tables::hall::trial`]); a forgotten one leaves its place here to the
//! next.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::config::Limits;
use super::problem::{Code, Problem};
use super::rate_limit::bucket;
use super::secret::fresh_token;
use crate::canonical::{Hash, sha256};
use crate::cards::Card;
use crate::games::{GameKind, Seat, deal_board, rulesets};
use crate::journal::Header;
use crate::players::Levels;
use crate::rng::GameRng;
use crate::tables::hall::HallHandle;
use crate::tables::hall::trial::{Trial, open};
use crate::with_game;
use crate::words::Message;
use tokio::sync::Semaphore;

/// How tokens of boards to try begin.
pub const TRIAL: &str = "ft_";
/// Numbers of boards to try: banker, button and level change with the number.
const NUMBERS: u32 = 12;
/// How long a board is kept while nobody is connected, and after its end.
const IDLE: Duration = Duration::from_mins(5);
/// After how many seconds it is worth asking again where every place is taken.
const AGAIN_S: u64 = 60;

struct Held {
    hall: HallHandle,
    address: IpAddr,
}

/// The boards to try of a server.
pub struct Trials {
    most: usize,
    each: usize,
    held: Mutex<BTreeMap<Hash, Held>>,
}

impl std::fmt::Debug for Trials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trials").field("most", &self.most).field("each", &self.each).finish_non_exhaustive()
    }
}

/// A fresh board of a game, with a seat for the person.
fn fresh<G: Levels>(chance: &mut GameRng, key: Hash, thinkers: Arc<Semaphore>) -> Option<Trial<G>> {
    let rules = rulesets::default::<G>().ok()?;
    let mut cards: Vec<Card> = G::PACK.cards();
    chance.shuffle(&mut cards);
    let number = chance.below(NUMBERS) + 1;
    let start = deal_board::<G>(&rules, number, &cards).ok()?;
    let seats: Vec<Seat> = G::seated(&start).iter().collect();
    let seat = chance.pick(&seats).copied()?;
    // The first level plays at random.
    let level = G::levels().get(1).or_else(|| G::levels().first()).copied()?;
    let header = Header::new(format!("try/{number}"), rules, start);
    Some(Trial { header, number, seat, level, key, thinkers, idle: IDLE })
}

impl Trials {
    /// None yet.
    #[must_use]
    pub fn new(limits: &Limits) -> Trials {
        let size = |number| usize::try_from(number).unwrap_or(usize::MAX);
        Trials { most: size(limits.trials), each: size(limits.trials_each), held: Mutex::default() }
    }

    /// Whether boards may be tried at all.
    #[must_use]
    pub const fn offered(&self) -> bool {
        self.most > 0 && self.each > 0
    }

    /// How many are held.
    #[must_use]
    pub fn count(&self) -> usize {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|_, one| !one.hall.gone());
        held.len()
    }

    /// Opens a board of a game for somebody at an address; answers the token of the seat. Must be called within a tokio
    /// runtime.
    ///
    /// # Errors
    /// Every place is taken, or those of the address; there is no chance to be had.
    pub fn begin(
        &self,
        kind: GameKind,
        address: IpAddr,
        thinkers: &Arc<Semaphore>,
    ) -> Result<String, Problem> {
        let address = bucket(address);
        let full = |id| Problem::said(Code::TooMany, Message::plain(id)).after(AGAIN_S);
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|_, one| !one.hall.gone());
        if held.len() >= self.most {
            return Err(full("web-trials-full"));
        }
        if held.values().filter(|one| one.address == address).count() >= self.each {
            return Err(full("web-trials-each"));
        }
        let mut seed = [0; 64];
        getrandom::fill(&mut seed).map_err(Problem::internal)?;
        let mut chance = GameRng::of("fushi-try/1|deal", &seed);
        let key = sha256(&[b"fushi-try/1|key".as_slice(), seed.as_slice()].concat());
        let token = format!("{TRIAL}{}", fresh_token().map_err(Problem::internal)?);
        let hall = with_game!(kind, G => {
            open(fresh::<G>(&mut chance, key, Arc::clone(thinkers)).ok_or_else(|| Problem::internal("no seat"))?)
        });
        held.insert(sha256(token.as_bytes()), Held { hall, address });
        Ok(token)
    }

    /// The board that a token leads to, as long as it is not forgotten.
    #[must_use]
    pub fn find(&self, token: &str) -> Option<HallHandle> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.get(&sha256(token.as_bytes())).map(|one| one.hall.clone()).filter(|hall| !hall.gone())
    }
}
