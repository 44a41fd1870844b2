//! QR codes for slips: of texts that are secret, so that they come in a body and stand in no log.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::desk::rights::Right;
use crate::web::answer::{Answer, ok};
use crate::web::context::{Body, RequestContext};
use crate::web::pages::qr::{Outline, outline};
use crate::web::problem::{Code, Problem};
use crate::web::routes::Table;
use crate::words::Message;

/// The most texts at once.
const TEXTS_MAX: usize = 200;

/// Texts to be shown as QR codes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    /// Up to 200 texts of up to 500 characters.
    texts: Vec<String>,
}

/// QR codes.
#[derive(Debug, Serialize, ToSchema)]
pub struct Outlines {
    /// One for each text, in order.
    items: Vec<Outline>,
}

pub(super) fn add(table: &mut Table) {
    table
        .post(
            "/api/v1/qr",
            Right::OwnAccount,
            "makeQrCodes",
            "QR codes of texts, as paths of SVG; nothing is kept",
        )
        .body::<Texts>()
        .answers::<Outlines>(200)
        .to(make);
}

async fn make(call: RequestContext, Body(body): Body<Texts>) -> Answer {
    let long = || Problem::said(Code::Refused, Message::plain("org-qr-long"));
    if body.texts.len() > TEXTS_MAX || body.texts.iter().any(|text| text.len() > 2000) {
        return Err(long());
    }
    let items = call
        .work(move |_| body.texts.iter().map(|text| outline(text).ok_or_else(long)).collect::<Result<_, _>>())
        .await?;
    ok(&Outlines { items })
}
