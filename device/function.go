package device

import (
	"cxdeck/device/counter"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
)

// VirtualFunctions returns the number of open virtual functions of a port; see Settings.Functions.
func (l *Lab) VirtualFunctions(port int) int { return l.setup.Ports[port].Functions }

// countFunctions adds frames to the traffic of the virtual functions of a port.
func countFunctions(port []uint64, s *stream, n uint64) {
	at, rdma, multicast := counter.FunctionsReceivedBytes, counter.FunctionsReceivedRDMABytes, counter.FunctionsReceivedMulticastBytes
	if s.direction == send {
		at, rdma = counter.FunctionsSentBytes, counter.FunctionsSentRDMABytes
		multicast = counter.FunctionsSentMulticastBytes
	}
	port[at] += n * s.frame
	port[at+1] += n
	switch { // each frame has one kind
	case s.multicast:
		port[multicast] += n * s.frame
		port[multicast+1] += n
	case s.rdma:
		port[rdma] += n * s.frame
		port[rdma+1] += n
	}
}

// countSynthetic adds frames to the virtual machines' traffic through the host.
func countSynthetic(port []uint64, s *stream, n uint64) {
	at, part := counter.SyntheticReceivedBytes, counter.OverlayReceivedBytes
	if s.direction == send {
		at, part = counter.SyntheticSentBytes, counter.OverlaySentBytes
	}
	port[at] += n * s.frame
	port[at+1] += n
	if s.overlay {
		port[part] += n * s.frame
		port[part+1] += n
	}
}

// functionParts are the kinds of traffic that virtual functions share and count individually. Traffic that is neither multicast
// nor RDMA has no counter at the port: it is the remainder of the total. Broadcasts are never shared: each belongs to one
// function, which requests an address or is faulty.
var functionParts = [...]struct {
	all, multicast, rdma       counter.Port
	toAll, toMulticast, toRDMA counter.Function
}{
	{
		counter.FunctionsReceivedBytes, counter.FunctionsReceivedMulticastBytes, counter.FunctionsReceivedRDMABytes,
		counter.FunctionReceivedBytes, counter.FunctionReceivedMulticastBytes, counter.FunctionReceivedRDMABytes,
	},
	{
		counter.FunctionsReceivedPackets, counter.FunctionsReceivedMulticastPackets, counter.FunctionsReceivedRDMAPackets,
		counter.FunctionReceivedPackets, counter.FunctionReceivedMulticastPackets, counter.FunctionReceivedRDMAPackets,
	},
	{
		counter.FunctionsSentBytes, counter.FunctionsSentMulticastBytes, counter.FunctionsSentRDMABytes,
		counter.FunctionSentBytes, counter.FunctionSentMulticastBytes, counter.FunctionSentRDMABytes,
	},
	{
		counter.FunctionsSentPackets, counter.FunctionsSentMulticastPackets, counter.FunctionsSentRDMAPackets,
		counter.FunctionSentPackets, counter.FunctionSentMulticastPackets, counter.FunctionSentRDMAPackets,
	},
}

// none means no counter.
const none counter.Port = -1

// fillFunctions updates the counters of the virtual functions, guests and virtual ports of all ports.
func (l *Lab) fillFunctions() {
	for port := range l.plant.ports {
		l.fillFunctionsOf(port)
		l.fillVirtualPorts(port)
	}
}

// fillFunctionsOf updates the counters of the virtual functions and guests of a port: each has a fixed share of the traffic
// since the share base was set, so that they are updated only when they are read. The share of each kind of traffic is rounded
// down, and a total is their sum: so no part, and no remainder of a total, ever decreases.
func (l *Lab) fillFunctionsOf(port int) {
	open := l.VirtualFunctions(port)
	guests := l.setup.Guests[port]
	if open == 0 && len(guests) == 0 {
		return
	}
	var since [counter.PortCount]uint64
	first, base := counter.Cell(port, counter.FunctionsReceivedBytes), &l.setup.ShareBases[port]
	for i := range setup.SharedCounters {
		since[int(counter.FunctionsReceivedBytes)+i] = l.counters[first+i] - setup.Entry(base.Shared, i)
	}
	parts, managed := l.setup.PathShares(port)
	if !managed {
		for f, share := range l.FunctionShares(open, port) {
			l.fillFunction(port, f, &since, share)
		}
		return
	}
	for i := range guests {
		g := &guests[i]
		by := g.Path()
		cells, had := l.counters[l.GuestCell(port, g.Slot, 0):], setup.Row(base.Guests, g.Slot, int(counter.GuestCount))
		share := g.Share
		if all := parts[by]; all != 1 && all != 0 {
			share = share / all * traffic.WholeShare
		}
		for c, part := range guestParts {
			moved := since[part.function]
			switch by {
			case setup.SyntheticPath:
				moved = since[part.synthetic] - since[part.overlay]
			case setup.OverlayPath:
				moved = since[part.overlay]
			default: // functions share their traffic
			}
			cells[c] = setup.Entry(had, c) + uint64(share*float64(moved))
		}
		if g.Function != setup.NoFunction && g.Function < open {
			l.fillFunction(port, g.Function, &since, share)
		}
	}
}

// fillFunction sets the counters of a virtual function to its share base plus its share of the later traffic.
func (l *Lab) fillFunction(port, function int, since *[counter.PortCount]uint64, share float64) {
	cells, had := l.counters[l.FunctionCell(port, function, 0):], setup.Row(l.setup.ShareBases[port].Functions, function, int(counter.FunctionCount))
	base := func(c counter.Function) uint64 { return setup.Entry(had, int(c)) }
	part := func(n uint64) uint64 { return uint64(share * float64(n)) }
	for i := range functionParts {
		p := &functionParts[i]
		multicast, rdma := since[p.multicast], since[p.rdma]
		cells[p.toMulticast] = base(p.toMulticast) + part(multicast)
		cells[p.toRDMA] = base(p.toRDMA) + part(rdma)
		cells[p.toAll] = base(p.toAll) + part(since[p.all]-multicast-rdma) + part(multicast) + part(rdma)
	}
	cells[counter.FunctionDropped] = base(counter.FunctionDropped) + part(since[counter.FunctionsDropped])
}

// resetFunctions clears the counters of the virtual functions of a port. Guests keep theirs.
func (l *Lab) resetFunctions(port int) {
	l.fillFunctionsOf(port)
	clear(l.counters[l.FunctionCell(port, 0, 0):][:counter.MaxFunctions*int(counter.FunctionCount)])
	for c := counter.FunctionsReceivedBytes; c <= counter.FunctionsFirmwareErrors; c++ {
		l.counters[counter.Cell(port, c)] = 0
	}
	l.resetShareBase(port)
	l.filled = -1
}

// FunctionShares returns the shares of n virtual machines in a port's traffic: a few have the largest part.
func (l *Lab) FunctionShares(n, port int) []float64 {
	if shares := l.plant.functions[port]; len(shares) == n {
		return shares
	}
	return traffic.Shares(n, port)
}
