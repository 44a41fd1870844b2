//! The notice of rulings: what was ruled, about whom and why, the figures before and after, and what changed from one
//! publication to the next. The public sees what its last publication rests on, and nothing before the first.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::results::{PublicParams, audience};
use crate::canonical::sha256;
use crate::desk::people::People as _;
use crate::desk::rights::Right;
use crate::event::EventError;
use crate::event::archive::EventRow;
use crate::formats::ruling::{Decision, Ruling};
use crate::formats::tally::{Tally, tally};
use crate::journal::bundle::model::{Change, signed_text};
use crate::journal::bundle::{Revision, Signed};
use crate::journal::revision::changes;
use crate::web::answer::{Answer, tagged};
use crate::web::audience::{Sees, View};
use crate::web::context::{Params, RequestContext};
use crate::web::desk;
use crate::web::problem::Problem;
use crate::web::routes::Table;

/// So many changed lines are told of a ruling or a publication; the others are counted.
const TOLD: usize = 60;

/// Lines that differ.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct ChangeList {
    /// Those whom it concerns first; of others the results, and the places that differ.
    #[schema(value_type = Vec<Object>)]
    items: Vec<Change>,
    /// How many more lines differ.
    more: usize,
}

/// A ruling as it is made known.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoticedRuling {
    /// Counted from 1.
    number: u32,
    /// When, µs.
    at: i64,
    /// Who ruled: the account.
    by: String,
    /// Who ruled: the person's name.
    name: String,
    /// The board, where it concerns one.
    board: Option<u32>,
    /// The table, where it concerns one result.
    table: Option<u32>,
    /// The seat, where it concerns one result.
    seat: Option<String>,
    /// The entrant, where it concerns one.
    entrant: Option<String>,
    /// What was decided.
    #[schema(value_type = super::rulings::DecisionBody)]
    decision: Value,
    /// Why.
    reason: String,
    /// The first publication that rests on it; `null`: none yet.
    revision: Option<u32>,
    /// The ruling by which it no longer holds.
    withdrawn_by: Option<u32>,
    /// What it changed.
    changes: ChangeList,
}

/// A publication of the results as it is made known.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoticedRevision {
    /// Counted from 1.
    number: u32,
    /// When, µs.
    at: i64,
    /// `provisional`, `official` or `final`.
    state: String,
    /// SHA-256 of the canonical text of its body, 64 hexadecimal digits.
    hash: String,
    /// It rests on the first so many rulings.
    rulings: u32,
    /// What differs from the publication before.
    changes: ChangeList,
}

/// The notice of rulings.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoticeSheet {
    /// The event.
    event: String,
    /// Whose view it is.
    view: View,
    /// The publication that everybody sees; `null` before the first.
    revision: Option<u32>,
    /// In order.
    rulings: Vec<NoticedRuling>,
    /// In order.
    revisions: Vec<NoticedRevision>,
}

pub(super) fn add(table: &mut Table) {
    table
        .get(
            "/api/v1/events/{event}/rulings/notice",
            Right::SeePublic,
            "getRulingNotice",
            "Rulings and publications as they are made known: whom each concerns, the figures before and after",
        )
        .query::<PublicParams>()
        .answers::<NoticeSheet>(200)
        .to(notice);
}

async fn notice(call: RequestContext, Params(PublicParams { public }): Params<PublicParams>) -> Answer {
    let bytes = call
        .work(move |call| {
            let row = desk::row(call)?;
            let sees = audience(call, &row, public)?;
            let write = || {
                let sheet = noticed(call, &row, sees)?;
                serde_json::to_vec(&sheet).map_err(Problem::internal)
            };
            match sees.revision() {
                Some(revision) => {
                    let text = call.app.read_model.text(&row.id, "notice", &revision.to_string(), write)?;
                    Ok(text.to_vec())
                }
                None => write(),
            }
        })
        .await?;
    tagged(call.if_none_match.as_deref(), "application/json", bytes)
}

