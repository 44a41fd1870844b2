//! The journals and what follows from them: checkpoints, rulings, results, standings, revisions, manifest.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::ops::Range;
use std::rc::Rc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::ahead::Ahead;
use super::pool;
use super::source::{Source, Tail, changed};
use super::table::{self, Acted, Cut, Dealt, Ended, Software};
use super::wrong::Wrong;
use super::{Complete, Found, Journals, Published, Report, Unfinished};
use crate::canonical::{self, Hash};
use crate::formats::ruling::{Decision, Ruling, in_force};
use crate::formats::tally::{Played, ResultLine, StandingLine, Tally, TallyFault, tally};
use crate::formats::{Occupant, Round, Table};
use crate::journal::bundle::model::{
    Checkpoint, JournalLine, Manifest, Revision, RoundStart, RulingLine, Section, Signed, signed_text,
};
use crate::journal::scan::Memo;
use crate::journal::sign::{self, Purpose};
use crate::journal::{By, measure, revision};
use crate::players::Levels;
use crate::sabotage::Sabotage;
use crate::words::Message;

/// A journal that is to be checked.
struct Job<'a, G: Levels> {
    dealt: &'a Dealt<G>,
    round: u32,
    table: u32,
    sitting: &'a [Occupant],
    /// The number of its first line in the file.
    first: u64,
    opened: i64,
    /// Where its other lines stand in the text of the batch.
    lines: Range<usize>,
    tail: Tail,
}

/// Journals that are checked in one go, one after the other.
struct Batch<'a, G: Levels> {
    text: String,
    jobs: Vec<Job<'a, G>>,
}

/// So many bytes of journals make a batch.
const BATCH: usize = 1 << 16;

/// What a journal came to.
struct Outcome {
    place: (u32, u32),
    first: u64,
    opened: i64,
    heads: Vec<(u32, Hash)>,
    entries: u32,
    notes: u32,
    acted: Acted,
    unfinished: Option<Unfinished>,
    played: Vec<Played>,
}

/// Reads every journal of the movement: by round, table, board. They are checked on all cores; the fault that is
/// answered is the first one of the file.
pub(super) fn journals<G: Levels, R: BufRead>(
    source: &mut Source<R>,
    ahead: &Ahead<G>,
    report: &mut Report,
) -> Found<(Vec<Played>, Journals)> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut unread = None;
    let work = |memo: &mut Memo<G>, batch: Batch<'_, G>| {
        let mut outcomes = Vec::with_capacity(batch.jobs.len());
        for job in &batch.jobs {
            match check(ahead, &batch.text, job, memo) {
                Ok(outcome) => outcomes.push(outcome),
                Err(wrong) => return ((outcomes, Some(wrong)), true),
            }
        }
        ((outcomes, None), false)
    };
    let answers = pool::in_order(threads, Memo::new, &work, |submit| {
        unread = read(source, ahead, submit).err();
    });
    let mut played = Vec::new();
    let mut journals = Journals::new();
    for (outcomes, wrong) in answers {
        for outcome in outcomes {
            report.journals += 1;
            report.entries += u64::from(outcome.entries);
            report.notes += u64::from(outcome.notes);
            report.ai_moves += outcome.acted.ai_moves;
            report.ai_moves_skipped += outcome.acted.ai_skipped;
            report.unfinished.extend(outcome.unfinished);
            report.time_outs += outcome.acted.time_outs;
            report.ai_time_outs += outcome.acted.ai_time_outs;
            report.referee_actions += outcome.acted.referee.len() as u64;
            report.referee_notes += outcome.acted.referee_notes;
            let complete = Complete {
                heads: outcome.heads,
                line: outcome.first,
                opened: outcome.opened,
                referee: outcome.acted.referee,
                players: outcome.played.iter().map(|played| played.entrant.clone()).collect(),
            };
            journals.insert(outcome.place, complete);
            played.extend(outcome.played);
        }
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
    }
    if let Some(wrong) = unread {
        return Err(wrong);
    }
    for round in &ahead.rounds {
        byes(ahead, round, &mut played);
    }
    Ok((played, journals))
}

