// Package functions attributes the traffic that a port has counted to its virtual functions, its guests and its virtual ports: each has
// a fixed share of the traffic since its share was set.
package functions

import (
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
)

// Rings is what the ports know of their receive rings: their number, the number that serves the host, and the processor of each.
type Rings interface {
	Rings(port int) int
	HostRings(port int) int
	RingProcessor(port, ring int) int
}

// Ports are the ports of a lab with their counters.
type Ports struct {
	*counter.Layout
	Setup *setup.Lab
	// Counters are all counters of the lab. The counters of ports are read, the ones of functions and guests are set.
	Counters []uint64
	// Links are the protocols of the ports.
	Links []description.LinkType
	// Described has the shares of the described virtual functions of each port.
	Described [][]float64
	Rings     Rings
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

// Fill updates the counters of the virtual functions and guests of a port: each has a fixed share of the traffic
// since the share base was set, so that they are updated only when they are read. The share of each kind of traffic is rounded
// down, and a total is their sum: so no part, and no remainder of a total, ever decreases.
func (p *Ports) Fill(port int) {
	open := p.Setup.Ports[port].Functions
	guests := p.Setup.Guests[port]
	if open == 0 && len(guests) == 0 {
		return
	}
	var since [counter.PortCount]uint64
	first, base := counter.Cell(port, counter.FunctionsReceivedBytes), &p.Setup.ShareBases[port]
	for i := range setup.SharedCounters {
		since[int(counter.FunctionsReceivedBytes)+i] = p.Counters[first+i] - setup.Entry(base.Shared, i)
	}
	parts, managed := p.Setup.PathShares(port)
	if !managed {
		for f, share := range Shares(p.Described[port], open, port) {
			p.fillFunction(port, f, &since, share)
		}
		return
	}
	for i := range guests {
		g := &guests[i]
		by := g.Path()
		cells, had := p.Counters[p.GuestCell(port, g.Slot, 0):], setup.Row(base.Guests, g.Slot, int(counter.GuestCount))
		share := g.Share
		if all := parts[by]; all != 1 && all != 0 {
			share = share / all * traffic.WholeShare
		}
		for c, part := range GuestParts {
			moved := since[part.Function]
			switch by {
			case setup.SyntheticPath:
				moved = since[part.Synthetic] - since[part.Overlay]
			case setup.OverlayPath:
				moved = since[part.Overlay]
			default: // functions share their traffic
			}
			cells[c] = setup.Entry(had, c) + uint64(share*float64(moved))
		}
		if g.Function != setup.NoFunction && g.Function < open {
			p.fillFunction(port, g.Function, &since, share)
		}
	}
}

// fillFunction sets the counters of a virtual function to its share base plus its share of the later traffic.
func (p *Ports) fillFunction(port, function int, since *[counter.PortCount]uint64, share float64) {
	cells, had := p.Counters[p.FunctionCell(port, function, 0):], setup.Row(p.Setup.ShareBases[port].Functions, function, int(counter.FunctionCount))
	base := func(c counter.Function) uint64 { return setup.Entry(had, int(c)) }
	part := func(n uint64) uint64 { return uint64(share * float64(n)) }
	for i := range functionParts {
		kind := &functionParts[i]
		multicast, rdma := since[kind.multicast], since[kind.rdma]
		cells[kind.toMulticast] = base(kind.toMulticast) + part(multicast)
		cells[kind.toRDMA] = base(kind.toRDMA) + part(rdma)
		cells[kind.toAll] = base(kind.toAll) + part(since[kind.all]-multicast-rdma) + part(multicast) + part(rdma)
	}
	cells[counter.FunctionDropped] = base(counter.FunctionDropped) + part(since[counter.FunctionsDropped])
}

// Shares returns the shares of n virtual machines in the traffic of a port, for whose described virtual functions it has shares: a few
// have the largest part.
func Shares(described []float64, n, port int) []float64 {
	if len(described) == n {
		return described
	}
	return traffic.Shares(n, port)
}

// GuestParts are the counters of a port that guests share, on each path. Overlay counters are part of the synthetic
// ones.
var GuestParts = [counter.GuestCount]struct{ Function, Synthetic, Overlay counter.Port }{
	counter.GuestReceivedBytes:   {counter.FunctionsReceivedBytes, counter.SyntheticReceivedBytes, counter.OverlayReceivedBytes},
	counter.GuestReceivedPackets: {counter.FunctionsReceivedPackets, counter.SyntheticReceivedPackets, counter.OverlayReceivedPackets},
	counter.GuestSentBytes:       {counter.FunctionsSentBytes, counter.SyntheticSentBytes, counter.OverlaySentBytes},
	counter.GuestSentPackets:     {counter.FunctionsSentPackets, counter.SyntheticSentPackets, counter.OverlaySentPackets},
	counter.GuestDropped:         {counter.FunctionsDropped, counter.SyntheticDropped, counter.OverlayDropped},
}

// StoreBase stores the counters, which are up to date, as the new share base.
func (p *Ports) StoreBase(port int) {
	p.Setup.SetShareBase(port, setup.ShareBase{
		Functions: slices.Clone(p.Counters[p.FunctionCell(port, 0, 0):][:counter.MaxFunctions*int(counter.FunctionCount)]),
		Guests:    slices.Clone(p.Counters[p.GuestCell(port, 0, 0):][:counter.GuestSlots*int(counter.GuestCount)]),
		Shared:    slices.Clone(p.Counters[counter.Cell(port, counter.FunctionsReceivedBytes):][:setup.SharedCounters]),
	})
}
