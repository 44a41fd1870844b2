//! Shapes: singles, pairs and tractors of one group, the canonical decomposition (TL 4), and the comparison of
//! run lists on which following rests (TL 5.3).
//!
//! Everything here is a function of a bag and a ladder; the order in which cards were named can never matter.

use serde::{Deserialize, Serialize};

use super::bag::Bag;
use super::ladder::{Group, Ladder, TIERS};

/// The kind of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One card (单张).
    Single,
    /// Two identical cards (对子).
    Pair,
    /// Two or more adjacent pairs (拖拉机, 姊妹对).
    Tractor,
}

impl Kind {
    /// The word of the record format: `single`, `pair`, `tractor`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Single => "single",
            Kind::Pair => "pair",
            Kind::Tractor => "tractor",
        }
    }
}

/// One component of a lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// Single, pair or tractor.
    pub kind: Kind,
    /// Its cards.
    pub cards: Bag,
    /// Its highest tier.
    pub top: u8,
    /// How many pairs: 0 for a single, 1 for a pair, 2 or more for a tractor.
    pub pairs: u8,
}

/// Lengths of runs (tractors) in descending order, the rest of the array zero. The derived order is the comparison of
/// TL 5.3: as lists in descending order.
///
/// Eight places suffice: runs have two tiers or more, a ladder has sixteen tiers, and one tier may count twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Runs([u8; Runs::MAX]);

impl Runs {
    const MAX: usize = 10;
    /// No run.
    pub const NONE: Runs = Runs([0; Runs::MAX]);

    /// The lengths in descending order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        self.0.into_iter().take_while(|length| *length > 0)
    }

    /// The longest run; 0 if there is none.
    #[must_use]
    pub const fn longest(self) -> u8 {
        self.0[0]
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0[0] == 0
    }

    /// Pairs in all runs together.
    #[must_use]
    pub fn total(self) -> u8 {
        self.0.iter().sum()
    }

    /// Adds a run; lengths below two are no runs and are dropped.
    pub(crate) fn push(&mut self, length: u8) {
        if length < 2 {
            return;
        }
        let mut carried = length;
        for place in &mut self.0 {
            if *place < carried {
                std::mem::swap(place, &mut carried);
            }
        }
    }

    /// Takes out one run of a length; `false` if there is none.
    pub(crate) fn take(&mut self, length: u8) -> bool {
        let Some(at) = self.0.iter().position(|held| *held == length) else { return false };
        self.0.copy_within(at + 1.., at);
        self.0[Runs::MAX - 1] = 0;
        true
    }

    /// Cuts `length` off one run of `whole`.
    fn cut(mut self, whole: u8, length: u8) -> Runs {
        self.take(whole);
        self.push(whole - length);
        self
    }

    /// The lengths that are at least `length`, each once.
    fn distinct_from(self, length: u8) -> impl Iterator<Item = u8> {
        let mut last = 0;
        self.iter().filter(move |held| {
            let fresh = *held != last;
            last = *held;
            fresh && *held >= length
        })
    }

    /// The list with one more run in front, which is at least as long as any.
    fn prepend(self, length: u8) -> Runs {
        let mut list = self;
        list.push(length);
        list
    }
}

impl FromIterator<u8> for Runs {
    fn from_iter<I: IntoIterator<Item = u8>>(lengths: I) -> Runs {
        let mut runs = Runs::NONE;
        for length in lengths {
            runs.push(length);
        }
        runs
    }
}

/// How many pairs lie on each tier.
pub(crate) type PairsByTier = [u8; TIERS];

/// The pairs of a bag in a group by tier.
#[must_use]
pub(crate) fn pairs_by_tier(ladder: &Ladder, group: Group, pairs: u64) -> PairsByTier {
    let mut counts = [0; TIERS];
    let tiers = ladder.tiers(group, pairs & ladder.mask(group));
    for (tier, count) in counts.iter_mut().enumerate() {
        *count = (tiers >> tier & 1) as u8;
    }
    if group == Group::Trump {
        let (tier, faces) = ladder.shared_tier();
        #[allow(clippy::cast_possible_truncation)] // four faces at most
        let held = (faces & pairs).count_ones() as u8;
        counts[usize::from(tier)] = held;
    }
    counts
}

