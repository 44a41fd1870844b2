//! The server's secret: 32 random bytes in a file beside the database, never in it.
//!
//! It opens the sealed master keys of events and is the root of the server's own keys. Whoever has the database
//! without this file has no deals and no sessions. The file is also the server's mark on its database: it is locked as
//! long as a server runs, so that no second one can write the same journals.

use std::fmt;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;

use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{Key, KeyInit, XChaCha20Poly1305, XNonce};
use hkdf::Hkdf;
use hmac::{Hmac, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::canonical::Hash;
use crate::dealing::Secret;
use crate::words::{Message, message, why};

/// The content of the key file.
pub struct ServerSecret {
    bytes: Zeroizing<[u8; 32]>,
    /// Locked while the server runs.
    _file: Option<fs::File>,
}

impl fmt::Debug for ServerSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerSecret(hidden)")
    }
}

impl ServerSecret {
    /// A secret from its bytes.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> ServerSecret {
        ServerSecret { bytes: Zeroizing::new(bytes), _file: None }
    }

    /// Reads the key file, or creates it, readable by its owner only, where there is none.
    ///
    /// # Errors
    /// One line that says what to do.
    pub fn load_or_create(path: &Path) -> Result<ServerSecret, Message> {
        if !path.exists() {
            create(path)?;
        }
        ServerSecret::load(path)
    }

    /// Reads the key file.
    ///
    /// # Errors
    /// One line that says what to do.
    pub fn load(path: &Path) -> Result<ServerSecret, Message> {
        let mut file = fs::File::open(path).map_err(|error| unread(path, &error))?;
        match file.try_lock() {
            // A file system without locks cannot be asked; whoever has one keeps to a single server.
            Ok(()) | Err(fs::TryLockError::Error(_)) => {}
            Err(fs::TryLockError::WouldBlock) => {
                return Err(message!("serve-twice", what = path.display()));
            }
        }
        let mut content = Zeroizing::new(Vec::new());
        file.read_to_end(&mut content).map_err(|error| unread(path, &error))?;
        let bytes = <[u8; 32]>::try_from(content.as_slice())
            .map_err(|_| message!("serve-key-length", file = path.display(), bytes = content.len()))?;
        Ok(ServerSecret { bytes: Zeroizing::new(bytes), _file: Some(file) })
    }

    /// What a database remembers of its key: it tells keys apart and opens nothing.
    #[must_use]
    pub fn id(&self) -> String {
        hex::encode(self.derived("key-id").as_slice())
    }

    /// What opens and seals master keys of events.
    #[must_use]
    pub fn sealing(&self) -> Secret {
        Secret::KeyFile(*self.bytes)
    }

    /// A key for one purpose.
    fn derived(&self, purpose: &str) -> Zeroizing<[u8; 32]> {
        let mut key = Zeroizing::new([0; 32]);
        // 32 bytes are always to be had from HKDF-SHA-256; a failure would leave zeros, so it is not ignored.
        let made = Hkdf::<Sha256>::new(Some(b"fushi-server/1"), self.bytes.as_slice())
            .expand(purpose.as_bytes(), key.as_mut_slice());
        debug_assert!(made.is_ok(), "HKDF gives 32 bytes");
        key
    }

    /// The CSRF token that belongs to a session token.
    #[must_use]
    pub fn csrf(&self, session: &str) -> String {
        let key = self.derived("csrf");
        let Ok(mut mac) = <Hmac<Sha256> as KeyInit>::new_from_slice(key.as_slice()) else {
            return String::new();
        };
        mac.update(session.as_bytes());
        hex::encode(mac.finalize().into_bytes())
    }

    /// The token of a free seat of the sample event.
    #[must_use]
    pub fn sample_token(&self, entrant: &str) -> String {
        hex::encode(self.derived(&format!("sample-seat|{entrant}")).as_slice())
    }

    /// What is stored of a code on a slip: codes are short, so their hash needs the secret.
    #[must_use]
    pub fn code_hash(&self, event: &str, code: &str) -> Hash {
        let key = self.derived("codes");
        let mut hash = [0; 32];
        if let Ok(mut mac) = <Hmac<Sha256> as KeyInit>::new_from_slice(key.as_slice()) {
            mac.update(event.as_bytes());
            mac.update(b"|");
            mac.update(code.as_bytes());
            hash.copy_from_slice(&mac.finalize().into_bytes());
        }
        hash
    }

    /// Encrypts a stored answer; `place` is authenticated with it.
    ///
    /// # Errors
    /// No randomness to be had.
    pub fn seal(&self, place: &str, plain: &[u8]) -> Result<Vec<u8>, String> {
        let mut nonce = [0; 24];
        getrandom::fill(&mut nonce).map_err(|error| error.to_string())?;
        let cipher = XChaCha20Poly1305::new(&Key::from(*self.derived("answers")));
        let sealed = cipher
            .encrypt(&XNonce::from(nonce), Payload { msg: plain, aad: place.as_bytes() })
            .map_err(|_| "cannot encrypt".to_owned())?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// Decrypts what [`ServerSecret::seal`] encrypted for the same place.
    #[must_use]
    pub fn open(&self, place: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, content) = sealed.split_first_chunk::<24>()?;
        let cipher = XChaCha20Poly1305::new(&Key::from(*self.derived("answers")));
        cipher.decrypt(&XNonce::from(*nonce), Payload { msg: content, aad: place.as_bytes() }).ok()
    }
}

