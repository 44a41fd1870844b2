//! Entries: one by one, as lists with a rehearsal, and withdrawals before the seats are drawn.

use std::collections::BTreeSet;
use std::sync::PoisonError;

use actix_web::web;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::{IntoParams, ToSchema};

use super::accounts::{PageParams, reason};
use crate::desk::entries::{Correction, Desk, Entry, List, RowNote};
use crate::desk::people::People as _;
use crate::desk::rights::Right;
use crate::event::archive::{Archive, EntrantRow, EventRow};
use crate::event::{Event, EventState};
use crate::games::Game;
use crate::players::Levels;
use crate::web::answer::{Answer, Page, created, nothing, ok};
use crate::web::context::{Body, Params, RequestContext, Text};
use crate::web::desk;
use crate::web::problem::{Code, Problem};
use crate::web::routes::{Method, Table};
use crate::with_game;
use crate::words::{Lang, Message, message, say};

/// An entry.
#[derive(Debug, ToSchema)]
#[allow(dead_code, reason = "describes the desk's own type")]
pub struct EntryBody {
    /// Identifier; absent: one is made.
    id: Option<String>,
    /// The number, which the entrant keeps; absent: the next one.
    number: Option<i64>,
    /// The name.
    name: String,
    /// The partner's name, in pairs.
    partner: Option<String>,
    /// The club; it tells those apart whose names are equal.
    club: Option<String>,
    /// The region; it tells those apart whose names are equal.
    region: Option<String>,
    /// The AI level that plays; absent: a person.
    level: Option<String>,
}

/// A correction of names, club or region; what is absent stays.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "describes a body that is read in two steps")]
pub struct CorrectionBody {
    /// The name, of a pair that of the first.
    name: Option<String>,
    /// The partner's name, in pairs.
    partner: Option<String>,
    /// The club; empty: none.
    club: Option<String>,
    /// The region; empty: none.
    region: Option<String>,
    /// Why; shown in the audit log.
    reason: String,
}

/// An entrant.
#[derive(Debug, Serialize, ToSchema)]
pub struct EntrantLine {
    /// Identifier.
    id: String,
    /// The number, the same before and after the draw; the movement says it, too.
    number: i64,
    /// The name as given, or as corrected.
    name: String,
    /// The AI level that plays.
    level: Option<String>,
    /// The club, where one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    club: Option<String>,
    /// The region, where one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<String>,
    /// When the entrant was checked in, for the desk.
    #[serde(skip_serializing_if = "Option::is_none")]
    checked_in_us: Option<i64>,
    /// Ids of entrants of the same name: they are different.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    same_name: Vec<String>,
    /// In the answer to an entry or a correction: what is worth a look about the name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    flagged: Vec<NameNote>,
}

/// What is worth a look about the name of an entrant; it was entered all the same.
#[derive(Debug, Serialize, ToSchema)]
pub struct NameNote {
    /// `alike`: another name differs only in width, capitals, blanks or leading zeros. `pair_same`: a pair of one person.
    /// `pair_turned`: the same two persons are a pair already. `pair_shared`: a person is in another pair already.
    code: String,
    /// The sentence in the asker's language.
    message: String,
}

/// What is wrong, or worth a look, on a line of a list.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "describes the desk's own type")]
pub struct RowNoteSheet {
    /// The line of the file, from 1, the heading included.
    line: u64,
    /// Stable code.
    code: String,
    /// What is wrong and what to do, in the asker's language.
    message: String,
}

/// What a list holds.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportReport {
    /// Whether it was a rehearsal: nothing is entered then.
    dry_run: bool,
    /// How many entries the list has, or would have.
    entries: usize,
    /// Every line that is wrong.
    #[schema(value_type = Vec<RowNoteSheet>)]
    wrong: Vec<RowNote>,
    /// Lines that are worth a look: equal names (`same_name`), names that are `alike`, pairs of one person (`pair_same`),
    /// of the same persons as another (`pair_turned`) or with a person of another (`pair_shared`), a guessed `encoding`.
    /// Nobody is merged.
    #[schema(value_type = Vec<RowNoteSheet>)]
    flagged: Vec<RowNote>,
}

