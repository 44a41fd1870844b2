-- Instants and durations are integers in microseconds (columns ending in _us); hashes are 32 bytes; text that is
-- hashed or signed is stored exactly as it was hashed. Results and standings follow from the journals and are
-- not kept. Everything that proves something is append-only by trigger.

CREATE TABLE events (
    id         TEXT    NOT NULL PRIMARY KEY,
    game       TEXT    NOT NULL,
    settings   TEXT    NOT NULL, -- canonical JSON: names, format, ruleset in full, method, plan
    state      TEXT    NOT NULL CHECK (state IN ('draft', 'announced', 'locked', 'provisional', 'official', 'final')),
    created_us INTEGER NOT NULL,
    one_account INTEGER NOT NULL CHECK (one_account IN (0, 1)), -- whether one account may be organizer and referee
    number      INTEGER NOT NULL UNIQUE CHECK (number >= 0)    -- what the ids of its boards at tables are made of
) STRICT;

-- What happened to an event and what followed from it. A line follows the last one: the writer sees to it.
CREATE TABLE event_journal (
    event_id TEXT    NOT NULL REFERENCES events (id),
    seq      INTEGER NOT NULL CHECK (seq >= 1),
    at_us    INTEGER NOT NULL, -- of the event's own time
    wall_us  INTEGER NOT NULL,
    body     TEXT    NOT NULL, -- the chained bytes
    hash     BLOB    NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (event_id, seq)
) STRICT, WITHOUT ROWID;

