//! What a handler is given: who asks, in which language, and the body and query read strictly.

use std::future::{Ready, ready};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header::{CONTENT_TYPE, HeaderName, IF_MATCH, IF_NONE_MATCH};
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::App;
use super::problem::{Code, Problem};
use super::strict;
use crate::canonical;
use crate::delimited::{Encoding, decode};
use crate::desk::people::{SeatKind, SeatToken};
use crate::desk::rights::{Grant, Right, Role, granted, may};
use crate::event::archive::AuditRow;
use crate::journal::{self, Author};
use crate::words::{Lang, Message};

/// The cookie with the session token.
pub const COOKIE: &str = "fushi_session";

/// An account that is logged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The account's id.
    pub id: String,
    /// Its name to log in with; what the audit log says.
    pub name: String,
    /// Its name for people.
    pub display: String,
    /// Its roles.
    pub grants: Vec<Grant>,
    /// The session's id.
    pub session: String,
    /// When the session ends, µs.
    pub expires_us: i64,
    /// The CSRF token of a session in a cookie.
    pub csrf: Option<String>,
    /// Of an account that is organizer and referee: the events that say that one account may be both.
    pub joint: Vec<String>,
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Who {
    /// Nobody in particular: a spectator.
    #[default]
    Spectator,
    /// Somebody with an account.
    Account(Arc<Actor>),
    /// Somebody in a seat.
    Seat(Arc<SeatToken>),
}

impl Actor {
    /// Whether an event says that one account may be organizer and referee.
    fn joint(&self, event: Option<&str>) -> bool {
        event.is_some_and(|event| self.joint.iter().any(|one| one == event))
    }
}

impl Who {
    /// Why a right is refused that the asker has not.
    #[must_use]
    pub fn refused(&self, right: Right, event: Option<&str>) -> Problem {
        let told = match self {
            Who::Spectator => return Problem::new(Code::NotSignedIn),
            Who::Account(actor) if granted(&actor.grants, right, event, true) => {
                Message::plain("web-two-offices")
            }
            _ => Message::plain("web-forbidden").with("right", right),
        };
        Problem::said(Code::Forbidden, told)
    }

    /// Whether the asker has a right, about an event or the server as a whole.
    #[must_use]
    pub fn may(&self, right: Right, event: Option<&str>) -> bool {
        if may(Role::Spectator, right) {
            return true;
        }
        match self {
            Who::Spectator => false,
            // Whoever has an account can log out of it, whatever else it may.
            Who::Account(_) if right == Right::OwnAccount => true,
            Who::Account(actor) => granted(&actor.grants, right, event, actor.joint(event)),
            Who::Seat(seat) => {
                let role = match seat.kind {
                    SeatKind::Person => Role::Player,
                    SeatKind::AiProgram => Role::AiProgram,
                };
                may(role, right) && event.is_none_or(|event| event == seat.event)
            }
        }
    }

    /// What the audit log says.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Who::Spectator => "anybody".to_owned(),
            Who::Account(actor) => actor.name.clone(),
            Who::Seat(seat) => format!("entrant:{}", seat.entrant),
        }
    }
}

/// What the gate has found out about a request.
#[derive(Clone, Debug)]
pub struct Met {
    /// The language of sentences.
    pub lang: Lang,
    /// Who asks.
    pub who: Who,
    /// From where.
    pub address: IpAddr,
}

/// A request that may go on: the right of its endpoint has been checked.
#[derive(Clone, Debug)]
pub struct RequestContext {
    /// The server.
    pub app: App,
    /// The language of sentences.
    pub lang: Lang,
    /// Who asks.
    pub who: Who,
    /// From where.
    pub address: IpAddr,
    /// When, µs.
    pub now: i64,
    /// The event in the path.
    pub event: Option<String>,
    /// The entity tags that the client has already.
    pub if_none_match: Option<String>,
    /// The entity tag that the client thinks is there.
    pub if_match: Option<String>,
}

