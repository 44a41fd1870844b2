//! Accounts: one's own password and sessions for everybody; for the chief organizer who may do what. A chief referee
//! appoints deputies here. No password is ever shown that the server keeps: a made one is shown once, by the script
//! that made it.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::super::event::outline_of;
use super::super::layout::{self, Content};
use super::super::names::{about_role, role};
use super::super::{Shown, Visit};
use crate::desk::people::{Account, People as _};
use crate::desk::rights::{Grant, Right, Role};
use crate::event::archive::EventRow;
use crate::web::problem::Problem;

/// What this visitor may do here.
#[derive(Clone, Copy, Debug)]
struct May {
    manage: bool,
    appoint: bool,
}

/// The events that roles can be limited to, by id.
struct Events(Vec<(String, String)>);

impl Events {
    fn title(&self, id: &str) -> String {
        self.0.iter().find(|(known, _)| known == id).map_or_else(|| id.to_owned(), |(_, title)| title.clone())
    }
}

/// Whether somebody can rule: an open account that is a referee somewhere.
fn has_referee(accounts: &[Account]) -> bool {
    accounts.iter().filter(|account| !account.disabled).any(|account| {
        account.grants.iter().any(|grant| matches!(grant.role, Role::Referee | Role::ChiefReferee))
    })
}

fn grant_word(visit: &Visit, events: &Events, grant: &Grant) -> String {
    let word = visit.say(role(grant.role));
    grant.event.as_ref().map_or_else(|| word.clone(), |event| format!("{word} · {}", events.title(event)))
}

fn own(visit: &Visit, events: &Events) -> Markup {
    let Some(actor) = visit.actor() else { return html! {} };
    let least = crate::words::Message::plain("pages-setup-password-hint")
        .with("least", visit.app.config.passwords.least);
    html! {
        section.box aria-labelledby="own-title" {
            h2 #own-title { (visit.say("accounts-own")) }
            p {
                strong { (actor.display) } " (" (actor.name) ")"
                @for grant in &actor.grants { " " span.tag { (grant_word(visit, events, grant)) } }
            }
            @if actor.grants.is_empty() { p.muted { (visit.say("accounts-no-role")) } }
            details {
                summary { (visit.say("accounts-own-password")) }
                form #password method="post" novalidate {
                    p.notice.bad role="alert" hidden {}
                    input type="hidden" name="username" value=(actor.name) autocomplete="username";
                    div.field {
                        label for="old" { (visit.say("accounts-old")) }
                        input id="old" name="old" type="password" autocomplete="current-password" required;
                    }
                    div.field {
                        label for="new" { (visit.say("accounts-new")) }
                        p.hint #new-hint { (visit.tell(&least)) " " (visit.say("accounts-own-ends")) }
                        input id="new" name="new" type="password" autocomplete="new-password" required aria-describedby="new-hint";
                    }
                    div.field {
                        label for="again" { (visit.say("pages-setup-again")) }
                        input id="again" name="again" type="password" autocomplete="new-password" required;
                    }
                    p.row { button.button type="submit" { (visit.say("accounts-own-password")) } }
                }
            }
            details #sessions-box {
                summary { (visit.say("accounts-sessions")) }
                p.muted { (visit.say("accounts-sessions-what")) }
                ul #sessions .people {}
            }
        }
    }
}

fn one(visit: &Visit, events: &Events, account: &Account, may: May) -> Markup {
    let locked = account.locked_until_us > visit.now;
    let own = visit.actor().is_some_and(|actor| actor.id == account.id);
    let button = |act: &str, name: &'static str, danger: bool| {
        html! {
            button type="button" class=(if danger { "button danger small" } else { "button quiet small" })
                data-do-account=(act) data-account=(account.id) {
                (visit.say(name)) span.unseen { ": " (account.display) }
            }
        }
    };
    html! {
        li.account.closed[account.disabled] data-name=(account.name) {
            div.account-who {
                p { strong { (account.display) } " " span.muted { (account.name) }
                    @if own { " " span.muted { (visit.say("accounts-you")) } } }
                p.account-roles {
                    @for grant in &account.grants { span.tag { (grant_word(visit, events, grant)) } " " }
                    @if account.grants.is_empty() { span.muted { (visit.say("accounts-no-role")) } }
                }
                @if account.disabled { p.account-state { (visit.say("accounts-closed")) } }
                @if locked {
                    p.account-state { (visit.say("accounts-locked")) " " time data-us=(account.locked_until_us) {} }
                }
            }
            div.row {
                @if may.manage {
                    (button("roles", "accounts-do-roles", false))
                    @if !own { (button("password", "accounts-do-password", false)) }
                    @if locked { (button("unlock", "accounts-do-unlock", false)) }
                    @if !own && !account.disabled { (button("sessions", "accounts-do-sessions", false)) }
                    @if account.disabled { (button("open", "accounts-do-open", false)) }
                    @if !own && !account.disabled { (button("close", "accounts-do-close", true)) }
                } @else if may.appoint && !account.disabled {
                    (button("appoint", "accounts-do-appoint", false))
                }
            }
        }
    }
}

