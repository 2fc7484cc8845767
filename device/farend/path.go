package farend

import (
	"cxdeck/device/counter"
	"cxdeck/device/pause"
)

// Path counts what the second cable of a port's path carries, the one between switch and peers, since the lab's start. Lists are by
// priority, the last element counts frames without one and global pause; times are in microseconds.
type Path struct {
	// PausesToPeers are pause frames of the second switch port, PeersHeld is for how long they held the peers.
	PausesToPeers, PeersHeld [counter.Priorities]uint64
	// PausesFromPeers are pause frames of the peers, SwitchHeld is for how long they held the second switch port.
	PausesFromPeers, SwitchHeld [counter.Priorities]uint64
	// SwitchDrops are frames that the switch dropped in either direction, because its buffer was full and the sender did not wait.
	SwitchDrops [counter.Priorities]uint64
	// PeerDrops are frames that a slow peer dropped, because the switch did not wait for it.
	PeerDrops [counter.Priorities]uint64
	// Unheeded are pause frames of the first switch port that the host did not obey.
	Unheeded [counter.Priorities]uint64
	// LostNotices are congestion notifications of the host that the switch dropped.
	LostNotices uint64
}

// State is a Path with what a step leaves for the next one.
type State struct {
	Path
	// Excess is the part of the frames for a slow peer that it does not take.
	Excess float64
	// Holds are the parts of the last step for which the second switch port held the peers, by priority.
	Holds [counter.Priorities]float64
	// Remainders of whole frames and microseconds.
	ToPeers, Held, FromPeers, Waited, Ignored [counter.Priorities]float64
}

// pauseHysteresis is the part of a switch port's buffer between XON and XOFF, in bytes.
func pauseHysteresis(buffer float64) float64 { return (pause.HighMark - pause.LowMark) * buffer }

// CountPausesToPeers counts the pause frames that the second switch port sends to the peers in a step. arriving is the load in
// bytes; hold is the fraction of it that stays in a buffer of buffer bytes; step is the length of the step in us; renewals is the
// number of pause frames if nothing drains.
func (s *State) CountPausesToPeers(priority int, arriving, hold, buffer, step, renewals float64) {
	if s.Holds[priority] = hold; hold == 0 {
		return
	}
	frames := renewals
	if leaving := arriving * (1 - hold); leaving > 0 {
		frames = 2 / (pauseHysteresis(buffer)/leaving + pauseHysteresis(buffer)/(arriving-leaving))
	}
	s.PausesToPeers[priority] += counter.Whole(&s.ToPeers[priority], frames)
	s.PeersHeld[priority] += counter.Whole(&s.Held[priority], hold*step)
}

// CountPausesToSwitch counts the pause frames that a slow peer sends to the second switch port in a step; held is their time in us.
func (s *State) CountPausesToSwitch(priority int, frames, held float64) {
	s.PausesFromPeers[priority] += counter.Whole(&s.FromPeers[priority], frames)
	s.SwitchHeld[priority] += counter.Whole(&s.Waited[priority], held)
}

// Ignore counts pause frames that the host does not obey, and returns their number.
func (s *State) Ignore(priority int, frames float64) uint64 {
	n := counter.Whole(&s.Ignored[priority], frames)
	s.Unheeded[priority] += n
	return n
}
