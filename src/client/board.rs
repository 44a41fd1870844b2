//! One board from one seat: what its views say, what may be done, what the level wants to do.
//!
//! Everything is checked against the rules as this program knows them; the server's word alone counts for nothing.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::known::Known;
use super::message::{LEGAL_MAX, Seated};
use crate::games::holdem::Holdem;
use crate::games::tuolaji::Tuolaji;
use crate::games::wakeng::Wakeng;
use crate::games::{ActionText, GameKind, Seat, rulesets};
use crate::players::{AiKey, PlayerRef, choose, find};
use crate::words::Message;

/// Levels from this place on think long enough to be given a thread of their own.
const THINKERS: usize = 2;

/// A decision that is still to be thought about, apart from everything else.
pub(super) type Thought = Box<dyn FnOnce() -> Option<ActionText> + Send>;

/// A board in one of the games.
pub(super) trait Board: Send {
    /// The name of the own seat.
    fn seat(&self) -> &str;
    /// Takes over a view with its list of legal actions.
    ///
    /// # Errors
    /// What does not fit.
    fn look(&mut self, view: &Value, legal: Option<&[String]>, cut: bool) -> Result<(), String>;
    /// Compares a list of legal actions with the own one.
    ///
    /// # Errors
    /// The first difference.
    fn compare(&self, legal: &[String], cut: bool) -> Result<(), String>;
    /// Whether the own seat may do something now.
    fn may_act(&self) -> bool;
    /// The level's decision for the present view.
    fn thought(&self) -> Option<Thought>;
    /// Whether the level thinks long.
    fn thinks_long(&self) -> bool;
    /// Compares scores with what the last view says.
    ///
    /// # Errors
    /// The difference.
    fn scores(&self, scores: &Map<String, Value>) -> Result<(), String>;
}

/// Whose level plays how.
#[derive(Clone, Debug)]
pub(super) struct Brain {
    /// The level's name; `None`: the game's default level.
    pub level: Option<String>,
    /// The key of all its chance.
    pub key: Arc<AiKey>,
}

impl Brain {
    /// The key of a player: it follows from the token, so that the same token meets the same chance.
    pub fn of(token: &str, level: Option<&str>) -> Brain {
        let key = AiKey::new(crate::canonical::sha256(format!("fushi-play/1|{token}").as_bytes()));
        Brain { level: level.map(str::to_owned), key: Arc::new(key) }
    }
}

/// Checks that a game has the level.
///
/// # Errors
/// The sentence for the user.
pub(super) fn check_level(game: &str, level: Option<&str>) -> Result<(), Message> {
    fn has<G: Known>(level: Option<&str>) -> Result<(), Message> {
        find::<G>(level.unwrap_or(G::DEFAULT_LEVEL)).map(|_| ()).map_err(|fault| fault.told)
    }
    match game.parse::<GameKind>().map_err(Message::from)? {
        GameKind::Wakeng => has::<Wakeng>(level),
        GameKind::Tuolaji => has::<Tuolaji>(level),
        GameKind::Holdem => has::<Holdem>(level),
    }
}

/// A board that begins.
///
/// # Errors
/// An unknown game, level or seat; a ruleset that cannot be read.
pub(super) fn seated(game: &str, seated: &Seated, brain: &Brain) -> Result<Box<dyn Board>, String> {
    match game.parse::<GameKind>()? {
        GameKind::Wakeng => Seen::<Wakeng>::new(seated, brain),
        GameKind::Tuolaji => Seen::<Tuolaji>::new(seated, brain),
        GameKind::Holdem => Seen::<Holdem>::new(seated, brain),
    }
}

struct Seen<G: Known> {
    rules: Arc<G::Rules>,
    seat: Seat,
    name: &'static str,
    play: u32,
    player: PlayerRef<G>,
    long: bool,
    key: Arc<AiKey>,
    view: Option<G::View>,
}

