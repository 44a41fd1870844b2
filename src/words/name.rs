//! Names for people as they may enter an event: what a referee reads is what stands there.
//!
//! Nothing is changed or dropped here; a name is taken as it is or refused.

/// Whether a character is not seen where it stands, or changes how the text around it is shown: control characters,
/// line and paragraph separators, direction controls, zero-width blanks, byte order marks, tags. The joiners that
/// some scripts need are not among them.
#[must_use]
pub fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// Whether a character leaves nothing on paper: blanks, joiners, variation selectors, fillers.
fn is_empty(letter: char) -> bool {
    letter.is_whitespace()
        || is_hidden(letter)
        || matches!(letter,
            '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{200c}' | '\u{200d}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0100}'..='\u{e01ef}')
}

/// Whether a text is a name: 1 to `most` characters on one line, no blank at the ends, nothing hidden in it, and at
/// least one character that is seen.
#[must_use]
pub fn is_name(text: &str, most: usize) -> bool {
    text.chars().count() <= most
        && text.trim() == text
        && !text.chars().any(is_hidden)
        && !text.chars().all(is_empty)
}

/// A text with a blank for everything hidden, so that it can stand on one line as it is read.
#[must_use]
pub fn in_sight(text: &str) -> String {
    text.chars().map(|letter| if is_hidden(letter) { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_seen_as_they_are() {
        for name in
            ["李伟", "A", "José Núñez", "O’Brien", "=1+1", "می\u{200c}خواهم", "👩\u{200d}🚀", "王 / 李"]
        {
            assert!(is_name(name, 100), "{name}");
        }
        for name in [
            "",
            " ",
            "\u{3000}",
            "A ",
            " A",
            "A\nB",
            "A\tB",
            "A\u{0}",
            "A\u{7f}",
            "A\u{85}B",
            "A\u{202e}B",
            "\u{2066}A\u{2069}",
            "A\u{200f}",
            "A\u{61c}",
            "A\u{200b}B",
            "\u{feff}A",
            "A\u{2028}B",
            "\u{3164}",
            "\u{200d}",
            "\u{2800}\u{2800}",
            "A\u{e0041}",
            "A\u{ad}B",
        ] {
            assert!(!is_name(name, 100), "{name:?}");
        }
        assert!(is_name(&"长".repeat(100), 100) && !is_name(&"长".repeat(101), 100));
        assert_eq!(in_sight("A\u{202e}B\nC"), "A B C");
    }
}
