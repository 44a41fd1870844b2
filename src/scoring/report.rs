//! Rankings, cross-tabulations and explanations written out as JSON with exact fractions.
//!
//! The JSON of [`ranking_json`] is a promised interface (`docs/scoring.md`): names and order of its keys are fixed.
//! Nothing is computed here.

use super::entry::{Amount, Part, Status};
use super::event::{Basis, Settled};
use super::explain::{Explanation, show};
use super::json::Json;
use super::ranking::{Place, RankRow};
use super::rules::{Method, RankStyle, Rules};
use super::views::{Card, Frequency, Line, Seats, Summary, Traveller, Versus};
use crate::words::{Lang, nearest, say};

/// A view of an event, chosen by whoever asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum View {
    /// Places only.
    Ranking,
    /// 1: entrants × boards.
    CrossTab,
    /// 2: one board, every table, all seats.
    Traveller(String),
    /// 3: an entrant's own card.
    Card(String),
    /// 4: seats and roles.
    Seats,
    /// 5: two entrants head to head.
    Versus(String, String),
    /// What one number is made of: board, seat, entrant.
    Explain(String, String, String),
}

/// Why a view cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// No such board; the nearest, if one is near.
    Board(String, Option<String>),
    /// No such seat; the nearest, if one is near.
    Seat(String, Option<String>),
    /// No such entrant; the nearest, if one is near.
    Entrant(String, Option<String>),
    /// The entrant has no result there: board, seat, entrant.
    Result(String, String, String),
}

/// The whole event: every group with its values, the ranking, the rules.
#[must_use]
pub fn ranking_json(settled: &Settled<'_>) -> String {
    document(settled, |json| {
        json.key("boards").array(settled.groups(), |json, (board, seat, lines)| {
            json.object(|json| {
                json.key("board").string(board);
                json.key("seat").string(seat);
                json.key("results").array(lines, |json, line| json.object(|json| result(json, &line)));
            });
        });
        let shown = Averages::of(settled);
        json.key("ranking").array(&settled.ranking().rows, |json, row| {
            json.object(|json| rank_row(json, row, settled.event().rules(), &shown));
        });
    })
}

fn document(settled: &Settled<'_>, fill: impl FnOnce(&mut Json)) -> String {
    let rules = settled.event().rules();
    let mut json = Json::default();
    json.object(|json| {
        json.key("method").string(rules.method.id());
        fill(json);
        let cautions = settled.cautions();
        if !cautions.is_empty() {
            json.key("cautions").array(&cautions, |json, told| {
                json.object(|json| {
                    json.key("code").string(told.id.trim_start_matches("rank-note-"));
                    json.key("message").string(&say(Lang::En, told));
                });
            });
        }
        json.key("rules").object(|json| rules_json(json, rules));
    });
    json.finish()
}

fn rules_json(json: &mut Json, rules: &Rules) {
    json.key("equalise").string(rules.equalising().id());
    json.key("lone").string(rules.lone.id());
    json.key("style").string(rules.style.id());
    json.key("min_boards").plain(rules.min_boards);
    json.key("tie_break").array(&rules.tie_break, |json, step| json.string(step.id()));
    if rules.method.is_imps() {
        json.key("imp_table").string(&rules.imp_table.name);
        json.key("imp_scale").fraction(&rules.imp_table.scale);
    }
    if rules.method == Method::Butler {
        json.key("trim").plain(rules.butler.trim);
        json.key("trim_from").plain(rules.butler.trim_from);
        json.key("datum_rounding").option(rules.butler.datum_rounding.as_ref(), Json::fraction);
    }
}

fn result(json: &mut Json, line: &Line<'_>) {
    json.key("entrant").string(line.entrant);
    worth(json, line);
}

