//! Check-in, networks and devices.

use std::collections::BTreeSet;

use actix_web::web;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::accounts::reason;
use super::entrants::ReasonParams;
use crate::canonical::{Hash, sha256};
use crate::dealing::from_hex;
use crate::desk::accounts::display_fault;
use crate::desk::draft::rules_of;
use crate::desk::network::Network;
use crate::desk::people::{CheckIn, Device, People as _};
use crate::desk::rights::Right;
use crate::event::EventState;
use crate::event::archive::{Archive, EventRow};
use crate::games::{Game, Seat};
use crate::web::answer::{Answer, created, nothing, ok};
use crate::web::context::{Body, Params, RequestContext, Who};
use crate::web::desk;
use crate::web::identity::DEVICE;
use crate::web::problem::{Code, Problem};
use crate::web::routes::{Method, Table};
use crate::web::secret::fresh_token;
use crate::with_game;
use crate::words::Message;

/// The most networks of an event.
const NETWORKS_MAX: usize = 100;
/// The most devices of an event.
const DEVICES_MAX: usize = 20_000;

/// The rules page that was read.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Acknowledged {
    /// The ruleset's hash as the event's page shows it.
    rules_hash: String,
}

/// An entrant who has come.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckInLine {
    entrant: String,
    at_us: i64,
    /// Who checked the entrant in.
    by: String,
    /// The hash of the rules that were acknowledged.
    rules_hash: String,
}

/// Who has come, and who has not.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckInList {
    items: Vec<CheckInLine>,
    /// Ids of persons who have not come.
    missing: Vec<String>,
}

/// From where an event is played.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NetworkList {
    /// Networks like `192.168.1.0/24`; none: from anywhere.
    #[schema(value_type = Vec<String>)]
    networks: Vec<Network>,
}

/// A device to enrol.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewDevice {
    /// What is written on it.
    name: String,
    /// The table it stands at.
    table: Option<u32>,
    /// The seat it stands at.
    seat: Option<String>,
}

/// A device.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeviceLine {
    id: String,
    name: String,
    table: Option<u32>,
    seat: Option<String>,
    enrolled_us: i64,
    revoked: bool,
    /// The device's token, shown once, when it is enrolled.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

/// Devices.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeviceList {
    items: Vec<DeviceLine>,
}

impl DeviceLine {
    fn of(device: Device, token: Option<String>) -> DeviceLine {
        DeviceLine {
            id: device.id,
            name: device.name,
            table: device.table,
            seat: device.seat,
            enrolled_us: device.enrolled_us,
            revoked: device.revoked,
            token,
        }
    }
}

pub(super) fn add(table: &mut Table) {
    table
        .get(
            "/api/v1/events/{event}/checkins",
            Right::SeeDesk,
            "listCheckIns",
            "Who has come, and who has not",
        )
        .answers::<CheckInList>(200)
        .to(check_ins);
    table
        .add(
            Method::Put,
            "/api/v1/events/{event}/checkins/{entrant}",
            Right::CheckIn,
            "checkIn",
            "Checks an entrant in who has acknowledged the rules page",
        )
        .body::<Acknowledged>()
        .answers::<CheckInLine>(200)
        .to(check_in);
    table
        .add(
            Method::Delete,
            "/api/v1/events/{event}/checkins/{entrant}",
            Right::CheckIn,
            "checkOut",
            "Takes a check-in back",
        )
        .query::<ReasonParams>()
        .to(check_out);
    table
        .post(
            "/api/v1/events/{event}/checkin",
            Right::PlaySeat,
            "checkMyselfIn",
            "Whoever holds a seat acknowledges the rules page and is there",
        )
        .body::<Acknowledged>()
        .answers::<CheckInLine>(200)
        .to(check_myself_in);
    table
        .get(
            "/api/v1/events/{event}/networks",
            Right::SeeDesk,
            "getNetworks",
            "From which networks it is played",
        )
        .answers::<NetworkList>(200)
        .to(networks);
    table
        .add(
            Method::Put,
            "/api/v1/events/{event}/networks",
            Right::EditEvent,
            "setNetworks",
            "Says from which networks it is played",
        )
        .body::<NetworkList>()
        .answers::<NetworkList>(200)
        .to(set_networks);
    table
        .get("/api/v1/events/{event}/devices", Right::SeeDesk, "listDevices", "Enrolled devices")
        .answers::<DeviceList>(200)
        .to(devices);
    table
        .post(
            "/api/v1/events/{event}/devices",
            Right::EditEvent,
            "enrolDevice",
            "Enrols a device; in an event with devices persons play on these only, programs anywhere",
        )
        .body::<NewDevice>()
        .answers::<DeviceLine>(201)
        .to(enrol);
    table
        .add(
            Method::Delete,
            "/api/v1/events/{event}/devices/{device}",
            Right::EditEvent,
            "endDevice",
            "A device counts no more",
        )
        .query::<ReasonParams>()
        .to(end_device);
}

