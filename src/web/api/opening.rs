//! Announcement, delayed value, seat draw: the steps after which nobody can choose the deals or the seats.

use std::sync::PoisonError;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{FaultDetails, NoFields};
use crate::dealing::{Announcement, Delayed};
use crate::desk::opening;
use crate::desk::rights::Right;
use crate::event::archive::{AnnouncementRow, Archive};
use crate::event::{EventError, EventState};
use crate::web::answer::{Answer, created, ok, tagged};
use crate::web::context::{Body, RequestContext};
use crate::web::desk;
use crate::web::problem::{Code, Problem};
use crate::web::routes::{Method, Table};
use crate::with_game;
use crate::words::Message;

/// What was announced.
#[derive(Debug, Serialize, ToSchema)]
pub struct AnnouncementSheet {
    /// The announced text, canonical JSON: its bytes are what is hashed.
    text: String,
    /// SHA-256 of it.
    hash: String,
    /// When, µs.
    published_us: i64,
    /// The delayed value in its normal form, once it is known.
    delayed: Option<String>,
    /// In the answer to announcing: why seats could not be drawn for the entrants as they are now, with the numbers that
    /// could be seated, and what else is unexpected about them. Entries are open until the draw.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<FaultDetails>,
}

impl AnnouncementSheet {
    fn of(row: AnnouncementRow) -> AnnouncementSheet {
        AnnouncementSheet {
            text: row.body,
            hash: hex::encode(row.hash),
            published_us: row.published_us,
            delayed: row.delayed,
            warnings: Vec::new(),
        }
    }
}

/// The delayed value as it was published.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DelayedBody {
    value: String,
}

/// The seat draw.
#[derive(Debug, Serialize, ToSchema)]
pub struct LockSheet {
    /// The seed, 64 hexadecimal digits.
    seed: String,
    /// The list that was drawn from: ids in order of entry.
    order: Vec<String>,
    /// The ids by the places of the plan, 1 first, as they were drawn: in the movement stand the entrants' own numbers.
    places: Vec<String>,
    /// Every draw that was made, in order: what for, between whom, the seed, the order.
    #[schema(value_type = Vec<Object>)]
    draws: Value,
    /// Rounds that are planned.
    rounds: usize,
    /// Boards at tables that are laid out.
    plays: usize,
}

pub(super) fn add(table: &mut Table) {
    table
        .get("/api/v1/events/{event}/announcement", Right::SeePublic, "getAnnouncement", "What was announced")
        .answers::<AnnouncementSheet>(200)
        .to(get);
    table
        .post(
            "/api/v1/events/{event}/announcement",
            Right::Announce,
            "announce",
            "Commits to every deal and publishes that; rules, scoring and sizes are fixed from now on, entries are not",
        )
        .body::<NoFields>()
        .answers::<AnnouncementSheet>(201)
        .to(announce);
    table
        .add(
            Method::Put,
            "/api/v1/events/{event}/delayed",
            Right::Announce,
            "setDelayed",
            "Enters the delayed public value, once, after it became known",
        )
        .body::<DelayedBody>()
        .answers::<AnnouncementSheet>(200)
        .to(delayed);
    table
        .post(
            "/api/v1/events/{event}/lock",
            Right::Announce,
            "lock",
            "Closes the entries, draws the seats with a seed that nobody can choose, plans the movement; where that cannot be, says what would work",
        )
        .body::<NoFields>()
        .answers::<LockSheet>(201)
        .to(lock);
}

fn announcement(call: &RequestContext, event: &str) -> Result<AnnouncementRow, Problem> {
    let archive: &dyn Archive = call.app.store.as_ref();
    archive.announcement(event)?.ok_or_else(|| Problem::missing("announcement"))
}

async fn get(call: RequestContext) -> Answer {
    let bytes = call
        .work(|call| {
            let row = desk::row(call)?;
            serde_json::to_vec(&AnnouncementSheet::of(announcement(call, &row.id)?))
                .map_err(Problem::internal)
        })
        .await?;
    tagged(call.if_none_match.as_deref(), "application/json", bytes)
}

