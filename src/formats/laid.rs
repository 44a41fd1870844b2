//! A plan that may be played: made by the planner, then counted again by the audit.

use super::{Plan, Report, Request, RequestFault, audit, plan};

/// Plans a request and audits the plan: the one way to a movement that somebody is to play.
///
/// # Errors
/// Every contradiction in the request and whatever cannot be planned, see [`plan`]; or what the audit finds wrong with
/// the plan, under its codes. A plan with faults is never given out.
pub fn lay_out(request: &Request) -> Result<(Plan, Report), Vec<RequestFault>> {
    let plan = plan(request)?;
    let report = audit(&plan);
    if report.sound() {
        return Ok((plan, report));
    }
    Err(report.faults.iter().map(|fault| RequestFault::new(fault.code(), fault.message())).collect())
}
