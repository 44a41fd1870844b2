-- Live play: the answer to every command of a player, so that the same command gets the same answer for ever, and the
-- rounds that were started.

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

CREATE TABLE rounds (
    event_id   TEXT    NOT NULL REFERENCES events (id),
    round      INTEGER NOT NULL CHECK (round >= 1),
    started_us INTEGER NOT NULL,
    minutes    INTEGER NOT NULL CHECK (minutes >= 0), -- how long it lasts; 0 without a limit
    PRIMARY KEY (event_id, round)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER commands_kept BEFORE DELETE ON commands
BEGIN SELECT RAISE(ABORT, 'commands is append-only'); END;
CREATE TRIGGER commands_fixed BEFORE UPDATE ON commands
BEGIN SELECT RAISE(ABORT, 'commands is append-only'); END;
CREATE TRIGGER rounds_kept BEFORE DELETE ON rounds
BEGIN SELECT RAISE(ABORT, 'rounds is append-only'); END;
CREATE TRIGGER rounds_fixed BEFORE UPDATE ON rounds
BEGIN SELECT RAISE(ABORT, 'rounds is append-only'); END;
