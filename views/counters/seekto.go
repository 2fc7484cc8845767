package counters

import (
	"time"

	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/notes"
)

// place returns the position of the replay; while it seeks, the time that it seeks to.
func (s *Screen) place() time.Time {
	if s.deck.Seeking() {
		return s.deck.Position()
	}
	return s.status.Now
}

// moveOr makes the Run of an action that seeks to a time in a recording, or calls live for a live source.
func (s *Screen) moveOr(recorded bool, to time.Time, live func()) func() ui.Cmd {
	if recorded {
		return func() ui.Cmd { return s.seek(to) }
	}
	return s.moveInTime(live)
}

// replayActions returns the actions that play a recording and seek in it; none for a live source.
func (s *Screen) replayActions() []ui.Action {
	if _, _, ok := s.seekable(); !ok {
		return nil
	}
	list := []ui.Action{
		{ID: "counters.play", Keys: []string{" "}, Name: s.playName(), Disabled: disabledUnless(!s.deck.Seeking(), "the recording is being moved"),
			Help: "Play the recording, or pause it; at its end, play it again", Run: s.play},
	}
	return append(list, s.deck.PaceActions(ID, s.place(), s.seek)...)
}

// cursorTime returns the cursor's time; without a cursor, the position of the replay or the end of the graph.
func (s *Screen) cursorTime() time.Time {
	if !s.time.Cursor.IsZero() {
		return s.time.Cursor
	}
	if s.time.Frozen {
		return s.time.End
	}
	return s.place()
}

// noteAction writes a note at the cursor's time, or opens the notes that are there.
func (s *Screen) noteAction() ui.Action {
	return notes.Action(s.deck, ID, s.cursorTime().In(s.location))
}

// askTime asks for a time, and seeks to it or moves the cursor there.
func (s *Screen) askTime() ui.Cmd {
	from, to, recorded := s.seekable()
	if !recorded {
		from, to = s.timeRange()
	}
	oldest := from
	if s.deck.CannotGoBack() == "" {
		from = to.Add(-pastLength)
	}
	now := s.status.Now
	if recorded {
		now = s.place()
	} else if !s.time.Cursor.IsZero() {
		now = s.time.Cursor
	}
	return deck.AskTime(now.In(s.location), from, to, func(at time.Time) ui.Cmd {
		if recorded {
			return s.seek(at)
		}
		if at.Before(oldest) {
			return s.goBack(at)
		}
		s.moveCursorTo(at)
		return s.readPast()
	})
}
