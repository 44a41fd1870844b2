//! The master key at rest: encrypted with something the organizer keeps outside the database, so that a stolen
//! database gives no deals.
//!
//! XChaCha20-Poly1305 under a key from a passphrase (Argon2id) or from a key file of 32 bytes. Event id, format and
//! parameters are authenticated with it: a sealed key moved to another event does not open.

use std::fmt;

use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{Key, KeyInit, XChaCha20Poly1305, XNonce};
use hkdf::Hkdf;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::{DealError, MasterKey, fields, hex32};
use crate::canonical::Hash;

const FORMAT: &str = "fushi-sealed-key/1";
const FILE_INFO: &[u8] = b"fushi-sealed-key/1|file|";

/// What opens a sealed key.
#[derive(Zeroize, ZeroizeOnDrop)]
pub enum Secret {
    /// A passphrase, as typed: at least 8 bytes.
    Passphrase(String),
    /// The content of a key file: 32 random bytes.
    KeyFile([u8; 32]),
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(hidden)")
    }
}

impl Secret {
    /// A passphrase; line ends at its end (from a file or a pipe) are not part of it.
    ///
    /// # Errors
    /// `weak_passphrase`: shorter than 8 bytes, or longer than 1024.
    pub fn passphrase(text: &str) -> Result<Secret, DealError> {
        let text = text.trim_end_matches(['\r', '\n']);
        if (8..=1024).contains(&text.len()) {
            Ok(Secret::Passphrase(text.to_owned()))
        } else {
            Err(DealError::WeakPassphrase)
        }
    }

    /// The content of a key file: exactly 32 bytes.
    ///
    /// # Errors
    /// `bad_key_file`.
    pub fn key_file(content: &[u8]) -> Result<Secret, DealError> {
        <[u8; 32]>::try_from(content)
            .map(Secret::KeyFile)
            .map_err(|_| DealError::BadKeyFile { found: content.len() })
    }
}

/// Random values for sealing once: never reuse them. From [`super::fresh_seal`].
#[derive(Clone, Debug)]
pub struct SealRandom {
    /// Salt of the key derivation.
    pub salt: [u8; 32],
    /// Nonce of the cipher.
    pub nonce: [u8; 24],
}

/// What Argon2id costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KdfCost {
    /// Memory in KiB.
    pub memory_kib: u32,
    /// Passes over it.
    pub passes: u32,
}

impl Default for KdfCost {
    /// 64 MiB, three passes: the memory-constrained choice of RFC 9106.
    fn default() -> KdfCost {
        KdfCost { memory_kib: 65_536, passes: 3 }
    }
}

impl KdfCost {
    /// The least that is accepted: what a passphrase must cost whoever stole a database.
    pub const LEAST: KdfCost = KdfCost { memory_kib: 8_192, passes: 1 };
    /// The most that is accepted: opening a hostile file must not exhaust the machine.
    pub const MOST: KdfCost = KdfCost { memory_kib: 1_048_576, passes: 16 };

    fn in_bounds(self) -> bool {
        (KdfCost::LEAST.memory_kib..=KdfCost::MOST.memory_kib).contains(&self.memory_kib)
            && (KdfCost::LEAST.passes..=KdfCost::MOST.passes).contains(&self.passes)
    }
}

/// Reading a key is an audited event: what the caller must log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyRead {
    /// The event whose key was read.
    pub event: String,
    /// What it was read for.
    pub why: String,
    /// Whether it opened.
    pub opened: bool,
}

/// A sealed master key, as stored: JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed {
    /// `fushi-sealed-key/1`.
    format: String,
    /// The event it belongs to.
    event: String,
    /// The cost of the passphrase; `null` when a key file opens it.
    argon2id: Option<KdfCost>,
    /// Salt of the key derivation.
    #[serde(with = "hex32::one")]
    salt: Hash,
    /// Nonce, 48 hexadecimal digits.
    nonce: String,
    /// Encrypted key and tag, 96 hexadecimal digits.
    content: String,
}

impl Sealed {
    /// Seals the master key of an event. `cost` counts for a passphrase only.
    ///
    /// # Errors
    /// `bad_sealed_key`: the cost is out of bounds.
    pub fn seal(
        master: &MasterKey,
        event_id: &str,
        secret: &Secret,
        cost: KdfCost,
        random: &SealRandom,
    ) -> Result<Sealed, DealError> {
        let mut sealed = Sealed {
            format: FORMAT.to_owned(),
            event: event_id.to_owned(),
            argon2id: matches!(secret, Secret::Passphrase(_)).then_some(cost),
            salt: random.salt,
            nonce: hex::encode(random.nonce),
            content: String::new(),
        };
        let cipher = sealed.cipher(secret)?;
        let payload = Payload { msg: master.expose().as_slice(), aad: &sealed.aad() };
        let bytes =
            cipher.encrypt(&XNonce::from(random.nonce), payload).map_err(|_| DealError::BadSealedKey)?;
        sealed.content = hex::encode(bytes);
        Ok(sealed)
    }

