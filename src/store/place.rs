//! Where a database's file lies: what may lie beside it, who has it, and whether it is still there.
//!
//! SQLite keeps a database in up to four files that belong together by their names alone. This file refuses what would
//! tear them apart: logs that another file left behind, further names of the file, a file that is moved away under a
//! running program.
//!
//! SQLite's locks belong to the process and fall as soon as any descriptor of the file is closed in it. So there is one
//! descriptor of ours per file and process, and it is closed after the last connection. The lock on it (`flock`) is
//! none of SQLite's: it says that a server has the file, whatever name it was opened by.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use super::error::StoreError;
use super::wal::{self, Whose};

/// How SQLite names what belongs to a database.
const TAILS: [&str; 3] = ["-wal", "-shm", "-journal"];
/// How often files are looked at again that another program may be making.
const LOOKS: u32 = 20;
/// How long in between.
const PAUSE: Duration = Duration::from_millis(25);

/// Device and number of a file on it.
type FileId = (u64, u64);

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "other systems have none")]
fn id_of(metadata: &Metadata) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt as _;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn id_of(_metadata: &Metadata) -> Option<FileId> {
    None
}

#[cfg(unix)]
fn names_of(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn names_of(_metadata: &Metadata) -> u64 {
    1
}

fn with_tail(path: &Path, tail: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(tail);
    PathBuf::from(name)
}

/// The file that a path leads to, whether it is there or not.
fn real(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return real;
    }
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match (absolute.parent().and_then(|folder| fs::canonicalize(folder).ok()), absolute.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => absolute,
    }
}

/// What stands beside a database's file by name; an empty file counts.
pub(super) fn beside(path: &Path) -> Vec<PathBuf> {
    let real = real(path);
    TAILS
        .iter()
        .map(|tail| with_tail(&real, tail))
        .filter(|file| fs::symlink_metadata(file).is_ok())
        .collect()
}

/// The names of files for a sentence.
pub(super) fn listed(files: &[PathBuf]) -> String {
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    names.join(", ")
}

/// Refuses a path at which a database cannot be made: it is taken, or what belongs to another one stands beside it.
///
/// # Errors
/// With the names of everything that is in the way.
pub fn vacant(path: &Path) -> Result<(), StoreError> {
    let beside = beside(path);
    if fs::symlink_metadata(path).is_ok() {
        let mut files = vec![path.to_owned()];
        files.extend(beside);
        return Err(StoreError::Taken { path: path.to_owned(), files });
    }
    if beside.is_empty() {
        Ok(())
    } else {
        Err(StoreError::LeftBehind { path: path.to_owned(), files: beside })
    }
}

/// Refuses a path whose file cannot be replaced, or made: what belongs to one stands beside it.
///
/// # Errors
/// With the names of everything that is in the way.
pub fn settled(path: &Path) -> Result<(), StoreError> {
    if beside(path).is_empty() { Ok(()) } else { vacant(path) }
}

/// Makes a name durable: the folder that holds it is written out.
///
/// # Errors
/// Those of the file system.
#[cfg(unix)]
pub fn sync_folder(path: &Path) -> io::Result<()> {
    let real = real(path);
    real.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// Makes a name durable: on other systems folders cannot be opened.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// The one descriptor of a file that this process has beside SQLite's.
#[derive(Debug)]
struct Held {
    file: File,
    /// Whether a server of this process has it.
    taken: AtomicBool,
}

/// The descriptors of this process.
static HELD: Mutex<BTreeMap<FileId, Weak<Held>>> = Mutex::new(BTreeMap::new());

/// The descriptor of the file at a path.
fn hold(path: &Path) -> io::Result<Arc<Held>> {
    let mut all = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|_, held| held.strong_count() > 0);
    let known = id_of(&fs::metadata(path)?).and_then(|id| all.get(&id)?.upgrade());
    if let Some(known) = known {
        return Ok(known);
    }
    let file = File::open(path)?;
    let id = id_of(&file.metadata()?);
    let held = Arc::new(Held { file, taken: AtomicBool::new(false) });
    if let Some(id) = id {
        all.insert(id, Arc::downgrade(&held));
    }
    Ok(held)
}

/// A server has the file until this is dropped.
#[derive(Debug)]
pub(super) struct Alone(Arc<Held>);

impl Drop for Alone {
    fn drop(&mut self) {
        let _ = self.0.file.unlock();
        self.0.taken.store(false, Ordering::Release);
    }
}

/// The place of an open database.
#[derive(Debug)]
pub(super) struct Place {
    /// As it was given.
    path: PathBuf,
    /// The file itself, wherever links lead.
    real: PathBuf,
    held: Arc<Held>,
    file: Option<FileId>,
    wal: PathBuf,
    /// The write-ahead log, once something was written.
    log: OnceLock<FileId>,
    /// Set for good once the file was not there.
    gone: AtomicBool,
}

