//! What the lines of one event's journal have come to: everything, and the part of it that everybody may see.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::event::archive::{Archive, EventLineRow};
use crate::event::log::{begun, take};
use crate::event::{EventError, EventParts};
use crate::formats::ruling::{Decision, Ruling};
use crate::formats::settings::{Entrant, Settings};
use crate::formats::tally::{Tally, TallyFault, tally};
use crate::formats::{Competition, Fact, Finished, Order, StandingRow};
use crate::journal::bundle::Head;
use crate::journal::{Desk, DeskFact, EventFact, EventJournal};
use crate::web::audience::Sees;

/// How far the boards of an event are.
#[derive(Clone, Debug, Default)]
pub struct SoFar {
    /// Per board: tables where it is over, tables in all.
    pub boards: BTreeMap<u32, (u32, u32)>,
    /// Whether everything that is going to be played is over.
    pub complete: bool,
}

impl SoFar {
    /// Whether every table has finished a board.
    #[must_use]
    pub fn over_everywhere(&self, board: u32) -> bool {
        self.boards.get(&board).is_some_and(|(over, all)| over == all)
    }
}

type Computed = Arc<OnceLock<Result<Arc<Tally>, TallyFault>>>;

/// One event as its journal has made it.
pub struct State {
    settings: Settings,
    entrants: Vec<Entrant>,
    journal: EventJournal,
    boards: BTreeMap<u32, (u32, u32)>,
    /// The boards that every table has finished, in the order in which they came to that.
    counted: Vec<u32>,
    /// The competition without what is not for everybody yet: boards that some table has still to finish, and what was ruled
    /// about them.
    shown: Competition,
    /// Counts what has changed in `shown`.
    shown_changes: u64,
    held_boards: BTreeMap<u32, Vec<Finished>>,
    held_rulings: Vec<Ruling>,
    /// The last publication: its number, and the competition on which it rests.
    published: Option<(u32, Arc<Competition>)>,
    /// The number of the line that says so.
    published_at: Option<u64>,
    /// The instant of each draw, µs since 1970.
    draws_at: Vec<i64>,
    /// Counts corrections of names.
    corrections: u64,
    tallies: Mutex<BTreeMap<&'static str, (u64, Computed)>>,
}

/// The board that a ruling is about.
const fn board_of(ruling: &Ruling) -> Option<u32> {
    match &ruling.decision {
        Decision::Score { board, .. }
        | Decision::Status { board, .. }
        | Decision::Weighted { board, .. }
        | Decision::Penalty { board, .. }
        | Decision::Void { board } => Some(*board),
        Decision::Standing { .. } | Decision::Withdraw { .. } => None,
    }
}

impl State {
    /// Replays the journal of an event.
    ///
    /// # Errors
    /// The event is not announced; the journal is damaged; the archive.
    pub(super) fn of(archive: &dyn Archive, event: &str) -> Result<State, EventError> {
        let journal = begun(archive, event)?;
        let EventParts { settings, entrants } = EventParts::load(archive, event)?;
        let mut state = State {
            settings,
            entrants,
            shown: journal.competition().clone(),
            journal,
            boards: BTreeMap::new(),
            counted: Vec::new(),
            shown_changes: 0,
            held_boards: BTreeMap::new(),
            held_rulings: Vec::new(),
            published: None,
            published_at: None,
            draws_at: Vec::new(),
            corrections: 0,
            tallies: Mutex::default(),
        };
        for row in archive.event_lines(event, 0)? {
            state.take(&row)?;
        }
        Ok(state)
    }

    /// Takes one more line.
    ///
    /// # Errors
    /// It does not fit.
    pub(super) fn take(&mut self, row: &EventLineRow) -> Result<(), EventError> {
        // A request that was slower may ask for lines that are there already.
        if u64::try_from(row.seq).is_ok_and(|seq| seq <= self.journal.seq()) {
            return Ok(());
        }
        let line = take(&mut self.journal, row)?;
        match line.fact {
            EventFact::Play(fact) => {
                if matches!(fact, Fact::Draw(_)) {
                    self.draws_at.push(line.wall);
                }
                self.show(fact, &line.orders);
            }
            EventFact::Desk(DeskFact::Published(revision)) => {
                let competition = Arc::new(self.journal.competition().clone());
                self.published = Some((revision.body.number, competition));
                self.published_at = Some(line.seq);
            }
            EventFact::Desk(_) => {}
        }
        Ok(())
    }

