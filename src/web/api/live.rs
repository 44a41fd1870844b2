//! Standings as server-sent events: while an event is played a stream follows its hall, so that a change is told when
//! it happens; what no hall tells (rulings, freezes, publications) is looked for every second.
//!
//! Each checkpoint and each revision is told with its hash (`event: checkpoint`), the newest to whoever comes.
//!
//! A stream shows what the standings show to the same asker at the same moment, and nothing while they are frozen. It
//! holds nothing back for whoever reads slowly: what is sent next is made once the last has been taken.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use actix_web::HttpResponse;
use actix_web::web::Bytes;
use futures_util::stream::unfold;
use tokio::sync::{OwnedSemaphorePermit, watch};

use super::publication::newest_proof;
use super::results::{PublicParams, VIEW, audience, standings_text};
use crate::event::archive::Archive;
use crate::tables::hall::Standings;
use crate::web::answer::{Answer, tag};
use crate::web::context::{Params, RequestContext};
use crate::web::desk;
use crate::web::problem::{Code, Problem};
use crate::with_game;

/// How often a stream looks for what no hall tells, a hall that opens included.
const TICK: Duration = Duration::from_secs(1);
/// A stream looks, and so sends, no more often than this.
const APART: Duration = Duration::from_millis(300);
/// After so long a silence a stream shows that it is still there.
const QUIET: Duration = Duration::from_secs(15);

/// For so long everybody who watches shares the newest checkpoint, µs.
const FRESH: i64 = 900_000;

fn archive(call: &RequestContext) -> &dyn Archive {
    call.app.store.as_ref()
}

/// What a hall tells, followed over its opening and closing.
#[derive(Default)]
struct Follow {
    hall: Option<watch::Receiver<Standings>>,
    /// How often that hall had computed results when they were last looked at.
    seen: u64,
    looked_at: Option<Instant>,
}

impl Follow {
    /// Waits until it is time to look: at once the first time, later when the hall has computed results or a tick has
    /// gone by. `find` finds the hall, if one is open.
    async fn wait(&mut self, find: impl Fn() -> Option<watch::Receiver<Standings>>, tick: Duration) {
        if let Some(at) = self.looked_at {
            tokio::time::sleep(APART.saturating_sub(at.elapsed())).await;
            self.news(find, tick).await;
        }
        self.looked_at = Some(Instant::now());
    }

    async fn news(&mut self, find: impl Fn() -> Option<watch::Receiver<Standings>>, tick: Duration) {
        let tick = tokio::time::sleep(tick);
        tokio::pin!(tick);
        loop {
            if self.hall.is_none() {
                self.hall = find();
                self.seen = 0;
            }
            let Some(hall) = &mut self.hall else { return tick.await };
            let computed = hall.borrow_and_update().computed;
            if computed != self.seen {
                self.seen = computed;
                return;
            }
            tokio::select! {
                () = &mut tick => return,
                changed = hall.changed() => if changed.is_err() {
                    // The hall has closed: what it did last is looked at; another one may open.
                    self.hall = None;
                    return;
                },
            }
        }
    }
}

/// What a stream remembers.
struct Stream {
    call: RequestContext,
    event: String,
    /// Whether the desk, too, is shown what the public sees.
    public: bool,
    follow: Follow,
    /// The tag of what was sent last.
    last: String,
    /// The newest checkpoint or revision that was told.
    proof: String,
    sent_at: Instant,
    _place: OwnedSemaphorePermit,
}

impl Stream {
    /// The next message; `None` when the server ends.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.call.app.stopping.load(Ordering::Relaxed) {
                return None;
            }
            let halls = &self.call.app.halls;
            self.follow.wait(|| halls.get(&self.event).map(|hall| hall.watch), TICK).await;
            // Frozen, or the database is busy: nothing is said, and the stream goes on.
            let (text, proof) = latest(&self.call, self.public).await.unwrap_or_default();
            let now = tag(&text);
            if !text.is_empty() && now != self.last {
                self.last = now;
                self.sent_at = Instant::now();
                let id = self.last.trim_matches('"');
                let text = String::from_utf8_lossy(&text);
                return Some(Bytes::from(format!("event: standings\nid: {id}\ndata: {text}\n\n")));
            }
            let proof = String::from_utf8_lossy(&proof);
            if !proof.is_empty() && proof != self.proof {
                proof.as_ref().clone_into(&mut self.proof);
                self.sent_at = Instant::now();
                return Some(Bytes::from(format!("event: checkpoint\ndata: {proof}\n\n")));
            }
            if self.sent_at.elapsed() >= QUIET {
                self.sent_at = Instant::now();
                return Some(Bytes::from_static(b": still here\n\n"));
            }
        }
    }
}

