//! The rules. Each game is a pure state machine behind one interface, [`Game`].
//!
//! Architecture invariant: nothing in this room knows a clock, a file, a network, a database or a source of
//! randomness. A game is given a deal and answers what may happen next; time-outs, hints, AI moves and the check of
//! a client's action all come from the same generator. Undealt and hidden cards leave a game only through
//! [`Game::view`].

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::cards::{Card, CardError, Pack, Renaming};
use crate::words::{Lang, Message, message, say, say_all};

pub use crate::canonical::Setup;
pub use setup::{board_setup, deal_board};

pub mod holdem;
mod reading;
pub mod rulesets;
mod setup;
pub mod story;
mod symmetry;
pub mod tuolaji;
pub mod wakeng;

/// The closed list of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameKind {
    /// Wakeng (挖坑), three seats.
    Wakeng,
    /// Tuolaji (拖拉机), four seats in two pairs.
    Tuolaji,
    /// No-limit hold'em (德州扑克), two to ten seats.
    Holdem,
}

impl GameKind {
    /// Every game.
    pub const ALL: [GameKind; 3] = [GameKind::Wakeng, GameKind::Tuolaji, GameKind::Holdem];

    /// The name in records, flags and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            GameKind::Wakeng => "wakeng",
            GameKind::Tuolaji => "tuolaji",
            GameKind::Holdem => "holdem",
        }
    }
}

impl Display for GameKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameKind {
    type Err = String;

    fn from_str(text: &str) -> Result<GameKind, String> {
        GameKind::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| format!("unknown game `{text}`: use wakeng, tuolaji or holdem"))
    }
}

/// A seat of a table, counted from 0 in playing order. Its name (`A`, `E`, `1`) is the game's: [`Game::seat_name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index into per-seat arrays.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The lowest seat of a bit pattern.
    #[allow(clippy::cast_possible_truncation, reason = "at most 16")]
    const fn lowest(bits: u16) -> Seat {
        Seat(bits.trailing_zeros() as u8)
    }
}

/// A set of seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct Seats(u16);

impl Seats {
    /// No seat.
    pub const NONE: Seats = Seats(0);

    /// Just one seat.
    #[must_use]
    pub const fn one(seat: Seat) -> Seats {
        Seats(1 << seat.0)
    }

    /// Whether the seat is in the set.
    #[must_use]
    pub const fn contains(self, seat: Seat) -> bool {
        seat.0 < 16 && self.0 >> seat.0 & 1 == 1
    }

    /// The set with one more seat.
    #[must_use]
    pub const fn with(self, seat: Seat) -> Seats {
        Seats(self.0 | 1 << seat.0)
    }

    /// The set with one seat fewer.
    #[must_use]
    pub const fn without(self, seat: Seat) -> Seats {
        Seats(self.0 & !(1 << seat.0))
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many seats.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The first seat of the set after `seat`, going round: the only one there is may be `seat` itself.
    ///
    /// ```
    /// use fushi::games::{Seat, Seats};
    ///
    /// let seats: Seats = [1, 4, 8].map(Seat).into_iter().collect();
    /// assert_eq!(seats.next_after(Seat(4)), Some(Seat(8)));
    /// assert_eq!(seats.next_after(Seat(8)), Some(Seat(1)));
    /// ```
    #[must_use]
    pub const fn next_after(self, seat: Seat) -> Option<Seat> {
        if self.0 == 0 {
            return None;
        }
        let above = if seat.0 < 15 { self.0 >> (seat.0 + 1) << (seat.0 + 1) } else { 0 };
        let rest = if above == 0 { self.0 } else { above };
        Some(Seat::lowest(rest))
    }

    /// The seats in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let seat = (rest != 0).then(|| Seat::lowest(rest))?;
            rest &= rest - 1;
            Some(seat)
        })
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Seats {
        seats.into_iter().fold(Seats::NONE, Seats::with)
    }
}

/// Who looks at a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// The player in a seat: own cards and what everybody knows.
    Seat(Seat),
    /// A spectator of the table: only what everybody at the table knows.
    Public,
}

