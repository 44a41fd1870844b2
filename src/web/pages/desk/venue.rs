//! The venue: from which networks an event is played, and on which devices. It says what follows before anything is
//! set: a network that is left out cannot play, and a first device shuts all others out.

use std::net::IpAddr;

use actix_web::web;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::super::layout::{self, Content};
use super::super::{Shown, Visit};
use super::{Question, Standing, head, seat_word};
use crate::desk::network::{Network, within};
use crate::desk::people::{Device, People as _};
use crate::desk::rights::Right;
use crate::words::Message;

/// The network around an address, as halls have them: 256 neighbours, or an IPv6 prefix of 64 bits; the whole loopback.
fn around(address: IpAddr) -> Option<Network> {
    let text = match address.to_canonical() {
        IpAddr::V4(four) if four.is_loopback() => "127.0.0.0/8".to_owned(),
        IpAddr::V4(four) => {
            let [a, b, c, _] = four.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        IpAddr::V6(six) if six.is_loopback() => "::1/128".to_owned(),
        IpAddr::V6(six) => {
            let [a, b, c, d, ..] = six.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    };
    text.parse().ok()
}

fn networks(visit: &Visit, list: &[Network], may: bool) -> Markup {
    let own = visit.address.to_canonical();
    let near = around(own);
    let inside = list.is_empty() || within(list, own);
    let there = near.is_some_and(|near| list.contains(&near));
    html! {
        section.box aria-labelledby="networks-title" {
            h2 #networks-title { (visit.say("venue-networks")) }
            p { (visit.say(if list.is_empty() { "venue-networks-none" } else { "venue-networks-some" })) }
            p.muted { (visit.say("venue-networks-what")) }
            @if !inside { p.notice.warn { (visit.say("venue-networks-outside")) } }
            ul #networks .people {
                @for network in list {
                    li {
                        span.person { code { (network) } @if network.contains(own) { " " span.muted { (visit.say("venue-networks-own")) } } }
                        @if may {
                            button.button.quiet.small type="button" data-network=(network) {
                                (visit.say("venue-remove")) span.unseen { ": " (network) }
                            }
                        }
                    }
                }
            }
            @if may {
                @if let Some(near) = near.filter(|_| !there) {
                    p { (visit.tell(&Message::plain("venue-your-address").with("address", own))) }
                    p.row {
                        button.button type="button" data-add-network=(near) {
                            (visit.tell(&Message::plain("venue-add-own").with("network", near)))
                        }
                    }
                }
                form #network method="post" novalidate {
                    p.notice.bad role="alert" hidden {}
                    div.field.short {
                        label for="add" { (visit.say("venue-other")) }
                        p.hint #add-hint { (visit.say("venue-other-hint")) }
                        input id="add" name="network" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="60" required
                            aria-describedby="add-hint";
                    }
                    p.row { button.button.quiet type="submit" { (visit.say("venue-add")) } }
                }
            }
        }
    }
}

fn new_devices(visit: &Visit, standing: &Standing, live: usize) -> Markup {
    let seats: Vec<&String> = standing.settings.positions.iter().flatten().collect();
    let tables = standing.rounds.iter().flat_map(|round| &round.tables).map(|table| table.table).max();
    html! {
        @if live == 0 { p.notice.warn { (visit.say("venue-devices-first")) } }
        form #device method="post" novalidate {
            p.notice.bad role="alert" hidden {}
            div.field {
                label for="device-name" { (visit.say("venue-device-name")) }
                p.hint #device-hint { (visit.say("venue-device-hint")) }
                input id="device-name" name="name" autocomplete="off" maxlength="100" required aria-describedby="device-hint";
            }
            div.pair {
                div.field {
                    label for="device-table" { (visit.say("venue-device-table")) }
                    input id="device-table" name="table" type="number" inputmode="numeric" min="1" max=[tables] autocomplete="off";
                }
                div.field {
                    label for="device-seat" { (visit.say("venue-device-seat")) }
                    select #device-seat name="seat" {
                        option value="" { (visit.say("venue-any")) }
                        @for seat in &seats { option value=(seat) { (seat_word(visit, seat)) } }
                    }
                }
            }
            p.row { button.button type="submit" { (visit.say("venue-device-add")) } }
        }
        @if let Some(tables) = tables {
            details {
                summary { (visit.say("venue-many")) }
                p.muted { (visit.say("venue-many-what")) }
                form #many method="post" novalidate {
                    p.notice.bad role="alert" hidden {}
                    div.pair {
                        div.field {
                            label for="from" { (visit.say("venue-many-from")) }
                            input id="from" name="from" type="number" inputmode="numeric" min="1" max=(tables) value="1";
                        }
                        div.field {
                            label for="to" { (visit.say("venue-many-to")) }
                            input id="to" name="to" type="number" inputmode="numeric" min="1" max=(tables) value=(tables);
                        }
                    }
                    p.row { button.button.quiet type="submit" { (visit.say("venue-many-add")) } }
                    progress #making hidden aria-label=(visit.say("venue-many")) {}
                }
            }
        }
        section #paired .box hidden aria-labelledby="paired-title" {
            h3 #paired-title tabindex="-1" { (visit.say("venue-paired")) }
            p.no-print { (visit.say("venue-paired-how")) }
            div #cards .slips {}
            p.row.no-print {
                button.button type="button" data-print { (visit.say("org-print")) }
                button.button.quiet type="button" data-again { (visit.say("venue-paired-done")) }
            }
        }
    }
}

