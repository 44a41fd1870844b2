//! Who sends a request: a session in a cookie or a header, a seat's token, or nobody in particular.

use std::sync::Arc;

use actix_web::dev::ServiceRequest;
use actix_web::http::header::AUTHORIZATION;
use actix_web::web;
use subtle::ConstantTimeEq as _;

use super::App;
use super::context::{Actor, COOKIE, Who};
use super::problem::{Code, Problem};
use crate::canonical::sha256;
use crate::desk::people::People as _;
use crate::desk::rights::two_offices;
use crate::sabotage::Sabotage;
use crate::words::Message;

/// How session tokens begin.
pub const SESSION: &str = "fs_";
/// How tokens of seats begin.
pub const SEAT: &str = "fp_";
/// How tokens of devices begin.
pub const DEVICE: &str = "fd_";

/// A token as it was sent.
struct Shown {
    token: String,
    /// Whether it came in a cookie.
    in_cookie: bool,
    /// The CSRF token beside it; empty where there is none.
    csrf: String,
}

fn shown(request: &ServiceRequest) -> Result<Option<Shown>, Problem> {
    if let Some(value) = request.headers().get(AUTHORIZATION) {
        let token = value.to_str().ok().and_then(|text| text.strip_prefix("Bearer ")).map(str::trim);
        let Some(token) = token.filter(|token| (8..=200).contains(&token.len())) else {
            return Err(Problem::said(Code::BadHeader, Message::plain("web-bad-authorization")));
        };
        return Ok(Some(Shown { token: token.to_owned(), in_cookie: false, csrf: String::new() }));
    }
    let csrf = request.headers().get("x-csrf-token").and_then(|value| value.to_str().ok());
    let csrf = csrf.unwrap_or_default().to_owned();
    let cookie = request.cookie(COOKIE);
    Ok(cookie.map(|cookie| Shown { token: cookie.value().to_owned(), in_cookie: true, csrf }))
}

/// Finds out who sends a request. A cookie that counts no more is nobody; a header that counts no more is refused.
///
/// # Errors
/// A header that cannot be read or counts no more; a change with a cookie but without its CSRF token.
pub async fn of(app: &App, request: &ServiceRequest, changes: bool) -> Result<Who, Problem> {
    let Some(shown) = shown(request)? else { return Ok(Who::Spectator) };
    let (state, token, in_cookie) = (app.clone(), shown.token.clone(), shown.in_cookie);
    let who = web::block(move || look_up(&state, &token, in_cookie)).await.map_err(Problem::internal)??;
    if who == Who::Spectator && !in_cookie {
        return Err(Problem::said(Code::BadCredentials, Message::plain("web-token-ended")));
    }
    let wanted = app.secret.csrf(&shown.token);
    let proved: bool = wanted.as_bytes().ct_eq(shown.csrf.as_bytes()).into();
    if in_cookie && changes && who != Who::Spectator && !proved && !Sabotage::Csrf.on() {
        return Err(Problem::new(Code::Csrf));
    }
    Ok(who)
}

/// Who holds a token: a spectator if nobody does.
///
/// # Errors
/// The database.
pub fn look_up(app: &App, token: &str, in_cookie: bool) -> Result<Who, Problem> {
    let hash = sha256(token.as_bytes());
    if token.starts_with(SESSION) {
        let Some((session, account)) = app.store.session(&hash)? else { return Ok(Who::Spectator) };
        let over = session.revoked_us.is_some() || session.expires_us <= app.clock.now();
        if over || account.disabled {
            return Ok(Who::Spectator);
        }
        let joint = if two_offices(&account.grants) { app.store.joint_offices()? } else { Vec::new() };
        return Ok(Who::Account(Arc::new(Actor {
            id: account.id,
            name: account.name,
            display: account.display,
            grants: account.grants,
            session: session.id,
            expires_us: session.expires_us,
            csrf: in_cookie.then(|| app.secret.csrf(token)),
            joint,
        })));
    }
    if !in_cookie {
        let seat = app.store.seat_token(&hash)?.filter(|seat| !seat.revoked);
        return Ok(seat.map_or(Who::Spectator, |seat| Who::Seat(Arc::new(seat))));
    }
    Ok(Who::Spectator)
}