/// Who must decide now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The seats that must (or, while cards are drawn, may) decide; none once the board is over.
    pub seats: Seats,
    /// Whether they decide at the same time, unseen by each other. `false`: exactly one seat has the turn.
    pub simultaneous: bool,
    /// Name of the phase, which is also the name of the clock that runs: `show`, `bid`, `play`…
    pub phase: &'static str,
    /// The time limit of the decision in milliseconds, from the ruleset.
    pub limit_ms: u32,
}

/// One inconsistency of a header, a ruleset or a setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Stable code, such as `unknown_key`, `wrong_count`, `card_named_twice`.
    pub code: &'static str,
    /// What is wrong and what to do, one line, in English.
    pub message: String,
    /// The same for a reader of any language.
    #[serde(skip)]
    pub told: Message,
}

impl Fault {
    /// A fault with its code and sentence.
    pub fn new(code: &'static str, told: impl Into<Message>) -> Fault {
        let told = told.into();
        Fault { code, message: say(Lang::En, &told), told }
    }

    /// The same fault with a place before its sentence, such as the line of a file.
    #[must_use]
    pub fn at(self, place: impl FnOnce(Message) -> Message) -> Fault {
        Fault::new(self.code, place(self.told))
    }

    /// What is wrong, in a language.
    #[must_use]
    pub fn sentence(&self, lang: Lang) -> String {
        say(lang, &self.told)
    }

    /// Several faults in a language, as one line.
    #[must_use]
    pub fn sentences(faults: &[Fault], lang: Lang) -> String {
        let told: Vec<Message> = faults.iter().map(|fault| fault.told.clone()).collect();
        say_all(lang, &told)
    }
}

/// The sentence about a word that is no card.
#[must_use]
pub fn not_a_card(error: &CardError) -> Message {
    message!("not-a-card", token = &error.token)
}

/// Why a record's header is refused: the two reasons of the record format with every inconsistency found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartError {
    /// `bad_header`: keys, ruleset or settings.
    Header(Vec<Fault>),
    /// `bad_deal`: the cards of a deal or position.
    Deal(Vec<Fault>),
}

/// A typed reason for refusing an action.
pub trait Refusal: Clone + Debug + PartialEq {
    /// The stable code of the record format, such as `does_not_beat`.
    fn code(&self) -> &'static str;
    /// The sentence for the player.
    fn message(&self) -> Message;
}

/// The text of an action as it stands in a record's line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionText {
    /// The value of `"do"`.
    pub text: String,
    /// The value of `"after"`, where the game has it (tuolaji's calls).
    pub after: Option<u32>,
}

impl ActionText {
    /// An action without `"after"`.
    pub fn plain(text: impl Into<String>) -> ActionText {
        ActionText { text: text.into(), after: None }
    }
}

/// What a ruleset says about one point of the game, as players read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The point, the same word in every ruleset of the game: `runs-of-pairs`.
    pub topic: &'static str,
    /// What the ruleset says about it.
    pub told: Message,
}

impl Clause {
    /// What a ruleset says about a point.
    #[must_use]
    pub const fn new(topic: &'static str, told: Message) -> Clause {
        Clause { topic, told }
    }
}

/// Milliseconds as seconds, exactly: `20`, `0.6`.
///
/// ```
/// assert_eq!(fushi::games::seconds(600), "0.6");
/// ```
#[must_use]
pub fn seconds(ms: u32) -> String {
    let (whole, rest) = (ms / 1000, ms % 1000);
    if rest == 0 {
        return whole.to_string();
    }
    let digits = format!("{rest:03}");
    format!("{whole}.{}", digits.trim_end_matches('0'))
}

/// What a ruleset says about slow play: the first time is a warning, every further one costs points, by a referee's
/// ruling (`TL 9`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlowPlay {
    /// Points for each time after the first.
    pub penalty: u32,
    /// Whether both players of a pair are counted together.
    pub of_pair: bool,
    /// Whether the whole event is counted together; otherwise each round begins anew.
    pub of_event: bool,
}

