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