/// The best list of run lengths that the pairs of a group can make for the tractors `wanted`: `f` of TL 5.3,
/// compared in descending order. Loose pairs are not in the list.
#[must_use]
pub(crate) fn best_runs(ladder: &Ladder, group: Group, pairs: u64, wanted: Runs) -> Runs {
    let (whole, split) = segments(ladder, group, pairs);
    let best = fit(whole, wanted);
    match split {
        Some(split) => best.max(fit(split, wanted)),
        None => best,
    }
}

/// The maximal runs of paired tiers. Where several pairs lie on the shared tier of trumps and it has neighbours on
/// both sides, the run through it may also be two runs that each take one of its pairs: the second list.
fn segments(ladder: &Ladder, group: Group, pairs: u64) -> (Runs, Option<Runs>) {
    let tiers = u32::from(ladder.tiers(group, pairs & ladder.mask(group)));
    let mut runs = Runs::NONE;
    let mut left = tiers;
    let mut shift = 0;
    while left != 0 {
        let gap = left.trailing_zeros();
        left >>= gap;
        let length = left.trailing_ones();
        left >>= length;
        shift += gap + length;
        #[allow(clippy::cast_possible_truncation)] // sixteen tiers at most
        runs.push(length as u8);
    }
    debug_assert!(shift <= 16);
    if group != Group::Trump {
        return (runs, None);
    }
    let (shared, faces) = ladder.shared_tier();
    if shared == 0 || (faces & pairs).count_ones() < 2 {
        return (runs, None);
    }
    let below = (tiers << (32 - u32::from(shared))).leading_ones();
    let above = (tiers >> (shared + 1)).trailing_ones();
    if below == 0 || above == 0 {
        return (runs, None);
    }
    #[allow(clippy::cast_possible_truncation)] // sixteen tiers at most
    let (below, above) = (below as u8, above as u8);
    let mut split = runs;
    split.take(below + 1 + above);
    split.push(below + 1);
    split.push(above + 1);
    (runs, Some(split))
}

/// The greatest list of lengths that can be cut from `segments` and packed into `wanted`.
///
/// The first length is the shorter of the longest two. Cutting a run out of a piece of exactly its length, or packing
/// it into a place of exactly its length, never loses anything; only where no exact piece exists are the choices
/// tried one by one.
fn fit(segments: Runs, wanted: Runs) -> Runs {
    let length = segments.longest().min(wanted.longest());
    if length < 2 {
        return Runs::NONE;
    }
    let exact = |runs: Runs| runs.0.contains(&length);
    let mut best = Runs::NONE;
    for piece in segments.distinct_from(length).filter(|piece| *piece == length || !exact(segments)) {
        for place in wanted.distinct_from(length).filter(|place| *place == length || !exact(wanted)) {
            best = best.max(fit(segments.cut(piece, length), wanted.cut(place, length)));
        }
    }
    best.prepend(length)
}

/// The highest top tier of a run of `length` pairs.
#[must_use]
pub(crate) fn highest_run(tiers: u16, length: u8) -> Option<u8> {
    let mut starts = tiers;
    for shift in 1..length {
        starts &= tiers.checked_shr(u32::from(shift)).unwrap_or(0);
    }
    #[allow(clippy::cast_possible_truncation)] // a bit position below 16
    let start = starts.checked_ilog2()? as u8;
    Some(start + length - 1)
}

