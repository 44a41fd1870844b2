//! Rulings: first what one would change, then the ruling itself. Two referees never overwrite each other: a ruling
//! names its number, and whoever comes second is told.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::accounts::reason;
use crate::desk::rights::{Right, to_rule};
use crate::desk::rulings::{Outcome, preview, rule};
use crate::event::archive::EventRow;
use crate::event::ledger::EventWrite;
use crate::event::{EventError, EventState};
use crate::formats::ruling::{Decision, Ruling};
use crate::formats::tally::{Tally, TallyFault};
use crate::games::Game;
use crate::journal::bundle::model::Change;
use crate::journal::revision::changes;
use crate::web::answer::{Answer, created, ok};
use crate::web::audience::{Sees, sees};
use crate::web::context::{Body, RequestContext, Who};
use crate::web::desk;
use crate::web::problem::{Code, Problem};
use crate::web::routes::Table;
use crate::with_game;
use crate::words::say;

/// A ruling to be made, or to be looked at.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RulingBody {
    /// The number it will have: one more than the last. Whoever finds it taken looks again.
    number: u32,
    /// Why; published with the result.
    reason: String,
    /// What is decided.
    #[schema(value_type = DecisionBody)]
    decision: Decision,
    /// Whether the doubts that the preview names have been seen and the ruling is meant all the same.
    #[serde(default)]
    confirm: bool,
}

/// A raw score: an integer, or a fraction in text.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "describes the scoring's own type")]
pub enum ScoreBody {
    /// An integer.
    #[schema(title = "WholeScore")]
    Whole(i64),
    /// `"7/2"`.
    #[schema(title = "FractionScore")]
    Fraction(String),
}

/// One outcome of a weighted ruling.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "describes the scoring's own type")]
pub struct OutcomeBody {
    /// Its probability as a fraction in text; those of one ruling add up to 1.
    weight: String,
    /// The raw score of this outcome.
    score: ScoreBody,
}

/// How large a penalty is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(dead_code, reason = "describes the scoring's own type")]
pub enum AmountBody {
    /// A fraction of one board's top, in text, above 0 and up to 1: for methods that have a top.
    #[schema(title = "AmountOfTop")]
    OfTop(String),
    /// Points of the method itself, in text, above 0 and not beyond what a board can be worth.
    #[schema(title = "AmountInPoints")]
    Points(String),
}

/// A result that counts with another raw score.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "describes the journal's own type")]
pub struct AdjustedScore {
    /// The board.
    board: u32,
    /// The entrant.
    entrant: String,
    /// The raw score.
    score: ScoreBody,
}

/// A result that counts with a status.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "describes the journal's own type")]
pub struct GivenStatus {
    /// The board.
    board: u32,
    /// The entrant.
    entrant: String,
    /// `A+`, `A`, `A-`, `not-played`, `absent` or `disqualified`.
    status: String,
}

/// A result that counts as several outcomes with probabilities.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "describes the journal's own type")]
pub struct WeightedScore {
    /// The board.
    board: u32,
    /// The entrant.
    entrant: String,
    /// The outcomes.
    outcomes: Vec<OutcomeBody>,
}

/// Something taken from the value of a result.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "describes the journal's own type")]
pub struct BoardPenalty {
    /// The board.
    board: u32,
    /// The entrant.
    entrant: String,
    /// How much.
    amount: AmountBody,
}

/// A board that counts for nobody.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "describes the journal's own type")]
pub struct VoidBoard {
    /// The board.
    board: u32,
}

/// An entrant that leaves the ranking.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "describes the journal's own type")]
pub struct GivenStanding {
    /// The entrant.
    entrant: String,
    /// `withdrawn` or `disqualified`.
    standing: String,
}

/// An earlier ruling that no longer holds.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "describes the journal's own type")]
pub struct WithdrawnRuling {
    /// Its number.
    ruling: u32,
}

