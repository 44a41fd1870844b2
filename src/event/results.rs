//! Results from journals and rulings: rebuilt from nothing but the archive, ruled, published as signed revisions.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::archive::{
    Archive, ArchiveError, AuditRow, CheckpointRow, EntryRow, PlayId, PlayRow, ResultRow, RevisionRow,
    RulingRow, StandingRow,
};
use super::error::EventError;
use super::model::{Dealer, Event, Sitting};
use crate::canonical::{Hash, sha256, to_string};
use crate::formats::Occupant;
use crate::formats::ruling::Ruling;
use crate::formats::tally::{Played, Tally, tally};
use crate::games::{Game, Refusal as _, Seat};
use crate::journal::bundle::model::signed_text;
use crate::journal::bundle::{Checkpoint, EventHead, Head, ResultState, Revision, Signed};
use crate::journal::revision::{revision, signed};
use crate::journal::sign::{Purpose, Signer};
use crate::journal::{Board, Header, Line, measure, scan_line};

/// What the journals of an event say.
#[derive(Debug)]
pub struct Collected {
    /// The results before rulings.
    pub played: Vec<Played>,
    /// The head of every journal.
    pub heads: Vec<Head>,
}

/// Replays every journal of an event from the archive. A board that was ended unfinished has results without a score.
///
/// # Errors
/// A journal that is unfinished or does not fit the deal, the rules or its own chain.
pub fn collect<G: Game>(
    archive: &dyn Archive,
    event: &Event<G>,
    dealer: &Dealer<G>,
) -> Result<Collected, EventError> {
    let plays = archive.plays(&event.id)?;
    let positions = event.positions();
    let mut headers: BTreeMap<u32, Header<G>> = BTreeMap::new();
    let mut collected = Collected { played: Vec::new(), heads: Vec::new() };
    for (sitting, play) in event.sittings().zip(&plays) {
        let header = match headers.entry(sitting.board) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(dealer.header(sitting.board)?),
        };
        let header = &*header;
        let board = replay(header, play, &archive.journal(play.id)?)?;
        let (played, head) = results_of(event, &positions, &sitting, header, &board);
        collected.played.extend(played);
        collected.heads.push(head);
    }
    collected.played.extend(byes(event));
    Ok(collected)
}

/// The results of a board that is over at a table, and the head of its journal. `positions` are the event's.
pub fn results_of<G: Game>(
    event: &Event<G>,
    positions: &[(String, Vec<Seat>)],
    sitting: &Sitting<'_>,
    header: &Header<G>,
    board: &Board<G>,
) -> (Vec<Played>, Head) {
    let mut played = Vec::new();
    for ((seat, seats), who) in positions.iter().zip(sitting.who) {
        if *who != Occupant::Ai {
            played.push(Played {
                board: sitting.board,
                table: Some(sitting.table),
                seat: seat.clone(),
                entrant: event.who(*who),
                score: measure::measured(header, board.state(), event.settings.measure, seats),
                role: measure::role(header, board.state(), seats),
                deal: Some(header.deal_hash()),
            });
        }
    }
    (played, head_of(0, board))
}

/// The head of the journal of a board at a sitting.
#[must_use]
pub fn head_of<G: Game>(sitting: u32, board: &Board<G>) -> Head {
    Head { sitting, entries: board.lines(), hash: hex::encode(board.chain()) }
}

/// The results of a board at a table whose journal is damaged: not played, until a ruling says otherwise. `positions`
/// are the event's.
pub fn unplayed<G: Game>(
    event: &Event<G>,
    positions: &[(String, Vec<Seat>)],
    sitting: &Sitting<'_>,
    header: &Header<G>,
) -> Vec<Played> {
    let entrants = positions.iter().zip(sitting.who).filter(|(_, who)| **who != Occupant::Ai);
    entrants
        .map(|((seat, _), who)| Played {
            board: sitting.board,
            table: Some(sitting.table),
            seat: seat.clone(),
            entrant: event.who(*who),
            score: None,
            role: None,
            deal: Some(header.deal_hash()),
        })
        .collect()
}

/// The boards that entrants sit out: not played.
pub fn byes<G: Game>(event: &Event<G>) -> Vec<Played> {
    let mut played = Vec::new();
    for round in &event.rounds {
        for (board, number) in
            round.boards.iter().flat_map(|board| round.byes.iter().map(move |bye| (board, bye)))
        {
            played.push(Played {
                board: *board,
                table: None,
                seat: "-".to_owned(),
                entrant: event.who(Occupant::Entrant(*number)),
                score: None,
                role: None,
                deal: None,
            });
        }
    }
    played
}

