//! People at the desk: accounts, sessions, seats; and the keeper of their rows.
//!
//! Tokens and codes come in and go out as hashes only: whoever reads the database can log in nowhere. Every write is
//! durable when the call returns, together with its audit entry.

use super::network::Network;
use super::rights::Grant;
use crate::canonical::{Hash, sha256};
use crate::event::archive::{AuditRow, Kept};

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Identifier.
    pub id: String,
    /// The name to log in with.
    pub name: String,
    /// The name for people.
    pub display: String,
    /// The password's PHC string.
    pub password: String,
    /// Its roles.
    pub grants: Vec<Grant>,
    /// Instant of creation.
    pub created_us: i64,
    /// Whether it is closed: nobody can log in.
    pub disabled: bool,
    /// Failed logins in a row.
    pub failures: i64,
    /// Until when no login is tried.
    pub locked_until_us: i64,
}

/// A login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Identifier; not the token.
    pub id: String,
    /// SHA-256 of the token.
    pub token_hash: Hash,
    /// Whose it is.
    pub account_id: String,
    /// From where it was made.
    pub address: String,
    /// Instant of creation.
    pub created_us: i64,
    /// Instant after which it counts no more.
    pub expires_us: i64,
    /// Instant of its end by hand.
    pub revoked_us: Option<i64>,
}

/// What plays in a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatKind {
    /// A person.
    Person,
    /// A program.
    AiProgram,
}

impl SeatKind {
    /// The word in the database and in interfaces.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            SeatKind::Person => "person",
            SeatKind::AiProgram => "ai-program",
        }
    }

    /// The kind of a word; anything unknown is a person, who may do least.
    #[must_use]
    pub fn of(word: &str) -> SeatKind {
        if word == "ai-program" { SeatKind::AiProgram } else { SeatKind::Person }
    }
}

/// What a seat is held with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatToken {
    /// SHA-256 of the token.
    pub token_hash: Hash,
    /// The event.
    pub event: String,
    /// The entrant's id.
    pub entrant: String,
    /// The entrant's place: the number in the movement once seats are drawn, before that the order of entry.
    pub number: u32,
    /// Which of a pair: 0 or 1.
    pub member: u8,
    /// What plays.
    pub kind: SeatKind,
    /// The device it was handed to.
    pub device: Option<String>,
    /// Instant of creation.
    pub created_us: i64,
    /// Whether it counts no more.
    pub revoked: bool,
}

impl SeatToken {
    /// The token of a program for the first person of an entrant. The place in the movement is the database's to know.
    #[must_use]
    pub fn for_program(token: &str, event: &str, entrant: &str, created_us: i64) -> SeatToken {
        SeatToken {
            token_hash: sha256(token.as_bytes()),
            event: event.to_owned(),
            entrant: entrant.to_owned(),
            number: 0,
            member: 0,
            kind: SeatKind::AiProgram,
            device: None,
            created_us,
            revoked: false,
        }
    }
}

/// A one-time code on a slip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatCode {
    /// SHA-256 of the code.
    pub code_hash: Hash,
    /// The event.
    pub event: String,
    /// The entrant's id.
    pub entrant: String,
    /// Which of a pair: 0 or 1.
    pub member: u8,
    /// Instant of creation.
    pub created_us: i64,
    /// Whether it has been used or taken back.
    pub spent: bool,
}

/// An entrant who has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckIn {
    /// The entrant's id.
    pub entrant: String,
    /// When.
    pub at_us: i64,
    /// Who checked the entrant in.
    pub by: String,
    /// SHA-256 of the rules page that was acknowledged.
    pub rules_hash: Hash,
}

/// A device that the organizer has enrolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Identifier within the event.
    pub id: String,
    /// What is written on it.
    pub name: String,
    /// SHA-256 of its token.
    pub token_hash: Hash,
    /// The table it stands at.
    pub table: Option<u32>,
    /// The seat it stands at.
    pub seat: Option<String>,
    /// Instant of enrolment.
    pub enrolled_us: i64,
    /// Whether it counts no more.
    pub revoked: bool,
}

/// An attempt to log in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// No login is tried with this name until this instant, µs.
    Locked(i64),
    /// It is counted.
    Counted {
        /// The account of that name.
        account: Option<Account>,
        /// How many failures in a row there are if this is one.
        failures: i64,
    },
}

/// What is known about a request with an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// It is new, and written down now: whoever got this answers it.
    New,
    /// It was asked before.
    Before {
        /// SHA-256 of what was asked then.
        request_hash: Vec<u8>,
        /// The answer, encrypted; absent while there is none.
        answer: Option<Vec<u8>>,
    },
}

/// An audit entry with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audited {
    /// Its number.
    pub id: i64,
    /// The entry.
    pub row: AuditRow,
}

