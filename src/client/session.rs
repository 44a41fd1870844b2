//! One player over all of its connections: what it has seen, what it has asked and what it is owed.
//!
//! No socket, clock or chance: texts go in with the time, texts come out. Whatever the protocol promises is checked
//! here; a broken promise goes to the [`Tally`] as a violation, and the player goes on as well as it can.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::board::{self, Brain, Thought};
use super::in_play::InPlay;
use super::message::{
    self, Event, From, FromServer, Limits, PASSING, RACES, RESUME_MAX, Seated, Snapshot, ToServer, VERSION,
    WaitingFor,
};
use super::tally::Tally;
use crate::games::ActionText;
use crate::words::{Message, message};

/// How many ids are remembered whose answers may still come.
const ECHOES: usize = 32;

/// Why a connection is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The event is over for this player.
    Done,
    /// The player may come back later.
    Again(Message),
    /// There is no use in coming back.
    Failed(Message),
}

/// A command that is not answered yet.
#[derive(Debug)]
struct Pending {
    id: String,
    play: u64,
    action: ActionText,
    /// How many events had been seen when it was sent.
    n: u64,
    /// When it was sent first, µs; `None` once the connection was lost.
    sent: Option<u64>,
    /// Answers still to come on this connection.
    out: u32,
    /// The first answer.
    answer: Option<Value>,
    /// Whether a connection broke that owed answers: they may come over a later one.
    echoes: bool,
}

/// What was asked, when its first answer comes.
struct Asked {
    play: u64,
    n: u64,
    action: String,
    sent: Option<u64>,
}

/// Whether the events after `from` were due in place of a snapshot: it names the board, and they are few.
const fn events_due(from: From, snapshot: &Snapshot) -> bool {
    from.play == snapshot.play && snapshot.n.saturating_sub(from.n) <= RESUME_MAX
}

/// A player.
pub(super) struct Session {
    token: String,
    label: String,
    brain: Brain,
    game: Option<String>,
    in_play: Option<InPlay>,
    pending: Option<Pending>,
    ready: Option<String>,
    /// Ids of which more answers may come, with the answer that they must have, where it is known.
    echoes: BTreeMap<String, Option<Value>>,
    /// Ids of this run begin so.
    prefix: String,
    ids: u64,
    welcomed: bool,
    /// How much may be sent, where the server says so.
    pub(super) limits: Option<Limits>,
    /// What was asked for with `from`, until the board goes on.
    resuming: Option<From>,
    /// The board for which `seated` has come on this connection.
    seated: Option<u64>,
    /// Whether the server has asked for a pause.
    calm: bool,
    /// Whether the event is over for this player.
    over: bool,
    pub(super) ending: Option<Ending>,
}

impl Session {
    /// A player with a token; `label` stands for it in violations, `prefix` makes its ids its own.
    pub(super) fn new(token: &str, label: String, level: Option<&str>, prefix: String) -> Session {
        Session {
            token: token.to_owned(),
            label,
            brain: Brain::of(token, level),
            game: None,
            in_play: None,
            pending: None,
            ready: None,
            echoes: BTreeMap::new(),
            prefix,
            ids: 0,
            welcomed: false,
            limits: None,
            resuming: None,
            seated: None,
            calm: false,
            over: false,
            ending: None,
        }
    }

    /// Whether the server has greeted this connection.
    pub(super) const fn welcomed(&self) -> bool {
        self.welcomed
    }

    /// The first message of a new connection.
    pub(super) fn join(&mut self) -> String {
        self.welcomed = false;
        self.seated = None;
        if let Some(ready) = self.ready.take() {
            self.echo(ready, None);
        }
        self.ending = None;
        self.over = false;
        if let Some(pending) = &mut self.pending {
            pending.echoes |= pending.out > 0;
            pending.out = 0;
            pending.sent = None;
        }
        let seen = self.in_play.as_ref().filter(|board| !board.finished);
        self.resuming = seen.and_then(|board| Some(From { play: board.play, n: board.n? }));
        message::write(&ToServer::Join { v: VERSION, token: self.token.clone(), from: self.resuming })
    }

