package pause

// Priorities is the number of priorities of a port.
const Priorities = 8

// quantumBits is the unit of pause times: 512 bit times of the link (802.3 annex 31B).
const quantumBits = 512

// MaxQuanta is the longest pause of a frame; a frame with 0 quanta ends a pause.
const MaxQuanta = 65535

// Duration converts pause quanta to microseconds on a link with a rate in bits per second (QOS-3).
func Duration(quanta int, rate float64) float64 { return float64(quanta) * quantumBits / rate * 1e6 }

// Clock holds the time until which each priority of a sender is paused, in microseconds on the clock of the caller. The zero
// value is paused until 0.
type Clock [Priorities]float64

// Receive applies a pause frame that arrives at time now, with a duration in microseconds. A later frame replaces an earlier one, and
// a duration of 0 resumes at once.
func (c *Clock) Receive(f Frame, now, duration float64) {
	priorities := f.Priorities
	switch f.Mode {
	case Off:
		return
	case Global:
		priorities = everyPriority
	case PerPriority:
	}
	for priority := range c {
		if priorities>>priority&1 == 1 {
			c[priority] = now + duration
		}
	}
}

// Held returns the paused time of a priority between two times, in microseconds, at most to-from.
func (c *Clock) Held(priority uint8, from, to float64) float64 {
	return max(0, min(c[priority], to)-from)
}
