//! An event's results, scored and ranked incrementally.
//!
//! The engine keeps, for each entrant, the exact sum of values over the groups scored so far. A change takes the old
//! values of its one group out of those sums; [`Event::settle`] scores the changed groups again and puts the new ones
//! in. Sums are exact, so the outcome is the same as from scratch, to the last digit. It keeps no clock and no
//! history: whoever needs to know what was before asks before.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::entry::{Entry, EntryFault, PenaltyFault, Standing, Status};
use super::exact::{Exact, Score};
use super::group::{Scored, State};
use super::ranking::{self, Ranking};
use super::results::{At, Index, Results, Roster, plain};
use super::rules::{Equalise, Lone, Method, Rules, names};
use super::settle;
use crate::words::{Message, message};

/// Handle of an entrant within the event that gave it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntrantIx(pub(crate) u32);

impl EntrantIx {
    /// Position in order of registration, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why a result was not taken in. The event is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PutFault {
    /// The result contradicts itself.
    #[error(transparent)]
    Entry(#[from] EntryFault),
    /// The entrant already has a result in this comparison group.
    #[error("`{entrant}` already has a result on board `{board}` in seat `{seat}`: one entrant, one result")]
    Twice {
        /// The board.
        board: String,
        /// The seat.
        seat: String,
        /// The entrant.
        entrant: String,
    },
    /// A penalty that is none, or means nothing under the method.
    #[error(transparent)]
    Penalty(#[from] PenaltyFault),
    /// The handle was given out by another event.
    #[error("no such entrant in this event")]
    NoSuchEntrant,
}

impl PutFault {
    /// The sentence for any reader.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            PutFault::Entry(fault) => fault.message(),
            PutFault::Twice { board, seat, entrant } => message!("put-twice", entrant, board, seat),
            PutFault::Penalty(fault) => fault.message(),
            PutFault::NoSuchEntrant => message!("put-no-entrant"),
        }
    }
}

names! {
    /// What a value rests on, or why there is none.
    Basis, "basis" {
        /// Compared with the other results of the group.
        Compared = "compared",
        /// An artificial score.
        Award = "award",
        /// An artificial score that the session rule replaced by the entrant's own average.
        OwnAverage = "own-average",
        /// No value: there is no other result to compare with.
        Lone = "lone",
        /// 50 %, because there is no other result to compare with and the rules say so.
        LoneHalf = "lone-half",
        /// No value: an artificial score means nothing under this method.
        NoAward = "no-award",
        /// No value: the board is void.
        Void = "void",
        /// No value: not played.
        NotPlayed = "not-played",
        /// No value: absent.
        Absent = "absent",
        /// No value: struck out.
        Disqualified = "disqualified",
        /// No value: withdrawn before the board was finished.
        Withdrawn = "withdrawn",
    }
}

/// What one result is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Matchpoints, equalised and after penalties; only under [`Method::ScoreRate`], and never for an award.
    pub matchpoints: Option<Exact>,
    /// The greatest possible number of matchpoints; only under [`Method::ScoreRate`].
    pub top: Option<i64>,
    /// The value that enters the average: a rate, IMPs, place points or raw points. `None`: it does not count.
    pub value: Option<Exact>,
    /// What the value rests on, or why there is none.
    pub basis: Basis,
}

#[derive(Clone)]
pub(crate) struct Entrant {
    pub id: String,
    pub standing: Standing,
    /// Results with an artificial score, void boards included.
    pub awards: u32,
}

/// Running totals over the results that are compared, artificial scores left out.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    pub sum: Exact,
    /// The sum of the raw scores that are integers.
    pub raw: i128,
    pub count: u32,
    /// Results whose raw score is no integer: it is not in `raw`.
    pub fractions: u32,
    pub full: u32,
}

impl Tally {
    const EMPTY: Tally = Tally { sum: Exact::ZERO, raw: 0, count: 0, fractions: 0, full: 0 };

    /// The mean over these results.
    pub(crate) fn mean(&self) -> Option<Exact> {
        (self.count > 0).then(|| self.sum.per(self.count))
    }

    #[inline]
    pub(super) fn apply(&mut self, value: &Exact, raw: Option<i64>, full: bool, adding: bool) {
        let (full, fraction) = (u32::from(full), u32::from(raw.is_none()));
        let raw = i128::from(raw.unwrap_or(0));
        if adding {
            self.sum += value;
            self.raw += raw;
            self.count += 1;
            self.fractions += fraction;
            self.full += full;
        } else {
            self.sum -= value;
            self.raw -= raw;
            self.count = self.count.saturating_sub(1);
            self.fractions = self.fractions.saturating_sub(fraction);
            self.full = self.full.saturating_sub(full);
        }
    }
}

