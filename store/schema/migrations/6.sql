-- Version 6: hosts that were set aside because they could not be read, or because another one was put in their place.
-- They stay until somebody restores them. kept is when that was, by the machine's clock, and why says the reason.
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