/// Replays the rows of one journal to its end: the end of the game, or a note `end`.
///
/// # Errors
/// The first row that is wrong; the board is not over.
pub fn replay<G: Game>(
    header: &Header<G>,
    play: &PlayRow,
    rows: &[EntryRow],
) -> Result<Board<G>, EventError> {
    let board = replay_so_far(header, play, rows)?;
    if board.over() {
        return Ok(board);
    }
    let place = format!("{}/{} at table {}", play.play.set_id, play.play.number, play.play.table_number);
    Err(EventError::Damaged(format!("journal of board {place}: the board is not finished")))
}

/// Replays the rows of one journal as far as they go.
///
/// # Errors
/// The first row that is wrong; there is none.
pub fn replay_so_far<G: Game>(
    header: &Header<G>,
    play: &PlayRow,
    rows: &[EntryRow],
) -> Result<Board<G>, EventError> {
    let place = format!("{}/{} at table {}", play.play.set_id, play.play.number, play.play.table_number);
    let damaged = |what: String| EventError::Damaged(format!("journal of board {place}: {what}"));
    let mut rows = rows.iter();
    let mut board = Board::open(header);
    match rows.next() {
        Some(row) if row.body == header.receipt() && row.hash == board.chain().as_slice() => {}
        Some(_) => return Err(damaged("the receipt is not that of the deal".to_owned())),
        None => return Err(damaged("it is empty".to_owned())),
    }
    for row in rows {
        let line = scan_line::<G>(&row.body)
            .map_err(|detail| damaged(format!("entry {} cannot be read: {detail}", row.seq)))?;
        let illegal = |code: &str| damaged(format!("entry {} is illegal: {code}", row.seq));
        let hash = match &line {
            Line::Action(entry) => board.play(entry).map_err(|refused| illegal(refused.code()))?,
            Line::Control(note) => board.note(note).map_err(|refused| illegal(refused.code()))?,
        };
        if hash.as_slice() != row.hash || board.last_bytes() != row.body {
            return Err(damaged(format!("the chain breaks at entry {}", row.seq)));
        }
    }
    Ok(board)
}

/// The rulings of an event in order.
///
/// # Errors
/// A ruling that cannot be read or breaks the chain.
pub fn rulings(archive: &dyn Archive, event: &str) -> Result<Vec<Ruling>, EventError> {
    let mut chain: Hash = [0; 32];
    let mut rulings = Vec::new();
    for row in archive.rulings(event)? {
        let ruling: Ruling = serde_json::from_str(&row.body)
            .map_err(|error| EventError::Damaged(format!("ruling {}: {error}", row.number)))?;
        chain = ruling.chained(&chain);
        if chain.as_slice() != row.hash || ruling.canonical() != row.body {
            return Err(EventError::Damaged(format!("the chain of rulings breaks at ruling {}", row.number)));
        }
        rulings.push(ruling);
    }
    Ok(rulings)
}

/// What a ruling would change, without making it: the tally before and after.
///
/// # Errors
/// The ruling cannot stand.
pub fn preview<G: Game>(
    archive: &dyn Archive,
    event: &Event<G>,
    collected: &Collected,
    ruling: &Ruling,
) -> Result<(Tally, Tally), EventError> {
    let mut rulings = rulings(archive, &event.id)?;
    let before = tally(&event.settings, &event.entrants, collected.played.clone(), &rulings)?;
    rulings.push(ruling.clone());
    let after = tally(&event.settings, &event.entrants, collected.played.clone(), &rulings)?;
    Ok((before, after))
}

/// Makes a ruling: it must be able to stand, and nobody else may have ruled in the meantime.
///
/// # Errors
/// The ruling cannot stand, or its number is taken.
pub fn rule<G: Game>(
    archive: &dyn Archive,
    event: &Event<G>,
    collected: &Collected,
    ruling: &Ruling,
) -> Result<(), EventError> {
    let earlier = rulings(archive, &event.id)?;
    let number = u32::try_from(earlier.len() + 1).unwrap_or(u32::MAX);
    // A wall clock that was set back must not make a ruling older than the one before.
    let last = earlier.last().map_or(ruling.at, |last| last.at);
    let ruling = &Ruling { at: ruling.at.max(last), ..ruling.clone() };
    ruling.check(number)?;
    preview(archive, event, collected, ruling)?;
    let chain = earlier.iter().fold([0; 32], |chain, ruling| ruling.chained(&chain));
    let row = RulingRow {
        event_id: event.id.clone(),
        number: i64::from(number),
        at_us: ruling.at,
        body: ruling.canonical(),
        hash: ruling.chained(&chain).to_vec(),
    };
    let details = to_string(&serde_json::json!({ "number": number })).unwrap_or_else(|_| "{}".to_owned());
    archive
        .add_ruling(row, AuditRow { details, ..event.act(ruling.at, &ruling.by, "rule", &ruling.reason) })?;
    Ok(())
}