/// Reads the journals and hands them over in batches. A fault is one of the reading; what has been handed over comes
/// before it.
fn read<'a, G: Levels, R: BufRead>(
    source: &mut Source<R>,
    ahead: &'a Ahead<G>,
    submit: &mut dyn FnMut(Batch<'a, G>) -> bool,
) -> Found<()> {
    let mut batch = Batch { text: String::new(), jobs: Vec::new() };
    for round in &ahead.rounds {
        for table in &round.tables {
            for (board, sitting) in round.boards.iter().zip(&table.sittings) {
                let fault = match begin(source, ahead, round, table, *board, sitting) {
                    Ok((dealt, opened)) => {
                        let (first, begun) = (source.line(), batch.text.len());
                        let (tail, fault) = source.entries(&mut batch.text);
                        let lines = begun..batch.text.len();
                        batch.jobs.push(Job {
                            dealt,
                            round: round.round,
                            table: table.table,
                            sitting,
                            first,
                            opened,
                            lines,
                            tail,
                        });
                        fault
                    }
                    Err(fault) => Some(fault),
                };
                if fault.is_some() || batch.text.len() >= BATCH {
                    let empty = Batch { text: String::with_capacity(BATCH + BATCH / 4), jobs: Vec::new() };
                    let go_on = submit(std::mem::replace(&mut batch, empty));
                    if let Some(fault) = fault {
                        return Err(fault);
                    }
                    if !go_on {
                        return Ok(());
                    }
                }
            }
        }
    }
    submit(batch);
    Ok(())
}

/// Reads the first line of the journal that must come.
fn begin<'a, G: Levels, R: BufRead>(
    source: &mut Source<R>,
    ahead: &'a Ahead<G>,
    round: &Round,
    table: &Table,
    board: u32,
    sitting: &[Occupant],
) -> Found<(&'a Dealt<G>, i64)> {
    let Some(dealt) = ahead.boards.get(&board) else { return Err(source.expected(Section::Journal)) };
    let mut seats = BTreeMap::new();
    for ((_, position), who) in ahead.positions.iter().zip(sitting) {
        let (name, _) = ahead.who(*who);
        for seat in position {
            seats.insert(G::seat_name(*seat).unwrap_or_default().to_owned(), name.clone());
        }
    }
    let mut opened = None;
    let as_it_must_be = |text: &str| {
        opened = dealt.begins(text, round.round, table.table, &seats);
        opened.is_some()
    };
    if source.take_if(Section::Journal, as_it_must_be)?
        && let Some(opened) = opened
    {
        dealt.opened_in_time(source, table.table, opened)?;
        return Ok((dealt, opened));
    }
    // It is not as it must be, or there is none: read it in full to say why.
    let line: JournalLine = match source.next_of(Section::Journal)? {
        Some(line) => line,
        None => return Err(source.expected(Section::Journal).on(&dealt.name, Some(table.table))),
    };
    if (line.round, line.table, line.board) != (round.round, table.table, board) {
        let wrong = source.wrong("journal_order", Message::plain("verify-journal-order"));
        return Err(wrong.on(&dealt.name, Some(table.table)));
    }
    if line.seats != seats {
        let wrong = source.wrong("wrong_seats", Message::plain("verify-wrong-seats"));
        return Err(wrong.on(&dealt.name, Some(table.table)));
    }
    dealt.receipt_of(source, &line)?;
    dealt.opened_in_time(source, table.table, line.opened)?;
    Ok((dealt, line.opened))
}