fn header(request: &HttpRequest, name: HeaderName) -> Option<String> {
    request.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

impl RequestContext {
    fn of(request: &HttpRequest) -> Result<RequestContext, Problem> {
        let app = request.app_data::<web::Data<App>>().ok_or_else(|| Problem::internal("no state"))?;
        let met = request.extensions().get::<Met>().cloned().ok_or_else(|| Problem::internal("no gate"))?;
        let pattern = request.match_pattern().unwrap_or_default();
        let method = request.method().as_str();
        let endpoint = app.table.find(method, &pattern).ok_or_else(|| Problem::new(Code::NotFound))?;
        let event = request.match_info().get("event").map(str::to_owned);
        if !met.who.may(endpoint.right, event.as_deref()) {
            return Err(met.who.refused(endpoint.right, event.as_deref()));
        }
        if !endpoint.query {
            parameters::<super::api::NoFields>(request.query_string())?;
        }
        Ok(RequestContext {
            app: app.get_ref().clone(),
            lang: met.lang,
            who: met.who,
            address: met.address,
            now: app.clock.now(),
            event,
            if_none_match: header(request, IF_NONE_MATCH),
            if_match: header(request, IF_MATCH),
        })
    }

    /// Checks a further right than that of the endpoint.
    ///
    /// # Errors
    /// The asker has it not.
    pub fn needs(&self, right: Right) -> Result<(), Problem> {
        let event = self.event.as_deref();
        if self.who.may(right, event) { Ok(()) } else { Err(self.who.refused(right, event)) }
    }

    /// The account that asks.
    ///
    /// # Errors
    /// It is not an account.
    pub fn actor(&self) -> Result<Arc<Actor>, Problem> {
        match &self.who {
            Who::Account(actor) => Ok(Arc::clone(actor)),
            _ => Err(Problem::new(Code::NotSignedIn)),
        }
    }

    /// Who acts, as the event's journal says it.
    #[must_use]
    pub fn author(&self) -> Author {
        match &self.who {
            Who::Account(actor) => Author::Account(actor.id.clone()),
            Who::Spectator | Who::Seat(_) => Author::Server,
        }
    }

    /// An audit entry: who, when, what, why, and what it was before and after.
    #[must_use]
    pub fn audit(&self, act: &str, reason: &str, before: &Value, after: &Value) -> AuditRow {
        let details = json!({ "before": before, "after": after, "address": self.address.to_string() });
        AuditRow {
            event_id: self.event.clone(),
            at_us: self.now,
            who: self.who.name(),
            act: act.to_owned(),
            reason: reason.to_owned(),
            details: canonical::to_string(&details).unwrap_or_else(|_| "{}".to_owned()),
        }
    }

    /// Runs work that waits for the database on a thread that may wait.
    ///
    /// # Errors
    /// Those of the work.
    pub async fn work<T, F>(&self, work: F) -> Result<T, Problem>
    where
        T: Send + 'static,
        F: FnOnce(&RequestContext) -> Result<T, Problem> + Send + 'static,
    {
        let call = self.clone();
        web::block(move || work(&call)).await.map_err(Problem::internal)?
    }
}

impl FromRequest for RequestContext {
    type Error = Problem;
    type Future = Ready<Result<RequestContext, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(RequestContext::of(request))
    }
}

/// Query parameters, read strictly; `lang` is everybody's and not among them.
fn parameters<Q: DeserializeOwned>(query: &str) -> Result<Q, Problem> {
    let rest: Vec<&str> =
        query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("lang=")).collect();
    web::Query::<Q>::from_query(&rest.join("&"))
        .map(web::Query::into_inner)
        .map_err(|error| Problem::said(Code::BadQuery, strict::sentence(&error.to_string()).1))
}

/// The query parameters of an endpoint.
#[derive(Clone, Debug)]
pub struct Params<Q>(pub Q);

impl<Q: DeserializeOwned + 'static> FromRequest for Params<Q> {
    type Error = Problem;
    type Future = Ready<Result<Params<Q>, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(parameters(request.query_string()).map(Params))
    }
}

/// A JSON body. Nothing at all counts as an empty object.
#[derive(Clone, Debug)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Body<T>, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let json = essence(request).is_none_or(|essence| essence == "application/json");
        let bytes = web::Bytes::from_request(request, payload);
        Box::pin(async move {
            let bytes = bytes.await.map_err(|error| too_large(&error))?;
            if !json && !bytes.is_empty() {
                return Err(Problem::said(
                    Code::MediaType,
                    Message::plain("web-media-type").with("wanted", "application/json"),
                ));
            }
            read(&bytes).map(Body)
        })
    }
}

/// A body of text in any encoding that is recognised, and the encoding.
#[derive(Clone, Debug)]
pub struct Text(pub String, pub Encoding);

impl FromRequest for Text {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Text, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let csv = essence(request).is_some_and(|essence| essence == "text/csv");
        let bytes = web::Bytes::from_request(request, payload);
        Box::pin(async move {
            let bytes = bytes.await.map_err(|error| too_large(&error))?;
            if !csv {
                return Err(Problem::said(
                    Code::MediaType,
                    Message::plain("web-media-type").with("wanted", "text/csv"),
                ));
            }
            let (text, encoding) =
                decode(&bytes).map_err(|fault| Problem::said(Code::BadRequest, fault.message()))?;
            Ok(Text(text.into_owned(), encoding))
        })
    }
}

fn essence(request: &HttpRequest) -> Option<String> {
    let value = request.headers().get(CONTENT_TYPE)?.to_str().ok()?;
    Some(value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
}

/// What cannot be taken in: too large, or the connection broke.
#[must_use]
pub fn too_large(error: &actix_web::Error) -> Problem {
    Problem::of_status(error.as_response_error().status_code())
}

/// Reads a JSON object strictly.
///
/// # Errors
/// Not JSON, a repeated key, unknown, missing or wrong fields.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let bad = |reason: &Message| {
        Problem::said(Code::BadJson, Message::plain("web-bad-json").with("reason", reason))
    };
    let text = std::str::from_utf8(bytes).map_err(|error| bad(&error.to_string().into()))?;
    let text = if text.is_empty() { "{}" } else { text };
    let object = journal::strict::object(text).map_err(|fault| match fault {
        journal::strict::NoObject::NotJson(cause) => bad(&cause),
        journal::strict::NoObject::Other => bad(&fault.message()),
    })?;
    value(Value::Object(object))
}

/// Reads a JSON value that has been read strictly.
///
/// # Errors
/// Unknown, missing or wrong fields.
pub fn value<T: DeserializeOwned>(value: Value) -> Result<T, Problem> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let (unknown, message) = strict::at(&error.path().to_string(), &error.inner().to_string());
        Problem::said(if unknown { Code::UnknownField } else { Code::BadField }, message)
    })
}