    /// Carries a fact over into what everybody may see, at once or when every table has finished the boards it is about.
    fn show(&mut self, fact: Fact, orders: &[Order]) {
        for order in orders {
            if let Order::Sit(sitting) = order {
                self.boards.entry(sitting.deal.board).or_default().1 += 1;
            }
        }
        match fact {
            Fact::Finished(finished) => {
                let board = self.board(finished.sitting);
                self.held_boards.entry(board).or_default().push(finished);
                self.over(board);
            }
            Fact::Ruling(ruling) => self.held_rulings.push(ruling),
            fact => {
                let unplayed = match &fact {
                    Fact::Bell(bell) => bell.unplayed.clone(),
                    _ => Vec::new(),
                };
                self.shown.apply(&fact, orders);
                self.shown_changes += u64::from(!matches!(fact, Fact::Pause(_)));
                for sitting in unplayed {
                    let board = self.board(sitting);
                    self.over(board);
                }
                self.release_rulings();
                return;
            }
        }
        self.release_rulings();
        // What follows from the end of a stage rests on everything that is over by then.
        if !orders.is_empty() {
            let none = Fact::Pause(self.shown.paused());
            self.shown.apply(&none, orders);
            self.shown_changes += 1;
        }
    }

    fn board(&self, sitting: u32) -> u32 {
        self.journal.competition().sitting(sitting).map_or(0, |sitting| sitting.deal.board)
    }

    /// One more table has finished a board.
    fn over(&mut self, board: u32) {
        let counts = self.boards.entry(board).or_default();
        counts.0 += 1;
        if counts.0 != counts.1 {
            return;
        }
        self.counted.push(board);
        for finished in self.held_boards.remove(&board).unwrap_or_default() {
            self.shown.apply(&Fact::Finished(finished), &[]);
        }
        self.shown_changes += 1;
    }

    /// Rulings stay in their order: from the first one that may not be seen yet on, none is.
    fn release_rulings(&mut self) {
        let closed = |ruling: &Ruling| board_of(ruling).is_some_and(|board| !self.is_over(board));
        let ready = self.held_rulings.iter().take_while(|ruling| !closed(ruling)).count();
        for ruling in self.held_rulings.drain(..ready).collect::<Vec<_>>() {
            self.shown.apply(&Fact::Ruling(ruling), &[]);
            self.shown_changes += 1;
        }
    }

    fn is_over(&self, board: u32) -> bool {
        self.boards.get(&board).is_some_and(|(over, all)| over == all)
    }

    pub(super) fn corrected(&mut self, settings: Settings, entrants: Vec<Entrant>) {
        (self.settings, self.entrants) = (settings, entrants);
        self.corrections += 1;
    }

    /// The number of the last line.
    #[must_use]
    pub const fn seq(&self) -> u64 {
        self.journal.seq()
    }

    /// The journal as it is in the database.
    #[must_use]
    pub const fn journal(&self) -> &EventJournal {
        &self.journal
    }

    /// Everything that has happened.
    #[must_use]
    pub const fn competition(&self) -> &Competition {
        self.journal.competition()
    }

