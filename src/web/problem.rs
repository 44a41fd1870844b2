//! What is refused, and how: RFC 9457 problem details with stable codes, in the asker's language.

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;

use crate::canonical;
use crate::event::EventError;
use crate::event::archive::ArchiveError;
use crate::event::ledger::LedgerError;
use crate::event::log::LogError;
use crate::formats::Refused;
use crate::formats::ruling::RulingFault;
use crate::games::Fault;
use crate::journal::{DeskRefused, EventFault};
use crate::words::{Lang, Message, say};

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal $status:literal $title:literal,)*) => {
        /// Why something was refused. Codes and statuses are a promised interface.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The code as clients see it.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Code::$name => $code,)* }
            }

            /// The HTTP status.
            #[must_use]
            pub const fn number(self) -> u16 {
                match self { $(Code::$name => $status,)* }
            }

            /// The sentence that is its title.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }
        }
    };
}

codes! {
    /// The body is not JSON, or not an object.
    BadJson = "bad_json" 400 "web-title-bad-json",
    /// A field that the endpoint does not have.
    UnknownField = "unknown_field" 400 "web-title-unknown-field",
    /// A field is missing or of the wrong type.
    BadField = "bad_field" 400 "web-title-bad-field",
    /// A query parameter that the endpoint does not have, or of the wrong type.
    BadQuery = "bad_query" 400 "web-title-bad-query",
    /// A header that is needed is missing or wrong.
    BadHeader = "bad_header" 400 "web-title-bad-header",
    /// The request cannot be read at all.
    BadRequest = "bad_request" 400 "web-title-bad-request",
    /// Nobody is logged in.
    NotSignedIn = "not_signed_in" 401 "web-title-not-signed-in",
    /// Name and password do not fit, or a code or token does not exist.
    BadCredentials = "bad_credentials" 401 "web-title-bad-credentials",
    /// The asker has not the right.
    Forbidden = "forbidden" 403 "web-title-forbidden",
    /// A cookie session without its CSRF token.
    Csrf = "csrf" 403 "web-title-csrf",
    /// A page of another server asks.
    WrongOrigin = "wrong_origin" 403 "web-title-wrong-origin",
    /// The event is not played from this network.
    WrongNetwork = "wrong_network" 403 "web-title-wrong-network",
    /// The board is still being played somewhere.
    Sealed = "sealed" 403 "web-title-sealed",
    /// Nothing is there.
    NotFound = "not_found" 404 "web-title-not-found",
    /// Not this method.
    MethodNotAllowed = "method_not_allowed" 405 "web-title-method-not-allowed",
    /// It exists already.
    Exists = "exists" 409 "web-title-exists",
    /// The event is not in the stage for this.
    Stage = "stage" 409 "web-title-stage",
    /// The same idempotency key was used with another request.
    KeyReused = "idempotency_key_reused" 409 "web-title-key-reused",
    /// The first request with this key is not answered, or its answer was lost.
    KeyPending = "idempotency_key_pending" 409 "web-title-key-pending",
    /// Somebody else has changed it in the meantime.
    Changed = "changed" 412 "web-title-changed",
    /// The body is too large.
    TooLarge = "body_too_large" 413 "web-title-too-large",
    /// Not the media type that the endpoint reads.
    MediaType = "unsupported_media_type" 415 "web-title-media-type",
    /// It can be read, but it cannot be.
    Refused = "refused" 422 "web-title-refused",
    /// Too many requests.
    TooMany = "rate_limited" 429 "web-title-too-many",
    /// Too many failed logins.
    LockedOut = "locked_out" 429 "web-title-locked-out",
    /// Something broke on the server.
    Internal = "internal" 500 "web-title-internal",
    /// Too busy now: try again.
    Busy = "busy" 503 "web-title-busy",
}

/// What exactly was wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Nothing more than the title.
    None,
    /// A sentence in every language.
    Said(Message),
    /// A sentence of a room that speaks English only.
    Text(String),
}

/// One of several things that are wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OneFault {
    /// Stable code.
    pub code: String,
    /// What is wrong, one line; in a response it is in the asker's language.
    pub message: String,
    /// The same for a reader of any language.
    #[serde(skip)]
    pub told: Message,
}

impl OneFault {
    /// A fault with its code and sentence.
    pub fn new(code: impl Into<String>, told: Message) -> OneFault {
        OneFault { code: code.into(), message: say(Lang::En, &told), told }
    }
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Why.
    pub code: Code,
    /// What exactly.
    pub detail: Detail,
    /// Everything that is wrong, where that is several things.
    pub faults: Vec<OneFault>,
    /// After how many seconds to try again.
    pub retry_after: Option<u64>,
}

