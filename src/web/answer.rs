//! Answers: JSON, with an entity tag where that helps.

use std::borrow::Cow;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::ETAG;
use serde::Serialize;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::canonical::sha256;

/// What every handler ends with.
pub type Answer = Result<HttpResponse, super::problem::Problem>;

/// 200 with a JSON body.
///
/// # Errors
/// None: the type is what handlers return.
pub fn ok<T: Serialize>(body: &T) -> Answer {
    json(StatusCode::OK, body)
}

/// 201 with a JSON body.
///
/// # Errors
/// None: the type is what handlers return.
pub fn created<T: Serialize>(body: &T) -> Answer {
    json(StatusCode::CREATED, body)
}

/// 204: done, nothing to say.
///
/// # Errors
/// None: the type is what handlers return.
pub fn nothing() -> Answer {
    Ok(HttpResponse::NoContent().finish())
}

fn json<T: Serialize>(status: StatusCode, body: &T) -> Answer {
    let text = serde_json::to_string(body).map_err(super::problem::Problem::internal)?;
    Ok(HttpResponse::build(status).content_type("application/json").body(text))
}

/// The entity tag of some bytes.
#[must_use]
pub fn tag(bytes: &[u8]) -> String {
    format!("\"{}\"", hex::encode(sha256(bytes).get(..16).unwrap_or_default()))
}

/// 200 with an entity tag, or 304 where the client has exactly this already.
///
/// # Errors
/// None: the type is what handlers return.
pub fn tagged(if_none_match: Option<&str>, media_type: &str, bytes: Vec<u8>) -> Answer {
    let tag = tag(&bytes);
    let known = if_none_match
        .into_iter()
        .flat_map(|value| value.split(','))
        .map(|one| one.trim().trim_start_matches("W/"))
        .any(|one| one == tag || one == "*");
    if known {
        return Ok(HttpResponse::NotModified().insert_header((ETAG, tag)).finish());
    }
    Ok(HttpResponse::Ok()
        .insert_header((ETAG, tag))
        .insert_header(("Cache-Control", "private, no-cache"))
        .content_type(media_type)
        .body(bytes))
}

/// A page of a list: at most `limit` items, and what to ask for next.
#[derive(Clone, Debug, Serialize)]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    /// The value of `after` for the next page; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

impl<T: ToSchema> PartialSchema for Page<T> {
    fn schema() -> RefOr<Schema> {
        let items = ArrayBuilder::new()
            .items(RefOr::Ref(Ref::from_schema_name(T::name())))
            .description(Some("The items."))
            .build();
        let next = ObjectBuilder::new()
            .schema_type(SchemaType::Type(Type::String))
            .description(Some("The value of `after` for the next page; absent on the last."))
            .build();
        let page = ObjectBuilder::new()
            .property("items", items)
            .required("items")
            .property("next", next)
            .description(Some("A page of a list: at most `limit` items, and what to ask for next."))
            .build();
        RefOr::T(Schema::Object(page))
    }
}

/// A page of every kind of line has a schema of its own: `AccountLinePage`.
impl<T: ToSchema> ToSchema for Page<T> {
    fn name() -> Cow<'static, str> {
        Cow::Owned(format!("{}Page", T::name()))
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(schemas);
    }
}

impl<T> Page<T> {
    /// Cuts a list that was read with one item too many.
    pub fn cut(mut items: Vec<T>, limit: usize, key: impl Fn(&T) -> String) -> Page<T> {
        let more = items.len() > limit;
        items.truncate(limit);
        let next = if more { items.last().map(key) } else { None };
        Page { items, next }
    }
}