    /// What the desk's facts have come to.
    #[must_use]
    pub const fn desk(&self) -> &Desk {
        self.journal.desk()
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The entrants in order of their numbers.
    #[must_use]
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    /// The number of the line of the last publication.
    #[must_use]
    pub const fn published_at(&self) -> Option<u64> {
        self.published_at
    }

    /// The instant of each draw, µs since 1970, in their order.
    #[must_use]
    pub fn draws_at(&self) -> &[i64] {
        &self.draws_at
    }

    /// How far the boards are.
    #[must_use]
    pub fn so_far(&self) -> SoFar {
        SoFar { boards: self.boards.clone(), complete: self.complete() }
    }

    /// Whether everything that is going to be played is over: nothing is left to be played or drawn, or the desk has ended
    /// the event.
    #[must_use]
    pub fn complete(&self) -> bool {
        let competition = self.competition();
        let open = self.boards.values().any(|(over, all)| over != all);
        !open && (competition.is_over() || self.desk().ended())
    }

    /// The boards that every table has finished, in the order in which they came to that.
    #[must_use]
    pub fn counted(&self) -> &[u32] {
        &self.counted
    }

    /// What somebody who sees so much is shown.
    #[must_use]
    pub fn seen(&self, sees: Sees) -> &Competition {
        match (sees, &self.published) {
            (Sees::Everything, _) => self.competition(),
            (Sees::Revision { number, .. }, Some((of, published))) if *of == number => published,
            (Sees::SoFar | Sees::Revision { .. }, _) => &self.shown,
        }
    }

    /// What the view of somebody who sees so much is made of: it differs when the view may.
    #[must_use]
    pub fn made_of(&self, sees: Sees) -> String {
        let (complete, corrections) = (self.complete(), self.corrections);
        match sees {
            Sees::Everything => format!("seq {} {corrections}", self.seq()),
            Sees::SoFar => format!("shown {} {corrections} {complete}", self.shown_changes),
            Sees::Revision { number, .. } => format!("revision {number} {corrections}"),
        }
    }

    /// Results and standings by comparison for somebody who sees so much, rulings included: computed once.
    ///
    /// # Errors
    /// None that the journal has taken.
    pub fn tally(&self, sees: Sees) -> Result<Arc<Tally>, TallyFault> {
        let (key, version) = match sees {
            Sees::Everything => ("everything", self.seq()),
            Sees::SoFar => ("so far", self.shown_changes),
            Sees::Revision { number, .. } => ("revision", u64::from(number)),
        };
        let computed = {
            let mut tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
            let (of, computed) = tallies.entry(key).or_insert_with(|| (version, Computed::default()));
            if *of != version {
                (*of, *computed) = (version, Computed::default());
            }
            Arc::clone(computed)
        };
        computed
            .get_or_init(|| match sees {
                Sees::SoFar => self.public_tally(None).map(Arc::new),
                Sees::Everything | Sees::Revision { .. } => self.seen(sees).tally().map(Arc::new),
            })
            .clone()
    }

    /// The tally of the boards that every table has finished, without one of them and what was ruled about it.
    fn public_tally(&self, without: Option<u32>) -> Result<Tally, TallyFault> {
        let counts = |board: u32| self.is_over(board) && Some(board) != without;
        let mut played = self.shown.results();
        played.retain(|played| counts(played.board));
        let mut rulings = self.shown.rulings().to_vec();
        let about = rulings.iter().take_while(|ruling| board_of(ruling).is_none_or(counts)).count();
        rulings.truncate(about);
        tally(&self.settings, &self.entrants, played, &rulings)
    }

    /// The public results so far without the board that was counted last. `None`: there is no other board.
    ///
    /// # Errors
    /// As [`State::tally`].
    pub fn before_the_last(&self) -> Result<Option<Tally>, TallyFault> {
        match self.counted.as_slice() {
            [.., _, last] => self.public_tally(Some(*last)).map(Some),
            _ => Ok(None),
        }
    }

    /// The standings of every stage and group for somebody who sees so much: the columns of the closed ranking.
    #[must_use]
    pub fn rows(&self, sees: Sees) -> Vec<StandingRow> {
        self.seen(sees).standings()
    }

    /// The heads of the journals of boards that every table has finished, of those that were played.
    #[must_use]
    pub fn heads(&self) -> Vec<Head> {
        let boards: BTreeSet<u32> = self.counted.iter().copied().collect();
        let sittings = self.competition().sittings().iter();
        let head = |sitting: &crate::formats::Sitting| {
            let finished = self.competition().finished(sitting.sitting)?;
            Some(Head { sitting: sitting.sitting, entries: finished.lines, hash: finished.head.clone() })
        };
        sittings.filter(|sitting| boards.contains(&sitting.deal.board)).filter_map(head).collect()
    }
}
