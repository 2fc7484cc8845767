package monitor

import (
	"context"
	"fmt"
	"time"
)

// span is a part of a recording; the zero span is empty.
type span struct{ from, to time.Time }

func (s span) isEmpty() bool { return !s.from.Before(s.to) }

// Repeat plays the range between two times of a recording in a loop. If from is not before to, the repetition ends; seeking to
// a time outside the range ends it, too.
func (m *Monitor) Repeat(from, to time.Time) error {
	if !m.seekable {
		return fmt.Errorf("%w: %s runs in its own time; only a range of a recording can be repeated", ErrNotPossible, m.Status().Info.Name)
	}
	if from.Before(m.from) {
		from = m.from
	}
	if to.After(m.to) {
		to = m.to
	}
	m.set(func(s *settings) {
		if s.repeated = (span{from, to}); s.repeated.isEmpty() {
			s.repeated = span{}
		}
	})
	return nil
}

// leaveRepeated ends the repetition when a time is outside of it.
func (m *Monitor) leaveRepeated(at time.Time) {
	status := m.Status()
	if status.RepeatFrom.Before(status.RepeatTo) && (at.Before(status.RepeatFrom) || at.After(status.RepeatTo)) {
		m.set(func(s *settings) { s.repeated = span{} })
	}
}

// atRepeat reports whether the recording is at the end of the repeated range.
func (o *owner) atRepeat() bool {
	return !o.repeated.isEmpty() && o.count > 0 && !o.newest().Before(o.repeated.to)
}

// newest returns the time of the newest column; call it only if there is one.
func (o *owner) newest() time.Time { return o.pair[(o.count+1)%2].Time }

// restartRepeated seeks the beginning of the repeated range. If the range has no sample, it ends the repetition, which would
// loop without an end.
func (o *owner) restartRepeated(ctx context.Context) error {
	repeated := o.repeated
	if err := o.seek(ctx, repeated.from); err != nil {
		return err
	}
	if o.count == 0 || !o.newest().Before(repeated.to) {
		o.repeated = span{}
		o.set(func(s *settings) { s.repeated = span{} })
	}
	return nil
}