    /// Opens the key of an event. `log` is told of every attempt before the key is handed out.
    ///
    /// # Errors
    /// `wrong_event`, `bad_sealed_key`, `wrong_secret`.
    pub fn open(
        &self,
        event_id: &str,
        secret: &Secret,
        why: &str,
        log: impl FnOnce(&KeyRead),
    ) -> Result<MasterKey, DealError> {
        let opened = self.decrypt(event_id, secret);
        log(&KeyRead { event: event_id.to_owned(), why: why.to_owned(), opened: opened.is_ok() });
        opened
    }

    /// Whether a passphrase opens it (else a key file does).
    #[must_use]
    pub const fn wants_passphrase(&self) -> bool {
        self.argon2id.is_some()
    }

    /// The stored text, one line of JSON.
    #[must_use]
    pub fn to_text(&self) -> String {
        // Strings and integers only: this always has a canonical form.
        crate::canonical::to_string(self).unwrap_or_default()
    }

    /// Reads the stored text.
    ///
    /// # Errors
    /// `bad_sealed_key`.
    pub fn parse(text: &str) -> Result<Sealed, DealError> {
        if text.len() > 4096 {
            return Err(DealError::BadSealedKey);
        }
        let sealed: Sealed = serde_json::from_str(text).map_err(|_| DealError::BadSealedKey)?;
        if sealed.format != FORMAT {
            return Err(DealError::SealedFormat { found: sealed.format.chars().take(40).collect() });
        }
        Ok(sealed)
    }

    fn decrypt(&self, event_id: &str, secret: &Secret) -> Result<MasterKey, DealError> {
        if self.event != event_id {
            return Err(DealError::WrongEvent { found: self.event.chars().take(64).collect() });
        }
        if self.wants_passphrase() != matches!(secret, Secret::Passphrase(_)) {
            return Err(DealError::OtherSecret { passphrase: self.wants_passphrase() });
        }
        let mut nonce = [0; 24];
        hex::decode_to_slice(&self.nonce, &mut nonce).map_err(|_| DealError::BadSealedKey)?;
        let bytes = hex::decode(&self.content).map_err(|_| DealError::BadSealedKey)?;
        let payload = Payload { msg: &bytes, aad: &self.aad() };
        let plain = self
            .cipher(secret)?
            .decrypt(&XNonce::from(nonce), payload)
            .map(Zeroizing::new)
            .map_err(|_| DealError::WrongSecret)?;
        let key = <[u8; 32]>::try_from(plain.as_slice()).map(Zeroizing::new);
        key.map(|key| MasterKey::from_bytes(*key)).map_err(|_| DealError::BadSealedKey)
    }

    /// What is authenticated beside the key.
    fn aad(&self) -> Vec<u8> {
        let mut aad = Vec::new();
        fields::push(&mut aad, self.format.as_bytes());
        fields::push(&mut aad, self.event.as_bytes());
        match self.argon2id {
            None => fields::push(&mut aad, b"file"),
            Some(cost) => {
                fields::push(&mut aad, b"argon2id");
                fields::push(&mut aad, &cost.memory_kib.to_be_bytes());
                fields::push(&mut aad, &cost.passes.to_be_bytes());
            }
        }
        fields::push(&mut aad, &self.salt);
        aad
    }

