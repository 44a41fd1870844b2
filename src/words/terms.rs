//! Words for identifiers that people read in many rooms: seats and positions.

use super::{Lang, Message, find};

/// A seat of a table, or both seats of a pair, as it stands beside a table's number or over a column: `东`, `A`, `东西`.
/// Compass seats have words, whose order is that of the language; others stay as they are.
#[must_use]
pub fn seat(lang: Lang, name: &str) -> String {
    compass(name).and_then(|id| find(lang, id)).unwrap_or_else(|| name.to_owned())
}

/// A seat as the thing that a sentence is about: `东`, `A 方位`, `3 号方位`.
#[must_use]
pub fn position(name: &str) -> Message {
    if let Some(id) = compass(name) {
        return Message::plain(id);
    }
    let number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    Message::plain(if number { "who-position-number" } else { "who-position" }).with("seat", name)
}

/// The state of an event that is kept with it.
#[must_use]
pub fn state(word: &str) -> Message {
    Message::plain(match word {
        "draft" => "pages-state-draft",
        "announced" => "pages-state-announced",
        "locked" => "pages-state-locked",
        "provisional" => "pages-state-provisional",
        "official" => "pages-state-official",
        _ => "pages-state-final",
    })
}

fn compass(name: &str) -> Option<&'static str> {
    Some(match name {
        "E" => "who-seat-e",
        "N" => "who-seat-n",
        "W" => "who-seat-w",
        "S" => "who-seat-s",
        "EW" => "who-seat-ew",
        "NS" => "who-seat-ns",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::say;
    use super::*;

    #[test]
    fn compass_seats_have_words_and_the_heads_of_pairs_their_order() {
        let said = |lang| ["E", "NS", "EW", "A", "10"].map(|name| seat(lang, name));
        assert_eq!(said(Lang::ZhCn), ["东", "南北", "东西", "A", "10"]);
        assert_eq!(said(Lang::ZhTw), ["東", "南北", "東西", "A", "10"]);
        assert_eq!(said(Lang::En), ["E", "NS", "EW", "A", "10"]);
        let told = ["W", "NS", "B", "10"].map(|name| say(Lang::ZhCn, &position(name)));
        assert_eq!(told, ["西", "南北", "B 方位", "10 号方位"]);
    }
}
