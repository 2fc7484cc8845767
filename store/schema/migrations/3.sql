-- Version 3: what the cells of a session mean is one packed list, which sessions with the same series share. The table
-- that had a row for each series of each session is read and dropped when the lists are made of it.
CREATE TABLE series_list (
  id   INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE, -- SHA-256 of the list before it is deflated
  data BLOB NOT NULL
) STRICT;

-- 0 as long as the session has no series.
ALTER TABLE session ADD COLUMN list INTEGER NOT NULL DEFAULT 0;