fn scope(visit: &Visit, events: &Events) -> Markup {
    html! {
        option value="" { (visit.say("accounts-everywhere")) }
        @for (id, title) in &events.0 { option value=(id) { (title) } }
    }
}

const STAFF: [Role; 5] =
    [Role::ChiefReferee, Role::Referee, Role::Organizer, Role::ChiefOrganizer, Role::Arbitration];

fn add(visit: &Visit, events: &Events) -> Markup {
    let least = crate::words::Message::plain("pages-setup-password-hint")
        .with("least", visit.app.config.passwords.least);
    html! {
        dialog #add aria-labelledby="add-title" {
            form #add-form method="dialog" novalidate {
                h2 #add-title { (visit.say("accounts-add")) }
                fieldset.cards {
                    legend { (visit.say("accounts-role")) }
                    @for each in STAFF {
                        label.card {
                            input type="radio" name="role" value=(each.word()) checked[each == Role::ChiefReferee];
                            span { strong { (visit.say(role(each))) } span.hint { (visit.say(about_role(each))) } }
                        }
                    }
                }
                div.field {
                    label for="add-event" { (visit.say("accounts-scope")) }
                    select #add-event name="event" { (scope(visit, events)) }
                }
                div.field {
                    label for="add-display" { (visit.say("accounts-display")) }
                    p.hint #add-display-hint { (visit.say("pages-setup-display-hint")) }
                    input id="add-display" name="display" autocomplete="off" maxlength="100" required aria-describedby="add-display-hint";
                }
                div.field {
                    label for="add-name" { (visit.say("pages-login-name")) }
                    p.hint #add-name-hint { (visit.say("pages-setup-name-hint")) }
                    input id="add-name" name="name" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="40" required
                        aria-describedby="add-name-hint";
                }
                div.field {
                    label for="add-password" { (visit.say("pages-login-password")) }
                    p.hint #add-password-hint { (visit.tell(&least)) " " (visit.say("accounts-made-how")) }
                    input id="add-password" name="password" autocomplete="off" autocapitalize="none" spellcheck="false" required
                        aria-describedby="add-password-hint";
                }
                p.notice.bad role="alert" hidden {}
                div.row {
                    button.button type="submit" { (visit.say("accounts-create")) }
                    button.button.quiet type="button" data-close { (visit.say("pages-cancel")) }
                }
            }
        }
    }
}

/// A question about one account: what it is about, what follows, why.
fn question(visit: &Visit, id: &str, title: &'static str, lines: &[&'static str], body: &Markup) -> Markup {
    let (head, why) = (format!("{id}-title"), format!("{id}-why"));
    html! {
        dialog id=(id) aria-labelledby=(head) {
            form method="dialog" novalidate {
                h2 id=(head) { (visit.say(title)) }
                p { strong data-who {} }
                @for line in lines { p { (visit.say(line)) } }
                (body)
                div.field {
                    label for=(why) { (visit.say("org-reason")) }
                    input id=(why) name="reason" value=(visit.say("accounts-why")) maxlength="1000" autocomplete="off" required;
                }
                p.notice.bad role="alert" hidden {}
                div.row {
                    button type="submit" class=(if id == "close" { "button danger" } else { "button" }) {
                        (visit.say(if id == "roles" { "org-save" } else { title }))
                    }
                    button.button.quiet type="button" data-close { (visit.say("pages-cancel")) }
                }
            }
        }
    }
}

