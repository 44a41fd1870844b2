//! Notes: the lines of a journal that are no action. The clock stood still, a referee gave time, the dealer took a
//! step, somebody looked into the hands, the board was ended.
//!
//! A note is chained like an action, so that it can neither be slipped in nor left out afterwards. It never changes
//! what a seat may do, except that `deal` takes the dealer's step and `end` ends the board. No free text: a note
//! names who acted by the id of an account, nothing else.

use std::fmt::Write as _;

use super::entry::{By, Entry};
use super::scan;
use crate::games::{Game, Refusal, Seat};
use crate::words::{Message, message};

/// What a note says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoteKind {
    /// `deal`, by the dealer: one step that no seat decides was taken.
    Deal,
    /// `stop`, by a referee or the server: the clock of the table stands still from here on.
    Stop,
    /// `go`, by a referee or the server: the clock runs again.
    Go,
    /// `give`, by a referee or the clock: more time for the present decision of a seat.
    Give {
        /// How much, in milliseconds: 1 to [`GIVE_MAX_MS`].
        ms: u32,
    },
    /// `restart`, by the server: it came back after a failure. Open decisions begin anew and nobody is charged for
    /// the time between. A clock that a `stop` holds goes on standing.
    Restart,
    /// `call`, by the player of a seat: the seat called the referee.
    Call,
    /// `look`, by a referee: he looked into the hands, which shows on the board's record.
    Look,
    /// `end`, by a referee or the clock: the board ends here, unfinished.
    End,
    /// `slow`, by the clock: the present decision of a seat takes longer than the rules allow. Nothing else follows
    /// from it; it is counted.
    Slow,
}

/// The most time that one note gives, in milliseconds: an hour.
pub const GIVE_MAX_MS: u32 = 3_600_000;
/// The longest id in `who`.
pub const WHO_MAX: usize = 64;

impl NoteKind {
    /// The word in records.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            NoteKind::Deal => "deal",
            NoteKind::Stop => "stop",
            NoteKind::Go => "go",
            NoteKind::Give { .. } => "give",
            NoteKind::Restart => "restart",
            NoteKind::Call => "call",
            NoteKind::Look => "look",
            NoteKind::End => "end",
            NoteKind::Slow => "slow",
        }
    }

    /// Whether the note may still come when the game is finished.
    #[must_use]
    pub const fn outlives_the_board(self) -> bool {
        matches!(self, NoteKind::Call | NoteKind::Look)
    }
}

/// A line of a journal that is no action.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Note {
    /// What it says.
    pub kind: NoteKind,
    /// Who made it.
    pub by: By,
    /// Microseconds since the board opened at this table; `None` where no clock ran.
    pub at: Option<u64>,
    /// The seat it is about: `give`, `call` and `slow` have one, no other kind has.
    pub seat: Option<Seat>,
    /// The account of the referee, 1 to [`WHO_MAX`] characters of `A–Z a–z 0–9 . _ : -`. A referee's `stop`, `go` and
    /// `look` have it, his `give` and `end` may have it, nothing else has.
    pub who: Option<String>,
}

/// A line of a journal after its receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line<A> {
    /// An accepted action.
    Action(Entry<A>),
    /// A note.
    Note(Note),
}

/// Why a note is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoteRefused {
    /// `malformed`: the note has not the fields of its kind.
    Malformed(Message),
    /// `wrong_phase`: the board is over. A finished one only takes `look` and `call`, one that was ended nothing.
    Over,
    /// `wrong_phase`: no step of the dealer is due.
    NothingDue,
    /// `wrong_phase`: the clock stands already.
    Stands,
    /// `wrong_phase`: the clock runs already.
    Runs,
    /// `wrong_phase`: the seat has nothing to decide.
    NotWaiting,
    /// `wrong_phase`: nobody sits there.
    NoSeat,
    /// `wrong_phase`: the decision is not slow yet, was noted before, or the rules set no such limit for it.
    NotSlow,
}