    fn wrong(&self, tally: &mut Tally, text: impl AsRef<str>) {
        let at = self.in_play.as_ref().map(|board| (board.play, board.n.unwrap_or_default()));
        let place = at.map_or_else(String::new, |(play, n)| format!(" play {play} n {n}"));
        tally.violation(format!("{}{place}: {}", self.label, text.as_ref()));
    }

    fn next_id(&mut self) -> String {
        self.ids += 1;
        format!("{}-{:08}", self.prefix, self.ids)
    }

    /// Takes a message and gives the answers to send at once.
    pub(super) fn take(&mut self, text: &str, now: u64, tally: &mut Tally) -> Vec<String> {
        tally.messages += 1;
        let message = match message::read(text) {
            Ok(message) => message,
            Err(error) => {
                let shown: String = text.chars().take(160).collect();
                self.wrong(tally, format!("unreadable message ({error}): {shown}"));
                return Vec::new();
            }
        };
        let may_come_first = matches!(
            message,
            FromServer::Welcome { .. } | FromServer::Error { .. } | FromServer::Replaced {}
        );
        if !self.welcomed && !may_come_first {
            self.wrong(tally, "something came before `welcome`");
        }
        match message {
            FromServer::Welcome { v, event, role, limits, .. } => {
                self.limits = limits;
                return self.welcome(v, event.game, &role, tally);
            }
            FromServer::Seated(seated) => self.sit_down(&seated, tally),
            FromServer::Snapshot(snapshot) => self.snapshot(&snapshot, tally),
            FromServer::Event(event) => self.event(&event, tally),
            FromServer::Accepted { ref id, play, n } => self.accepted(id, play, n, text, now, tally),
            FromServer::Refused { ref id, ref code, ref message } => {
                self.refused(id, code, message, text, tally);
            }
            FromServer::Legal { play, n, legal, cut } => self.listed((play, n), &legal, cut, tally),
            FromServer::Presence { play, .. } => self.about(play, "presence", tally),
            FromServer::Finished { play, n, scores, unfinished } => {
                self.finished((play, n), scores.as_ref(), unfinished, tally);
            }
            FromServer::Waiting { what, .. } => return self.waiting(what),
            FromServer::Paused { play, paused } => {
                self.about(play, "paused", tally);
                self.pause(paused);
            }
            FromServer::Replaced {} => {
                self.ending = Some(Ending::Failed(message!("client-replaced")));
            }
            FromServer::Error { code, message } => {
                let passing = PASSING.contains(&code.as_str());
                let why = message!("client-refused", code, message);
                self.ending = Some(if passing { Ending::Again(why) } else { Ending::Failed(why) });
            }
            FromServer::Called { n: 0, .. } => self.wrong(tally, "`called` names no line of a journal"),
            FromServer::Called { .. }
            | FromServer::Warned { .. }
            | FromServer::Checked { .. }
            | FromServer::Pong { .. } => {}
        }
        Vec::new()
    }

    fn welcome(&mut self, v: u32, game: String, role: &str, tally: &mut Tally) -> Vec<String> {
        if self.welcomed || v != VERSION || role != "player" {
            self.wrong(tally, "`welcome` comes once, for a player, with version 1");
        }
        self.welcomed = true;
        if let Err(error) = board::check_level(&game, self.brain.level.as_deref()) {
            self.ending = Some(Ending::Failed(error));
            return Vec::new();
        }
        if self.game.as_ref().is_some_and(|before| *before != game) {
            self.wrong(tally, "the event has become one of another game");
        }
        self.game = Some(game);
        // What was asked before the connection broke is asked again, with its id.
        let Some(pending) = &mut self.pending else { return Vec::new() };
        pending.out = 1;
        vec![pending.text()]
    }

