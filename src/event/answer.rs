//! Commands and their answers: the same id and body gets the same answer for ever.

use serde::{Deserialize, Serialize};

use crate::canonical::{Hash, sha256};
use crate::words::{Lang, Message, say};

/// The longest command id.
pub const ID_MAX: usize = 64;

/// An id that a client made for a command.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(String);

impl CommandId {
    /// Reads an id: 1 to 64 letters, digits and `. _ : -`.
    #[must_use]
    pub fn read(text: &str) -> Option<CommandId> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte);
        ((1..=ID_MAX).contains(&text.len()) && text.bytes().all(plain)).then(|| CommandId(text.to_owned()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why a command was refused: a stable code and the sentence in every language, so that the answer of today can be
/// given again next week.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    /// Stable code.
    pub code: String,
    /// The sentence in the order of [`Lang::ALL`].
    pub say: [String; 3],
}

impl Refused {
    /// A refusal with a translated sentence.
    #[must_use]
    pub fn new(code: &str, message: &Message) -> Refused {
        Refused { code: code.to_owned(), say: Lang::ALL.map(|lang| say(lang, message)) }
    }

    /// A refusal by one of the table's own codes; its sentence is `tables-CODE`.
    #[must_use]
    pub fn by(code: &'static str) -> Refused {
        let id = match code {
            "malformed" => "tables-malformed",
            "no_play" => "tables-no-play",
            "conflict" => "tables-conflict",
            "busy" => "tables-busy",
            "try_again" => "tables-try-again",
            "stopped" => "tables-stopped",
            "unsuitable" => "tables-unsuitable",
            "called" => "tables-called",
            _ => "tables-over",
        };
        Refused::new(code, &Message { id, args: Vec::new() })
    }

    /// The sentence in a language.
    #[must_use]
    pub fn sentence(&self, lang: Lang) -> &str {
        let place = Lang::ALL.iter().position(|other| *other == lang).unwrap_or(0);
        self.say.get(place).map_or("", String::as_str)
    }
}

/// The answer to a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// It stands in the journal as line number so-and-so.
    Accepted(u32),
    /// It changed nothing.
    Refused(Refused),
}

/// An answer that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// SHA-256 of the command's body.
    pub body: Hash,
    /// The answer.
    pub answer: Answer,
}

/// The hash by which two commands of one id are the same or not.
#[must_use]
pub fn body_hash(text: &str, after: Option<u32>) -> Hash {
    let after = after.map_or_else(|| "-".to_owned(), |after| after.to_string());
    sha256(format!("{after}|{text}").as_bytes())
}
