-- Instants and durations are integers in microseconds (columns ending in _us); hashes are 32 bytes; text that is
-- hashed or signed is stored exactly as it was hashed. Results and standings are derived: they can be emptied and
-- rebuilt from journal and rulings. Everything that proves something is append-only by trigger.

CREATE TABLE events (
    id         TEXT    NOT NULL PRIMARY KEY,
    game       TEXT    NOT NULL,
    settings   TEXT    NOT NULL, -- canonical JSON: names, format, ruleset in full, method, plan
    state      TEXT    NOT NULL CHECK (state IN ('draft', 'announced', 'locked', 'provisional', 'official', 'final')),
    created_us INTEGER NOT NULL,
    one_account INTEGER NOT NULL CHECK (one_account IN (0, 1)) -- whether one account may be organizer and referee
) STRICT;

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

-- A board of a set. The receipt is known once the first table has opened the board.
CREATE TABLE boards (
    event_id TEXT    NOT NULL REFERENCES events (id),
    set_id   TEXT    NOT NULL,
    number   INTEGER NOT NULL CHECK (number >= 1),
    state    TEXT    NOT NULL CHECK (state IN ('sealed', 'open', 'finished', 'void')),
    PRIMARY KEY (event_id, set_id, number)
) STRICT;

-- A board at a table: what a journal belongs to.
CREATE TABLE plays (
    id           INTEGER NOT NULL PRIMARY KEY,
    event_id     TEXT    NOT NULL,
    set_id       TEXT    NOT NULL,
    number       INTEGER NOT NULL,
    round        INTEGER NOT NULL CHECK (round >= 1),
    table_number INTEGER NOT NULL CHECK (table_number >= 1),
    seating      TEXT    NOT NULL, -- canonical JSON: who sits where
    FOREIGN KEY (event_id, set_id, number) REFERENCES boards (event_id, set_id, number),
    UNIQUE (event_id, set_id, number, round, table_number)
) STRICT;

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

CREATE TABLE rulings (
    event_id TEXT    NOT NULL REFERENCES events (id),
    number   INTEGER NOT NULL CHECK (number >= 1),
    at_us    INTEGER NOT NULL,
    body     TEXT    NOT NULL,
    hash     BLOB    NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (event_id, number)
) STRICT;

-- Published results: a snapshot per revision, signed, with its differences from the one before.
CREATE TABLE revisions (
    event_id  TEXT    NOT NULL REFERENCES events (id),
    number    INTEGER NOT NULL CHECK (number >= 1),
    at_us     INTEGER NOT NULL,
    body      TEXT    NOT NULL,
    signature BLOB    NOT NULL CHECK (length(signature) = 64),
    PRIMARY KEY (event_id, number)
) STRICT;

CREATE TABLE results (
    event_id TEXT    NOT NULL REFERENCES events (id),
    play_id  INTEGER NOT NULL REFERENCES plays (id),
    entrant  TEXT    NOT NULL,
    body     TEXT    NOT NULL,
    PRIMARY KEY (play_id, entrant)
) STRICT, WITHOUT ROWID;
CREATE INDEX results_of_event ON results (event_id);

CREATE TABLE standings (
    event_id TEXT    NOT NULL REFERENCES events (id),
    position INTEGER NOT NULL CHECK (position >= 1),
    entrant  TEXT    NOT NULL,
    body     TEXT    NOT NULL,
    PRIMARY KEY (event_id, position)
) STRICT, WITHOUT ROWID;

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
CREATE TRIGGER rulings_kept BEFORE DELETE ON rulings
BEGIN SELECT RAISE(ABORT, 'rulings is append-only'); END;
CREATE TRIGGER rulings_fixed BEFORE UPDATE ON rulings
BEGIN SELECT RAISE(ABORT, 'rulings is append-only'); END;
CREATE TRIGGER revisions_kept BEFORE DELETE ON revisions
BEGIN SELECT RAISE(ABORT, 'revisions is append-only'); END;
CREATE TRIGGER revisions_fixed BEFORE UPDATE ON revisions
BEGIN SELECT RAISE(ABORT, 'revisions is append-only'); END;
CREATE TRIGGER audit_kept BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
CREATE TRIGGER audit_fixed BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