/// What a ruling decides.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(dead_code, reason = "describes the journal's own type")]
pub enum DecisionBody {
    /// The result counts with this raw score.
    #[schema(title = "ScoreDecision")]
    Score(AdjustedScore),
    /// The result counts with this status.
    #[schema(title = "StatusDecision")]
    Status(GivenStatus),
    /// Several outcomes with probabilities.
    #[schema(title = "WeightedDecision")]
    Weighted(WeightedScore),
    /// Taken from the board's value.
    #[schema(title = "PenaltyDecision")]
    Penalty(BoardPenalty),
    /// The board counts for nobody.
    #[schema(title = "VoidDecision")]
    Void(VoidBoard),
    /// The entrant leaves the ranking.
    #[schema(title = "StandingDecision")]
    Standing(GivenStanding),
    /// An earlier ruling no longer holds.
    #[schema(title = "WithdrawDecision")]
    Withdraw(WithdrawnRuling),
}

/// A ruling.
#[derive(Debug, Serialize, ToSchema)]
pub struct RulingSheet {
    /// Counted from 1.
    number: u32,
    /// When, µs.
    at: i64,
    /// Who ruled.
    by: String,
    /// Why.
    reason: String,
    /// What was decided.
    #[schema(value_type = DecisionBody)]
    decision: Value,
    /// Whether results are published that do not rest on it yet: only the desk sees such a ruling.
    pending: bool,
}

/// The rulings in order.
#[derive(Debug, Serialize, ToSchema)]
pub struct RulingList {
    items: Vec<RulingSheet>,
}

/// What a ruling would change.
#[derive(Debug, Serialize, ToSchema)]
pub struct Radius {
    /// The number that the ruling would have.
    number: u32,
    /// Every result (with its board) and every line of the standings that would change.
    #[schema(value_type = Vec<Object>)]
    changes: Vec<Change>,
    /// Entrants whose place would change.
    places: Vec<String>,
    /// The right that makes it: by what it does, not only by its kind.
    #[schema(value_type = String)]
    right: Right,
    /// Whether the asker has it.
    may: bool,
    /// What is hardly meant: making the ruling then needs `confirm`.
    doubts: Vec<DoubtSheet>,
}

/// Something that is hardly meant.
#[derive(Debug, Serialize, ToSchema)]
pub struct DoubtSheet {
    /// `impossible_score`: no legal play of the board gives this raw score. `penalty_without_effect`: the result has no
    /// value that could be lowered. `board_void`: the board counts for nobody already. `others_uncompared`: the result of
    /// another entrant is compared with nobody then. `board_emptied`: fewer than half of the board's results count then.
    /// `place_lost`: the entrant has too few results for a place then.
    code: String,
    /// The sentence in the asker's language.
    message: String,
}

pub(super) fn add(table: &mut Table) {
    table
        .get(
            "/api/v1/events/{event}/rulings",
            Right::SeePublic,
            "listRulings",
            "Rulings in order; for the public once results are published",
        )
        .answers::<RulingList>(200)
        .to(list);
    table
        .post(
            "/api/v1/events/{event}/rulings/preview",
            Right::Rule,
            "previewRuling",
            "What a ruling would change",
        )
        .body::<RulingBody>()
        .answers::<Radius>(200)
        .to(look);
    table
        .post(
            "/api/v1/events/{event}/rulings",
            Right::Rule,
            "makeRuling",
            "Makes a ruling; what the preview doubts needs `confirm`. Whatever reaches further than one result needs the right \
             correct: voids, standings, withdrawals, replacing somebody else's ruling, one that leaves another entrant's result \
             with nothing to compare it with, fewer than half of a board's results, or too few for a place, published results",
        )
        .body::<RulingBody>()
        .answers::<RulingSheet>(201)
        .to(make);
}

fn sheet(ruling: Ruling, pending: bool) -> Result<RulingSheet, Problem> {
    Ok(RulingSheet {
        number: ruling.number,
        at: ruling.at,
        by: ruling.by,
        reason: ruling.reason,
        decision: serde_json::to_value(ruling.decision).map_err(Problem::internal)?,
        pending,
    })
}

async fn list(call: RequestContext) -> Answer {
    let items = call
        .work(|call| {
            let row = desk::row(call)?;
            let shown = match sees(&call.app, &call.who, &row)? {
                Sees::Everything => u32::MAX,
                Sees::SoFar => return Err(Problem::new(Code::Sealed)),
                Sees::Revision { rulings, .. } => rulings,
            };
            if !row.state.is_drawn() {
                return Ok(Vec::new());
            }
            call.app.read_model.look(&call.app, &row.id, |state| {
                let published = state.desk().published().last().map_or(u32::MAX, |last| last.body.rulings);
                let rulings = state.competition().rulings().iter().filter(|ruling| ruling.number <= shown);
                rulings.map(|ruling| sheet(ruling.clone(), ruling.number > published)).collect()
            })
        })
        .await?;
    ok(&RulingList { items })
}

