//! Settings with a live preview: every field has a usual value and a sentence that explains it.

use actix_web::web;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::super::layout::{self, Content};
use super::super::{Shown, Visit, names, rules};
use super::{Act, Standing, Words, choices, field, head, scoring, seat_word};
use crate::desk::groups;
use crate::desk::rights::Right;
use crate::event::EventState;
use crate::event::live::Pace;
use crate::formats::{CarryOver, Fill, Seeding};
use crate::games::GameKind;
use crate::web::problem::Problem;
use crate::words::{Lang, Message};

/// How many entrants a preview shows where fewer have entered.
const EXPECTED: usize = 24;

/// What a form may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Open {
    /// Everything: it is a draft.
    draft: bool,
    /// Pace, clocks and patience.
    live: bool,
}

impl Open {
    /// Whether a setting cannot be changed now.
    const fn shuts(self, live: bool) -> bool {
        if live { !self.live } else { !self.draft }
    }
}

struct Form<'a> {
    visit: &'a Visit,
    open: Open,
}

impl Form<'_> {
    fn number(&self, name: &'static str, words: Words, value: u32, range: (u32, u32), live: bool) -> Markup {
        let shut = self.open.shuts(live);
        field(
            self.visit,
            name,
            words,
            &html! {
                input id=(name) name=(name) type="number" inputmode="numeric" min=(range.0) max=(range.1) value=(value)
                    aria-describedby={ (name) "-hint" } disabled[shut] data-live[live];
            },
        )
    }

    /// A time in seconds, which the API has in ms.
    fn seconds(&self, name: &'static str, words: Words, ms: u32, most_s: u32) -> Markup {
        let value = format!("{}.{}", ms / 1000, ms % 1000 / 100);
        let value = value.trim_end_matches(".0");
        field(
            self.visit,
            name,
            words,
            &html! {
                input id=(name) name=(name) type="number" inputmode="decimal" min="0" max=(most_s) step="0.1" value=(value)
                    aria-describedby={ (name) "-hint" } disabled[self.open.shuts(true)] data-live;
            },
        )
    }

    fn select(
        &self,
        name: &'static str,
        words: Words,
        options: &[(String, String)],
        value: &str,
        live: bool,
    ) -> Markup {
        let shut = self.open.shuts(live);
        field(
            self.visit,
            name,
            words,
            &html! {
                select id=(name) name=(name) aria-describedby={ (name) "-hint" } disabled[shut] data-live[live] {
                    @for (word, text) in options { option value=(word) selected[word == value] { (text) } }
                }
            },
        )
    }

    fn formats(&self, kind: GameKind, now: &str) -> Markup {
        let all = [
            ("individual", "pages-format-individual", "org-format-individual"),
            ("pairs", "pages-format-pairs", "org-format-pairs"),
            ("human-ai", "pages-format-human-ai", "org-format-human-ai"),
            ("round-robin", "pages-format-round-robin", "org-format-round-robin"),
        ];
        html! {
            fieldset.cards {
                legend { (self.visit.say("org-field-format")) }
                @for (word, name, about) in all {
                    @if word != "pairs" || kind == GameKind::Tuolaji {
                        label.card {
                            input type="radio" name="format" value=(word) checked[word == now] disabled[!self.open.draft];
                            span { strong { (self.visit.say(name)) } span.hint { (self.visit.say(about)) } }
                        }
                    }
                }
            }
        }
    }
}

