//! Results from finished boards and rulings.

use std::collections::{BTreeMap, BTreeSet};

use super::Competition;
use crate::formats::ruling::{Decision, Ruling, in_force};
use crate::formats::settings::Measure;
use crate::formats::tally::{Played, Tallied, Tally, TallyFault, tally_of};
use crate::formats::{Finished, Occupant, Sitting};
use crate::scoring::Role;

impl Competition {
    /// What every entrant and stand-in has from the boards that are over, before rulings: boards that were not played and
    /// byes have no score. A board that is still open is there only where a ruling is about it.
    #[must_use]
    pub fn results(&self) -> Vec<Played> {
        self.results_of(None)
    }

    /// The results of a stage, or of all.
    pub(super) fn results_of(&self, stage: Option<u32>) -> Vec<Played> {
        let wanted = |own: u32| stage.is_none_or(|stage| stage == own);
        let ruled: BTreeSet<u32> = self.holding().iter().filter_map(|ruling| board_of(ruling)).collect();
        let mut played = Vec::new();
        for sitting in self.sittings.iter().filter(|sitting| wanted(sitting.stage)) {
            let finished = self.finished.get(&sitting.sitting);
            let over = finished.is_some() || self.unplayed.contains(&sitting.sitting);
            if over || ruled.contains(&sitting.deal.board) {
                played.extend(self.played(sitting, finished));
            }
        }
        let started = self.schedule.iter().filter(|round| wanted(round.stage) && self.has_started(round));
        for round in started {
            for board in &round.plan.boards {
                played.extend(round.plan.byes.iter().map(|number| Played {
                    board: *board,
                    table: None,
                    seat: "-".to_owned(),
                    entrant: self.who(Occupant::Entrant(*number)),
                    score: None,
                    role: None,
                    deal: None,
                }));
            }
        }
        played
    }

    /// The results of a sitting, AI opponents aside.
    fn played<'a>(
        &'a self,
        sitting: &'a Sitting,
        finished: Option<&'a Finished>,
    ) -> impl Iterator<Item = Played> + 'a {
        self.settings.positions.iter().filter_map(move |seats| {
            let first = seats.first()?;
            let entrant = sitting.seats.get(first)?.as_ref().filter(|who| !who.starts_with("ai:"))?;
            let role = finished.and_then(|finished| finished.roles.get(first)).copied();
            Some(Played {
                board: sitting.deal.board,
                table: Some(sitting.table),
                seat: seats.concat(),
                entrant: entrant.clone(),
                score: finished.and_then(|finished| measured(self.settings.measure, finished, first, role)),
                role,
                deal: None,
            })
        })
    }

    /// The rulings that hold.
    pub(super) fn holding(&self) -> Vec<&Ruling> {
        // A withdrawal of what does not hold was refused.
        in_force(&self.rulings).unwrap_or_default()
    }

    /// Results, scored by comparison, and the standings over all boards.
    ///
    /// # Errors
    /// A ruling or a result that cannot stand; none that was checked.
    pub fn tally(&self) -> Result<Tally, TallyFault> {
        self.tally_stage(None)
    }

    /// The same for a stage and those who take part in it.
    pub(super) fn tally_stage(&self, stage: Option<u32>) -> Result<Tally, TallyFault> {
        let running = self.stages.iter().find(|running| Some(running.stage) == stage);
        let members = running.map_or(&self.members, |running| &running.members);
        let entrants: BTreeMap<&str, u32> =
            members.iter().map(|member| (member.id.as_str(), member.number)).collect();
        let played = self.results_of(stage);
        let boards: BTreeSet<u32> = played.iter().map(|row| row.board).collect();
        let concerns = |ruling: &&Ruling| match &ruling.decision {
            Decision::Standing { entrant, .. } => entrants.contains_key(entrant.as_str()),
            _ => board_of(ruling).is_some_and(|board| boards.contains(&board)),
        };
        let holding: Vec<&Ruling> = self.holding().into_iter().filter(concerns).collect();
        let about =
            Tallied { scoring: &self.settings.scoring, compared: self.compared(), entrants: &entrants };
        tally_of(&about, played, &holding)
    }
}

/// The board that a ruling is about.
fn board_of(ruling: &Ruling) -> Option<u32> {
    match &ruling.decision {
        Decision::Score { board, .. }
        | Decision::Status { board, .. }
        | Decision::Weighted { board, .. }
        | Decision::Penalty { board, .. }
        | Decision::Void { board } => Some(*board),
        Decision::Standing { .. } | Decision::Withdraw { .. } => None,
    }
}

/// The number that is compared of a position with this first seat.
fn measured(measure: Measure, finished: &Finished, seat: &str, role: Option<Role>) -> Option<i64> {
    let score = finished.scores.get(seat).copied()?;
    match measure {
        Measure::Score => Some(score),
        Measure::SmallPoints => match role? {
            Role::Defender => finished.small,
            Role::Banker => finished.small?.checked_neg(),
        },
    }
}
