-- Version 1: sessions and everything that is kept of them. Times are nanoseconds since 1970, UTC.

-- state: 0 ended, 1 being recorded, 2 being deleted. recorded and saved are by the clock of the machine that records;
-- started and ended are the first and last sample's time by the source's own.
CREATE TABLE session (
  id       INTEGER PRIMARY KEY,
  state    INTEGER NOT NULL,
  recorded INTEGER NOT NULL,
  saved    INTEGER NOT NULL,
  started  INTEGER NOT NULL DEFAULT 0,
  ended    INTEGER NOT NULL DEFAULT 0,
  host     TEXT    NOT NULL,
  kind     TEXT    NOT NULL,
  name     TEXT    NOT NULL,
  seed     INTEGER NOT NULL,
  lab_hash TEXT    NOT NULL,
  interval INTEGER NOT NULL,
  version  TEXT    NOT NULL,
  series   INTEGER NOT NULL DEFAULT 0,
  samples  INTEGER NOT NULL DEFAULT 0,
  events   INTEGER NOT NULL DEFAULT 0,
  changes  INTEGER NOT NULL DEFAULT 0,
  bytes    INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What the cells of a session mean. A later generation only adds rows, or corrects one (a new line rate).
CREATE TABLE series (
  session  INTEGER NOT NULL,
  number   INTEGER NOT NULL,
  set_name TEXT    NOT NULL,
  instance TEXT    NOT NULL,
  counter  TEXT    NOT NULL,
  kind     INTEGER NOT NULL,
  unit     TEXT    NOT NULL,
  cell     INTEGER NOT NULL,
  scale    REAL    NOT NULL,
  width    INTEGER NOT NULL,
  line     INTEGER NOT NULL,
  total    TEXT    NOT NULL,
  PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;

-- Each change of the schema or the inventory, which is deflated JSON. sample is the number of the session's sample that
-- it comes before.
CREATE TABLE generation (
  id        INTEGER PRIMARY KEY,
  session   INTEGER NOT NULL,
  number    INTEGER NOT NULL,
  sample    INTEGER NOT NULL,
  series    INTEGER NOT NULL,
  cells     INTEGER NOT NULL,
  inventory BLOB    NOT NULL
) STRICT;

-- One row for each window of samples: when they were taken and how many were missed before each.
CREATE TABLE clock (
  id      INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  started INTEGER NOT NULL,
  ended   INTEGER NOT NULL,
  samples INTEGER NOT NULL,
  cells   INTEGER NOT NULL,
  times   BLOB    NOT NULL,
  missed  BLOB    NOT NULL
) STRICT;

-- The samples of a window, a group of cells a row. place is the window's clock.id times 65536, plus the group.
CREATE TABLE chunk (
  place INTEGER PRIMARY KEY,
  data  BLOB NOT NULL
) STRICT;

-- The samples of the window that is not full yet, one a row.
CREATE TABLE frame (
  id      INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  data    BLOB    NOT NULL
) STRICT;

CREATE TABLE event (
  id       INTEGER PRIMARY KEY,
  session  INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  time     INTEGER NOT NULL,
  key      TEXT    NOT NULL,
  number   INTEGER NOT NULL,
  source   TEXT    NOT NULL,
  channel  TEXT    NOT NULL,
  severity INTEGER NOT NULL,
  adapter  TEXT    NOT NULL,
  message  TEXT    NOT NULL
) STRICT;

CREATE TABLE journal (
  id      INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  entry   TEXT    NOT NULL
) STRICT;

CREATE TABLE layout (
  screen TEXT    NOT NULL,
  name   TEXT    NOT NULL,
  data   BLOB    NOT NULL,
  saved  INTEGER NOT NULL,
  PRIMARY KEY (screen, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
  key   TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
