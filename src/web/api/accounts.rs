//! Accounts: created, changed and closed by the chief organizer; deputies appointed by the chief referee.

use std::sync::PoisonError;

use actix_web::web;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};
use zeroize::Zeroizing;

use crate::desk::accounts::{display_fault, grants_fault, is_chief, name_fault, password_fault};
use crate::desk::people::{Account, People as _};
use crate::desk::rights::{Grant, Right, Role};
use crate::web::answer::{Answer, Page, created, ok};
use crate::web::context::{Body, Params, RequestContext};
use crate::web::password;
use crate::web::problem::{Code, Problem};
use crate::web::routes::{Method, Table};
use crate::web::secret::fresh_token;
use crate::words::Message;

/// A role of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantLine {
    /// The role.
    role: String,
    /// In which event; absent: in every event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    event: Option<String>,
}

/// An account, without its secrets.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AccountLine {
    /// Identifier.
    pub id: String,
    /// The name to log in with.
    pub name: String,
    /// The name for people.
    pub display: String,
    /// Its roles.
    pub grants: Vec<GrantLine>,
    /// Instant of creation.
    pub created_us: i64,
    /// Whether it is closed.
    pub disabled: bool,
    /// Until when no login is tried; 0 if it is not locked.
    pub locked_until_us: i64,
}

impl AccountLine {
    /// What is shown of an account.
    #[must_use]
    pub fn of(account: &Account) -> AccountLine {
        AccountLine {
            id: account.id.clone(),
            name: account.name.clone(),
            display: account.display.clone(),
            grants: account.grants.iter().map(GrantLine::of).collect(),
            created_us: account.created_us,
            disabled: account.disabled,
            locked_until_us: account.locked_until_us,
        }
    }

    /// For the audit log.
    #[must_use]
    pub fn to_value(&self) -> Value {
        json!({ "id": self.id, "name": self.name, "display": self.display, "grants": self.grants,
                "disabled": self.disabled })
    }
}

impl GrantLine {
    /// What is shown of a role.
    #[must_use]
    pub fn of(grant: &Grant) -> GrantLine {
        GrantLine { role: grant.role.word().to_owned(), event: grant.event.clone() }
    }

    fn read(&self) -> Result<Grant, Problem> {
        let role = self.role.parse::<Role>().map_err(|text| Problem::text(Code::Refused, text))?;
        Ok(Grant { role, event: self.event.clone() })
    }
}

/// Refuses grants for events that do not exist.
fn known_events(call: &RequestContext, grants: &[Grant]) -> Result<(), Problem> {
    for event in grants.iter().filter_map(|grant| grant.event.as_ref()) {
        let archive: &dyn crate::event::archive::Archive = call.app.store.as_ref();
        archive.event(event)?;
    }
    Ok(())
}

fn grants(lines: &[GrantLine]) -> Result<Vec<Grant>, Problem> {
    let mut grants = lines.iter().map(GrantLine::read).collect::<Result<Vec<_>, _>>()?;
    grants.sort();
    grants.dedup();
    match grants_fault(&grants) {
        Some(fault) => Err(vec![fault].into()),
        None => Ok(grants),
    }
}

/// A new account with a fresh id.
///
/// # Errors
/// No randomness to be had.
pub fn fresh_account(
    name: &str,
    display: &str,
    phc: String,
    grants: Vec<Grant>,
    now: i64,
) -> Result<Account, Problem> {
    let id = fresh_token().map_err(Problem::internal)?;
    Ok(Account {
        id: format!("a-{}", id.get(..12).unwrap_or_default()),
        name: name.to_owned(),
        display: display.to_owned(),
        password: phc,
        grants,
        created_us: now,
        disabled: false,
        failures: 0,
        locked_until_us: 0,
    })
}

/// A new account.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAccount {
    name: String,
    display: String,
    password: String,
    grants: Vec<GrantLine>,
}

