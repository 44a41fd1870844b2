//! One result as it is put into an event: status, raw score, ruling, penalties.
//!
//! Data only. What a result is worth is computed from its whole comparison group, never here.

use serde::{Deserialize, Serialize};

use super::exact::{Exact, Score};
use super::rules::{Method, Rules, names};
use super::said;
use crate::words::{Lang, Message, message, say};

names! {
    /// What became of one entrant's board.
    Status, "status" {
        /// Played to its end: the raw score is compared.
        Played = "played",
        /// Not played, for instance a bye: counts nowhere.
        NotPlayed = "not-played",
        /// The entrant did not come: counts nowhere, and is not a zero.
        Absent = "absent",
        /// The result is struck out: counts nowhere.
        Disqualified = "disqualified",
        /// The entrant withdrew: a finished board (one with a score) stays in the comparison, any other counts nowhere.
        Withdrawn = "withdrawn",
        /// Artificial score, average plus.
        AwardPlus = "A+",
        /// Artificial score, average.
        Award = "A",
        /// Artificial score, average minus.
        AwardMinus = "A-",
        /// The board is void for everybody.
        Void = "void",
    }
}

impl Status {
    /// Whether this is an artificial score (F4).
    #[must_use]
    pub const fn is_award(self) -> bool {
        matches!(self, Status::AwardPlus | Status::Award | Status::AwardMinus)
    }
}

names! {
    /// The side an entrant was on, for summaries only: a role is never compared.
    Role, "role" {
        /// 庄家.
        Banker = "banker",
        /// 防守人.
        Defender = "defender",
    }
}

names! {
    /// Whether an entrant as a whole takes part in the ranking.
    Standing, "standing" {
        /// Takes part.
        Ranked = "ranked",
        /// Withdrew: finished boards stay in the comparison, no place.
        Withdrawn = "withdrawn",
        /// Disqualified from the event: listed without a place. Results that are struck out say so themselves.
        Disqualified = "disqualified",
        /// A stand-in, such as an AI filling a table: results are compared, no place.
        StandIn = "stand-in",
    }
}

/// One outcome of a weighted ruling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weighted {
    /// Its probability; those of one ruling add up to exactly 1.
    pub weight: Exact,
    /// The raw score of this outcome.
    pub score: Score,
}

/// A referee's ruling that a result rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruling {
    /// The ruling's identifier, shown in every explanation.
    pub id: String,
    /// F5: several outcomes with probabilities; empty when the ruling merely sets the score or the status.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weighted: Vec<Weighted>,
}

/// How large a procedural penalty is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Amount {
    /// A fraction of one board's top: for methods that have a top.
    OfTop(Exact),
    /// Points of the method itself: IMPs, raw points.
    Points(Exact),
}

/// F6: a procedural penalty, taken from one entrant's value after equalising and given to nobody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Penalty {
    /// The ruling that imposed it.
    pub ruling: String,
    /// How much; a positive amount lowers the value.
    pub amount: Amount,
}

impl Penalty {
    /// The usual penalty: 10 % of one board's top.
    #[must_use]
    pub fn usual(ruling: impl Into<String>) -> Penalty {
        Penalty { ruling: ruling.into(), amount: Amount::OfTop(Exact::over(1, 10)) }
    }

    /// Checks that the amount is one: above 0, and a fraction of the top at most the whole of it.
    ///
    /// # Errors
    /// [`PenaltyFault::NotPositive`], [`PenaltyFault::AboveTop`].
    pub fn check(&self) -> Result<(), PenaltyFault> {
        match &self.amount {
            Amount::OfTop(amount) | Amount::Points(amount) if *amount <= Exact::ZERO => {
                Err(PenaltyFault::NotPositive)
            }
            Amount::OfTop(share) if *share > Exact::ONE => Err(PenaltyFault::AboveTop),
            _ => Ok(()),
        }
    }

    /// Checks that the amount means something under the rules. `compared` is the largest number of results that are
    /// compared with one another on a board: no board is worth more than the scale that follows from it.
    ///
    /// # Errors
    /// [`PenaltyFault`].
    pub fn check_under(&self, rules: &Rules, compared: u32) -> Result<(), PenaltyFault> {
        self.check()?;
        match &self.amount {
            Amount::OfTop(_) if !rules.method.has_top() => Err(PenaltyFault::NoTop(rules.method)),
            Amount::Points(points) => match rules.most_points(compared) {
                Some(most) if *points > most => Err(PenaltyFault::BeyondScale { method: rules.method, most }),
                _ => Ok(()),
            },
            Amount::OfTop(_) => Ok(()),
        }
    }
}

