//! The desk of one event: what comes next as one main button, everything else below.

use actix_web::web;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::super::layout::{self, Content};
use super::super::{Shown, Visit};
use super::{Act, Asked, Standing, head};
use crate::desk::outlook::outlook;
use crate::desk::rights::Right;
use crate::desk::stages::Closing;
use crate::event::EventState;
use crate::event::live::Pace;
use crate::scoring::command::rank_command;
use crate::words::Message;

/// Up to so many entrants the page itself looks ahead to the draw of seats.
const OUTLOOK_MAX: usize = 300;

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Enter,
    Announce,
    Delayed,
    Lock,
    Slips,
    Start(u32),
    Watch,
    Publish(&'static str),
    Reveal,
    Proof,
}

fn next(standing: &Standing) -> Next {
    let waits = standing.schedule.delayed.is_some()
        && standing.announced.as_ref().is_some_and(|announced| announced.delayed.is_none());
    match standing.row.state {
        EventState::Draft | EventState::Announced if standing.entrants.is_empty() => Next::Enter,
        EventState::Draft => Next::Announce,
        EventState::Announced => Next::Lock,
        EventState::Locked if waits => Next::Delayed,
        EventState::Locked if standing.complete => Next::Publish("official"),
        EventState::Locked
            if standing.progress.rounds.is_empty() && !standing.slips && standing.persons() > 0 =>
        {
            Next::Slips
        }
        EventState::Locked => match standing.round() {
            Some((round, false)) => Next::Start(round),
            _ => Next::Watch,
        },
        EventState::Provisional => Next::Publish("official"),
        EventState::Official | EventState::Final if !standing.revealed => Next::Reveal,
        EventState::Official => Next::Publish("final"),
        EventState::Final => Next::Proof,
    }
}

/// Every act of the page.
struct Acts<'a> {
    visit: &'a Visit,
    standing: &'a Standing,
}

