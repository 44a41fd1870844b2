//! Teams: the results of a team's seats on one board, put together into the one result that is compared (match poker).
//!
//! Each member sits in another seat at another table, and the raw scores add up. Whatever is not plainly played in one
//! seat counts for the team: nobody is compared with a team that played at fewer tables.

use std::collections::BTreeMap;

use super::entry::{Entry, More, Part, Ruling, Status, Weighted};
use super::exact::{Exact, Score};

/// The seat of a team's result.
pub const SEAT: &str = "team";
/// Most different sums of the outcomes of weighted rulings on one board.
pub const SUMS_MAX: usize = 1_000;

/// The outcomes of weighted rulings in several seats have too many different sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManySums;

/// Puts the results of a team's seats together, in the order given.
///
/// - All seats with a score: the sum; with weighted rulings every sum with its probability.
/// - Otherwise the status of the seat that comes first of: void, disqualified, absent, not played, withdrawn without a
///   score, A−, A, A+.
/// - Penalties of every seat are the team's.
///
/// # Errors
/// [`TooManySums`].
pub fn together(seats: Vec<(String, Entry)>) -> Result<Entry, TooManySums> {
    let status =
        seats.iter().map(|(_, entry)| weight(entry)).max().map_or(Status::NotPlayed, |(_, status)| status);
    let counts = !seats.is_empty() && seats.iter().all(|(_, entry)| entry.is_compared());
    let weighted = seats.iter().any(|(_, entry)| !entry.outcomes().is_empty());
    let mut more = More::default();
    let rulings: Vec<String> =
        seats.iter().filter_map(|(_, entry)| Some(entry.ruling()?.id.clone())).collect();
    let mut score = None;
    let mut outcomes = Vec::new();
    if counts && weighted {
        outcomes = sums(&seats)?;
    } else if counts {
        let scores: Vec<Exact> =
            seats.iter().filter_map(|(_, entry)| Some(entry.score.as_ref()?.exact())).collect();
        score = Some(Score::from(scores.iter().sum::<Exact>()));
    }
    if !rulings.is_empty() || !outcomes.is_empty() {
        more.ruling = Some(Ruling { id: rulings.join(" "), weighted: outcomes });
    }
    for (seat, entry) in seats {
        more.penalties.extend(entry.penalties().iter().cloned());
        more.parts.push(Part {
            seat,
            table: entry.table().map(str::to_owned),
            status: entry.status,
            score: entry.raw(),
        });
    }
    Ok(Entry { status, score, more: Some(Box::new(more)) })
}

/// How much a seat decides what becomes of the team's board.
fn weight(entry: &Entry) -> (u8, Status) {
    let rank = match entry.status {
        Status::Played => 0,
        Status::Withdrawn if entry.is_compared() => 1,
        Status::AwardPlus => 2,
        Status::Award => 3,
        Status::AwardMinus => 4,
        Status::Withdrawn => 5,
        Status::NotPlayed => 6,
        Status::Absent => 7,
        Status::Disqualified => 8,
        Status::Void => 9,
    };
    (rank, entry.status)
}

/// Every sum of the seats' outcomes with its probability; rulings in different seats are independent.
fn sums(seats: &[(String, Entry)]) -> Result<Vec<Weighted>, TooManySums> {
    let mut sums = BTreeMap::from([(Exact::ZERO, Exact::ONE)]);
    for (_, entry) in seats {
        let mut next = BTreeMap::<Exact, Exact>::new();
        for (weight, score) in super::group::outcomes(entry) {
            for (sum, probability) in &sums {
                *next.entry(sum + &score).or_insert(Exact::ZERO) += &(probability * &weight);
            }
        }
        if next.len() > SUMS_MAX {
            return Err(TooManySums);
        }
        sums = next;
    }
    Ok(sums.into_iter().map(|(score, weight)| Weighted { weight, score: Score::from(score) }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(entries: Vec<Entry>) -> Vec<(String, Entry)> {
        (1..).map(|seat: u32| seat.to_string()).zip(entries).collect()
    }

    #[test]
    fn scores_add_up_and_one_seat_decides_what_becomes_of_the_board() {
        let played = together(seats(vec![
            Entry::played(120).at_table("1"),
            Entry::played(-200).at_table("2"),
            Entry::played(0).at_table("3"),
        ]))
        .unwrap();
        assert_eq!((played.status, played.raw()), (Status::Played, Some(Score::from(-80))));
        assert_eq!(played.parts().len(), 3);
        for (other, status) in [
            (Entry::of(Status::Absent), Status::Absent),
            (Entry::of(Status::AwardMinus), Status::AwardMinus),
            (Entry::of(Status::Void), Status::Void),
            (Entry { status: Status::Withdrawn, ..Entry::played(1) }, Status::Withdrawn),
        ] {
            let team = together(seats(vec![Entry::played(5), other, Entry::of(Status::AwardPlus)])).unwrap();
            let wanted = if status == Status::Withdrawn { Status::AwardPlus } else { status };
            assert_eq!((team.status, team.raw()), (wanted, None));
        }
    }

    #[test]
    fn weighted_rulings_in_two_seats_give_every_sum_with_its_probability() {
        let half = |score: i64| (Exact::HALF, Score::from(score));
        let team = together(seats(vec![
            Entry::weighted("7", [half(10), half(-10)]),
            Entry::weighted("8", [half(10), half(-10)]),
            Entry::played(1),
        ]))
        .unwrap();
        let got: Vec<(String, String)> =
            team.outcomes().iter().map(|one| (one.weight.to_string(), one.score.to_string())).collect();
        let wanted = [("1/4", "-19"), ("1/2", "1"), ("1/4", "21")];
        assert_eq!(got, wanted.map(|(weight, score)| (weight.to_owned(), score.to_owned())));
        assert_eq!(team.ruling().unwrap().id, "7 8");
        assert_eq!(team.check(), Ok(()));
    }
}
