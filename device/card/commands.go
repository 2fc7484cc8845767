package card

import (
	"math"

	"cxdeck/device/counter"
)

// The lab's assumptions about the time of commands, in microseconds; the manuals give no figures.
const (
	shortestCycle = 2.0 // minimum for a processor of the card
	commandTime   = 0.5 // additional for each command of a batch
)

// CountCommands counts commands that the firmware executes together, on one of the card's processors in turn: cells are the card's
// counters, commands is the counter of the port.
func CountCommands(cells []uint64, commands *uint64, n uint64) {
	*commands += n
	const processors = counter.CardLatency3 - counter.CardLatency0 + 1
	latency := &cells[counter.CardLatency0+counter.Card(*commands%uint64(processors))]
	*latency = max(*latency, uint64(math.Round(shortestCycle+float64(n)*commandTime)))
}

// CableLanes returns the number of lanes of the cable of a port with a line rate in Gb/s.
func CableLanes(gbps int) uint64 {
	switch {
	case gbps <= 25:
		return 1
	case gbps == 50:
		return 2
	}
	return 4
}
