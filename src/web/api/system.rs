//! Health, readiness, metrics, the description of the API, and what is nowhere.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use actix_web::http::header::{CONTENT_SECURITY_POLICY, LOCATION};
use actix_web::{HttpResponse, web};
use serde::Serialize;
use utoipa::ToSchema;

use crate::desk::network::within;
use crate::desk::rights::Right;
use crate::web::answer::{Answer, ok, tagged};
use crate::web::context::RequestContext;
use crate::web::problem::{Code, Problem};
use crate::web::routes::Table;

/// How the server is.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Health {
    /// `ok`.
    pub status: &'static str,
    /// The program's version.
    pub version: &'static str,
}

pub(super) fn add(table: &mut Table) {
    table
        .get("/healthz", Right::SeePublic, "health", "Whether the process answers")
        .answers::<Health>(200)
        .to(health);
    table
        .get("/readyz", Right::SeePublic, "ready", "Whether the server can work: the database takes writes")
        .answers::<Health>(200)
        .to(ready);
    table
        .get("/metrics", Right::SeePublic, "metrics", "Metrics for Prometheus, for the networks configured")
        .answers_file(&["application/openmetrics-text"])
        .to(metrics);
    table
        .get("/api/openapi.json", Right::SeePublic, "openApi", "This document")
        .answers_file(&["application/json"])
        .to(document);
    table
        .get("/api/docs", Right::SeePublic, "docsHome", "Leads to the pages that show this document")
        .status(308)
        .to(docs_home);
    table
        .get(
            "/api/docs/{file:.*}",
            Right::SeePublic,
            "docs",
            "Pages that show this document, without any other server",
        )
        .answers_file(&["text/html", "text/css", "text/javascript", "image/png"])
        .to(docs);
    table.schema_of::<super::ProblemDetails>();
}

const HEALTHY: Health = Health { status: "ok", version: env!("CARGO_PKG_VERSION") };

async fn health(_call: RequestContext) -> Answer {
    ok(&HEALTHY)
}

async fn ready(call: RequestContext) -> Answer {
    if call.app.stopping.load(Ordering::Relaxed) {
        return Err(Problem::new(Code::Busy).after(5));
    }
    call.work(|call| {
        call.app.store.writable().map_err(|error| {
            tracing::error!(%error, "the database takes no writes");
            Problem::new(Code::Busy).after(1)
        })
    })
    .await?;
    ok(&HEALTHY)
}

async fn metrics(call: RequestContext) -> Answer {
    if !within(&call.app.config.metrics_from, call.address) {
        return Err(Problem::new(Code::NotFound));
    }
    Ok(HttpResponse::Ok()
        .content_type("application/openmetrics-text; version=1.0.0; charset=utf-8")
        .body(call.app.metrics.text()))
}

async fn document(call: RequestContext) -> Answer {
    let text = call.app.table.open_api().to_json().map_err(Problem::internal)?;
    tagged(call.if_none_match.as_deref(), "application/json", text.into_bytes())
}

async fn docs_home(_call: RequestContext) -> Answer {
    Ok(HttpResponse::PermanentRedirect().insert_header((LOCATION, "/api/docs/")).finish())
}

async fn docs(_call: RequestContext, file: web::Path<String>) -> Answer {
    let config = Arc::new(utoipa_swagger_ui::Config::from("/api/openapi.json").validator_url("none"));
    let file = utoipa_swagger_ui::serve(&file, config).map_err(|error| Problem::internal(&error))?;
    let file = file.ok_or_else(|| Problem::new(Code::NotFound))?;
    let mut response = HttpResponse::Ok();
    if file.gzpipped {
        response.insert_header(("Content-Encoding", "gzip"));
    }
    let policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                  frame-ancestors 'none'; base-uri 'none'";
    Ok(response
        .insert_header((CONTENT_SECURITY_POLICY, policy))
        .content_type(file.content_type)
        .body(file.bytes.into_owned()))
}

/// The answer to every path that is not in the table.
///
/// # Errors
/// Always [`Code::NotFound`].
pub async fn nothing_here() -> Answer {
    Err(Problem::new(Code::NotFound))
}
