package device

import (
	"math"
	"time"
)

// countFunctions adds frames to the traffic of the virtual functions of a port.
func countFunctions(port []uint64, s *stream, n uint64) {
	at, rdma := FunctionsReceivedBytes, FunctionsReceivedRDMABytes
	if s.direction == send {
		at, rdma = FunctionsSentBytes, FunctionsSentRDMABytes
	} else if s.multicast {
		port[FunctionsReceivedMulticastBytes] += n * s.frame
		port[FunctionsReceivedMulticastPackets] += n
	}
	port[at] += n * s.frame
	port[at+1] += n
	if s.rdma && (!s.multicast || s.direction != receive) { // each frame has one kind
		port[rdma] += n * s.frame
		port[rdma+1] += n
	}
}

// functionParts are the kinds of traffic that a virtual function counts on their own. What is neither multicast nor
// RDMA has no counter at the port: it is what is left of all.
var functionParts = [...]struct {
	all, multicast, rdma       Counter
	toAll, toMulticast, toRDMA FunctionCounter
}{
	{
		FunctionsReceivedBytes, FunctionsReceivedMulticastBytes, FunctionsReceivedRDMABytes,
		FunctionReceivedBytes, FunctionReceivedMulticastBytes, FunctionReceivedRDMABytes,
	},
	{
		FunctionsReceivedPackets, FunctionsReceivedMulticastPackets, FunctionsReceivedRDMAPackets,
		FunctionReceivedPackets, FunctionReceivedMulticastPackets, FunctionReceivedRDMAPackets,
	},
	{FunctionsSentBytes, none, FunctionsSentRDMABytes, FunctionSentBytes, 0, FunctionSentRDMABytes},
	{FunctionsSentPackets, none, FunctionsSentRDMAPackets, FunctionSentPackets, 0, FunctionSentRDMAPackets},
}

// none is no counter.
const none Counter = -1

// fillFunctions brings the counters of the virtual functions up to date: each has a fixed share of what all of a port
// moved, so that it costs nothing until someone looks. A share is taken of each kind of traffic and rounded down, and a
// total is the sum of these: so neither a part nor what is left of a total after its parts ever falls.
func (l *Lab) fillFunctions() {
	for port, shares := range l.plant.functions {
		if n := l.VirtualFunctions(port); n < len(shares) {
			shares = functionShares(n, port)
		}
		totals := l.counters[port*portStride : (port+1)*portStride]
		at := l.plant.layout.functions[port]
		for _, share := range shares {
			fillFunction(l.counters[at:at+int(functionCounters)], totals, share)
			at += int(functionCounters)
		}
		if len(shares) > 0 {
			at = l.plant.layout.functions[port]
			showMisbehaviour(l.counters[at:at+int(functionCounters)], totals)
		}
	}
}

// What a virtual function that misbehaves does at its worst; the manuals give none of these.
const (
	badFrames      = 1000 // that the switch in the card drops in a step
	badFrameBytes  = 64   // of each
	firmwareUse    = 10   // percent by which the counter of its use of the firmware rises in a second
	firmwareErrors = 10   // commands that fail in a second
)

// misbehave counts what the first virtual function of a port does that it should not. It never reaches the port.
func (l *Lab) misbehave(port int) {
	if l.VirtualFunctions(port) == 0 || !l.links[port].Enabled {
		return
	}
	faults := &l.links[port].faults
	l.counters[Cell(port, FunctionsWrongAddress)] += uint64(math.Round(badFrames * faults[WrongAddress]))
	if l.settings[port].BarsTypes {
		l.counters[Cell(port, FunctionsBarredType)] += uint64(math.Round(badFrames * faults[BarredType]))
	}
	if l.steps%int64(time.Second/Step) == 0 {
		l.counters[Cell(port, FunctionsFirmwareUse)] += uint64(math.Round(firmwareUse * faults[FirmwareLoad]))
		l.counters[Cell(port, FunctionsFirmwareErrors)] += uint64(math.Round(firmwareErrors * faults[FirmwareLoad]))
	}
}

// showMisbehaviour copies that to the function's own counters.
func showMisbehaviour(cells, totals []uint64) {
	address, barred := totals[FunctionsWrongAddress], totals[FunctionsBarredType]
	cells[FunctionWrongAddressPackets], cells[FunctionWrongAddressBytes] = address, address*badFrameBytes
	cells[FunctionBarredTypePackets], cells[FunctionBarredTypeBytes] = barred, barred*badFrameBytes
	cells[FunctionFirmwareUse], cells[FunctionFirmwareErrors] = totals[FunctionsFirmwareUse], totals[FunctionsFirmwareErrors]
}

// resetFunctions makes the virtual functions of a port new ones, with their counters at 0.
func (l *Lab) resetFunctions(port int) {
	d, _, _ := l.Port(port)
	at := l.plant.layout.functions[port]
	clear(l.counters[at : at+d.VirtualFunctions*int(functionCounters)])
	for c := FunctionsReceivedBytes; c <= FunctionsFirmwareErrors; c++ {
		l.counters[Cell(port, c)] = 0
	}
	l.filled = -1
}

func fillFunction(cells, totals []uint64, share float64) {
	part := func(n uint64) uint64 { return uint64(share * float64(n)) }
	for i := range functionParts {
		p := &functionParts[i]
		multicast, rdma := uint64(0), totals[p.rdma]
		if p.multicast != none {
			multicast = totals[p.multicast]
			cells[p.toMulticast] = part(multicast)
		}
		cells[p.toRDMA] = part(rdma)
		cells[p.toAll] = part(totals[p.all]-multicast-rdma) + part(multicast) + part(rdma)
	}
	cells[FunctionDropped] = part(totals[FunctionsDropped])
}

// functionShares are the parts that the virtual functions of a port have of their traffic: a few have most of it.
func functionShares(n int, port int) []float64 {
	shares, total := make([]float64, n), 0.0
	for i := range shares {
		shares[i] = 1/float64(i+2) + 0.02*newDice(uint64(port), functionDice, i).draw(0)
		total += shares[i]
	}
	for i := range shares {
		shares[i] *= wholeShare / total
	}
	return shares
}

// wholeShare keeps the sum of rounded shares from exceeding what is shared.
const wholeShare = 1 - 1e-9
