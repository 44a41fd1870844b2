//! The offline check of a bundle: re-deals, replays, re-scores, re-ranks, and names the first thing that is wrong.
//!
//! Everything is computed again from the revealed keys, the journals and the rulings; what the bundle says about
//! results is only ever compared. No database, no network, no clock. Reading streams, so a bundle may be larger than
//! memory. Journals are checked on all cores, with the same answer on any number of them.

mod ahead;
mod behind;
mod pool;
mod source;
mod table;
mod wrong;

use std::collections::BTreeMap;
use std::io::BufRead;

use serde_json::{Map, Value};

use crate::canonical::Hash;
use crate::games::GameKind;
use crate::games::holdem::Holdem;
use crate::games::tuolaji::Tuolaji;
use crate::games::wakeng::Wakeng;
use crate::journal::bundle::Section;
use crate::journal::bundle::model::{BundleLine, FORMAT};
use crate::players::Levels;
use crate::words::Message;
use source::Source;
pub use wrong::{Place, Wrong};

/// What to check beside the bundle's agreement with itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The hash of the announcement as it was published before play, if it is known: without it a bundle proves that
    /// everything fits together, not that it was announced.
    pub announcement: Option<Hash>,
    /// Whether the moves of AI players are computed again.
    pub ai: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { announcement: None, ai: true }
    }
}

/// What was checked, when everything agrees.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Report {
    /// The event's id.
    pub event: String,
    /// The game's name.
    pub game: String,
    /// SHA-256 of the announcement, hexadecimal.
    pub announcement: String,
    /// Revealed board sets.
    pub sets: u64,
    /// Different boards.
    pub boards: u64,
    /// Entrants.
    pub entrants: u64,
    /// Boards at tables.
    pub journals: u64,
    /// Actions in all journals.
    pub entries: u64,
    /// Notes in all journals.
    pub notes: u64,
    /// Moves of AI players that were computed again.
    pub ai_moves: u64,
    /// Rulings.
    pub rulings: u64,
    /// Publications of the results.
    pub revisions: u64,
    /// Results.
    pub results: u64,
    /// Actions by the clock.
    pub time_outs: u64,
    /// Those of them at the seat of an AI player.
    pub ai_time_outs: u64,
    /// Actions that a referee made for a seat; a ruling covers each.
    pub referee_actions: u64,
    /// Notes by referees.
    pub referee_notes: u64,
}

impl Report {
    /// The object that `fushi verify --format json` prints.
    #[must_use]
    pub fn to_json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("ok".to_owned(), true.into());
        object.insert("event".to_owned(), self.event.as_str().into());
        object.insert("game".to_owned(), self.game.as_str().into());
        object.insert("announcement_hash".to_owned(), self.announcement.as_str().into());
        for (name, count) in [
            ("sets", self.sets),
            ("boards", self.boards),
            ("entrants", self.entrants),
            ("journals", self.journals),
            ("entries", self.entries),
            ("notes", self.notes),
            ("ai_moves", self.ai_moves),
            ("rulings", self.rulings),
            ("revisions", self.revisions),
            ("results", self.results),
            ("time_outs", self.time_outs),
            ("ai_time_outs", self.ai_time_outs),
            ("referee_actions", self.referee_actions),
            ("referee_notes", self.referee_notes),
        ] {
            object.insert(name.to_owned(), count.into());
        }
        object
    }
}

type Found<T> = Result<T, Box<Wrong>>;

/// Checks a bundle.
///
/// # Errors
/// The first thing that is wrong.
pub fn verify(input: impl BufRead, options: &Options) -> Found<Report> {
    let mut source = Source::new(input);
    if source.peek()?.is_none() {
        return Err(Wrong::at("empty", None, 0, Message::plain("verify-empty")));
    }
    let first: BundleLine = source.one(Section::Bundle)?;
    if first.format != FORMAT {
        let message = Message::plain("verify-format").with("wanted", FORMAT);
        return Err(source.wrong("unknown_format", message));
    }
    match GameKind::ALL.into_iter().find(|kind| kind.name() == first.game) {
        Some(GameKind::Wakeng) => game::<Wakeng, _>(source, &first, options),
        Some(GameKind::Tuolaji) => game::<Tuolaji, _>(source, &first, options),
        Some(GameKind::Holdem) => game::<Holdem, _>(source, &first, options),
        None => Err(source.wrong("unknown_game", Message::plain("verify-unknown-game"))),
    }
}

/// The boards of a bundle as its keys deal them, by number: headers of records with their cards. Only what stands ahead
/// of the journals is looked at.
///
/// # Errors
/// The first thing that is wrong there.
pub fn boards<G: Levels>(input: impl BufRead) -> Found<BTreeMap<u32, crate::journal::Header<G>>> {
    let mut source = Source::new(input);
    let first: BundleLine = source.one(Section::Bundle)?;
    let ahead = ahead::read::<G, _>(&mut source, &first, &Options { announcement: None, ai: false })?;
    Ok(ahead.boards.into_iter().map(|(number, dealt)| (number, dealt.header)).collect())
}

/// What is still to be said about a complete journal when the lines behind the journals are read.
struct Complete {
    /// The heads that checkpoints may name: lines and chain.
    heads: Vec<(u32, Hash)>,
    /// The line of the file it begins at.
    line: u64,
    /// When the board was opened, µs since 1970.
    opened: i64,
    /// Actions by a referee: entry, line of the file.
    referee: Vec<(u32, u64)>,
    /// Who played there, by the names of results.
    players: Vec<String>,
}

/// The complete journals by board and table.
type Journals = BTreeMap<(u32, u32), Complete>;

fn game<G: Levels, R: BufRead>(
    mut source: Source<R>,
    first: &BundleLine,
    options: &Options,
) -> Found<Report> {
    match sections::<G, R>(&mut source, first, options) {
        Ok(report) => Ok(report),
        Err(wrong) => Err(source.blame(wrong)),
    }
}

fn sections<G: Levels, R: BufRead>(
    source: &mut Source<R>,
    first: &BundleLine,
    options: &Options,
) -> Found<Report> {
    let ahead = ahead::read::<G, R>(source, first, options)?;
    let mut report = Report {
        event: first.event.clone(),
        game: first.game.clone(),
        announcement: hex::encode(ahead.announcement.hash()),
        sets: ahead.sets,
        boards: ahead.boards.len() as u64,
        entrants: ahead.entrants.len() as u64,
        ..Report::default()
    };
    let (played, journals) = behind::journals(source, &ahead, &mut report)?;
    behind::rest(source, &ahead, &played, &journals, &mut report)?;
    Ok(report)
}