/// Checks one journal of a batch.
fn check<G: Levels>(ahead: &Ahead<G>, text: &str, job: &Job<'_, G>, memo: &mut Memo<G>) -> Found<Outcome> {
    let mut software: Software<G> = Vec::new();
    for ((_, position), who) in ahead.positions.iter().zip(job.sitting) {
        let (_, player) = ahead.who(*who);
        for seat in position {
            if software.len() <= seat.index() {
                software.resize(seat.index() + 1, None);
            }
            if let Some(slot) = software.get_mut(seat.index()) {
                *slot = player;
            }
        }
    }
    let text = text.get(job.lines.clone()).unwrap_or_default();
    let lines = table::Lines { text, first: job.first, tail: job.tail };
    let ended = table::check(&lines, job.table, job.dealt, &software, ahead.ai_key.as_ref(), memo)?;
    let unfinished = ended.cut.as_ref().map(|cut| cut_off(ahead, job, cut)).transpose()?;
    Ok(Outcome {
        unfinished,
        place: (job.dealt.number, job.table),
        first: job.first,
        opened: job.opened,
        entries: ended.entries,
        notes: ended.notes,
        played: results(ahead, job, &ended),
        acted: ended.acted,
        heads: ended.heads,
    })
}

/// A board that a note ended. The clock only ends what was not begun when the time of its round was over.
fn cut_off<G: Levels>(ahead: &Ahead<G>, job: &Job<'_, G>, cut: &Cut) -> Found<Unfinished> {
    let (entry, line) = cut.place;
    let wrong = |code, message| {
        Err(Wrong::at(code, Some(Section::Journal), line, message)
            .on(&job.dealt.name, Some(job.table))
            .entry(entry))
    };
    if cut.by == By::Clock {
        if entry > 1 {
            return wrong("end_in_play", Message::plain("verify-end-in-play"));
        }
        let Some(earliest) = ahead.starts.get(&job.round).and_then(RoundStart::over_at) else {
            return wrong("end_without_limit", Message::plain("verify-end-without-limit"));
        };
        let at = job.opened.saturating_add(i64::try_from(cut.at).unwrap_or(i64::MAX));
        if at < earliest {
            let message = Message::plain("verify-end-early").with("at", at).with("earliest", earliest);
            return wrong("end_early", message);
        }
    }
    Ok(Unfinished {
        board: job.dealt.name.clone(),
        table: job.table,
        by: cut.by,
        who: cut.who.clone(),
        at: cut.at,
    })
}

/// The results of a board: one for each position that an entrant or a stand-in took; without a score where the board
/// was ended unfinished.
fn results<G: Levels>(ahead: &Ahead<G>, job: &Job<'_, G>, ended: &Ended<G>) -> Vec<Played> {
    let dealt = job.dealt;
    let people = ahead.positions.iter().zip(job.sitting).filter(|(_, who)| **who != Occupant::Ai);
    people
        .map(|((seat, seats), who)| Played {
            board: dealt.number,
            table: Some(job.table),
            seat: seat.clone(),
            entrant: ahead.who(*who).0,
            score: measure::measured(&dealt.header, &ended.state, ahead.settings.measure, seats),
            role: measure::role(&dealt.header, &ended.state, seats),
            deal: Some(dealt.deal_hash.clone()),
        })
        .collect()
}

/// Those who sit out have an unplayed result on every board of the round.
fn byes<G: Levels>(ahead: &Ahead<G>, round: &Round, played: &mut Vec<Played>) {
    for board in &round.boards {
        for number in &round.byes {
            played.push(Played {
                board: *board,
                table: None,
                seat: "-".to_owned(),
                entrant: ahead.who(Occupant::Entrant(*number)).0,
                score: None,
                role: None,
                deal: None,
            });
        }
    }
}

