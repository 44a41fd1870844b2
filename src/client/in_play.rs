//! The board in play as one player has seen it: how its events follow each other and what is still owed.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::board::Board;
use super::message::{Event, Snapshot, What};

/// The board in play.
pub(super) struct InPlay {
    pub play: u64,
    pub board: Box<dyn Board>,
    /// Events seen; `None` before the snapshot.
    pub n: Option<u64>,
    /// Events that the last snapshot told all at once.
    base: u64,
    pub finished: bool,
    pub paused: bool,
    /// The number of events at which the level has decided, if only to let the occasion pass.
    pub decided: Option<u64>,
    /// What every line seen so far has told, by number.
    known: BTreeMap<u64, What>,
    /// Own actions by number of event.
    own: BTreeMap<u64, String>,
    /// Accepted actions whose events are still to come.
    pub owed: BTreeMap<u64, String>,
}

impl InPlay {
    /// A board of which nothing has been seen.
    pub fn open(play: u64, board: Box<dyn Board>) -> InPlay {
        InPlay {
            play,
            board,
            n: None,
            base: 0,
            finished: false,
            paused: false,
            decided: None,
            known: BTreeMap::new(),
            own: BTreeMap::new(),
            owed: BTreeMap::new(),
        }
    }

    /// Takes everything over as it is; answers what is wrong.
    pub fn snapshot(&mut self, snapshot: &Snapshot) -> Vec<String> {
        let mut faults = Vec::new();
        if self.n.is_some_and(|n| snapshot.n < n) {
            faults.push("`snapshot` has fewer events than were seen".to_owned());
        }
        if self.n != Some(snapshot.n) {
            // What was accepted before is part of the snapshot.
            self.owed.retain(|n, _| *n > snapshot.n);
            self.decided = None;
        }
        self.n = Some(snapshot.n);
        self.base = snapshot.n;
        if !snapshot.past.is_sorted_by(|one, next| one.n < next.n) {
            faults.push("the lines of `past` are out of order".to_owned());
        }
        for line in &snapshot.past {
            if line.n > snapshot.n {
                faults.push(format!("line {} of `past` is yet to come", line.n));
            }
            // What was hidden may have become known since.
            let known = self.known.insert(line.n, line.what.clone());
            if known.is_some_and(|known| known != line.what && !matches!(known, What::Hidden { .. })) {
                faults.push(format!("line {} of `past` is not what the event told", line.n));
            }
        }
        let looked = self.board.look(&snapshot.view, snapshot.legal.as_deref(), snapshot.cut);
        if let Err(error) = looked.and_then(|()| clock(&snapshot.clock.seats)) {
            faults.push(format!("snapshot: {error}"));
        }
        faults
    }

    /// Takes the next event over; answers what is wrong. One that comes again changes nothing.
    pub fn event(&mut self, event: &Event) -> Vec<String> {
        let due = self.n.map(|n| n + 1);
        if due.is_some_and(|due| event.n < due) {
            return vec![format!("event {} comes again", event.n)];
        }
        self.n = Some(event.n);
        let mut faults = Vec::new();
        if due != Some(event.n) {
            let due = due.map_or_else(|| "a snapshot".to_owned(), |due| due.to_string());
            faults.push(format!("event {} where {due} was due", event.n));
        }
        if self.finished {
            faults.push("an event after `finished`".to_owned());
        }
        for line in &event.revealed {
            let seat = |what: &What| match what {
                What::Action { seat, .. } | What::Hidden { seat } => Some(seat.clone()),
                What::Note { .. } => None,
            };
            let open = matches!(line.what, What::Action { .. });
            let hidden = self.known.insert(line.n, line.what.clone());
            // Of what came before this client there is nothing to compare with.
            let fits = hidden
                .is_none_or(|what| matches!(what, What::Hidden { .. }) && seat(&what) == seat(&line.what));
            if line.n >= event.n || !open || !fits {
                faults.push(format!("event {} reveals line {}, which was not hidden", event.n, line.n));
            }
        }
        self.known.insert(event.n, event.what.clone());
        let me = self.board.seat();
        match &event.what {
            What::Action { seat, action, .. } if seat == me => {
                if self.owed.remove(&event.n).is_some_and(|owed| owed != *action) {
                    faults.push(format!("event {} is not the action that was accepted", event.n));
                }
                self.own.insert(event.n, action.clone());
            }
            What::Hidden { seat } if seat == me => faults.push("the own choice is hidden".to_owned()),
            What::Note { note, .. } if note == "go" => self.paused = false,
            _ => {}
        }
        if self.owed.remove(&event.n).is_some() {
            faults.push(format!("event {} was accepted as the own action, which it is not", event.n));
        }
        faults.extend(self.board.look(&event.view, event.legal.as_deref(), event.cut).err());
        faults.extend(clock(&event.clock.seats).err());
        faults
    }

    /// The event of an accepted action: seen, or to come; answers what is wrong.
    pub fn owe(&mut self, n: u64, action: String) -> Option<String> {
        match (self.own.get(&n), self.n) {
            (Some(seen), _) if *seen == action => None,
            (None, Some(seen)) if n > seen => {
                self.owed.insert(n, action);
                None
            }
            (None, _) if n <= self.base => None,
            _ => Some(format!("accepted as event {n}, which was something else")),
        }
    }
}

fn clock(seats: &Map<String, Value>) -> Result<(), String> {
    if seats.values().all(Value::is_u64) {
        Ok(())
    } else {
        Err("the clock has no whole milliseconds".to_owned())
    }
}
