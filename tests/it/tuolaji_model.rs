//! A slow, obvious model of tuolaji, written from the rulebook's sentences and from nothing else: lists of cards,
//! every way tried, no bit tricks. It shares no code with the engine; `tuolaji_agreement` holds the two together.

use std::collections::BTreeMap;

/// Suit 0–3 (S H D C) and rank 0–12 (2–A); suit 4 for the jokers, rank 0 small, 1 big.
pub type Face = (u8, u8);

/// All 54 faces.
pub fn faces() -> Vec<Face> {
    let mut all: Vec<Face> = (0..4).flat_map(|suit| (0..13).map(move |rank| (suit, rank))).collect();
    all.extend([(4, 0), (4, 1)]);
    all
}

/// One level and trump; `trump` is `None` in no trump.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    pub level: u8,
    pub trump: Option<u8>,
}

/// A component of a lead: its tiers from low to high (one for a single or a pair) and its cards.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Single(u8, Vec<Face>),
    Pair(u8, Vec<Face>),
    Tractor(Vec<u8>, Vec<Face>),
}

impl Part {
    pub fn cards(&self) -> &[Face] {
        match self {
            Part::Single(_, cards) | Part::Pair(_, cards) | Part::Tractor(_, cards) => cards,
        }
    }

    fn kind(&self) -> u8 {
        match self {
            Part::Single(..) => 0,
            Part::Pair(..) => 1,
            Part::Tractor(..) => 2,
        }
    }
}

/// What becomes of a throw: the number of blocked cards, and the cards played for each blocked kind (0 single, 1 pair,
/// 2 tractor). No blocked card: it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thrown {
    pub blocked_cards: usize,
    pub played: BTreeMap<u8, Vec<Face>>,
}

pub fn sorted(mut cards: Vec<Face>) -> Vec<Face> {
    cards.sort_unstable();
    cards
}

/// The faces held twice.
pub fn pairs(cards: &[Face]) -> Vec<Face> {
    let cards = sorted(cards.to_vec());
    let mut found: Vec<Face> = cards.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]).collect();
    found.dedup();
    found
}

impl Model {
    /// "Trump group: both jokers, all 8 level cards, all other cards of the trump suit." 4 is trumps.
    pub fn group(self, (suit, rank): Face) -> u8 {
        if suit == 4 || rank == self.level || Some(suit) == self.trump { 4 } else { suit }
    }

    /// The ladder of section 4, as a list of what stands on each tier.
    pub fn tier(self, (suit, rank): Face) -> u8 {
        let ranks: Vec<u8> = (0..13).filter(|rank| *rank != self.level).collect();
        let on_ranks =
            |rank: u8| u8::try_from(ranks.iter().position(|known| *known == rank).unwrap()).unwrap();
        match self.trump {
            None if suit == 4 => 1 + rank,
            None if rank == self.level => 0,
            Some(_) if suit == 4 => 14 + rank,
            Some(trump) if rank == self.level => {
                if suit == trump {
                    13
                } else {
                    12
                }
            }
            _ => on_ranks(rank),
        }
    }

    fn of_group(self, cards: &[Face], group: u8) -> Vec<Face> {
        cards.iter().copied().filter(|card| self.group(*card) == group).collect()
    }

    /// How many pairs lie on each tier.
    fn tiers_of_pairs(self, cards: &[Face]) -> [u8; 16] {
        let mut tiers = [0; 16];
        for pair in pairs(cards) {
            tiers[usize::from(self.tier(pair))] += 1;
        }
        tiers
    }