/// Everything behind the journals.
pub(super) fn rest<G: Levels, R: BufRead>(
    source: &mut Source<R>,
    ahead: &Ahead<G>,
    played: &[Played],
    journals: &Journals,
    report: &mut Report,
) -> Found<()> {
    checkpoints(source, ahead, journals, &mut report.published)?;
    let rulings = rulings(source, ahead.announcement.body().published_at)?;
    reserves(ahead, &rulings)?;
    referees(ahead, journals, &rulings)?;
    let last_opened = journals.values().map(|journal| journal.opened).max().unwrap_or(ahead.not_before);
    report.rulings = rulings.len() as u64;
    let tally_of = |count: usize| {
        let first = rulings.get(..count).unwrap_or(&rulings);
        tally(&ahead.settings, &ahead.entrants, played.to_vec(), first).map(Rc::new)
    };
    let last = tally_of(rulings.len()).map_err(|fault| tally_wrong(source, &fault))?;
    let (results, standings) = last.texts();
    compare(source, Section::Result, results, &last.results, |line: &ResultLine, wrong| {
        let name = ahead.boards.get(&line.board).map(|dealt| dealt.name.clone());
        wrong.on(&name.unwrap_or_else(|| line.board.to_string()), line.table).of(&line.entrant)
    })?;
    report.results = last.results.len() as u64;
    compare(source, Section::Standing, standings, &last.standings, |line: &StandingLine, wrong| {
        wrong.of(&line.entrant)
    })?;
    revisions(source, ahead, (&rulings, last_opened), &tally_of, &last, report)?;
    manifest(source, ahead)
}

fn tally_wrong<R: BufRead>(source: &Source<R>, fault: &TallyFault) -> Box<Wrong> {
    source.wrong("bad_ruling", Message::plain("verify-bad-ruling").with("detail", fault.message()))
}

/// The instant of something that follows something else: it is never before that.
fn in_time<R: BufRead>(source: &Source<R>, at: i64, earliest: i64) -> Found<()> {
    if at >= earliest {
        return Ok(());
    }
    let message = Message::plain("verify-instant-runs-back").with("at", at).with("earliest", earliest);
    Err(source.wrong("instant_runs_back", message))
}

fn checkpoints<G: Levels, R: BufRead>(
    source: &mut Source<R>,
    ahead: &Ahead<G>,
    journals: &Journals,
    published: &mut Vec<Published>,
) -> Found<()> {
    // How many lines each journal had under the last checkpoint that named it.
    let mut covered: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let mut prev: Hash = [0; 32];
    let mut last_at = ahead.not_before;
    let mut count = 0;
    while let Some(line) = source.next_of::<Signed<Checkpoint>>(Section::Checkpoint)? {
        count += 1;
        let text = signed_text(&line.body);
        let body = &line.body;
        let placed = body.number == count
            && body.event == ahead.announcement.body().event
            && body.prev == hex::encode(prev);
        if !placed {
            return Err(source.wrong("checkpoint_order", Message::plain("verify-checkpoint-order")));
        }
        signature(source, ahead, Purpose::Checkpoint, &text, &line.signature)?;
        in_time(source, body.at, last_at)?;
        last_at = body.at;
        let mut named = BTreeSet::new();
        for head in &body.heads {
            let place = (head.board, head.table);
            let here = |wrong: Box<Wrong>| {
                let name = ahead.boards.get(&head.board).map(|dealt| dealt.name.clone());
                wrong.on(&name.unwrap_or_else(|| head.board.to_string()), Some(head.table))
            };
            if !named.insert(place) {
                let message = Message::plain("verify-head-twice");
                return Err(here(source.wrong("head_twice", message)));
            }
            let known = |journal: &&Complete| {
                let same =
                    |(lines, hash): &(u32, Hash)| *lines == head.entries && hex::encode(hash) == head.hash;
                journal.heads.iter().any(same)
            };
            let Some(journal) = journals.get(&place).filter(known) else {
                let message = Message::plain("verify-checkpoint-head");
                return Err(here(source.wrong("checkpoint_head", message)));
            };
            if covered.insert(place, head.entries).is_some_and(|earlier| earlier > head.entries) {
                let message = Message::plain("verify-head-runs-back");
                return Err(here(source.wrong("head_runs_back", message)));
            }
            in_time(source, body.at, journal.opened).map_err(here)?;
        }
        prev = canonical::sha256(text.as_bytes());
        published.push(Published { kind: Purpose::Checkpoint, number: count, hash: prev });
    }
    match journals.iter().find(|(place, _)| !covered.contains_key(place)) {
        None => Ok(()),
        Some(((board, table), journal)) => {
            let name = ahead.boards.get(board).map(|dealt| dealt.name.clone()).unwrap_or_default();
            let message = Message::plain("verify-no-checkpoint");
            let wrong = Wrong::at("no_checkpoint", Some(Section::Journal), journal.line, message);
            Err(wrong.on(&name, Some(*table)))
        }
    }
}

