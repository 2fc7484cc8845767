package traffic

import (
	"net/netip"
	"time"

	"cxdeck/device/description"
)

// FlowKind is the origin of a flow.
type FlowKind uint8

// The kinds of flows.
const (
	Described FlowKind = iota
	LoadFlow           // the load of each virtual machine adapter at a port whose description has none
	LeaseFlow          // DHCP traffic of virtual machines
)

// The load of a virtual machine adapter without a described flow, in Gb/s; its number of five-tuples; and the length of
// DHCP packets. The lab's assumptions.
const (
	guestReceiveGbps = 0.18
	guestSendGbps    = 0.12
	guestTuples      = 24
	leasePacket      = 328
)

// GuestFlows returns the flows that adapters of virtual machines add, at each Ethernet port: they send nothing until there is
// an adapter.
func GuestFlows(d *description.Description) (list []description.Flow, kinds []FlowKind) {
	has := map[string]bool{}
	for i := range d.Flows {
		has[d.Flows[i].Port] = has[d.Flows[i].Port] || d.Flows[i].Virtual
	}
	number := 0
	for a := range d.Adapters {
		for i := range d.Adapters[a].Ports {
			p := &d.Adapters[a].Ports[i]
			number++
			if p.Link != description.Ethernet {
				continue
			}
			flow := description.Flow{
				Name: "Virtual machines, " + p.Connection, Port: p.Connection, Virtual: true, Protocol: description.TCP, Flows: guestTuples,
				Local: netip.AddrFrom4([4]byte{10, 30, byte(number), 10}), Peer: netip.AddrFrom4([4]byte{10, 30, byte(number), 100}),
				ReceiveGbps: guestReceiveGbps, SendGbps: guestSendGbps, Packets: []description.PacketSize{{IP: 1500, Share: 0.6}, {IP: 420, Share: 0.3}, {IP: 52, Share: 0.1}},
				Rhythm: description.Rhythm{Kind: description.Wave, Period: description.Duration(time.Duration(23+number) * time.Second), Depth: 0.5, Noise: 0.15},
			}
			if !has[p.Connection] {
				list, kinds = append(list, flow), append(kinds, LoadFlow)
			}
			flow.Name, flow.Protocol, flow.Flows, flow.LocalPort = "DHCP traffic of virtual machines, "+p.Connection, description.UDP, 1, dhcpClient
			flow.Packets, flow.Rhythm = []description.PacketSize{{IP: leasePacket, Share: 1}}, description.Rhythm{Kind: description.Steady}
			list, kinds = append(list, flow), append(kinds, LeaseFlow)
		}
	}
	return list, kinds
}

// dhcpClient is the UDP port of DHCP clients.
const dhcpClient = 68
