//! Styles, scripts and pictures: embedded in the program, addressed by a hash of all of them, kept by browsers for a
//! year. Scripts name each other relatively, so that one hash is enough.
//!
//! In debug builds `FUSHI_ASSETS=FOLDER` serves them from a folder instead, unkept: for working on them.

use std::sync::LazyLock;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse, web};

use super::Shown;
use crate::canonical::sha256;
use crate::web::answer::tagged;
use crate::web::problem::{Code, Problem};

/// The pattern of their paths.
pub const PATH: &str = "/assets/{version}/{name}";

macro_rules! assets {
    ($($name:literal),* $(,)?) => {
        /// Every asset with its bytes.
        pub const ASSETS: &[(&str, &[u8])] =
            &[$(($name, include_bytes!(concat!("../assets/", $name)).as_slice())),*];
    };
}

assets![
    "app.js",
    "api.js",
    "asking.js",
    "base.css",
    "card.js",
    "cards.js",
    "chart.js",
    "board.css",
    "boards.js",
    "clocks.js",
    "desk-accounts.js",
    "desk-audit.js",
    "desk-checkin.js",
    "desk-entries.js",
    "desk-event.js",
    "desk-list.js",
    "desk-notice.js",
    "desk-new.js",
    "desk-rulings.js",
    "desk-scoring.js",
    "desk-settings.js",
    "desk-slips.js",
    "desk-venue.js",
    "desk.css",
    "desk.js",
    "decision.js",
    "floor.js",
    "floor.css",
    "board-file.js",
    "calls.js",
    "calls.css",
    "evidence.js",
    "live-table.js",
    "rules.js",
    "ruling-form.js",
    "sheet.js",
    "crosstab.js",
    "deal.js",
    "dark.css",
    "exact.js",
    "explain.js",
    "forms.js",
    "hand.js",
    "holdem.js",
    "icon.svg",
    "login.js",
    "net.js",
    "notice.js",
    "pager.js",
    "panels.js",
    "paper.css",
    "places.js",
    "play.css",
    "play.js",
    "projector.js",
    "replay.css",
    "replay.js",
    "results.css",
    "results.js",
    "scroll.js",
    "seat.js",
    "setup.js",
    "sound.js",
    "standings.js",
    "start.js",
    "store.js",
    "story.js",
    "table.js",
    "enter.js",
    "orders.js",
    "trial.js",
    "toast.js",
    "tuolaji.js",
    "wakeng.js",
    "watch.js",
    "who.js",
    "words.js",
];

static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut all = Vec::new();
    for (name, bytes) in ASSETS {
        all.extend_from_slice(name.as_bytes());
        all.extend_from_slice(&sha256(bytes));
    }
    hex::encode(sha256(&all)).chars().take(16).collect()
});

/// The address of an asset.
#[must_use]
pub fn address(name: &str) -> String {
    format!("/assets/{}/{name}", *VERSION)
}

/// The media type of a name.
fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, end)| end) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(debug_assertions)]
fn on_disk(name: &str) -> Option<Vec<u8>> {
    let folder = std::env::var_os("FUSHI_ASSETS")?;
    // Only names of the list: never a path that somebody made up.
    std::fs::read(std::path::Path::new(&folder).join(name)).ok()
}

#[cfg(not(debug_assertions))]
fn on_disk(_: &str) -> Option<Vec<u8>> {
    None
}

/// An asset. Under an old hash the present one is answered, but not kept.
///
/// # Errors
/// There is none of that name.
pub async fn asset(request: HttpRequest, path: web::Path<(String, String)>) -> Shown {
    let (version, name) = path.into_inner();
    let Some((name, bytes)) = ASSETS.iter().find(|(known, _)| *known == name) else {
        return Err(Problem::new(Code::NotFound));
    };
    if let Some(bytes) = on_disk(name) {
        return Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, media_type(name))).body(bytes));
    }
    let known = request.headers().get("if-none-match").and_then(|value| value.to_str().ok());
    let mut response = tagged(known, media_type(name), bytes.to_vec())?;
    if version == *VERSION {
        let kept = actix_web::http::header::HeaderValue::from_static("public, max-age=31536000, immutable");
        response.headers_mut().insert(CACHE_CONTROL, kept);
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_embedded_and_small_enough_to_read() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web/assets");
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let listed: Vec<&str> = ASSETS.iter().map(|(name, _)| *name).collect();
        assert_eq!(
            names,
            listed.iter().copied().collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>()
        );
        for (name, bytes) in ASSETS {
            let text = std::str::from_utf8(bytes).unwrap();
            assert_ne!(media_type(name), "application/octet-stream", "{name}");
            assert!(
                !media_type(name).starts_with("text/javascript") || text.lines().count() < 400,
                "{name} is too long"
            );
            // The name of SVG looks like an address and is none.
            let text = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!text.contains("http://") && !text.contains("https://"), "{name} names another server");
        }
    }
}
