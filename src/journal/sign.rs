//! The server's signature (ed25519) under checkpoints, revisions and bundles.
//!
//! Every signed text is preceded by a label that says what it is for, so that no signature can be moved from one
//! purpose to another. Signatures are checked strictly: one text has one signature per key.

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::canonical::Hash;
use crate::dealing::MasterKey;

/// What a signature is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Heads of journals.
    Checkpoint,
    /// A publication of results.
    Revision,
    /// A whole bundle.
    Manifest,
}

impl Purpose {
    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Purpose::Checkpoint => "checkpoint",
            Purpose::Revision => "revision",
            Purpose::Manifest => "manifest",
        }
    }

    const fn label(self) -> &'static str {
        match self {
            Purpose::Checkpoint => "fushi-checkpoint/1|",
            Purpose::Revision => "fushi-revision/1|",
            Purpose::Manifest => "fushi-manifest/1|",
        }
    }

    fn message(self, text: &str) -> Vec<u8> {
        [self.label().as_bytes(), text.as_bytes()].concat()
    }
}

/// The key that signs. It never shows itself and is wiped when dropped.
#[derive(Clone)]
pub struct Signer(SigningKey);

impl std::fmt::Debug for Signer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Signer(hidden)")
    }
}

impl Signer {
    /// The signer of a 32-byte secret.
    #[must_use]
    pub fn from_secret(secret: &[u8; 32]) -> Signer {
        Signer(SigningKey::from_bytes(secret))
    }

    /// The signer of an event that keeps its master key only: the secret is derived from it with HKDF-SHA-256, info
    /// `fushi-sign/1|` and the event's id.
    #[must_use]
    pub fn of_event(master: &MasterKey, event: &str) -> Signer {
        let mut secret = Zeroizing::new([0; 32]);
        let done = Hkdf::<Sha256>::new(None, master.expose())
            .expand_multi_info(&[b"fushi-sign/1|", event.as_bytes()], secret.as_mut_slice());
        // HKDF gives up to 8160 bytes: 32 cannot be too many.
        debug_assert!(done.is_ok());
        Signer::from_secret(&secret)
    }

    /// The public key: what announcements name.
    #[must_use]
    pub fn public(&self) -> Hash {
        self.0.verifying_key().to_bytes()
    }

    /// Signs a text for a purpose.
    #[must_use]
    pub fn sign(&self, purpose: Purpose, text: &str) -> [u8; 64] {
        self.0.sign(&purpose.message(text)).to_bytes()
    }
}

/// Whether a signature, 128 lower-case hexadecimal digits, is that of the key for the text and purpose.
#[must_use]
pub fn verify(public: &Hash, purpose: Purpose, text: &str, signature: &str) -> bool {
    let lower = signature.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let mut bytes = [0; 64];
    if !lower || hex::decode_to_slice(signature, &mut bytes).is_err() {
        return false;
    }
    VerifyingKey::from_bytes(public)
        .and_then(|key| key.verify_strict(&purpose.message(text), &Signature::from_bytes(&bytes)))
        .is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_holds_for_its_text_purpose_and_key_only() {
        let signer = Signer::from_secret(&[7; 32]);
        let signature = hex::encode(signer.sign(Purpose::Revision, "text"));
        assert!(verify(&signer.public(), Purpose::Revision, "text", &signature));
        assert!(!verify(&signer.public(), Purpose::Revision, "texT", &signature));
        assert!(!verify(&signer.public(), Purpose::Manifest, "text", &signature));
        assert!(!verify(&signer.public(), Purpose::Revision, "text", &signature.to_uppercase()));
        assert!(!verify(&Signer::from_secret(&[8; 32]).public(), Purpose::Revision, "text", &signature));
        assert_eq!(format!("{signer:?}"), "Signer(hidden)");
    }
}