impl Place {
    /// Looks at a database's file and at what stands beside it before SQLite does; makes an empty file where there is
    /// none.
    ///
    /// # Errors
    /// What belongs to another file stands beside it; the file has further names; the file system.
    pub fn prepare(path: &Path) -> Result<Arc<Place>, StoreError> {
        let failed = |error: &io::Error| StoreError::open(path, error);
        let mut looks = 0;
        let held = loop {
            looks += 1;
            let checked = checked(path).map_err(|error| failed(&error))?;
            match checked {
                Ok(held) => break held,
                // Another program may be making it, or starting its log anew.
                Err(refused)
                    if looks == LOOKS
                        || matches!(refused, StoreError::Linked { .. } | StoreError::Open { .. }) =>
                {
                    return Err(refused);
                }
                Err(_) => std::thread::sleep(PAUSE),
            }
        };
        let file = held.file.metadata().map_err(|error| failed(&error))?;
        let real = real(path);
        Ok(Arc::new(Place {
            path: std::path::absolute(path).map_err(|error| failed(&error))?,
            file: id_of(&file),
            held,
            wal: with_tail(&real, "-wal"),
            real,
            log: OnceLock::new(),
            gone: AtomicBool::new(false),
        }))
    }

    /// Takes the file for a server.
    ///
    /// # Errors
    /// Another server has it.
    pub fn take(&self) -> Result<Alone, StoreError> {
        let taken = || StoreError::InUse(self.path.clone());
        if self.held.taken.swap(true, Ordering::AcqRel) {
            return Err(taken());
        }
        match self.held.file.try_lock() {
            // A file system without locks cannot be asked; whoever has one keeps to a single server.
            Ok(()) | Err(fs::TryLockError::Error(_)) => Ok(Alone(Arc::clone(&self.held))),
            Err(fs::TryLockError::WouldBlock) => {
                self.held.taken.store(false, Ordering::Release);
                Err(taken())
            }
        }
    }

    /// Whether the path still leads to the file that is open, and the file and its log are where they were, under their
    /// own names: a link that was put there instead does not count, as the next start would look for the log beside the
    /// file that it leads to. Once it is not so, it never is again: nobody knows what others have done meanwhile.
    ///
    /// # Errors
    /// [`StoreError::Gone`].
    pub fn present(&self) -> Result<(), StoreError> {
        let same = |asked: io::Result<Metadata>, known: Option<FileId>| match (known, asked) {
            (None, _) => true,
            (known, Ok(metadata)) => id_of(&metadata) == known,
            // Whatever cannot be asked now is not gone for that.
            (_, Err(error)) => {
                !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
            }
        };
        if !self.gone.load(Ordering::Acquire)
            && same(fs::metadata(&self.path), self.file)
            && same(fs::symlink_metadata(&self.real), self.file)
            && same(fs::symlink_metadata(&self.wal), self.log.get().copied())
        {
            return Ok(());
        }
        let error = StoreError::Gone(self.path.clone());
        if !self.gone.swap(true, Ordering::AcqRel) {
            tracing::error!(%error, "the database is not where it was");
        }
        Err(error)
    }

    /// As [`Place::present`], after a commit: from the first one on there is a log.
    ///
    /// # Errors
    /// As [`Place::present`].
    pub fn written(&self) -> Result<(), StoreError> {
        if self.log.get().is_none()
            && let Some(id) = fs::symlink_metadata(&self.wal).ok().and_then(|metadata| id_of(&metadata))
        {
            let _ = self.log.set(id);
        }
        self.present()
    }
}

/// One look at a file and what stands beside it.
fn checked(path: &Path) -> io::Result<Result<Arc<Held>, StoreError>> {
    let files = beside(path);
    let length = match fs::metadata(path) {
        Ok(metadata) => match no_file(path, &metadata) {
            Some(refused) => return Ok(Err(refused)),
            None => metadata.len(),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if !files.is_empty() {
                return Ok(Err(StoreError::LeftBehind { path: path.to_owned(), files }));
            }
            private(path)?;
            0
        }
        Err(error) => return Err(error),
    };
    let full: Vec<PathBuf> = files.into_iter().filter(|file| is_full(file)).collect();
    if length == 0 && !full.is_empty() {
        return Ok(Err(StoreError::LeftBehind { path: path.to_owned(), files: full }));
    }
    let held = hold(path)?;
    let links = names_of(&held.file.metadata()?);
    if links > 1 {
        return Ok(Err(StoreError::Linked { path: path.to_owned(), links }));
    }
    let ends = |file: &PathBuf, tail: &str| file.as_os_str().as_encoded_bytes().ends_with(tail.as_bytes());
    for file in &full {
        let whose = if ends(file, "-wal") {
            match File::open(file) {
                Ok(log) => wal::whose(&log, &held.file)?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => Whose::Own,
                Err(error) => return Err(error),
            }
        } else if ends(file, "-journal") && length > 4096 {
            // A database of ours has a rollback journal only while it is made. The index of a log is made anew.
            Whose::Foreign
        } else {
            Whose::Own
        };
        match whose {
            Whose::Own => {}
            Whose::Parted => {
                return Ok(Err(StoreError::Parted { path: path.to_owned(), files: full.clone() }));
            }
            Whose::Foreign => {
                return Ok(Err(StoreError::Foreign { path: path.to_owned(), files: full.clone() }));
            }
        }
    }
    Ok(Ok(held))
}

/// Refuses what is there but cannot be a database: a folder, a device, a pipe.
pub(super) fn no_file(path: &Path, metadata: &Metadata) -> Option<StoreError> {
    let reason = match metadata {
        file if file.is_file() => return None,
        folder if folder.is_dir() => "it is a folder",
        _ => "it is not a file but a device, a pipe or the like",
    };
    Some(StoreError::open(path, reason))
}

fn is_full(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|metadata| metadata.len() > 0)
}

/// Makes a new database readable by its owner only: it has everything but the keys.
pub(super) fn private(path: &Path) -> io::Result<()> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}