fn devices(visit: &Visit, standing: &Standing, list: &[Device], may: bool) -> Markup {
    let live: Vec<&Device> = list.iter().filter(|device| !device.revoked).collect();
    let gone = list.len() - live.len();
    let place = |device: &Device| match (device.table, &device.seat) {
        (Some(table), Some(seat)) => visit
            .tell(&Message::plain("venue-at-seat").with("table", table).with("seat", seat_word(visit, seat))),
        (Some(table), None) => visit.tell(&Message::plain("venue-at-table").with("table", table)),
        (None, Some(seat)) => {
            visit.tell(&Message::plain("venue-in-seat").with("seat", seat_word(visit, seat)))
        }
        (None, None) => visit.say("venue-anywhere"),
    };
    html! {
        section.box aria-labelledby="devices-title" {
            h2 #devices-title { (visit.say("venue-devices")) }
            p #devices-now { (visit.say(if live.is_empty() { "venue-devices-none" } else { "venue-devices-some" })) }
            p.muted { (visit.say("venue-devices-what")) }
            @if may { (new_devices(visit, standing, live.len())) }
            @if !live.is_empty() {
                h3 { (visit.tell(&Message::plain("venue-devices-count").with("count", live.len()))) }
                ul #devices .people {
                    @for device in &live {
                        li {
                            span.person { strong { (device.name) } " " span.muted { (place(device)) } }
                            @if may {
                                button.button.danger.small type="button" data-device=(device.id) data-name=(device.name) {
                                    (visit.say("venue-end")) span.unseen { ": " (device.name) }
                                }
                            }
                        }
                    }
                }
            }
            @if gone > 0 { p.muted { (visit.tell(&Message::plain("venue-devices-gone").with("count", gone))) } }
        }
    }
}

fn questions(visit: &Visit) -> Markup {
    html! {
        dialog #set aria-labelledby="set-title" {
            form method="dialog" {
                h2 #set-title { (visit.say("venue-networks")) }
                p #set-what {}
                p.notice.warn #set-self hidden { (visit.say("venue-set-self")) }
                p.notice.bad role="alert" hidden {}
                div.row {
                    button.button type="submit" { (visit.say("venue-set")) }
                    button.button.quiet type="button" data-close { (visit.say("pages-cancel")) }
                }
            }
        }
        (Question {
            id: "end",
            title: "venue-end",
            reason: "org-reason",
            usual: Some("venue-end-why"),
            button: "venue-end",
            danger: true,
        }.show(visit))
    }
}

/// The page.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn page(mut visit: Visit, id: web::Path<String>) -> Shown {
    let standing = Standing::of(&mut visit, &id).await?;
    let event = standing.row.id.clone();
    let (list, enrolled) = visit
        .work(move |visit| Ok((visit.app.store.networks(&event)?, visit.app.store.devices(&event)?)))
        .await?;
    let may = visit.who.may(Right::EditEvent, Some(&standing.row.id));
    let title = visit.say("venue-title");
    let main = html! {
        (head(&visit, &standing, "/venue"))
        h1 { (title) }
        p.lead { (visit.say(if may { "venue-lead" } else { "venue-not-you" })) }
        div.boxes {
            (networks(&visit, &list, may))
            (devices(&visit, &standing, &enrolled, may))
        }
        @if may { (questions(&visit)) }
    };
    let seats: Vec<Value> = standing
        .settings
        .positions
        .iter()
        .flatten()
        .map(|seat| json!({ "seat": seat, "name": seat_word(&visit, seat) }))
        .collect();
    let live = enrolled.iter().filter(|device| !device.revoked).count();
    let data = json!({
        "event": standing.row.id, "title": standing.settings.title, "base": visit.base(), "seats": seats,
        "networks": list, "own": around(visit.address), "inside": list.iter().filter(|one| one.contains(visit.address)).collect::<Vec<_>>(), "devices": live,
    });
    let content =
        Content { words: &["organize-js", "venue"], ..Content::desk(title, main, "desk-venue.js", data) };
    Ok(layout::found(&visit, &content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_network_is_the_halls_and_holds_the_own_address() {
        for (address, network) in [
            ("192.168.1.77", "192.168.1.0/24"),
            ("::ffff:10.0.0.9", "10.0.0.0/24"),
            ("127.0.0.1", "127.0.0.0/8"),
            ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
            ("fe80::1", "fe80::/64"),
            ("::1", "::1/128"),
            ("0.0.0.0", "0.0.0.0/24"),
        ] {
            let address: IpAddr = address.parse().unwrap();
            let found = around(address).unwrap();
            assert_eq!(found, network.parse().unwrap(), "{address}");
            assert!(found.contains(address), "{address}");
        }
    }
}
