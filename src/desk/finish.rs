//! Ending an event: boards that are open end unfinished, and what was not begun is not played.

use std::sync::mpsc::sync_channel;

use crate::event::archive::{Archive, EntryRow, PlayId, PlayRow};
use crate::event::ledger::{EventWrite, LedgerError, Write};
use crate::event::log::{EventLog, LogError};
use crate::event::results::replay_so_far;
use crate::event::{Dealer, EventError};
use crate::formats::{Bell, Fact, Finished, RoundStarted, Sitting};
use crate::games::{Game, Refusal as _};
use crate::journal::control::{ControlEntry, ControlKind};
use crate::journal::{Author, By, DeskFact, Ended, finished};

/// Who ends an event.
#[derive(Clone, Debug)]
pub struct Ending {
    /// As the event's journal says it.
    pub by: Author,
    /// As the boards' journals say it.
    pub who: String,
}

/// Ends every board that is not over, and says that the event is ended; answers how many boards at tables were ended. Its
/// tables must be closed.
///
/// # Errors
/// The archive, the ledger; a board that cannot be dealt.
pub fn finish<G: Game>(
    archive: &dyn Archive,
    log: &EventLog,
    dealer: &Dealer<G>,
    plays: impl Fn(PlayId) -> Option<PlayRow>,
    ending: &Ending,
    write: EventWrite,
) -> Result<usize, LogError> {
    log.recover()?;
    let mut ended = 0;
    let open = |sitting: &&Sitting| {
        log.look(|journal| {
            let competition = journal.competition();
            competition.finished(sitting.sitting).is_none() && !competition.unplayed(sitting.sitting)
        })
    };
    loop {
        let sittings = log.look(|journal| journal.competition().sittings().to_vec());
        let mut not_begun: Vec<&Sitting> = Vec::new();
        for sitting in sittings.iter().filter(open) {
            let play = log.play(sitting.sitting);
            let rows = archive.journal(play)?;
            ended += 1;
            match plays(play).filter(|_| !rows.is_empty()) {
                Some(row) => end_board(log, dealer, sitting, &row, &rows, ending)?,
                None => not_begun.push(sitting),
            }
        }
        while let Some(first) = not_begun.first() {
            let (stage, round) = (first.stage, first.round);
            let (own, others): (Vec<&Sitting>, Vec<&Sitting>) =
                not_begun.into_iter().partition(|one| (one.stage, one.round) == (stage, round));
            let unplayed = own.iter().map(|sitting| sitting.sitting).collect();
            let bell = Fact::Bell(Bell { stage, round, unplayed });
            log.append_durably(ending.by.clone(), bell, EventWrite::default())?;
            not_begun = others;
        }
        // The rounds that have not started are not played, either.
        let Some((stage, round)) = log.look(|journal| journal.competition().next_round()) else { break };
        let fact = Fact::Round(RoundStarted { stage, round, minutes: 0 });
        log.append_durably(ending.by.clone(), fact, EventWrite::default())?;
    }
    log.append_durably(ending.by.clone(), DeskFact::Ended(Ended {}), write)?;
    Ok(ended)
}

/// Ends a board that has begun. No time has passed at its table since its last line: the server was away from it.
fn end_board<G: Game>(
    log: &EventLog,
    dealer: &Dealer<G>,
    sitting: &Sitting,
    play: &PlayRow,
    rows: &[EntryRow],
    ending: &Ending,
) -> Result<(), LogError> {
    let header = dealer.dealt(sitting)?;
    let (new, fact) = match replay_so_far(&header, play, rows) {
        Ok(mut board) => {
            let mut new = Vec::new();
            if !board.over() {
                let last = rows.iter().skip(1).map(|row| row.at_us).max().unwrap_or(0);
                let mut entry = ControlEntry::new(ControlKind::End, By::Referee);
                entry.at = u64::try_from(last).ok();
                entry.who = Some(ending.who.clone());
                let hash = board.note(&entry).map_err(|why| EventError::Damaged(why.code().to_owned()))?;
                let seq = i64::try_from(rows.len()).unwrap_or(i64::MAX);
                new.push(EntryRow::new(play.id, seq, last, board.last_bytes().to_owned(), hash));
            }
            (new, finished(sitting.sitting, &header, &board))
        }
        // Nothing can be added to it, and nobody plays it on: it is over as it is.
        Err(EventError::Damaged(_)) => (Vec::new(), as_it_stands(sitting.sitting, rows)),
        Err(other) => return Err(other.into()),
    };
    let (durable, wait) = sync_channel(1);
    let write = Write { rows: new, ..Write::default() };
    let done = Box::new(move |result| drop(durable.send(result)));
    log.append(ending.by.clone(), Fact::Finished(fact), write, done)?;
    wait.recv().unwrap_or(Err(LedgerError::Busy))?;
    Ok(())
}

/// A board whose journal is damaged: without scores, up to where its journal goes.
fn as_it_stands(sitting: u32, rows: &[EntryRow]) -> Finished {
    Finished {
        sitting,
        scores: std::collections::BTreeMap::new(),
        roles: std::collections::BTreeMap::new(),
        small: None,
        carry: crate::formats::Setup::default(),
        lines: u32::try_from(rows.len().saturating_sub(1)).unwrap_or(u32::MAX),
        head: rows.last().map(|row| hex::encode(&row.hash)).unwrap_or_default(),
    }
}