impl Acts<'_> {
    fn say(&self, id: &'static str) -> String {
        self.visit.say(id)
    }

    fn lines(&self, ids: &[&'static str]) -> Vec<String> {
        ids.iter().map(|id| self.say(id)).collect()
    }

    fn may(&self, right: Right) -> bool {
        self.visit.who.may(right, Some(&self.standing.row.id))
    }

    fn post(&self, id: &'static str, path: &str, label: String, body: Value) -> Act {
        let path = format!("{}/{path}", self.standing.api());
        Act { id, label, method: "POST", path, body, ..Act::default() }
    }

    fn reason(&self, usual: &'static str) -> Asked {
        ("reason", self.say("org-reason"), self.say(usual))
    }

    /// What stands in the way of drawing seats for the entrants as they are now. A large field is not planned for a page:
    /// it is told by the draw.
    fn outlook(&self) -> Vec<String> {
        let entered = self.standing.entrants.len();
        if entered > OUTLOOK_MAX {
            return Vec::new();
        }
        let (Ok(said) | Err(said)) = outlook(&self.standing.settings, entered);
        said.iter().map(|fault| self.visit.tell(&fault.told)).collect()
    }

    fn announce(&self) -> Act {
        let mut lines = self.lines(&["org-announce-1", "org-announce-2", "org-announce-3", "org-announce-4"]);
        lines.extend(self.outlook());
        Act {
            lines,
            then: format!("{}/notice", self.standing.desk()),
            forever: true,
            ..self.post("announce", "announcement", self.say("org-do-announce"), json!({}))
        }
    }

    fn lock(&self) -> Act {
        let count = self.standing.counted("org-lock-1", self.standing.entrants.len());
        let mut lines = vec![self.visit.tell(&count)];
        lines.extend(self.lines(&["org-lock-2", "org-lock-3"]));
        lines.extend(self.outlook());
        Act { lines, forever: true, ..self.post("lock", "lock", self.say("org-do-lock"), json!({})) }
    }

    fn delayed(&self) -> Act {
        let about = self.standing.schedule.delayed.as_ref().map(|plan| plan.description.clone());
        Act {
            method: "PUT",
            lines: vec![about.unwrap_or_default(), self.say("org-delayed-once")],
            asks: Some(("value", self.say("org-delayed-value"), String::new())),
            forever: true,
            ..self.post("delayed", "delayed", self.say("org-do-delayed"), json!({}))
        }
    }

    fn start(&self, round: u32) -> Act {
        let own = self.standing.live.pace == Pace::Own;
        let label = if own {
            self.say("org-do-start-event")
        } else {
            self.visit.tell(&Message::plain("org-do-start").with("round", round))
        };
        let missing = self.standing.persons().saturating_sub(self.standing.came.len());
        let mut lines = vec![self.say(if own { "org-start-own" } else { "org-start-rounds" })];
        if missing > 0 && round == 1 {
            lines.push(self.visit.tell(&self.standing.counted("org-start-missing", missing)));
        }
        Act { lines, ..self.post("start", &format!("rounds/{round}/start"), label, json!({})) }
    }

    fn pause(&self) -> Act {
        let paused = self.standing.progress.paused;
        Act {
            asks: Some(self.reason(if paused { "org-why-go" } else { "org-why-pause" })),
            lines: if paused { Vec::new() } else { self.lines(&["org-pause-what"]) },
            ..self.post(
                "pause",
                "pause",
                self.say(if paused { "org-do-go" } else { "org-do-pause" }),
                json!({ "paused": !paused }),
            )
        }
    }

    fn finish(&self) -> Act {
        Act {
            asks: Some(self.reason("org-why-finish")),
            lines: self.lines(&["org-finish-1", "org-finish-2"]),
            danger: true,
            forever: true,
            ..self.post("finish", "finish", self.say("org-do-finish"), json!({}))
        }
    }

    /// Closes the stage that is over, with who advances.
    fn close(&self, closing: &Closing) -> Act {
        let names = self.standing.names();
        let called = |ids: &[String]| {
            let name = |id: &String| names.get(id).unwrap_or(id).clone();
            ids.iter().map(name).collect::<Vec<_>>().join(self.say("groups-and").as_str())
        };
        let mut lines = vec![self.say("groups-close-what")];
        if !closing.advance.is_empty() {
            let told = Message::plain("groups-close-advance").with("names", called(&closing.advance));
            lines.push(self.visit.tell(&told));
        }
        if !closing.lot.is_empty() {
            lines.push(
                self.visit.tell(&Message::plain("groups-close-lot").with("names", called(&closing.lot))),
            );
        }
        let label = self.visit.tell(&Message::plain("groups-close").with("stage", closing.stage));
        let path = format!("stages/{}/close", closing.stage);
        Act {
            asks: Some(self.reason("groups-why-close")),
            lines,
            forever: true,
            ..self.post("close-stage", &path, label, json!({}))
        }
    }

    fn publish(&self, state: &'static str) -> Act {
        let (id, label, what) = match state {
            "provisional" => ("publish-provisional", "org-do-provisional", "org-publish-provisional"),
            "official" => ("publish-official", "org-do-official", "org-publish-official"),
            _ => ("publish-final", "org-do-final", "org-publish-final"),
        };
        Act {
            asks: Some(self.reason("org-why-publish")),
            lines: self.lines(&[what, "org-publish-signed"]),
            forever: state != "provisional",
            ..self.post(id, "revisions", self.say(label), json!({ "state": state }))
        }
    }

    fn reveal(&self) -> Act {
        Act {
            asks: Some(self.reason("org-why-reveal")),
            lines: self.lines(&["org-reveal-1", "org-reveal-2"]),
            forever: true,
            ..self.post("reveal", "reveal", self.say("org-do-reveal"), json!({}))
        }
    }

    fn freeze(&self) -> Act {
        let frozen = self.standing.frozen;
        Act {
            method: "PUT",
            asks: Some(self.reason(if frozen { "org-why-thaw" } else { "org-why-freeze" })),
            lines: self.lines(&[if frozen { "org-thaw-what" } else { "org-freeze-what" }]),
            ..self.post(
                "freeze",
                "freeze",
                self.say(if frozen { "org-do-thaw" } else { "org-do-freeze" }),
                json!({ "frozen": !frozen }),
            )
        }
    }
}

fn link(visit: &Visit, standing: &Standing, path: &str, name: &'static str, main: bool) -> Markup {
    html! {
        a class=(if main { "button main" } else { "button quiet" }) href={ (standing.desk()) (path) } { (visit.say(name)) }
    }
}

