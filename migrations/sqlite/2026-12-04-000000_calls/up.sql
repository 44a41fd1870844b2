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