impl<G: Known> Seen<G> {
    #[allow(clippy::new_ret_no_self)] // the game is known inside only
    fn new(seated: &Seated, brain: &Brain) -> Result<Box<dyn Board>, String> {
        let rules = rulesets::read::<G>(&seated.rules)
            .map_err(|faults| faults.first().map_or_else(String::new, |fault| fault.message.clone()))?;
        let name = crate::games::Ruleset::name(&rules);
        if seated.ruleset != name {
            return Err(format!("`ruleset` should read {name}"));
        }
        let seat = G::seat_named(&seated.seat).ok_or("`seat` is none of this game")?;
        if !seated.seats.contains_key(&seated.seat) {
            return Err("`seats` does not have the own seat".to_owned());
        }
        let player =
            find::<G>(brain.level.as_deref().unwrap_or(G::DEFAULT_LEVEL)).map_err(|fault| fault.message)?;
        let place = G::levels().iter().position(|level| level.info().name == player.info().name);
        Ok(Box::new(Seen::<G> {
            rules: Arc::new(rules),
            seat,
            name: G::seat_name(seat).unwrap_or_default(),
            // Only the level's chance depends on it.
            play: u32::try_from(seated.play & u64::from(u32::MAX)).unwrap_or_default(),
            player,
            long: place.is_none_or(|place| place >= THINKERS),
            key: Arc::clone(&brain.key),
            view: None,
        }))
    }

    fn options(view: &G::View) -> (Vec<String>, bool) {
        let mut options = G::options(view);
        let list = options.by_ref().take(LEGAL_MAX).map(|action| G::write_action(&action).text).collect();
        (list, options.next().is_some())
    }

    fn compare_with(view: &G::View, legal: &[String], cut: bool) -> Result<(), String> {
        let (ours, more) = Seen::<G>::options(view);
        if ours != legal {
            let place = ours.iter().zip(legal).take_while(|(one, other)| one == other).count();
            let at = |list: &[String]| list.get(place).cloned().unwrap_or_else(|| "nothing".to_owned());
            return Err(format!("legal action {place} should be {}, not {}", at(&ours), at(legal)));
        }
        if more != cut {
            return Err(format!("`cut` should be {more}"));
        }
        Ok(())
    }
}

impl<G: Known> Board for Seen<G> {
    fn seat(&self) -> &str {
        self.name
    }

    fn look(&mut self, view: &Value, legal: Option<&[String]>, cut: bool) -> Result<(), String> {
        let view = G::read_view(&self.rules, view).map_err(|error| format!("view: {error}"))?;
        let compared = Seen::<G>::compare_with(&view, legal.unwrap_or_default(), cut);
        self.view = Some(view);
        compared
    }

    fn compare(&self, legal: &[String], cut: bool) -> Result<(), String> {
        self.view.as_ref().map_or(Ok(()), |view| Seen::<G>::compare_with(view, legal, cut))
    }

    fn may_act(&self) -> bool {
        self.view.as_ref().is_some_and(|view| G::options(view).next().is_some())
    }

    fn thought(&self) -> Option<Thought> {
        let view = self.view.clone()?;
        let (player, key, rules) = (self.player, Arc::clone(&self.key), Arc::clone(&self.rules));
        let (play, seat) = (self.play, self.seat);
        Some(Box::new(move || {
            choose(player, &key, &rules, play, seat, &view).map(|action| G::write_action(&action))
        }))
    }

    fn thinks_long(&self) -> bool {
        self.long
    }

    fn scores(&self, scores: &Map<String, Value>) -> Result<(), String> {
        let Some(ours) = self.view.as_ref().and_then(|view| G::final_scores(&self.rules, view)) else {
            return Ok(());
        };
        let ours: Map<String, Value> =
            ours.into_iter().map(|(seat, score)| (seat.to_owned(), score.into())).collect();
        if &ours == scores { Ok(()) } else { Err(format!("scores should read {}", Value::Object(ours))) }
    }
}