/// Checks that the rules page was acknowledged as it is.
fn acknowledged(call: &RequestContext, row: &EventRow, given: &str) -> Result<Hash, Problem> {
    desk::in_state(row, EventState::is_open)?;
    let hash = with_game!(desk::kind(row)?, G => rules_of::<G>(&desk::load::<G>(call, row)?.rules).1);
    if given == hash {
        from_hex("hash", &hash).map_err(Problem::internal)
    } else {
        Err(Problem::said(Code::Refused, Message::plain("web-rules-page")))
    }
}

fn line(one: &CheckIn) -> CheckInLine {
    CheckInLine {
        entrant: one.entrant.clone(),
        at_us: one.at_us,
        by: one.by.clone(),
        rules_hash: hex::encode(one.rules_hash),
    }
}

fn enter(call: &RequestContext, entrant: String, given: &str) -> Result<CheckInLine, Problem> {
    let row = desk::row(call)?;
    let rules_hash = acknowledged(call, &row, given)?;
    let archive: &dyn Archive = call.app.store.as_ref();
    if archive.entrants(&row.id)?.iter().all(|one| one.id != entrant) {
        return Err(Problem::missing("entrant"));
    }
    let audit = call.audit("check-in", "", &Value::Null, &json!({ "entrant": entrant }));
    let one = CheckIn { entrant, at_us: call.now, by: call.who.name(), rules_hash };
    let line = line(&one);
    call.app.store.check_in(&row.id, one, audit)?;
    Ok(line)
}

async fn check_in(
    call: RequestContext,
    path: web::Path<(String, String)>,
    Body(body): Body<Acknowledged>,
) -> Answer {
    let (_, entrant) = path.into_inner();
    ok(&call.work(move |call| enter(call, entrant, &body.rules_hash)).await?)
}

async fn check_myself_in(call: RequestContext, Body(body): Body<Acknowledged>) -> Answer {
    let Who::Seat(seat) = &call.who else { return Err(Problem::new(Code::NotSignedIn)) };
    let entrant = seat.entrant.clone();
    ok(&call
        .work(move |call| {
            let event = call.event.clone().unwrap_or_default();
            crate::web::venue::admitted(&call.app, &event, call.address)?;
            enter(call, entrant, &body.rules_hash)
        })
        .await?)
}

async fn check_out(
    call: RequestContext,
    path: web::Path<(String, String)>,
    Params(params): Params<ReasonParams>,
) -> Answer {
    reason(&params.reason)?;
    let (_, entrant) = path.into_inner();
    call.work(move |call| {
        let row = desk::row(call)?;
        let audit = call.audit("check-out", &params.reason, &json!({ "entrant": entrant }), &Value::Null);
        Ok(call.app.store.check_out(&row.id, &entrant, audit)?)
    })
    .await?;
    nothing()
}

