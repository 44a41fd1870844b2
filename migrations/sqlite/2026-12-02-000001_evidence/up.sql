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