/// Opens a stream.
///
/// # Errors
/// The asker may not see the standings now; too many watch.
pub(super) async fn live(
    call: RequestContext,
    Params(PublicParams { public }): Params<PublicParams>,
) -> Answer {
    // Refused now rather than in the stream.
    let (event, view) = call
        .work(move |call| {
            let row = desk::row(call)?;
            let view = audience(call, &row, public)?.view();
            Ok((row.id, view))
        })
        .await?;
    let place = Arc::clone(&call.app.read_model.watchers).try_acquire_owned();
    let place = place.map_err(|_| Problem::new(Code::Busy).after(10))?;
    let (follow, last, proof, sent_at) = (Follow::default(), String::new(), String::new(), Instant::now());
    let stream = Stream { call, event, public, follow, last, proof, sent_at, _place: place };
    let stream = unfold(stream, |mut stream| async move {
        stream.next().await.map(|bytes| (Ok::<_, actix_web::Error>(bytes), stream))
    });
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header(("X-Accel-Buffering", "no"))
        .insert_header((VIEW, view.word()))
        .streaming(stream))
}

/// The standings for a stream, and the newest checkpoint or revision (empty before the first): computed once for
/// everybody who watches the same.
async fn latest(call: &RequestContext, public: bool) -> Result<(Arc<Vec<u8>>, Arc<Vec<u8>>), Problem> {
    call.work(move |call| {
        let row = desk::row(call)?;
        let sees = audience(call, &row, public)?;
        let standings = with_game!(desk::kind(&row)?, G => standings_text::<G>(call, &row, sees))?;
        // The checkpoints stand beside the journal.
        let (now, length) = (call.app.clock.now() / FRESH, archive(call).event_length(&row.id)?);
        let proof = call.app.read_model.text(&row.id, "proof", &format!("{now} {length}"), || {
            Ok(newest_proof(&call.app, &row.id)?.unwrap_or_default().into_bytes())
        })?;
        Ok((standings, proof))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_hours(1);

    async fn soon(follow: &mut Follow, hall: Option<&watch::Receiver<Standings>>) {
        let looks = follow.wait(|| hall.cloned(), LONG);
        tokio::time::timeout(Duration::from_secs(20), looks).await.expect("it is not told");
    }

    #[tokio::test]
    async fn a_stream_is_told_what_a_hall_computes_when_it_does_and_no_more_often_than_agreed() {
        let (sender, hall) = watch::channel(Standings::default());
        let compute = || sender.send_modify(|standings| standings.computed += 1);
        let mut follow = Follow::default();
        soon(&mut follow, Some(&hall)).await;
        compute();
        soon(&mut follow, Some(&hall)).await;
        // A hundred changes at once are one, and it comes no sooner than agreed.
        (0..100).for_each(|_| compute());
        let begun = follow.looked_at.unwrap();
        soon(&mut follow, Some(&hall)).await;
        assert!(begun.elapsed() >= APART);
        // What only says where the event stands changes no standings.
        sender.send_modify(|standings| standings.version += 1);
        let looks = follow.wait(|| Some(hall.clone()), LONG);
        assert!(tokio::time::timeout(APART * 2, looks).await.is_err());
        // It closes; nothing is open; another one opens, whose count begins anew.
        drop(sender);
        soon(&mut follow, None).await;
        assert!(follow.hall.is_none());
        follow.wait(|| None, Duration::from_millis(1)).await;
        let other = Standings { computed: 1, ..Standings::default() };
        let (_sender, other) = watch::channel(other);
        soon(&mut follow, Some(&other)).await;
        assert_eq!(follow.seen, 1);
    }
}
