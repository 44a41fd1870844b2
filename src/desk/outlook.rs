//! Whether seats could be drawn for the entrants as they are, and what helps where they could not.
//!
//! The same planner and the same audit answer the preview, the announcement and the draw.

use crate::formats::settings::Settings;
use crate::formats::{self, Fill, Format, Plan, Refused, Report, Request, RequestFault, boards_needed};
use crate::games::Fault;
use crate::words::message;

/// Numbers of entrants that are tried where one does not work, nearest first.
const NEAR_TRIED: u32 = 10;
/// So many numbers that work are named.
const NEAR_NAMED: usize = 5;

/// The order for the planner.
///
/// # Errors
/// As a fault: the event is no movement (`no_movement`).
pub fn request(settings: &Settings, entrants: u32, seed: &str) -> Result<Request, Vec<Fault>> {
    settings
        .movement_request(entrants, seed)
        .ok_or_else(|| vec![Fault::new("no_movement", message!("draft-no-movement"))])
}

fn told(faults: Vec<RequestFault>) -> Vec<Fault> {
    faults.into_iter().map(|fault| Fault::new(fault.code, fault.told)).collect()
}

/// The movement that somebody is to play: planned, and found sound by the audit.
///
/// # Errors
/// Why not, and then what would work: the numbers of entrants near by that can be seated (`possible_entrants`, or
/// `no_entrants_possible`), and whether the other way to fill tables could do it (`other_filling`).
pub fn movement(request: &Request) -> Result<(Plan, Report), Vec<Fault>> {
    formats::lay_out(request).map_err(|faults| with_ways(request, faults).0)
}

/// The plan of a preview with its audit, whether sound or not.
///
/// # Errors
/// As [`movement`], but for what the audit finds: that is in the report.
pub fn preview(request: &Request) -> Result<(Plan, Report), Vec<Fault>> {
    let plan = formats::plan(request).map_err(|faults| with_ways(request, faults).0)?;
    let report = formats::audit(&plan);
    Ok((plan, report))
}

/// What the entrants as they are now mean for the draw of seats. Entries are open until then, so a number that does not
/// work now is a warning; nobody having entered yet is none.
///
/// # Errors
/// No number of entrants near by could be seated: after the announcement nothing would help.
pub fn outlook(settings: &Settings, entered: usize) -> Result<Vec<Fault>, Vec<Fault>> {
    let entered = u32::try_from(entered).unwrap_or(u32::MAX);
    let Some(base) = settings.movement_request(entered, "outlook") else {
        return Ok(outlook_of_stages(settings, entered));
    };
    let expected = if entered == 0 { 2 * base.table_size() } else { entered };
    let order = Request { entrants: expected, ..base };
    match formats::lay_out(&order) {
        Ok((plan, report)) if entered > 0 => Ok(notes(settings, &plan, &report)),
        Ok(_) => Ok(Vec::new()),
        Err(faults) => {
            let (faults, possible) = with_ways(&order, faults);
            match (possible.is_empty(), entered) {
                (true, _) => Err(faults),
                (false, 0) => Ok(Vec::new()),
                (false, _) => Ok(faults),
            }
        }
    }
}

/// What an organizer should know of a plan that can be played: rounds that are shorter than was asked for (`rounds_cut`),
/// an entrant who is compared with nobody (`compared_with_nobody`), and what the audit found ([`crate::formats::AuditFinding`]).
#[must_use]
pub fn notes(settings: &Settings, plan: &Plan, report: &Report) -> Vec<Fault> {
    let mut notes = Vec::new();
    let asked = settings.boards_per_round().min(settings.boards());
    let longest = plan.rounds.iter().map(|round| round.boards.len()).max().unwrap_or(0);
    if (longest as u64) < u64::from(asked) {
        let told = message!("draft-rounds-cut", asked, rounds = report.rounds, longest);
        notes.push(Fault::new("rounds_cut", told));
    }
    if matches!(plan.format, Format::HumanAi { .. }) && plan.entrants == 1 {
        notes.push(Fault::new("compared_with_nobody", message!("draft-compared-with-nobody")));
    }
    notes.extend(report.findings().iter().map(|finding| Fault::new(finding.code(), finding.message())));
    notes
}

