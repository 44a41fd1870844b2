//! The boards' journals and what follows from them: checkpoints, results, standings, manifest.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::ops::Range;

use serde_json::{Map, Value};

use super::course::name;
use super::pool;
use super::preamble::Preamble;
use super::source::{Source, Tail, changed};
use super::table::{self, Acted, Cut, Dealt, Ended, Software};
use super::wrong::Wrong;
use super::{Complete, Found, Journals, Published, Report, Unfinished};
use crate::canonical::{self, Hash};
use crate::formats::ruling::{Decision, in_force};
use crate::formats::{Sitting, Venue};
use crate::journal::By;
use crate::journal::bundle::model::{Checkpoint, JournalLine, Manifest, Section, Signed, signed_text};
use crate::journal::finished::of_state;
use crate::journal::scan::Memo;
use crate::journal::sign::{self, Purpose};
use crate::players::Levels;
use crate::sabotage::Sabotage;
use crate::words::Message;

/// A journal that is to be checked.
struct Job<'a, G: Levels> {
    dealt: &'a Dealt<G>,
    sitting: &'a Sitting,
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
    sitting: u32,
    first: u64,
    opened: i64,
    heads: Vec<(u32, Hash)>,
    entries: u32,
    notes: u32,
    acted: Acted,
    unfinished: Option<Unfinished>,
}

/// Reads the journal of every sitting that was begun, in the order of the sittings. They are checked on all cores; the
/// fault that is answered is the first one of the file.
pub(super) fn journals<G: Levels, R: BufRead>(
    source: &mut Source<R>,
    preamble: &Preamble<G>,
    report: &mut Report,
) -> Found<Journals> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut unread = None;
    let mut unopened = Vec::new();
    let work = |memo: &mut Memo<G>, batch: Batch<'_, G>| {
        let mut outcomes = Vec::with_capacity(batch.jobs.len());
        for job in &batch.jobs {
            match check(preamble, &batch.text, job, memo) {
                Ok(outcome) => outcomes.push(outcome),
                Err(wrong) => return ((outcomes, Some(wrong)), true),
            }
        }
        ((outcomes, None), false)
    };
    let answers = pool::in_order(threads, Memo::new, &work, |submit| {
        unread = read(source, preamble, &mut unopened, submit).err();
    });
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
            };
            journals.insert(outcome.sitting, complete);
        }
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
    }
    if let Some(wrong) = unread {
        return Err(wrong);
    }
    report.unfinished.extend(unopened);
    Ok(journals)
}