/// Score and value of a result. What is out of the ordinary follows after the promised keys.
fn worth(json: &mut Json, line: &Line<'_>) {
    json.key("score").option(line.entry.raw().as_ref(), Json::score);
    json.key("mp").option(line.cell.matchpoints.as_ref(), Json::fraction);
    json.key("top").option(line.cell.top, Json::plain);
    json.key("rate").option(line.cell.value.as_ref(), Json::fraction);
    if line.entry.status.id() != "played" {
        json.key("status").string(line.entry.status.id());
    }
    if line.cell.basis != Basis::Compared {
        json.key("basis").string(line.cell.basis.id());
    }
    if let Some(ruling) = line.entry.ruling() {
        json.key("ruling").string(&ruling.id);
    }
    if !line.entry.penalties().is_empty() {
        json.key("penalties").array(line.entry.penalties(), |json, each| json.string(&each.ruling));
    }
    if let Some(table) = line.entry.table() {
        json.key("table").string(table);
    }
    if !line.entry.parts().is_empty() {
        json.key("parts").array(line.entry.parts(), |json, part| json.object(|json| part_json(json, part)));
    }
}

fn part_json(json: &mut Json, part: &Part) {
    json.key("seat").string(&part.seat);
    json.key("table").option(part.table.as_deref(), Json::string);
    json.key("score").option(part.score.as_ref(), Json::score);
    if part.status != Status::Played {
        json.key("status").string(part.status.id());
    }
}

/// The averages as they are shown, by the number of the entrant.
pub(super) struct Averages(Vec<Option<String>>);

impl Averages {
    pub(super) fn of(settled: &Settled<'_>) -> Averages {
        let ranking = settled.ranking();
        let mut averages = vec![None; settled.event().entrants.len()];
        for (row, shown) in ranking.rows.iter().zip(ranking.shown(settled.event().rules().method)) {
            if let Some(slot) = averages.get_mut(row.ix as usize) {
                *slot = shown;
            }
        }
        Averages(averages)
    }

    /// The average of a row; `None` when no board counts.
    pub(super) fn shown(&self, row: &RankRow) -> Option<&str> {
        self.0.get(row.ix as usize)?.as_deref()
    }
}

fn rank_row(json: &mut Json, row: &RankRow, rules: &Rules, shown: &Averages) {
    json.key("rank").option(row.place.ok(), |json, place| rank(json, place, rules.style));
    json.key("entrant").string(&row.entrant);
    json.key("average").option(row.average.as_ref(), Json::fraction);
    json.key("percent").option(shown.shown(row), Json::string);
    json.key("boards").plain(row.boards);
    json.key("decided_by").option(row.decided_by, |json, step| json.string(step.id()));
    if let Err(reason) = row.place {
        json.key("reason").string(reason.id());
    }
}

fn rank(json: &mut Json, place: Place, style: RankStyle) {
    match style {
        RankStyle::Range if place.first != place.last => json.string(&place.shown(style)),
        _ => json.plain(place.shown(style)),
    }
}

fn frequencies_json(json: &mut Json, frequencies: &[Frequency]) {
    json.array(frequencies, |json, each| {
        json.object(|json| {
            json.key("score").score(&each.score);
            json.key("count").plain(each.count);
        });
    });
}

