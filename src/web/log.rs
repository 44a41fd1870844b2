//! The log of a server, on standard error. Nothing waits for it and nothing fails by it: lines go through a bounded queue
//! to a thread of their own. What cannot be written, as the disk is full, nobody reads any more or nobody reads fast
//! enough, is counted, and said as soon as a line can be written again.

use std::io::{self, Write};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use tracing_subscriber::EnvFilter;

use super::config::LogForm;

/// How many lines may wait.
const LINES_MAX: usize = 1024;
/// How long the end waits for lines that are still to be written.
const PATIENCE: Duration = Duration::from_secs(2);

static LOST: LazyLock<Counter> = LazyLock::new(Counter::default);

/// How many lines could not be written since the process began.
#[must_use]
pub fn lost() -> Counter {
    LOST.clone()
}

enum Job {
    Line(Vec<u8>),
    /// Everything before it is written, or lost, when it is answered.
    End(SyncSender<()>),
}

/// The log of this process: when it is dropped, what waits is written.
#[derive(Debug)]
pub struct Log(SyncSender<Job>);

impl Drop for Log {
    fn drop(&mut self) {
        let (done, wait) = sync_channel(1);
        if self.0.try_send(Job::End(done)).is_ok() {
            let _ = wait.recv_timeout(PATIENCE);
        }
    }
}

/// Hands each line to the thread; never fails and never waits.
struct Line(SyncSender<Job>);

impl Write for Line {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.0.try_send(Job::Line(line.to_vec())).is_err() {
            LOST.inc();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Begins the log of this process; `RUST_LOG` says what is logged. If there is one already, it stays.
///
/// # Errors
/// There can be no thread.
pub fn start(form: LogForm) -> io::Result<Log> {
    let (queue, lines) = sync_channel(LINES_MAX);
    std::thread::Builder::new().name("log".to_owned()).spawn(move || keep(&lines, &mut io::stderr()))?;
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let writer = {
        let queue = queue.clone();
        move || Line(queue.clone())
    };
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(writer);
    // Only the first of several attempts counts; tests may have one already.
    let _ = match form {
        LogForm::Text => builder.try_init(),
        LogForm::Json => builder.json().try_init(),
    };
    Ok(Log(queue))
}

/// Writes lines until nobody is left who has any.
fn keep(lines: &Receiver<Job>, out: &mut impl Write) {
    let mut torn = false;
    let mut told = 0;
    for job in lines {
        let line = match job {
            Job::Line(line) => line,
            Job::End(done) => {
                let _ = done.send(());
                continue;
            }
        };
        match put(out, torn, &line) {
            Ok(()) => torn = false,
            Err(begun) => {
                torn |= begun;
                LOST.inc();
                continue;
            }
        }
        let lost = LOST.get();
        if lost > told {
            told = lost;
            // It waits in the queue as any other line, and if it is lost, too, the next one says so.
            tracing::warn!(lost, "lines of the log could not be written: so many since the start");
        }
    }
}

/// Writes a line, on a line of its own even if the one before was torn. The error says whether a part of it was written.
fn put(out: &mut impl Write, torn: bool, line: &[u8]) -> Result<(), bool> {
    let whole = [if torn { b"\n".as_slice() } else { b"" }, line].concat();
    let mut rest = whole.as_slice();
    while !rest.is_empty() {
        match out.write(rest) {
            Ok(0) => return Err(rest.len() < whole.len()),
            Ok(count) => rest = rest.get(count..).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Err(rest.len() < whole.len()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with so many bytes left.
    struct Full(Vec<u8>, usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let count = bytes.len().min(self.1.saturating_sub(self.0.len()));
            if count == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.0.extend(bytes.iter().take(count));
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_after_a_torn_one_stands_alone() {
        let mut disk = Full(Vec::new(), 6);
        assert_eq!(put(&mut disk, false, b"one\n"), Ok(()));
        assert_eq!(put(&mut disk, false, b"two\n"), Err(true));
        assert_eq!(put(&mut disk, true, b"three\n"), Err(false));
        disk.1 = 100;
        assert_eq!(put(&mut disk, true, b"four\n"), Ok(()));
        assert_eq!(disk.0, b"one\ntw\nfour\n");
    }
}