fn unread(path: &Path, error: &std::io::Error) -> Message {
    message!("config-unreadable", file = path.display(), error = why(error))
}

/// Makes a key file: whole and on the disk, or not at all.
fn create(path: &Path) -> Result<(), Message> {
    let failed =
        |error: &std::io::Error| message!("serve-unwritable", file = path.display(), error = why(error));
    let mut bytes = Zeroizing::new([0; 32]);
    getrandom::fill(bytes.as_mut_slice()).map_err(|error| failed(&error.into()))?;
    let absolute = std::path::absolute(path).map_err(|error| failed(&error))?;
    let folder = absolute.parent().unwrap_or_else(|| Path::new("/"));
    // Temporary files are their owner's only.
    let mut file =
        tempfile::Builder::new().prefix(".fushi-").tempfile_in(folder).map_err(|error| failed(&error))?;
    file.write_all(bytes.as_slice())
        .and_then(|()| file.as_file().sync_all())
        .map_err(|error| failed(&error))?;
    match file.persist_noclobber(path) {
        Ok(_) => crate::store::sync_folder(path).map_err(|error| failed(&error)),
        // Another server was faster: its key is the one.
        Err(taken) if taken.error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(other) => Err(failed(&other.error)),
    }
}

/// A new random token: 256 bits as 64 hexadecimal digits.
///
/// # Errors
/// The operating system has no randomness to give.
pub fn fresh_token() -> Result<String, String> {
    let mut bytes = Zeroizing::new([0_u8; 32]);
    getrandom::fill(bytes.as_mut_slice()).map_err(|error| error.to_string())?;
    Ok(hex::encode(bytes.as_slice()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{Lang, say};

    #[test]
    fn the_key_file_is_made_once_and_only_for_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.key");
        let made = ServerSecret::load_or_create(&path).unwrap();
        let refused = || say(Lang::En, &ServerSecret::load_or_create(&path).unwrap_err());
        assert!(refused().contains("another server"), "{}", refused());
        let bytes = *made.bytes;
        drop(made);
        assert_eq!(*ServerSecret::load_or_create(&path).unwrap().bytes, bytes);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        fs::write(&path, b"short").unwrap();
        assert!(refused().contains("5 bytes"), "{}", refused());
    }

    #[test]
    fn answers_open_only_where_they_were_sealed() {
        let secret = ServerSecret::new([7; 32]);
        let sealed = secret.seal("a", b"token").unwrap();
        assert_eq!(secret.open("a", &sealed).as_deref(), Some(b"token".as_slice()));
        assert_eq!(secret.open("b", &sealed), None);
        assert_eq!(ServerSecret::new([8; 32]).open("a", &sealed), None);
        assert_eq!(secret.open("a", b"short"), None);
        assert_ne!(secret.csrf("one"), secret.csrf("two"));
    }
}