/// Reads the journals and hands them over in batches. A fault is one of the reading; what has been handed over comes
/// before it. Sittings that a bell struck before they were opened go to `unopened`.
fn read<'a, G: Levels, R: BufRead>(
    source: &mut Source<R>,
    preamble: &'a Preamble<G>,
    unopened: &mut Vec<Unfinished>,
    submit: &mut dyn FnMut(Batch<'a, G>) -> bool,
) -> Found<()> {
    let mut batch = Batch { text: String::new(), jobs: Vec::new() };
    let here = |sitting: &&Sitting| sitting.venue == Venue::Server;
    for sitting in preamble.course.journal.competition().sittings().iter().filter(here) {
        let fault = match begin(source, preamble, sitting) {
            Ok(Some((dealt, opened))) => {
                let (first, begun) = (source.line(), batch.text.len());
                let (tail, fault) = source.entries(&mut batch.text);
                let lines = begun..batch.text.len();
                batch.jobs.push(Job { dealt, sitting, first, opened, lines, tail });
                fault
            }
            Ok(None) => {
                unopened.push(Unfinished {
                    board: name(sitting),
                    table: sitting.table,
                    by: By::Clock,
                    who: None,
                    at: 0,
                });
                None
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
    submit(batch);
    Ok(())
}

/// Reads the first line of the journal that must come. A sitting that a bell struck may have none.
fn begin<'a, G: Levels, R: BufRead>(
    source: &mut Source<R>,
    preamble: &'a Preamble<G>,
    sitting: &Sitting,
) -> Found<Option<(&'a Dealt<G>, i64)>> {
    let id = sitting.sitting;
    let here = |wrong: Box<Wrong>| wrong.on(&name(sitting), Some(sitting.table));
    let Some(dealt) = preamble.course.dealt(sitting) else {
        return Err(here(source.expected(Section::Journal)));
    };
    let mut opened = None;
    let as_it_must_be = |text: &str| {
        opened = dealt.begins(text, id);
        opened.is_some()
    };
    if source.take_if(Section::Journal, as_it_must_be)?
        && let Some(opened) = opened
    {
        in_time(source, preamble, sitting, dealt, opened).map_err(here)?;
        return Ok(Some((dealt, opened)));
    }
    let struck = preamble.course.struck.contains_key(&id);
    if struck && !source.next_is(Section::Journal, "sitting", id)? {
        return Ok(None);
    }
    // It is not as it must be, or there is none: read it in full to say why.
    let line: JournalLine = match source.next_of(Section::Journal)? {
        Some(line) => line,
        None => return Err(here(source.expected(Section::Journal))),
    };
    if line.sitting != id {
        let message = Message::plain("verify-journal-order").with("sitting", id);
        return Err(here(source.wrong("journal_order", message)));
    }
    dealt.receipt_of(source, &line).map_err(here)?;
    in_time(source, preamble, sitting, dealt, line.opened).map_err(here)?;
    Ok(Some((dealt, line.opened)))
}

/// Nobody opens a board whose cards cannot be known yet, that was not ordered yet, or for which the bell has rung.
fn in_time<G: Levels, R: BufRead>(
    source: &Source<R>,
    preamble: &Preamble<G>,
    sitting: &Sitting,
    dealt: &Dealt<G>,
    opened: i64,
) -> Found<()> {
    let course = &preamble.course;
    if opened < dealt.not_before {
        let message = Message::plain("verify-opened-too-early")
            .with("opened", opened)
            .with("earliest", dealt.not_before);
        return Err(source.wrong("opened_too_early", message).entry(0));
    }
    let place = (sitting.sitting as usize).checked_sub(1);
    let ordered = place.and_then(|place| course.ordered.get(place));
    if let Some(ordered) = ordered.filter(|ordered| opened < ordered.wall) {
        let message = Message::plain("verify-opened-before-order")
            .with("opened", opened)
            .with("earliest", ordered.wall);
        return Err(source.wrong("opened_before_order", message).entry(0));
    }
    let bell = course.bells.get(&(sitting.stage, sitting.round));
    if let Some(bell) = bell.filter(|bell| opened > bell.wall) {
        let message =
            Message::plain("verify-opened-after-bell").with("opened", opened).with("bell", bell.wall);
        return Err(source.wrong("opened_after_bell", message).entry(0));
    }
    Ok(())
}

/// Checks one journal of a batch.
fn check<G: Levels>(
    preamble: &Preamble<G>,
    text: &str,
    job: &Job<'_, G>,
    memo: &mut Memo<G>,
) -> Found<Outcome> {
    let mut software: Software<G> = Vec::new();
    for (seat, who) in &job.sitting.seats {
        let (Some(seat), Some(who)) = (G::seat_named(seat), who) else { continue };
        if software.len() <= seat.index() {
            software.resize(seat.index() + 1, None);
        }
        if let Some(slot) = software.get_mut(seat.index()) {
            *slot = preamble.level(who);
        }
    }
    let text = text.get(job.lines.clone()).unwrap_or_default();
    let lines = table::Lines { text, first: job.first, tail: job.tail };
    let board = name(job.sitting);
    let ended = table::check(
        &lines,
        (&board, job.sitting.table),
        job.dealt,
        &software,
        preamble.ai_key.as_ref(),
        memo,
    )?;
    let unfinished = ended.cut.as_ref().map(|cut| cut_off(preamble, job, cut)).transpose()?;
    as_finished(preamble, job, &ended)?;
    Ok(Outcome {
        unfinished,
        sitting: job.sitting.sitting,
        first: job.first,
        opened: job.opened,
        entries: ended.entries,
        notes: ended.notes,
        acted: ended.acted,
        heads: ended.heads,
    })
}

/// A board that a note ended. The clock only ends what was not begun when the bell of its round rang.
fn cut_off<G: Levels>(preamble: &Preamble<G>, job: &Job<'_, G>, cut: &Cut) -> Found<Unfinished> {
    let (entry, line) = cut.place;
    let sitting = job.sitting;
    if cut.by == By::Clock {
        let wrong = |code, message| {
            Err(Wrong::at(code, Some(Section::Journal), line, message)
                .on(&name(sitting), Some(sitting.table))
                .entry(entry))
        };
        if entry > 1 {
            return wrong("end_in_play", Message::plain("verify-end-in-play"));
        }
        if !preamble.course.struck.contains_key(&sitting.sitting) {
            return wrong("end_without_bell", Message::plain("verify-end-without-bell"));
        }
    }
    Ok(Unfinished {
        board: name(sitting),
        table: sitting.table,
        by: cut.by,
        who: cut.who.clone(),
        at: cut.at,
    })
}

/// The event's journal says of the board what its own journal gives: scores, sides, carry, and where it ended.
fn as_finished<G: Levels>(preamble: &Preamble<G>, job: &Job<'_, G>, ended: &Ended<G>) -> Found<()> {
    let course = &preamble.course;
    let sitting = job.sitting;
    let id = sitting.sitting;
    let wrong = |line: u64, section, code, message: Message| {
        Err(Wrong::at(code, Some(section), line, message).on(&name(sitting), Some(sitting.table)))
    };
    let Some(written) = course.journal.competition().finished(id) else {
        // A bell struck it: nothing of it was played.
        if ended.entries > 0 {
            return wrong(job.first, Section::Journal, "bell_in_play", Message::plain("verify-bell-in-play"));
        }
        return Ok(());
    };
    let spoken = course.finished.get(&id).copied();
    let line = spoken.map_or(0, |spoken| spoken.line);
    let differs = |code, what: &'static str| {
        let message = Message::plain("verify-finished-differs").with("what", Message::plain(what));
        wrong(line, Section::Event, code, message)
    };
    let Some((lines, head)) = ended.heads.first() else { return Ok(()) };
    let played = of_state(id, &job.dealt.header, &ended.state, (*lines, head));
    if written.scores != played.scores {
        return differs("finished_scores", "verify-finished-scores");
    }
    if written.roles != played.roles {
        return differs("finished_roles", "verify-finished-roles");
    }
    if written.small != played.small {
        return differs("finished_small", "verify-finished-small");
    }
    if written.carry != played.carry {
        return differs("finished_carry", "verify-finished-carry");
    }
    if written.lines != played.lines {
        return differs("finished_lines", "verify-finished-lines");
    }
    if written.head != played.head {
        return differs("finished_head", "verify-finished-head");
    }
    if let Some(spoken) = spoken.filter(|spoken| spoken.wall < job.opened) {
        let message =
            Message::plain("verify-instant-runs-back").with("at", spoken.wall).with("earliest", job.opened);
        // The event's line is chained, and signed with its chain: it is the board's own instant that cannot be.
        return Err(Wrong::at("instant_runs_back", Some(Section::Journal), job.first, message)
            .on(&name(sitting), Some(sitting.table))
            .entry(0));
    }
    Ok(())
}

/// Everything after the boards' journals.
pub(super) fn rest<G: Levels, R: BufRead>(
    source: &mut Source<R>,
    preamble: &Preamble<G>,
    journals: &Journals,
    report: &mut Report,
) -> Found<()> {
    checkpoints(source, preamble, journals, &mut report.published)?;
    referees(preamble, journals)?;
    let course = &preamble.course;
    report.rulings = course.journal.competition().rulings().len() as u64;
    compare(source, Section::Result, course.last.results(), |object, wrong| {
        let board = object.get("board").and_then(Value::as_u64).unwrap_or_default();
        let sittings = course.journal.competition().sittings();
        let name = sittings.iter().find(|sitting| u64::from(sitting.deal.board) == board).map(name);
        let table = object.get("table").and_then(Value::as_u64).and_then(|table| u32::try_from(table).ok());
        wrong.on(&name.unwrap_or_else(|| board.to_string()), table)
    })?;
    report.results = course.last.results().len() as u64;
    compare(source, Section::Standing, course.last.standings(), |_, wrong| wrong)?;
    report.published.extend(&course.published);
    report.revisions = course.published.len() as u64;
    manifest(source, preamble)
}

/// The instant of something that follows something else: it is never before that.
fn after<R: BufRead>(source: &Source<R>, at: i64, earliest: i64) -> Found<()> {
    if at >= earliest {
        return Ok(());
    }
    let message = Message::plain("verify-instant-runs-back").with("at", at).with("earliest", earliest);
    Err(source.wrong("instant_runs_back", message))
}

fn checkpoints<G: Levels, R: BufRead>(
    source: &mut Source<R>,
    preamble: &Preamble<G>,
    journals: &Journals,
    published: &mut Vec<Published>,
) -> Found<()> {
    let mut checks = Checkpoints {
        preamble,
        journals,
        covered: BTreeMap::new(),
        prev: [0; 32],
        last_at: preamble.announcement.body().published_at,
        seq: 0,
        count: 0,
    };
    while let Some(line) = source.next_of::<Signed<Checkpoint>>(Section::Checkpoint)? {
        published.push(checks.check(source, &line)?);
    }
    let Some((id, journal)) = journals.iter().find(|(id, _)| !checks.covered.contains_key(id)) else {
        return Ok(());
    };
    let message = Message::plain("verify-no-checkpoint");
    Err(on(preamble, *id, Wrong::at("no_checkpoint", Some(Section::Journal), journal.line, message)))
}

/// The place of a sitting.
fn on<G: Levels>(preamble: &Preamble<G>, id: u32, wrong: Box<Wrong>) -> Box<Wrong> {
    match preamble.course.journal.competition().sitting(id) {
        Some(sitting) => wrong.on(&name(sitting), Some(sitting.table)),
        None => wrong,
    }
}

/// Checkpoints while they are read.
struct Checkpoints<'a, G: Levels> {
    preamble: &'a Preamble<G>,
    journals: &'a Journals,
    /// Number of lines that each journal had under the last checkpoint that named it.
    covered: BTreeMap<u32, u32>,
    prev: Hash,
    last_at: i64,
    /// The last line of the event's journal that was named.
    seq: u64,
    count: u32,
}