/// A view as one JSON object.
///
/// # Errors
/// [`Missing`] when a board, seat, entrant or result is not there.
pub fn view_json(settled: &Settled<'_>, view: &View) -> Result<String, Missing> {
    let rules = settled.event().rules();
    Ok(match view {
        View::Ranking => ranking_json(settled),
        View::CrossTab => document(settled, |json| {
            let table = settled.cross_tab();
            let shown = Averages::of(settled);
            json.key("crosstab").object(|json| {
                json.key("columns").array(&table.columns, |json, column| {
                    json.object(|json| {
                        json.key("board").string(column.board);
                        json.key("seat").option(column.seat, Json::string);
                    });
                });
                json.key("rows").array(settled.ranking().rows.iter().enumerate(), |json, (n, row)| {
                    json.object(|json| {
                        rank_row(json, row, rules, &shown);
                        json.key("cells").array(table.row(n), |json, (_, line)| {
                            json.object(|json| {
                                json.key("board").string(line.board);
                                json.key("seat").string(line.seat);
                                worth(json, &line);
                            });
                        });
                    });
                });
            });
        }),
        View::Traveller(board) => {
            let traveller = traveller(settled, board)?;
            document(settled, |json| json.key("traveller").object(|json| traveller_json(json, &traveller)))
        }
        View::Card(entrant) => {
            let card = card(settled, entrant)?;
            let shown = Averages::of(settled);
            document(settled, |json| json.key("card").object(|json| card_json(json, &card, rules, &shown)))
        }
        View::Seats => {
            let seats = settled.seat_summaries();
            document(settled, |json| seats_json(json, &seats, rules.method))
        }
        View::Versus(one, other) => {
            let versus = versus(settled, one, other)?;
            document(settled, |json| {
                json.key("versus").object(|json| versus_json(json, &versus, [one, other]));
            })
        }
        View::Explain(board, seat, entrant) => {
            let explanation = explanation(settled, board, seat, entrant)?;
            document(settled, |json| json.key("explanation").object(|json| explain_json(json, &explanation)))
        }
    })
}

fn traveller_json(json: &mut Json, traveller: &Traveller<'_>) {
    json.key("board").string(traveller.board);
    json.key("void").plain(traveller.void);
    json.key("seats").array(&traveller.seats, |json, seat| {
        json.object(|json| {
            json.key("seat").string(seat.seat);
            json.key("results").array(&seat.lines, |json, line| json.object(|json| result(json, line)));
            frequencies_json(json.key("frequencies"), &seat.frequencies);
        });
    });
}

fn card_json(json: &mut Json, card: &Card<'_>, rules: &Rules, shown: &Averages) {
    rank_row(json, card.row, rules, shown);
    json.key("results").array(&card.lines, |json, (line, frequencies)| {
        json.object(|json| {
            json.key("board").string(line.board);
            json.key("seat").string(line.seat);
            worth(json, line);
            frequencies_json(json.key("frequencies"), frequencies);
        });
    });
}

fn seats_json(json: &mut Json, seats: &Seats<'_>, method: Method) {
    let summary = |json: &mut Json, entrant: Option<&str>, summary: &Summary| {
        json.key("entrant").option(entrant, Json::string);
        json.key("boards").plain(summary.boards);
        json.key("mean").option(summary.mean.as_ref(), Json::fraction);
        json.key("percent").option(summary.mean.as_ref(), |json, mean| json.string(&show(method, mean)));
        json.key("raw").fraction(&summary.raw);
    };
    json.key("seats").array(&seats.seats, |json, (seat, entrant, sums)| {
        json.object(|json| {
            json.key("seat").string(seat);
            summary(json, *entrant, sums);
        });
    });
    json.key("roles").array(&seats.roles, |json, (role, entrant, sums)| {
        json.object(|json| {
            json.key("role").string(role.id());
            summary(json, *entrant, sums);
        });
    });
}

fn versus_json(json: &mut Json, versus: &Versus<'_>, entrants: [&str; 2]) {
    json.key("entrants").array(entrants, Json::string);
    json.key("won").plain(versus.won);
    json.key("tied").plain(versus.tied);
    json.key("lost").plain(versus.lost);
    json.key("means").array([&versus.mean, &versus.other_mean], |json, mean| {
        json.option(mean.as_ref(), Json::fraction);
    });
    json.key("boards").array(&versus.lines, |json, (one, other)| {
        json.object(|json| {
            json.key("board").string(one.board);
            json.key("seat").string(one.seat);
            json.key("results").array([one, other], |json, line| json.object(|json| result(json, line)));
        });
    });
}