fn ruling(call: &RequestContext, body: RulingBody) -> Result<Ruling, Problem> {
    reason(&body.reason)?;
    let by = match &call.who {
        Who::Account(actor) => actor.name.clone(),
        other => other.name(),
    };
    Ok(Ruling { number: body.number, at: call.now, by, reason: body.reason, decision: body.decision })
}

async fn look(call: RequestContext, Body(body): Body<RulingBody>) -> Answer {
    let radius = call
        .work(move |call| {
            let row = desk::row(call)?;
            let ruling = ruling(call, body)?;
            with_game!(desk::kind(&row)?, G => radius::<G>(call, &row, &ruling))
        })
        .await?;
    ok(&radius)
}

/// What a ruling would do now, and whether results are published.
fn outcome<G: Game>(
    call: &RequestContext,
    row: &EventRow,
    ruling: &Ruling,
) -> Result<(Outcome, bool, Arc<Tally>), Problem> {
    let opened = call.app.read_model.open::<G>(&call.app, &row.id, "server")?;
    let (competition, published, before) = call.app.read_model.look(&call.app, &row.id, |state| {
        let before = state.tally(Sees::Everything).map_err(EventError::from)?;
        Ok((state.competition().clone(), !state.desk().published().is_empty(), before))
    })?;
    let outcome = preview(&opened.event, &|board| opened.header(board), &competition, ruling)?;
    Ok((outcome, published, before))
}

fn radius<G: Game>(call: &RequestContext, row: &EventRow, ruling: &Ruling) -> Result<Radius, Problem> {
    desk::in_state(row, EventState::is_drawn)?;
    let (outcome, published, before) = outcome::<G>(call, row, ruling)?;
    let right = outcome.right(ruling, published);
    let doubts = outcome
        .doubts
        .iter()
        .map(|doubt| DoubtSheet { code: doubt.code.to_owned(), message: say(call.lang, &doubt.told) })
        .collect();
    let places = |tally: &Tally| -> BTreeMap<String, Option<String>> {
        tally.standings.iter().map(|line| (line.entrant.clone(), line.rank.clone())).collect()
    };
    let (earlier, later) = (places(&before), places(&outcome.after));
    let moved = later.iter().filter(|(entrant, rank)| earlier.get(*entrant) != Some(*rank));
    Ok(Radius {
        number: ruling.number,
        changes: changes(Some(&before), &outcome.after),
        places: moved.map(|(entrant, _)| entrant.clone()).collect(),
        right,
        may: call.who.may(right, Some(&row.id)),
        doubts,
    })
}

async fn make(call: RequestContext, Body(body): Body<RulingBody>) -> Answer {
    let made = call
        .work(move |call| {
            let row = desk::row(call)?;
            desk::in_state(&row, EventState::is_drawn)?;
            call.needs(to_rule(body.decision.reach(), row.state.is_published()))?;
            let confirmed = body.confirm;
            let ruling = ruling(call, body)?;
            let number = ruling.number;
            ruling.check(number).map_err(|fault| EventError::from(TallyFault::Ruling(number, fault)))?;
            let published = with_game!(desk::kind(&row)?, G => {
                let (outcome, published, _) = outcome::<G>(call, &row, &ruling)?;
                call.needs(outcome.right(&ruling, published))?;
                if !confirmed && !outcome.doubts.is_empty() {
                    let doubts = outcome.doubts.into_iter();
                    return Err(Problem::faults(doubts.map(|doubt| (doubt.code.to_owned(), doubt.told))));
                }
                published
            });
            let audit = call.audit("rule", &ruling.reason, &Value::Null, &json!({ "number": number }));
            let write = EventWrite { audit: vec![audit], ..EventWrite::default() };
            let log = call.app.halls.logs().open(&row.id)?;
            rule(&log, call.author(), &ruling, published, write)?;
            // The instant is that of the line.
            let made = call.app.read_model.look(&call.app, &row.id, |state| {
                let made = state.competition().rulings().iter().find(|one| one.number == number);
                made.cloned().ok_or_else(|| Problem::internal("a ruling is not there"))
            })?;
            sheet(made, published)
        })
        .await?;
    created(&made)
}