    /// "Take the longest run of paired tiers as a tractor (ties: the higher run), remove it, repeat; left-over pairs
    /// are pairs; the rest singles."
    pub fn decompose(self, cards: &[Face]) -> Vec<Part> {
        let mut left = sorted(cards.to_vec());
        let mut parts = Vec::new();
        loop {
            let tiers = self.tiers_of_pairs(&left);
            let mut best: Option<(usize, usize)> = None;
            for start in 0..16 {
                let mut end = start;
                while end < 16 && tiers[end] > 0 {
                    end += 1;
                }
                let length = end - start;
                if length >= 2 && best.is_none_or(|(_, known)| length >= known) {
                    best = Some((start, length));
                }
            }
            let Some((start, length)) = best else { break };
            let mut tractor = Vec::new();
            for tier in start..start + length {
                // "A tractor through a tier with several pairs takes the lowest": diamonds, clubs, hearts, spades.
                let pair = pairs(&left)
                    .into_iter()
                    .filter(|pair| usize::from(self.tier(*pair)) == tier)
                    .min_by_key(|(suit, _)| [3, 2, 0, 1, 4][usize::from(*suit)])
                    .unwrap();
                left.retain(|card| *card != pair);
                tractor.extend([pair, pair]);
            }
            let tiers = (start..start + length).map(|tier| u8::try_from(tier).unwrap()).collect();
            parts.push(Part::Tractor(tiers, sorted(tractor)));
        }
        for pair in pairs(&left) {
            left.retain(|card| *card != pair);
            parts.push(Part::Pair(self.tier(pair), vec![pair, pair]));
        }
        parts.extend(left.into_iter().map(|card| Part::Single(self.tier(card), vec![card])));
        parts
    }

    /// Lengths of the tractors of a lead, longest first.
    pub fn tractors(self, lead: &[Face]) -> Vec<u8> {
        let mut lengths: Vec<u8> = self
            .decompose(lead)
            .iter()
            .filter_map(|part| match part {
                Part::Tractor(tiers, _) => Some(u8::try_from(tiers.len()).unwrap()),
                _ => None,
            })
            .collect();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths
    }

    /// "The best list of run lengths obtainable from the pairs of X for the lead's tractors": every set of disjoint
    /// runs is tried, and counts if it fits into the tractors, several runs in one if they are shorter.
    pub fn f(self, group: u8, cards: &[Face], tractors: &[u8]) -> Vec<u8> {
        let mut best = Vec::new();
        if !tractors.is_empty() {
            let tiers = self.tiers_of_pairs(&self.of_group(cards, group));
            every_set_of_runs(tiers, 0, &mut Vec::new(), usize::from(tractors[0]), &mut |runs| {
                let mut list = runs.to_vec();
                list.sort_unstable_by(|a, b| b.cmp(a));
                if list > best && fits(&list, &mut tractors.to_vec()) {
                    best = list;
                }
            });
        }
        best
    }

    /// The complete rule for following, section 5.3, in its compact form. `play` is a part of `hand`.
    pub fn follows(self, lead: &[Face], hand: &[Face], play: &[Face]) -> bool {
        if play.len() != lead.len() {
            return false;
        }
        let group = self.group(lead[0]);
        let held = self.of_group(hand, group);
        let played = self.of_group(play, group);
        if held.len() <= lead.len() {
            return played.len() == held.len();
        }
        if played.len() != lead.len() {
            return false;
        }
        let owed = pairs(lead).len().min(pairs(&held).len());
        let tractors = self.tractors(lead);
        pairs(&played).len() >= owed
            && (tractors.is_empty() || self.f(group, &played, &tractors) == self.f(group, &held, &tractors))
    }

    /// The governing tier of a play that covers the lead, section 5.4; `None` for a discard. Ruffs count 100 more.
    fn strength(self, lead: &[Face], play: &[Face]) -> Option<u8> {
        let group = self.group(play[0]);
        if play.iter().any(|card| self.group(*card) != group) || (group != self.group(lead[0]) && group != 4)
        {
            return None;
        }
        if pairs(play).len() < pairs(lead).len() {
            return None;
        }
        let tractors = self.tractors(lead);
        let tier = if !tractors.is_empty() {
            let mut best = None;
            every_cover(self.tiers_of_pairs(play), &tractors, None, &mut |top| best = best.max(Some(top)));
            best?
        } else if !pairs(lead).is_empty() {
            pairs(play).iter().map(|pair| self.tier(*pair)).max()?
        } else {
            play.iter().map(|card| self.tier(*card)).max()?
        };
        Some(if group == self.group(lead[0]) { tier } else { tier + 100 })
    }

