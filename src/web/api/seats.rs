//! Seats: one-time codes on slips, the tokens they are exchanged for, tokens for programs.

use std::fmt::Write as _;

use actix_web::web;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::accounts::reason;
use super::entrants::ReasonParams;
use crate::canonical::sha256;
use crate::desk::people::{People as _, SeatCode, SeatToken};
use crate::desk::rights::Right;
use crate::event::EventState;
use crate::event::archive::{Archive, EntrantRow};
use crate::formats::settings::Settings;
use crate::web::answer::{Answer, created, nothing, ok};
use crate::web::context::{Body, Params, RequestContext};
use crate::web::desk;
use crate::web::identity::SEAT;
use crate::web::problem::{Code, Problem};
use crate::web::routes::{Method, Table};
use crate::web::secret::fresh_token;
use crate::web::venue;
use crate::words::Message;

/// Letters and digits that nobody mistakes for another.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Characters of a code: 50 bits.
const LENGTH: usize = 10;

/// For whom.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForWhom {
    /// Entrants by id; absent: everybody who is not an AI player.
    entrants: Option<Vec<String>>,
}

/// A code for a slip.
#[derive(Debug, Serialize, ToSchema)]
pub struct CodeLine {
    entrant: String,
    /// The entrant's name.
    name: String,
    /// Which of a pair: 0 or 1.
    member: u8,
    /// The code, shown this once.
    code: String,
}

/// Codes for slips.
#[derive(Debug, Serialize, ToSchema)]
pub struct CodeList {
    items: Vec<CodeLine>,
}

/// A token for a program.
#[derive(Debug, Serialize, ToSchema)]
pub struct TokenLine {
    entrant: String,
    /// Which of a pair: 0 or 1.
    member: u8,
    /// The token, shown this once.
    token: String,
}

/// Tokens for programs.
#[derive(Debug, Serialize, ToSchema)]
pub struct TokenList {
    items: Vec<TokenLine>,
}

/// A code from a slip.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeSeat {
    /// The code; blanks, hyphens and capitals do not matter.
    code: String,
    /// The token of the enrolled device, where the event has devices.
    device: Option<String>,
}

/// A seat that was taken.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatTaken {
    /// The token to join with, shown this once.
    token: String,
    event: String,
    entrant: String,
    /// The entrant's place: the number in the movement once seats are drawn.
    number: u32,
    /// Which of a pair: 0 or 1.
    member: u8,
}

/// A seat that is held.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatLine {
    entrant: String,
    number: u32,
    member: u8,
    /// `person` or `ai-program`.
    kind: &'static str,
    /// The device it was handed to.
    device: Option<String>,
    created_us: i64,
}

/// Seats that are held.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatList {
    items: Vec<SeatLine>,
}

pub(super) fn add(table: &mut Table) {
    table
        .post(
            "/api/v1/events/{event}/seat-codes",
            Right::CheckIn,
            "makeSeatCodes",
            "New one-time codes for slips; earlier unused ones end",
        )
        .body::<ForWhom>()
        .answers::<CodeList>(201)
        .to(codes);
    table
        .post(
            "/api/v1/events/{event}/seat",
            Right::SeePublic,
            "takeSeat",
            "Exchanges a code for a seat's token",
        )
        .body::<TakeSeat>()
        .answers::<SeatTaken>(201)
        .attempt()
        .to(take);
    table
        .post(
            "/api/v1/events/{event}/ai-tokens",
            Right::EditEvent,
            "makeAiTokens",
            "Tokens with which programs play; earlier tokens of the same entrants end",
        )
        .body::<ForWhom>()
        .answers::<TokenList>(201)
        .to(ai_tokens);
    table
        .get("/api/v1/events/{event}/seats", Right::SeeDesk, "listSeats", "Seats that are held")
        .answers::<SeatList>(200)
        .to(list);
    table
        .add(
            Method::Delete,
            "/api/v1/events/{event}/seats/{entrant}",
            Right::CheckIn,
            "endSeat",
            "Ends the tokens and codes of an entrant",
        )
        .query::<ReasonParams>()
        .to(end);
}

/// The members of the entrants that are asked for; AI players need none.
fn members(call: &RequestContext, whom: Option<&[String]>) -> Result<Vec<(EntrantRow, u8)>, Problem> {
    let row = desk::row(call)?;
    desk::in_state(&row, EventState::is_open)?;
    let archive: &dyn Archive = call.app.store.as_ref();
    let rows = archive.entrants(&row.id)?;
    let stored: Value = serde_json::from_str(&row.settings).map_err(Problem::internal)?;
    let settings: Settings = serde_json::from_value(stored["settings"].clone()).map_err(Problem::internal)?;
    let count = if settings.pairs() { 2 } else { 1 };
    let mut chosen = Vec::new();
    match whom {
        None => chosen.extend(rows.into_iter().filter(|row| row.level.is_none())),
        Some(ids) => {
            let mut wanted = ids.to_vec();
            wanted.sort();
            wanted.dedup();
            for id in &wanted {
                let found = rows.iter().find(|row| row.id == *id).ok_or_else(|| {
                    Problem::missing(format!("entrant {}", id.chars().take(64).collect::<String>()))
                })?;
                if found.level.is_some() {
                    return Err(Problem::said(
                        Code::Refused,
                        Message::plain("web-ai-entrant").with("id", id),
                    ));
                }
                chosen.push(found.clone());
            }
        }
    }
    Ok(chosen.into_iter().flat_map(|row| (0..count).map(move |member| (row.clone(), member))).collect())
}

