//! Which facts can be, and what follows from them.

use super::{Competition, Running, boards_needed, order_of, stage_lines};
use crate::formats::ruling::{Decision, Ruling, RulingFault, in_force};
use crate::formats::{
    Advance, Bell, Closed, DrawDue, DrawMade, DrawPurpose, End, Fact, Finished, Group, Locked, Occupant,
    Order, Refused, Replay, RoundStarted, StageFormat,
};
use crate::scoring::{Amount, Penalty, PenaltyFault};

impl Competition {
    /// The orders that follow from a fact.
    ///
    /// # Errors
    /// Why the fact cannot be; the competition is unchanged either way.
    pub fn check(&self, fact: &Fact) -> Result<Vec<Order>, Refused> {
        if !matches!(fact, Fact::Locked(_)) && !self.locked() {
            return Err(Refused::NotLocked);
        }
        match fact {
            Fact::Locked(locked) => self.check_locked(locked).map(|()| Vec::new()),
            Fact::Draw(made) => self.check_draw(made),
            Fact::Round(round) => self.check_round(round),
            Fact::Finished(finished) => self.check_finished(finished).map(|()| Vec::new()),
            Fact::Bell(bell) => self.check_bell(bell).map(|()| Vec::new()),
            Fact::Closed(closed) => {
                self.check_closed(*closed)?;
                Ok(self.after(fact))
            }
            Fact::Replay(replay) => self.check_replay(*replay).map(|()| Vec::new()),
            Fact::Ruling(ruling) => {
                self.check_ruling(ruling)?;
                // A ruling between the end of a stage and its lots may make a lot needless.
                let waits = self.stages.last().is_some_and(|running| running.closed) && !self.ended;
                Ok(if waits { self.after(fact) } else { Vec::new() })
            }
            Fact::Pause(paused) if self.ended && *paused => Err(Refused::Ended),
            Fact::Pause(paused) if *paused == self.paused => Err(Refused::Paused(*paused)),
            Fact::Pause(_) => Ok(Vec::new()),
        }
    }

    /// What follows from the end of a stage once a fact is carried out.
    fn after(&self, fact: &Fact) -> Vec<Order> {
        let mut then = self.clone();
        then.apply(fact, &[]);
        then.settled()
    }

    /// Who advances from a stage that is closed, or the end, once no lot is due.
    fn settled(&self) -> Vec<Order> {
        let Some(running) = self.stages.last().filter(|running| running.closed && !self.ended) else {
            return Vec::new();
        };
        if self.due_draw().is_some() {
            return Vec::new();
        }
        match self.advancing(running) {
            Some(Ok((entrants, by))) => {
                vec![Order::Advance(Advance { stage: running.stage.saturating_add(1), entrants, by })]
            }
            Some(Err(_)) => Vec::new(),
            None => vec![Order::End(End {})],
        }
    }

