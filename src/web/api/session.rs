//! Logging in and out, and who one is.

use actix_web::cookie::time::Duration as CookieTime;
use actix_web::cookie::{Cookie, SameSite};
use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use zeroize::Zeroizing;

use super::accounts::GrantLine;
use crate::canonical::sha256;
use crate::desk::accounts::{password_fault, wait};
use crate::desk::people::{Account, Attempt, People as _, Session};
use crate::desk::rights::Right;
use crate::event::archive::{Archive, AuditRow};
use crate::web::answer::{Answer, nothing, ok};
use crate::web::context::{Body, COOKIE, RequestContext, Who};
use crate::web::identity::SESSION;
use crate::web::password;
use crate::web::problem::{Code, Problem};
use crate::web::routes::{Method, Table};
use crate::web::secret::fresh_token;

/// A login.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// The name to log in with.
    name: String,
    /// The password.
    password: String,
    /// Whether the session is kept in a cookie, for pages; else its token is answered, for programs.
    #[serde(default)]
    cookie: bool,
}

/// A session that has begun.
#[derive(Debug, Serialize, ToSchema)]
pub struct LoggedIn {
    /// The token to send as `Authorization: Bearer`; absent where it is in a cookie.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    /// The token to send as `X-CSRF-Token` with every change; present where the session is in a cookie.
    #[serde(skip_serializing_if = "Option::is_none")]
    csrf: Option<String>,
    /// When the session ends.
    expires_us: i64,
    /// Who one is.
    me: Me,
}

/// Who one is.
#[derive(Debug, Serialize, ToSchema)]
pub struct Me {
    /// `account`, `seat` or `spectator`.
    kind: &'static str,
    /// The name to log in with, of an account.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The name for people, of an account.
    #[serde(skip_serializing_if = "Option::is_none")]
    display: Option<String>,
    /// The roles of an account.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    grants: Vec<GrantLine>,
    /// When the session ends, of an account.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_us: Option<i64>,
    /// The CSRF token, of an account with a cookie.
    #[serde(skip_serializing_if = "Option::is_none")]
    csrf: Option<String>,
    /// The event of a seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<String>,
    /// The entrant of a seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    entrant: Option<String>,
    /// Which of a pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<u8>,
    /// What plays: `person` or `ai-program`.
    #[serde(skip_serializing_if = "Option::is_none")]
    plays: Option<&'static str>,
}

impl Me {
    fn of(who: &Who) -> Me {
        let nobody = Me {
            kind: "spectator",
            name: None,
            display: None,
            grants: Vec::new(),
            expires_us: None,
            csrf: None,
            event: None,
            entrant: None,
            member: None,
            plays: None,
        };
        match who {
            Who::Spectator => nobody,
            Who::Account(actor) => Me {
                kind: "account",
                name: Some(actor.name.clone()),
                display: Some(actor.display.clone()),
                grants: actor.grants.iter().map(GrantLine::of).collect(),
                expires_us: Some(actor.expires_us),
                csrf: actor.csrf.clone(),
                ..nobody
            },
            Who::Seat(seat) => Me {
                kind: "seat",
                event: Some(seat.event.clone()),
                entrant: Some(seat.entrant.clone()),
                member: Some(seat.member),
                plays: Some(seat.kind.word()),
                ..nobody
            },
        }
    }
}

/// A session of one's own.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionLine {
    id: String,
    /// From where it was made.
    address: String,
    created_us: i64,
    expires_us: i64,
    /// Whether it is the one that asks.
    this: bool,
}

/// The sessions of one's own that count.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionList {
    items: Vec<SessionLine>,
}

/// A new password for oneself.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    old: String,
    new: String,
}

pub(super) fn add(table: &mut Table) {
    table
        .post("/api/v1/session", Right::SeePublic, "logIn", "Logs in")
        .body::<Login>()
        .answers::<LoggedIn>(201)
        .attempt()
        .to(log_in);
    table.get("/api/v1/session", Right::SeePublic, "whoAmI", "Who one is").answers::<Me>(200).to(me);
    table
        .add(Method::Delete, "/api/v1/session", Right::OwnAccount, "logOut", "Ends the session that asks")
        .to(log_out);
    table
        .add(
            Method::Put,
            "/api/v1/session/password",
            Right::OwnAccount,
            "changePassword",
            "A new password for oneself; all sessions end",
        )
        .body::<NewPassword>()
        .attempt()
        .to(change_password);
    table
        .get("/api/v1/sessions", Right::OwnAccount, "listSessions", "One's own sessions that count")
        .answers::<SessionList>(200)
        .to(list);
    table
        .add(
            Method::Delete,
            "/api/v1/sessions/{session}",
            Right::OwnAccount,
            "endSession",
            "Ends a session of one's own",
        )
        .to(end);
}

fn cookie(call: &RequestContext, value: &str, hours: i64) -> Cookie<'static> {
    Cookie::build(COOKIE, value.to_owned())
        .path("/")
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(call.app.config.secure())
        .max_age(CookieTime::hours(hours))
        .finish()
}

