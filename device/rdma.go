package device

import (
	"slices"

	"cxdeck/device/congestion"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/device/wire"
)

// bulkPacket is the minimum length of an IP packet with data, which TCP makes as long as possible.
const bulkPacket = 1000

// effectiveFlow returns a flow with its current protocol. RDMA requires the same RoCE mode on both ends (ROCE-6), and the
// peers use v2. On a port with another mode or none, in a team, or where Windows does not use RDMA, the programs fall back to TCP: the same
// data, as TCP segments.
func (l *Lab) effectiveFlow(flow int) *description.Flow {
	f, port := l.setup.Marked(&l.plant.traffic[flow], flow), l.plant.flows[flow].port
	direct := l.setup.Carrier(flow) == setup.ByRDMA && !l.setup.LacksGID(flow)
	if f.Protocol != description.RDMA || direct && (l.setup.Ports[port].ReachesPeers() || l.plant.links[port] == description.InfiniBand) && !l.setup.Team(port) {
		return f
	}
	tcp := *f
	tcp.Protocol, tcp.Connections = description.TCP, 0
	if !f.Application.SMB() { // it has no fallback
		tcp.ReceiveGbps, tcp.SendGbps = 0, 0
		return &tcp
	}
	tcp.Packets = slices.Clone(f.Packets)
	for i := range tcp.Packets {
		if size := &tcp.Packets[i]; size.IP >= bulkPacket {
			size.IP = l.plant.ports[port].description.MaxFrame - wire.EthernetHeader - wire.VLANTag
		}
	}
	return &tcp
}

// reconnect closes the RDMA connections of a port after a change of its RDMA settings, with their rate limiters, and opens the
// connections that are possible now.
func (l *Lab) reconnect(port int, before *setup.Port) {
	now := &l.setup.Ports[port]
	if before.RoCE == now.RoCE && before.RoCEUnheard == now.RoCEUnheard || !l.links[port].Up {
		return
	}
	l.resetConnections(port)
}

// resetConnections closes the RDMA connections of a port, with their rate limiters, and opens the connections that are possible
// now.
func (l *Lab) resetConnections(port int) {
	active := &l.counters[counter.Cell(port, counter.RDMAActive)]
	l.counters[counter.Cell(port, counter.RDMAClosed)] += *active
	*active = 0
	for flow := range l.plant.flows {
		if l.plant.flows[flow].port == port {
			l.controls[2*flow+receive] = congestion.Control{State: congestion.State{Allowed: 1}}
			l.controls[2*flow+send] = congestion.Control{State: congestion.State{Allowed: 1}}
		}
	}
	l.counters[counter.Cell(port, counter.LimitedFlows)] = 0
	l.counters[counter.Cell(port, counter.ErrorQueuePairs)] = 0 // also while there is no link, and so nothing to connect
	for priority := range counter.Priorities {
		for _, c := range [...]counter.Priority{counter.PriorityLimited, counter.PriorityRate, counter.PriorityRateMean} {
			l.counters[counter.PriorityCell(port, priority, c)] = 0
		}
	}
	if l.links[port].Up {
		l.connect(port)
	}
}

// InTeam reports whether a port is in a team, which carries no RDMA.
func (l *Lab) InTeam(port int) bool { return l.setup.Team(port) }
