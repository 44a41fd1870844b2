//! How several values become one string of bytes: the `‖` of the specification.
//!
//! A field is its length in bytes as a big-endian integer of eight bytes, followed by the bytes. Two different
//! lists of fields can therefore never give the same string, whatever the fields contain.

use hmac::Mac;

/// Appends a field to a buffer.
pub(super) fn push(buffer: &mut Vec<u8>, bytes: &[u8]) {
    buffer.extend_from_slice(&(bytes.len() as u64).to_be_bytes());
    buffer.extend_from_slice(bytes);
}

/// Feeds a field into a MAC.
pub(super) fn update<M: Mac>(mac: &mut M, bytes: &[u8]) {
    mac.update(&(bytes.len() as u64).to_be_bytes());
    mac.update(bytes);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn encode(fields: &[Vec<u8>]) -> Vec<u8> {
        let mut buffer = Vec::new();
        for field in fields {
            push(&mut buffer, field);
        }
        buffer
    }

    #[test]
    fn fields_cannot_run_into_one_another() {
        assert_ne!(encode(&[b"ab".to_vec(), b"c".to_vec()]), encode(&[b"a".to_vec(), b"bc".to_vec()]));
        assert_ne!(encode(&[b"".to_vec()]), encode(&[]));
    }

    proptest! {
        #[test]
        fn different_lists_give_different_bytes(
            a in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..12), 0..5),
            b in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..12), 0..5),
        ) {
            prop_assert_eq!(a == b, encode(&a) == encode(&b));
        }
    }
}