impl NoteRefused {
    /// What stands in the way, in two or three words.
    pub(super) const fn reason(&self) -> &'static str {
        match self {
            NoteRefused::Malformed(_) => "malformed",
            NoteRefused::Over => "over",
            NoteRefused::NothingDue => "nothing_due",
            NoteRefused::Stands => "stands",
            NoteRefused::Runs => "runs",
            NoteRefused::NotWaiting => "not_waiting",
            NoteRefused::NoSeat => "no_seat",
            NoteRefused::NotSlow => "not_slow",
        }
    }
}

impl Refusal for NoteRefused {
    fn code(&self) -> &'static str {
        match self {
            NoteRefused::Malformed(_) => "malformed",
            NoteRefused::Over
            | NoteRefused::NothingDue
            | NoteRefused::Stands
            | NoteRefused::Runs
            | NoteRefused::NotWaiting
            | NoteRefused::NoSeat
            | NoteRefused::NotSlow => "wrong_phase",
        }
    }

    fn message(&self) -> Message {
        match self {
            NoteRefused::Malformed(detail) => Message::plain("note-malformed").with("detail", detail),
            NoteRefused::Over => Message::plain("note-over"),
            NoteRefused::NothingDue => Message::plain("note-nothing-due"),
            NoteRefused::Stands => Message::plain("note-stands"),
            NoteRefused::Runs => Message::plain("note-runs"),
            NoteRefused::NotWaiting => Message::plain("note-not-waiting"),
            NoteRefused::NoSeat => Message::plain("note-no-seat"),
            NoteRefused::NotSlow => Message::plain("note-not-slow"),
        }
    }
}

/// Whether a kind of note has a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Has {
    Never,
    Maybe,
    Always,
}

impl Has {
    fn fits(self, there: bool) -> bool {
        match self {
            Has::Never => !there,
            Has::Maybe => true,
            Has::Always => there,
        }
    }
}

impl Note {
    /// A note without time, seat and id.
    #[must_use]
    pub const fn new(kind: NoteKind, by: By) -> Note {
        Note { kind, by, at: None, seat: None, who: None }
    }

    /// Checks that the note has the fields of its kind, whatever the board.
    ///
    /// # Errors
    /// [`NoteRefused::Malformed`].
    pub fn check(&self) -> Result<(), NoteRefused> {
        let (seat, who) = match (self.kind, self.by) {
            (NoteKind::Deal, By::Dealer)
            | (NoteKind::Stop | NoteKind::Go | NoteKind::Restart, By::Server)
            | (NoteKind::End, By::Clock) => (Has::Never, Has::Never),
            (NoteKind::Stop | NoteKind::Go | NoteKind::Look, By::Referee) => (Has::Never, Has::Always),
            (NoteKind::Give { .. }, By::Referee) => (Has::Always, Has::Maybe),
            (NoteKind::Give { .. } | NoteKind::Slow, By::Clock) | (NoteKind::Call, By::Player) => {
                (Has::Always, Has::Never)
            }
            (NoteKind::End, By::Referee) => (Has::Never, Has::Maybe),
            _ => return Err(NoteRefused::Malformed(message!("note-by"))),
        };
        if !seat.fits(self.seat.is_some()) {
            return Err(NoteRefused::Malformed(message!("note-seat")));
        }
        if !who.fits(self.who.is_some()) {
            return Err(NoteRefused::Malformed(message!("note-who")));
        }
        if self.who.as_ref().is_some_and(|who| !is_who(who)) {
            return Err(NoteRefused::Malformed(message!("note-who-id")));
        }
        match self.kind {
            NoteKind::Give { ms } if !(1..=GIVE_MAX_MS).contains(&ms) => {
                Err(NoteRefused::Malformed(message!("note-ms")))
            }
            _ => Ok(()),
        }
    }

    /// The canonical bytes: sorted keys, no blanks. Appends to `bytes`.
    ///
    /// Nothing needs escaping in a note that passes [`Note::check`].
    pub fn write_canonical<G: Game>(&self, bytes: &mut String) {
        bytes.push('{');
        // Writing into a String cannot fail.
        if let Some(at) = self.at {
            let _ = write!(bytes, "\"at\":{at},");
        }
        let _ = write!(bytes, "\"by\":\"{}\",", self.by.word());
        if let NoteKind::Give { ms } = self.kind {
            let _ = write!(bytes, "\"ms\":{ms},");
        }
        let _ = write!(bytes, "\"note\":\"{}\"", self.kind.word());
        if let Some(seat) = self.seat {
            let _ = write!(bytes, ",\"seat\":\"{}\"", G::seat_name(seat).unwrap_or_default());
        }
        if let Some(who) = &self.who {
            let _ = write!(bytes, ",\"who\":\"{who}\"");
        }
        bytes.push('}');
    }
}

