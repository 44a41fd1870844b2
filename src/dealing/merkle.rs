//! Commitments to the set keys: salted leaves under one Merkle root.
//!
//! - leaf = `SHA-256(0x00 ‖ set id ‖ salt ‖ set key)`, the three as length-prefixed fields
//! - node = `SHA-256(0x01 ‖ left ‖ right)`, 32 bytes each
//! - a level is paired from the left; a last node without a partner moves up unchanged (never paired with itself)
//!
//! Leaves stand in the order in which the announcement lists the sets. A proof lists the partners from the leaf
//! upwards; on which side they stand follows from the position of the set, so a proof has nothing to bend. Leaf,
//! node and AI commitment begin with different bytes and cannot be taken for one another.
//!
//! This module only commits. Nothing in it is ever an input of a deal.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::{Salt, SetKey, fields};
use crate::canonical::{Hash, sha256};

/// The commitment to the key of one set.
#[must_use]
pub fn leaf(set_id: &str, salt: &Salt, key: &SetKey) -> Hash {
    let mut bytes = Zeroizing::new(Vec::with_capacity(1 + 3 * 8 + set_id.len() + 64));
    bytes.push(0x00);
    fields::push(&mut bytes, set_id.as_bytes());
    fields::push(&mut bytes, salt.expose());
    fields::push(&mut bytes, key.expose());
    sha256(&bytes)
}

/// The node above two nodes.
#[must_use]
pub fn node(left: &Hash, right: &Hash) -> Hash {
    let mut hash = Sha256::new();
    hash.update([0x01]);
    hash.update(left);
    hash.update(right);
    hash.finalize().into()
}

fn level_above(level: &[Hash]) -> Vec<Hash> {
    level
        .chunks(2)
        .filter_map(|pair| match pair {
            [left, right] => Some(node(left, right)),
            [alone] => Some(*alone),
            _ => None,
        })
        .collect()
}

/// The root over leaves; `None` without leaves. A single leaf is its own root.
#[must_use]
pub fn root(leaves: &[Hash]) -> Option<Hash> {
    let mut level = leaves.to_vec();
    while level.len() > 1 {
        level = level_above(&level);
    }
    level.first().copied()
}

/// The proof that a leaf stands at a position: its partners from the leaf upwards. `None` outside the list.
#[must_use]
pub fn proof(leaves: &[Hash], position: usize) -> Option<Vec<Hash>> {
    if position >= leaves.len() {
        return None;
    }
    let mut partners = Vec::new();
    let (mut level, mut at) = (leaves.to_vec(), position);
    while level.len() > 1 {
        if let Some(partner) = level.get(at ^ 1) {
            partners.push(*partner);
        }
        level = level_above(&level);
        at /= 2;
    }
    Some(partners)
}

/// Whether a proof leads from the leaf at `position` of `count` to the root. A proof that is too long or too short
/// is refused.
#[must_use]
pub fn verify(root: &Hash, leaf: &Hash, position: usize, count: usize, proof: &[Hash]) -> bool {
    if position >= count {
        return false;
    }
    let mut partners = proof.iter();
    let (mut hash, mut at, mut width) = (*leaf, position, count);
    while width > 1 {
        if at ^ 1 < width {
            let Some(partner) = partners.next() else { return false };
            hash = if at % 2 == 0 { node(&hash, partner) } else { node(partner, &hash) };
        }
        at /= 2;
        width = width.div_ceil(2);
    }
    partners.next().is_none() && bool::from(hash.ct_eq(root))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn leaves(count: usize) -> Vec<Hash> {
        (0..count).map(|i| sha256(&i.to_be_bytes())).collect()
    }

    #[test]
    fn a_node_without_partner_moves_up_unchanged() {
        let l = leaves(5);
        let left = node(&node(&l[0], &l[1]), &node(&l[2], &l[3]));
        assert_eq!(root(&l), Some(node(&left, &l[4])));
        assert_eq!(proof(&l, 4), Some(vec![left]));
        assert_eq!(root(&l[..1]), Some(l[0]));
        assert_eq!(proof(&l[..1], 0), Some(vec![]));
        assert_eq!(root(&[]), None);
    }

    #[test]
    fn repeating_the_last_leaf_changes_the_root() {
        let l = leaves(3);
        assert_ne!(root(&l), root(&[l[0], l[1], l[2], l[2]]));
    }

    #[test]
    fn every_leaf_of_every_small_tree_is_proved_and_only_at_its_place() {
        for count in 1..=17 {
            let l = leaves(count);
            let top = root(&l).unwrap();
            for at in 0..count {
                let path = proof(&l, at).unwrap();
                for claimed in 0..count {
                    assert_eq!(verify(&top, &l[at], claimed, count, &path), claimed == at);
                }
                assert!(!verify(&top, &l[at], count, count, &path));
                let mut long = path.clone();
                long.push(top);
                assert!(!verify(&top, &l[at], at, count, &long));
                if let Some((_, short)) = path.split_last() {
                    assert!(!verify(&top, &l[at], at, count, short));
                }
            }
            assert_eq!(proof(&l, count), None);
        }
    }

    #[test]
    fn a_node_cannot_be_shown_as_a_leaf() {
        // The leaf of a set is 0x00 and length-prefixed, a node 0x01 and 64 bytes: no set id bridges the two.
        let l = leaves(4);
        let top = root(&l).unwrap();
        let inner = node(&l[0], &l[1]);
        assert!(verify(&top, &inner, 0, 2, &[node(&l[2], &l[3])]), "as a tree of two it would pass");
        assert!(!verify(&top, &inner, 0, 4, &[node(&l[2], &l[3])]), "the announced count refuses it");
    }

    proptest! {
        #[test]
        fn a_proof_with_any_bit_flipped_is_refused(count in 2usize..40, at in 0usize..40, bit in 0usize..20_000) {
            let l = leaves(count);
            let at = at % count;
            let top = root(&l).unwrap();
            let mut path = proof(&l, at).unwrap();
            let bit = bit % (path.len() * 256);
            path[bit / 256][bit % 256 / 8] ^= 1 << (bit % 8);
            prop_assert!(!verify(&top, &l[at], at, count, &path));
        }

        #[test]
        fn a_leaf_with_any_bit_flipped_is_refused(set in "[a-z]{1,8}", bit in 0usize..512) {
            let (mut key, mut salt) = ([3; 32], [4; 32]);
            let before = leaf(&set, &Salt::from_bytes(salt), &SetKey::from_bytes(key));
            let target = if bit < 256 { &mut key } else { &mut salt };
            target[bit % 256 / 8] ^= 1 << (bit % 8);
            prop_assert_ne!(before, leaf(&set, &Salt::from_bytes(salt), &SetKey::from_bytes(key)));
        }
    }
}
