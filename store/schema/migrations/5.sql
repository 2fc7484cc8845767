-- Version 5: what the operator gathers and names for changing hosts, and the changes that were begun.

-- Plans that are being gathered. name tells several drafts of one host apart.
CREATE TABLE draft (
  lab_hash TEXT    NOT NULL,
  seed     INTEGER NOT NULL,
  name     TEXT    NOT NULL,
  plan     TEXT    NOT NULL,
  saved    INTEGER NOT NULL,
  PRIMARY KEY (lab_hash, seed, name)
) STRICT, WITHOUT ROWID;

-- Named sets of registry values.
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

-- Changes of a host that were begun and of which it is not known yet that they ended. newest is the newest entry of the
-- host's journal when the change began.
CREATE TABLE begun (
  id       INTEGER PRIMARY KEY,
  lab_hash TEXT    NOT NULL,
  seed     INTEGER NOT NULL,
  newest   INTEGER NOT NULL,
  plan     TEXT    NOT NULL,
  time     INTEGER NOT NULL
) STRICT;
