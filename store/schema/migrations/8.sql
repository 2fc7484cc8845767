-- Version 8: samples summed up by minute and by hour.

-- A block of rows of a level, each row a minute (step 60,000,000,000) or an hour, of at most an hour of minutes or a day of hours.
-- Its samples begin at row first_row of window first_window and end before row next_row of window next_window. finer says that
-- what it was made of is still there: samples, or minutes. parent is the block of hours that a block of minutes went into, 0 for
-- none.
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
CREATE INDEX level_of_session ON level (session, ended);

-- The cells of a block, in groups as in chunk: place is level.id x 65536 + number of the group.
CREATE TABLE summary (
  place INTEGER PRIMARY KEY,
  data  BLOB NOT NULL
) STRICT;
