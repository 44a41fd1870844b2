//! Who looked into the hands of a board, and why. The line of the journal names the account; the person's name and the
//! reason stand in the audit log, so that a name can be deleted and the chain still holds. Both are told together here:
//! in the board's record to referees, and to everybody once the board is public.

use serde_json::Value;

use super::people::People;
use crate::event::archive::{AuditRow, Kept, PlayRow};
use crate::games::Game;
use crate::journal::control::{ControlKind, Line};
use crate::journal::scan_line;

/// The code of an order at a table in the audit log.
pub const ACT: &str = "order-table";

/// So many entries of the log are read at once.
const PART: i64 = 500;

/// A look into the hands of a board at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The line of the board's journal.
    pub line: u32,
    /// Microseconds since the board opened at this table; `None` where no clock ran.
    pub at: Option<u64>,
    /// The account.
    pub by: String,
    /// The person's name for people, as it was then; the account's where none is known.
    pub name: String,
    /// Why; empty where no reason is known.
    pub reason: String,
}

/// An order to look, from the log: who, the person's name, how many lines the journal had, why.
struct Order {
    by: String,
    name: Option<String>,
    lines: u64,
    reason: String,
}

fn order_of(row: AuditRow, board: i64, table: i64) -> Option<Order> {
    if row.act != ACT {
        return None;
    }
    let details: Value = serde_json::from_str(&row.details).ok()?;
    let order = &details["after"];
    let here = order["order"] == "look" && order["board"] == board && order["table"] == table;
    here.then(|| Order {
        by: row.who,
        name: order["name"].as_str().map(str::to_owned),
        lines: order["lines"].as_u64().unwrap_or(0),
        reason: row.reason,
    })
}

/// The looks into a board at a table in the order of its journal, whose entries `bodies` are, the receipt left out.
///
/// # Errors
/// Those of the keeper.
pub fn looks<'a, G: Game>(
    people: &dyn People,
    event: &str,
    play: &PlayRow,
    bodies: impl Iterator<Item = &'a str>,
) -> Kept<Vec<Look>> {
    let look = |(line, body): (u32, &str)| match scan_line::<G>(body) {
        Ok(Line::Control(note)) if note.kind == ControlKind::Look => {
            let by = note.who.unwrap_or_default();
            Some(Look { line, at: note.at, name: by.clone(), by, reason: String::new() })
        }
        _ => None,
    };
    let mut looks: Vec<Look> = (1..).zip(bodies).filter_map(look).collect();
    // Hardly any board is looked into: the log is read for those only.
    if looks.is_empty() {
        return Ok(looks);
    }
    let mut orders = Vec::new();
    let mut after = 0;
    loop {
        let page = people.audit_page(Some(event), after, PART)?;
        let Some(last) = page.last() else { break };
        after = last.id;
        let (board, table) = (play.play.number, play.play.table_number);
        orders.extend(page.into_iter().filter_map(|entry| order_of(entry.row, board, table)));
    }
    tell(&mut looks, orders);
    Ok(looks)
}

/// Gives each look its order: the last one of the same account that was logged before its line and is not another
/// look's. An order that was refused has no look.
fn tell(looks: &mut [Look], mut orders: Vec<Order>) {
    for look in looks.iter_mut().rev() {
        let fits = |order: &Order| order.by == look.by && order.lines < u64::from(look.line);
        if let Some(at) = orders.iter().rposition(fits) {
            let order = orders.remove(at);
            if let Some(name) = order.name {
                look.name = name;
            }
            look.reason = order.reason;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(line: u32, by: &str) -> Look {
        Look { line, at: None, by: by.to_owned(), name: by.to_owned(), reason: String::new() }
    }

    fn order(by: &str, lines: u64, reason: &str) -> Order {
        Order { by: by.to_owned(), name: Some(format!("Name of {by}")), lines, reason: reason.to_owned() }
    }

    #[test]
    fn each_look_has_the_reason_of_its_own_order() {
        let mut looks = [look(3, "r1"), look(4, "r2"), look(5, "r1"), look(6, "r3")];
        // The first was refused; r1's second order was logged before r1's first look was written.
        let orders = vec![
            order("r1", 1, "refused"),
            order("r1", 2, "first"),
            order("r2", 3, "r2"),
            order("r1", 2, "second"),
        ];
        tell(&mut looks, orders);
        let told: Vec<(&str, &str)> =
            looks.iter().map(|one| (one.name.as_str(), one.reason.as_str())).collect();
        assert_eq!(
            told,
            [("Name of r1", "first"), ("Name of r2", "r2"), ("Name of r1", "second"), ("r3", "")]
        );
    }
}
