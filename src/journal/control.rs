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
pub enum ControlKind {
    /// `deal`, by the dealer: one step that no seat decides was taken.
    Deal,
    /// `stop`, by a referee or the server: the maker's [hold](super::Hold) is set, and the clock of the table stands still.
    Stop,
    /// `go`, by a referee or the server: the maker's hold is lifted, and the clock runs again if no other is left.
    Go,
    /// `give`, by a referee or the clock: more time for the present decision of a seat.
    Give {
        /// How much, in milliseconds: 1 to [`GIVE_MAX_MS`].
        ms: u32,
    },
    /// `restart`, by the server: it came back after a failure. Open decisions begin anew and nobody is charged for
    /// the time between. Holds stay as they are.
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
    /// `stand-in`, by the server: nobody has come to the seat, and a computer player decides for it at this board.
    StandIn,
}

/// The most time that one note gives, in milliseconds: an hour.
pub const GIVE_MAX_MS: u32 = 3_600_000;
/// The longest id in `who`.
pub const WHO_MAX: usize = 64;

impl ControlKind {
    /// The word in records.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            ControlKind::Deal => "deal",
            ControlKind::Stop => "stop",
            ControlKind::Go => "go",
            ControlKind::Give { .. } => "give",
            ControlKind::Restart => "restart",
            ControlKind::Call => "call",
            ControlKind::Look => "look",
            ControlKind::End => "end",
            ControlKind::Slow => "slow",
            ControlKind::StandIn => "stand-in",
        }
    }

    /// Whether the note may still come when the game is finished.
    #[must_use]
    pub const fn outlives_the_board(self) -> bool {
        matches!(self, ControlKind::Call | ControlKind::Look)
    }
}

/// A line of a journal that is no action.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ControlEntry {
    /// What it says.
    pub kind: ControlKind,
    /// Who made it.
    pub by: By,
    /// Microseconds since the board opened at this table; `None` where no clock ran.
    pub at: Option<u64>,
    /// The seat it is about: `give`, `call`, `slow` and `stand-in` have one, no other kind has.
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
    Control(ControlEntry),
}

/// Why a note is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ControlRefused {
    /// `malformed`: the note has not the fields of its kind.
    Malformed(Message),
    /// `wrong_phase`: the board is over. A finished one only takes `look` and `call`, one that was ended nothing.
    Over,
    /// `wrong_phase`: no step of the dealer is due.
    NothingDue,
    /// `wrong_phase`: the maker's hold is set already.
    Stands,
    /// `wrong_phase`: the maker's hold is not set.
    Runs,
    /// `wrong_phase`: the seat has nothing to decide.
    NotWaiting,
    /// `wrong_phase`: nobody sits there.
    NoSeat,
    /// `wrong_phase`: the decision is not slow yet, was noted before, or the rules set no such limit for it.
    NotSlow,
}

impl ControlRefused {
    /// What stands in the way, in two or three words.
    pub(super) const fn reason(&self) -> &'static str {
        match self {
            ControlRefused::Malformed(_) => "malformed",
            ControlRefused::Over => "over",
            ControlRefused::NothingDue => "nothing_due",
            ControlRefused::Stands => "stands",
            ControlRefused::Runs => "runs",
            ControlRefused::NotWaiting => "not_waiting",
            ControlRefused::NoSeat => "no_seat",
            ControlRefused::NotSlow => "not_slow",
        }
    }
}

