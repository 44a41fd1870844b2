//! "Explain this number": what one value is made of, as data and as sentences.
//!
//! The explanation follows the same formulas as the scoring itself but spells out every comparison; a test compares
//! the two. It decides nothing.

use super::entry::{Amount, Part, Status};
use super::event::{Basis, Settled};
use super::exact::{Exact, Score};
use super::group;
use super::results::At;
use super::rules::{Equalise, Method, names};
use super::said;
use crate::words::{Message, terms};

names! {
    /// How one comparison went.
    Verdict, "verdict" {
        /// The explained result is better in every outcome.
        Beaten = "beaten",
        /// Equal.
        Tied = "tied",
        /// The explained result is worse in every outcome.
        Lost = "lost",
        /// Different outcomes of a weighted ruling went differently.
        Mixed = "mixed",
    }
}

/// One comparison with another result of the group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Against {
    /// Whose result.
    pub entrant: String,
    /// Its raw score, the expectation under a weighted ruling.
    pub score: Option<Score>,
    /// How it went.
    pub verdict: Verdict,
    /// What it earned: matchpoints (2, 1, 0) or IMPs, in expectation; `None` where the method adds up neither.
    pub points: Option<Exact>,
    /// The ruling the other result rests on.
    pub ruling: Option<String>,
}

/// A penalty that was taken off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The ruling that imposed it.
    pub ruling: String,
    /// A fraction of the top, or points.
    pub amount: Amount,
}

/// What one value is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The board.
    pub board: String,
    /// The seat.
    pub seat: String,
    /// The entrant.
    pub entrant: String,
    /// What became of the board.
    pub status: Status,
    /// The raw score, the expectation under a weighted ruling.
    pub score: Option<Score>,
    /// The ruling the result rests on.
    pub ruling: Option<String>,
    /// Outcomes of a weighted ruling: probability and raw score.
    pub outcomes: Vec<(Exact, Score)>,
    /// The seats of a team that add up to the raw score.
    pub parts: Vec<Part>,
    /// The method.
    pub method: Method,
    /// The equalising that was applied.
    pub equalise: Equalise,
    /// `A`, results compared.
    pub actual: u32,
    /// `E`, results expected.
    pub expected: u32,
    /// Every other compared result, best first.
    pub against: Vec<Against>,
    /// Results of the group that are not compared, with the reason.
    pub aside: Vec<(String, Basis)>,
    /// Matchpoints before equalising and penalties.
    pub compared: Option<Exact>,
    /// Matchpoints after equalising, before penalties.
    pub equalised: Option<Exact>,
    /// The greatest possible number of matchpoints.
    pub top: Option<i64>,
    /// Lowest and highest raw score, under [`Method::LinearRate`].
    pub extent: Option<(Exact, Exact)>,
    /// The datum, under [`Method::Butler`].
    pub datum: Option<Exact>,
    /// Penalties, and what they took from the value together.
    pub penalties: Vec<Taken>,
    /// What the penalties took from the value.
    pub taken: Option<Exact>,
    /// The entrant's own average over boards that are not artificial, for an artificial score.
    pub own_average: Option<Exact>,
    /// The value itself.
    pub value: Option<Exact>,
    /// What it rests on, or why there is none.
    pub basis: Basis,
}