    fn cipher(&self, secret: &Secret) -> Result<XChaCha20Poly1305, DealError> {
        let mut key = Zeroizing::new([0; 32]);
        match (secret, self.argon2id) {
            (Secret::Passphrase(text), Some(cost)) if cost.in_bounds() => {
                let params = Params::new(cost.memory_kib, cost.passes, 1, Some(32))
                    .map_err(|_| DealError::BadSealedKey)?;
                Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
                    .hash_password_into(text.as_bytes(), &self.salt, key.as_mut_slice())
                    .map_err(|_| DealError::BadSealedKey)?;
            }
            (Secret::KeyFile(bytes), None) => Hkdf::<Sha256>::new(Some(&self.salt), bytes)
                .expand(FILE_INFO, key.as_mut_slice())
                .map_err(|_| DealError::BadSealedKey)?,
            _ => return Err(DealError::BadSealedKey),
        }
        Ok(XChaCha20Poly1305::new(&Key::from(*key)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANDOM: SealRandom = SealRandom { salt: [3; 32], nonce: [4; 24] };

    fn passphrase(text: &str) -> Secret {
        Secret::passphrase(text).unwrap()
    }

    fn sealed(secret: &Secret) -> Sealed {
        Sealed::seal(&MasterKey::from_bytes([8; 32]), "demo", secret, KdfCost::LEAST, &RANDOM).unwrap()
    }

    fn open(sealed: &Sealed, event: &str, secret: &Secret) -> Result<MasterKey, DealError> {
        sealed.open(event, secret, "test", |_| {})
    }

    #[test]
    fn a_sealed_key_opens_with_its_secret_only() {
        let file = Secret::key_file(&[5; 32]).unwrap();
        for secret in [passphrase("correct horse"), file] {
            let sealed = Sealed::parse(&sealed(&secret).to_text()).unwrap();
            assert!(!sealed.to_text().contains(&"08".repeat(8)));
            assert_eq!(open(&sealed, "demo", &secret).unwrap(), MasterKey::from_bytes([8; 32]));
            assert_eq!(open(&sealed, "other", &secret).unwrap_err().code(), "wrong_event");
        }
        let (with_words, with_file) =
            (sealed(&passphrase("correct horse")), sealed(&Secret::KeyFile([5; 32])));
        for (sealed, wrong) in [
            (&with_words, passphrase("correct horsf")),
            (&with_words, Secret::KeyFile([5; 32])),
            (&with_file, Secret::KeyFile([6; 32])),
            (&with_file, passphrase("correct horse")),
        ] {
            assert_eq!(open(sealed, "demo", &wrong).unwrap_err().code(), "wrong_secret");
        }
    }

    #[test]
    fn every_attempt_is_logged() {
        let sealed = sealed(&Secret::KeyFile([5; 32]));
        let mut log = Vec::new();
        let _ = sealed.open("demo", &Secret::KeyFile([5; 32]), "deal R1", |read| log.push(read.clone()));
        let _ = sealed.open("demo", &Secret::KeyFile([0; 32]), "deal R2", |read| log.push(read.clone()));
        let entry = |why: &str, opened| KeyRead { event: "demo".into(), why: why.into(), opened };
        assert_eq!(log, [entry("deal R1", true), entry("deal R2", false)]);
    }

    #[test]
    fn a_sealed_key_with_any_character_changed_never_gives_another_key() {
        let secret = Secret::KeyFile([5; 32]);
        let text = sealed(&secret).to_text();
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = if bytes[at] == b'1' { b'2' } else { b'1' };
            let opened = String::from_utf8(bytes)
                .ok()
                .and_then(|text| Sealed::parse(&text).ok())
                .and_then(|sealed| open(&sealed, "demo", &secret).ok());
            assert_eq!(opened, None, "byte {at} of {text}");
        }
        for cut in 0..text.len() {
            assert!(Sealed::parse(&text[..cut]).is_err());
        }
    }

    #[test]
    fn a_sealed_key_moved_to_another_event_does_not_open() {
        let secret = Secret::KeyFile([5; 32]);
        let moved = sealed(&secret).to_text().replace("\"demo\"", "\"omed\"");
        assert_eq!(open(&Sealed::parse(&moved).unwrap(), "omed", &secret), Err(DealError::WrongSecret));
    }

    #[test]
    fn costs_out_of_bounds_are_refused_before_they_are_paid() {
        let secret = passphrase("correct horse");
        let text = sealed(&secret).to_text();
        for cost in ["4294967295", "1048577", "8191", "0"] {
            let hostile = text.replace("\"memory_kib\":8192", &format!("\"memory_kib\":{cost}"));
            assert_eq!(
                open(&Sealed::parse(&hostile).unwrap(), "demo", &secret),
                Err(DealError::BadSealedKey)
            );
        }
        let weaker = text.replace("\"passes\":1", "\"passes\":2");
        assert_eq!(open(&Sealed::parse(&weaker).unwrap(), "demo", &secret), Err(DealError::WrongSecret));
    }

    #[test]
    fn secrets_are_bounded_and_hidden() {
        assert_eq!(Secret::passphrase("1234567").unwrap_err().code(), "weak_passphrase");
        assert_eq!(Secret::passphrase(&"x".repeat(1025)).unwrap_err().code(), "weak_passphrase");
        for length in [0, 31, 33, 64] {
            assert_eq!(Secret::key_file(&vec![1; length]).unwrap_err().code(), "bad_key_file");
        }
        let (a, b) = (passphrase("correct horse\r\n"), passphrase("correct horse"));
        assert!(open(&sealed(&a), "demo", &b).is_ok(), "a line end is not part of a passphrase");
        assert_eq!(format!("{a:?}"), "Secret(hidden)");
    }
}
