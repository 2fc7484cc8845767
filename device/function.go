package device

import (
	"cxdeck/device/counter"
	"cxdeck/device/functions"
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

// none means no counter.
const none counter.Port = -1

// fillFunctions updates the counters of the virtual functions, guests and virtual ports of all ports.
func (l *Lab) fillFunctions() {
	ports := l.functionPorts()
	for port := range l.plant.ports {
		ports.Fill(port)
		ports.FillVirtual(&l.shown[port], port)
	}
}

// resetFunctions clears the counters of the virtual functions of a port. Guests keep theirs.
func (l *Lab) resetFunctions(port int) {
	l.functionPorts().Fill(port)
	clear(l.counters[l.FunctionCell(port, 0, 0):][:counter.MaxFunctions*int(counter.FunctionCount)])
	for c := counter.FunctionsReceivedBytes; c <= counter.FunctionsFirmwareErrors; c++ {
		l.counters[counter.Cell(port, c)] = 0
	}
	l.functionPorts().StoreBase(port)
	l.filled = -1
}

// FunctionShares returns the shares of n virtual machines in a port's traffic: a few have the largest part.
func (l *Lab) FunctionShares(n, port int) []float64 {
	return functions.Shares(l.plant.functions[port], n, port)
}

// functionPorts returns the ports with what their virtual functions, guests and virtual ports share.
func (l *Lab) functionPorts() *functions.Ports {
	return &functions.Ports{Layout: l.Layout, Setup: &l.setup, Counters: l.counters, Links: l.plant.links, Described: l.plant.functions, Rings: l}
}
