//! SQLite's write-ahead log as a file: which database it belongs to, and which state of it it goes on from.
//!
//! A log names no database; SQLite plays it back into whatever file has the right name, and destroys both where they
//! are not of one piece. Every commit of ours changes the imprint of the database: its identity, a count, a mark drawn
//! at random for this commit, and the mark of the commit before. So a log shows whose it is and which commit it goes on
//! from; two files that were one once and were written apart have no later mark in common. Nothing here writes, and
//! nothing of the log is believed that its checksums do not cover (SQLite file format, 4.1 to 4.4).

use std::fs::File;
use std::io::{self, BufReader, Read};

/// The text that begins an imprint.
const MAGIC: &[u8] = b"fushi database/1";
/// The count of the first commit.
const FIRST: i64 = 1 << 47;
/// The smallest and the largest page of a database.
const PAGES: std::ops::RangeInclusive<usize> = 512..=65536;

/// What is drawn for each commit.
type Mark = [u8; 16];

/// Which database, and which of its commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Imprint {
    identity: [u8; 16],
    commits: i64,
    previous: Mark,
    mark: Mark,
}

/// What a log says of its commits, if it has any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Log {
    page_size: u64,
    commits: bool,
    /// The page of the imprint, and the imprint of the first commit.
    first: Option<(u32, Imprint)>,
    /// The marks of all commits, in order.
    marks: Vec<Mark>,
}

/// What a log is to a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// It goes on from this very state of it, or holds nothing.
    Own,
    /// It is of this database, but does not go on from what the file holds now.
    Parted,
    /// It is another database's.
    Foreign,
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// The imprint on a page: the only row of a leaf of a table.
fn imprint(page: &[u8]) -> Option<Imprint> {
    if page.first() != Some(&0x0d) || page.get(3..5)? != [0, 1] {
        return None;
    }
    let cell = usize::from(u16::from_be_bytes(page.get(8..10)?.try_into().ok()?));
    // Length, number of the row and seven bytes of the record's header go before the columns.
    let columns = page.get(cell.checked_add(9)?..cell.checked_add(81)?)?;
    let (magic, rest) = columns.split_at_checked(MAGIC.len())?;
    let (identity, rest) = rest.split_at_checked(16)?;
    let (commits, rest) = rest.split_at_checked(8)?;
    let (previous, mark) = rest.split_at_checked(16)?;
    if magic != MAGIC {
        return None;
    }
    Some(Imprint {
        identity: identity.try_into().ok()?,
        commits: i64::from_be_bytes(commits.try_into().ok()?),
        previous: previous.try_into().ok()?,
        mark: mark.try_into().ok()?,
    })
}

/// The running checksum of a log.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sum {
    big_endian: bool,
    sums: (u32, u32),
}

impl Sum {
    fn add(&mut self, bytes: &[u8]) {
        let (mut one, mut two) = self.sums;
        for pair in bytes.chunks_exact(8) {
            let (first, second) = pair.split_at(4);
            let word = |bytes: &[u8]| {
                let bytes: [u8; 4] = bytes.try_into().unwrap_or_default();
                if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
            };
            one = one.wrapping_add(word(first)).wrapping_add(two);
            two = two.wrapping_add(word(second)).wrapping_add(one);
        }
        self.sums = (one, two);
    }
}

/// Reads as many bytes as there are places; `false` at the end of the file.
fn fill(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match input.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Reads a log up to its last whole commit.
fn read(file: &File) -> io::Result<Log> {
    let mut input = BufReader::new(file);
    let mut head = [0; 32];
    let nothing = Log::default();
    if !fill(&mut input, &mut head)? {
        return Ok(nothing);
    }
    let magic = number(&head, 0).unwrap_or_default();
    let page_size = number(&head, 8).and_then(|size| usize::try_from(size).ok()).unwrap_or_default();
    if magic & !1 != 0x377f_0682 || !PAGES.contains(&page_size) {
        return Ok(nothing);
    }
    let mut sum = Sum { big_endian: magic & 1 == 1, sums: (0, 0) };
    sum.add(head.get(..24).unwrap_or_default());
    let summed = |bytes: &[u8], at: usize| number(bytes, at).zip(number(bytes, at + 4));
    if Some(sum.sums) != summed(&head, 24) {
        return Ok(nothing);
    }
    let mut log = Log { page_size: page_size as u64, ..nothing };
    // Of the transaction that is being read.
    let mut open: Option<(u32, Imprint)> = None;
    let (mut frame, mut page) = ([0; 24], vec![0; page_size]);
    while fill(&mut input, &mut frame)? && fill(&mut input, &mut page)? {
        sum.add(frame.get(..8).unwrap_or_default());
        sum.add(&page);
        if frame.get(8..16) != head.get(16..24) || Some(sum.sums) != summed(&frame, 16) {
            break;
        }
        if let Some(found) = imprint(&page) {
            open = Some((number(&frame, 0).unwrap_or_default(), found));
        }
        // The frame that ends a transaction has the size of the database in it.
        if number(&frame, 4) != Some(0) {
            log.commits = true;
            if let Some((place, found)) = open.take() {
                log.first.get_or_insert((place, found));
                log.marks.push(found.mark);
            }
        }
    }
    Ok(log)
}

/// What a log is to a database. It is its own only if the file holds the commit that the log goes on from, or one of
/// the log's: then nothing is missing between them, and nothing was written to the file without the log.
///
/// # Errors
/// Those of the files.
pub(super) fn whose(log: &File, database: &File) -> io::Result<Whose> {
    let log = read(log)?;
    if !log.commits {
        return Ok(Whose::Own);
    }
    let own_if = |own| if own { Whose::Own } else { Whose::Foreign };
    let length = database.metadata()?.len();
    let Some((page, first)) = log.first else {
        // Before the first imprint is made there is nothing but the file's head.
        return Ok(own_if(length <= log.page_size));
    };
    let start = u64::from(page).saturating_sub(1).saturating_mul(log.page_size);
    if length < start.saturating_add(log.page_size) {
        // A database that was being made, of which not everything has come into its file.
        return Ok(own_if(first.commits <= FIRST + 1));
    }
    let mut bytes = vec![0; usize::try_from(log.page_size).unwrap_or_default()];
    read_at(database, &mut bytes, start)?;
    Ok(match imprint(&bytes) {
        Some(own) if own.identity != first.identity => Whose::Foreign,
        Some(own) if own.mark == first.previous || log.marks.contains(&own.mark) => Whose::Own,
        Some(_) => Whose::Parted,
        None => own_if(bytes.iter().all(|byte| *byte == 0) && first.commits <= FIRST + 1),
    })
}

/// Reads without moving the descriptor's place: others may be reading, too.
#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    use std::io::Seek as _;
    file.seek(io::SeekFrom::Start(start))?;
    file.read_exact(bytes)
}