fn is_who(who: &str) -> bool {
    (1..=WHO_MAX).contains(&who.len())
        && who.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b':' | b'-'))
}

/// The fields of a note as they stand on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fields<'a> {
    pub at: Option<u64>,
    pub by: &'a str,
    pub ms: Option<u64>,
    pub note: &'a str,
    pub seat: Option<&'a str>,
    pub who: Option<&'a str>,
}

/// The note that fields say, or why they say none.
pub(super) fn read<G: Game>(fields: &Fields<'_>) -> Result<Note, Message> {
    let kind = match fields.note {
        "deal" => NoteKind::Deal,
        "stop" => NoteKind::Stop,
        "go" => NoteKind::Go,
        "give" => {
            let ms = fields.ms.and_then(|ms| u32::try_from(ms).ok());
            NoteKind::Give { ms: ms.ok_or(message!("note-give-ms"))? }
        }
        "restart" => NoteKind::Restart,
        "call" => NoteKind::Call,
        "look" => NoteKind::Look,
        "end" => NoteKind::End,
        "slow" => NoteKind::Slow,
        other => {
            let known = ["deal", "stop", "go", "give", "restart", "call", "look", "end", "slow"];
            return Err(crate::games::rulesets::not_known("note", other, &known));
        }
    };
    if fields.ms.is_some() && !matches!(kind, NoteKind::Give { .. }) {
        return Err(message!("note-ms-stray"));
    }
    let by = By::named(fields.by)
        .ok_or_else(|| crate::games::rulesets::not_known("by", fields.by, &By::ALL.map(By::word)))?;
    let seat = match fields.seat {
        Some(name) => Some(scan::seat::<G>(name)?),
        None => None,
    };
    let note = Note { kind, by, at: fields.at, seat, who: fields.who.map(str::to_owned) };
    match note.check() {
        Ok(()) => Ok(note),
        Err(NoteRefused::Malformed(detail)) => Err(detail),
        // `check` looks at the note alone.
        Err(refused) => Err(refused.message()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::games::wakeng::Wakeng;
    use crate::journal::scan_line;

    fn kinds() -> impl Strategy<Value = NoteKind> {
        prop_oneof![
            Just(NoteKind::Deal),
            Just(NoteKind::Stop),
            Just(NoteKind::Go),
            (1..=GIVE_MAX_MS).prop_map(|ms| NoteKind::Give { ms }),
            Just(NoteKind::Restart),
            Just(NoteKind::Call),
            Just(NoteKind::Look),
            Just(NoteKind::End),
            Just(NoteKind::Slow),
        ]
    }

    /// Any combination of fields, most of which belong to no kind.
    fn notes() -> impl Strategy<Value = Note> {
        let by = proptest::sample::select(&By::ALL[..]);
        let at = proptest::option::of(any::<u64>());
        let seat = proptest::option::of((0..3_u8).prop_map(Seat));
        let who = proptest::option::of("[A-Za-z0-9._:-]{1,64}");
        (kinds(), by, at, seat, who).prop_map(|(kind, by, at, seat, who)| Note { kind, by, at, seat, who })
    }

    fn bytes(note: &Note) -> String {
        let mut bytes = String::new();
        note.write_canonical::<Wakeng>(&mut bytes);
        bytes
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn canonical_bytes_read_back_exactly_when_the_fields_are_those_of_the_kind(note in notes()) {
            let bytes = bytes(&note);
            let value: serde_json::Value = serde_json::from_str(&bytes).unwrap();
            prop_assert_eq!(crate::canonical::to_string(&value).unwrap(), bytes.as_str());
            match note.check() {
                Ok(()) => prop_assert_eq!(scan_line::<Wakeng>(&bytes), Ok(Line::Note(note))),
                Err(_) => prop_assert!(scan_line::<Wakeng>(&bytes).is_err()),
            }
        }
    }

    /// Every kind by everybody who makes it, with the fields it has at least and at most.
    #[test]
    fn each_kind_has_its_makers_and_its_fields() {
        let mut accepted = Vec::new();
        for kind in [
            NoteKind::Deal,
            NoteKind::Stop,
            NoteKind::Go,
            NoteKind::Give { ms: 30_000 },
            NoteKind::Restart,
            NoteKind::Call,
            NoteKind::Look,
            NoteKind::End,
            NoteKind::Slow,
        ] {
            for by in By::ALL {
                for seat in [None, Some(Seat(0))] {
                    for who in [None, Some("r1".to_owned())] {
                        let note = Note { kind, by, at: None, seat, who };
                        if note.check().is_ok() {
                            accepted.push(bytes(&note));
                        }
                    }
                }
            }
        }
        let expected = [
            r#"{"by":"dealer","note":"deal"}"#,
            r#"{"by":"referee","note":"stop","who":"r1"}"#,
            r#"{"by":"server","note":"stop"}"#,
            r#"{"by":"referee","note":"go","who":"r1"}"#,
            r#"{"by":"server","note":"go"}"#,
            r#"{"by":"clock","ms":30000,"note":"give","seat":"A"}"#,
            r#"{"by":"referee","ms":30000,"note":"give","seat":"A"}"#,
            r#"{"by":"referee","ms":30000,"note":"give","seat":"A","who":"r1"}"#,
            r#"{"by":"server","note":"restart"}"#,
            r#"{"by":"player","note":"call","seat":"A"}"#,
            r#"{"by":"referee","note":"look","who":"r1"}"#,
            r#"{"by":"clock","note":"end"}"#,
            r#"{"by":"referee","note":"end"}"#,
            r#"{"by":"referee","note":"end","who":"r1"}"#,
            r#"{"by":"clock","note":"slow","seat":"A"}"#,
        ];
        assert_eq!(accepted, expected);
    }

    #[test]
    fn ids_and_amounts_of_time_have_their_bounds() {
        let look = |who: &str| Note { who: Some(who.to_owned()), ..Note::new(NoteKind::Look, By::Referee) };
        assert!(look(&"x".repeat(WHO_MAX)).check().is_ok());
        assert!(look("a.B_9:-").check().is_ok());
        for bad in ["", "a b", "a\"", "a\\", "é", "裁判员", "a/b", "a\n", &"x".repeat(WHO_MAX + 1)] {
            assert!(look(bad).check().is_err(), "{bad:?}");
        }
        let give = |ms| Note { seat: Some(Seat(0)), ..Note::new(NoteKind::Give { ms }, By::Clock) };
        assert!(give(1).check().is_ok() && give(GIVE_MAX_MS).check().is_ok());
        assert!(give(0).check().is_err() && give(GIVE_MAX_MS + 1).check().is_err());
    }

    #[test]
    fn what_reads_as_no_note_is_said_in_one_line() {
        for (bytes, expected) in [
            (r#"{"by":"dealer","note":"dael"}"#, "did you mean `deal`"),
            (r#"{"by":"refere","note":"look","who":"r1"}"#, "did you mean `referee`"),
            (r#"{"by":"referee","ms":1,"note":"look","who":"r1"}"#, "`ms` belongs to give"),
            (r#"{"by":"clock","note":"give","seat":"A"}"#, "give needs `ms`"),
            (r#"{"by":"clock","ms":4294967296,"note":"give","seat":"A"}"#, "give needs `ms`"),
            (r#"{"by":"player","note":"call","seat":"D"}"#, "there is no seat `D`"),
            (r#"{"by":"clock","note":"look"}"#, "`by`"),
            (r#"{"by":"dealer","hash":"00","note":"deal"}"#, "canonical"),
            (r#"{"note":"deal","by":"dealer"}"#, "canonical"),
        ] {
            let message = scan_line::<Wakeng>(bytes).unwrap_err();
            assert!(message.contains(expected) && !message.contains('\n'), "{bytes}: {message}");
        }
    }
}