-- How far an event's own time has come, kept every few seconds: the time without a server is nobody's.
CREATE TABLE event_clocks (
    event_id TEXT    NOT NULL PRIMARY KEY REFERENCES events (id),
    at_us    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Words of persons that journals name by their SHA-256 only. They can be erased.
CREATE TABLE words (
    hash  BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    words TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER event_journal_kept BEFORE DELETE ON event_journal
BEGIN SELECT RAISE(ABORT, 'event_journal is append-only'); END;
CREATE TRIGGER event_journal_fixed BEFORE UPDATE ON event_journal
BEGIN SELECT RAISE(ABORT, 'event_journal is append-only'); END;
CREATE TRIGGER words_fixed BEFORE UPDATE ON words
BEGIN SELECT RAISE(ABORT, 'words are erased, never changed'); END;

CREATE TABLE announcements (
    event_id     TEXT    NOT NULL PRIMARY KEY REFERENCES events (id),
    body         TEXT    NOT NULL, -- the announced bytes
    hash         BLOB    NOT NULL CHECK (length(hash) = 32),
    delayed      TEXT,             -- the delayed public value once it is known
    published_us INTEGER NOT NULL
) STRICT;

-- Keys of the event, encrypted under a key that is never in this file.
CREATE TABLE sealed_keys (
    event_id TEXT NOT NULL REFERENCES events (id),
    name     TEXT NOT NULL,
    sealed   BLOB NOT NULL,
    PRIMARY KEY (event_id, name)
) STRICT;

CREATE TABLE entrants (
    event_id TEXT    NOT NULL REFERENCES events (id),
    id       TEXT    NOT NULL,
    position INTEGER NOT NULL CHECK (position >= 1), -- the entrant's number: the order of entry unless the list had its own
    name     TEXT    NOT NULL,
    level    TEXT,             -- the AI level that plays for the entrant; NULL for a person
    club     TEXT,
    region   TEXT,
    PRIMARY KEY (event_id, id),
    UNIQUE (event_id, position)
) STRICT;

-- A board at a table: what a journal belongs to. The id follows from the event's number and the sitting.
CREATE TABLE plays (
    id           INTEGER NOT NULL PRIMARY KEY,
    event_id     TEXT    NOT NULL REFERENCES events (id),
    set_id       TEXT    NOT NULL,
    number       INTEGER NOT NULL,
    round        INTEGER NOT NULL CHECK (round >= 1),
    table_number INTEGER NOT NULL CHECK (table_number >= 1),
    seating      TEXT    NOT NULL  -- canonical JSON: who sits where
) STRICT;
CREATE INDEX plays_of_event ON plays (event_id);

CREATE TABLE journal (
    play_id INTEGER NOT NULL REFERENCES plays (id),
    seq     INTEGER NOT NULL CHECK (seq >= 0),
    at_us   INTEGER NOT NULL,
    body    TEXT    NOT NULL, -- the chained bytes
    hash    BLOB    NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (play_id, seq)
) STRICT, WITHOUT ROWID;

-- Signed heads of journals.
CREATE TABLE checkpoints (
    event_id  TEXT    NOT NULL REFERENCES events (id),
    number    INTEGER NOT NULL CHECK (number >= 1),
    body      TEXT    NOT NULL,
    signature BLOB    NOT NULL CHECK (length(signature) = 64),
    PRIMARY KEY (event_id, number)
) STRICT;

-- Who did what, when and why, with the state before and after.
CREATE TABLE audit (
    id       INTEGER NOT NULL PRIMARY KEY,
    event_id TEXT,
    at_us    INTEGER NOT NULL,
    who      TEXT    NOT NULL,
    act      TEXT    NOT NULL,
    reason   TEXT    NOT NULL,
    details  TEXT    NOT NULL
) STRICT;
CREATE INDEX audit_of_event ON audit (event_id);

CREATE TRIGGER announcements_kept BEFORE DELETE ON announcements
BEGIN SELECT RAISE(ABORT, 'announcements are append-only'); END;
CREATE TRIGGER announcements_fixed BEFORE UPDATE OF event_id, body, hash, published_us ON announcements
BEGIN SELECT RAISE(ABORT, 'announcements are append-only'); END;
CREATE TRIGGER announcements_delayed_once BEFORE UPDATE OF delayed ON announcements WHEN OLD.delayed IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a delayed value is set once'); END;
CREATE TRIGGER sealed_keys_kept BEFORE DELETE ON sealed_keys
BEGIN SELECT RAISE(ABORT, 'sealed_keys is append-only'); END;
CREATE TRIGGER sealed_keys_fixed BEFORE UPDATE ON sealed_keys
BEGIN SELECT RAISE(ABORT, 'sealed_keys is append-only'); END;
CREATE TRIGGER plays_kept BEFORE DELETE ON plays
BEGIN SELECT RAISE(ABORT, 'plays is append-only'); END;
CREATE TRIGGER plays_fixed BEFORE UPDATE ON plays
BEGIN SELECT RAISE(ABORT, 'plays is append-only'); END;
CREATE TRIGGER journal_kept BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'journal is append-only'); END;
CREATE TRIGGER journal_fixed BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'journal is append-only'); END;
CREATE TRIGGER checkpoints_kept BEFORE DELETE ON checkpoints
BEGIN SELECT RAISE(ABORT, 'checkpoints is append-only'); END;
CREATE TRIGGER checkpoints_fixed BEFORE UPDATE ON checkpoints
BEGIN SELECT RAISE(ABORT, 'checkpoints is append-only'); END;
CREATE TRIGGER audit_kept BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
CREATE TRIGGER audit_fixed BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;

-- People and what they hold. Passwords are Argon2id, tokens and codes SHA-256: nothing here can be used to log in.

CREATE TABLE accounts (
    id              TEXT    NOT NULL PRIMARY KEY,
    name            TEXT    NOT NULL UNIQUE, -- to log in with
    display         TEXT    NOT NULL,        -- for people; equal ones are different accounts
    password        TEXT    NOT NULL,        -- PHC string
    grants          TEXT    NOT NULL,        -- canonical JSON: roles, for every event or for one
    created_us      INTEGER NOT NULL,
    disabled        INTEGER NOT NULL CHECK (disabled IN (0, 1)),
    failures        INTEGER NOT NULL,        -- failed logins in a row
    locked_until_us INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
    id         TEXT    NOT NULL PRIMARY KEY,
    token_hash BLOB    NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    account_id TEXT    NOT NULL REFERENCES accounts (id),
    address    TEXT    NOT NULL,
    created_us INTEGER NOT NULL,
    expires_us INTEGER NOT NULL,
    revoked_us INTEGER
) STRICT;
CREATE INDEX sessions_of_account ON sessions (account_id);