/// Computes results and standings from journals and rulings and keeps them as the derived tables.
///
/// # Errors
/// A ruling that cannot stand, or the archive.
pub fn rebuild<G: Game>(
    archive: &dyn Archive,
    event: &Event<G>,
    collected: &Collected,
) -> Result<Tally, EventError> {
    let rulings = rulings(archive, &event.id)?;
    let tally = tally(&event.settings, &event.entrants, collected.played.clone(), &rulings)?;
    let plays: BTreeMap<(i64, i64), _> = archive
        .plays(&event.id)?
        .into_iter()
        .map(|row| ((row.play.number, row.play.table_number), row.id))
        .collect();
    let results = tally
        .results
        .iter()
        .filter_map(|line| {
            let play = plays.get(&(i64::from(line.board), i64::from(line.table?)))?;
            let body = to_string(line).ok()?;
            Some(ResultRow { play: *play, entrant: line.entrant.clone(), body })
        })
        .collect();
    let standings = tally
        .standings
        .iter()
        .filter_map(|line| Some(StandingRow { entrant: line.entrant.clone(), body: to_string(line).ok()? }))
        .collect();
    archive.replace_derived(&event.id, results, standings)?;
    Ok(tally)
}

/// Publishes the results as they are now: a signed revision with its differences from the one before. The derived
/// tables are rebuilt on the way.
///
/// # Errors
/// Somebody else has published in the meantime, or the archive.
pub fn publish<G: Game>(
    archive: &dyn Archive,
    event: &Event<G>,
    collected: &Collected,
    signer: &Signer,
    state: ResultState,
    at: i64,
    who: &str,
) -> Result<Signed<Revision>, EventError> {
    let tally = rebuild(archive, event, collected)?;
    let made = rulings(archive, &event.id)?;
    let published = revisions(archive, &event.id)?;
    let before = match published.last() {
        None => None,
        Some(last) => {
            let upto = made.get(..last.body.rulings as usize).unwrap_or(&made);
            Some(self::tally(&event.settings, &event.entrants, collected.played.clone(), upto)?)
        }
    };
    let number = u32::try_from(published.len() + 1).unwrap_or(u32::MAX);
    // Nor a publication older than what it rests on.
    let earlier = [
        made.last().map(|ruling| ruling.at),
        published.last().map(|revision| revision.body.at),
        signed_at(archive, &event.id)?,
    ];
    let at = earlier.into_iter().flatten().fold(at, i64::max);
    let count = u32::try_from(made.len()).unwrap_or(u32::MAX);
    let body = revision(&event.id, number, at, state, count, before.as_ref(), &tally);
    let line = signed(signer, Purpose::Revision, body);
    let row = RevisionRow {
        event_id: event.id.clone(),
        number: i64::from(number),
        at_us: at,
        body: signed_text(&line.body),
        signature: hex::decode(&line.signature).unwrap_or_default(),
    };
    archive.publish(row, state.word(), event.act(at, who, "publish", state.word()))?;
    Ok(line)
}

/// The published revisions in order.
///
/// # Errors
/// One that cannot be read.
pub fn revisions(archive: &dyn Archive, event: &str) -> Result<Vec<Signed<Revision>>, EventError> {
    archive.revisions(event)?.iter().map(read_revision).collect()
}

fn read_revision(row: &RevisionRow) -> Result<Signed<Revision>, EventError> {
    let body = serde_json::from_str(&row.body)
        .map_err(|error| EventError::Damaged(format!("revision {}: {error}", row.number)))?;
    Ok(Signed { body, signature: hex::encode(&row.signature) })
}

/// The instant of the last checkpoint.
fn signed_at(archive: &dyn Archive, event: &str) -> Result<Option<i64>, EventError> {
    Ok(checkpoints(archive, event)?.pop().map(|line| line.body.at))
}

/// Signs one checkpoint of all the heads that no checkpoint names yet, in the order of the sittings, if there are any;
/// answers how many were made. The heads are those of boards that every table has finished: before that a chain's hash
/// would give the cards away. Whoever comes second finds nothing to sign.
///
/// # Errors
/// The archive.
pub fn sign_boards(
    archive: &dyn Archive,
    event: &str,
    signer: &Signer,
    at: i64,
    heads: &[Head],
) -> Result<u32, EventError> {
    for _ in 0..SIGN_TRIES {
        match sign_due(archive, event, signer, at, heads) {
            // Somebody else has signed in the meantime: look again.
            Err(EventError::Archive(ArchiveError::Exists(_))) => {}
            done => return done,
        }
    }
    sign_due(archive, event, signer, at, heads)
}

/// How often [`sign_boards`] looks again when somebody else signs at the same time.
const SIGN_TRIES: u32 = 4;

