//! The one thread that writes, with group commit.
//!
//! Jobs queue up in a bounded channel; the thread takes whatever waits, runs it in one transaction, each job under
//! its own savepoint, commits once, and only then answers. So an answer always means "durable", a failing job takes
//! nothing with it, and many tables share the cost of one `fsync`. A full queue answers [`StoreError::Busy`].
//!
//! Before a transaction begins and again before anything of it is acknowledged the thread looks whether the file is
//! still where it was: what goes into a file that nobody will find again is not durable.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use diesel::Connection;

use super::connection::Database;
use super::error::StoreError;
use super::place::Place;

/// How many jobs may wait.
const QUEUE_JOBS: usize = 4096;
/// How many jobs share one commit at most: bounds the time that an answer takes.
const GROUP_JOBS: usize = 1024;
/// How often the file is looked for while nothing is written.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Work for the writer. `run` happens inside the transaction, `answer` after the commit.
trait Job: Send {
    fn run(&mut self, database: &mut Database) -> Result<(), StoreError>;
    fn answer(self: Box<Self>, committed: Result<(), StoreError>);
}

struct Task<T, W, A> {
    work: Option<W>,
    value: Option<T>,
    done: A,
}

impl<T, W, A> Job for Task<T, W, A>
where
    T: Send,
    W: FnOnce(&mut Database) -> Result<T, StoreError> + Send,
    A: FnOnce(Result<T, StoreError>) + Send,
{
    fn run(&mut self, database: &mut Database) -> Result<(), StoreError> {
        if let Some(work) = self.work.take() {
            self.value = Some(work(database)?);
        }
        Ok(())
    }

    fn answer(self: Box<Self>, committed: Result<(), StoreError>) {
        let value = self.value;
        (self.done)(committed.and_then(|()| value.ok_or(StoreError::Closed)));
    }
}

/// The answer to a job, once there is one.
#[derive(Debug)]
#[must_use = "nothing is known to be written until the answer is there"]
pub struct Pending<T>(Receiver<Result<T, StoreError>>);

impl<T> Pending<T> {
    /// Waits until the job is durable, or has failed.
    ///
    /// # Errors
    /// Why it failed; nothing of the job was written then.
    pub fn wait(self) -> Result<T, StoreError> {
        self.0.recv().unwrap_or(Err(StoreError::Closed))
    }
}

/// A handle to the writer; clones share the thread, which ends when the last handle is gone.
#[derive(Clone)]
pub struct Writer {
    // Declared before the thread: the channel must close before the thread is waited for.
    queue: SyncSender<Box<dyn Job>>,
    _thread: Arc<Thread>,
}

struct Thread(Option<JoinHandle<()>>);

impl Drop for Thread {
    fn drop(&mut self) {
        if let Some(thread) = self.0.take() {
            let _ = thread.join();
        }
    }
}

impl Writer {
    pub(super) fn start(place: Arc<Place>, database: Database) -> Result<Writer, StoreError> {
        let (queue, jobs) = sync_channel(QUEUE_JOBS);
        let thread = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || work(&place, database, &jobs))
            .map_err(|error| StoreError::Database(error.to_string()))?;
        Ok(Writer { queue, _thread: Arc::new(Thread(Some(thread))) })
    }

    /// A handle to no thread: nothing can be written.
    pub(super) fn closed() -> Writer {
        let (queue, _) = sync_channel(1);
        Writer { queue, _thread: Arc::new(Thread(None)) }
    }

    /// Queues a job; waits for a place in the queue.
    pub(super) fn submit<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Database) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<Pending<T>, StoreError> {
        let (done, answer) = sync_channel(1);
        let task = Task {
            work: Some(job),
            value: None,
            // Whoever asked may have gone away.
            done: move |result| drop(done.send(result)),
        };
        self.queue.send(Box::new(task)).map_err(|_| StoreError::Closed)?;
        Ok(Pending(answer))
    }

    /// Queues a job and calls `done` from the writer's thread after the commit; never blocks.
    ///
    /// # Errors
    /// [`StoreError::Busy`] when the queue is full; `done` is not called then.
    pub(super) fn try_submit<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Database) -> Result<T, StoreError> + Send + 'static,
        done: impl FnOnce(Result<T, StoreError>) + Send + 'static,
    ) -> Result<(), StoreError> {
        let task = Task { work: Some(job), value: None, done };
        self.queue.try_send(Box::new(task)).map_err(|error| match error {
            TrySendError::Full(_) => StoreError::Busy,
            TrySendError::Disconnected(_) => StoreError::Closed,
        })
    }
}

fn work(place: &Place, mut database: Database, jobs: &Receiver<Box<dyn Job>>) {
    let mut group: Vec<Box<dyn Job>> = Vec::new();
    loop {
        match jobs.recv_timeout(LOOK_EVERY) {
            Ok(job) => group.push(job),
            Err(RecvTimeoutError::Timeout) => {
                // It says so in the log; whoever writes is told.
                let _ = place.present();
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
        while group.len() < GROUP_JOBS {
            match jobs.try_recv() {
                Ok(job) => group.push(job),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
            }
        }
        run_group(place, &mut database, &mut group);
    }
}

/// Runs the jobs in one transaction and answers them all; leaves `group` empty.
fn run_group(place: &Place, database: &mut Database, group: &mut Vec<Box<dyn Job>>) {
    if let Err(error) = place.present().and_then(|()| database.begin()) {
        for job in group.drain(..) {
            job.answer(Err(error.clone()));
        }
        return;
    }
    let alone = group.len() == 1;
    let mut results = Vec::with_capacity(group.len());
    for job in group.iter_mut() {
        // A job alone needs no savepoint: if it fails, the whole transaction goes.
        results.push(if alone { job.run(database) } else { under_savepoint(database, job.as_mut()) });
    }
    let committed = if alone && results.iter().any(Result::is_err) {
        database.roll_back()
    } else {
        database.commit().inspect_err(|_| {
            let _ = database.roll_back();
        })
    };
    let committed = committed.and_then(|()| place.written());
    for (job, result) in group.drain(..).zip(results) {
        job.answer(result.and_then(|()| committed.clone()));
    }
}

fn under_savepoint(database: &mut Database, job: &mut dyn Job) -> Result<(), StoreError> {
    database.transaction(|database| job.run(database))
}