/// The canonical decomposition of a bag of one group (TL 4): the longest run of paired tiers is a tractor (of
/// equal ones the higher), and again, until there is none; then pairs, then singles. Components stand in ascending
/// order of kind, then size, tier and suit (D C H S), which is the order in which the smallest part of a failed throw
/// is found (TL 5.2).
///
/// Cards of other groups are ignored.
///
/// ```
/// use fushi::cards::{Suit, parse_cards};
/// use fushi::games::tuolaji::ladder::{Ladder, Trump};
/// use fushi::games::tuolaji::shape::{Kind, decompose};
///
/// // At level ten a run closes the gap that the level leaves: 9 9 J J is a tractor.
/// let ladder = Ladder::new("T".parse().unwrap(), Trump::Suit(Suit::Spades));
/// let bag = parse_cards("H9 H9 HJ HJ H3").unwrap().into_iter().collect();
/// let kinds: Vec<Kind> =
///     decompose(&ladder, ladder.group(parse_cards("H9").unwrap()[0]), bag).iter().map(|part| part.kind).collect();
/// assert_eq!(kinds, [Kind::Single, Kind::Tractor]);
/// ```
#[must_use]
pub fn decompose(ladder: &Ladder, group: Group, bag: Bag) -> Vec<Component> {
    let bag = bag.masked(ladder.mask(group));
    let mut pairs = bag.pairs();
    let mut components = Vec::new();
    while let Some((length, top, faces)) = longest_run(ladder, group, pairs) {
        pairs &= !faces;
        components.push(Component { kind: Kind::Tractor, cards: Bag::pairs_of(faces), top, pairs: length });
    }
    let singles = bag.faces() & !bag.pairs();
    for (kind, mut left) in [(Kind::Pair, pairs), (Kind::Single, singles)] {
        while left != 0 {
            let face = left & left.wrapping_neg();
            left &= !face;
            let (cards, count) =
                if kind == Kind::Pair { (Bag::pairs_of(face), 1) } else { (Bag::singles_of(face), 0) };
            let top = cards.first().map_or(0, |card| ladder.tier(card));
            components.push(Component { kind, cards, top, pairs: count });
        }
    }
    components.sort_by_key(|part| {
        (part.kind, part.pairs, part.top, part.cards.cards().map(super::bag::suit_order).min())
    });
    components
}

/// Of the pairs in a mask those that are part of a tractor of two or more.
#[must_use]
pub(crate) fn in_runs(ladder: &Ladder, group: Group, pairs: u64) -> u64 {
    let tiers = ladder.tiers(group, pairs);
    let beside = tiers & (tiers << 1 | tiers >> 1);
    (0..16)
        .filter(|tier| beside >> tier & 1 == 1)
        .fold(0, |faces, tier| faces | ladder.faces_at(group, tier) & pairs)
}

/// What a lead asks of those who follow: its group, its size and its structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lead {
    /// The group led.
    pub group: Group,
    /// How many cards.
    pub count: u8,
    /// All its pairs; a tractor of three counts three.
    pub pairs: u8,
    /// The lengths of its tractors.
    pub runs: Runs,
}

impl Lead {
    /// The structure of a bag of one group; `None` if it is empty or has cards of two groups.
    #[must_use]
    pub fn of(ladder: &Ladder, bag: Bag) -> Option<Lead> {
        let group = ladder.single_group(bag)?;
        let mut pairs = bag.pairs();
        let mut runs = Runs::NONE;
        while let Some((length, _, faces)) = longest_run(ladder, group, pairs) {
            pairs &= !faces;
            runs.push(length);
        }
        #[allow(clippy::cast_possible_truncation)] // 36 cards at most
        let (count, pairs) = (bag.len() as u8, bag.pair_count() as u8);
        Some(Lead { group, count, pairs, runs })
    }

    /// Pairs in the longest component: 0 if it has singles only.
    #[must_use]
    pub fn longest(&self) -> u8 {
        if self.runs.is_empty() { self.pairs.min(1) } else { self.runs.longest() }
    }

    /// Whether the lead is one single, one pair or one tractor, hence no throw.
    #[must_use]
    pub fn is_simple(&self) -> bool {
        match self.runs.longest() {
            0 => self.count == 1 || (self.count == 2 && self.pairs == 1),
            length => self.count == 2 * length,
        }
    }
}

/// The longest run of paired tiers, the higher of equal ones: its length, top tier and faces.
fn longest_run(ladder: &Ladder, group: Group, pairs: u64) -> Option<(u8, u8, u64)> {
    let tiers = ladder.tiers(group, pairs);
    let mut length = 2;
    let mut top = highest_run(tiers, length)?;
    while let Some(longer) = highest_run(tiers, length + 1) {
        (length, top) = (length + 1, longer);
    }
    let faces = (top + 1 - length..=top)
        .fold(0, |faces, tier| faces | Ladder::lowest_face(ladder.faces_at(group, tier) & pairs));
    Some((length, top, faces))
}