impl<G: Levels> Checkpoints<'_, G> {
    fn check<R: BufRead>(&mut self, source: &Source<R>, line: &Signed<Checkpoint>) -> Found<Published> {
        self.count += 1;
        let text = signed_text(&line.body);
        let body = &line.body;
        let placed = body.number == self.count
            && body.event == self.preamble.announcement.body().event
            && body.prev == hex::encode(self.prev);
        if !placed {
            return Err(source.wrong("checkpoint_order", Message::plain("verify-checkpoint-order")));
        }
        signature(source, self.preamble, Purpose::Checkpoint, &text, &line.signature)?;
        after(source, body.at, self.last_at)?;
        self.last_at = body.at;
        self.event_head(source, body)?;
        let mut named = std::collections::BTreeSet::new();
        for head in &body.heads {
            let here = |wrong: Box<Wrong>| on(self.preamble, head.sitting, wrong);
            if !named.insert(head.sitting) {
                return Err(here(source.wrong("head_twice", Message::plain("verify-head-twice"))));
            }
            let known = |journal: &&Complete| {
                let same =
                    |(lines, hash): &(u32, Hash)| *lines == head.entries && hex::encode(hash) == head.hash;
                journal.heads.iter().any(same)
            };
            let Some(journal) = self.journals.get(&head.sitting).filter(known) else {
                return Err(here(source.wrong("checkpoint_head", Message::plain("verify-checkpoint-head"))));
            };
            after(source, body.at, journal.opened).map_err(here)?;
            if self.covered.insert(head.sitting, head.entries).is_some_and(|earlier| earlier > head.entries) {
                let message = Message::plain("verify-head-runs-back");
                return Err(on(self.preamble, head.sitting, source.wrong("head_runs_back", message)));
            }
        }
        self.prev = canonical::sha256(text.as_bytes());
        Ok(Published { kind: Purpose::Checkpoint, number: self.count, hash: self.prev })
    }

    /// The head of the event's journal is that of one of its lines, never of an earlier one than before.
    fn event_head<R: BufRead>(&mut self, source: &Source<R>, body: &Checkpoint) -> Found<()> {
        let place = usize::try_from(body.journal.seq).ok().and_then(|seq| seq.checked_sub(1));
        let chain = place.and_then(|place| self.preamble.course.chains.get(place));
        if chain.is_none_or(|chain| hex::encode(chain) != body.journal.hash) {
            return Err(source.wrong("event_head", Message::plain("verify-event-head")));
        }
        if body.journal.seq < self.seq {
            return Err(source.wrong("event_head_runs_back", Message::plain("verify-event-head-runs-back")));
        }
        self.seq = body.journal.seq;
        Ok(())
    }
}