fn explain_json(json: &mut Json, told: &Explanation) {
    json.key("board").string(&told.board);
    json.key("seat").string(&told.seat);
    json.key("entrant").string(&told.entrant);
    json.key("status").string(told.status.id());
    json.key("score").option(told.score.as_ref(), Json::score);
    json.key("ruling").option(told.ruling.as_deref(), Json::string);
    json.key("outcomes").array(&told.outcomes, |json, (weight, score)| {
        json.object(|json| {
            json.key("weight").fraction(weight);
            json.key("score").score(score);
        });
    });
    if !told.parts.is_empty() {
        json.key("parts").array(&told.parts, |json, part| json.object(|json| part_json(json, part)));
    }
    json.key("against").array(&told.against, |json, each| {
        json.object(|json| {
            json.key("entrant").string(&each.entrant);
            json.key("score").option(each.score.as_ref(), Json::score);
            json.key("verdict").string(each.verdict.id());
            json.key("points").option(each.points.as_ref(), Json::fraction);
            json.key("ruling").option(each.ruling.as_deref(), Json::string);
        });
    });
    json.key("not_compared").array(&told.aside, |json, (entrant, basis)| {
        json.object(|json| {
            json.key("entrant").string(entrant);
            json.key("basis").string(basis.id());
        });
    });
    json.key("actual").plain(told.actual);
    json.key("expected").plain(told.expected);
    json.key("mp_compared").option(told.compared.as_ref(), Json::fraction);
    json.key("mp_equalised").option(told.equalised.as_ref(), Json::fraction);
    json.key("top").option(told.top, Json::plain);
    json.key("lowest").option(told.extent.as_ref(), |json, (low, _)| json.fraction(low));
    json.key("highest").option(told.extent.as_ref(), |json, (_, high)| json.fraction(high));
    json.key("datum").option(told.datum.as_ref(), Json::fraction);
    json.key("penalties").array(&told.penalties, |json, each| {
        json.object(|json| {
            json.key("ruling").string(&each.ruling);
            match &each.amount {
                Amount::OfTop(share) => json.key("of_top").fraction(share),
                Amount::Points(points) => json.key("points").fraction(points),
            }
        });
    });
    json.key("own_average").option(told.own_average.as_ref(), Json::fraction);
    json.key("rate").option(told.value.as_ref(), Json::fraction);
    json.key("basis").string(told.basis.id());
}

fn nearest_board(settled: &Settled<'_>, board: &str) -> Missing {
    let nearest = nearest(board, &settled.boards());
    Missing::Board(board.to_owned(), nearest.map(str::to_owned))
}

fn nearest_entrant(settled: &Settled<'_>, entrant: &str) -> Missing {
    let known: Vec<&str> = settled.ranking().rows.iter().map(|row| row.entrant.as_str()).collect();
    Missing::Entrant(entrant.to_owned(), nearest(entrant, &known).map(str::to_owned))
}

pub(super) fn traveller<'a>(settled: &Settled<'a>, board: &str) -> Result<Traveller<'a>, Missing> {
    settled.traveller(board).ok_or_else(|| nearest_board(settled, board))
}

pub(super) fn card<'a>(settled: &'a Settled<'_>, entrant: &str) -> Result<Card<'a>, Missing> {
    settled.card(entrant).ok_or_else(|| nearest_entrant(settled, entrant))
}

pub(super) fn versus<'a>(settled: &Settled<'a>, one: &str, other: &str) -> Result<Versus<'a>, Missing> {
    settled.versus(one, other).ok_or_else(|| {
        let unknown = if settled.event().find_entrant(one).is_none() { one } else { other };
        nearest_entrant(settled, unknown)
    })
}

pub(super) fn explanation(
    settled: &Settled<'_>,
    board: &str,
    seat: &str,
    entrant: &str,
) -> Result<Explanation, Missing> {
    settled.explain(board, seat, entrant).ok_or_else(|| {
        let event = settled.event();
        let seats = settled.seats();
        if event.find_board(board).is_none() {
            nearest_board(settled, board)
        } else if !seats.contains(&seat) {
            let nearest = nearest(seat, &seats);
            Missing::Seat(seat.to_owned(), nearest.map(str::to_owned))
        } else if event.find_entrant(entrant).is_none() {
            nearest_entrant(settled, entrant)
        } else {
            Missing::Result(board.to_owned(), seat.to_owned(), entrant.to_owned())
        }
    })
}
