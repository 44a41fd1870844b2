//! The offline check of a bundle: re-deals, replays, re-scores, re-ranks, and names the first thing that is wrong.
//!
//! Everything is computed again from the revealed keys, the journals and the rulings; what the bundle says about
//! results is only ever compared. No database, no network, no clock. Reading streams, so a bundle may be larger than
//! memory. Journals are checked on all cores, with the same answer on any number of them.

mod course;
mod pool;
mod preamble;
mod source;
mod table;
mod trailer;
mod wrong;

use std::collections::BTreeMap;
use std::io::BufRead;

use serde_json::{Map, Value, json};

use crate::canonical::Hash;
use crate::formats::Sitting;
use crate::games::GameKind;
use crate::games::holdem::Holdem;
use crate::games::tuolaji::Tuolaji;
use crate::games::wakeng::Wakeng;
use crate::journal::bundle::Section;
use crate::journal::bundle::model::{BundleLine, FORMAT};
use crate::journal::sign::Purpose;
use crate::journal::{By, Header};
use crate::players::Levels;
use crate::words::{Message, in_sight};
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

/// A board at a table that a referee or the clock ended unfinished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The board, `set/number`.
    pub board: String,
    /// The table.
    pub table: u32,
    /// The referee or the clock.
    pub by: By,
    /// The referee's account, where the journal has it.
    pub who: Option<String>,
    /// µs since the board opened at the table.
    pub at: u64,
}

/// A signed line whose hash is published while the event is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// A checkpoint or a revision.
    pub kind: Purpose,
    /// Its number.
    pub number: u32,
    /// SHA-256 of the canonical text of its body.
    pub hash: Hash,
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
    /// Lines of the event's journal.
    pub lines: u64,
    /// Draws.
    pub draws: u64,
    /// Stages.
    pub stages: u64,
    /// Boards at tables.
    pub journals: u64,
    /// Actions in all journals.
    pub entries: u64,
    /// Notes in all journals.
    pub notes: u64,
    /// Moves of AI players that were computed again.
    pub ai_moves: u64,
    /// Moves of AI players that were not computed again, because it was not asked for.
    pub ai_moves_skipped: u64,
    /// Boards at tables that were ended unfinished.
    pub unfinished: Vec<Unfinished>,
    /// The checkpoints and revisions with the hashes under which they were published.
    pub published: Vec<Published>,
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
    /// The checkpoint or the revision with a hash that was published while the event was played.
    ///
    /// # Errors
    /// There is none: the bundle is not that of the event as it was played then.
    pub fn confirm(&self, hash: &Hash) -> Found<Published> {
        self.published.iter().find(|line| line.hash == *hash).copied().ok_or_else(|| {
            let message = Message::plain("verify-not-published").with("hash", hex::encode(hash));
            Wrong::at("not_published", None, 0, message)
        })
    }

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
            ("lines", self.lines),
            ("draws", self.draws),
            ("stages", self.stages),
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
        object.insert("ai_moves_skipped".to_owned(), self.ai_moves_skipped.into());
        let unfinished = self.unfinished.iter().map(|one| {
            json!({ "board": one.board, "table": one.table, "by": one.by.word(), "who": one.who, "at": one.at })
        });
        object.insert("unfinished".to_owned(), unfinished.collect());
        let published = self.published.iter().map(
            |line| json!({ "kind": line.kind.word(), "number": line.number, "hash": hex::encode(line.hash) }),
        );
        object.insert("published".to_owned(), published.collect());
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
        let message =
            Message::plain("verify-format").with("wanted", FORMAT).with("found", shown(&first.format));
        return Err(source.wrong("unknown_format", message));
    }
    match GameKind::ALL.into_iter().find(|kind| kind.name() == first.game) {
        Some(GameKind::Wakeng) => game::<Wakeng, _>(source, &first, options),
        Some(GameKind::Tuolaji) => game::<Tuolaji, _>(source, &first, options),
        Some(GameKind::Holdem) => game::<Holdem, _>(source, &first, options),
        None => Err(source.wrong("unknown_game", Message::plain("verify-unknown-game"))),
    }
}

/// A word of a file that may hold anything, short.
fn shown(word: &str) -> String {
    in_sight(word).chars().take(40).collect()
}

/// The journals of a bundle's boards, as they begin: by sitting, with the header of a record that has the cards. Only what
/// stands before them is looked at.
///
/// # Errors
/// The first thing that is wrong there.
pub fn boards<G: Levels>(input: impl BufRead) -> Found<BTreeMap<u32, (Sitting, Header<G>)>> {
    let mut source = Source::new(input);
    let first: BundleLine = source.one(Section::Bundle)?;
    let options = Options { announcement: None, ai: false };
    let preamble = preamble::read::<G, _>(&mut source, &first, &options)?;
    let sittings = preamble.course.journal.competition().sittings();
    let header = |sitting: &Sitting| {
        let dealt = preamble.course.dealt(sitting)?;
        Some((sitting.sitting, (sitting.clone(), dealt.header.clone())))
    };
    Ok(sittings.iter().filter_map(header).collect())
}

/// What is still to be said about a complete journal when the lines after the journals are read.
struct Complete {
    /// The heads that checkpoints may name: lines and chain.
    heads: Vec<(u32, Hash)>,
    /// The line of the file it begins at.
    line: u64,
    /// When the board was opened, µs since 1970.
    opened: i64,
    /// Actions by a referee: entry, line of the file.
    referee: Vec<(u32, u64)>,
}

/// The complete journals by sitting.
type Journals = BTreeMap<u32, Complete>;

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
    let preamble = preamble::read::<G, R>(source, first, options)?;
    let competition = preamble.course.journal.competition();
    let mut report = Report {
        event: first.event.clone(),
        game: first.game.clone(),
        announcement: hex::encode(preamble.announcement.hash()),
        sets: preamble.sets,
        boards: preamble.course.boards(),
        entrants: preamble.entrants.len() as u64,
        lines: preamble.course.journal.seq(),
        draws: competition.draws().len() as u64,
        stages: preamble.settings.stages.len() as u64,
        ..Report::default()
    };
    let journals = trailer::journals(source, &preamble, &mut report)?;
    trailer::rest(source, &preamble, &journals, &mut report)?;
    Ok(report)
}