/// Changes of an account; what is absent stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AccountChange {
    display: Option<String>,
    /// A new password; all sessions end.
    password: Option<String>,
    grants: Option<Vec<GrantLine>>,
    /// Closes the account, or opens it again; all sessions end.
    disabled: Option<bool>,
    /// Ends all sessions, for instance because a device was lost.
    end_sessions: Option<bool>,
    /// Lets a locked account try again at once.
    unlock: Option<bool>,
    /// Why; shown in the audit log.
    reason: String,
}

/// A role for somebody.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Appointment {
    /// `referee` or `chief-referee`.
    role: String,
    /// In which event; absent: in every event.
    event: Option<String>,
    /// Why; shown in the audit log.
    reason: String,
}

/// Which part of a list.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct PageParams {
    /// How many at most, 1 to 500.
    #[serde(default = "hundred")]
    pub limit: u32,
    /// The `next` of the page before.
    pub after: Option<String>,
}

const fn hundred() -> u32 {
    100
}

impl PageParams {
    /// The number of items.
    ///
    /// # Errors
    /// Not 1 to 500.
    pub fn limit(&self) -> Result<usize, Problem> {
        if (1..=500).contains(&self.limit) {
            Ok(self.limit as usize)
        } else {
            Err(Problem::said(Code::BadQuery, Message::plain("web-bad-limit")))
        }
    }
}

pub(super) fn add(table: &mut Table) {
    table
        .get("/api/v1/accounts", Right::AppointReferees, "listAccounts", "Accounts by name")
        .query::<PageParams>()
        .answers::<Page<AccountLine>>(200)
        .to(list);
    table
        .post("/api/v1/accounts", Right::ManageAccounts, "createAccount", "Creates an account")
        .body::<NewAccount>()
        .answers::<AccountLine>(201)
        .to(create);
    table
        .get("/api/v1/accounts/{account}", Right::ManageAccounts, "getAccount", "An account")
        .answers::<AccountLine>(200)
        .to(get);
    table
        .add(
            Method::Patch,
            "/api/v1/accounts/{account}",
            Right::ManageAccounts,
            "changeAccount",
            "Changes or closes an account",
        )
        .body::<AccountChange>()
        .answers::<AccountLine>(200)
        .to(change);
    table
        .post(
            "/api/v1/accounts/{account}/appointments",
            Right::OwnAccount,
            "appointReferee",
            "Makes somebody a referee or a deputy of the chief referee; needs the right appoint-referees",
        )
        .body::<Appointment>()
        .answers::<AccountLine>(200)
        .to(appoint);
}

async fn list(call: RequestContext, Params(page): Params<PageParams>) -> Answer {
    let limit = page.limit()?;
    let accounts = call.work(|call| Ok(call.app.store.accounts()?)).await?;
    let lines: Vec<AccountLine> = accounts
        .iter()
        .filter(|account| page.after.as_ref().is_none_or(|after| account.name > *after))
        .take(limit + 1)
        .map(AccountLine::of)
        .collect();
    ok(&Page::cut(lines, limit, |line| line.name.clone()))
}