/// Why the entries cannot be closed for so many entrants, with what would work.
#[must_use]
pub fn ways(settings: &Settings, entrants: usize, refused: &Refused) -> Vec<Fault> {
    let entrants = u32::try_from(entrants).unwrap_or(u32::MAX);
    if let (Refused::Movement(faults), Some(order)) = (refused, settings.movement_request(entrants, "ways")) {
        return with_ways(&order, faults.clone()).0;
    }
    if let Some(Err(faults)) = settings.movement_request(entrants, "ways").map(|order| movement(&order)) {
        return faults;
    }
    let mut faults = vec![Fault::new(refused.code(), refused.message())];
    let works = |count: &u32| boards_needed(&settings.stages, *count).is_ok();
    if !works(&entrants) {
        let near = (1..=NEAR_TRIED).flat_map(|step| [entrants.checked_sub(step), entrants.checked_add(step)]);
        let mut possible: Vec<u32> = near.flatten().filter(works).take(NEAR_NAMED).collect();
        possible.sort_unstable();
        let numbers: Vec<String> = possible.iter().map(u32::to_string).collect();
        faults.push(if numbers.is_empty() {
            Fault::new("no_entrants_possible", message!("draft-no-entrants-possible"))
        } else {
            Fault::new("possible_entrants", message!("draft-possible-entrants", numbers = numbers.join(", ")))
        });
    }
    faults
}

/// What the entrants as they are now mean for an event of stages that are not planned completely before the first card.
fn outlook_of_stages(settings: &Settings, entered: u32) -> Vec<Fault> {
    if entered == 0 {
        return Vec::new();
    }
    match boards_needed(&settings.stages, entered) {
        Ok(_) => Vec::new(),
        // Entries are open until the draw.
        Err(refused) => ways(settings, entered as usize, &refused),
    }
}

/// Why an order cannot be planned, with what would work; and the numbers of entrants that would.
fn with_ways(order: &Request, faults: Vec<RequestFault>) -> (Vec<Fault>, Vec<u32>) {
    let mut faults = told(faults);
    let works = |request: &Request| formats::lay_out(request).is_ok();
    let possible = near(order, works);
    faults.push(if possible.is_empty() {
        Fault::new("no_entrants_possible", message!("draft-no-entrants-possible"))
    } else {
        let numbers: Vec<String> = possible.iter().map(u32::to_string).collect();
        let told = message!("draft-possible-entrants", numbers = numbers.join(", "));
        Fault::new("possible_entrants", told)
    });
    let other = match order.fill {
        Fill::StandIn => Fill::Bye,
        Fill::Bye => Fill::StandIn,
    };
    if !matches!(order.format, Format::HumanAi { .. }) && works(&Request { fill: other, ..order.clone() }) {
        let told = message!("draft-other-filling", fill = other, entrants = order.entrants);
        faults.push(Fault::new("other_filling", told));
    }
    (faults, possible)
}

/// The numbers of entrants nearest to that of the order that can be seated, in rising order.
fn near(order: &Request, works: impl Fn(&Request) -> bool) -> Vec<u32> {
    let (least, most) = (order.least_entrants(), order.most_entrants());
    let middle = order.entrants.clamp(least, most);
    let mut possible: Vec<u32> = (0..=NEAR_TRIED)
        .flat_map(|step| [middle.checked_sub(step), (step > 0).then_some(middle.saturating_add(step))])
        .flatten()
        .filter(|entrants| (least..=most).contains(entrants) && *entrants != order.entrants)
        .take(NEAR_TRIED as usize)
        .filter(|entrants| works(&Request { entrants: *entrants, ..order.clone() }))
        .take(NEAR_NAMED)
        .collect();
    possible.sort_unstable();
    possible
}
