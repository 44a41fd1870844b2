//! The only door through which the operating system's randomness enters the dealing room.

use zeroize::Zeroizing;

use super::{DealError, MasterKey, SealRandom};

/// A new master key from the operating system's generator.
///
/// # Errors
/// The operating system has no randomness to give.
pub fn fresh_master() -> Result<MasterKey, DealError> {
    let mut bytes = Zeroizing::new([0; 32]);
    getrandom::fill(bytes.as_mut_slice()).map_err(|_| DealError::NoRandomness)?;
    Ok(MasterKey::from_bytes(*bytes))
}

/// Salt and nonce for sealing one key once.
///
/// # Errors
/// The operating system has no randomness to give.
pub fn fresh_seal() -> Result<SealRandom, DealError> {
    let mut random = SealRandom { salt: [0; 32], nonce: [0; 24] };
    getrandom::fill(&mut random.salt).map_err(|_| DealError::NoRandomness)?;
    getrandom::fill(&mut random.nonce).map_err(|_| DealError::NoRandomness)?;
    Ok(random)
}
