-- Version 4: hosts of labs as they were left, so that the next run goes on there. A lab and a seed have one host.
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

CREATE INDEX host_saved ON host (saved);