impl Problem {
    /// A refusal with nothing more to say.
    #[must_use]
    pub const fn new(code: Code) -> Problem {
        Problem { code, detail: Detail::None, faults: Vec::new(), retry_after: None }
    }

    /// A refusal with a sentence.
    #[must_use]
    pub const fn said(code: Code, message: Message) -> Problem {
        Problem { code, detail: Detail::Said(message), faults: Vec::new(), retry_after: None }
    }

    /// A refusal with a sentence of another room.
    #[must_use]
    pub fn text(code: Code, text: impl Into<String>) -> Problem {
        Problem { code, detail: Detail::Text(text.into()), faults: Vec::new(), retry_after: None }
    }

    /// Nothing of that kind and name.
    #[must_use]
    pub fn missing(what: impl fmt::Display) -> Problem {
        Problem::said(Code::NotFound, Message::plain("web-missing").with("what", what))
    }

    /// A fault of the server. The reason goes to the log, not to the client.
    #[must_use]
    pub fn internal(reason: impl fmt::Display) -> Problem {
        tracing::error!(%reason, "internal error");
        Problem::new(Code::Internal)
    }

    /// Several things are wrong: the first is the detail, all of them are listed.
    #[must_use]
    pub fn faults(faults: impl IntoIterator<Item = (String, Message)>) -> Problem {
        let faults: Vec<OneFault> =
            faults.into_iter().map(|(code, told)| OneFault::new(code, told)).collect();
        let first = faults.first().map(|fault| fault.told.clone());
        let detail = first.map_or(Detail::None, Detail::Said);
        Problem { code: Code::Refused, detail, faults, retry_after: None }
    }

    /// The same, to be tried again after so many seconds.
    #[must_use]
    pub const fn after(mut self, seconds: u64) -> Problem {
        self.retry_after = Some(seconds);
        self
    }

    /// The refusal as a response in a language.
    #[must_use]
    pub fn response(&self, lang: Lang) -> HttpResponse {
        #[derive(Serialize)]
        struct Body {
            r#type: String,
            title: String,
            status: u16,
            detail: String,
            code: &'static str,
            #[serde(skip_serializing_if = "Vec::is_empty")]
            faults: Vec<OneFault>,
        }
        let told = |fault: &OneFault| OneFault { message: say(lang, &fault.told), ..fault.clone() };
        let title = say(lang, &Message::plain(self.code.title()));
        let detail = match &self.detail {
            Detail::None => title.clone(),
            Detail::Said(message) => say(lang, message),
            Detail::Text(text) => text.clone(),
        };
        let body = Body {
            r#type: format!("urn:fushi:problem:{}", self.code.code()),
            title,
            status: self.code.number(),
            detail,
            code: self.code.code(),
            faults: self.faults.iter().map(told).collect(),
        };
        let mut response = HttpResponse::build(self.status_code());
        response.insert_header((CONTENT_TYPE, HeaderValue::from_static("application/problem+json")));
        if let Some(seconds) = self.retry_after {
            response.insert_header((RETRY_AFTER, seconds.to_string()));
        }
        if self.code == Code::NotSignedIn {
            response.insert_header(("WWW-Authenticate", "Bearer"));
        }
        response.body(serde_json::to_string(&body).unwrap_or_default())
    }

    /// What a status stands for that no handler of ours has made.
    #[must_use]
    pub fn of_status(status: StatusCode) -> Problem {
        let code = match status.as_u16() {
            404 => Code::NotFound,
            405 => Code::MethodNotAllowed,
            413 => Code::TooLarge,
            415 => Code::MediaType,
            503 => Code::Busy,
            400..=499 => Code::BadRequest,
            _ => Code::Internal,
        };
        Problem::new(code)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code.code())
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.code.number()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// In English; the gate puts it into the asker's language.
    fn error_response(&self) -> HttpResponse {
        self.response(Lang::En)
    }
}

impl From<ArchiveError> for Problem {
    fn from(error: ArchiveError) -> Problem {
        match error {
            ArchiveError::Exists(what) => {
                Problem::said(Code::Exists, Message::plain("web-exists").with("what", what))
            }
            ArchiveError::Missing(what) => Problem::missing(what),
            ArchiveError::Changed(_) => Problem::new(Code::Changed),
            ArchiveError::Failed(reason) => {
                tracing::error!(%reason, "the database failed");
                Problem::new(Code::Busy).after(1)
            }
        }
    }
}

