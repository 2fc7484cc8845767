package counters

import (
	"time"

	"cxdeck/ui"
	"cxdeck/views/deck"
)

// seekable returns the span of the shown recording; ok is false for a live source.
func (s *Screen) seekable() (from, to time.Time, ok bool) {
	if s.monitor == nil {
		return
	}
	return s.monitor.Seekable()
}

// seek moves the replay outside the terminal loop, and follows its position.
func (s *Screen) seek(to time.Time) ui.Cmd {
	s.time.End, s.time.Frozen = time.Time{}, false
	s.changes++
	return s.deck.Seek(to)
}

// moments returns the moments of the open session; none for a log.
func (s *Screen) moments() []deck.Moment {
	if opened := s.deck.Opened(); opened != nil {
		return opened.Moments()
	}
	return nil
}

// atEnd reports whether the replay is at the end of the recording.
func (s *Screen) atEnd() bool {
	_, to, _ := s.seekable()
	return s.status.Ended || !s.status.Now.Before(to)
}

// playName names the effect of the play key.
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
