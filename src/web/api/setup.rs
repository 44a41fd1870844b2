//! The first start: a one-time link creates the chief organizer.

use serde::Deserialize;
use utoipa::ToSchema;
use zeroize::Zeroizing;

use super::accounts::{AccountLine, fresh_account};
use crate::canonical::sha256;
use crate::desk::accounts::{display_fault, name_fault, password_fault};
use crate::desk::people::People as _;
use crate::desk::rights::{Grant, Right, Role};
use crate::event::archive::ArchiveError;
use crate::web::App;
use crate::web::answer::{Answer, created};
use crate::web::context::{Body, RequestContext};
use crate::web::password;
use crate::web::problem::{Code, Problem};
use crate::web::routes::Table;
use crate::web::secret::fresh_token;
use crate::words::Message;

/// The chief organizer to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetupBody {
    /// The token of the setup link.
    token: String,
    /// The name to log in with.
    name: String,
    /// The name for people.
    display: String,
    /// The password.
    password: String,
}

pub(super) fn add(table: &mut Table) {
    table
        .post(
            "/api/v1/setup",
            Right::SeePublic,
            "setUp",
            "Creates the chief organizer with the token of the setup link",
        )
        .body::<SetupBody>()
        .answers::<AccountLine>(201)
        .attempt()
        .to(set_up);
}

/// A new setup link's token, as long as there is no account; the one before counts no more.
///
/// # Errors
/// The database.
pub async fn fresh_link(app: &App) -> Result<Option<String>, Message> {
    let app = app.clone();
    let made = tokio::task::spawn_blocking(move || {
        if app.store.count_accounts().map_err(|error| error.message())? > 0 {
            return Ok(None);
        }
        let token = fresh_token()?;
        let hash = hex::encode(sha256(token.as_bytes()));
        app.store.set_server_value("setup", &hash).map_err(|error| error.message())?;
        Ok(Some(token))
    });
    made.await.map_err(Message::verbatim)?
}

async fn set_up(call: RequestContext, Body(body): Body<SetupBody>) -> Answer {
    let wrong = || Problem::said(Code::BadCredentials, Message::plain("web-setup-gone"));
    let hash = sha256(body.token.as_bytes());
    let known = call.work(|call| Ok(call.app.store.server_value("setup")?)).await?;
    if known != Some(hex::encode(hash)) {
        return Err(wrong());
    }
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
    let grants = vec![Grant { role: Role::ChiefOrganizer, event: None }];
    let account = fresh_account(&body.name, &body.display, phc, grants, call.now)?;
    let line = AccountLine::of(&account);
    let made = call
        .work(move |call| {
            let mut audit = call.audit("set-up", "", &serde_json::Value::Null, &line.to_value());
            audit.who.clone_from(&line.name);
            match call.app.store.create_account(account, Some(hash), audit) {
                Err(ArchiveError::Missing(_)) => return Err(Problem::new(Code::BadCredentials)),
                other => other?,
            }
            // Even without its log the file is a database that somebody has, and offers no setup link.
            if let Err(error) = call.app.store.settle() {
                tracing::warn!(%error, "the newest writes stay in the log of the database for now");
            }
            Ok(line)
        })
        .await?;
    created(&made)
}