fn words(visit: &Visit, pairs: &[(&str, &'static str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(word, id)| ((*word).to_owned(), visit.say(id))).collect()
}

fn called(visit: &Visit, ids: &[&str], word: fn(&Visit, &str) -> String) -> Vec<(String, String)> {
    ids.iter().map(|id| ((*id).to_owned(), word(visit, id))).collect()
}

fn main_fields(form: &Form, standing: &Standing, kind: GameKind) -> Markup {
    let visit = form.visit;
    let (levels, rulesets) = choices(kind);
    let format = standing.settings.format_name();
    let seat = usize::from(standing.settings.own_seat().unwrap_or_default());
    let bye = standing.settings.movement().is_some_and(|rules| rules.fill == Fill::Bye);
    let seats: Vec<String> = standing.settings.positions.iter().flatten().cloned().collect();
    let named: Vec<(String, String)> =
        seats.iter().map(|seat| (seat.clone(), seat_word(visit, seat))).collect();
    let level = standing.settings.opponents.clone().unwrap_or_default();
    let mut offered = called(visit, &rulesets, names::ruleset);
    if standing.rules.changed.is_some() {
        // It is there to be seen and kept: what it says stands in the file below.
        offered.push((standing.rules.name.clone(), standing.rules.name.clone()));
    }
    let fills = words(visit, &[("stand-in", "org-fill-stand-in"), ("bye", "org-fill-bye")]);
    html! {
        (field(visit, "title", ("org-field-title", "org-field-title-hint"), &html! {
            input id="title" name="title" value=(standing.settings.title) maxlength="200" autocomplete="off" required
                aria-describedby="title-hint" disabled[!form.open.draft];
        }))
        (field(visit, "host", ("org-field-host", "org-field-host-hint"), &html! {
            input id="host" name="host" value=(standing.schedule.host) maxlength="100" autocomplete="organization"
                aria-describedby="host-hint" disabled[!form.open.draft];
        }))
        (form.formats(kind, format))
        div data-only="human-ai" {
            (form.select("seat", ("org-field-seat", "org-field-seat-hint"), &named, seats.get(seat).map_or("", String::as_str), false))
        }
        (group_fields(form, standing))
        div.pair data-movement {
            (form.number("boards", ("org-field-boards", "org-field-boards-hint"), standing.settings.boards(), (1, 1000), false))
            (form.number("boards_per_round", ("org-field-per-round", "org-field-per-round-hint"),
                standing.settings.boards_per_round(), (1, 1000), false))
        }
        div.pair {
            @if offered.len() > 1 {
                (form.select("ruleset", ("org-field-ruleset", "org-field-ruleset-hint"), &offered, &standing.rules.name, false))
            }
            (form.select("opponents", ("org-field-level", "org-field-level-hint"), &called(visit, &levels, names::level), &level, false))
        }
        (own_rules(form, standing))
        div data-not="human-ai" {
            (form.select("fill", ("org-field-fill", "org-field-fill-hint"), &fills,
                if bye { "bye" } else { "stand-in" }, false))
        }
    }
}

/// Rules of the organizer's own: how they differ from shipped ones, and their file to be changed.
fn own_rules(form: &Form, standing: &Standing) -> Markup {
    let visit = form.visit;
    let changed = standing.rules.changed.as_ref();
    html! {
        @if let Some(changed) = changed { (rules::differences(visit, changed)) }
        details open[changed.is_some()] {
            summary { (visit.say("org-own-rules")) }
            (field(visit, "own_rules", ("org-own-rules-text", "org-own-rules-hint"), &html! {
                textarea id="own_rules" name="own_rules" rows="8" spellcheck="false" autocomplete="off" disabled[!form.open.draft]
                    aria-describedby="own_rules-hint" { (rules::file(&standing.rules)) }
            }))
            p.notice.bad #own-rules-fault role="alert" hidden {}
            @if form.open.draft {
                p.row {
                    label.button.quiet.small for="rules-file" { (visit.say("org-own-rules-open")) }
                    input.unseen #rules-file type="file" accept=".toml,text/plain";
                    button.button.quiet.small #own-rules-use type="button" { (visit.say("org-own-rules-use")) }
                    a.button.quiet.small href={ "/events/" (standing.row.id) "/rules" } { (visit.say("rules-read")) }
                }
            }
        }
    }
}

/// Groups, round points and the final stage of a round-robin.
fn group_fields(form: &Form, standing: &Standing) -> Markup {
    let visit = form.visit;
    let known = groups::fields_of(&standing.settings).unwrap_or_default();
    let number = |name, words, value: Option<u32>, usual: u32, range| {
        form.number(name, words, value.unwrap_or(usual), range, false)
    };
    let last = known.final_stage.unwrap_or(false);
    let finals = words(visit, &[("false", "groups-final-no"), ("true", "groups-final-yes")]);
    let carries = words(visit, &[("none", "groups-carry-none"), ("points", "groups-carry-points")]);
    let seedings = words(visit, &[("draw", "groups-seeding-draw"), ("places", "groups-seeding-places")]);
    let carry = if known.carry == Some(CarryOver::Points) { "points" } else { "none" };
    let seeding = if known.seeding == Some(Seeding::Places) { "places" } else { "draw" };
    let pins: Vec<String> =
        known.pins.iter().flatten().map(|(entrant, group)| format!("{entrant} {group}")).collect();
    html! {
        div data-robin {
            div.pair {
                (number("rr_group_size", ("groups-size", "groups-size-hint"), known.group_size, 8, (2, 64)))
                (number("rr_deals", ("groups-deals", "groups-deals-hint"), known.deals, 4, (1, 64)))
            }
            div.pair {
                (number("rr_win", ("groups-win", "groups-points-hint"), known.win, 2, (0, 1000)))
                (number("rr_draw", ("groups-draw", "groups-points-hint"), known.draw, 1, (0, 1000)))
                (number("rr_loss", ("groups-loss", "groups-points-hint"), known.loss, 0, (0, 1000)))
            }
            (form.select("rr_final", ("groups-final", "groups-final-hint"), &finals, if last { "true" } else { "false" }, false))
            div data-final {
                div.pair {
                    (number("rr_quota", ("groups-quota", "groups-quota-hint"), known.quota, 2, (0, 64)))
                    (number("rr_wild", ("groups-wild", "groups-wild-hint"), known.wild, 0, (0, 64)))
                }
                div.pair {
                    (number("rr_final_size", ("groups-final-size", "groups-final-size-hint"), known.final_size, 8, (2, 64)))
                    (number("rr_final_deals", ("groups-final-deals", "groups-deals-hint"), known.final_deals, 4, (1, 64)))
                }
                (form.select("rr_carry", ("groups-carry", "groups-carry-hint"), &carries, carry, false))
                (form.select("rr_seeding", ("groups-seeding", "groups-seeding-hint"), &seedings, seeding, false))
                (field(visit, "rr_pins", ("groups-pins", "groups-pins-hint"), &html! {
                    textarea id="rr_pins" name="rr_pins" rows="3" spellcheck="false" autocomplete="off"
                        disabled[!form.open.draft] aria-describedby="rr_pins-hint" { (pins.join("\n")) }
                }))
            }
        }
    }
}

fn live_fields(form: &Form, standing: &Standing) -> Markup {
    let (visit, live) = (form.visit, standing.live);
    let paces = words(visit, &[("rounds", "org-pace-rounds"), ("own", "org-pace-own")]);
    let autos = words(visit, &[("false", "org-auto-no"), ("true", "org-auto-yes")]);
    html! {
        div data-only="human-ai" {
            (form.select("pace", ("org-field-pace", "org-field-pace-hint"), &paces,
                if live.pace == Pace::Own { "own" } else { "rounds" }, true))
            (form.number("absent_s", ("org-field-absent", "org-field-absent-hint"), live.absent_s, (0, 3600), true))
        }
        (form.number("round_minutes", ("org-field-minutes", "org-field-minutes-hint"), live.round_minutes, (0, 1440), true))
        details {
            summary { (visit.say("org-more")) }
            (form.select("auto_rounds", ("org-field-auto", "org-field-auto-hint"), &autos,
                if live.auto_rounds { "true" } else { "false" }, true))
            div.pair {
                (form.number("late_s", ("org-field-late", "org-field-late-hint"), live.late_s, (0, 3600), true))
                (form.number("between_s", ("org-field-between", "org-field-between-hint"), live.between_s, (0, 3600), true))
            }
            div.pair {
                (form.seconds("ai_delay_s", ("org-field-delay", "org-field-delay-hint"), live.ai_delay_ms, 60))
                (form.seconds("grace_s", ("org-field-grace", "org-field-grace-hint"), live.grace_ms, 600))
            }
            (form.number("alarm_s", ("floor-field-alarm", "floor-field-alarm-hint"), live.alarm_s, (0, 3600), true))
            (form.number("reserve_boards", ("org-field-reserve", "org-field-reserve-hint"),
                standing.schedule.reserve_boards, (0, 200), false))
            (form.select("language", ("org-field-language", "org-field-language-hint"),
                &[(Lang::ZhCn, "简体中文"), (Lang::ZhTw, "繁體中文"), (Lang::En, "English")]
                    .map(|(lang, name)| (lang.tag().to_owned(), name.to_owned())), &standing.schedule.language, false))
            (delayed(form, standing))
        }
    }
}

/// The delayed public value: a field of its own, because it has three parts.
fn delayed(form: &Form, standing: &Standing) -> Markup {
    let plan = standing.schedule.delayed.as_ref();
    let about = plan.map(|plan| plan.description.as_str()).unwrap_or_default();
    let shut = !form.open.draft;
    html! {
        (field(form.visit, "delayed_about", ("org-field-delayed", "org-field-delayed-hint"), &html! {
            input id="delayed_about" name="delayed_about" value=(about) maxlength="200" autocomplete="off"
                aria-describedby="delayed_about-hint" disabled[shut];
        }))
        div.pair {
            (form.number("delayed_length", ("org-field-digits", "org-field-digits-hint"), plan.map_or(3, |plan| plan.length), (0, 1024), false))
            (field(form.visit, "delayed_after", ("org-field-after", "org-field-after-hint"), &html! {
                input id="delayed_after" name="delayed_after" type="datetime-local" disabled[shut]
                    data-us=[plan.map(|plan| plan.known_after)] aria-describedby="delayed_after-hint";
            }))
        }
    }
}

fn preview(visit: &Visit, expected: usize) -> Markup {
    html! {
        aside.box.preview aria-labelledby="preview-title" {
            h2 #preview-title { (visit.say("org-preview")) }
            div.field.short {
                label for="expected" { (visit.say("org-preview-expected")) }
                input id="expected" type="number" inputmode="numeric" min="1" max="10000" value=(expected);
            }
            div #preview aria-live="polite" { p.muted { (visit.say("org-preview-wait")) } }
        }
    }
}

/// Whether one account may be organizer and referee: a question of its own, as it is answered at any time, with a reason.
fn offices(visit: &Visit, standing: &Standing) -> Markup {
    let joint = standing.row.one_account;
    let id = Some(standing.row.id.as_str());
    let (label, what) = if joint {
        ("org-offices-part", "org-offices-back")
    } else {
        ("org-offices-join", "org-offices-what")
    };
    let ask = Act {
        id: "offices",
        label: visit.say(label),
        method: "PUT",
        path: format!("{}/offices", standing.api()),
        body: json!({ "one_account": !joint }),
        lines: vec![visit.say(what)],
        asks: Some(("reason", visit.say("org-reason"), visit.say("org-why-offices"))),
        ..Act::default()
    };
    let own = visit.actor().filter(|_| joint && visit.who.may(Right::AppointReferees, id));
    let own = own.filter(|_| !visit.who.may(Right::Correct, id)).map(|actor| Act {
        id: "referee",
        label: visit.say("org-offices-self"),
        method: "POST",
        path: format!("/api/v1/accounts/{}/appointments", actor.id),
        body: json!({ "role": "chief-referee", "event": standing.row.id }),
        lines: vec![visit.say("org-offices-self-what")],
        asks: Some(("reason", visit.say("org-reason"), visit.say("org-why-offices"))),
        ..Act::default()
    });
    html! {
        section.box aria-labelledby="offices" {
            h2 #offices { (visit.say("org-offices")) }
            p { (visit.say(if joint { "org-offices-joint" } else { "org-offices-apart" })) }
            div.row {
                (ask.show(visit, false))
                @if let Some(own) = &own { (own.show(visit, false)) }
            }
        }
    }
}

/// The page.
///
/// # Errors
/// There is no such event for this visitor.
pub async fn page(mut visit: Visit, id: web::Path<String>) -> Shown {
    let standing = Standing::of(&mut visit, &id).await?;
    let kind: GameKind = standing.row.game.parse().map_err(Problem::internal)?;
    let may = visit.who.may(Right::EditEvent, Some(&standing.row.id));
    let state = standing.row.state;
    let open = Open { draft: may && state == EventState::Draft, live: may && !state.is_published() };
    let form = Form { visit: &visit, open };
    let entered = standing.entrants.len();
    let title = visit.say("org-tab-settings");
    let main = html! {
        (head(&visit, &standing, "/settings"))
        h1 { (title) }
        p.lead { (visit.say(if open.draft { "org-settings-lead" } else { "org-settings-fixed" })) }
        div.with-preview {
            form #settings method="post" novalidate {
                p.notice.bad role="alert" hidden {}
                (main_fields(&form, &standing, kind))
                (scoring::fields(&visit, &standing, kind, open.draft))
                (live_fields(&form, &standing))
                @if open.draft {
                    p.row {
                        a.button.main href={ (standing.desk()) (if entered == 0 { "/entries" } else { "" }) } {
                            (visit.say(if entered == 0 { "org-settings-next" } else { "org-back" }))
                        }
                        span #saved .muted role="status" {}
                    }
                } @else if open.live {
                    div.field {
                        label for="why" { (visit.say("org-reason")) }
                        input id="why" name="why" value=(visit.say("org-why-settings")) maxlength="1000" required;
                    }
                    p.row { button.button type="submit" { (visit.say("org-save")) } span #saved .muted role="status" {} }
                }
            }
            (preview(&visit, if entered == 0 { EXPECTED } else { entered }))
        }
        @if may { (offices(&visit, &standing)) }
        @if open.draft {
            p.muted { (visit.tell(&Message::plain("org-settings-saved-where").with("title", &standing.settings.title))) }
        }
    };
    let data: Value = json!({ "event": standing.row.id, "draft": open.draft, "scoring": standing.settings.scoring,
            "ownRules": standing.rules.changed.as_ref().map(|_| &standing.rules.name) });
    Ok(layout::found(&visit, &Content::desk(title, main, "desk-settings.js", data)))
}