/// Whatever a referee played for a seat needs a ruling that holds: on the board as a whole, or on the result of somebody
/// who sat there.
fn referees<G: Levels>(preamble: &Preamble<G>, journals: &Journals) -> Found<()> {
    let competition = preamble.course.journal.competition();
    // A withdrawal of what does not hold was refused.
    let holding = in_force(competition.rulings()).unwrap_or_default();
    for (id, journal) in journals {
        let Some((entry, line)) = journal.referee.first() else { continue };
        let Some(sitting) = competition.sitting(*id) else { continue };
        let sits = |entrant: &str| sitting.seats.values().flatten().any(|who| who == entrant);
        let covers = |decision: &Decision| match decision {
            Decision::Void { board } => *board == sitting.deal.board,
            Decision::Score { board, entrant, .. }
            | Decision::Status { board, entrant, .. }
            | Decision::Weighted { board, entrant, .. }
            | Decision::Penalty { board, entrant, .. } => *board == sitting.deal.board && sits(entrant),
            Decision::Standing { .. } | Decision::Withdraw { .. } => false,
        };
        if !holding.iter().any(|ruling| covers(&ruling.decision)) {
            let message = Message::plain("verify-referee-without-ruling");
            let wrong = Wrong::at("referee_without_ruling", Some(Section::Journal), *line, message);
            return Err(wrong.on(&name(sitting), Some(sitting.table)).entry(*entry));
        }
    }
    Ok(())
}

