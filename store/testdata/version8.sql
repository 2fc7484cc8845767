-- A history as version 8 wrote it: sqlite3's .dump, and the marks in the header.
PRAGMA application_id = 1668834411;
PRAGMA user_version = 8;
BEGIN TRANSACTION;
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
, note TEXT NOT NULL DEFAULT '', list INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO session VALUES(1,0,1795407453008698325,1795407453016727795,1772438400000000000,1772438402000000000,'lab','lab','LAB-N4',-9223372036854775801,'abc',1000000000,'',2,3,1,1,397,'',1);
CREATE TABLE generation (
  id        INTEGER PRIMARY KEY,
  session   INTEGER NOT NULL,
  number    INTEGER NOT NULL,
  sample    INTEGER NOT NULL,
  series    INTEGER NOT NULL,
  cells     INTEGER NOT NULL,
  inventory BLOB    NOT NULL
) STRICT;
INSERT INTO generation VALUES(1,1,1,0,2,2,X'aa56f2c82f2e51b252ca494c52d251f2cb4f492d56b2ca2bcdc9d1510a4a4d4ecd2c4b85718353f352606c97a2fc02b8ba90fc92c41c9fc4a4d41c252b25251da5f0c4cc9262252b835a40000000ffff');
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
INSERT INTO clock VALUES(1,1,1772438400000000000,1772438402000000000,3,2,X'03808098a4b0d5fb98310080a8d6b907',X'030041');
CREATE TABLE chunk (
  place INTEGER PRIMARY KEY,
  data  BLOB NOT NULL
) STRICT;
INSERT INTO chunk VALUES(65536,X'08030200020803140014');
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
INSERT INTO event VALUES(1,1,1,1772438400000000000,'',0,'mlx5','',1,'','link down');
CREATE TABLE journal (
  id      INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  entry   TEXT    NOT NULL
) STRICT;
INSERT INTO journal VALUES(1,1,'{"sequence":1,"time":"2026-03-02T08:00:00Z","plan":{"title":"Pull the cable of Ethernet 7","operations":[{"kind":"pull-cable","operation":{"connection":"Ethernet 7"}}]},"inverse":{"title":"","operations":[]}}');
CREATE TABLE layout (
  screen TEXT    NOT NULL,
  name   TEXT    NOT NULL,
  data   BLOB    NOT NULL,
  saved  INTEGER NOT NULL,
  PRIMARY KEY (screen, name)
) STRICT, WITHOUT ROWID;
INSERT INTO layout VALUES('counters','mine',X'7b2261223a317d',1772438400000000000);
CREATE TABLE setting (
  key   TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO setting VALUES('session.highest','1');
CREATE TABLE series_list (
  id   INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE, -- SHA-256 of the list before it is deflated
  data BLOB NOT NULL
) STRICT;
INSERT INTO series_list VALUES(1,X'f8a0dfa0973c11e0c81af538bf1fb198d2e6c94f2d6f30787e4cf1ed50faf3ad',X'6212f44b2d29cf2fca56f0cc2b492d4a4b4c4ee5722dc9482dca4b2d5130e074ce2f05092b18b0265596a416338040c385db87bf10a9cf10aa8f9111a60f100000ffff');
CREATE TABLE host (
  id       INTEGER PRIMARY KEY,
  lab_hash TEXT    NOT NULL,
  seed     INTEGER NOT NULL,
  name     TEXT    NOT NULL,
  elapsed  INTEGER NOT NULL,
  time     INTEGER NOT NULL,
  saved    INTEGER NOT NULL,
  version  TEXT    NOT NULL,
  state    BLOB    NOT NULL,
  UNIQUE (lab_hash, seed)
) STRICT;
INSERT INTO host VALUES(1,'abc',7,'lab',0,0,1772438400000000000,'',X'2a2e492c4905040000ffff');
CREATE TABLE draft (
  lab_hash TEXT    NOT NULL,
  seed     INTEGER NOT NULL,
  name     TEXT    NOT NULL,
  plan     TEXT    NOT NULL,
  saved    INTEGER NOT NULL,
  PRIMARY KEY (lab_hash, seed, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE profile (
  name  TEXT    NOT NULL COLLATE NOCASE PRIMARY KEY,
  data  TEXT    NOT NULL,
  saved INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE favourite (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE begun (
  id       INTEGER PRIMARY KEY,
  lab_hash TEXT    NOT NULL,
  seed     INTEGER NOT NULL,
  newest   INTEGER NOT NULL,
  plan     TEXT    NOT NULL,
  time     INTEGER NOT NULL
) STRICT;
CREATE TABLE kept_host (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  lab_hash TEXT    NOT NULL,
  seed     INTEGER NOT NULL,
  name     TEXT    NOT NULL,
  elapsed  INTEGER NOT NULL,
  time     INTEGER NOT NULL,
  saved    INTEGER NOT NULL,
  version  TEXT    NOT NULL,
  state    BLOB    NOT NULL,
  kept     INTEGER NOT NULL,
  why      TEXT    NOT NULL
) STRICT;
CREATE TABLE mark (
  id      INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  started INTEGER NOT NULL,
  ended   INTEGER NOT NULL,
  text    TEXT    NOT NULL,
  made    INTEGER NOT NULL
) STRICT;
CREATE TABLE tag (
  session INTEGER NOT NULL,
  name    TEXT    NOT NULL COLLATE NOCASE,
  PRIMARY KEY (session, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE snapshot (
  id      INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  time    INTEGER NOT NULL,
  state   BLOB    NOT NULL
) STRICT;
CREATE TABLE level (
  id           INTEGER PRIMARY KEY,
  session      INTEGER NOT NULL,
  step         INTEGER NOT NULL,
  started      INTEGER NOT NULL,
  ended        INTEGER NOT NULL,
  samples      INTEGER NOT NULL,
  cells        INTEGER NOT NULL,
  first_window INTEGER NOT NULL,
  first_row    INTEGER NOT NULL,
  next_window  INTEGER NOT NULL,
  next_row     INTEGER NOT NULL,
  finer        INTEGER NOT NULL DEFAULT 1,
  parent       INTEGER NOT NULL DEFAULT 0,
  rows         BLOB    NOT NULL
) STRICT;
CREATE TABLE summary (
  place INTEGER PRIMARY KEY,
  data  BLOB NOT NULL
) STRICT;
DELETE FROM sqlite_sequence;
CREATE INDEX clock_of_session ON clock (session, ended);
CREATE INDEX generation_of_session ON generation (session);
CREATE INDEX event_of_session ON event (session);
CREATE INDEX journal_of_session ON journal (session);
CREATE INDEX host_saved ON host (saved);
CREATE INDEX mark_of_session ON mark (session, started);
CREATE INDEX snapshot_of_session ON snapshot (session, time);
CREATE INDEX level_of_session ON level (session, ended);
COMMIT;