impl Settled<'_> {
    /// Explains the value of one result; `None` when there is no such result.
    #[must_use]
    pub fn explain(&self, board: &str, seat: &str, entrant: &str) -> Option<Explanation> {
        let event = self.event;
        let rules = event.rules();
        let group_ix = event.find_group(board, seat)?;
        let entrant_ix = event.find_entrant(entrant)?;
        let position = event.position(group_ix, entrant_ix)?;
        let group = event.groups.get(group_ix as usize)?;
        let scored = group.scored.as_ref()?;
        let entries = group.results.entries();
        let entry = entries.get(position as usize)?;
        let cell = event.cell(At { group: group_ix, position });
        let compared = cell.basis == Basis::Compared;
        let mut against = Vec::new();
        let mut aside = Vec::new();
        for (other, (ix, other_entry)) in (0u32..).zip(group.entrants.iter().zip(entries.iter())) {
            if other == position {
                continue;
            }
            let name = event.entrants.get(*ix as usize)?.id.clone();
            if !other_entry.is_compared() || !compared {
                if !other_entry.is_compared() {
                    aside.push((name, event.cell(At { group: group_ix, position: other }).basis));
                }
                continue;
            }
            let (verdict, matchpoints) = verdict(entry, other_entry);
            let points = match rules.method {
                Method::ScoreRate | Method::PlacePoints | Method::MatchPoker => Some(matchpoints),
                Method::CrossImp => {
                    Some(pairwise(entry, other_entry, |a, b| Exact::from(rules.imp_table.imps(&(a - b)))))
                }
                _ => None,
            };
            let ruling = other_entry.ruling().map(|ruling| ruling.id.clone());
            against.push(Against { entrant: name, score: other_entry.raw(), verdict, points, ruling });
        }
        against.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.entrant.cmp(&b.entrant)));
        aside.sort();
        let matchpoints: Option<Exact> = (compared && rules.method == Method::ScoreRate)
            .then(|| against.iter().filter_map(|each| each.points.as_ref()).sum());
        let own = event.tallies.get(entrant_ix as usize)?;
        Some(Explanation {
            board: board.to_owned(),
            seat: seat.to_owned(),
            entrant: entrant.to_owned(),
            status: entry.status,
            score: entry.raw(),
            ruling: entry.ruling().map(|ruling| ruling.id.clone()),
            outcomes: entry.outcomes().iter().map(|each| (each.weight.clone(), each.score.clone())).collect(),
            parts: entry.parts().to_vec(),
            method: rules.method,
            equalise: rules.equalising(),
            actual: scored.actual,
            expected: scored.expected,
            equalised: matchpoints
                .as_ref()
                .map(|points| group::equalised(points, rules.equalising(), scored.actual, scored.expected)),
            compared: matchpoints,
            against,
            aside,
            top: cell.top,
            extent: (compared && rules.method == Method::LinearRate)
                .then(|| group::extent(&entries))
                .flatten(),
            datum: (compared && rules.method == Method::Butler)
                .then(|| group::datum(&entries, rules))
                .flatten(),
            penalties: entry
                .penalties()
                .iter()
                .map(|each| Taken { ruling: each.ruling.clone(), amount: each.amount.clone() })
                .collect(),
            taken: cell.value.is_some().then(|| scored.penalty(entry, rules)).flatten(),
            own_average: own.mean().filter(|_| entry.status.is_award()),
            value: cell.value,
            basis: cell.basis,
        })
    }
}

/// The expectation of a comparison over the outcomes of both results.
fn pairwise(
    own: &super::entry::Entry,
    other: &super::entry::Entry,
    worth: impl Fn(&Exact, &Exact) -> Exact,
) -> Exact {
    let mut sum = Exact::ZERO;
    for (p, a) in group::outcomes(own) {
        for (q, b) in group::outcomes(other) {
            sum += &(&(&p * &q) * &worth(&a, &b));
        }
    }
    sum
}

fn verdict(own: &super::entry::Entry, other: &super::entry::Entry) -> (Verdict, Exact) {
    let mut duels = Vec::new();
    for (_, a) in group::outcomes(own) {
        for (_, b) in group::outcomes(other) {
            duels.push(group::duel(&a, &b));
        }
    }
    let all = |points: i64| duels.iter().all(|duel| *duel == Exact::from(points));
    let verdict = match () {
        () if all(2) => Verdict::Beaten,
        () if all(1) => Verdict::Tied,
        () if all(0) => Verdict::Lost,
        () => Verdict::Mixed,
    };
    (verdict, pairwise(own, other, group::duel))
}

/// Most names that a sentence lists; the rest are counted.
const NAMES_MAX: usize = 12;

impl Explanation {
    /// The value as the method shows it: `83.33 %`, `-0.25 IMP`, `6.00`.
    #[must_use]
    pub fn shown(&self, value: &Exact) -> String {
        show(self.method, value)
    }

    /// The explanation in sentences, in order.
    #[must_use]
    pub fn sentences(&self) -> Vec<Message> {
        let mut said = vec![
            Message::plain("rank-explain-what")
                .with("entrant", &self.entrant)
                .with("board", &self.board)
                .with("seat", terms::position(&self.seat))
                .with("score", self.score.as_ref().map_or_else(|| "–".to_owned(), Score::to_string))
                .with("method", Message::plain(said::method(self.method))),
        ];
        if let Some(ruling) = &self.ruling {
            said.push(Message::plain("rank-explain-ruling").with("ruling", ruling));
        }
        for (weight, score) in &self.outcomes {
            said.push(
                Message::plain("rank-explain-outcome").with("weight", weight.percent()).with("score", score),
            );
        }
        for part in &self.parts {
            let table = part.table.as_deref().unwrap_or("–");
            let status =
                || said::status(part.status).map_or_else(|| part.status.to_string().into(), Message::plain);
            let score = part.score.as_ref().map_or_else(status, |score| score.to_string().into());
            said.push(
                Message::plain("rank-explain-part")
                    .with("seat", terms::position(&part.seat))
                    .with("table", table)
                    .with("score", score),
            );
        }
        match self.basis {
            Basis::Compared => self.comparison(&mut said),
            Basis::Award => {
                said.push(Message::plain("rank-explain-award").with("status", self.status));
                if let Some(own) = &self.own_average {
                    said.push(Message::plain("rank-explain-award-own").with("own", self.shown(own)));
                }
            }
            Basis::OwnAverage => said.push(
                Message::plain("rank-explain-own-average")
                    .with("status", self.status)
                    .with("own", self.own_average.as_ref().map_or_else(String::new, |own| self.shown(own))),
            ),
            basis => said.push(Message::plain(basis_id(basis))),
        }
        for each in &self.penalties {
            let (id, amount) = match &each.amount {
                Amount::OfTop(share) => ("rank-explain-penalty-share", share.percent()),
                Amount::Points(points) => ("rank-explain-penalty-points", points.to_string()),
            };
            said.push(Message::plain(id).with("amount", amount).with("ruling", &each.ruling));
        }
        for (name, basis) in self.aside.iter().take(NAMES_MAX) {
            said.push(
                Message::plain("rank-explain-aside")
                    .with("entrant", name)
                    .with("basis", Message::plain(said::mark(*basis))),
            );
        }
        said.push(match &self.value {
            Some(value) => {
                Message::plain("rank-explain-value").with("value", self.shown(value)).with("exact", value)
            }
            None => Message::plain("rank-explain-no-value"),
        });
        said
    }