    fn sit_down(&mut self, seated: &Seated, tally: &mut Tally) {
        let again = self.in_play.as_ref().filter(|board| board.play == seated.play);
        if let Some(board) = again {
            if board.board.seat() != seated.seat || self.seated == Some(seated.play) {
                self.wrong(tally, "`seated` comes once for a board, always with the same seat");
            }
            self.seated = Some(seated.play);
            return;
        }
        let resumed = self.resuming.map(|from| from.play);
        let left = |board: &InPlay| !board.finished && [self.seated, resumed].contains(&Some(board.play));
        if self.in_play.as_ref().is_some_and(left) {
            self.wrong(tally, "the next board begins before this one is `finished`");
        }
        self.resuming = None;
        self.seated = Some(seated.play);
        match board::seated(self.game.as_deref().unwrap_or_default(), seated, &self.brain) {
            Ok(board) => self.in_play = Some(InPlay::open(seated.play, board)),
            Err(error) => {
                self.in_play = None;
                self.wrong(tally, format!("`seated`: {error}"));
            }
        }
    }

    /// The board in play, if a message is about it; anything else is a violation.
    fn the_board(&mut self, play: u64, what: &str, tally: &mut Tally) -> Option<&mut InPlay> {
        self.about(play, what, tally);
        self.in_play.as_mut().filter(|board| board.play == play)
    }

    fn about(&self, play: u64, what: &str, tally: &mut Tally) {
        if self.seated != Some(play) {
            self.wrong(tally, format!("`{what}` of board {play}, at which nobody was seated"));
        }
    }

    fn snapshot(&mut self, snapshot: &Snapshot, tally: &mut Tally) {
        if self.resuming.take().is_some_and(|from| events_due(from, snapshot)) {
            self.wrong(tally, "`snapshot` though `from` names this board: the missed events were due");
        }
        let Some(board) = self.the_board(snapshot.play, "snapshot", tally) else { return };
        for fault in board.snapshot(snapshot) {
            self.wrong(tally, fault);
        }
    }

    fn event(&mut self, event: &Event, tally: &mut Tally) {
        self.resuming = None;
        let Some(board) = self.the_board(event.play, "event", tally) else { return };
        for fault in board.event(event) {
            self.wrong(tally, fault);
        }
    }

    /// Compares with the first answer to the same command; gives the command when this is the first.
    fn first_answer(&mut self, id: &str, text: &str, tally: &mut Tally) -> Option<Asked> {
        let answer: Value = serde_json::from_str(text).unwrap_or_default();
        let due = |pending: &&mut Pending| pending.id == id && (pending.out > 0 || pending.echoes);
        let Some(pending) = self.pending.as_mut().filter(due) else {
            match self.echoes.get(id) {
                Some(Some(known)) if *known == answer => {}
                Some(Some(known)) => self.wrong(tally, format!("two answers to {id}: {known} and {answer}")),
                Some(None) => {}
                None => self.wrong(tally, format!("an answer to {id}, which was not asked or is answered")),
            }
            return None;
        };
        pending.out = pending.out.saturating_sub(1);
        let first = pending.answer.clone();
        let asked = Asked {
            play: pending.play,
            n: pending.n,
            action: pending.action.text.clone(),
            sent: pending.sent,
        };
        if first.is_none() {
            pending.answer = Some(answer.clone());
        }
        self.settle();
        match first {
            None => return Some(asked),
            Some(first) if first != answer => {
                self.wrong(tally, format!("two answers to {id}: {first} and {answer}"));
            }
            Some(_) => {}
        }
        None
    }

    /// A command whose answers have all come is done with.
    fn settle(&mut self) {
        let Some(pending) = self.pending.take_if(|pending| pending.out == 0 && pending.answer.is_some())
        else {
            return;
        };
        if pending.echoes {
            self.echo(pending.id, pending.answer);
        }
        self.end();
    }

    /// Remembers an id of which more answers may come; the oldest are forgotten.
    fn echo(&mut self, id: String, answer: Option<Value>) {
        while self.echoes.len() >= ECHOES {
            self.echoes.pop_first();
        }
        self.echoes.insert(id, answer);
    }