-- Values of the server as a whole, such as the hash of the setup link's token.
CREATE TABLE server_values (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

-- Answers to requests with an idempotency key, encrypted: they may hold tokens. NULL: not answered yet.
CREATE TABLE answered (
    scope        TEXT    NOT NULL,
    key          TEXT    NOT NULL,
    request_hash BLOB    NOT NULL CHECK (length(request_hash) = 32),
    at_us        INTEGER NOT NULL,
    answer       BLOB,
    PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;

-- One-time codes on printed slips.
CREATE TABLE seat_codes (
    code_hash  BLOB    NOT NULL PRIMARY KEY CHECK (length(code_hash) = 32),
    event_id   TEXT    NOT NULL REFERENCES events (id),
    entrant    TEXT    NOT NULL,
    member     INTEGER NOT NULL CHECK (member IN (0, 1)), -- which of a pair
    created_us INTEGER NOT NULL,
    used_us    INTEGER,
    revoked_us INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX seat_codes_of_event ON seat_codes (event_id);

-- What a seat is held with.
CREATE TABLE seat_tokens (
    token_hash BLOB    NOT NULL PRIMARY KEY CHECK (length(token_hash) = 32),
    event_id   TEXT    NOT NULL REFERENCES events (id),
    entrant    TEXT    NOT NULL,
    member     INTEGER NOT NULL CHECK (member IN (0, 1)),
    kind       TEXT    NOT NULL CHECK (kind IN ('person', 'ai-program')),
    device     TEXT,
    created_us INTEGER NOT NULL,
    revoked_us INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX seat_tokens_of_event ON seat_tokens (event_id);

CREATE TABLE checkins (
    event_id   TEXT    NOT NULL REFERENCES events (id),
    entrant    TEXT    NOT NULL,
    at_us      INTEGER NOT NULL,
    by_whom    TEXT    NOT NULL,
    rules_hash BLOB    NOT NULL CHECK (length(rules_hash) = 32), -- of the rules page that was acknowledged
    PRIMARY KEY (event_id, entrant)
) STRICT, WITHOUT ROWID;

-- From where an event may be played; no row: from anywhere.
CREATE TABLE networks (
    event_id TEXT NOT NULL REFERENCES events (id),
    network  TEXT NOT NULL,
    PRIMARY KEY (event_id, network)
) STRICT, WITHOUT ROWID;

-- Devices that the organizer has enrolled.
CREATE TABLE devices (
    event_id     TEXT    NOT NULL REFERENCES events (id),
    id           TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    token_hash   BLOB    NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    table_number INTEGER,          -- the table it stands at; NULL: any
    seat         TEXT,             -- the seat it stands at; NULL: any
    enrolled_us  INTEGER NOT NULL,
    revoked_us   INTEGER,
    PRIMARY KEY (event_id, id)
) STRICT, WITHOUT ROWID;

-- Live play: the answer to every command of a player, so that the same command gets the same answer for ever.

CREATE TABLE commands (
    play_id INTEGER NOT NULL REFERENCES plays (id),
    seat    INTEGER NOT NULL CHECK (seat >= 0),
    command TEXT    NOT NULL, -- the client's id
    at_us   INTEGER NOT NULL, -- since the board opened at this table
    text    TEXT    NOT NULL, -- the action as written
    body    BLOB    NOT NULL CHECK (length(body) = 32),
    answer  TEXT    NOT NULL, -- JSON
    PRIMARY KEY (play_id, seat, command)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER commands_kept BEFORE DELETE ON commands
BEGIN SELECT RAISE(ABORT, 'commands is append-only'); END;
CREATE TRIGGER commands_fixed BEFORE UPDATE ON commands
BEGIN SELECT RAISE(ABORT, 'commands is append-only'); END;

-- Evidence for referees, bounded by who and where: what the connections of a person have shown at each board, repeated
-- ones counted in one row, and how many refused commands of a seat were not kept word for word.

CREATE TABLE incidents (
    event_id TEXT    NOT NULL REFERENCES events (id),
    entrant  TEXT    NOT NULL,
    member   INTEGER NOT NULL CHECK (member IN (0, 1)), -- which of a pair
    kind     TEXT    NOT NULL,
    play_id  INTEGER NOT NULL,                          -- 0: at no board
    count    INTEGER NOT NULL CHECK (count >= 1),
    first_us INTEGER NOT NULL,
    last_us  INTEGER NOT NULL,
    PRIMARY KEY (event_id, entrant, member, kind, play_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE refusals_counted (
    play_id  INTEGER NOT NULL REFERENCES plays (id),
    seat     INTEGER NOT NULL CHECK (seat >= 0),
    count    INTEGER NOT NULL CHECK (count >= 1),
    first_us INTEGER NOT NULL, -- since the board opened at this table
    last_us  INTEGER NOT NULL,
    PRIMARY KEY (play_id, seat)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER incidents_kept BEFORE DELETE ON incidents
BEGIN SELECT RAISE(ABORT, 'incidents are counted, never deleted'); END;
CREATE TRIGGER incidents_grow BEFORE UPDATE ON incidents WHEN NEW.count <= OLD.count
BEGIN SELECT RAISE(ABORT, 'incidents are counted, never taken back'); END;
CREATE TRIGGER refusals_counted_kept BEFORE DELETE ON refusals_counted
BEGIN SELECT RAISE(ABORT, 'refusals are counted, never deleted'); END;
CREATE TRIGGER refusals_counted_grow BEFORE UPDATE ON refusals_counted WHEN NEW.count <= OLD.count
BEGIN SELECT RAISE(ABORT, 'refusals are counted, never taken back'); END;

-- Which database this is, and which commit it holds: one row that every commit changes, so that the write-ahead log of
-- this file can be told from one that another file left behind, and from one that goes on from another state of this
-- file. Each commit draws a mark and keeps the mark of the one before. The count begins at 2^47, so that it always
-- takes eight bytes. A copy has an identity of its own.

CREATE TABLE imprint (
    id       INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    magic    TEXT    NOT NULL CHECK (magic = 'fushi database/1'),
    identity BLOB    NOT NULL CHECK (length(identity) = 16),
    commits  INTEGER NOT NULL CHECK (commits >= 140737488355328),
    previous BLOB    NOT NULL CHECK (length(previous) = 16),
    mark     BLOB    NOT NULL CHECK (length(mark) = 16)
) STRICT;
INSERT INTO imprint VALUES (1, 'fushi database/1', randomblob(16), 140737488355328, randomblob(16), randomblob(16));

-- Failed logins with names that do not exist: they wait like those that do. Only a hash of the name is kept, as people
-- type passwords into the wrong field.
CREATE TABLE unknown_names (
    name_hash       BLOB    NOT NULL PRIMARY KEY CHECK (length(name_hash) = 32),
    failures        INTEGER NOT NULL,
    locked_until_us INTEGER NOT NULL,
    last_us         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX unknown_names_by_age ON unknown_names (last_us);

-- What becomes of the calls of the referee. A call is written together with the line of the journal that says it and the
-- command that made it, which holds the player's words; that a referee has seen it, and has dealt with it, is added once.

CREATE TABLE calls (
    play_id   INTEGER NOT NULL REFERENCES plays (id),
    line      INTEGER NOT NULL CHECK (line >= 1), -- of the journal
    seat      INTEGER NOT NULL CHECK (seat >= 0),
    command   TEXT    NOT NULL,                   -- the client's id
    called_us INTEGER NOT NULL,
    seen_us   INTEGER,
    seen_by   TEXT,
    done_us   INTEGER,
    done_by   TEXT,
    PRIMARY KEY (play_id, line),
    CHECK ((seen_us IS NULL) = (seen_by IS NULL)),
    CHECK ((done_us IS NULL) = (done_by IS NULL)),
    CHECK (done_us IS NULL OR seen_us IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER calls_kept BEFORE DELETE ON calls
BEGIN SELECT RAISE(ABORT, 'calls are kept'); END;
CREATE TRIGGER calls_go_on BEFORE UPDATE ON calls
WHEN NEW.play_id IS NOT OLD.play_id OR NEW.line IS NOT OLD.line OR NEW.seat IS NOT OLD.seat
  OR NEW.command IS NOT OLD.command OR NEW.called_us IS NOT OLD.called_us
  OR (OLD.seen_us IS NOT NULL AND (NEW.seen_us IS NOT OLD.seen_us OR NEW.seen_by IS NOT OLD.seen_by))
  OR OLD.done_us IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'what became of a call is never taken back'); END;