    fn comparison(&self, said: &mut Vec<Message>) {
        for (verdict, id) in [
            (Verdict::Beaten, "rank-explain-beaten"),
            (Verdict::Tied, "rank-explain-tied"),
            (Verdict::Lost, "rank-explain-lost"),
        ] {
            let names: Vec<String> =
                self.against.iter().filter(|each| each.verdict == verdict).map(named).collect();
            if !names.is_empty() {
                let mut list = names.iter().take(NAMES_MAX).cloned().collect::<Vec<_>>().join(", ");
                if names.len() > NAMES_MAX {
                    list.push_str(", …");
                }
                said.push(Message::plain(id).with("count", names.len()).with("names", list));
            }
        }
        for each in self.against.iter().filter(|each| each.verdict == Verdict::Mixed) {
            let points = each.points.as_ref().map_or_else(String::new, Exact::to_string);
            said.push(Message::plain("rank-explain-mixed").with("name", named(each)).with("points", points));
        }
        if let Some(points) = &self.compared {
            said.push(
                Message::plain("rank-explain-matchpoints")
                    .with("points", points)
                    .with("top", 2 * i64::from(self.actual.saturating_sub(1))),
            );
        }
        if let (Some(points), true) = (&self.equalised, self.equalise != Equalise::None) {
            said.push(
                Message::plain("rank-explain-equalised")
                    .with("how", Message::plain(said::equalise(self.equalise)))
                    .with("actual", self.actual)
                    .with("expected", self.expected)
                    .with("points", points)
                    .with("top", self.top.unwrap_or(0)),
            );
        }
        if let Some((low, high)) = &self.extent {
            said.push(Message::plain("rank-explain-extent").with("low", low).with("high", high));
        }
        if let Some(datum) = &self.datum {
            said.push(Message::plain("rank-explain-datum").with("datum", datum));
        }
        if self.method == Method::CrossImp {
            let sum: Exact = self.against.iter().filter_map(|each| each.points.as_ref()).sum();
            said.push(
                Message::plain("rank-explain-imps")
                    .with("sum", sum)
                    .with("others", self.actual.saturating_sub(1)),
            );
        }
    }
}

fn named(each: &Against) -> String {
    let score = each.score.as_ref().map_or_else(String::new, Score::to_string);
    match &each.ruling {
        Some(ruling) => format!("{} ({score}, {ruling})", each.entrant),
        None => format!("{} ({score})", each.entrant),
    }
}

/// A value as its method shows it, without a unit: percent for rates, else two decimals.
#[must_use]
pub fn show(method: Method, value: &Exact) -> String {
    if method.is_rate() { value.percent() } else { value.fixed(DECIMALS) }
}

/// Decimals that are shown where nothing asks for more.
pub(crate) const DECIMALS: u32 = 2;

/// The same with a number of decimals.
pub(crate) fn show_to(method: Method, value: &Exact, decimals: u32) -> String {
    if method.is_rate() { (value * &Exact::from(100)).fixed(decimals) } else { value.fixed(decimals) }
}

/// The sentence that says why there is no value.
#[must_use]
pub const fn basis_id(basis: Basis) -> &'static str {
    match basis {
        Basis::Compared => "rank-basis-compared",
        Basis::Award => "rank-basis-award",
        Basis::OwnAverage => "rank-basis-own-average",
        Basis::Lone => "rank-basis-lone",
        Basis::LoneHalf => "rank-basis-lone-half",
        Basis::NoAward => "rank-basis-no-award",
        Basis::Void => "rank-basis-void",
        Basis::NotPlayed => "rank-basis-not-played",
        Basis::Absent => "rank-basis-absent",
        Basis::Disqualified => "rank-basis-disqualified",
        Basis::Withdrawn => "rank-basis-withdrawn",
    }
}
