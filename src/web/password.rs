//! Passwords: Argon2id, two at once, never on a thread that answers requests.

use actix_web::web;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use zeroize::Zeroizing;

use super::App;
use super::config::Passwords;
use super::problem::{Code, Problem};

fn hasher(cost: &Passwords) -> Result<Argon2<'static>, Problem> {
    let params = Params::new(cost.memory_kib, cost.passes, 1, None).map_err(Problem::internal)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

async fn in_turn<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&Passwords) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let place = std::sync::Arc::clone(&app.guards.hashing).acquire_owned().await;
    let place = place.map_err(|_| Problem::new(Code::Busy).after(1))?;
    let config = std::sync::Arc::clone(&app.config);
    web::block(move || {
        // Held by the work itself: a client that goes away does not make room for a third.
        let _place = place;
        work(&config.passwords)
    })
    .await
    .map_err(Problem::internal)?
}

/// The PHC string of a password.
///
/// # Errors
/// No randomness to be had.
pub async fn hash(app: &App, password: Zeroizing<String>) -> Result<String, Problem> {
    in_turn(app, move |cost| {
        let hashed = hasher(cost)?.hash_password(password.as_bytes()).map_err(Problem::internal)?;
        Ok(hashed.to_string())
    })
    .await
}

/// Whether a password is the one of a PHC string. Without one it takes as long and is wrong.
///
/// # Errors
/// None by input.
pub async fn verify(app: &App, password: Zeroizing<String>, phc: Option<String>) -> Result<bool, Problem> {
    in_turn(app, move |cost| {
        let hasher = hasher(cost)?;
        match phc.as_deref().map(PasswordHash::new) {
            Some(Ok(known)) => Ok(hasher.verify_password(password.as_bytes(), &known).is_ok()),
            Some(Err(error)) => Err(Problem::internal(error)),
            None => {
                let _ = hasher.hash_password(password.as_bytes());
                Ok(false)
            }
        }
    })
    .await
}
