-- How much time the running round of an event has left, and whether the event stands: kept every few seconds, so that
-- the time without a server is nobody's.

CREATE TABLE halls (
    event_id TEXT    NOT NULL PRIMARY KEY REFERENCES events (id),
    round    INTEGER NOT NULL CHECK (round >= 1),
    left_ms  INTEGER CHECK (left_ms >= 0), -- NULL: the round has no limit
    paused   INTEGER NOT NULL CHECK (paused IN (0, 1))
) STRICT, WITHOUT ROWID;
