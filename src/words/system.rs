//! What the system says when it cannot open, read or write something, in the reader's language. The English words are
//! the system's own, so that they can be looked up.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};

use super::{Lang, Message, Part, message, say};

/// A refusal of our own on the way of the system's errors.
#[derive(Debug)]
struct Ours(Message);

impl fmt::Display for Ours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&say(Lang::En, &self.0))
    }
}

impl Error for Ours {}

/// An error with a sentence of our own.
pub(crate) fn refused(sentence: Message) -> io::Error {
    io::Error::other(Ours(sentence))
}

/// Why something cannot be read or written, as a part of a sentence.
pub(crate) fn why(error: &io::Error) -> Part {
    if let Some(Ours(sentence)) = error.get_ref().and_then(|inner| inner.downcast_ref::<Ours>()) {
        return Part::Said(sentence.clone());
    }
    let ours = match error.kind() {
        ErrorKind::NotFound => message!("io-not-found"),
        ErrorKind::PermissionDenied => message!("io-denied"),
        ErrorKind::AlreadyExists => message!("io-exists"),
        ErrorKind::IsADirectory => message!("io-folder"),
        ErrorKind::NotADirectory => message!("io-no-folder"),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => message!("io-full"),
        ErrorKind::ReadOnlyFilesystem => message!("io-read-only"),
        ErrorKind::InvalidData => message!("io-not-utf8"),
        ErrorKind::UnexpectedEof => message!("io-breaks-off"),
        ErrorKind::BrokenPipe => message!("io-gone"),
        ErrorKind::InvalidInput => message!("io-invalid"),
        ErrorKind::FileTooLarge => message!("io-too-long"),
        ErrorKind::ConnectionRefused => message!("io-refused"),
        ErrorKind::AddrInUse => message!("io-in-use"),
        ErrorKind::AddrNotAvailable => message!("io-no-address"),
        _ => message!("io-other", text = error),
    };
    Part::Library(error.to_string(), ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_keeps_the_words_of_the_system_and_chinese_has_its_own() {
        let told = |error: &io::Error, lang| say(lang, &message!("cli-stdout", error = why(error)));
        let missing = std::fs::read("/no/such/file").unwrap_err();
        assert_eq!(told(&missing, Lang::En), format!("cannot write to standard output: {missing}"));
        assert_eq!(told(&missing, Lang::ZhTw), "無法寫到標準輸出：沒有這個檔案或資料夾");
        let ours = refused(message!("cli-folder"));
        assert_eq!(told(&ours, Lang::En), "cannot write to standard output: it is a folder");
        assert_eq!(told(&ours, Lang::ZhCn), "无法写到标准输出：它是文件夹");
    }
}
