//! Slow play: how often each player took longer than the rules allow, for referees.

use serde::Serialize;
use utoipa::ToSchema;

use crate::desk::rights::Right;
use crate::desk::slow::{self, SlowCount};
use crate::event::Event;
use crate::event::archive::{Archive, ArchiveError};
use crate::journal::ControlKind;
use crate::web::answer::{Answer, ok};
use crate::web::context::RequestContext;
use crate::web::desk;
use crate::web::routes::Table;
use crate::with_game;

/// How often somebody was slow.
#[derive(Debug, Serialize, ToSchema)]
pub struct SlowLine {
    /// The entrant, by id.
    entrant: String,
    /// Which of a pair, from 0; absent where the ruleset counts the pair together.
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<usize>,
    /// The round; absent where the ruleset counts the whole event together.
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<u32>,
    /// How many decisions were slow.
    count: u32,
    /// Small points that the ruleset gives for them: none for the first, which is a warning. A referee rules.
    penalty: u32,
}

/// Who was slow, by entrant and round.
#[derive(Debug, Serialize, ToSchema)]
pub struct SlowPlay {
    /// Empty where the rules know no slow play.
    items: Vec<SlowLine>,
}

pub(super) fn add(table: &mut Table) {
    table
        .get(
            "/api/v1/events/{event}/slow-play",
            Right::SeeFloor,
            "getSlowPlay",
            "How often each player took longer than the rules allow",
        )
        .answers::<SlowPlay>(200)
        .to(slow_play);
}

async fn slow_play(call: RequestContext) -> Answer {
    let counts = call
        .work(|call| {
            let row = desk::row(call)?;
            let store = call.app.store.as_ref();
            let notes = store.notes(&row.id, ControlKind::Slow).map_err(ArchiveError::from)?;
            let archive: &dyn Archive = store;
            let plays = archive.plays(&row.id)?;
            Ok(with_game!(desk::kind(&row)?, G => {
                slow::counts(&Event::<G>::load(archive, &row.id)?, &plays, &notes)
            }))
        })
        .await?;
    let line = |SlowCount { of, count, penalty }: SlowCount| SlowLine {
        entrant: of.entrant,
        member: of.member,
        round: of.round,
        count,
        penalty,
    };
    ok(&SlowPlay { items: counts.into_iter().map(line).collect() })
}