fn english(method: Method) -> String {
    say(Lang::En, &Message::plain(said::method(method)))
}

/// Why a penalty is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PenaltyFault {
    /// An amount of 0 or less: it would be a bonus.
    #[error("a penalty must be above 0: it is taken off")]
    NotPositive,
    /// More than the whole top.
    #[error("a penalty as a share of the board is above 0 and at most 1")]
    AboveTop,
    /// More points than a board can be worth.
    #[error("a penalty under {} is at most {most} points here: no board is worth more", english(*.method))]
    BeyondScale {
        /// The method.
        method: Method,
        /// The largest amount.
        most: Exact,
    },
    /// A share of a top under a method without a top.
    #[error("{} has no top: give the penalty in points", english(*.0))]
    NoTop(Method),
}

impl PenaltyFault {
    /// The sentence for any reader.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            PenaltyFault::NotPositive => message!("penalty-not-positive"),
            PenaltyFault::AboveTop => message!("penalty-above-top"),
            PenaltyFault::BeyondScale { method, most } => {
                message!("penalty-beyond-scale", method = Message::plain(said::method(*method)), most)
            }
            PenaltyFault::NoTop(method) => {
                message!("put-no-top", method = Message::plain(said::method(*method)))
            }
        }
    }
}

/// One result: what an entrant has on one board in one seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What became of the board.
    pub status: Status,
    /// The raw score; required when played without a weighted ruling, ignored for an award.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// What is rarely there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more: Option<Box<More>>,
}

/// The rarer parts of an [`Entry`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct More {
    /// The table the board was played at.
    pub table: Option<String>,
    /// The side the entrant was on.
    pub role: Option<Role>,
    /// The ruling the result rests on.
    pub ruling: Option<Ruling>,
    /// Procedural penalties.
    pub penalties: Vec<Penalty>,
    /// The seats of a team whose scores add up to this result ([`Method::MatchPoker`]).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
}

/// What one member of a team has from a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The seat.
    pub seat: String,
    /// The table, when it is known.
    pub table: Option<String>,
    /// What became of the board there.
    pub status: Status,
    /// The raw score, its expectation under a weighted ruling.
    pub score: Option<Score>,
}

impl Entry {
    /// A played board.
    #[must_use]
    #[inline]
    pub fn played(score: impl Into<Score>) -> Entry {
        Entry { status: Status::Played, score: Some(score.into()), more: None }
    }

    /// A board with a status and no score.
    #[must_use]
    pub const fn of(status: Status) -> Entry {
        Entry { status, score: None, more: None }
    }

    /// A board that a ruling gives several outcomes (F5).
    #[must_use]
    pub fn weighted(ruling: impl Into<String>, outcomes: impl IntoIterator<Item = (Exact, Score)>) -> Entry {
        let weighted = outcomes.into_iter().map(|(weight, score)| Weighted { weight, score }).collect();
        Entry::of(Status::Played).ruled(Ruling { id: ruling.into(), weighted })
    }

    fn with(mut self, change: impl FnOnce(&mut More)) -> Entry {
        change(self.more.get_or_insert_default());
        self
    }

    /// The same result resting on a ruling.
    #[must_use]
    pub fn ruled(self, ruling: Ruling) -> Entry {
        self.with(|more| more.ruling = Some(ruling))
    }

    /// The same result at a named table.
    #[must_use]
    pub fn at_table(self, table: impl Into<String>) -> Entry {
        let table = table.into();
        self.with(|more| more.table = Some(table))
    }

    /// The same result with the entrant's side.
    #[must_use]
    pub fn in_role(self, role: Role) -> Entry {
        self.with(|more| more.role = Some(role))
    }

    /// The same result with one more procedural penalty.
    #[must_use]
    pub fn penalised(self, penalty: Penalty) -> Entry {
        self.with(|more| more.penalties.push(penalty))
    }

    /// The ruling the result rests on.
    #[must_use]
    pub fn ruling(&self) -> Option<&Ruling> {
        self.more.as_ref()?.ruling.as_ref()
    }

