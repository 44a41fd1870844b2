//! Work on many threads with the answers in order: whoever reads hands over jobs and helps when the others are busy.
//!
//! However many threads there are and however fast each is, the outcome is the same: answers come in the order of the
//! jobs, and after the first one that is final nothing counts. At most a few jobs wait at a time.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Jobs that may wait for each thread before whoever reads has to help.
const WAITING: usize = 3;

struct Queue<J, A> {
    waiting: VecDeque<(usize, J)>,
    answers: BTreeMap<usize, A>,
    /// The first final answer; jobs behind it are dropped.
    last: usize,
    closed: bool,
}

struct Pool<'a, J, A, W> {
    queue: Mutex<Queue<J, A>>,
    changed: Condvar,
    work: &'a W,
}

impl<J, A, W> Pool<'_, J, A, W> {
    fn lock(&self) -> MutexGuard<'_, Queue<J, A>> {
        // A thread that panics stops everything when it is joined.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does one job, if one waits.
    fn help<C>(&self, context: &mut C) -> bool
    where
        W: Fn(&mut C, J) -> (A, bool),
    {
        let Some((number, job)) = self.lock().waiting.pop_front() else { return false };
        self.answer(number, job, context);
        true
    }

    fn answer<C>(&self, number: usize, job: J, context: &mut C)
    where
        W: Fn(&mut C, J) -> (A, bool),
    {
        if number > self.lock().last {
            return;
        }
        let (answer, last) = (self.work)(context, job);
        let mut queue = self.lock();
        queue.answers.insert(number, answer);
        if last {
            queue.last = queue.last.min(number);
        }
    }

    /// What every thread but the reading one does.
    fn serve<C>(&self, mut context: C)
    where
        W: Fn(&mut C, J) -> (A, bool),
    {
        let mut queue = self.lock();
        loop {
            if let Some((number, job)) = queue.waiting.pop_front() {
                drop(queue);
                self.answer(number, job, &mut context);
                queue = self.lock();
            } else if queue.closed {
                return;
            } else {
                queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

/// Says that no job will follow, also when the reading ends in a panic: nobody waits for ever.
struct Closing<'p, 'w, J, A, W>(&'p Pool<'w, J, A, W>);

impl<J, A, W> Drop for Closing<'_, '_, J, A, W> {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.changed.notify_all();
    }
}

/// Runs `work` on every job that `read` hands over; it hands over a job by calling its argument, which answers
/// whether to go on. `work` says whether its answer is final; `context` makes what each thread keeps for itself.
/// The answers are those of all jobs in order, up to the first final one.
pub(super) fn in_order<J, A, C, W>(
    threads: usize,
    context: impl Fn() -> C,
    work: &W,
    read: impl FnOnce(&mut dyn FnMut(J) -> bool),
) -> Vec<A>
where
    J: Send,
    A: Send,
    C: Send,
    W: Fn(&mut C, J) -> (A, bool) + Sync,
{
    let queue = Queue { waiting: VecDeque::new(), answers: BTreeMap::new(), last: usize::MAX, closed: false };
    let pool = Pool { queue: Mutex::new(queue), changed: Condvar::new(), work };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            let (pool, context) = (&pool, context());
            scope.spawn(move || pool.serve(context));
        }
        let closing = Closing(&pool);
        let mut own = context();
        let mut number = 0;
        read(&mut |job| {
            let mut queue = pool.lock();
            let go_on = queue.last == usize::MAX;
            queue.waiting.push_back((number, job));
            number += 1;
            let busy = queue.waiting.len() > WAITING * (threads - 1);
            drop(queue);
            pool.changed.notify_one();
            if busy {
                pool.help(&mut own);
            }
            go_on
        });
        drop(closing);
        while pool.help(&mut own) {}
    });
    let Queue { answers, last, .. } = pool.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    answers.into_iter().take_while(|(number, _)| *number <= last).map(|(_, answer)| answer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Jobs of very different length, of which some are final.
    fn run(threads: usize, jobs: u64, last: u64) -> Vec<u64> {
        let work = |count: &mut u64, job: u64| {
            *count += 1;
            let spin = (job * 7919) % 13 * 2000;
            let sum = (0..spin).fold(job, |sum, step| std::hint::black_box(sum ^ step ^ step));
            (sum, job >= last && job % 5 == last % 5)
        };
        in_order(
            threads,
            || 0,
            &work,
            |submit| {
                for job in 0..jobs {
                    if !submit(job) {
                        return;
                    }
                }
            },
        )
    }

    #[test]
    fn answers_come_in_order_and_end_with_the_first_final_one_on_any_number_of_threads() {
        for threads in [1, 2, 3, 8] {
            for last in [0, 1, 17, 60, 1000] {
                let expected: Vec<u64> = (0..80).take_while(|job| *job <= last).collect();
                assert_eq!(run(threads, 80, last), expected, "{threads} threads, final at {last}");
            }
        }
        assert!(run(4, 0, 0).is_empty());
    }
}
