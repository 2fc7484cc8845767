package monitor

import (
	"fmt"
	"time"
)

// MaxSkip is the longest time that SkipUntil skips.
const MaxSkip = 24 * time.Hour

// SkipUntil skips the time of a lab until a given time, also while it is paused. Its samples are the same as at any speed, up to the
// first sample at or after that time; the monitor serves requests in between. StopSkipping ends it early.
func (m *Monitor) SkipUntil(until time.Time) error {
	if !m.operable {
		return fmt.Errorf("%w: only the time of a lab can be skipped", ErrNotPossible)
	}
	m.mutex.Lock()
	now := m.status.Now
	ahead := until.Sub(now)
	if ahead > 0 && ahead <= MaxSkip {
		m.settings.until = until
		m.status.SkipFrom, m.status.SkipTo = now, until
	}
	m.mutex.Unlock()
	switch {
	case ahead <= 0:
		return fmt.Errorf("it is %s already", now.Format("15:04:05"))
	case ahead > MaxSkip:
		return fmt.Errorf("%s is more than %s ahead", until.Format(time.DateTime), MaxSkip)
	}
	signal(m.wake)
	signal(m.updates)
	return nil
}

// StopSkipping returns to the set speed.
func (m *Monitor) StopSkipping() {
	m.mutex.Lock()
	m.settings.until = time.Time{}
	m.status.SkipFrom, m.status.SkipTo = time.Time{}, time.Time{}
	m.mutex.Unlock()
	signal(m.wake)
	signal(m.updates)
}

// skipping reports whether columns are taken without waiting.
func (o *owner) skipping() bool { return !o.until.IsZero() }

// startSkip sets the end of the skipped time from the settings; zero ends the skipping.
func (o *owner) startSkip(until time.Time) {
	if was := o.until; !was.IsZero() && until.IsZero() {
		o.pace.resume(time.Now())
	}
	o.until = until
}

// endSkip ends the skipping once its end is reached or the source has ended.
func (o *owner) endSkip(now time.Time) {
	if !o.skipping() || !o.over && o.Status().Now.Before(o.until) {
		return
	}
	o.mutex.Lock()
	if o.settings.until.Equal(o.until) { // no other end was requested meanwhile
		o.settings.until = time.Time{}
		o.status.SkipFrom, o.status.SkipTo = time.Time{}, time.Time{}
	}
	o.mutex.Unlock()
	o.until = time.Time{}
	o.pace.resume(now)
}