    fn accepted(
        &mut self,
        id: &str,
        play: Option<u64>,
        n: Option<u64>,
        text: &str,
        now: u64,
        tally: &mut Tally,
    ) {
        if self.ready.as_deref() == Some(id) {
            self.ready = None;
            return;
        }
        let Some(asked) = self.first_answer(id, text, tally) else { return };
        tally.accepted(asked.sent.map(|sent| now.saturating_sub(sent)));
        let fault = match (play, n) {
            (Some(play), Some(n)) if play == asked.play && n > asked.n => {
                let board = self.in_play.as_mut().filter(|board| board.play == play);
                board.and_then(|board| board.owe(n, asked.action))
            }
            _ => Some("`accepted` names another board or an event from before".to_owned()),
        };
        if let Some(fault) = fault {
            self.wrong(tally, fault);
        }
    }

    fn refused(&mut self, id: &str, code: &str, message: &str, text: &str, tally: &mut Tally) {
        tally.refused += 1;
        let race = RACES.contains(&code);
        if self.ready.as_deref() == Some(id) {
            self.ready = None;
            if !race {
                self.wrong(tally, format!("`ready` is refused: {code}: {message}"));
            }
            return;
        }
        // While the clock stands a command is not taken either: it is asked again when the board goes on.
        if code == "stopped"
            && let Some(board) = self.in_play.as_mut()
        {
            board.paused = true;
        }
        if matches!(code, "busy" | "try_again" | "stopped") && self.not_taken(id) {
            return;
        }
        let Some(Asked { play, n, action, .. }) = self.first_answer(id, text, tally) else { return };
        if !race {
            self.wrong(tally, format!("`{action}` is refused: {code}: {message}"));
        }
        let Some(board) = self.in_play.as_mut().filter(|board| board.play == play) else { return };
        // The board has gone on or will.
        board.decided = Some(n);
    }

    /// The command was not taken this time, which is no answer to it: it is asked again soon, unless it has been
    /// answered or may still be. Whether it was asked at all.
    fn not_taken(&mut self, id: &str) -> bool {
        let Some(pending) = self.pending.as_mut().filter(|pending| pending.id == id) else {
            return self.echoes.contains_key(id);
        };
        pending.out = pending.out.saturating_sub(1);
        if pending.out == 0 && pending.answer.is_none() {
            let (play, echoes) = (pending.play, pending.echoes);
            if let Some(pending) = self.pending.take().filter(|_| echoes) {
                self.echo(pending.id, None);
            }
            if let Some(board) = self.in_play.as_mut().filter(|board| board.play == play) {
                board.decided = None;
                self.calm = true;
            }
        }
        self.settle();
        true
    }

    fn listed(&mut self, (play, n): (u64, u64), legal: &[String], cut: bool, tally: &mut Tally) {
        let Some(board) = self.the_board(play, "legal", tally) else { return };
        if board.n == Some(n)
            && let Err(error) = board.board.compare(legal, cut)
        {
            self.wrong(tally, error);
        }
    }

    fn finished(
        &mut self,
        (play, n): (u64, u64),
        scores: Option<&Map<String, Value>>,
        unfinished: bool,
        tally: &mut Tally,
    ) {
        let Some(board) = self.the_board(play, "finished", tally) else { return };
        let mut faults = Vec::new();
        if board.n != Some(n) {
            faults.push(format!("finished with {n} events"));
        }
        faults.extend(board.owed.keys().map(|n| format!("event {n} was accepted and never came")));
        board.owed.clear();
        match scores {
            Some(scores) if !unfinished => faults.extend(board.board.scores(scores).err()),
            None if unfinished => {}
            _ => faults.push("`scores` are told just where the board is finished".to_owned()),
        }
        if !board.finished {
            board.finished = true;
            tally.boards.insert(play);
        }
        for fault in faults {
            self.wrong(tally, fault);
        }
    }

