-- Version 2: the operator's note on a session, and a quick way to what belongs to one.
ALTER TABLE session ADD COLUMN note TEXT NOT NULL DEFAULT '';

CREATE INDEX clock_of_session ON clock (session, ended);
CREATE INDEX generation_of_session ON generation (session);
CREATE INDEX event_of_session ON event (session);
CREATE INDEX journal_of_session ON journal (session);