async fn create(call: RequestContext, Body(body): Body<NewAccount>) -> Answer {
    let grants = grants(&body.grants)?;
    let least = call.app.config.passwords.least;
    let faults: Vec<_> = [
        name_fault(&body.name),
        display_fault(&body.display),
        password_fault(&body.password, &body.name, least),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !faults.is_empty() {
        return Err(faults.into());
    }
    let phc = password::hash(&call.app, Zeroizing::new(body.password)).await?;
    let account = fresh_account(&body.name, &body.display, phc, grants, call.now)?;
    let line = AccountLine::of(&account);
    let made = call
        .work(move |call| {
            known_events(call, &account.grants)?;
            let audit = call.audit("create-account", "", &Value::Null, &line.to_value());
            call.app.store.create_account(account, None, audit)?;
            Ok(line)
        })
        .await?;
    created(&made)
}

fn find(call: &RequestContext, id: &str) -> Result<Account, Problem> {
    call.app.store.account(id)?.ok_or_else(|| Problem::missing("account"))
}

async fn get(call: RequestContext, id: web::Path<String>) -> Answer {
    let line = call.work(move |call| Ok(AccountLine::of(&find(call, &id)?))).await?;
    ok(&line)
}

/// A reason that can be shown.
///
/// # Errors
/// Empty or too long.
pub fn reason(text: &str) -> Result<(), Problem> {
    let count = text.trim().chars().count();
    if (1..=1000).contains(&count) {
        Ok(())
    } else {
        Err(Problem::said(Code::Refused, Message::plain("web-no-reason")))
    }
}

async fn change(call: RequestContext, id: web::Path<String>, Body(body): Body<AccountChange>) -> Answer {
    reason(&body.reason)?;
    let new_grants = body.grants.as_deref().map(grants).transpose()?;
    if let Some(fault) = body.display.as_deref().and_then(display_fault) {
        return Err(vec![fault].into());
    }
    let id = id.into_inner();
    let wanted = id.clone();
    let known = call.work(move |call| find(call, &wanted)).await?;
    let phc = match body.password {
        None => None,
        Some(password) => {
            if let Some(fault) = password_fault(&password, &known.name, call.app.config.passwords.least) {
                return Err(vec![fault].into());
            }
            Some(password::hash(&call.app, Zeroizing::new(password)).await?)
        }
    };
    let line = call
        .work(move |call| {
            let _alone = call.app.guards.desk.lock().unwrap_or_else(PoisonError::into_inner);
            let mut account = find(call, &id)?;
            let before = AccountLine::of(&account).to_value();
            let end_sessions =
                phc.is_some() || body.disabled == Some(true) || body.end_sessions == Some(true);
            account.display = body.display.unwrap_or(account.display);
            if let Some(grants) = new_grants {
                known_events(call, &grants)?;
                account.grants = grants;
            }
            account.password = phc.unwrap_or(account.password);
            account.disabled = body.disabled.unwrap_or(account.disabled);
            let unlock = body.unlock == Some(true);
            if unlock {
                account.failures = 0;
                account.locked_until_us = 0;
            }
            keep_a_chief(call, &account)?;
            let line = AccountLine::of(&account);
            let audit = call.audit("change-account", &body.reason, &before, &line.to_value());
            call.app.store.change_account(account, end_sessions, unlock, Some(audit))?;
            Ok(line)
        })
        .await?;
    ok(&line)
}

/// There is always somebody left who can manage accounts.
fn keep_a_chief(call: &RequestContext, changed: &Account) -> Result<(), Problem> {
    if is_chief(changed) {
        return Ok(());
    }
    let others = call.app.store.accounts()?;
    if others.iter().any(|account| account.id != changed.id && is_chief(account)) {
        Ok(())
    } else {
        Err(Problem::said(Code::Refused, Message::plain("web-last-chief")))
    }
}

async fn appoint(call: RequestContext, id: web::Path<String>, Body(body): Body<Appointment>) -> Answer {
    reason(&body.reason)?;
    let grant = GrantLine { role: body.role, event: body.event }.read()?;
    if !call.who.may(Right::AppointReferees, grant.event.as_deref()) {
        return Err(call.who.refused(Right::AppointReferees, grant.event.as_deref()));
    }
    if !matches!(grant.role, Role::Referee | Role::ChiefReferee) {
        return Err(Problem::said(Code::Refused, Message::plain("web-only-referees")));
    }
    let line = call
        .work(move |call| {
            let _alone = call.app.guards.desk.lock().unwrap_or_else(PoisonError::into_inner);
            let mut account = find(call, &id)?;
            let before = AccountLine::of(&account).to_value();
            account.grants.push(grant);
            account.grants.sort();
            account.grants.dedup();
            if let Some(fault) = grants_fault(&account.grants) {
                return Err(vec![fault].into());
            }
            let line = AccountLine::of(&account);
            let audit = call.audit("appoint", &body.reason, &before, &line.to_value());
            call.app.store.change_account(account, false, false, Some(audit))?;
            Ok(line)
        })
        .await?;
    ok(&line)
}
