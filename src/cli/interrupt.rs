//! An interruption (Ctrl-C, SIGTERM) leaves nothing unfinished behind: what a command is still working on is removed,
//! then the program ends with exit code 130. What is finished stands at its final name, whole.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::mpsc;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The exit code of a command that was interrupted.
const INTERRUPTED: i32 = 130;

/// Files and folders that are not finished.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file or folder that is removed when the program is interrupted, until this is dropped.
#[must_use]
pub(super) struct Unfinished(PathBuf);

impl Unfinished {
    /// Something at a path that is being made, or is about to be.
    pub fn at(path: &Path) -> Unfinished {
        // The current folder does not change, but an absolute path is sure.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        unfinished().insert(path.clone());
        Unfinished(path)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

/// While this is held no interruption ends the program: for several files that appear together. [`Unfinished`] must
/// neither be made nor dropped meanwhile.
pub(super) fn hold() -> impl Sized {
    unfinished()
}

/// From here on an interruption cleans up. Returns when the signals are listened to; where they cannot be, an
/// interruption ends the program as it always did.
pub(super) fn watch() {
    let (ready, listening) = mpsc::channel();
    let watching = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        if let Ok(runtime) = runtime {
            runtime.block_on(async {
                if interrupted(ready).await {
                    clean_up();
                }
            });
        }
    };
    let spawned = std::thread::Builder::new().name("interrupt".to_owned()).spawn(watching);
    if spawned.is_ok() {
        // The sender is gone without a word where nothing can be listened to.
        let _ = listening.recv();
    }
}

/// Waits for a signal; `false` when none can be waited for.
#[cfg(unix)]
async fn interrupted(ready: mpsc::Sender<()>) -> bool {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return false;
    };
    let _ = ready.send(());
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    true
}

#[cfg(not(unix))]
async fn interrupted(ready: mpsc::Sender<()>) -> bool {
    let _ = ready.send(());
    tokio::signal::ctrl_c().await.is_ok()
}

fn clean_up() -> ! {
    let held = unfinished();
    for path in held.iter() {
        // Other threads go on until the end and may make files in a folder that is being removed.
        for _ in 0..50 {
            let gone = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            if gone.is_ok() || fs::symlink_metadata(path).is_err() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    process::exit(INTERRUPTED)
}
