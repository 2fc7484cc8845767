package monitor

import "time"

// pace says when the owner of a monitor takes columns, by the wall clock.
type pace struct {
	interval time.Duration
	speed    float64
	paused   bool
	live     bool
	// ask is the source's time from the column before to the next one: the interval, but at the start.
	ask time.Duration
	// last is when the column before was due, zero when there was none; due is when the next one is.
	last, due time.Time
}

// set takes over new settings. The next column comes as if they had been so since the last one.
func (p *pace) set(s settings, now time.Time) {
	if p.interval == s.interval && p.speed == s.speed && p.paused == s.paused {
		return
	}
	if p.interval != s.interval {
		p.ask = s.interval
	}
	p.interval, p.speed, p.paused = s.interval, s.speed, s.paused
	p.due = now
	if due := p.last.Add(p.wall(p.ask)); !p.last.IsZero() && due.After(now) {
		p.due = due
	}
}

// wall is how long a stretch of the source's time takes.
func (p *pace) wall(stretch time.Duration) time.Duration {
	if p.live {
		return stretch
	}
	return time.Duration(float64(stretch) / p.speed)
}

// begin is called when a column is taken: it gives the time that should lie between it and the one before. A live
// machine that could not be read in time goes on at the next full interval, so that samples stay on one grid.
func (p *pace) begin(now time.Time) (expected time.Duration) {
	expected = p.ask
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

// end is called when a column was taken, with the source's time to the next.
func (p *pace) end(ask time.Duration) {
	p.ask = ask
	p.last = p.due
	p.due = p.due.Add(p.wall(ask))
}

// restart is called when the source was moved to another time: the next column comes an interval from now.
func (p *pace) restart(now time.Time) {
	p.ask, p.last, p.due = p.interval, now, now.Add(p.wall(p.interval))
}

// resume is called when columns came at other times than the pace says: the next one comes at its pace from now.
func (p *pace) resume(now time.Time) {
	p.last, p.due = now, now.Add(p.wall(p.ask))
}

// slip is called when the source is slower than the speed asked of it: its time passes as fast as it can. A live
// machine misses samples instead.
func (p *pace) slip(now time.Time) {
	if !p.live {
		p.due = now
	}
}

// missed is how many samples should have come between two of a live machine, and did not. What is under half an
// interval is the machine's jitter.
func missed(between, expected, interval time.Duration) int {
	return max(int((between-expected+interval/2)/interval), 0)
}