fn sign_due(
    archive: &dyn Archive,
    event: &str,
    signer: &Signer,
    at: i64,
    heads: &[Head],
) -> Result<u32, EventError> {
    let covered: BTreeSet<u32> = checkpoints(archive, event)?
        .iter()
        .flat_map(|line| line.body.heads.iter().map(|head| head.sitting))
        .collect();
    let mut due: Vec<Head> = heads.iter().filter(|head| !covered.contains(&head.sitting)).cloned().collect();
    if due.is_empty() {
        return Ok(0);
    }
    due.sort_by_key(|head| head.sitting);
    let lines = archive.event_lines(event, 0)?;
    let seq = lines.last().and_then(|row| u64::try_from(row.seq).ok()).unwrap_or(0);
    let hash = lines.last().map(|row| hex::encode(&row.hash)).unwrap_or_default();
    checkpoint(archive, event, signer, at, EventHead { seq, hash }, due)?;
    Ok(1)
}

/// The checkpoints of an event in order.
///
/// # Errors
/// One that cannot be read.
pub fn checkpoints(archive: &dyn Archive, event: &str) -> Result<Vec<Signed<Checkpoint>>, EventError> {
    archive
        .checkpoints(event)?
        .into_iter()
        .map(|row| {
            let body = serde_json::from_str(&row.body)
                .map_err(|error| EventError::Damaged(format!("checkpoint {}: {error}", row.number)))?;
            Ok(Signed { body, signature: hex::encode(&row.signature) })
        })
        .collect()
}

/// Signs heads of journals, such as those of a board that every table has finished.
///
/// # Errors
/// The archive.
pub fn checkpoint(
    archive: &dyn Archive,
    event: &str,
    signer: &Signer,
    at: i64,
    journal: EventHead,
    heads: Vec<Head>,
) -> Result<(), EventError> {
    let earlier = archive.checkpoints(event)?;
    let prev = earlier.last().map_or([0; 32], |row| sha256(row.body.as_bytes()));
    let number = u32::try_from(earlier.len() + 1).unwrap_or(u32::MAX);
    // A wall clock that was set back must not make a checkpoint older than the one before, or than what it signs.
    let mut at = signed_at(archive, event)?.map_or(at, |earlier| earlier.max(at));
    let play = archive.event_number(event)?;
    for head in &heads {
        let opened =
            archive.journal(PlayId::of(play, head.sitting))?.first().map_or(at, |receipt| receipt.at_us);
        at = at.max(opened);
    }
    let body = Checkpoint { number, event: event.to_owned(), at, prev: hex::encode(prev), journal, heads };
    let line = signed(signer, Purpose::Checkpoint, body);
    archive.add_checkpoint(CheckpointRow {
        event_id: event.to_owned(),
        number: i64::from(number),
        body: signed_text(&line.body),
        signature: hex::decode(&line.signature).unwrap_or_default(),
    })?;
    Ok(())
}

/// What is published of a checkpoint or a revision while an event is played: whoever notes the hash can tell later
/// whether a bundle holds exactly what there was then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// A checkpoint or a revision.
    pub kind: Purpose,
    /// Its number.
    pub number: u32,
    /// When it was signed, µs since 1970.
    pub at: i64,
    /// SHA-256 of the canonical text of its body.
    pub hash: Hash,
    /// The boards that a checkpoint names; all tables have finished them.
    pub boards: Vec<u32>,
}

/// The checkpoints and the revisions `published` of an event, in the order in which they were signed.
///
/// # Errors
/// One that cannot be read.
pub fn proofs(
    archive: &dyn Archive,
    event: &str,
    published: &[Signed<Revision>],
) -> Result<Vec<Proof>, EventError> {
    let plays = archive.plays(event)?;
    let board_of: BTreeMap<u32, u32> =
        plays.iter().map(|row| (row.id.sitting(), u32::try_from(row.play.number).unwrap_or(0))).collect();
    let mut proofs: Vec<Proof> = checkpoints(archive, event)?
        .into_iter()
        .map(|line| {
            let boards: BTreeSet<u32> =
                line.body.heads.iter().filter_map(|head| board_of.get(&head.sitting).copied()).collect();
            Proof {
                kind: Purpose::Checkpoint,
                number: line.body.number,
                at: line.body.at,
                hash: sha256(signed_text(&line.body).as_bytes()),
                boards: boards.into_iter().collect(),
            }
        })
        .collect();
    proofs.extend(published.iter().map(|line| Proof {
        kind: Purpose::Revision,
        number: line.body.number,
        at: line.body.at,
        hash: sha256(signed_text(&line.body).as_bytes()),
        boards: Vec::new(),
    }));
    proofs.sort_by_key(|proof| proof.at);
    Ok(proofs)
}