/// Whatever a referee played for a seat needs a ruling that holds: on the board as a whole, or on somebody's result at
/// that table.
fn referees<G: Levels>(ahead: &Ahead<G>, journals: &Journals, rulings: &[Ruling]) -> Found<()> {
    // A withdrawal of what does not hold is found when the results are computed.
    let holding = in_force(rulings).unwrap_or_default();
    for ((number, table), journal) in journals {
        let Some((entry, line)) = journal.referee.first() else { continue };
        let covers = |ruling: &&Ruling| match &ruling.decision {
            Decision::Void { board } => board == number,
            Decision::Score { board, entrant, .. }
            | Decision::Status { board, entrant, .. }
            | Decision::Weighted { board, entrant, .. }
            | Decision::Penalty { board, entrant, .. } => {
                board == number && journal.players.contains(entrant)
            }
            Decision::Standing { .. } | Decision::Withdraw { .. } => false,
        };
        if !holding.iter().any(covers) {
            let name = ahead.boards.get(number).map(|dealt| dealt.name.clone()).unwrap_or_default();
            let message = Message::plain("verify-referee-without-ruling");
            let wrong = Wrong::at("referee_without_ruling", Some(Section::Journal), *line, message);
            return Err(wrong.on(&name, Some(*table)).entry(*entry));
        }
    }
    Ok(())
}

/// A reserve set is opened by a ruling that makes a board void: its reason and its instant are those of the ruling.
fn reserves<G: Levels>(ahead: &Ahead<G>, rulings: &[Ruling]) -> Found<()> {
    let voids = || rulings.iter().filter(|ruling| matches!(ruling.decision, Decision::Void { .. }));
    for (reserve, line) in &ahead.reserves {
        if !voids().any(|ruling| ruling.at == reserve.at && ruling.reserve_reason() == reserve.reason) {
            let message = Message::plain("verify-reserve-without-ruling").with("set", &reserve.set);
            return Err(Wrong::at("reserve_without_ruling", Some(Section::Reserve), *line, message));
        }
    }
    Ok(())
}

fn rulings<R: BufRead>(source: &mut Source<R>, not_before: i64) -> Found<Vec<Ruling>> {
    let mut rulings = Vec::new();
    let mut last_at = not_before;
    let mut chain: Hash = [0; 32];
    while let Some(line) = source.next_of::<RulingLine>(Section::Ruling)? {
        let number = u32::try_from(rulings.len() + 1).unwrap_or(u32::MAX);
        if let Err(fault) = line.ruling.check(number) {
            return Err(source
                .wrong("bad_ruling", Message::plain("verify-bad-ruling").with("detail", fault.message())));
        }
        chain = line.ruling.chained(&chain);
        if line.hash != hex::encode(chain) {
            return Err(source.wrong("chain", Message::plain("verify-chain")));
        }
        in_time(source, line.ruling.at, last_at)?;
        last_at = line.ruling.at;
        rulings.push(line.ruling);
    }
    Ok(rulings)
}