async fn check_ins(call: RequestContext) -> Answer {
    let list = call
        .work(|call| {
            let row = desk::row(call)?;
            let came = call.app.store.check_ins(&row.id)?;
            let there: BTreeSet<&str> = came.iter().map(|come| come.entrant.as_str()).collect();
            let archive: &dyn Archive = call.app.store.as_ref();
            let missing = archive
                .entrants(&row.id)?
                .into_iter()
                .filter(|one| one.level.is_none() && !there.contains(one.id.as_str()))
                .map(|one| one.id)
                .collect();
            Ok(CheckInList { items: came.iter().map(line).collect(), missing })
        })
        .await?;
    ok(&list)
}

async fn networks(call: RequestContext) -> Answer {
    let networks = call
        .work(|call| {
            let row = desk::row(call)?;
            Ok(call.app.store.networks(&row.id)?)
        })
        .await?;
    ok(&NetworkList { networks })
}

async fn set_networks(call: RequestContext, Body(mut body): Body<NetworkList>) -> Answer {
    if body.networks.len() > NETWORKS_MAX {
        let most = Message::plain("web-too-many").with("most", NETWORKS_MAX);
        return Err(Problem::said(Code::Refused, most));
    }
    body.networks.sort_unstable();
    body.networks.dedup();
    let networks = body.networks.clone();
    call.work(move |call| {
        let row = desk::row(call)?;
        let before = json!(call.app.store.networks(&row.id)?);
        let audit = call.audit("set-networks", "", &before, &json!(networks));
        call.app.store.set_networks(&row.id, networks, audit)?;
        call.app.doors_changed();
        Ok(())
    })
    .await?;
    ok(&body)
}

async fn devices(call: RequestContext) -> Answer {
    let devices = call
        .work(|call| {
            let row = desk::row(call)?;
            Ok(call.app.store.devices(&row.id)?)
        })
        .await?;
    ok(&DeviceList { items: devices.into_iter().map(|device| DeviceLine::of(device, None)).collect() })
}

fn seat_exists(row: &EventRow, seat: &str) -> Result<bool, Problem> {
    let most = Seat(10);
    Ok(with_game!(desk::kind(row)?, G => G::seat_named(seat).is_some_and(|seat| seat < most)))
}

async fn enrol(call: RequestContext, Body(body): Body<NewDevice>) -> Answer {
    if let Some(fault) = display_fault(&body.name) {
        return Err(vec![fault].into());
    }
    let line = call
        .work(move |call| {
            let row = desk::row(call)?;
            if let Some(seat) = &body.seat
                && !seat_exists(&row, seat)?
            {
                return Err(Problem::missing("seat"));
            }
            let token = format!("{DEVICE}{}", fresh_token().map_err(Problem::internal)?);
            let id = fresh_token().map_err(Problem::internal)?;
            let device = Device {
                id: format!("d-{}", id.get(..10).unwrap_or_default()),
                name: body.name,
                token_hash: sha256(token.as_bytes()),
                table: body.table,
                seat: body.seat,
                enrolled_us: call.now,
                revoked: false,
            };
            let shown =
                json!({ "id": device.id, "name": device.name, "table": device.table, "seat": device.seat });
            let audit = call.audit("enrol-device", "", &Value::Null, &shown);
            if !call.app.store.add_device(&row.id, device.clone(), DEVICES_MAX, audit)? {
                let most = Message::plain("web-too-many").with("most", DEVICES_MAX);
                return Err(Problem::said(Code::Refused, most));
            }
            call.app.doors_changed();
            Ok(DeviceLine::of(device, Some(token)))
        })
        .await?;
    created(&line)
}

async fn end_device(
    call: RequestContext,
    path: web::Path<(String, String)>,
    Params(params): Params<ReasonParams>,
) -> Answer {
    reason(&params.reason)?;
    let (_, id) = path.into_inner();
    call.work(move |call| {
        let row = desk::row(call)?;
        let audit = call.audit("end-device", &params.reason, &json!({ "device": id }), &Value::Null);
        call.app.store.end_device(&row.id, &id, call.now, audit)?;
        call.app.doors_changed();
        Ok(())
    })
    .await?;
    nothing()
}