/// The main button, with the sentence that says why it is the next.
fn coming(acts: &Acts, next: Next) -> Markup {
    let (visit, standing) = (acts.visit, acts.standing);
    let wait = || html! { p.muted { (visit.say("org-not-you")) } };
    let act = |right: Right, act: Act| if acts.may(right) { act.show(visit, true) } else { wait() };
    let (why, button) = match next {
        Next::Enter => ("org-why-next-enter", link(visit, standing, "/entries", "org-do-enter", true)),
        Next::Announce => ("org-why-next-announce", act(Right::Announce, acts.announce())),
        Next::Delayed => ("org-why-next-delayed", act(Right::Announce, acts.delayed())),
        Next::Lock => ("org-why-next-lock", act(Right::Announce, acts.lock())),
        Next::Slips => ("org-why-next-slips", link(visit, standing, "/slips", "org-do-slips", true)),
        Next::Start(round) => ("org-why-next-start", act(Right::RunEvent, acts.start(round))),
        Next::Watch => ("org-why-next-watch", link(visit, standing, "/floor", "org-do-watch", true)),
        Next::Publish("final") => ("org-why-next-final", act(Right::Publish, acts.publish("final"))),
        Next::Publish(state) if standing.row.state == EventState::Provisional => {
            ("org-why-next-official", act(Right::Publish, acts.publish(state)))
        }
        Next::Publish(state) => ("org-why-next-publish", act(Right::Publish, acts.publish(state))),
        Next::Reveal => ("org-why-next-reveal", act(Right::Reveal, acts.reveal())),
        Next::Proof => (
            "org-why-next-proof",
            html! { a.button.main href={ (standing.api()) "/bundle" } download={ (standing.row.id) ".fushi" } { (visit.say("org-do-bundle")) } },
        ),
    };
    html! {
        section.coming aria-labelledby="coming" {
            h2 #coming { (visit.say("org-next")) }
            p { (visit.say(why)) }
            p.row { (button) }
        }
    }
}

/// The way from draft to proof, with what is done.
fn steps(visit: &Visit, standing: &Standing) -> Markup {
    let stage = match standing.row.state {
        EventState::Draft => u8::from(!standing.entrants.is_empty()),
        EventState::Announced => 2,
        EventState::Locked if standing.progress.rounds.is_empty() && !standing.complete => 3,
        EventState::Locked if !standing.complete => 4,
        EventState::Locked | EventState::Provisional => 5,
        _ if !standing.revealed => 6,
        _ => 7,
    };
    let names = [
        "org-step-enter",
        "org-step-announce",
        "org-step-lock",
        "org-step-slips",
        "org-step-play",
        "org-step-publish",
        "org-step-reveal",
    ];
    html! {
        ol.steps aria-label=(visit.say("org-steps")) {
            @for (at, name) in (0_u8..).zip(names) {
                li.done[at < stage].now[at == stage] aria-current=[(at == stage).then_some("step")] {
                    (visit.say(name))
                    @if at < stage { span.unseen { ": " (visit.say("org-step-done")) } }
                }
            }
        }
    }
}

fn play(acts: &Acts) -> Markup {
    let (visit, standing) = (acts.visit, acts.standing);
    let closing = standing.closing.as_ref().filter(|_| acts.may(Right::RunEvent));
    let progress = &standing.progress;
    let total = progress.plays.max(1);
    html! {
        section.box aria-labelledby="play" {
            h2 #play { (visit.say("org-play")) }
            @if let Some((round, true)) = standing.round() {
                p { strong { (visit.tell(&Message::plain("org-seats-now").with("round", round))) } }
            }
            p #timer .timer hidden {}
            progress #bar max=(total) value=(progress.over) aria-label=(visit.say("org-progress")) {}
            p #how {
                (visit.tell(&Message::plain(if progress.unfinished > 0 { "org-progress-cut" } else { "org-progress-line" })
                    .with("played", progress.played()).with("cut", progress.unfinished)
                    .with("plays", progress.plays).with("connected", progress.connected)))
            }
            @if let Some(closing) = closing { p.row { (acts.close(closing).show(visit, true)) } }
            div.row {
                @if acts.may(Right::RunEvent) && !standing.complete { (acts.pause().show(visit, false)) }
                (link(visit, standing, "/floor", "org-tab-floor", false))
                a.button.quiet href={ "/events/" (standing.row.id) "/seats" } { (visit.say("org-projector")) }
                @if acts.may(Right::RunEvent) && !standing.complete { (acts.finish().show(visit, false)) }
            }
        }
    }
}