/// Compares published lines one by one with the computed ones.
fn compare<T, R>(
    source: &mut Source<R>,
    section: Section,
    texts: &[String],
    computed: &[T],
    place: impl Fn(&T, Box<Wrong>) -> Box<Wrong>,
) -> Found<()>
where
    T: DeserializeOwned + Serialize + PartialEq,
    R: BufRead,
{
    for (text, expected) in texts.iter().zip(computed) {
        if source.take_if(section, |line| line == text)? {
            continue;
        }
        let Some(published) = source.next_of::<T>(section)? else {
            return Err(place(expected, source.expected(section)));
        };
        if published != *expected {
            let message = Message::plain("verify-published")
                .with("computed", signed_text(expected))
                .with("published", signed_text(&published));
            return Err(place(expected, source.wrong("not_as_published", message)));
        }
    }
    Ok(())
}

fn revisions<G: Levels, R: BufRead>(
    source: &mut Source<R>,
    ahead: &Ahead<G>,
    (rulings, last_opened): (&[Ruling], i64),
    tally_of: &dyn Fn(usize) -> Result<Rc<Tally>, TallyFault>,
    last: &Rc<Tally>,
    report: &mut Report,
) -> Found<()> {
    let mut before: Option<Rc<Tally>> = None;
    let mut count = 0;
    let mut ruled = 0;
    let mut last_at = last_opened;
    let mut next = Some(source.one::<Signed<Revision>>(Section::Revision)?);
    while let Some(line) = next {
        count += 1;
        let body = &line.body;
        let upto = body.rulings as usize;
        if upto < ruled || upto > rulings.len() {
            return Err(source.wrong("revision_order", Message::plain("verify-revision-order")));
        }
        ruled = upto;
        let now = if upto == rulings.len() {
            Rc::clone(last)
        } else {
            tally_of(upto).map_err(|fault| tally_wrong(source, &fault))?
        };
        let event = &ahead.announcement.body().event;
        let number = u32::try_from(count).unwrap_or(u32::MAX);
        let expected =
            revision::revision(event, number, body.at, body.state, body.rulings, before.as_deref(), &now);
        if *body != expected {
            return Err(source.wrong("revision_differs", Message::plain("verify-revision-differs")));
        }
        let text = signed_text(body);
        signature(source, ahead, Purpose::Revision, &text, &line.signature)?;
        report.published.push(Published {
            kind: Purpose::Revision,
            number,
            hash: canonical::sha256(text.as_bytes()),
        });
        let ruling_at = upto.checked_sub(1).and_then(|last| rulings.get(last)).map(|ruling| ruling.at);
        in_time(source, body.at, ruling_at.unwrap_or(last_at).max(last_at))?;
        last_at = body.at;
        before = Some(now);
        next = source.next_of(Section::Revision)?;
    }
    // The last tally is the one of all rulings: it is what is published when no ruling is missing.
    if ruled != rulings.len() {
        return Err(source.wrong("ruling_not_published", Message::plain("verify-ruling-not-published")));
    }
    report.revisions = count;
    Ok(())
}

fn signature<G: Levels, R: BufRead>(
    source: &Source<R>,
    ahead: &Ahead<G>,
    purpose: Purpose,
    text: &str,
    signature: &str,
) -> Found<()> {
    if sign::verify(&ahead.announcement.body().server_key, purpose, text, signature) {
        Ok(())
    } else {
        Err(source.wrong("signature", Message::plain("verify-signature")))
    }
}

fn manifest<G: Levels, R: BufRead>(source: &mut Source<R>, ahead: &Ahead<G>) -> Found<()> {
    let line: Signed<Manifest> = source.one(Section::Manifest)?;
    if Sabotage::Manifest.on() {
        return source.end();
    }
    // The signature first: a manifest that was changed must not blame a section.
    signature(source, ahead, Purpose::Manifest, &signed_text(&line.body), &line.signature)?;
    let sections = &line.body.sections;
    for (read, sum) in source.done.iter().zip(sections) {
        if read.sum != *sum {
            return Err(changed(read));
        }
    }
    if source.done.len() != sections.len() {
        return Err(source.wrong("section_sum", Message::plain("verify-section-sum")));
    }
    source.end()
}