async fn announce(call: RequestContext, Body(NoFields {}): Body<NoFields>) -> Answer {
    let sheet = call
        .work(|call| {
            let _alone = call.app.guards.desk.lock().unwrap_or_else(PoisonError::into_inner);
            let row = desk::row(call)?;
            desk::in_state(&row, |state| state == EventState::Draft)?;
            let archive: &dyn Archive = call.app.store.as_ref();
            let secret = call.app.secret.sealing();
            let announced = with_game!(desk::kind(&row)?, G => {
                let event = desk::load::<G>(call, &row)?;
                let faults = crate::desk::draft::faults(&event);
                if !faults.is_empty() {
                    return Err(faults.into());
                }
                opening::announce(archive, &event, &secret, call.now, &call.who.name())??
            });
            let warnings =
                announced.warnings.iter().map(|fault| FaultDetails::of(fault, call.lang)).collect();
            Ok(AnnouncementSheet { warnings, ..AnnouncementSheet::of(announcement(call, &row.id)?) })
        })
        .await?;
    created(&sheet)
}

async fn delayed(call: RequestContext, Body(body): Body<DelayedBody>) -> Answer {
    let sheet = call
        .work(move |call| {
            let _alone = call.app.guards.desk.lock().unwrap_or_else(PoisonError::into_inner);
            let row = desk::row(call)?;
            desk::in_state(&row, EventState::is_open)?;
            let known = announcement(call, &row.id)?;
            if known.delayed.is_some() {
                return Err(Problem::said(Code::Exists, Message::plain("web-delayed-there")));
            }
            let announced = Announcement::parse_canonical(&known.body).map_err(Problem::internal)?;
            if let Delayed::Value(spec) = &announced.body().delayed
                && spec.known_after > call.now
            {
                return Err(Problem::said(Code::Stage, Message::plain("web-delayed-early")));
            }
            let value = announced.delayed_value(Some(&body.value)).map_err(EventError::from)?;
            let audit = call.audit("delayed-value", "", &Value::Null, &json!({ "value": value.as_str() }));
            let archive: &dyn Archive = call.app.store.as_ref();
            archive.set_delayed(&row.id, value.as_str().to_owned(), audit)?;
            if row.state == EventState::Locked {
                call.app.halls.open(&row.id)?;
            }
            Ok(AnnouncementSheet::of(announcement(call, &row.id)?))
        })
        .await?;
    ok(&sheet)
}

async fn lock(call: RequestContext, Body(NoFields {}): Body<NoFields>) -> Answer {
    let sheet = call
        .work(|call| {
            let _alone = call.app.guards.desk.lock().unwrap_or_else(PoisonError::into_inner);
            let row = desk::row(call)?;
            desk::in_state(&row, |state| state == EventState::Announced)?;
            let archive: &dyn Archive = call.app.store.as_ref();
            let secret = call.app.secret.sealing();
            with_game!(desk::kind(&row)?, G => {
                let event = desk::load::<G>(call, &row)?;
                let (logs, by) = (call.app.halls.logs(), (call.author(), call.who.name()));
                let locked = opening::lock(archive, logs, &event, &secret, call.now, (by.0, &by.1))??;
                // Players may come in, unless the deals wait for the delayed value.
                if locked.event.schedule.delayed.is_none() || announcement(call, &row.id)?.delayed.is_some() {
                    call.app.halls.open(&row.id)?;
                }
                let draws = serde_json::to_value(&locked.draws).map_err(Problem::internal)?;
                let draw = locked.draws.into_iter().next().ok_or_else(|| Problem::internal("no draw"))?;
                Ok(LockSheet {
                    seed: draw.seed,
                    order: draw.due.among,
                    places: draw.order,
                    draws,
                    rounds: locked.event.rounds.len(),
                    plays: locked.event.sittings().count(),
                })
            })
        })
        .await?;
    created(&sheet)
}
