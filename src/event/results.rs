//! What the journals of boards prove: their replay from the archive, signed checkpoints, the hashes that are published.

use std::collections::{BTreeMap, BTreeSet};

use super::archive::{Archive, ArchiveError, CheckpointRow, EntryRow, PlayId, PlayRow};
use super::error::EventError;
use crate::canonical::{Hash, sha256};
use crate::games::{Game, Refusal as _};
use crate::journal::bundle::model::signed_text;
use crate::journal::bundle::{Checkpoint, EventHead, Head, Revision, Signed};
use crate::journal::revision::signed;
use crate::journal::sign::{Purpose, Signer};
use crate::journal::{Board, Header, Line, scan_line};

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
    // The last line only: an event may have tens of thousands of them.
    let lines = archive.event_lines(event, archive.event_length(event)?.saturating_sub(1))?;
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
