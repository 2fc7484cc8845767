package counters

import (
	"context"
	"time"

	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

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

// moments are the moments of the open session, none for a log.
func (s *Screen) moments() []deck.Moment {
	if opened := s.deck.Opened(); opened != nil {
		return opened.Moments()
	}
	return nil
}

// momentLook is how a moment looks on the seek bar.
func momentLook(g *themes.Glyphs, kind deck.MomentKind) (rune, themes.Role) {
	switch kind {
	case deck.ChangeMoment:
		return g.Pending, themes.Pending
	case deck.NoteMoment:
		return g.Edited, themes.Accent
	default:
		return g.Marker, themes.Info
	}
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
		s.drawRangeOnBar(bar, from, length)
		for _, m := range s.moments() {
			glyph, role := momentLook(g, m.Kind)
			bar.Set(int(float64(m.At.Sub(from))/float64(length)*float64(bar.Width-1)), 0, glyph, themes.Style{Role: role})
		}
		bar.Set(max(0, min(place, bar.Width-1)), 0, g.Up, attention)
	}
	bar.Zone(0, 0, bar.Width, 1, zoneSeek, 0)
	area.Print(end, 0, right, muted)
}