#[derive(Clone)]
pub(crate) struct Board {
    pub id: String,
    pub groups: Vec<u32>,
    void: bool,
    void_entries: u32,
}

impl Board {
    pub(crate) fn is_void(&self) -> bool {
        self.void || self.void_entries > 0
    }
}

#[derive(Clone)]
pub(crate) struct Group {
    pub board: u32,
    pub seat: u32,
    pub expected: Option<u32>,
    pub entrants: Roster,
    pub results: Results,
    pub scored: Option<Scored>,
}

/// Names to dense numbers and back.
#[derive(Clone, Default)]
struct Names(HashMap<String, u32>);

impl Names {
    fn get(&self, id: &str) -> Option<u32> {
        self.0.get(id).copied()
    }
}

/// An event's results: entrants, boards, seats, and what each entrant has where.
///
/// Fill it with [`Event::add`], change it with [`Event::put`], [`Event::remove`], [`Event::set_void`] …, then ask
/// [`Event::settle`] for the ranking and the views. A clone is a place to try a change out in.
#[derive(Clone)]
pub struct Event {
    pub(super) rules: Rules,
    pub(crate) entrants: Vec<Entrant>,
    pub(crate) boards: Vec<Board>,
    pub(crate) seats: Vec<String>,
    pub(crate) groups: Vec<Group>,
    /// Totals, aligned with the entrants.
    pub(crate) tallies: Vec<Tally>,
    /// Where everybody's results stand; made when it is asked for, dropped when a result comes or goes.
    index: OnceLock<Index>,
    /// The last bulk load that an entrant was part of.
    stamps: Vec<u32>,
    stamp: u32,
    entrant_names: Names,
    board_names: Names,
    seat_names: Names,
    group_names: HashMap<(u32, u32), u32>,
    /// The largest group, as it was when the groups without a stated expectation were scored.
    pub(super) largest: u32,
    /// What is worth a look about where the results come from.
    pub(super) doubts: Vec<Message>,
}

fn number(len: usize) -> u32 {
    // More than four thousand million entrants, boards or groups do not fit into memory.
    u32::try_from(len).unwrap_or(u32::MAX)
}

impl Event {
    /// An event without results.
    #[must_use]
    pub fn new(rules: Rules) -> Event {
        Event {
            rules,
            entrants: Vec::new(),
            boards: Vec::new(),
            seats: Vec::new(),
            groups: Vec::new(),
            tallies: Vec::new(),
            index: OnceLock::new(),
            stamps: Vec::new(),
            stamp: 0,
            entrant_names: Names::default(),
            board_names: Names::default(),
            seat_names: Names::default(),
            group_names: HashMap::new(),
            largest: 0,
            doubts: Vec::new(),
        }
    }

    /// Adds a sentence about the origin of the results that stands on every sheet, such as names that look alike.
    pub fn doubt(&mut self, told: Message) {
        self.doubts.push(told);
    }

    /// The rules the event is scored by.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Scores the event by other rules from now on.
    ///
    /// # Errors
    /// [`PutFault::Penalty`] when a penalty that is already there cannot be taken under the new method.
    pub fn set_rules(&mut self, rules: Rules) -> Result<(), PutFault> {
        for entry in self.groups.iter().flat_map(|group| group.results.iter()) {
            check(&entry, &rules)?;
        }
        self.rules = rules;
        for group in &mut self.groups {
            group.scored = None;
        }
        self.tallies.fill(Tally::EMPTY);
        Ok(())
    }

    /// Registers an entrant, or finds it again. Entrants without a result are listed unranked.
    pub fn register(&mut self, id: &str) -> EntrantIx {
        if let Some(found) = self.entrant_names.get(id) {
            return EntrantIx(found);
        }
        let next = number(self.entrants.len());
        self.entrant_names.0.insert(id.to_owned(), next);
        self.entrants.push(Entrant { id: id.to_owned(), standing: Standing::Ranked, awards: 0 });
        self.tallies.push(Tally::EMPTY);
        self.stamps.push(0);
        self.index.take();
        EntrantIx(next)
    }

    /// Sets whether an entrant as a whole takes part in the ranking.
    pub fn set_standing(&mut self, entrant: &str, standing: Standing) {
        let ix = self.register(entrant);
        if let Some(entrant) = self.entrants.get_mut(ix.index()) {
            entrant.standing = standing;
        }
    }

