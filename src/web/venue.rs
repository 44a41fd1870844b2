//! The venue: from which networks an event is played, and on which devices.

use std::net::IpAddr;

use super::App;
use super::identity::DEVICE;
use super::problem::{Code, Problem};
use crate::canonical::sha256;
use crate::desk::network::within;
use crate::desk::people::{Device, People as _};
use crate::words::Message;

/// Checks that an event may be played from an address.
///
/// # Errors
/// The event has an allow-list and the address is in none of its networks; the database.
pub fn admitted(app: &App, event: &str, address: IpAddr) -> Result<(), Problem> {
    let networks = app.store.networks(event)?;
    if networks.is_empty() || within(&networks, address) {
        Ok(())
    } else {
        Err(Problem::new(Code::WrongNetwork))
    }
}

/// The device of a token. An event with devices is played on these only; one without on any.
///
/// # Errors
/// A device is needed and there is none, or it counts no more; the database.
pub fn device(app: &App, event: &str, token: Option<&str>) -> Result<Option<Device>, Problem> {
    let devices: Vec<Device> =
        app.store.devices(event)?.into_iter().filter(|device| !device.revoked).collect();
    if devices.is_empty() {
        return Ok(None);
    }
    let refused = || Problem::said(Code::BadCredentials, Message::plain("web-no-device"));
    let hash = token.filter(|token| token.starts_with(DEVICE)).map(|token| sha256(token.as_bytes()));
    let hash = hash.ok_or_else(refused)?;
    devices.into_iter().find(|device| device.token_hash == hash).map(Some).ok_or_else(refused)
}