/// A keeper of people.
pub trait People {
    /// How many accounts there are.
    fn count_accounts(&self) -> Kept<u64>;
    /// Creates an account; the name must be free. `first` demands that there is no account yet and uses up the setup
    /// token of that hash.
    fn create_account(&self, account: Account, first: Option<Hash>, audit: AuditRow) -> Kept<()>;
    /// Replaces name for people, password, roles, closed or not of an account; with `end_sessions` all of its sessions
    /// end, with `unlock` its failures are forgotten.
    fn change_account(
        &self,
        account: Account,
        end_sessions: bool,
        unlock: bool,
        audit: Option<AuditRow>,
    ) -> Kept<()>;
    /// Replaces the password of an account and ends its sessions; failures are forgotten. `false`, and nothing is
    /// changed: the account is closed, or its password is not `before` any more.
    fn change_password(&self, id: &str, before: &str, after: String, audit: AuditRow) -> Kept<bool>;
    /// An account by its id.
    fn account(&self, id: &str) -> Kept<Option<Account>>;
    /// An account by the name to log in with.
    fn account_named(&self, name: &str) -> Kept<Option<Account>>;
    /// All accounts by name.
    fn accounts(&self) -> Kept<Vec<Account>>;
    /// Counts an attempt to log in with a name as failed before anybody looks at the password, so that attempts at the
    /// same time all count; a success takes it back. Names that do not exist are counted in the same way.
    fn count_attempt(&self, name: &str, now: i64) -> Kept<Attempt>;

    /// Begins a session; failures of the account are forgotten. `false`, and nothing begins: the account has been
    /// closed since, or its password is not `password` any more.
    fn begin_session(&self, session: Session, password: &str, audit: AuditRow) -> Kept<bool>;
    /// The session of a token's hash and its account, whatever their state.
    fn session(&self, token_hash: &Hash) -> Kept<Option<(Session, Account)>>;
    /// The sessions of an account, newest first.
    fn sessions(&self, account: &str) -> Kept<Vec<Session>>;
    /// Ends a session.
    fn end_session(&self, account: &str, id: &str, at: i64, audit: AuditRow) -> Kept<()>;

    /// The events in which one account may be organizer and referee.
    fn joint_offices(&self) -> Kept<Vec<String>>;

    /// A value of the server.
    fn server_value(&self, name: &str) -> Kept<Option<String>>;
    /// Sets a value of the server.
    fn set_server_value(&self, name: &str, value: &str) -> Kept<()>;

    /// Writes down that a request with a key is being answered, unless it is known.
    fn begin_answer(&self, scope: &str, key: &str, request_hash: Hash, at: i64) -> Kept<Known>;
    /// Writes down the answer, or with `None` forgets the request: it changed nothing.
    fn end_answer(&self, scope: &str, key: &str, answer: Option<Vec<u8>>) -> Kept<()>;

    /// A part of the audit log in order: entries after a number, of one event or of all.
    fn audit_page(&self, event: Option<&str>, after: i64, limit: i64) -> Kept<Vec<Audited>>;

    /// Stores codes for seats; earlier unused codes of the same members end.
    fn add_seat_codes(&self, codes: Vec<SeatCode>, audit: AuditRow) -> Kept<()>;
    /// Whether codes have ever been made for an event.
    fn seat_codes_made(&self, event: &str) -> Kept<bool>;
    /// Uses up a code: stores the token in exchange. Earlier tokens of the same member end. `None`: there is no such
    /// code, or it is spent.
    fn use_seat_code(
        &self,
        event: &str,
        code_hash: Hash,
        token_hash: Hash,
        device: Option<String>,
        at: i64,
    ) -> Kept<Option<SeatToken>>;
    /// Stores tokens for programs.
    fn add_seat_tokens(&self, tokens: Vec<SeatToken>, audit: AuditRow) -> Kept<()>;
    /// A token by its hash, whatever its state.
    fn seat_token(&self, token_hash: &Hash) -> Kept<Option<SeatToken>>;
    /// The tokens of an event that count.
    fn seat_tokens(&self, event: &str) -> Kept<Vec<SeatToken>>;
    /// Ends every token and code of an entrant; answers how many tokens.
    fn end_seats(&self, event: &str, entrant: &str, at: i64, audit: AuditRow) -> Kept<u64>;

    /// Checks an entrant in; again replaces.
    fn check_in(&self, event: &str, check_in: CheckIn, audit: AuditRow) -> Kept<()>;
    /// Takes a check-in back.
    fn check_out(&self, event: &str, entrant: &str, audit: AuditRow) -> Kept<()>;
    /// Who has been checked in.
    fn check_ins(&self, event: &str) -> Kept<Vec<CheckIn>>;

    /// Replaces the networks of an event.
    fn set_networks(&self, event: &str, networks: Vec<Network>, audit: AuditRow) -> Kept<()>;
    /// The networks of an event; none: it is played from anywhere.
    fn networks(&self, event: &str) -> Kept<Vec<Network>>;

    /// Enrols a device. `false`, and nothing is changed: the event has as many as `most` already.
    fn add_device(&self, event: &str, device: Device, most: usize, audit: AuditRow) -> Kept<bool>;
    /// Ends a device.
    fn end_device(&self, event: &str, id: &str, at: i64, audit: AuditRow) -> Kept<()>;
    /// The devices of an event.
    fn devices(&self, event: &str) -> Kept<Vec<Device>>;
}