    /// The draw that has to be made now.
    #[must_use]
    pub fn due_draw(&self) -> Option<DrawDue> {
        let running = self.stages.last().filter(|_| !self.ended)?;
        let (purpose, group, among) = if running.closed {
            self.lot_due(running)?
        } else {
            let wanted = running.course.due()?;
            (wanted.purpose, wanted.group, wanted.among)
        };
        let before = self.draws.iter().filter(|draw| draw.due.purpose == purpose).count();
        let number = u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1);
        Some(DrawDue { purpose, number, stage: running.stage, group, among })
    }

    fn check_locked(&self, locked: &Locked) -> Result<(), Refused> {
        if self.locked() {
            return Err(Refused::Locked);
        }
        let mut ids: Vec<&String> = locked.entrants.iter().collect();
        ids.sort_unstable();
        ids.dedup();
        let rising = locked.numbers.windows(2).all(|pair| pair.first() < pair.last());
        let numbered = locked.numbers.is_empty() || locked.numbers.len() == locked.entrants.len();
        if ids.is_empty() || ids.len() != locked.entrants.len() || !numbered || !rising {
            return Err(Refused::Entrants);
        }
        if locked.stages != stage_lines(&self.settings.stages) {
            return Err(Refused::Stages);
        }
        let entrants = u32::try_from(ids.len()).unwrap_or(u32::MAX);
        let boards = boards_needed(&self.settings.stages, entrants)?;
        if let Some(missing) = (1..=boards).find(|board| self.set_of(*board, false).is_none()) {
            return Err(Refused::NoBoard(missing));
        }
        let mut then = self.clone();
        then.apply(&Fact::Locked(locked.clone()), &[]);
        // The pins of the first stage; those of a later one would name entrants that are not known yet.
        then.course(1, then.members.clone()).map(|_| ())
    }

    fn check_draw(&self, made: &DrawMade) -> Result<Vec<Order>, Refused> {
        let due = self.due_draw().ok_or(Refused::NoDrawDue)?;
        if made.due != due {
            return Err(Refused::WrongDraw);
        }
        let digit = |letter: u8| matches!(letter, b'0'..=b'9' | b'a'..=b'f');
        if made.seed.len() != 64 || !made.seed.bytes().all(digit) {
            return Err(Refused::BadSeed);
        }
        if made.order != order_of(&due, &made.seed) {
            return Err(Refused::WrongOrder);
        }
        let Some(running) = self.stages.last().filter(|running| !running.closed) else {
            return Ok(self.after(&Fact::Draw(made.clone())));
        };
        let formed = running.course.clone().draw(due.group.as_deref(), &made.order, &made.seed)?;
        let group = |(group, entrants)| Order::Group(Group { stage: running.stage, group, entrants });
        Ok(formed.into_iter().map(group).collect())
    }

    fn current(&self, stage: u32) -> Result<&Running, Refused> {
        let running = self.stages.last().filter(|running| running.stage == stage);
        running.ok_or(Refused::OtherStage(stage))
    }

    fn check_round(&self, fact: &RoundStarted) -> Result<Vec<Order>, Refused> {
        let running = self.current(fact.stage)?;
        if running.closed {
            return Err(Refused::StageClosed(fact.stage));
        }
        if !running.scheduled {
            return Err(Refused::DrawDue);
        }
        let mut rounds = self.of_stage(fact.stage);
        let round =
            rounds.find(|round| round.round == fact.round).ok_or(Refused::UnknownRound(fact.round))?;
        if self.has_started(round) {
            return Err(Refused::RoundStarted(fact.round));
        }
        let earlier = self.of_stage(fact.stage).find(|other| !self.has_started(other));
        if let Some(earlier) = earlier.filter(|earlier| earlier.round != fact.round) {
            return Err(Refused::EarlierRound(earlier.round));
        }
        if let Some(running) = self.running_round(fact.stage).filter(|_| running.course.one_round_at_a_time())
        {
            return Err(Refused::RoundRuns(running));
        }
        self.orders_of(round)
    }

    /// That a sitting is there and open.
    fn open(&self, id: u32) -> Result<(), Refused> {
        self.sitting(id).ok_or(Refused::UnknownSitting(id))?;
        if self.finished.contains_key(&id) {
            return Err(Refused::Finished(id));
        }
        if self.unplayed.contains(&id) {
            return Err(Refused::NotPlayed(id));
        }
        Ok(())
    }

    fn check_finished(&self, finished: &Finished) -> Result<(), Refused> {
        self.open(finished.sitting)?;
        let seats = self.sitting(finished.sitting).map(|sitting| &sitting.seats);
        let taken = seats.into_iter().flatten().filter(|(_, who)| who.is_some()).map(|(seat, _)| seat);
        let scored = finished.scores.is_empty() || taken.clone().eq(finished.scores.keys());
        if !scored || !finished.roles.keys().all(|seat| taken.clone().any(|taken| taken == seat)) {
            return Err(Refused::WrongSeats(finished.sitting));
        }
        Ok(())
    }

    fn check_bell(&self, bell: &Bell) -> Result<(), Refused> {
        let started = self.started.get(&(bell.stage, bell.round));
        let started = started.ok_or(Refused::RoundNotStarted(bell.round))?;
        if started.rang {
            return Err(Refused::BellRang(bell.round));
        }
        if started.open == 0 {
            return Err(Refused::RoundOver(bell.round));
        }
        let mut before = 0;
        for sitting in &bell.unplayed {
            if *sitting <= before || !started.sittings.contains(sitting) || self.open(*sitting).is_err() {
                return Err(Refused::BadUnplayed(*sitting));
            }
            before = *sitting;
        }
        Ok(())
    }

    fn check_closed(&self, closed: Closed) -> Result<(), Refused> {
        if self.current(closed.stage)?.closed {
            return Err(Refused::StageClosed(closed.stage));
        }
        if self.may_close() == Some(closed.stage) { Ok(()) } else { Err(Refused::StageNotOver(closed.stage)) }
    }

    fn check_replay(&self, replay: Replay) -> Result<(), Refused> {
        let sitting = self.of_board.get(&replay.board).and_then(|ids| self.sitting(*ids.first()?));
        let sitting = sitting.ok_or(RulingFault::NoBoard(replay.board))?;
        if self.current(sitting.stage)?.closed {
            return Err(Refused::StageClosed(sitting.stage));
        }
        let void = |ruling: &&Ruling| {
            ruling.number == replay.ruling
                && matches!(ruling.decision, Decision::Void { board } if board == replay.board)
        };
        let holding = in_force(&self.rulings)?;
        if !holding.iter().any(void) || self.replays.iter().any(|other| other.board == replay.board) {
            return Err(Refused::NotVoid(replay.board));
        }
        let used = self.replays.iter().any(|other| other.instead == replay.instead);
        if used || self.set_of(replay.instead, true).is_none() || self.of_board.contains_key(&replay.instead)
        {
            return Err(Refused::NoReserve(replay.instead));
        }
        Ok(())
    }

    fn check_ruling(&self, ruling: &Ruling) -> Result<(), Refused> {
        ruling.check(u32::try_from(self.rulings.len()).unwrap_or(u32::MAX).saturating_add(1))?;
        match &ruling.decision {
            Decision::Withdraw { ruling: number } => {
                if !in_force(&self.rulings)?.iter().any(|holding| holding.number == *number) {
                    return Err(RulingFault::NotInForce(*number).into());
                }
                if self.replays.iter().any(|replay| replay.ruling == *number) {
                    return Err(Refused::Replayed(*number));
                }
            }
            Decision::Void { board } => {
                if !self.of_board.contains_key(board) {
                    return Err(RulingFault::NoBoard(*board).into());
                }
            }
            Decision::Standing { entrant, .. } => {
                if !self.members.iter().any(|member| member.id == *entrant) {
                    return Err(RulingFault::NoEntrant(entrant.clone()).into());
                }
            }
            Decision::Score { board, entrant, .. } | Decision::Weighted { board, entrant, .. } => {
                if self.check_result(*board, entrant)?.is_none() {
                    return Err(RulingFault::Bye(entrant.clone(), *board).into());
                }
            }
            Decision::Status { board, entrant, .. } => {
                self.check_result(*board, entrant)?;
            }
            Decision::Penalty { board, entrant, amount } => {
                let at = self.check_result(*board, entrant)?;
                self.check_penalty(ruling, amount, at)?;
            }
        }
        Ok(())
    }

    /// The stage in which an entrant plays a board; `None` where the entrant sits it out.
    fn check_result(&self, board: u32, entrant: &str) -> Result<Option<u32>, RulingFault> {
        let sittings = self.of_board.get(&board).ok_or(RulingFault::NoBoard(board))?;
        let sittings = sittings.iter().filter_map(|id| self.sitting(*id));
        let artificial = entrant.starts_with("ai:");
        let plays = |seats: &std::collections::BTreeMap<String, Option<String>>| {
            !artificial && seats.values().flatten().any(|who| who == entrant)
        };
        if let Some(sitting) = sittings.into_iter().find(|sitting| plays(&sitting.seats)) {
            return Ok(Some(sitting.stage));
        }
        let mut rounds = self.schedule.iter().filter(|round| round.plan.boards.contains(&board));
        let out = |number: &u32| self.who(Occupant::Entrant(*number)) == entrant;
        if rounds.any(|round| round.plan.byes.iter().any(out)) {
            return Ok(None);
        }
        Err(RulingFault::NoResult(entrant.to_owned(), board))
    }

    fn check_penalty(&self, ruling: &Ruling, amount: &Amount, stage: Option<u32>) -> Result<(), RulingFault> {
        let scoring = &self.settings.scoring;
        let penalty = Penalty { ruling: ruling.number.to_string(), amount: amount.clone() };
        penalty.check_under(scoring, self.compared())?;
        let format = stage.and_then(|stage| self.rules_of(stage)).map(|stage| &stage.format);
        match (format, amount) {
            // The points of a deal have no top.
            (Some(StageFormat::RoundRobin(_)), Amount::OfTop(_)) => {
                Err(PenaltyFault::NoTop(scoring.method).into())
            }
            _ => Ok(()),
        }
    }

    /// The largest number of results that are compared with one another on a board: one for each table.
    pub(super) fn compared(&self) -> u32 {
        let tables = self.schedule.iter().map(|round| round.plan.tables.len()).max().unwrap_or(0);
        u32::try_from(tables).unwrap_or(u32::MAX)
    }

    /// The lot that has to be drawn before a closed stage is settled.
    fn lot_due(&self, running: &Running) -> Option<(DrawPurpose, Option<String>, Vec<String>)> {
        if let Some((group, tied)) = self.tied(running) {
            return Some((DrawPurpose::Lot, group, tied));
        }
        match self.advancing(running) {
            Some(Err(among)) => Some((DrawPurpose::Wild, None, among)),
            _ => None,
        }
    }
}