    /// The outcomes of a weighted ruling; empty otherwise.
    #[must_use]
    pub fn outcomes(&self) -> &[Weighted] {
        self.ruling().map_or(&[], |ruling| &ruling.weighted)
    }

    /// Procedural penalties on this result.
    #[must_use]
    #[inline]
    pub fn penalties(&self) -> &[Penalty] {
        self.more.as_ref().map_or(&[], |more| &more.penalties)
    }

    /// The seats of a team whose scores add up to this result; empty otherwise.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        self.more.as_ref().map_or(&[], |more| &more.parts)
    }

    /// The table, when it is known.
    #[must_use]
    pub fn table(&self) -> Option<&str> {
        self.more.as_ref()?.table.as_deref()
    }

    /// The side the entrant was on, when it is known.
    #[must_use]
    pub fn role(&self) -> Option<Role> {
        self.more.as_ref()?.role
    }

    /// Whether the raw score is compared with the others of its group.
    #[must_use]
    #[inline]
    pub fn is_compared(&self) -> bool {
        let has_score = self.score.is_some() || !self.outcomes().is_empty();
        has_score && matches!(self.status, Status::Played | Status::Withdrawn)
    }

    /// The raw score, its expectation under a weighted ruling.
    #[must_use]
    pub fn raw(&self) -> Option<Score> {
        let outcomes = self.outcomes();
        if outcomes.is_empty() {
            return self.score.clone();
        }
        let products: Vec<Exact> = outcomes.iter().map(|each| &each.weight * &each.score.exact()).collect();
        Some(Score::from(products.iter().sum::<Exact>()))
    }

    /// What makes the result impossible.
    ///
    /// # Errors
    /// A played board without a score; weights that are not positive or do not add up to 1.
    pub fn check(&self) -> Result<(), EntryFault> {
        let outcomes = self.outcomes();
        if outcomes.iter().any(|each| each.weight <= Exact::ZERO) {
            return Err(EntryFault::WeightNotPositive);
        }
        if !outcomes.is_empty() && outcomes.iter().map(|each| &each.weight).sum::<Exact>() != Exact::ONE {
            return Err(EntryFault::WeightsNotOne);
        }
        if self.status == Status::Played && self.score.is_none() && outcomes.is_empty() {
            return Err(EntryFault::NoScore);
        }
        Ok(())
    }
}

/// What makes a single result impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryFault {
    /// Played, but nothing to compare.
    #[error("a played board needs a score: give one, or another status")]
    NoScore,
    /// A weight of 0 or less.
    #[error("every weight of a ruling must be above 0: leave the outcome out instead")]
    WeightNotPositive,
    /// The weights of a ruling do not add up.
    #[error("the weights of a ruling must add up to exactly 1")]
    WeightsNotOne,
}

impl EntryFault {
    /// The sentence for any reader.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            EntryFault::NoScore => message!("put-no-score"),
            EntryFault::WeightNotPositive => message!("put-weight"),
            EntryFault::WeightsNotOne => message!("put-weights"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_stays_small() {
        assert!(size_of::<Entry>() <= 32, "{}", size_of::<Entry>());
    }

    #[test]
    fn f5_weights_must_add_up_to_one() {
        let ruled = |weights: &[&str]| {
            Entry::weighted("R1", weights.iter().map(|w| (w.parse().unwrap(), Score::from(1)))).check()
        };
        assert_eq!(ruled(&["0.7", "0.3"]), Ok(()));
        assert_eq!(ruled(&["1/3", "1/3", "1/3"]), Ok(()));
        assert_eq!(ruled(&["0.7", "0.2"]), Err(EntryFault::WeightsNotOne));
        assert_eq!(ruled(&["1.5", "-0.5"]), Err(EntryFault::WeightNotPositive));
        assert_eq!(Entry::of(Status::Played).check(), Err(EntryFault::NoScore));
        assert_eq!(Entry::of(Status::Absent).check(), Ok(()));
    }

    #[test]
    fn an_entry_survives_json() {
        let entry =
            Entry::weighted("R1", [(Exact::HALF, Score::from(6)), (Exact::HALF, "0.5".parse().unwrap())])
                .penalised(Penalty::usual("R2"))
                .at_table("3")
                .in_role(Role::Banker);
        let text = serde_json::to_string(&entry).unwrap();
        assert_eq!(serde_json::from_str::<Entry>(&text).unwrap(), entry);
        assert_eq!(entry.raw().unwrap().to_string(), "3.25");
    }
}
