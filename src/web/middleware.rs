//! The gate that every request passes: rate limit, origin, who it is; and every answer: security headers, problems in
//! the asker's language, metrics, one line in the log.

use std::time::Instant;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap,
    HeaderName, HeaderValue, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{HttpMessage, web};

use super::context::{Met, Who};
use super::problem::{Code, Problem};
use super::{App, address, idempotency, identity, lang, origin, pages};
use crate::words::{Lang, Message};

/// See the module.
///
/// # Errors
/// None that a client would see: everything becomes a response here.
pub async fn gate(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let started = Instant::now();
    let Some(app) = request.app_data::<web::Data<App>>().map(|data| data.get_ref().clone()) else {
        return Ok(request.into_response(Problem::internal("no state").response(Lang::En)));
    };
    let lang = lang::of(request.query_string(), request.headers());
    let method = request.method().as_str().to_owned();
    let pattern = request.match_pattern().unwrap_or_else(|| "unknown".to_owned());
    let mut response = match before(&app, &request, &pattern, lang).await {
        Ok((met, key)) => {
            let who = met.who.clone();
            request.extensions_mut().insert(met);
            match key {
                Some(key) => idempotency::once(app.clone(), who, key, lang, request, next).await?,
                None => next.call(request).await?.map_into_boxed_body(),
            }
        }
        Err(problem) => {
            let answer = pages::refusal(request.request(), lang, &problem);
            request.into_response(answer.unwrap_or_else(|| problem.response(lang)))
        }
    };
    if let Some(problem) = problem_of(&response) {
        app.metrics.refused(problem.code.code());
        let answer = pages::refusal(response.request(), lang, &problem);
        response = response.into_response(answer.unwrap_or_else(|| problem.response(lang)));
    }
    if response.status() == StatusCode::METHOD_NOT_ALLOWED
        && let Ok(allowed) = HeaderValue::from_str(&app.table.allowed(&pattern))
    {
        response.headers_mut().insert(ALLOW, allowed);
    }
    let secure = app.config.secure();
    weaken_tag_if_packed(response.headers_mut());
    headers(response.headers_mut(), secure);
    let status = response.status().as_u16();
    let took = started.elapsed();
    app.metrics.answered(&method, &pattern, status, took);
    tracing::info!(%method, path = %pattern, status, micros = took.as_micros(), "request");
    Ok(response)
}

/// The problem of a response: ours, or one for a bare error status that the framework has made.
fn problem_of(response: &ServiceResponse<BoxBody>) -> Option<Problem> {
    if let Some(problem) = response.response().error().and_then(|error| error.as_error::<Problem>().cloned())
    {
        return Some(problem);
    }
    let status = response.status();
    let ready = response
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"application/problem+json"))
        || response.response().extensions().contains::<pages::Refusal>();
    let failed = status.is_client_error() || status.is_server_error();
    (failed && !ready && status != StatusCode::UPGRADE_REQUIRED).then(|| Problem::of_status(status))
}

/// Everything that is checked before a handler sees the request; and its idempotency key, if it has one that counts.
async fn before(
    app: &App,
    request: &ServiceRequest,
    pattern: &str,
    lang: Lang,
) -> Result<(Met, Option<String>), Problem> {
    let headers = request.headers();
    let address = address::client(request.peer_addr().map(|peer| peer.ip()), headers, &app.config);
    let too_many = |seconds| Problem::new(Code::TooMany).after(seconds);
    app.guards.address(address).map_err(too_many)?;
    if request.path().len() > 2000 || request.query_string().len() > 4000 {
        return Err(Problem::said(Code::BadRequest, Message::plain("web-long-address")));
    }
    let changes = changes(request.method());
    if changes && !origin::allowed(headers, &app.config) {
        return Err(Problem::new(Code::WrongOrigin));
    }
    let endpoint = app.table.find(request.method().as_str(), pattern);
    if endpoint.is_some_and(|endpoint| endpoint.attempt) {
        app.guards.attempt(address).map_err(too_many)?;
    }
    let who = identity::of(app, request, changes).await?;
    if let Who::Account(actor) = &who {
        app.guards.account(&actor.id).map_err(too_many)?;
    }
    let key =
        if endpoint.is_some_and(|endpoint| endpoint.idempotent) { idempotency::key(request)? } else { None };
    Ok((Met { lang, who, address }, key))
}

/// Whether a request may change something.
fn changes(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// Packed and plain answers are different bytes of the same thing: they may not share a strong entity tag.
fn weaken_tag_if_packed(headers: &mut HeaderMap) {
    if !headers.contains_key(CONTENT_ENCODING) {
        return;
    }
    let weak = headers.get(ETAG).and_then(|tag| tag.to_str().ok()).filter(|tag| !tag.starts_with("W/"));
    if let Some(weak) = weak.and_then(|tag| HeaderValue::try_from(format!("W/{tag}")).ok()) {
        headers.insert(ETAG, weak);
    }
}

/// What every answer carries. A page that needs more sets its own policy.
fn headers(headers: &mut HeaderMap, secure: bool) {
    let mut set = |name: HeaderName, value: &'static str| {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    };
    set(
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    );
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(X_FRAME_OPTIONS, "DENY");
    set(REFERRER_POLICY, "no-referrer");
    set(CACHE_CONTROL, "no-store");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()");
    if secure {
        set(STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
}
