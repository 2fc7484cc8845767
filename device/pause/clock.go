package pause

// Priorities is the number of priorities of a port.
const Priorities = 8

// quantumBits is the unit of pause times: 512 bit times of the link (802.3 annex 31B).
const quantumBits = 512

// MaxQuanta is the longest pause of a frame; one of 0 quanta ends a pause.
const MaxQuanta = 65535

// Duration returns how long so many quanta stop a link of a rate in bits per second, in microseconds (QOS-3).
func Duration(quanta int, rate float64) float64 { return float64(quanta) * quantumBits / rate * 1e6 }

// Clock is how long each priority of a sender is paused, as instants in microseconds on the clock of the caller. The
// zero value is paused up to 0.
type Clock [Priorities]float64

// Take obeys a pause frame that arrives at an instant with a duration in microseconds. A later frame replaces an earlier one, and a
// duration of 0 resumes at once.
func (c *Clock) Take(f Frame, now, duration float64) {
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

// Held returns how much of the time between two instants a priority is paused, in microseconds: never more than all of it.
func (c *Clock) Held(priority uint8, from, to float64) float64 {
	return max(0, min(c[priority], to)-from)
}