/// A ruleset: data, every field explicit. See [`rulesets`] for reading and hashing.
pub trait Ruleset: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The name printed on every result.
    fn name(&self) -> &str;
    /// Every contradiction between the fields; empty when the ruleset can be played.
    fn faults(&self) -> Vec<Fault>;
    /// The rules as players read and accept them, in reading order. Every field shows: another value of it is another
    /// sentence, also where the other fields leave it without effect.
    fn clauses(&self) -> Vec<Clause>;
    /// How long a round of an event lasts by the rules, in minutes, where they say so.
    fn round_minutes(&self) -> Option<u32> {
        None
    }
    /// What the rules say about slow play, where they do.
    fn slow_play(&self) -> Option<SlowPlay> {
        None
    }
    /// What a referee needs of the rules at a table: the topics of [`Ruleset::clauses`] that say what an offence costs.
    fn penalties(&self) -> &'static [&'static str] {
        &[]
    }
    /// The name of the table of points that every result names, where the ruleset has one (the Tuolaji rulebook §7.2).
    fn table(&self) -> Option<&str> {
        None
    }
    /// What is wrong with a record's `rules` object beside what the finished ruleset shows: fields that cannot be
    /// changed one without the other.
    fn change_faults(changes: &Map<String, Value>) -> Vec<Fault> {
        let _ = changes;
        Vec::new()
    }
    /// Fields that follow from overridden ones (`overridden`: the top-level names the record's `rules` object sets).
    fn settle(&mut self, overridden: &[&str]) {
        let _ = overridden;
    }
}

