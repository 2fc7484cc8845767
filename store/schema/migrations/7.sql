-- Version 7: what operators write down about moments, and the host at moments of a session.

-- Marks: notes on a moment of a session, or on a range. Both ends are in the source's time; made is by the machine's
-- clock.
CREATE TABLE mark (
  id      INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  started INTEGER NOT NULL,
  ended   INTEGER NOT NULL,
  text    TEXT    NOT NULL,
  made    INTEGER NOT NULL
) STRICT;
CREATE INDEX mark_of_session ON mark (session, started);

CREATE TABLE tag (
  session INTEGER NOT NULL,
  name    TEXT    NOT NULL COLLATE NOCASE,
  PRIMARY KEY (session, name)
) STRICT, WITHOUT ROWID;

-- The host as it was at a moment of a session, deflated JSON as in the host table. time is the host's.
CREATE TABLE snapshot (
  id      INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  time    INTEGER NOT NULL,
  state   BLOB    NOT NULL
) STRICT;
CREATE INDEX snapshot_of_session ON snapshot (session, time);