impl From<EventError> for Problem {
    fn from(error: EventError) -> Problem {
        match error {
            EventError::Setting(text) => Problem::text(Code::Refused, text),
            EventError::Said(message) => Problem::said(Code::Refused, message),
            EventError::Deal(error) => Problem {
                code: Code::Refused,
                detail: Detail::Said(error.message()),
                faults: vec![OneFault::new(error.code(), error.message())],
                retry_after: None,
            },
            EventError::Archive(error) => error.into(),
            EventError::Refused(refused) => (*refused).into(),
            EventError::Ruling(fault) => Problem::said(Code::Refused, fault.message()),
            EventError::Tally(fault) => Problem::said(Code::Refused, fault.message()),
            EventError::Ending => Problem::new(Code::Busy).after(1),
            EventError::Damaged(reason) => Problem::internal(reason),
            EventError::Stuck { .. } | EventError::Write(_) => Problem::internal(error),
        }
    }
}

impl From<LogError> for Problem {
    fn from(error: LogError) -> Problem {
        match error {
            LogError::Event(error) => error.into(),
            LogError::Refused(EventFault::Refused(refused)) => (*refused).into(),
            LogError::Refused(EventFault::Desk(DeskRefused::Already)) => {
                Problem::said(Code::Exists, DeskRefused::Already.message())
            }
            LogError::Refused(fault) => Problem::said(Code::Refused, fault.message()),
            LogError::Changed => Problem::new(Code::Changed),
            LogError::NotOver => Problem::said(Code::Stage, Message::plain("web-not-over")),
            LogError::Stale | LogError::Elsewhere | LogError::Ledger(LedgerError::Busy) => {
                Problem::new(Code::Busy).after(1)
            }
            LogError::Ledger(LedgerError::Lost(reason) | LedgerError::Failed(reason)) => {
                tracing::error!(%reason, "a line of an event's journal was not written");
                Problem::new(Code::Changed)
            }
            LogError::Full => Problem::said(Code::Refused, error.message()),
        }
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Problem {
        let code = match &refused {
            Refused::Ruling(RulingFault::Number(next)) => {
                let told = Message::plain("web-ruling-number").with("next", *next);
                return Problem::said(Code::Exists, told);
            }
            Refused::Ruling(fault) => return Problem::said(Code::Refused, fault.message()),
            Refused::RoundStarted(_) | Refused::BellRang(_) | Refused::Paused(_) => Code::Exists,
            Refused::UnknownRound(_) | Refused::UnknownSitting(_) => Code::NotFound,
            Refused::StageNotOver(_)
            | Refused::StageClosed(_)
            | Refused::OtherStage(_)
            | Refused::EarlierRound(_)
            | Refused::RoundRuns(_)
            | Refused::DrawDue
            | Refused::NotLocked
            | Refused::Locked
            | Refused::Ended => Code::Stage,
            _ => Code::Refused,
        };
        Problem {
            code,
            detail: Detail::Said(refused.message()),
            faults: vec![OneFault::new(refused.code(), refused.message())],
            retry_after: None,
        }
    }
}

impl From<Vec<Fault>> for Problem {
    fn from(faults: Vec<Fault>) -> Problem {
        Problem::faults(faults.into_iter().map(|fault| (fault.code.to_owned(), fault.told)))
    }
}

impl From<canonical::CanonicalError> for Problem {
    fn from(error: canonical::CanonicalError) -> Problem {
        Problem::text(Code::Refused, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_code_is_its_own_and_has_a_title_in_every_language() {
        let codes: BTreeSet<_> = Code::ALL.iter().map(|code| code.code()).collect();
        assert_eq!(codes.len(), Code::ALL.len());
        for code in Code::ALL {
            let titles: BTreeSet<_> =
                Lang::ALL.iter().map(|lang| say(*lang, &Message::plain(code.title()))).collect();
            assert!(!titles.contains(code.title()), "{} has no title", code.title());
            assert!(titles.len() >= 2, "{} is not translated", code.title());
            assert_eq!(Problem::new(*code).status_code().as_u16(), code.number());
            let line = format!("| `{}` | {} |", code.code(), code.number());
            assert!(include_str!("../../docs/api.md").contains(&line), "docs/api.md does not say {line}");
        }
    }
}