/// A card game: a pure state machine from a deal to an outcome.
///
/// Every implementation passes the conformance suite in `tests/it/conformance.rs`.
///
/// ```
/// use fushi::games::{Game, deal_board, rulesets, wakeng::Wakeng};
///
/// let rules = rulesets::default::<Wakeng>().unwrap();
/// let start = deal_board::<Wakeng>(&rules, 1, &Wakeng::PACK.cards()).unwrap();
/// let mut state = Wakeng::open(&rules, &start);
/// while !Wakeng::finished(&state) {
///     let seat = Wakeng::waiting_for(&state).seats.iter().next().unwrap();
///     let action = Wakeng::legal(&state, seat).next().unwrap();
///     let effect = Wakeng::check(&state, seat, &action).unwrap();
///     Wakeng::apply(&mut state, effect);
/// }
/// assert_eq!(Wakeng::scores(&state).iter().sum::<i64>(), 0);
/// ```
pub trait Game: Copy + Debug + Send + Sync + 'static {
    /// Which of the games this is.
    const KIND: GameKind;
    /// The pack it is dealt from.
    const PACK: Pack;
    /// The shipped rulesets as (name, TOML text), default first.
    const RULESETS: &'static [(&'static str, &'static str)];

    /// A ruleset of this game.
    type Rules: Ruleset;
    /// A validated deal or position with the settings of its board (level, button, stacks…).
    type Start: Clone + Debug + PartialEq + Send + Sync;
    /// Full information about a board in progress. Not serialisable on purpose: it never leaves the server.
    type State: Clone + Debug + Send;
    /// What a seat can say or play.
    type Action: Clone + Debug + Eq + Ord + Hash + Send + Sync;
    /// A checked action with everything needed to carry it out.
    type Effect: Clone + Debug;
    /// What one viewer may know. The only thing sent to clients and AI players.
    type View: Clone + Debug + PartialEq + Serialize + Send;
    /// Why an action is refused.
    type Illegal: Refusal;
    /// What happened, in the fields that `fushi replay` promises.
    type Outcome: Clone + Debug + PartialEq + Serialize;

    /// The name of a seat in records; `None` outside the table.
    fn seat_name(seat: Seat) -> Option<&'static str>;
    /// The seat with a name.
    fn seat_named(name: &str) -> Option<Seat>;
    /// How many seats a board has, empty ones between the players included.
    fn seats(start: &Self::Start) -> u8;
    /// The seats somebody sits in: all below [`Game::seats`], unless a game has empty seats between.
    fn seated(start: &Self::Start) -> Seats {
        (0..Self::seats(start)).map(Seat).collect()
    }

    /// The setups of duplicate boards under a ruleset, in the order in which they go round: board `n` of a set has the
    /// one that [`board_setup`] gives. Never empty, and [`Game::deal`] takes each of them.
    fn setups(rules: &Self::Rules) -> Vec<Setup>;
    /// A board with a setup, from a shuffled pack in dealing order.
    ///
    /// # Errors
    /// Everything that is wrong with the setup at once, or an order that is no permutation of [`Game::PACK`].
    fn deal(rules: &Arc<Self::Rules>, setup: &Setup, order: &[Card]) -> Result<Self::Start, Vec<Fault>>;
    /// The setup of a board: [`Game::deal`] makes the same start of it and of the same cards. Of a position it is what
    /// the position tells.
    fn setup_of(start: &Self::Start) -> Setup;
    /// What a finished board hands on to the next of its table: empty where boards do not depend on each other, and for
    /// a board that is not over.
    fn carry(state: &Self::State) -> Setup {
        let _ = state;
        Setup::default()
    }
    /// Reads `deal` or `position` and the game's own keys from a record's header. The common keys (`fushi`, `game`,
    /// `ruleset`, `rules`, `board`, `hash`) have been taken out of `header` before; any key this game does not know
    /// is an error.
    ///
    /// # Errors
    /// Every inconsistency at once.
    fn read_start(rules: &Arc<Self::Rules>, header: &Map<String, Value>) -> Result<Self::Start, StartError>;
    /// Writes the header keys that [`Game::read_start`] reads, in canonical form: equal starts write equal keys.
    fn write_start(start: &Self::Start) -> Map<String, Value>;
    /// Reads an action.
    ///
    /// # Errors
    /// What could not be read, for the reason `malformed`.
    fn read_action(text: &ActionText) -> Result<Self::Action, Message>;
    /// Writes an action; [`Game::read_action`] reads it back.
    fn write_action(action: &Self::Action) -> ActionText;

    /// The board before the first action.
    fn open(rules: &Arc<Self::Rules>, start: &Self::Start) -> Self::State;
    /// Who must decide, which clock runs.
    fn waiting_for(state: &Self::State) -> Waiting;
    /// After how many milliseconds a decision of the seat on turn counts as slow play, where the rules have such a
    /// limit; [`Waiting::limit_ms`], when the clock acts, is never shorter.
    fn slow_after_ms(state: &Self::State) -> Option<u32> {
        let _ = state;
        None
    }
    /// What the clock does for a seat that lets its time pass; `None` if the seat need not decide.
    fn timeout(state: &Self::State, seat: Seat) -> Option<Self::Action>;
    /// Checks an action without changing anything. Order of the reasons: fits the phase → the seat's turn → cards
    /// named once → cards in hand → a combination → beats or follows.
    ///
    /// # Errors
    /// The first reason that applies.
    fn check(state: &Self::State, seat: Seat, action: &Self::Action) -> Result<Self::Effect, Self::Illegal>;
    /// The refusal of any action on a board that is over although the game is not (a journal's note `end`).
    fn over() -> Self::Illegal;
    /// Why a player may not do this though the clock or a referee may; `None` for everything a player may try.
    fn officials_only(state: &Self::State, seat: Seat, action: &Self::Action) -> Option<Self::Illegal> {
        let _ = (state, seat, action);
        None
    }
    /// Carries out a checked action. Cannot fail.
    fn apply(state: &mut Self::State, effect: Self::Effect);
    /// The next step that no seat decides (the dealer draws a card), if one is due. It is deterministic and never
    /// part of a record.
    fn advance(state: &Self::State) -> Option<Self::Effect> {
        let _ = state;
        None
    }
    /// The seats of [`Game::waiting_for`] in the order in which their answers count when several come at once: whoever
    /// asks programs, one after the other, asks in this order.
    fn precedence(state: &Self::State) -> Vec<Seat> {
        Self::waiting_for(state).seats.iter().collect()
    }
    /// Whether the dealer's next step comes before an action that a journal has next. A journal has no line for the
    /// dealer's steps; whoever wants to know what a seat saw when it acted lets the dealer go on while this holds.
    fn dealer_first(state: &Self::State, action: &Self::Action) -> bool {
        let _ = (state, action);
        false
    }
    /// Whether the time of an occasion that everybody may let pass goes on when somebody takes it; otherwise it begins
    /// anew.
    fn occasion_goes_on(state: &Self::State) -> bool {
        let _ = state;
        false
    }
    /// Whether the text of an action says what the others at the table may not know; they learn from their views that
    /// it was taken. Choices made at the same time are kept from the others by the phase, not by this.
    fn keeps_secret(state: &Self::State, action: &Self::Action) -> bool {
        let _ = (state, action);
        false
    }
    /// Every legal action of a seat, lazily, in a fixed order; empty when the seat may not act.
    fn legal(state: &Self::State, seat: Seat) -> impl Iterator<Item = Self::Action> + '_;
    /// Whose play is the highest of the trick in play, before it is over: everybody sees it. `None` where there is no such
    /// play. It is no part of a view, so that what an AI player answers does not depend on it.
    fn ahead(state: &Self::State) -> Option<Seat> {
        let _ = state;
        None
    }
    /// What a viewer may know.
    fn view(state: &Self::State, viewer: Viewer) -> Self::View;
    /// Reads a view that was written as JSON: [`Game::view`] of a board with these `rules`, which a view only names.
    /// Reading what was written gives the same view, and whatever can be read is written the same.
    ///
    /// # Errors
    /// What does not fit, in one line.
    fn read_view(rules: &Arc<Self::Rules>, view: &Value) -> Result<Self::View, String>;
    /// Every legal action of the seat whose view it is: the same generator as [`Game::legal`], from what the seat
    /// knows. Empty for the public view.
    fn options(view: &Self::View) -> impl Iterator<Item = Self::Action> + '_;

    /// The renaming that brings a view into its canonical form. Two views that differ only in what the rules do not tell
    /// apart (which card of a rank in wakeng, which suit is which in the other games) have the same form, so that
    /// whoever answers the form gives both the same answer.
    fn canonical(view: &Self::View) -> Renaming;
    /// The view with its cards renamed: the view that the seat would have at a table with cards of these names.
    fn rename_view(view: &Self::View, renaming: &Renaming) -> Self::View;
    /// The action with its cards renamed.
    fn rename_action(action: Self::Action, renaming: &Renaming) -> Self::Action;

    /// Whether the board is over.
    fn finished(state: &Self::State) -> bool;
    /// The raw score per seat (0 for an empty one); meaningful once the board is over.
    fn scores(state: &Self::State) -> Vec<i64>;
    /// Whether some legal play of a board could give the seat this raw score. Judged by the ruleset and the settings of the
    /// board that everybody knows (stacks, blinds), never by its cards: the answer tells nothing about a deal. `true` where
    /// it cannot be excluded.
    fn possible_score(rules: &Self::Rules, start: &Self::Start, seat: Seat, score: i64) -> bool;
    /// The same for the points from which a raw score is made, where an event compares those: tuolaji's small points,
    /// counted against the banker's side.
    fn possible_small(rules: &Self::Rules, points: i64) -> bool {
        let _ = (rules, points);
        false
    }
    /// What happened so far.
    fn outcome(state: &Self::State) -> Self::Outcome;
    /// What happened so far, in the few facts that a traveller shows beside the scores, in reading order. The names of
    /// the facts are the same on every finished board of the game.
    fn story(state: &Self::State) -> Vec<story::Fact>;
    /// What `fushi legal` prints for a seat beside `record` and `seat`: by default `{"legal":[…]}`, cut at `limit`
    /// with `"cut":true`.
    fn legal_listing(state: &Self::State, seat: Seat, limit: usize) -> Map<String, Value> {
        let mut actions = Self::legal(state, seat);
        let list: Vec<Value> = actions
            .by_ref()
            .take(limit)
            .map(|action| Value::String(Self::write_action(&action).text))
            .collect();
        let mut listing = Map::new();
        listing.insert("legal".to_owned(), Value::Array(list));
        if actions.next().is_some() {
            listing.insert("cut".to_owned(), Value::Bool(true));
        }
        listing
    }
}
