package netdirect

import (
	"fmt"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver"
)

// counts are counts of a port by which a slow test is explained.
type counts struct {
	// bytes are all bytes on the cable, received and sent.
	bytes [2]uint64
	// paused is the time in microseconds for which pause frames stopped sending, handled the congestion notifications that slowed the host
	// down, and sent those that slowed the peers.
	paused, handled, sent uint64
	// lost counts frames that were dropped at the port.
	lost uint64
}

func countsOf(h *driver.Host, port int) (c counts) {
	cells := h.Lab().Counters()
	at := func(which counter.Port) uint64 { return cells[counter.Cell(port, which)] }
	c.bytes = [2]uint64{at(counter.ReceivedBytes), at(counter.SentBytes)}
	c.handled, c.sent, c.lost = at(counter.CNPsHandled), at(counter.CNPsSent), at(counter.Discarded)
	for priority := range counter.Priorities {
		c.paused += cells[counter.PriorityCell(port, priority, counter.SelfPaused)]
	}
	return c
}

// line is what a port and its card could do, and what they do.
type line struct {
	// rate is the rate of the line, full the highest rate of the port, in Gb/s.
	rate, full int
	// generation and lanes are the slot's, best are the card's.
	generation, lanes, bestGeneration, bestLanes int
	// packet is the largest payload of a PCI Express packet in bytes.
	packet int
	// limit is the limit of the traffic class in Mbit/s, 0 for none.
	limit int
	// maxFrame is the longest frame of the port.
	maxFrame int
	// subnet is why links of the InfiniBand subnet slow the test down, a clause; empty if they don't.
	subnet string
}

func lineOf(h *driver.Host, port, priority int) line {
	lab := h.Lab()
	d, _, adapter := lab.Port(port)
	card := &lab.Description().Adapters[adapter]
	slot, now := lab.Slot(adapter), lab.Settings(port)
	l := line{
		rate: description.AgreedSpeed(card, d, lab.SwitchPort(port).SpeedGbps), full: d.SpeedGbps,
		generation: slot.Generation, lanes: slot.Lanes, bestGeneration: card.PCIeGeneration, bestLanes: card.PCIeLanes, packet: card.PCIeMaxPayload, maxFrame: now.MaxFrame,
	}
	if priority >= 0 && priority < len(now.Limits) {
		l.limit = now.Limits[now.Class(priority)]
	}
	return l
}

// Shares of the line above which other traffic, and pauses, explain a slow test.
const (
	muchTraffic = 0.02
	muchPause   = 0.02
)

// causes returns why a test was slow, each a clause.
func (m *measured) causes(seconds float64) (list []string) {
	l := &m.line
	if l.generation < l.bestGeneration || l.lanes < l.bestLanes {
		list = append(list, fmt.Sprintf("the card is in a PCI Express %d slot of %d lanes, and can use generation %d with %d lanes", l.generation, l.lanes, l.bestGeneration, l.bestLanes))
	}
	if m.Loopback() {
		if others := max(m.moved(0), m.moved(1)) * 8 / seconds; others > muchTraffic*m.path.Line {
			list = append(list, fmt.Sprintf("other traffic of the port uses the slot, too: %.1f Gb/s", others/1e9))
		}
		return list
	}
	if l.rate < l.full {
		list = append(list, fmt.Sprintf("the link runs at %d of %d Gb/s", l.rate, l.full))
	}
	if l.subnet != "" {
		list = append(list, l.subnet)
	}
	if l.limit > 0 {
		list = append(list, fmt.Sprintf("the traffic class is limited to %d Mbit/s", l.limit))
	}
	if m.path.Payload < smallPayload {
		list = append(list, fmt.Sprintf("a frame carries %d bytes, because frames can have %d bytes", m.path.Payload, l.maxFrame))
	}
	direction := 1
	if m.Receives {
		direction = 0
	}
	var own float64
	for i, r := range m.Results {
		own += r.Messages * float64(m.Sizes[i]+m.path.Frames(m.Sizes[i])*(m.path.Around+m.path.Frame))
	}
	if others := (m.moved(direction) - own) * 8 / seconds; others > muchTraffic*m.path.Line {
		list = append(list, fmt.Sprintf("other traffic of the port has about %.1f Gb/s", others/1e9))
	}
	if paused := delta(m.after.paused, m.before.paused) / 1e6 / seconds; paused > muchPause && !m.Receives {
		list = append(list, fmt.Sprintf("pause frames stopped the port for %.0f%% of the time", 100*min(1, paused)))
	}
	notified := delta(m.after.handled, m.before.handled)
	if m.Receives {
		notified = delta(m.after.sent, m.before.sent)
	}
	if notified > 0 {
		list = append(list, fmt.Sprintf("congestion notifications slowed the sender down, %.0f of them", notified))
	}
	if lost := delta(m.after.lost, m.before.lost); lost > 0 && m.Receives {
		list = append(list, fmt.Sprintf("the port dropped %.0f frames", lost))
	}
	return list
}

// delta returns how far a count has risen; a restart of the card clears it.
func delta(after, before uint64) float64 { return float64(after - min(before, after)) }

// moved returns the bytes on the cable in a direction during the test.
func (m *measured) moved(direction int) float64 {
	return delta(m.after.bytes[direction], m.before.bytes[direction])
}

// smallPayload is the payload of a frame below which its headers cost much.
const smallPayload = 1024