/// How a list is taken.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct ImportParams {
    /// Only rehearse: list what is wrong.
    #[serde(default)]
    dry_run: bool,
}

/// Why.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct ReasonParams {
    /// Why; shown in the audit log.
    pub reason: String,
}

pub(super) fn add(table: &mut Table) {
    table
        .get("/api/v1/events/{event}/entrants", Right::SeePublic, "listEntrants", "Entrants in order")
        .query::<PageParams>()
        .answers::<Page<EntrantLine>>(200)
        .to(list);
    table
        .post("/api/v1/events/{event}/entrants", Right::EditEvent, "addEntrant", "Enters somebody")
        .body::<EntryBody>()
        .answers::<EntrantLine>(201)
        .to(add_one);
    table
        .post(
            "/api/v1/events/{event}/entrants/import",
            Right::EditEvent,
            "importEntrants",
            "Enters a list: CSV with the columns id, number, name, partner, club, region, level, in UTF-8, UTF-16, GB18030 or Big5; all of it or nothing",
        )
        .query::<ImportParams>()
        .file_body("text/csv")
        .answers::<ImportReport>(200)
        .to(import);
    table
        .add(
            Method::Patch,
            "/api/v1/events/{event}/entrants/{entrant}",
            Right::EditEvent,
            "correctEntrant",
            "Corrects a name, a club or a region, at any time; ids, numbers, seats and results stay",
        )
        .body::<CorrectionBody>()
        .answers::<EntrantLine>(200)
        .to(correct);
    table
        .add(
            Method::Delete,
            "/api/v1/events/{event}/entrants/{entrant}",
            Right::EditEvent,
            "withdrawEntrant",
            "Takes an entry back before the seats are drawn; afterwards it is a ruling",
        )
        .query::<ReasonParams>()
        .to(withdraw);
}

async fn list(call: RequestContext, Params(page): Params<PageParams>) -> Answer {
    let limit = page.limit()?;
    let after = match &page.after {
        None => 0,
        Some(text) => {
            text.parse::<i64>().map_err(|_| Problem::said(Code::BadQuery, Message::plain("web-bad-after")))?
        }
    };
    let lines = call
        .work(move |call| {
            let row = desk::row(call)?;
            let archive: &dyn Archive = call.app.store.as_ref();
            let rows = archive.entrants(&row.id)?;
            let came = if call.who.may(Right::SeeDesk, Some(&row.id)) {
                call.app.store.check_ins(&row.id)?
            } else {
                Vec::new()
            };
            let mut names = std::collections::BTreeMap::<&str, Vec<&str>>::new();
            for row in &rows {
                names.entry(&row.name).or_default().push(&row.id);
            }
            let lines: Vec<EntrantLine> = rows
                .iter()
                .filter(|row| row.position > after)
                .take(limit + 1)
                .map(|row| {
                    let namesakes = names.get(row.name.as_str()).into_iter().flatten();
                    let same_name =
                        namesakes.filter(|id| **id != row.id).map(|id| (*id).to_owned()).collect();
                    let came = came.iter().find(|one| one.entrant == row.id);
                    EntrantLine {
                        checked_in_us: came.map(|one| one.at_us),
                        ..EntrantLine::of(row, Notes { same_name, ..Notes::default() })
                    }
                })
                .collect();
            Ok(lines)
        })
        .await?;
    ok(&Page::cut(lines, limit, |line| line.number.to_string()))
}

/// The levels that can still enter; `None`: all of them, the event is not announced.
fn announced<G: Game>(
    row: &EventRow,
    event: &Event<G>,
    archive: &dyn Archive,
) -> Result<Option<Vec<String>>, Problem> {
    if row.state == EventState::Draft {
        return Ok(None);
    }
    let announcement = archive.announcement(&event.id)?.ok_or_else(|| Problem::new(Code::Stage))?;
    let announcement =
        crate::dealing::Announcement::parse_canonical(&announcement.body).map_err(Problem::internal)?;
    Ok(Some(announcement.body().ai.levels.iter().map(|level| level.name.clone()).collect()))
}

