-- Version 9: the sessions that are about a twin: the real host, and the number of facts that no export of it had.
CREATE TABLE twin (
  id      INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  host    TEXT    NOT NULL,
  assumed INTEGER NOT NULL
) STRICT;
CREATE INDEX twin_of_session ON twin (session);
