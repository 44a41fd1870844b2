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