async fn log_in(call: RequestContext, Body(body): Body<Login>) -> Answer {
    let name: String = body.name.chars().take(40).collect();
    let (account, failures) = attempt(&call, &name).await?;
    let phc = account.as_ref().filter(|account| !account.disabled).map(|account| account.password.clone());
    let right = body.password.len() <= 1024
        && password::verify(&call.app, Zeroizing::new(body.password), phc).await?;
    let Some(account) = account.filter(|_| right) else {
        return Err(failed(&call, name, failures).await?);
    };
    let token = format!("{SESSION}{}", fresh_token().map_err(Problem::internal)?);
    let hours = i64::from(call.app.config.sessions.hours);
    let session = Session {
        id: format!("s-{}", fresh_token().map_err(Problem::internal)?.get(..12).unwrap_or_default()),
        token_hash: sha256(token.as_bytes()),
        account_id: account.id.clone(),
        address: call.address.to_string(),
        created_us: call.now,
        expires_us: call.now + hours * 3_600_000_000,
        revoked_us: None,
    };
    let expires_us = session.expires_us;
    let who = call
        .work({
            let (token, in_cookie) = (token.clone(), body.cookie);
            move |call| {
                let mut audit = call.audit("log-in", "", &Value::Null, &json!({ "session": session.id }));
                audit.who.clone_from(&account.name);
                if !call.app.store.begin_session(session, &account.password, audit)? {
                    // Closed, or with another password, since it was looked at.
                    return Err(Problem::new(Code::BadCredentials));
                }
                crate::web::identity::look_up(&call.app, &token, in_cookie)
            }
        })
        .await?;
    let csrf = body.cookie.then(|| call.app.secret.csrf(&token));
    let kept = body.cookie.then(|| cookie(&call, &token, hours));
    let answer = LoggedIn { token: (!body.cookie).then_some(token), csrf, expires_us, me: Me::of(&who) };
    let text = serde_json::to_string(&answer).map_err(Problem::internal)?;
    let mut response = HttpResponse::build(StatusCode::CREATED);
    if let Some(cookie) = kept {
        response.cookie(cookie);
    }
    Ok(response.content_type("application/json").body(text))
}

/// Counts an attempt before its password is looked at: the account of that name, and how many failures in a row there
/// are if this is one.
async fn attempt(call: &RequestContext, name: &str) -> Result<(Option<Account>, i64), Problem> {
    let name = name.to_owned();
    let attempt = call.work(move |call| Ok(call.app.store.count_attempt(&name, call.now)?)).await?;
    match attempt {
        Attempt::Counted { account, failures } => Ok((account, failures)),
        Attempt::Locked(until) => {
            let seconds = u64::try_from(until.saturating_sub(call.now) / 1_000_000).unwrap_or(0) + 1;
            Err(Problem::new(Code::LockedOut).after(seconds))
        }
    }
}

/// The answer to an attempt that failed. Where a name is locked by it the log says so, of an account; of a name that
/// does not exist nothing is written down, with the same work.
async fn failed(call: &RequestContext, name: String, failures: i64) -> Result<Problem, Problem> {
    if wait(failures) > 0 {
        call.work(move |call| {
            let archive: &dyn Archive = call.app.store.as_ref();
            match call.app.store.account_named(&name)? {
                Some(account) => archive.audit(AuditRow {
                    who: account.name,
                    ..call.audit("locked-out", "", &Value::Null, &json!({ "failures": failures }))
                })?,
                None => archive.append(Vec::new())?,
            }
            Ok(())
        })
        .await?;
    }
    Ok(Problem::new(Code::BadCredentials))
}

async fn me(call: RequestContext) -> Answer {
    ok(&Me::of(&call.who))
}

async fn log_out(call: RequestContext) -> Answer {
    let actor = call.actor()?;
    let in_cookie = actor.csrf.is_some();
    call.work(move |call| {
        let audit = call.audit("log-out", "", &json!({ "session": actor.session }), &Value::Null);
        Ok(call.app.store.end_session(&actor.id, &actor.session, call.now, audit)?)
    })
    .await?;
    if in_cookie {
        let gone = cookie(&call, "", 0);
        return Ok(HttpResponse::NoContent().cookie(gone).finish());
    }
    nothing()
}

async fn list(call: RequestContext) -> Answer {
    let actor = call.actor()?;
    let id = actor.id.clone();
    let sessions = call.work(move |call| Ok(call.app.store.sessions(&id)?)).await?;
    let items = sessions
        .into_iter()
        .filter(|session| session.revoked_us.is_none() && session.expires_us > call.now)
        .map(|session| SessionLine {
            this: session.id == actor.session,
            id: session.id,
            address: session.address,
            created_us: session.created_us,
            expires_us: session.expires_us,
        })
        .collect();
    ok(&SessionList { items })
}

async fn end(call: RequestContext, id: web::Path<String>) -> Answer {
    let actor = call.actor()?;
    call.work(move |call| {
        let id = id.into_inner();
        let audit = call.audit("end-session", "", &json!({ "session": id }), &Value::Null);
        Ok(call.app.store.end_session(&actor.id, &id, call.now, audit)?)
    })
    .await?;
    nothing()
}

async fn change_password(call: RequestContext, Body(body): Body<NewPassword>) -> Answer {
    let actor = call.actor()?;
    let id = actor.id.clone();
    let account = call
        .work(move |call| call.app.store.account(&id)?.ok_or_else(|| Problem::new(Code::NotSignedIn)))
        .await?;
    if let Some(fault) = password_fault(&body.new, &account.name, call.app.config.passwords.least) {
        return Err(vec![fault].into());
    }
    let (_, failures) = attempt(&call, &account.name).await?;
    let before = account.password;
    if body.old.len() > 1024
        || !password::verify(&call.app, Zeroizing::new(body.old), Some(before.clone())).await?
    {
        return Err(failed(&call, account.name, failures).await?);
    }
    let after = password::hash(&call.app, Zeroizing::new(body.new)).await?;
    let changed = call
        .work(move |call| {
            let _alone = call.app.guards.desk.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let audit = call.audit("change-password", "", &Value::Null, &Value::Null);
            Ok(call.app.store.change_password(&actor.id, &before, after, audit)?)
        })
        .await?;
    // Somebody else has changed it since it was looked at: the old one is not right any more.
    if changed { nothing() } else { Err(Problem::new(Code::BadCredentials)) }
}
