package monitor

import "time"

// pace schedules the columns of a monitor by the wall clock.
type pace struct {
	interval time.Duration
	speed    float64
	paused   bool
	live     bool
	// ahead is the source time from the previous column to the next one: the interval, except with QuickStart.
	ahead time.Duration
	// step is the period that the previous column aggregates, 0 for a sample.
	step time.Duration
	// last is the time at which the previous column was due, zero before the first column; due is the time of the next one.
	last, due time.Time
}

// set applies new settings and schedules the next column as if they had applied since the previous one.
func (p *pace) set(s settings, now time.Time) {
	if p.interval == s.interval && p.speed == s.speed && p.paused == s.paused {
		return
	}
	if p.interval != s.interval {
		p.ahead = s.interval
	}
	p.interval, p.speed, p.paused = s.interval, s.speed, s.paused
	p.due = now
	if due := p.last.Add(p.wallTime(p.holdTime())); !p.last.IsZero() && due.After(now) {
		p.due = due
	}
}

// wallTime converts source time to wall time.
func (p *pace) wallTime(length time.Duration) time.Duration {
	if p.live {
		return length
	}
	return time.Duration(float64(length) / p.speed)
}

// holdTime returns the source time that the previous column represents.
func (p *pace) holdTime() time.Duration { return max(p.ahead, p.step) }

// begin is called when a column is taken, and returns the expected time since the previous column. A live machine that
// could not be read in time continues at the next full interval, so that samples stay on one grid.
func (p *pace) begin(now time.Time) (expected time.Duration) {
	expected = p.ahead
	if p.live {
		if !p.last.IsZero() {
			expected = p.due.Sub(p.last)
		}
		if late := now.Sub(p.due); late >= p.interval {
			p.due = p.due.Add(late.Truncate(p.interval))
		}
	}
	return expected
}

// end is called after a column was taken; ahead is the source time until the next one, and step the period that the column sums
// up, 0 for a sample. At speed 1 a minute takes a minute, whether it has 60 samples or one row.
func (p *pace) end(ahead, step time.Duration) {
	p.ahead, p.step = ahead, step
	p.last = p.due
	p.due = p.due.Add(p.wallTime(p.holdTime()))
}

// restart is called after a seek: the next column is due when the time of the current one has passed.
func (p *pace) restart(now time.Time, step time.Duration) {
	p.due = now
	p.end(p.interval, step)
}

// resume is called after columns were taken without a schedule: the schedule continues from now.
func (p *pace) resume(now time.Time) {
	p.last, p.due = now, now.Add(p.wallTime(p.holdTime()))
}

// resetSchedule is called when the source can't keep up with the speed: its time then passes as fast as possible, and the delay
// is not caught up. A live machine misses samples instead.
func (p *pace) resetSchedule(now time.Time) {
	if !p.live {
		p.due = now
	}
}

// missed returns the number of samples of a live machine that are missing between two samples. A difference of less than
// half an interval is jitter.
func missed(between, expected, interval time.Duration) int {
	return max(int((between-expected+interval/2)/interval), 0)
}