fn results(acts: &Acts) -> Markup {
    let (visit, standing) = (acts.visit, acts.standing);
    let api = standing.api();
    let file = |view: &str, form: &str| format!("{api}/views/{view}?format={form}&lang={}", visit.lang.tag());
    let state = standing.row.state;
    let results = format!("{}-results.csv", standing.row.id);
    html! {
        section.box aria-labelledby="results" {
            h2 #results { (visit.say("org-results")) }
            p { a href={ "/events/" (standing.row.id) } { (visit.say("org-public")) } }
            @if standing.complete && acts.may(Right::Publish) {
                div.row {
                    @if matches!(state, EventState::Locked | EventState::Provisional) { (acts.publish("provisional").show(visit, false)) }
                    @if state == EventState::Official && !standing.revealed { (acts.publish("final").show(visit, false)) }
                }
            }
            @if acts.may(Right::Freeze) { div.row { (acts.freeze().show(visit, false)) } }
            h3 { (visit.say("org-files")) }
            ul.files {
                li { a href=(file("ranking", "xlsx")) download { (visit.say("org-file-ranking")) " (XLSX)" } }
                li { a href=(file("ranking", "csv")) download { (visit.say("org-file-ranking")) " (CSV)" } }
                li { a href=(file("cross-tab", "xlsx")) download { (visit.say("org-file-cross")) " (XLSX)" } }
                li { a href=(file("results", "csv")) download=(results) { (visit.say("org-file-results")) " (CSV)" } }
                @if standing.revealed {
                    li { a href={ (api) "/bundle" } download={ (standing.row.id) ".fushi" } { (visit.say("org-file-bundle")) } }
                    li { a href={ (api) "/reveal" } download={ (standing.row.id) "-keys.json" } { (visit.say("org-file-keys")) } }
                }
            }
            p.muted { (visit.say("org-rank-again")) " " code #rank-command { (rank_command(&standing.settings.scoring, &results)) } }
        }
    }
}

fn facts(visit: &Visit, standing: &Standing) -> Markup {
    let of =
        Message::plain("org-came-line").with("came", standing.came.len()).with("persons", standing.persons());
    html! {
        section.box aria-labelledby="players" {
            h2 #players { (visit.say("org-players")) }
            p { (visit.tell(&standing.counted("org-entrants", standing.entrants.len()))) }
            @if standing.announced.is_some() && standing.persons() > 0 { p { (visit.tell(&of)) } }
            div.row {
                (link(visit, standing, "/entries", "org-tab-entries", false))
                (link(visit, standing, "/start-list", "org-tab-start-list", false))
                @if standing.announced.is_some() { (link(visit, standing, "/checkin", "org-tab-checkin", false)) }
                @if !standing.rounds.is_empty() { (link(visit, standing, "/slips", "org-tab-slips", false)) }
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
    let acts = Acts { visit: &visit, standing: &standing };
    let next = next(&standing);
    let state = standing.row.state;
    let drawn = state.is_drawn();
    let title = standing.settings.title.clone();
    let main = html! {
        (head(&visit, &standing, ""))
        (steps(&visit, &standing))
        (coming(&acts, next))
        div.boxes {
            @if state == EventState::Locked { (play(&acts)) }
            (facts(&visit, &standing))
            @if drawn { (results(&acts)) }
            @if matches!(next, Next::Enter) && state == EventState::Draft && acts.may(Right::Announce) {
                section.box aria-labelledby="sooner" {
                    h2 #sooner { (visit.say("org-sooner")) }
                    p.muted { (visit.say("org-sooner-why")) }
                    div.row { (acts.announce().show(&visit, false)) }
                }
            }
            @if state == EventState::Locked && next == Next::Slips {
                @if let Some((round, false)) = standing.round() {
                    @if acts.may(Right::RunEvent) {
                        section.box aria-labelledby="sooner" {
                            h2 #sooner { (visit.say("org-sooner-start")) }
                            p.muted { (visit.say("org-sooner-start-why")) }
                            div.row { (acts.start(round).show(&visit, false)) }
                        }
                    }
                }
            }
        }
    };
    let data = json!({ "event": standing.row.id, "progress": standing.progress, "live": state == EventState::Locked });
    Ok(layout::found(&visit, &Content::desk(title, main, "desk-event.js", data)))
}