    fn board(&mut self, id: &str) -> u32 {
        if let Some(found) = self.board_names.get(id) {
            return found;
        }
        let next = number(self.boards.len());
        self.board_names.0.insert(id.to_owned(), next);
        self.boards.push(Board { id: id.to_owned(), groups: Vec::new(), void: false, void_entries: 0 });
        next
    }

    fn group(&mut self, board: &str, seat: &str) -> usize {
        let board = self.board(board);
        let seat = if let Some(found) = self.seat_names.get(seat) {
            found
        } else {
            let next = number(self.seats.len());
            self.seat_names.0.insert(seat.to_owned(), next);
            self.seats.push(seat.to_owned());
            next
        };
        if let Some(found) = self.group_names.get(&(board, seat)) {
            return *found as usize;
        }
        let next = number(self.groups.len());
        self.group_names.insert((board, seat), next);
        if let Some(board) = self.boards.get_mut(board as usize) {
            board.groups.push(next);
        }
        self.groups.push(Group {
            board,
            seat,
            expected: None,
            entrants: Roster::default(),
            results: Results::EMPTY,
            scored: None,
        });
        next as usize
    }

    pub(crate) fn find_entrant(&self, id: &str) -> Option<u32> {
        self.entrant_names.get(id)
    }

    pub(crate) fn find_board(&self, id: &str) -> Option<u32> {
        self.board_names.get(id)
    }

    pub(crate) fn find_group(&self, board: &str, seat: &str) -> Option<u32> {
        let key = (self.board_names.get(board)?, self.seat_names.get(seat)?);
        self.group_names.get(&key).copied()
    }

    /// Where an entrant stands in a group.
    pub(crate) fn position(&self, group: u32, entrant: u32) -> Option<u32> {
        if let Some(index) = self.index.get() {
            return index.position(group, entrant);
        }
        let members = &self.groups.get(group as usize)?.entrants;
        // `contains` looks at many at once, `position` at one by one.
        if !members.contains(&entrant) {
            return None;
        }
        members.iter().position(|member| *member == entrant).map(number)
    }

    /// Where everybody's results stand.
    pub(crate) fn index(&self) -> &Index {
        self.index
            .get_or_init(|| Index::new(self.entrants.len(), self.groups.iter().map(|group| &group.entrants)))
    }

    /// Where an entrant's results stand.
    pub(crate) fn at(&self, entrant: u32) -> Vec<At> {
        self.index().of(entrant)
    }

