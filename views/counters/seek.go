package counters

import (
	"context"
	"slices"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// speeds are the paces of a recording.
var speeds = []float64{0.1, 0.25, 0.5, 1, 2, 5, 10, 50, 100, 1000}

// sessionEvents are the times of a recorded session's events and changes, also of the ones not played yet.
type sessionEvents struct {
	session int64
	times   []time.Time
}

// sessionEventsMsg brings them.
type sessionEventsMsg struct {
	session int64
	times   []time.Time
}

func (e *sessionEvents) take(msg sessionEventsMsg) {
	if msg.session == e.session {
		e.times = msg.times
	}
}

// readSessionEvents reads the events of the open session, so that one can jump to them.
func (s *Screen) readSessionEvents() ui.Cmd {
	session, ok := s.deck.ReplaySession()
	if !ok || s.deck.DB == nil {
		return nil
	}
	s.events.session = session.ID
	db := s.deck.DB
	var changes []time.Time
	if opened := s.deck.Opened(); opened != nil {
		for i := range opened.Journal {
			changes = append(changes, opened.Journal[i].Time)
		}
	}
	return ui.Background("read the session's events", func(ctx context.Context) ui.Msg {
		events, err := db.SessionEvents(ctx, session.ID)
		if err != nil {
			events = nil // the played ones are shown anyway
		}
		return sessionEventsMsg{session.ID, timesOf(events, changes)}
	})
}

// timesOf are the times of events and changes, each once: a change is an event too, mostly.
func timesOf(events []eventlog.Event, changes []time.Time) []time.Time {
	times := slices.Clone(changes)
	for i := range events {
		times = append(times, events[i].Time)
	}
	slices.SortFunc(times, time.Time.Compare)
	return slices.CompactFunc(times, time.Time.Equal)
}

// movedMsg says that the recording has moved.
type movedMsg struct {
	to  time.Time
	err error
}

// seekable is the span of the recording that shows; ok is false for what is live.
func (s *Screen) seekable() (from, to time.Time, ok bool) {
	if s.monitor == nil {
		return
	}
	return s.monitor.Seekable()
}

// seek moves the recording beside the terminal loop. While it moves, the newest wish waits until it has moved.
func (s *Screen) seek(to time.Time) ui.Cmd {
	from, end, ok := s.seekable()
	if !ok {
		return nil
	}
	if to.Before(from) {
		to = from
	}
	if to.After(end) {
		to = end
	}
	s.sought = to
	if s.seeking {
		return nil
	}
	monitor := s.monitor
	s.seeking = true
	s.time.end, s.time.frozen = time.Time{}, false
	return ui.Background("move the recording", func(ctx context.Context) ui.Msg {
		return movedMsg{to, monitor.Seek(ctx, to)}
	})
}

// takeMove follows a move.
func (s *Screen) takeMove(msg movedMsg) ui.Cmd {
	wanted := s.sought
	s.seeking, s.sought = false, time.Time{}
	s.changes++
	if msg.err != nil {
		return ui.Toast(ui.Failure, "The replay could not be moved: "+msg.err.Error())
	}
	cmd := s.takeData()
	if !wanted.IsZero() && !wanted.Equal(msg.to) {
		return ui.Batch(cmd, s.seek(wanted))
	}
	return cmd
}

// eventsAround are the last event before a time and the first one after it, zero where there is none.
func (s *Screen) eventsAround(now time.Time) (before, after time.Time) {
	i, _ := slices.BinarySearchFunc(s.events.times, now, time.Time.Compare)
	if i > 0 {
		before = s.events.times[i-1]
	}
	for ; i < len(s.events.times); i++ {
		if s.events.times[i].After(now) {
			return before, s.events.times[i]
		}
	}
	return before, time.Time{}
}

// atEnd says whether the recording has nothing more to play.
func (s *Screen) atEnd() bool {
	_, to, _ := s.seekable()
	return s.status.Ended || !s.status.Now.Before(to)
}

// playName is what play would do.
func (s *Screen) playName() string {
	switch {
	case s.atEnd():
		return "play again"
	case s.status.Paused:
		return "play"
	default:
		return "pause"
	}
}

// play resumes or pauses the replay, or restarts it at the recording's end.
func (s *Screen) play() ui.Cmd {
	paused := s.status.Paused || s.atEnd()
	if err := s.monitor.SetPaused(!paused); err != nil {
		return ui.Toast(ui.Caution, err.Error())
	}
	if s.atEnd() {
		from, _, _ := s.seekable()
		return s.seek(from)
	}
	s.status = s.monitor.Status()
	return nil
}

// changeSpeed goes to the next pace up or down.
func (s *Screen) changeSpeed(direction int) ui.Cmd {
	next := s.status.Speed
	for _, speed := range speeds {
		if direction > 0 && speed > s.status.Speed {
			next = speed
			break
		}
		if direction < 0 && speed < s.status.Speed {
			next = speed
		}
	}
	if err := s.monitor.SetSpeed(next); err != nil {
		return ui.Toast(ui.Caution, err.Error())
	}
	s.status = s.monitor.Status()
	return nil
}

// hitSeek moves the recording to where the bar was pressed.
func (s *Screen) hitSeek(hit ui.HitMsg) ui.Cmd {
	from, to, ok := s.seekable()
	if !ok || hit.Width < 2 || hit.Button != ui.Press && hit.Button != ui.Release {
		return nil
	}
	part := float64(hit.X) / float64(hit.Width-1)
	return s.seek(from.Add(time.Duration(part * float64(to.Sub(from)))))
}

// drawSeek draws the recording's bar: state, time, where it stands, how long it is, pace.
func (s *Screen) drawSeek(area widget.Area) {
	from, to, ok := s.seekable()
	if !ok || area.Height == 0 {
		return
	}
	g := area.Glyphs()
	state := "playing"
	switch {
	case s.seeking:
		state = "moving"
	case s.status.Ended:
		state = "at the end"
	case s.status.Paused:
		state = "paused"
	}
	x := area.Print(1, 0, widget.Pad(string(g.Replay)+" "+state, 13), attention)
	x = area.Print(x, 0, s.clock(from)+" ", muted)
	right := s.clock(to) + "  x" + scaleText(s.status.Speed)
	end := area.Width - widget.Width(right) - 1
	bar := area.Sub(x, 0, end-x-1, 1)
	bar.Horizontal(0, g.Horizontal, themes.Style{Role: themes.Border})
	if length := to.Sub(from); length > 0 && bar.Width > 0 {
		place := int(float64(s.status.Now.Sub(from)) / float64(length) * float64(bar.Width-1))
		for n := range max(0, min(place, bar.Width)) {
			bar.Set(n, 0, g.Line, attention)
		}
		for _, at := range s.events.times {
			bar.Set(int(float64(at.Sub(from))/float64(length)*float64(bar.Width-1)), 0, g.Marker, themes.Style{Role: themes.Info})
		}
		bar.Set(max(0, min(place, bar.Width-1)), 0, g.Up, attention)
	}
	bar.Zone(0, 0, bar.Width, 1, zoneSeek, 0)
	area.Print(end, 0, right, muted)
}
