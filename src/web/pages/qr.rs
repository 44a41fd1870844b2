//! QR codes as outlines, for slips and notice boards. Never a picture from elsewhere: what is in a code may be secret.

use std::fmt::Write as _;

use fast_qr::{ECL, QRBuilder};
use maud::{Markup, html};
use serde::Serialize;
use utoipa::ToSchema;

/// The quiet zone round a code, modules.
const QUIET: usize = 4;

/// A QR code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Outline {
    /// Width and height with the quiet zone, modules.
    pub size: usize,
    /// The dark modules as the `d` of an SVG path.
    pub path: String,
}

/// The code of a text; `None` where it is too long for one.
#[must_use]
pub fn outline(text: &str) -> Option<Outline> {
    let code = QRBuilder::new(text).ecl(ECL::M).build().ok()?;
    let mut path = String::new();
    for y in 0..code.size {
        let mut x = 0;
        while x < code.size {
            let from = x;
            while x < code.size && code[y][x].value() {
                x += 1;
            }
            if x > from {
                let _ = write!(path, "M{} {}h{}v1h-{}z", from + QUIET, y + QUIET, x - from, x - from);
            } else {
                x += 1;
            }
        }
    }
    Some(Outline { size: code.size + 2 * QUIET, path })
}

/// The code of a text as a picture with a label for ears.
#[must_use]
pub fn picture(text: &str, label: &str) -> Markup {
    let code = outline(text).unwrap_or(Outline { size: 1, path: String::new() });
    html! {
        svg.qr role="img" aria-label=(label) viewBox={ "0 0 " (code.size) " " (code.size) } {
            rect.paper width="100%" height="100%" {}
            path.ink d=(code.path) {}
        }
    }
}

/// A hash in eight groups.
#[must_use]
pub fn groups(hash: &str) -> Vec<&str> {
    (0..8).filter_map(|at| hash.get(at * 8..at * 8 + 8)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_its_three_corners_and_a_quiet_zone() {
        let code = outline("http://192.168.1.5:8080/seat?event=e1#code=7KQ2M-X0DPA").unwrap();
        assert!(code.path.starts_with("M4 4h7v1h-7z"), "{}", code.path);
        assert!(code.path.contains(&format!("M{} 4h7v1h-7z", code.size - 11)));
        assert!(code.path.contains(&format!("M4 {}h7v1h-7z", code.size - 5)));
        assert_eq!(outline(&"x".repeat(5000)), None);
    }
}