    /// The position of the winner: strictly higher takes over.
    pub fn winner(self, plays: &[Vec<Face>]) -> usize {
        let mut best = 0;
        for place in 1..plays.len() {
            if self.strength(&plays[0], &plays[place]) > self.strength(&plays[0], &plays[best]) {
                best = place;
            }
        }
        best
    }

    /// Section 5.2.
    pub fn throw(self, attempt: &[Face], others: &[Vec<Face>]) -> Thrown {
        let parts = self.decompose(attempt);
        let group = self.group(attempt[0]);
        let blocked: Vec<&Part> = parts
            .iter()
            .filter(|part| {
                parts.len() > 1 && others.iter().any(|hand| self.blocks(&self.of_group(hand, group), part))
            })
            .collect();
        let mut played = BTreeMap::new();
        for kind in 0..3 {
            let smallest = blocked.iter().filter(|part| part.kind() == kind).min_by_key(|part| {
                let cards = part.cards();
                let suits = cards.iter().map(|(suit, _)| [3, 2, 0, 1, 4][usize::from(*suit)]);
                (cards.len(), cards.iter().map(|card| self.tier(*card)).max(), suits.min())
            });
            if let Some(part) = smallest {
                played.insert(kind, sorted(part.cards().to_vec()));
            }
        }
        Thrown { blocked_cards: blocked.iter().map(|part| part.cards().len()).sum(), played }
    }

    fn blocks(self, hand: &[Face], part: &Part) -> bool {
        match part {
            Part::Single(tier, _) => hand.iter().any(|card| self.tier(*card) > *tier),
            Part::Pair(tier, _) => pairs(hand).iter().any(|pair| self.tier(*pair) > *tier),
            Part::Tractor(tiers, _) => {
                let held = self.tiers_of_pairs(hand);
                let top = usize::from(*tiers.last().unwrap());
                (top + 1..16).any(|higher| (higher + 1 - tiers.len()..=higher).all(|tier| held[tier] > 0))
            }
        }
    }
}

/// Calls `tell` with the lengths of every set of disjoint runs of two to `longest` pairs.
fn every_set_of_runs(
    tiers: [u8; 16],
    from: usize,
    runs: &mut Vec<u8>,
    longest: usize,
    tell: &mut impl FnMut(&[u8]),
) {
    tell(runs);
    for start in from..16 {
        let mut rest = tiers;
        for end in start..16.min(start + longest) {
            if rest[end] == 0 {
                break;
            }
            rest[end] -= 1;
            if end > start {
                runs.push(u8::try_from(end + 1 - start).unwrap());
                every_set_of_runs(rest, start, runs, longest, tell);
                runs.pop();
            }
        }
    }
}

/// Whether runs fit into tractors, each run whole into one of them.
fn fits(runs: &[u8], tractors: &mut Vec<u8>) -> bool {
    let Some((run, rest)) = runs.split_first() else { return true };
    for place in 0..tractors.len() {
        if tractors[place] >= *run {
            tractors[place] -= run;
            let fit = fits(rest, tractors);
            tractors[place] += run;
            if fit {
                return true;
            }
        }
    }
    false
}

/// Every way to cover the tractors by disjoint runs of exactly their lengths; tells the top of the run that covers the
/// first, which is the longest.
fn every_cover(tiers: [u8; 16], tractors: &[u8], top: Option<u8>, tell: &mut impl FnMut(u8)) {
    let Some((length, rest)) = tractors.split_first() else {
        tell(top.unwrap());
        return;
    };
    let length = usize::from(*length);
    for start in 0..=16 - length {
        if tiers[start..start + length].iter().all(|pairs| *pairs > 0) {
            let mut left = tiers;
            left[start..start + length].iter_mut().for_each(|pairs| *pairs -= 1);
            let own = u8::try_from(start + length - 1).unwrap();
            every_cover(left, rest, top.or(Some(own)), tell);
        }
    }
}
