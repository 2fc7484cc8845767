package dcqcn

import "math"

// Flow is the reaction point of one queue pair (DCQ-3). The zero value is unlimited. Its methods take times that never
// decrease, and always the Control of its port; before a change of the Control, call Advance with the old one.
//
// At the same time the alpha window is processed first, then the monitor window, the timer, and last the arriving packets
// (DCQ-13). Windows without a change are skipped: alpha is updated when it is read.
type Flow struct {
	current, target, alpha float64
	sinceIncrease          int64
	// Starts of the running alpha window, monitor window and timer.
	alphaFrom, monitorFrom, timerFrom int64
	// A recovery ends at the line rate long before its stages overflow an int32.
	byteStage, timeStage int32
	limited              bool
	// A CNP arrived in this alpha window, in this monitor window.
	alphaMoves, cuts bool
}

// Rate returns the allowed rate of the flow, in Mbit/s.
func (f *Flow) Rate(c *Control) float64 {
	if !f.limited {
		return c.lineRate
	}
	return min(f.current, c.lineRate)
}

// Limited reports whether the flow has a rate limiter.
func (f *Flow) Limited() bool { return f.limited }

// State returns the state of the flow at a time.
func (f *Flow) State(c *Control, now int64) State {
	f.Advance(c, now)
	return f.state(c, now)
}

func (f *Flow) state(c *Control, now int64) State {
	if !f.limited {
		return State{Current: c.lineRate, Target: c.lineRate}
	}
	f.applyTimers(c, now)
	return State{
		Limited: true, Current: f.current, Target: f.target, Alpha: f.alpha,
		ByteStage: int(f.byteStage), TimeStage: int(f.timeStage), BytesSinceIncrease: f.sinceIncrease,
	}
}

// Advance processes windows and timers up to and including a time.
func (f *Flow) Advance(c *Control, now int64) {
	for f.limited {
		timer := f.timerFrom + c.timer
		if f.cuts {
			if end := f.monitorFrom + c.period; end <= timer && end <= now {
				f.cut(c, end)
				continue
			}
		}
		if timer > now {
			return
		}
		f.timerFrom = timer
		f.increase(c, timer, TimerIncrease)
	}
}

// Notify handles a CNP that arrives at a time. The first one sets up the limiter (DCQ-4); later ones only affect the windows in
// which they arrive (DCQ-5).
func (f *Flow) Notify(c *Control, now int64) {
	if c.off {
		return
	}
	f.Advance(c, now)
	if !f.limited {
		*f = Flow{
			current: c.firstRate, target: c.firstRate, alpha: c.initial, limited: true,
			alphaFrom: now, monitorFrom: now, timerFrom: now,
		}
		f.notify(c, now, FirstNotification, NoPhase)
		return
	}
	f.applyTimers(c, now)
	f.monitorFrom += windows(now-f.monitorFrom, c.period) * c.period // windows without a CNP have no effect
	f.alphaMoves, f.cuts = true, true
}

// Sent reports the bytes that the flow sent up to a time. Many bytes at once may cause several increases (DCQ-9).
func (f *Flow) Sent(c *Control, now, bytes int64) {
	f.Advance(c, now)
	if !f.limited {
		return
	}
	f.sinceIncrease += bytes
	for f.limited && f.sinceIncrease >= c.bytes {
		f.sinceIncrease -= c.bytes
		f.increase(c, now, ByteIncrease)
	}
}

// Pause lets the flow stand still for a time in microseconds, as if the time had not passed.
func (f *Flow) Pause(span int64) {
	if f.limited {
		f.alphaFrom += span
		f.monitorFrom += span
		f.timerFrom += span
	}
}

// applyTimers updates alpha for the windows that ended up to a time (DCQ-6). A CNP can only belong to the first of them.
func (f *Flow) applyTimers(c *Control, now int64) {
	ended := windows(now-f.alphaFrom, c.window)
	if ended == 0 {
		return
	}
	f.alphaFrom += ended * c.window
	if f.alphaMoves {
		f.alpha = min(f.alpha*c.keep+c.gain, maxAlpha)
		f.alphaMoves = false
		ended--
	}
	f.alpha *= power(c.keep, ended)
}

// windows returns the number of windows of a length in a span. Most spans are short, and dividing 32-bit numbers is several
// times faster.
func windows(span, length int64) int64 {
	switch {
	case span < length:
		return 0
	case span <= math.MaxUint32: // the length is not longer
		return int64(uint32(span) / uint32(length))
	}
	return span / length
}

// power returns x to the power of n.
func power(x float64, n int64) float64 {
	result := 1.0
	for ; n > 0 && result > 0; n >>= 1 {
		if n&1 == 1 {
			result *= x
		}
		x *= x
	}
	return result
}

// cut ends a monitor window with a CNP (DCQ-7, DCQ-8).
func (f *Flow) cut(c *Control, now int64) {
	f.applyTimers(c, now)
	if c.clamp || f.byteStage > 0 || c.clampAfterTimer && f.timeStage > 0 {
		f.target = f.current
	}
	f.current = max((1-f.alpha*c.cutShare)*f.current, f.current*c.keepShare, c.minRate)
	f.byteStage, f.timeStage, f.sinceIncrease = 0, 0, 0
	f.monitorFrom, f.timerFrom, f.cuts = now, now, false
	f.notify(c, now, Cut, NoPhase)
}

// increase does one step of recovery (DCQ-10, DCQ-11), and the release at its end (DCQ-12).
func (f *Flow) increase(c *Control, now int64, cause Cause) {
	phase := FastRecovery
	switch {
	case min(f.byteStage, f.timeStage) > c.threshold:
		phase = HyperAdditiveIncrease
		f.target += c.hyper
	case max(f.byteStage, f.timeStage) >= c.threshold:
		phase = AdditiveIncrease
		f.target += c.additive
	}
	f.target = min(f.target, c.lineRate)
	f.current = (f.current + f.target) / 2
	if cause == TimerIncrease {
		f.timeStage++
	} else {
		f.byteStage++
	}
	if f.current > c.lineRate-1 {
		*f = Flow{}
		cause = Release
	}
	f.notify(c, now, cause, phase)
}

// notify reports an event to Watch.
func (f *Flow) notify(c *Control, now int64, cause Cause, phase Phase) {
	if c.Watch != nil {
		c.Watch(Event{At: now, Cause: cause, Phase: phase, State: f.state(c, now)})
	}
}