fn fresh_code() -> Result<String, Problem> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).map_err(Problem::internal)?;
    let mut code = String::new();
    for (place, byte) in bytes.iter().enumerate() {
        if place == LENGTH / 2 {
            code.push('-');
        }
        // 256 is a multiple of 32: every letter is as likely.
        let letter = LETTERS.get(usize::from(byte % 32)).copied().unwrap_or(b'0');
        let _ = write!(code, "{}", char::from(letter));
    }
    Ok(code)
}

/// The code as it is hashed: capitals, without what people add, with what they confuse put right.
fn normal(code: &str) -> String {
    code.chars()
        .filter(|letter| !letter.is_whitespace() && *letter != '-')
        .take(64)
        .map(|letter| match letter.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        })
        .collect()
}

async fn codes(call: RequestContext, Body(body): Body<ForWhom>) -> Answer {
    let list = call
        .work(move |call| {
            let mut items = Vec::new();
            let mut rows = Vec::new();
            for (entrant, member) in members(call, body.entrants.as_deref())? {
                let code = fresh_code()?;
                rows.push(SeatCode {
                    code_hash: call.app.secret.code_hash(&entrant.event_id, &normal(&code)),
                    event: entrant.event_id.clone(),
                    entrant: entrant.id.clone(),
                    member,
                    created_us: call.now,
                    spent: false,
                });
                items.push(CodeLine { entrant: entrant.id, name: entrant.name, member, code });
            }
            let whom: Vec<&str> = rows.iter().map(|row| row.entrant.as_str()).collect();
            let audit = call.audit("make-seat-codes", "", &Value::Null, &json!({ "entrants": whom }));
            call.app.store.add_seat_codes(rows, audit)?;
            Ok(CodeList { items })
        })
        .await?;
    created(&list)
}

async fn take(call: RequestContext, Body(body): Body<TakeSeat>) -> Answer {
    let taken = call
        .work(move |call| {
            let row = desk::row(call)?;
            desk::in_state(&row, EventState::is_open)?;
            venue::admitted(&call.app, &row.id, call.address)?;
            let device = venue::device(&call.app, &row.id, body.device.as_deref())?;
            let token = format!("{SEAT}{}", fresh_token().map_err(Problem::internal)?);
            let code = call.app.secret.code_hash(&row.id, &normal(&body.code));
            let seat = call
                .app
                .store
                .use_seat_code(
                    &row.id,
                    code,
                    sha256(token.as_bytes()),
                    device.map(|device| device.id),
                    call.now,
                )?
                .ok_or_else(|| Problem::said(Code::BadCredentials, Message::plain("web-code-spent")))?;
            // The seat's earlier token counts no more.
            call.app.doors_changed();
            Ok(SeatTaken {
                token,
                event: seat.event,
                entrant: seat.entrant,
                number: seat.number,
                member: seat.member,
            })
        })
        .await?;
    created(&taken)
}

async fn ai_tokens(call: RequestContext, Body(body): Body<ForWhom>) -> Answer {
    let list = call
        .work(move |call| {
            let mut items = Vec::new();
            let mut rows = Vec::new();
            for (entrant, member) in members(call, body.entrants.as_deref())? {
                let token = format!("{SEAT}{}", fresh_token().map_err(Problem::internal)?);
                rows.push(SeatToken {
                    member,
                    ..SeatToken::for_program(&token, &entrant.event_id, &entrant.id, call.now)
                });
                items.push(TokenLine { entrant: entrant.id, member, token });
            }
            let whom: Vec<&str> = rows.iter().map(|row| row.entrant.as_str()).collect();
            let audit = call.audit("make-ai-tokens", "", &Value::Null, &json!({ "entrants": whom }));
            call.app.store.add_seat_tokens(rows, audit)?;
            Ok(TokenList { items })
        })
        .await?;
    created(&list)
}

async fn list(call: RequestContext) -> Answer {
    let seats = call
        .work(|call| {
            let row = desk::row(call)?;
            Ok(call.app.store.seat_tokens(&row.id)?)
        })
        .await?;
    let items = seats
        .into_iter()
        .map(|seat| SeatLine {
            entrant: seat.entrant,
            number: seat.number,
            member: seat.member,
            kind: seat.kind.word(),
            device: seat.device,
            created_us: seat.created_us,
        })
        .collect();
    ok(&SeatList { items })
}

async fn end(
    call: RequestContext,
    path: web::Path<(String, String)>,
    Params(params): Params<ReasonParams>,
) -> Answer {
    reason(&params.reason)?;
    let (_, entrant) = path.into_inner();
    call.work(move |call| {
        let row = desk::row(call)?;
        let archive: &dyn Archive = call.app.store.as_ref();
        if archive.entrants(&row.id)?.iter().all(|one| one.id != entrant) {
            return Err(Problem::missing("entrant"));
        }
        let audit = call.audit("end-seat", &params.reason, &json!({ "entrant": entrant }), &Value::Null);
        call.app.store.end_seats(&row.id, &entrant, call.now, audit)?;
        call.app.doors_changed();
        Ok(())
    })
    .await?;
    nothing()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_however_it_is_typed() {
        assert_eq!(normal(" abcde - fghjk\n"), "ABCDEFGHJK");
        assert_eq!(normal("oO-il"), "0011");
        let code = fresh_code().unwrap();
        assert_eq!(code.len(), 11);
        assert_eq!(normal(&code.to_lowercase()), code.replace('-', ""));
    }
}