impl Refusal for ControlRefused {
    fn code(&self) -> &'static str {
        match self {
            ControlRefused::Malformed(_) => "malformed",
            ControlRefused::Over
            | ControlRefused::NothingDue
            | ControlRefused::Stands
            | ControlRefused::Runs
            | ControlRefused::NotWaiting
            | ControlRefused::NoSeat
            | ControlRefused::NotSlow => "wrong_phase",
        }
    }

    fn message(&self) -> Message {
        match self {
            ControlRefused::Malformed(detail) => Message::plain("note-malformed").with("detail", detail),
            ControlRefused::Over => Message::plain("note-over"),
            ControlRefused::NothingDue => Message::plain("note-nothing-due"),
            ControlRefused::Stands => Message::plain("note-stands"),
            ControlRefused::Runs => Message::plain("note-runs"),
            ControlRefused::NotWaiting => Message::plain("note-not-waiting"),
            ControlRefused::NoSeat => Message::plain("note-no-seat"),
            ControlRefused::NotSlow => Message::plain("note-not-slow"),
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

impl ControlEntry {
    /// A note without time, seat and id.
    #[must_use]
    pub const fn new(kind: ControlKind, by: By) -> ControlEntry {
        ControlEntry { kind, by, at: None, seat: None, who: None }
    }

    /// Checks that the note has the fields of its kind, whatever the board.
    ///
    /// # Errors
    /// [`ControlRefused::Malformed`].
    pub fn check(&self) -> Result<(), ControlRefused> {
        let (seat, who) = match (self.kind, self.by) {
            (ControlKind::Deal, By::Dealer)
            | (ControlKind::Stop | ControlKind::Go | ControlKind::Restart, By::Server)
            | (ControlKind::End, By::Clock) => (Has::Never, Has::Never),
            (ControlKind::Stop | ControlKind::Go | ControlKind::Look, By::Referee) => {
                (Has::Never, Has::Always)
            }
            (ControlKind::Give { .. }, By::Referee) => (Has::Always, Has::Maybe),
            (ControlKind::Give { .. } | ControlKind::Slow, By::Clock)
            | (ControlKind::Call, By::Player)
            | (ControlKind::StandIn, By::Server) => (Has::Always, Has::Never),
            (ControlKind::End, By::Referee) => (Has::Never, Has::Maybe),
            _ => return Err(ControlRefused::Malformed(message!("note-by"))),
        };
        if !seat.fits(self.seat.is_some()) {
            return Err(ControlRefused::Malformed(message!("note-seat")));
        }
        if !who.fits(self.who.is_some()) {
            return Err(ControlRefused::Malformed(message!("note-who")));
        }
        if self.who.as_ref().is_some_and(|who| !is_who(who)) {
            return Err(ControlRefused::Malformed(message!("note-who-id")));
        }
        match self.kind {
            ControlKind::Give { ms } if !(1..=GIVE_MAX_MS).contains(&ms) => {
                Err(ControlRefused::Malformed(message!("note-ms")))
            }
            _ => Ok(()),
        }
    }

    /// The canonical bytes: sorted keys, no blanks. Appends to `bytes`.
    ///
    /// Nothing needs escaping in a note that passes [`ControlEntry::check`].
    pub fn write_canonical<G: Game>(&self, bytes: &mut String) {
        bytes.push('{');
        // Writing into a String cannot fail.
        if let Some(at) = self.at {
            let _ = write!(bytes, "\"at\":{at},");
        }
        let _ = write!(bytes, "\"by\":\"{}\",", self.by.word());
        if let ControlKind::Give { ms } = self.kind {
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
pub(super) fn read<G: Game>(fields: &Fields<'_>) -> Result<ControlEntry, Message> {
    let kind = match fields.note {
        "deal" => ControlKind::Deal,
        "stop" => ControlKind::Stop,
        "go" => ControlKind::Go,
        "give" => {
            let ms = fields.ms.and_then(|ms| u32::try_from(ms).ok());
            ControlKind::Give { ms: ms.ok_or(message!("note-give-ms"))? }
        }
        "restart" => ControlKind::Restart,
        "call" => ControlKind::Call,
        "look" => ControlKind::Look,
        "end" => ControlKind::End,
        "slow" => ControlKind::Slow,
        "stand-in" => ControlKind::StandIn,
        other => {
            let known = ["deal", "stop", "go", "give", "restart", "call", "look", "end", "slow", "stand-in"];
            return Err(crate::games::rulesets::not_known("note", other, &known));
        }
    };
    if fields.ms.is_some() && !matches!(kind, ControlKind::Give { .. }) {
        return Err(message!("note-ms-stray"));
    }
    let by = By::named(fields.by)
        .ok_or_else(|| crate::games::rulesets::not_known("by", fields.by, &By::ALL.map(By::word)))?;
    let seat = match fields.seat {
        Some(name) => Some(scan::seat::<G>(name)?),
        None => None,
    };
    let note = ControlEntry { kind, by, at: fields.at, seat, who: fields.who.map(str::to_owned) };
    match note.check() {
        Ok(()) => Ok(note),
        Err(ControlRefused::Malformed(detail)) => Err(detail),
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

    fn kinds() -> impl Strategy<Value = ControlKind> {
        prop_oneof![
            Just(ControlKind::Deal),
            Just(ControlKind::Stop),
            Just(ControlKind::Go),
            (1..=GIVE_MAX_MS).prop_map(|ms| ControlKind::Give { ms }),
            Just(ControlKind::Restart),
            Just(ControlKind::Call),
            Just(ControlKind::Look),
            Just(ControlKind::End),
            Just(ControlKind::Slow),
            Just(ControlKind::StandIn),
        ]
    }

    /// Any combination of fields, most of which belong to no kind.
    fn notes() -> impl Strategy<Value = ControlEntry> {
        let by = proptest::sample::select(&By::ALL[..]);
        let at = proptest::option::of(any::<u64>());
        let seat = proptest::option::of((0..3_u8).prop_map(Seat));
        let who = proptest::option::of("[A-Za-z0-9._:-]{1,64}");
        (kinds(), by, at, seat, who).prop_map(|(kind, by, at, seat, who)| ControlEntry {
            kind,
            by,
            at,
            seat,
            who,
        })
    }

    fn bytes(note: &ControlEntry) -> String {
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
                Ok(()) => prop_assert_eq!(scan_line::<Wakeng>(&bytes), Ok(Line::Control(note))),
                Err(_) => prop_assert!(scan_line::<Wakeng>(&bytes).is_err()),
            }
        }
    }

    /// Every kind by everybody who makes it, with the fields it has at least and at most.
    #[test]
    fn each_kind_has_its_makers_and_its_fields() {
        let mut accepted = Vec::new();
        for kind in [
            ControlKind::Deal,
            ControlKind::Stop,
            ControlKind::Go,
            ControlKind::Give { ms: 30_000 },
            ControlKind::Restart,
            ControlKind::Call,
            ControlKind::Look,
            ControlKind::End,
            ControlKind::Slow,
            ControlKind::StandIn,
        ] {
            for by in By::ALL {
                for seat in [None, Some(Seat(0))] {
                    for who in [None, Some("r1".to_owned())] {
                        let note = ControlEntry { kind, by, at: None, seat, who };
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
            r#"{"by":"server","note":"stand-in","seat":"A"}"#,
        ];
        assert_eq!(accepted, expected);
    }

    #[test]
    fn ids_and_amounts_of_time_have_their_bounds() {
        let look = |who: &str| ControlEntry {
            who: Some(who.to_owned()),
            ..ControlEntry::new(ControlKind::Look, By::Referee)
        };
        assert!(look(&"x".repeat(WHO_MAX)).check().is_ok());
        assert!(look("a.B_9:-").check().is_ok());
        for bad in ["", "a b", "a\"", "a\\", "é", "裁判员", "a/b", "a\n", &"x".repeat(WHO_MAX + 1)] {
            assert!(look(bad).check().is_err(), "{bad:?}");
        }
        let give = |ms| ControlEntry {
            seat: Some(Seat(0)),
            ..ControlEntry::new(ControlKind::Give { ms }, By::Clock)
        };
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