/// Whom a decision concerns: board and entrant; of a withdrawal those of the ruling that no longer holds.
fn about<'a>(all: &'a [Ruling], decision: &'a Decision) -> (Option<u32>, Option<&'a str>) {
    match decision {
        Decision::Score { board, entrant, .. }
        | Decision::Status { board, entrant, .. }
        | Decision::Weighted { board, entrant, .. }
        | Decision::Penalty { board, entrant, .. } => (Some(*board), Some(entrant)),
        Decision::Void { board } => (Some(*board), None),
        Decision::Standing { entrant, .. } => (None, Some(entrant)),
        Decision::Withdraw { ruling } => {
            let of = all.iter().find(|one| one.number == *ruling);
            match of.map(|one| &one.decision) {
                Some(Decision::Withdraw { .. }) | None => (None, None),
                Some(decision) => about(all, decision),
            }
        }
    }
}

/// The lines that are told: first those of `entrant`, then results, then places that differ.
fn told(mut all: Vec<Change>, entrant: Option<&str>) -> ChangeList {
    let place = |line: &Option<Value>| line.as_ref().map(|line| line["rank"].clone());
    let of = |one: &Change| entrant == Some(one.entrant.as_str());
    let count = all.len();
    all.retain(|one| of(one) || one.board.is_some() || place(&one.before) != place(&one.after));
    all.sort_by_key(|one| !of(one));
    all.truncate(TOLD);
    ChangeList { more: count - all.len(), items: all }
}

fn noticed(call: &RequestContext, row: &EventRow, sees: Sees) -> Result<NoticeSheet, Problem> {
    let staff: BTreeMap<String, String> =
        call.app.store.accounts()?.into_iter().map(|account| (account.name, account.display)).collect();
    let known = call.app.read_model.look(&call.app, &row.id, |state| {
        let competition = state.seen(sees);
        let rulings = if sees == Sees::SoFar { Vec::new() } else { competition.rulings().to_vec() };
        let played = if rulings.is_empty() { Vec::new() } else { competition.results() };
        let published = state.desk().published().to_vec();
        Ok((rulings, played, published, state.settings().clone(), state.entrants().to_vec()))
    })?;
    let (all, played, published, settings, entrants) = known;
    // The results with the first so many rulings.
    let after = |rulings: &[Ruling]| {
        tally(&settings, &entrants, played.clone(), rulings)
            .map_err(|fault| Problem::from(EventError::from(fault)))
    };
    let mut noticed = Vec::new();
    if !all.is_empty() {
        let mut before = after(&[])?;
        for (upto, ruling) in (1..).zip(&all) {
            let now = after(all.get(..upto).unwrap_or(&all))?;
            noticed.push(one(&all, ruling, &before, &now, &published, &staff)?);
            before = now;
        }
    }
    Ok(NoticeSheet {
        event: row.id.clone(),
        view: sees.view(),
        revision: published.last().map(|last| last.body.number),
        rulings: noticed,
        revisions: published.into_iter().map(revision).collect(),
    })
}

/// A ruling, with the results before it and with it.
fn one(
    all: &[Ruling],
    ruling: &Ruling,
    before: &Tally,
    now: &Tally,
    published: &[Signed<Revision>],
    staff: &BTreeMap<String, String>,
) -> Result<NoticedRuling, Problem> {
    let (board, entrant) = about(all, &ruling.decision);
    let of = before
        .results
        .iter()
        .find(|line| Some(line.board) == board && Some(line.entrant.as_str()) == entrant);
    let withdrawn_by = all
        .iter()
        .find(|one| one.decision == Decision::Withdraw { ruling: ruling.number })
        .map(|one| one.number);
    Ok(NoticedRuling {
        number: ruling.number,
        at: ruling.at,
        name: staff.get(&ruling.by).unwrap_or(&ruling.by).clone(),
        by: ruling.by.clone(),
        board,
        table: of.and_then(|line| line.table),
        seat: of.filter(|line| line.table.is_some()).map(|line| line.seat.clone()),
        entrant: entrant.map(str::to_owned),
        decision: serde_json::to_value(&ruling.decision).map_err(Problem::internal)?,
        reason: ruling.reason.clone(),
        revision: published.iter().find(|one| one.body.rulings >= ruling.number).map(|one| one.body.number),
        withdrawn_by,
        changes: told(changes(Some(before), now), entrant),
    })
}

fn revision(line: Signed<Revision>) -> NoticedRevision {
    let hash = hex::encode(sha256(signed_text(&line.body).as_bytes()));
    let Revision { number, at, state, rulings, changes, .. } = line.body;
    NoticedRevision {
        number,
        at,
        state: state.word().to_owned(),
        hash,
        rulings,
        changes: told(changes, None),
    }
}
