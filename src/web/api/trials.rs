//! A board to try, against computer players, outside of every event. Nothing of it is kept.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::desk::rights::Right;
use crate::games::GameKind;
use crate::games::rulesets::not_known;
use crate::web::answer::{Answer, created};
use crate::web::context::{Body, RequestContext};
use crate::web::problem::{Code, Problem};
use crate::web::routes::Table;

/// What is to be tried.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TrialBody {
    /// `wakeng`, `tuolaji` or `holdem`.
    game: String,
}

/// A board to try.
#[derive(Debug, Serialize, ToSchema)]
pub struct TrialSeat {
    /// The game.
    game: String,
    /// The token with which the seat is taken on the socket. It counts as long as the board is not forgotten: five
    /// minutes after nobody is connected any more, or after its end.
    token: String,
}

pub(super) fn add(table: &mut Table) {
    table
        .post(
            "/api/v1/trials",
            Right::SeePublic,
            "tryBoard",
            "A fresh board to try against computer players; in memory only, a few at a time",
        )
        .body::<TrialBody>()
        .answers::<TrialSeat>(201)
        .attempt()
        .to(begin);
}

async fn begin(call: RequestContext, Body(body): Body<TrialBody>) -> Answer {
    let kind = body.game.parse::<GameKind>().map_err(|_| {
        Problem::said(Code::BadField, not_known("game", &body.game, &GameKind::ALL.map(GameKind::name)))
    })?;
    let thinkers = &call.app.halls.deps().thinkers;
    let _entered = call.app.runtime.enter();
    let token = call.app.trials.begin(kind, call.address, thinkers)?;
    created(&TrialSeat { game: kind.name().to_owned(), token })
}
