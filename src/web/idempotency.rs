//! Idempotency keys: the same key with the same request gets the same answer for ever, with another one a conflict.
//!
//! The request is written down before it is carried out, the answer after. If the server dies in between, a
//! repetition is told that nobody knows, and never carried out a second time.

use actix_web::body::{BoxBody, MessageBody, to_bytes};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::PayloadError;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderName, HeaderValue, SET_COOKIE};
use actix_web::middleware::Next;
use actix_web::{HttpResponse, web};
use serde::{Deserialize, Serialize};

use super::App;
use super::context::{Who, too_large};
use super::problem::{Code, Problem};
use crate::canonical::{Hash, sha256};
use crate::desk::people::{Known, People as _};
use crate::words::{Lang, Message};

/// The header.
pub const KEY: &str = "idempotency-key";

/// An answer that was given.
#[derive(Serialize, Deserialize)]
struct Given {
    status: u16,
    media_type: Option<String>,
    cookies: Vec<String>,
    body: String,
}

/// The key of a request, if it has one.
///
/// # Errors
/// A key that is not 1 to 100 visible ASCII characters.
pub fn key(request: &ServiceRequest) -> Result<Option<String>, Problem> {
    let Some(value) = request.headers().get(KEY) else { return Ok(None) };
    let bad = || Problem::said(Code::BadHeader, Message::plain("web-bad-key"));
    let text = value.to_str().map_err(|_| bad())?;
    let good = (1..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    if good { Ok(Some(text.to_owned())) } else { Err(bad()) }
}

/// Who may use a key again: the same account or seat. People without either do not share keys: theirs belong to the
/// request.
fn scope(who: &Who, asked: &Hash) -> String {
    match who {
        Who::Spectator => format!("anybody:{}", hex::encode(asked)),
        Who::Account(actor) => format!("account:{}", actor.id),
        Who::Seat(seat) => format!("seat:{}", hex::encode(seat.token_hash)),
    }
}

/// Carries a request out once.
///
/// # Errors
/// None that a client would see.
pub async fn once(
    app: App,
    who: Who,
    key: String,
    lang: Lang,
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let bytes = match request.extract::<web::Bytes>().await {
        Ok(bytes) => bytes,
        Err(error) => return Ok(request.into_response(too_large(&error).response(lang))),
    };
    let asked = format!("{} {}?{}\n", request.method(), request.path(), request.query_string());
    let asked = sha256(&[asked.as_bytes(), &bytes].concat());
    let scope = scope(&who, &asked);
    match begin(&app, &scope, &key, asked).await {
        Ok(None) => {}
        Ok(Some(answer)) => return Ok(request.into_response(answer)),
        Err(problem) => return Ok(request.into_response(problem.response(lang))),
    }
    let again = futures_util::stream::once(async move { Ok::<_, PayloadError>(bytes) });
    request.set_payload(Payload::Stream { payload: Box::pin(again) });
    // Carried to its end even if the client goes away: otherwise nobody would know the answer.
    let work = actix_web::rt::spawn(async move {
        let response = next.call(request).await?.map_into_boxed_body();
        let (http, response) = response.into_parts();
        // Refusals are put into words here, so that what is kept is what is sent.
        let problem = response.error().and_then(|error| error.as_error::<Problem>().cloned());
        let response = problem.as_ref().map_or(response, |problem| problem.response(lang));
        let response = end(&app, &scope, &key, response).await?;
        Ok(ServiceResponse::new(http, response))
    });
    work.await.map_err(|error| actix_web::Error::from(Problem::internal(error)))?
}

async fn begin(app: &App, scope: &str, key: &str, asked: Hash) -> Result<Option<HttpResponse>, Problem> {
    let (state, place, name) = (app.clone(), scope.to_owned(), key.to_owned());
    let known = web::block(move || {
        let now = state.clock.now();
        state.store.begin_answer(&place, &name, asked, now)
    })
    .await
    .map_err(Problem::internal)??;
    match known {
        Known::New => Ok(None),
        Known::Before { request_hash, .. } if request_hash != asked => Err(Problem::new(Code::KeyReused)),
        Known::Before { answer: None, .. } => Err(Problem::new(Code::KeyPending)),
        Known::Before { answer: Some(sealed), .. } => {
            let given: Given = app
                .secret
                .open(&format!("{scope}\n{key}"), &sealed)
                .and_then(|plain| serde_json::from_slice(&plain).ok())
                .ok_or_else(|| Problem::new(Code::KeyPending))?;
            Ok(Some(again(&given)))
        }
    }
}

fn again(given: &Given) -> HttpResponse {
    let status = StatusCode::from_u16(given.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = HttpResponse::build(status);
    if let Some(media_type) = &given.media_type {
        response.insert_header((CONTENT_TYPE, media_type.as_str()));
    }
    for cookie in &given.cookies {
        response.append_header((SET_COOKIE, cookie.as_str()));
    }
    response.insert_header((REPLAYED, "true"));
    response.body(hex::decode(&given.body).unwrap_or_default())
}

async fn end(
    app: &App,
    scope: &str,
    key: &str,
    response: HttpResponse,
) -> Result<HttpResponse, actix_web::Error> {
    let status = response.status();
    let (head, body) = response.into_parts();
    let bytes = to_bytes(body).await.map_err(|error| Problem::internal(error.as_ref()))?;
    let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let given = Given {
        status: status.as_u16(),
        media_type: head.headers().get(CONTENT_TYPE).map(text),
        cookies: head.headers().get_all(SET_COOKIE).map(text).collect(),
        body: hex::encode(&bytes),
    };
    let sealed = match status.as_u16() {
        // Nothing happened, and the same request may succeed later.
        401 | 403 | 429 | 503 => None,
        // Nobody knows what happened.
        500..=599 => return Ok(head.set_body(BoxBody::new(bytes))),
        _ => {
            let plain = serde_json::to_vec(&given).map_err(Problem::internal)?;
            Some(app.secret.seal(&format!("{scope}\n{key}"), &plain).map_err(Problem::internal)?)
        }
    };
    let (state, scope, key) = (app.clone(), scope.to_owned(), key.to_owned());
    let kept = web::block(move || state.store.end_answer(&scope, &key, sealed)).await;
    match kept {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::error!(%error, "an answer could not be kept"),
        Err(error) => tracing::error!(%error, "an answer could not be kept"),
    }
    Ok(head.set_body(BoxBody::new(bytes)))
}

/// The header that says that an answer was given before.
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
