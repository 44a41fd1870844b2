//! Penalties and weighted outcomes as one field of a results file: `of-top 1/10 by 4; points 2` and `2/3 50; 1/3 -50`.
//!
//! What is written is read back as it was, to the last digit.

use super::entry::{Amount, Penalty, Weighted};
use super::exact::{Exact, Score};

/// Between two clauses of a field.
const BETWEEN: &str = "; ";
/// The ruling of a penalty that names none.
pub(crate) const NO_RULING: &str = "–";

/// Writes penalties.
pub(crate) fn of_penalties(penalties: &[Penalty]) -> String {
    let clause = |penalty: &Penalty| {
        let amount = match &penalty.amount {
            Amount::OfTop(share) => format!("of-top {share}"),
            Amount::Points(points) => format!("points {points}"),
        };
        if penalty.ruling == NO_RULING { amount } else { format!("{amount} by {}", penalty.ruling) }
    };
    penalties.iter().map(clause).collect::<Vec<_>>().join(BETWEEN)
}

/// Writes the outcomes of a weighted ruling.
pub(crate) fn of_outcomes(outcomes: &[Weighted]) -> String {
    let clause = |one: &Weighted| format!("{} {}", one.weight, one.score.exact());
    outcomes.iter().map(clause).collect::<Vec<_>>().join(BETWEEN)
}

/// Reads what [`of_penalties`] writes. `None`: it is something else.
pub(crate) fn penalties(text: &str) -> Option<Vec<Penalty>> {
    let clause = |text: &str| {
        let (amount, ruling) = match text.split_once(" by ") {
            Some((amount, ruling)) => (amount.trim(), ruling.trim()),
            None => (text, NO_RULING),
        };
        let (kind, number) = amount.split_once(' ')?;
        let number = number.trim().parse::<Exact>().ok()?;
        let amount = match kind {
            "of-top" => Amount::OfTop(number),
            "points" => Amount::Points(number),
            _ => return None,
        };
        Some(Penalty { ruling: ruling.to_owned(), amount })
    };
    clauses(text).map(clause).collect()
}

/// Reads what [`of_outcomes`] writes. `None`: it is something else.
pub(crate) fn outcomes(text: &str) -> Option<Vec<Weighted>> {
    let clause = |text: &str| {
        let (weight, score) = text.split_once(' ')?;
        let score = score.trim().parse::<Exact>().ok()?;
        Some(Weighted { weight: weight.parse().ok()?, score: Score::from(score) })
    };
    clauses(text).map(clause).collect()
}

fn clauses(text: &str) -> impl Iterator<Item = &str> {
    text.split(';').map(str::trim).filter(|clause| !clause.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_to_the_last_digit() {
        let penalties_given = vec![
            Penalty::usual("4"),
            Penalty { ruling: NO_RULING.to_owned(), amount: Amount::Points("7/3".parse().unwrap()) },
        ];
        let text = of_penalties(&penalties_given);
        assert_eq!(text, "of-top 1/10 by 4; points 7/3");
        assert_eq!(penalties(&text), Some(penalties_given));
        let given = vec![
            Weighted { weight: "2/3".parse().unwrap(), score: Score::from(50) },
            Weighted { weight: "1/3".parse().unwrap(), score: Score::from("-1/7".parse::<Exact>().unwrap()) },
        ];
        let text = of_outcomes(&given);
        assert_eq!(text, "2/3 50; 1/3 -1/7");
        assert_eq!(outcomes(&text), Some(given));
        for wrong in ["10%", "of-top", "of-top ten", "off-top 1/10", "points 1 2"] {
            assert_eq!(penalties(wrong), None, "{wrong}");
        }
        for wrong in ["50", "1/2:50", "1/2 x"] {
            assert_eq!(outcomes(wrong), None, "{wrong}");
        }
    }
}