    fn waiting(&mut self, what: WaitingFor) -> Vec<String> {
        match what {
            WaitingFor::End => {
                self.over = true;
                self.end();
            }
            WaitingFor::Ready => {
                let id = self.next_id();
                // The server may ask twice before it has heard the first word: both are answered.
                if let Some(earlier) = self.ready.replace(id.clone()) {
                    self.echo(earlier, None);
                }
                return vec![message::write(&ToServer::Ready { id })];
            }
            WaitingFor::Start | WaitingFor::Round | WaitingFor::Referee => {}
        }
        Vec::new()
    }

    /// Ends the connection once the event is over and every command is answered.
    fn end(&mut self) {
        if self.over && self.pending.is_none() && self.ending.is_none() {
            self.ending = Some(Ending::Done);
        }
    }

    /// Whether the event is over for this player.
    pub(super) const fn over(&self) -> bool {
        self.over
    }

    /// Ends the connection without the answers that are still due.
    pub(super) fn give_up(&mut self, tally: &mut Tally) {
        if let Some(pending) = self.pending.take() {
            self.wrong(tally, format!("{} was never answered", pending.id));
        }
        self.end();
    }

    fn pause(&mut self, paused: bool) {
        if let Some(board) = &mut self.in_play {
            board.paused = paused;
            if !paused {
                board.decided = None;
            }
        }
    }

    /// Whether the level should think now.
    pub(super) fn due(&self) -> bool {
        self.pending.is_none()
            && self.ending.is_none()
            && self.in_play.as_ref().is_some_and(|board| {
                let seated = self.seated == Some(board.play);
                let fresh = board.n.is_some() && board.decided != board.n;
                seated && fresh && !board.finished && !board.paused && board.board.may_act()
            })
    }

    /// Whether the server was too busy for the last command; told once.
    pub(super) fn calms_down(&mut self) -> bool {
        std::mem::take(&mut self.calm)
    }

    /// The question to the level, the number of events it stands on, and whether it takes long.
    pub(super) fn question(&self) -> Option<(Thought, u64, bool)> {
        let board = self.in_play.as_ref()?;
        Some((board.board.thought()?, board.n?, board.board.thinks_long()))
    }

    /// The level has decided on the board as it was after `n` events: what to send, `copies` times.
    pub(super) fn decided(
        &mut self,
        n: u64,
        action: Option<ActionText>,
        copies: u32,
        now: u64,
    ) -> Vec<String> {
        let due = self.due();
        let Some(board) = self.in_play.as_mut().filter(|board| due && board.n == Some(n)) else {
            return Vec::new();
        };
        board.decided = Some(n);
        let play = board.play;
        let Some(action) = action else { return Vec::new() };
        let pending = Pending {
            id: self.next_id(),
            play,
            action,
            n,
            sent: Some(now),
            out: copies.max(1),
            answer: None,
            echoes: false,
        };
        let text = pending.text();
        let texts = vec![text; pending.out as usize];
        self.pending = Some(pending);
        texts
    }
}

impl Pending {
    fn text(&self) -> String {
        message::write(&ToServer::Act {
            id: self.id.clone(),
            play: self.play,
            action: self.action.text.clone(),
            after: self.action.after,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_stands_for_events_only_where_more_than_256_were_missed() {
        let snapshot = |n: u64| -> Snapshot {
            let clock = serde_json::json!({"running": true, "elapsed_ms": 0, "seats": {}});
            serde_json::from_value(serde_json::json!({"play": 7, "n": n, "view": {}, "clock": clock}))
                .unwrap()
        };
        let from = From { play: 7, n: 3 };
        assert!(events_due(from, &snapshot(3)) && events_due(from, &snapshot(259)));
        assert!(!events_due(from, &snapshot(260)));
        assert!(!events_due(From { play: 6, n: 3 }, &snapshot(4)), "of another board nothing is due");
        assert_eq!(RESUME_MAX, 256, "docs/protocol.md");
    }
}
