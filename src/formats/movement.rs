//! The format *movement*: planned before the first card by [`super::lay_out`], seats by a draw.

use super::course::{Member, Planned, PlannedTable, Wanted};
use super::{DrawPurpose, MovementRules, Refused, Request, draw, lay_out};

/// The course of a movement.
#[derive(Clone, Debug)]
pub(super) struct Movement {
    rules: MovementRules,
    /// Number of seats of a table.
    seats: u8,
    members: Vec<Member>,
    rounds: Option<Vec<super::Round>>,
}

impl Movement {
    pub fn new(rules: MovementRules, seats: u8, members: Vec<Member>) -> Movement {
        Movement { rules, seats, members, rounds: None }
    }

    /// One draw: who has which number of the plan.
    pub fn due(&self) -> Option<Wanted> {
        self.rounds.is_none().then(|| Wanted {
            purpose: DrawPurpose::Seats,
            group: None,
            among: self.members.iter().map(|member| member.id.clone()).collect(),
        })
    }

    /// The seed decides the plan among those of the same quality, and who has which of its numbers.
    pub fn draw(&mut self, seed: &str) -> Result<(), Refused> {
        let entrants = u32::try_from(self.members.len()).unwrap_or(u32::MAX);
        let (plan, _) =
            lay_out(&self.rules.request(self.seats, entrants, seed)).map_err(Refused::Movement)?;
        let numbers: Vec<u32> = self.members.iter().map(|member| member.number).collect();
        self.rounds = Some(draw(entrants, seed.as_bytes()).seat(plan.rounds, &numbers));
        Ok(())
    }

    pub fn rounds(&self) -> Option<Vec<Planned>> {
        let rounds = self.rounds.as_ref()?;
        let planned = rounds.iter().map(|round| Planned {
            boards: round.boards.clone(),
            setups: round.boards.iter().map(|board| (*board as usize).saturating_sub(1)).collect(),
            tables: round
                .tables
                .iter()
                .map(|table| PlannedTable { group: None, sittings: table.sittings.clone() })
                .collect(),
            byes: round.byes.clone(),
        });
        Some(planned.collect())
    }
}

impl MovementRules {
    /// The order for the planner.
    #[must_use]
    pub fn request(&self, seats: u8, entrants: u32, seed: &str) -> Request {
        Request {
            format: self.kind,
            seats,
            entrants,
            boards: self.boards,
            boards_per_round: self.boards_per_round,
            fill: self.fill,
            seed: seed.to_owned(),
        }
    }
}