fn check_list<G: Levels>(
    call: &RequestContext,
    row: &EventRow,
    read: impl FnOnce(&Desk<'_>) -> Result<List, Problem>,
) -> Result<List, Problem> {
    let archive: &dyn Archive = call.app.store.as_ref();
    let event = desk::load::<G>(call, row)?;
    let known = archive.entrants(&row.id)?;
    let levels = announced(row, &event, archive)?;
    let pairs = event.settings.pairs();
    let desk = Desk { event: &row.id, pairs, known: &known, announced: levels.as_deref() };
    let list = read(&desk)?;
    // More than the format takes is refused here and not when it is too late.
    let count = u32::try_from(known.len() + list.entries.len()).unwrap_or(u32::MAX);
    let Some(order) = event.settings.movement_request(count, "check") else { return Ok(list) };
    let too_many: Vec<_> = order
        .faults()
        .into_iter()
        .filter(|fault| fault.code == "too_large" || count > order.most_entrants())
        .map(|fault| (fault.code.to_owned(), fault.told))
        .collect();
    if too_many.is_empty() { Ok(list) } else { Err(Problem::faults(too_many)) }
}

async fn add_one(call: RequestContext, Body(entry): Body<Entry>) -> Answer {
    let line = call
        .work(move |call| {
            let _alone = call.app.guards.desk.lock().unwrap_or_else(PoisonError::into_inner);
            let row = desk::row(call)?;
            desk::in_state(&row, EventState::takes_entries)?;
            let mut notes = Notes::default();
            let list = with_game!(desk::kind(&row)?, G => check_list::<G>(call, &row, |desk| {
                let found = desk.check::<G>(&entry, desk.next(), &BTreeSet::new(), &BTreeSet::new())?;
                notes = Notes::of(desk, &found, call.lang);
                Ok(List { entries: vec![found], ..List::default() })
            }))?;
            let Some(found) = list.entries.into_iter().next() else {
                return Err(Problem::new(Code::Refused));
            };
            let line = EntrantLine::of(&found, notes);
            let audit = call.audit("add-entrant", "", &Value::Null, &shown(&found));
            let archive: &dyn Archive = call.app.store.as_ref();
            archive.add_entrants(&row.id, vec![found], audit)?;
            Ok(line)
        })
        .await?;
    created(&line)
}

fn shown(row: &EntrantRow) -> Value {
    json!({ "id": row.id, "name": row.name, "level": row.level, "number": row.position, "club": row.club,
            "region": row.region })
}

/// What is worth a look about the name of one entrant beside the others.
#[derive(Default)]
struct Notes {
    same_name: Vec<String>,
    flagged: Vec<NameNote>,
}

impl Notes {
    fn of(desk: &Desk<'_>, row: &EntrantRow, lang: Lang) -> Notes {
        let others = desk.namesakes(&row.name).into_iter().filter(|other| *other != row.id);
        let note =
            |(code, told): (&str, Message)| NameNote { code: code.to_owned(), message: say(lang, &told) };
        Notes {
            same_name: others.map(str::to_owned).collect(),
            flagged: desk.lookalikes(row).into_iter().map(note).collect(),
        }
    }
}

impl EntrantLine {
    fn of(row: &EntrantRow, notes: Notes) -> EntrantLine {
        EntrantLine {
            id: row.id.clone(),
            number: row.position,
            name: row.name.clone(),
            level: row.level.clone(),
            club: row.club.clone(),
            region: row.region.clone(),
            checked_in_us: None,
            same_name: notes.same_name,
            flagged: notes.flagged,
        }
    }
}

async fn correct(
    call: RequestContext,
    path: web::Path<(String, String)>,
    Body(mut body): Body<Map<String, Value>>,
) -> Answer {
    let why = super::events::text_of(&mut body, "reason")?.unwrap_or_default();
    reason(&why)?;
    let correction: Correction = crate::web::context::value(Value::Object(body))?;
    let (_, id) = path.into_inner();
    let (line, row, hall) = call
        .work(move |call| {
            let _alone = call.app.guards.desk.lock().unwrap_or_else(PoisonError::into_inner);
            let row = desk::row(call)?;
            let archive: &dyn Archive = call.app.store.as_ref();
            let known = archive.entrants(&row.id)?;
            let before = known.iter().find(|one| one.id == id).ok_or_else(|| Problem::missing("entrant"))?;
            let pairs = with_game!(desk::kind(&row)?, G => {
                desk::load::<G>(call, &row)?.settings.pairs()
            });
            let desk = Desk { event: &row.id, pairs, known: &known, announced: None };
            let after = desk.correct(before, &correction)?;
            let line = EntrantLine::of(&after, Notes::of(&desk, &after, call.lang));
            if after != *before {
                let audit = call.audit("correct-entrant", &why, &shown(before), &shown(&after));
                archive.correct_entrant(before.clone(), after.clone(), audit)?;
                // What was read with the old name is read again.
                with_game!(desk::kind(&row)?, G => call.app.read_model.corrected::<G>(&call.app, &row.id)?);
            }
            Ok((line, after.entrant(), call.app.halls.get(&row.id)))
        })
        .await?;
    if let Some(hall) = hall {
        hall.corrected(row).await;
    }
    ok(&line)
}

async fn import(
    call: RequestContext,
    Params(params): Params<ImportParams>,
    Text(text, encoding): Text,
) -> Answer {
    let dry_run = params.dry_run;
    let report = call
        .work(move |call| {
            let _alone = call.app.guards.desk.lock().unwrap_or_else(PoisonError::into_inner);
            let row = desk::row(call)?;
            desk::in_state(&row, EventState::takes_entries)?;
            let list = with_game!(desk::kind(&row)?, G => {
                check_list::<G>(call, &row, |desk| Ok(desk.read::<G>(&text, encoding)))
            })?;
            if !dry_run && !list.wrong.is_empty() {
                let faults = list.wrong.into_iter();
                return Err(Problem::faults(
                    faults
                        .map(|note| (note.code, message!("fault-line", line = note.line, what = note.told))),
                ));
            }
            let entries = list.entries.len();
            if !dry_run {
                let ids: Vec<&str> = list.entries.iter().map(|row| row.id.as_str()).collect();
                let audit = call.audit("import-entrants", "", &Value::Null, &json!({ "ids": ids }));
                let archive: &dyn Archive = call.app.store.as_ref();
                archive.add_entrants(&row.id, list.entries, audit)?;
            }
            let told = |notes: Vec<RowNote>| notes.into_iter().map(|note| note.in_lang(call.lang)).collect();
            Ok(ImportReport { dry_run, entries, wrong: told(list.wrong), flagged: told(list.flagged) })
        })
        .await?;
    ok(&report)
}

async fn withdraw(
    call: RequestContext,
    path: web::Path<(String, String)>,
    Params(params): Params<ReasonParams>,
) -> Answer {
    reason(&params.reason)?;
    let (_, id) = path.into_inner();
    call.work(move |call| {
        let _alone = call.app.guards.desk.lock().unwrap_or_else(PoisonError::into_inner);
        let row = desk::row(call)?;
        desk::in_state(&row, EventState::takes_entries)?;
        let archive: &dyn Archive = call.app.store.as_ref();
        let known = archive.entrants(&row.id)?;
        let found = known.iter().find(|one| one.id == id).ok_or_else(|| Problem::missing("entrant"))?;
        let audit = call.audit("withdraw-entrant", &params.reason, &shown(found), &Value::Null);
        Ok(archive.remove_entrant(&row.id, &id, audit)?)
    })
    .await?;
    nothing()
}
