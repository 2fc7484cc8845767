// Package dropless models the time limit of dropless mode: how long a packet without a receive descriptor waits for one (model
// rules RES-4 and RES-5). The mode itself, with its counters and events, belongs to the lab and the host.
package dropless

// Unit is the unit of DelayDropTimeout in microseconds.
const Unit = 100

// Unlimited is the DelayDropTimeout of WinOF without a time limit.
const Unlimited = 65535

// The values of DelayDropTimeout of WinOF-2: the default, which also replaces values out of range, and the largest one.
const (
	defaultWinOF2 = 50
	maxWinOF2     = 100
)

// timerError is the largest error of the timer of WinOF, in units.
const timerError = 2

// Timer is a valid DelayDropTimeout.
type Timer struct {
	// Units is the value that the driver uses.
	Units int
	// Error is how much sooner or later than Limit the timer may expire, in microseconds.
	Error int
}

// WinOF returns the timer of a ConnectX-3 port. A value out of range disables the mode, like 0.
func WinOF(value int64) Timer {
	if value <= 0 || value > Unlimited {
		return Timer{}
	}
	if value == Unlimited {
		return Timer{Units: Unlimited}
	}
	return Timer{Units: int(value), Error: timerError * Unit}
}

// WinOF2 returns the timer of a port of ConnectX-4 or later.
func WinOF2(value int64) Timer {
	if value < 0 || value > maxWinOF2 {
		value = defaultWinOF2
	}
	return Timer{Units: int(value)}
}

// Enabled reports whether the mode can be entered.
func (t Timer) Enabled() bool { return t.Units > 0 }

// Infinite reports whether packets wait without limit.
func (t Timer) Infinite() bool { return t.Units == Unlimited }

// Limit is the longest wait in microseconds.
func (t Timer) Limit() int { return t.Units * Unit }

// Expires reports whether a wait of this many microseconds ends the mode.
func (t Timer) Expires(waited float64) bool {
	return !t.Infinite() && waited > float64(t.Limit())
}