    /// The result at a place.
    pub(crate) fn entry(&self, at: At) -> Option<Cow<'_, Entry>> {
        self.groups.get(at.group as usize)?.results.get(at.position as usize)
    }

    /// The result an entrant has on a board in a seat.
    #[must_use]
    pub fn get(&self, board: &str, seat: &str, entrant: &str) -> Option<Cow<'_, Entry>> {
        let group = self.find_group(board, seat)?;
        let position = self.position(group, self.find_entrant(entrant)?)?;
        self.entry(At { group, position })
    }

    /// Takes in a result that must not be there yet.
    ///
    /// # Errors
    /// [`PutFault`]; the results are unchanged.
    pub fn add(&mut self, board: &str, seat: &str, entrant: &str, entry: Entry) -> Result<(), PutFault> {
        check(&entry, &self.rules)?;
        let entrant = self.register(entrant).0;
        let group = self.group(board, seat);
        if self.position(number(group), entrant).is_some() {
            return Err(self.twice(group, entrant));
        }
        self.unsettle(group);
        self.append(group, entrant, entry);
        Ok(())
    }

    /// Takes in the results of many entrants in one group at once; the quick way to load an event.
    ///
    /// # Errors
    /// [`PutFault`] of the first result that cannot be taken in; the ones before it are in.
    pub fn add_group(
        &mut self,
        board: &str,
        seat: &str,
        results: impl IntoIterator<Item = (EntrantIx, Entry)>,
    ) -> Result<(), PutFault> {
        let group = self.group(board, seat);
        self.unsettle(group);
        self.index.take();
        let mut results = results.into_iter();
        self.stamp_members(group, results.size_hint().0);
        let outcome = loop {
            match self.add_plain(group, &mut results) {
                None => break Ok(()),
                Some((EntrantIx(entrant), entry)) => {
                    if let Err(fault) = self.add_stamped(group, entrant, entry) {
                        break Err(fault);
                    }
                }
            }
        };
        self.share_roster(group);
        outcome
    }

    /// Puts a stamp on everybody who is in a group already: it shows a second result at once.
    fn stamp_members(&mut self, group: usize, expected: usize) {
        if self.stamp == u32::MAX {
            self.stamps.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        let Some(group) = self.groups.get_mut(group) else { return };
        for entrant in group.entrants.iter() {
            if let Some(stamp) = self.stamps.get_mut(*entrant as usize) {
                *stamp = self.stamp;
            }
        }
        Arc::make_mut(&mut group.entrants).reserve(expected);
        group.results.reserve(expected);
    }

    /// Takes in plain results up to the first one that needs a closer look, which is handed back.
    #[inline]
    fn add_plain(
        &mut self,
        group: usize,
        results: &mut impl Iterator<Item = (EntrantIx, Entry)>,
    ) -> Option<(EntrantIx, Entry)> {
        let (stamps, mark) = (&mut self.stamps, self.stamp);
        let Some(Group { entrants, results: Results::Plain(scores), .. }) = self.groups.get_mut(group) else {
            return results.next();
        };
        let entrants = Arc::make_mut(entrants);
        for (entrant, entry) in results {
            match (plain(&entry), stamps.get_mut(entrant.index())) {
                (Some(score), Some(stamp)) if *stamp != mark => {
                    // A plain result owns nothing; told so, the compiler drops nothing one by one.
                    std::mem::forget(entry);
                    *stamp = mark;
                    entrants.push(entrant.0);
                    scores.push(score);
                }
                _ => return Some((entrant, entry)),
            }
        }
        None
    }

    fn add_stamped(&mut self, group: usize, entrant: u32, entry: Entry) -> Result<(), PutFault> {
        check(&entry, &self.rules)?;
        let Some(stamp) = self.stamps.get_mut(entrant as usize) else {
            return Err(PutFault::NoSuchEntrant);
        };
        if *stamp == self.stamp {
            return Err(self.twice(group, entrant));
        }
        *stamp = self.stamp;
        self.append(group, entrant, entry);
        Ok(())
    }

    /// Where the group before has the same entrants in the same order, both share one list.
    fn share_roster(&mut self, group: usize) {
        let Some(before) = group.checked_sub(1).and_then(|before| self.groups.get(before)) else { return };
        let list = Arc::clone(&before.entrants);
        if let Some(group) = self.groups.get_mut(group)
            && group.entrants == list
        {
            group.entrants = list;
        }
    }

    /// Takes in a result in place of the one that may be there, which is handed back.
    ///
    /// # Errors
    /// [`PutFault`]; the results are unchanged.
    pub fn put(
        &mut self,
        board: &str,
        seat: &str,
        entrant: &str,
        entry: Entry,
    ) -> Result<Option<Entry>, PutFault> {
        check(&entry, &self.rules)?;
        let entrant = self.register(entrant).0;
        let group = self.group(board, seat);
        let Some(position) = self.position(number(group), entrant) else {
            self.unsettle(group);
            self.append(group, entrant, entry);
            return Ok(None);
        };
        self.unsettle(group);
        self.count(group, entrant, &entry, true);
        let old =
            self.groups.get_mut(group).and_then(|group| group.results.replace(position as usize, entry));
        if let Some(old) = &old {
            self.count(group, entrant, old, false);
        }
        Ok(old)
    }

    /// Takes a result out and hands it back.
    pub fn remove(&mut self, board: &str, seat: &str, entrant: &str) -> Option<Entry> {
        let group = self.find_group(board, seat)?;
        let entrant = self.find_entrant(entrant)?;
        let position = self.position(group, entrant)?;
        self.unsettle(group as usize);
        let members = self.groups.get_mut(group as usize)?;
        let old = members.results.swap_remove(position as usize)?;
        Arc::make_mut(&mut members.entrants).swap_remove(position as usize);
        self.index.take();
        self.count(group as usize, entrant, &old, false);
        Some(old)
    }

    /// States how many results a group was meant to have (`E` of F3); `None`: as many as the largest group has.
    pub fn expect(&mut self, board: &str, seat: &str, expected: Option<u32>) {
        let group = self.group(board, seat);
        self.unsettle(group);
        if let Some(group) = self.groups.get_mut(group) {
            group.expected = expected;
        }
    }

    /// Makes a board void for everybody, or valid again (unless a result says itself that it is void).
    pub fn set_void(&mut self, board: &str, void: bool) {
        let board = self.board(board) as usize;
        self.unsettle_board(board);
        if let Some(board) = self.boards.get_mut(board) {
            board.void = void;
        }
    }

    fn twice(&self, group: usize, entrant: u32) -> PutFault {
        let name = |group: &Group| {
            let board = self.boards.get(group.board as usize).map(|board| board.id.clone());
            (board.unwrap_or_default(), self.seats.get(group.seat as usize).cloned().unwrap_or_default())
        };
        let (board, seat) = self.groups.get(group).map(name).unwrap_or_default();
        let entrant =
            self.entrants.get(entrant as usize).map(|entrant| entrant.id.clone()).unwrap_or_default();
        PutFault::Twice { board, seat, entrant }
    }

    fn append(&mut self, group: usize, entrant: u32, entry: Entry) {
        if entry.status != Status::Played {
            self.count(group, entrant, &entry, true);
        }
        let Some(members) = self.groups.get_mut(group) else { return };
        Arc::make_mut(&mut members.entrants).push(entrant);
        members.results.push(entry);
        self.index.take();
    }

    /// Keeps count of the results that matter beyond their group: artificial scores and void marks.
    fn count(&mut self, group: usize, entrant: u32, entry: &Entry, adding: bool) {
        let change = |count: &mut u32| *count = if adding { *count + 1 } else { count.saturating_sub(1) };
        if entry.status.is_award()
            && let Some(entrant) = self.entrants.get_mut(entrant as usize)
        {
            change(&mut entrant.awards);
        }
        if entry.status == Status::Void
            && let Some(board) = self.groups.get(group).map(|group| group.board as usize)
        {
            self.unsettle_board(board);
            if let Some(board) = self.boards.get_mut(board) {
                change(&mut board.void_entries);
            }
        }
    }

    fn unsettle_board(&mut self, board: usize) {
        let groups = self.boards.get(board).map(|board| board.groups.clone()).unwrap_or_default();
        for group in groups {
            self.unsettle(group as usize);
        }
    }

    /// Takes the values of a group out of the totals, because something about it is about to change.
    fn unsettle(&mut self, group: usize) {
        let Some(members) = self.groups.get_mut(group) else { return };
        if let Some(scored) = members.scored.take() {
            settle::take_out(&mut self.tallies, &self.rules, members, &scored);
        }
    }

    /// Scores every group that changed, and ranks.
    pub fn settle(&mut self) -> Settled<'_> {
        self.settle_largest();
        settle::score_open(self);
        Settled { ranking: ranking::rank(self), event: self }
    }

    /// F3: a group without a stated expectation is expected to be as large as the largest. When that changes, all of
    /// them are scored again.
    fn settle_largest(&mut self) {
        if self.rules.equalising() == Equalise::None {
            return;
        }
        let largest = self
            .groups
            .iter()
            .filter(|group| !self.boards.get(group.board as usize).is_some_and(Board::is_void))
            .map(|group| match &group.scored {
                Some(scored) => scored.actual,
                None => group.results.actual(),
            })
            .max()
            .unwrap_or(0);
        if largest == self.largest {
            return;
        }
        self.largest = largest;
        for index in 0..self.groups.len() {
            if self.groups.get(index).is_some_and(|group| group.expected.is_none()) {
                self.unsettle(index);
            }
        }
    }

    /// What a result is worth; [`Event::settle`] must have been called since the last change.
    pub(crate) fn cell(&self, at: At) -> Cell {
        let none = |basis| Cell { matchpoints: None, top: None, value: None, basis };
        let Some(group) = self.groups.get(at.group as usize) else { return none(Basis::NotPlayed) };
        let (Some(entry), Some(scored)) = (group.results.get(at.position as usize), &group.scored) else {
            return none(Basis::NotPlayed);
        };
        let entry: &Entry = &entry;
        let top = (self.rules.method == Method::ScoreRate && scored.top() > 0).then(|| scored.top());
        if scored.state == State::Void {
            return none(Basis::Void);
        }
        if entry.status.is_award() {
            let Some((value, basis)) = self.award(group, at.position as usize, entry, scored) else {
                return none(Basis::NoAward);
            };
            return Cell { matchpoints: None, top, value: Some(value), basis };
        }
        if !entry.is_compared() {
            return none(match entry.status {
                Status::Absent => Basis::Absent,
                Status::Disqualified => Basis::Disqualified,
                Status::Withdrawn => Basis::Withdrawn,
                Status::Void => Basis::Void,
                _ => Basis::NotPlayed,
            });
        }
        let Some(value) = scored.value(&group.results, at.position as usize) else {
            return none(Basis::Lone);
        };
        let lone = scored.state == State::Lone && self.rules.lone == Lone::Half;
        let matchpoints = if self.rules.method == Method::ScoreRate && !lone {
            scored.matchpoints(&group.results, at.position as usize)
        } else {
            None
        };
        let taken = scored.penalty(entry, &self.rules);
        Cell {
            matchpoints: matchpoints.map(|points| match &taken {
                Some(share) => &points - &(share * &Exact::from(scored.top())),
                None => points,
            }),
            top,
            value: Some(match &taken {
                Some(taken) => &value - taken,
                None => value,
            }),
            basis: if lone { Basis::LoneHalf } else { Basis::Compared },
        }
    }

    /// Raw score and value of a result: what [`Event::cell`] says, on a short way where nothing is out of the ordinary.
    pub(crate) fn worth(&self, at: At) -> (Option<Score>, Option<Exact>) {
        match self.plain_worth(at) {
            Some((score, value)) => (Some(Score::from(score)), value),
            None => (self.entry(at).and_then(|entry| entry.raw()), self.cell(at).value),
        }
    }

    /// Raw score and value of a result that is compared as it is; `None` for any other. There is no value where there
    /// is nothing to compare with.
    pub(crate) fn plain_worth(&self, at: At) -> Option<(i64, Option<Exact>)> {
        let group = self.groups.get(at.group as usize)?;
        let score = group.results.plain_score(at.position as usize)?;
        Some((score, group.scored.as_ref()?.value(&group.results, at.position as usize)))
    }

    /// F4 with the session rule, then F6.
    fn award(
        &self,
        group: &Group,
        position: usize,
        entry: &Entry,
        scored: &Scored,
    ) -> Option<(Exact, Basis)> {
        let awards = &self.rules.awards;
        let share = match entry.status {
            Status::AwardPlus => &awards.plus,
            Status::AwardMinus => &awards.minus,
            _ => &awards.even,
        };
        let fixed = match self.rules.method {
            Method::ScoreRate | Method::LinearRate => share.clone(),
            Method::PlacePoints | Method::MatchPoker if scored.actual > 0 => {
                &Exact::ONE + &(&Exact::from(scored.actual - 1) * share)
            }
            Method::CrossImp | Method::Butler => match entry.status {
                Status::AwardPlus => awards.imps.clone(),
                Status::AwardMinus => -&awards.imps,
                _ => Exact::ZERO,
            },
            Method::PlacePoints | Method::MatchPoker | Method::Total => return None,
        };
        let tally = group.entrants.get(position).and_then(|entrant| self.tallies.get(*entrant as usize));
        let own = tally.filter(|_| awards.own_average).and_then(Tally::mean);
        let (value, basis) = match own {
            Some(own) if entry.status == Status::AwardPlus && own > fixed => (own, Basis::OwnAverage),
            Some(own) if entry.status == Status::AwardMinus && own < fixed => (own, Basis::OwnAverage),
            _ => (fixed, Basis::Award),
        };
        Some(match scored.penalty(entry, &self.rules) {
            Some(taken) => (&value - &taken, basis),
            None => (value, basis),
        })
    }
}

fn check(entry: &Entry, rules: &Rules) -> Result<(), PutFault> {
    if entry.more.is_none() && entry.score.is_some() {
        return Ok(());
    }
    entry.check()?;
    for penalty in entry.penalties() {
        penalty.check_under(rules, u32::MAX)?;
    }
    Ok(())
}

/// An event whose groups are all scored: the ranking, and the views of [`super::views`] and [`super::explain`].
pub struct Settled<'a> {
    pub(crate) event: &'a Event,
    ranking: Ranking,
}

impl<'a> Settled<'a> {
    /// The ranking.
    #[must_use]
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The ranking, to keep beyond the next change.
    #[must_use]
    pub fn into_ranking(self) -> Ranking {
        self.ranking
    }

    /// The event behind it.
    #[must_use]
    pub fn event(&self) -> &'a Event {
        self.event
    }

    /// What a result is worth.
    #[must_use]
    pub fn cell(&self, board: &str, seat: &str, entrant: &str) -> Option<Cell> {
        let group = self.event.find_group(board, seat)?;
        let position = self.event.position(group, self.event.find_entrant(entrant)?)?;
        Some(self.event.cell(At { group, position }))
    }
}