/// Compares published lines one by one with the computed ones.
fn compare<R: BufRead>(
    source: &mut Source<R>,
    section: Section,
    texts: &[String],
    place: impl Fn(&Map<String, Value>, Box<Wrong>) -> Box<Wrong>,
) -> Found<()> {
    for text in texts {
        if source.take_if(section, |line| line == text)? {
            continue;
        }
        let computed: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
        let here = |wrong: Box<Wrong>| {
            let wrong = place(&computed, wrong);
            match computed.get("entrant").and_then(Value::as_str) {
                Some(entrant) => wrong.of(entrant),
                None => wrong,
            }
        };
        let Some(published) = source.next_of::<Map<String, Value>>(section)? else {
            return Err(here(source.expected(section)));
        };
        let mut bare = computed.clone();
        bare.shift_remove("section");
        let message = Message::plain("verify-published")
            .with("computed", signed_text(&bare))
            .with("published", signed_text(&published));
        return Err(here(source.wrong("not_as_published", message)));
    }
    Ok(())
}

fn signature<G: Levels, R: BufRead>(
    source: &Source<R>,
    preamble: &Preamble<G>,
    purpose: Purpose,
    text: &str,
    signature: &str,
) -> Found<()> {
    if sign::verify(&preamble.announcement.body().server_key, purpose, text, signature) {
        Ok(())
    } else {
        Err(source.wrong("signature", Message::plain("verify-signature")))
    }
}

fn manifest<G: Levels, R: BufRead>(source: &mut Source<R>, preamble: &Preamble<G>) -> Found<()> {
    let line: Signed<Manifest> = source.one(Section::Manifest)?;
    if Sabotage::Manifest.on() {
        return source.end();
    }
    // The signature first: a manifest that was changed must not blame a section.
    signature(source, preamble, Purpose::Manifest, &signed_text(&line.body), &line.signature)?;
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