fn questions(visit: &Visit, events: &Events, may: May) -> Markup {
    let none = html! {};
    let roles = |list: &[Role]| html! { @for each in list { option value=(each.word()) { (visit.say(role(*each))) } } };
    if !may.manage {
        let body = html! {
            div.field {
                label for="appoint-role" { (visit.say("accounts-role")) }
                select #appoint-role name="role" { (roles(&[Role::Referee, Role::ChiefReferee])) }
            }
            div.field {
                label for="appoint-event" { (visit.say("accounts-scope")) }
                select #appoint-event name="event" { (scope(visit, events)) }
            }
        };
        return question(visit, "appoint", "accounts-do-appoint", &["accounts-appoint-what"], &body);
    }
    let password = html! {
        div.field {
            label for="reset-password" { (visit.say("accounts-new")) }
            p.hint #reset-hint { (visit.say("accounts-made-how")) }
            input id="reset-password" name="password" autocomplete="off" autocapitalize="none" spellcheck="false" required
                aria-describedby="reset-hint";
        }
    };
    let grants = html! {
        div #grants {}
        p.row { button.button.quiet.small #grant-more type="button" { (visit.say("accounts-role-more")) } }
        template #grant {
            div.grant {
                select data-role aria-label=(visit.say("accounts-role")) { (roles(&STAFF)) }
                select data-event aria-label=(visit.say("accounts-scope")) { (scope(visit, events)) }
                button.button.quiet.small type="button" data-less { (visit.say("accounts-role-less")) }
            }
        }
    };
    html! {
        (add(visit, events))
        (question(visit, "roles", "accounts-do-roles", &[], &grants))
        (question(visit, "password-reset", "accounts-do-password", &["accounts-password-what"], &password))
        (question(visit, "sessions-end", "accounts-do-sessions", &["accounts-sessions-end-what"], &none))
        (question(visit, "close", "accounts-do-close", &["accounts-close-what"], &none))
        (question(visit, "open", "accounts-do-open", &["accounts-open-what"], &none))
        (question(visit, "unlock", "accounts-do-unlock", &["accounts-unlock-what"], &none))
        dialog #made aria-labelledby="made-title" {
            form method="dialog" {
                h2 #made-title { (visit.say("accounts-made")) }
                p { (visit.say("accounts-made-once")) }
                dl.login-slip {
                    dt { (visit.say("accounts-made-where")) } dd { code #made-where {} }
                    dt { (visit.say("pages-login-name")) } dd { code #made-name {} }
                    dt { (visit.say("pages-login-password")) } dd { code #made-password {} }
                }
                p.muted #made-copied role="status" {}
                div.row {
                    button.button type="submit" { (visit.say("accounts-made-noted")) }
                    button.button.quiet #made-copy type="button" { (visit.say("accounts-made-copy")) }
                }
            }
        }
    }
}

fn everybody(visit: &Visit, events: &Events, accounts: &[Account], may: May) -> Markup {
    let referee = has_referee(accounts);
    html! {
        @if may.manage && !referee {
            section.coming aria-labelledby="no-referee" {
                h2 #no-referee { (visit.say("accounts-no-referee")) }
                p { (visit.say("accounts-no-referee-how")) }
                p.row { button.button.main type="button" data-quick { (visit.say("accounts-quick")) } }
            }
        }
        section aria-labelledby="all-title" {
            header.row.spread {
                h2 #all-title { (visit.say("accounts-all")) }
                @if may.manage { button.button type="button" data-add { (visit.say("accounts-add")) } }
            }
            @if !may.manage { p.muted { (visit.say("accounts-appoint-lead")) } }
            div.field.short {
                label for="search" { (visit.say("org-search")) }
                input id="search" type="search" autocomplete="off";
            }
            ul #accounts .accounts { @for account in accounts { (one(visit, events, account, may)) } }
        }
        (questions(visit, events, may))
    }
}

/// What a script needs of an account.
fn known(account: &Account) -> Value {
    let grants: Vec<Value> = account
        .grants
        .iter()
        .map(|grant| json!({ "role": grant.role.word(), "event": grant.event }))
        .collect();
    json!({ "id": account.id, "name": account.name, "display": account.display, "grants": grants })
}

/// The page.
///
/// # Errors
/// The database.
pub async fn page(visit: Visit) -> Shown {
    let may = May {
        manage: visit.who.may(Right::ManageAccounts, None),
        appoint: visit.who.may(Right::AppointReferees, None),
    };
    let rows: Vec<EventRow> = visit.events(|visit, row| visit.who.may(Right::SeeDesk, Some(&row.id))).await?;
    let events = Events(rows.iter().map(|row| (row.id.clone(), outline_of(row).title)).collect());
    let accounts = if may.appoint {
        visit.work(|visit| Ok::<_, Problem>(visit.app.store.accounts()?)).await?
    } else {
        Vec::new()
    };
    let title = visit.say(if may.appoint { "accounts-title" } else { "accounts-own" });
    let main = html! {
        p.facts { a href="/desk" { (visit.say("org-home")) } }
        h1 { (title) }
        (own(&visit, &events))
        @if may.appoint { (everybody(&visit, &events, &accounts, may)) }
    };
    let quick = json!({ "display": visit.say("accounts-quick-display"), "why": visit.say("accounts-why") });
    let data = json!({
        "accounts": accounts.iter().map(known).collect::<Vec<_>>(), "quick": quick,
        "least": visit.app.config.passwords.least, "base": visit.base(),
    });
    let content = Content {
        class: "desk accounts-page",
        words: &["organize-js", "accounts"],
        ..Content::desk(title, main, "desk-accounts.js", data)
    };
    Ok(layout::found(&visit, &content))
}
