package fit

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"

	"cxdeck/device/description"
	"cxdeck/device/wire"
)

// kind is a workload whose rate is fitted.
type kind uint8

const (
	answeredIn kind = iota // TCP or IPoIB, large packets, with the acknowledgements in the other direction
	answeredOut
	bulkIn // UDP, large packets, without an answer
	bulkOut
	smallIn // UDP or IPoIB, small packets
	smallOut
	rdmaLargeIn
	rdmaLargeOut
	rdmaSmallIn
	rdmaSmallOut
	bursts // small packets in bursts that exceed the receive rings
	kindCount
)

var kindNames = [kindCount]string{
	"streams received", "streams sent", "datagrams received", "datagrams sent", "small packets received", "small packets sent", "RDMA received", "RDMA sent",
	"small RDMA messages received", "small RDMA messages sent", "bursts that exceed the receive rings",
}

// Sizes and rates of the fitted workloads. Sizes are of IP packets.
const (
	smallPacket     = 46 // fills the smallest frame
	smallMessage    = 64
	usualPacket     = 1500
	fittedTuples    = 24
	fittedPairs     = 8
	largeBurst      = 65536
	probeShare      = 0.04 // of the line rate
	smallProbeGbps  = 0.1
	maxGbps         = 400
	maxLevels       = 3600
	levelsInAll     = 250_000 // of all flows, so that the twin stays a small file
	levelsOfRow     = 8
	levelsPrecision = 1e5
)

// site is a port with what its workloads need.
type site struct {
	port  *description.Port
	local netip.Addr
	peer  netip.Addr
	large bool // its packets are larger than 1500 bytes
	rdma  int  // size of the IP packets of RDMA
	// team is the team that the port is a member of. Its hash sends the workloads of one member over all of them, and shortest is their
	// shortest limit of IP packets.
	team     string
	shortest int
}

// sitesOf returns the ports of a description in their order.
func sitesOf(d *description.Description) (sites []site) {
	own, teams := addresses(d), teamsOf(d)
	for a := range d.Adapters {
		for i := range d.Adapters[a].Ports {
			p, n := &d.Adapters[a].Ports[i], len(sites)
			local := own[p.Connection]
			if !local.IsValid() {
				local = netip.AddrFrom4([4]byte{10, byte(201 + n/250), byte(n % 250), 10})
			}
			sites = append(sites, site{port: p, local: local, peer: local.Next(), rdma: 1068, team: teams[p.Connection]})
		}
	}
	for i := range sites {
		s := &sites[i]
		s.shortest = s.ownLimit()
		for j := range sites {
			if s.team != "" && sites[j].team == s.team {
				s.shortest = min(s.shortest, sites[j].ownLimit())
			}
		}
	}
	return sites
}

// setting is what the settings of a twin say of a connection.
type setting struct {
	Kind      string `json:"kind"`
	Operation struct {
		Connection string `json:"connection"`
		Address    string `json:"address"`
		Team       string `json:"team"`
	} `json:"operation"`
}

// settings returns the settings of a twin.
func settings(d *description.Description) (list []setting) {
	for _, text := range d.TwinSetup() {
		var s setting
		if json.Unmarshal([]byte(text), &s) == nil {
			list = append(list, s)
		}
	}
	return list
}

// addresses returns the first IPv4 address of each connection that the settings of a twin have.
func addresses(d *description.Description) map[string]netip.Addr {
	found := map[string]netip.Addr{}
	for _, s := range settings(d) {
		prefix, err := netip.ParsePrefix(s.Operation.Address)
		if s.Kind == "add-ip-address" && err == nil && prefix.Addr().Is4() && !found[s.Operation.Connection].IsValid() {
			found[s.Operation.Connection] = prefix.Addr()
		}
	}
	return found
}

// teamsOf returns the team of each connection that is a member of one.
func teamsOf(d *description.Description) map[string]string {
	found := map[string]string{}
	for _, s := range settings(d) {
		if s.Kind == "attach-member" {
			found[s.Operation.Connection] = s.Operation.Team
		}
	}
	return found
}

// supports reports whether the port can carry a kind of workload.
func (s *site) supports(k kind) bool {
	switch {
	case k >= rdmaLargeIn && k <= rdmaSmallOut:
		return s.port.Link == description.Ethernet && s.port.RoCE == description.RoCEv2 && s.team == ""
	case k == bulkIn || k == bulkOut:
		return s.port.Link == description.Ethernet
	}
	return true
}

// flow returns a workload of a kind with a data rate.
func (s *site) flow(k kind, gbps float64) description.Flow {
	large := min(usualPacket, s.limit())
	if s.large {
		large = s.limit()
	}
	f := description.Flow{
		Name: "Log, " + s.port.Connection + ": " + kindNames[k], Port: s.port.Connection, Protocol: description.UDP, Local: s.local, Peer: s.peer, Flows: fittedTuples,
		Packets: []description.PacketSize{{IP: large, Share: 1}}, Rhythm: description.Rhythm{Kind: description.Steady},
	}
	if k == answeredIn || k == answeredOut {
		f.Protocol = description.TCP
	}
	switch k {
	case smallIn, smallOut, bursts:
		f.Packets[0].IP = smallPacket
	case rdmaLargeIn, rdmaLargeOut:
		f.Packets[0].IP = min(s.rdma, s.limit())
	case rdmaSmallIn, rdmaSmallOut:
		f.Packets[0].IP = smallMessage
	default:
	}
	if k >= rdmaLargeIn && k <= rdmaSmallOut {
		f.Protocol, f.Flows = description.RDMA, fittedPairs
		if k == rdmaLargeIn || k == rdmaLargeOut {
			f.Connections, f.Accepted = fittedPairs, k == rdmaLargeIn
		}
	}
	if k == bursts {
		f.Burst = largeBurst
	}
	if s.port.Link == description.InfiniBand {
		f.Protocol = description.IPoIB
	}
	if k.isIn() {
		f.ReceiveGbps = gbps
	} else {
		f.SendGbps = gbps
	}
	return f
}

func (k kind) isIn() bool {
	return slices.Contains([]kind{answeredIn, bulkIn, smallIn, rdmaLargeIn, rdmaSmallIn, bursts}, k)
}

func (k kind) isSmall() bool {
	return slices.Contains([]kind{smallIn, smallOut, rdmaSmallIn, rdmaSmallOut, bursts}, k)
}

// limit returns the largest IP packet that the port, and the other members of its team, can send and receive.
func (s *site) limit() int { return s.shortest }

// ownLimit returns the largest IP packet that the port can send and receive.
func (s *site) ownLimit() int {
	longest := min(s.port.MaxFrame, s.port.Switch.MaxFrame)
	if s.port.Link == description.InfiniBand {
		return longest + wire.FrameCheck - wire.IPoIBBytes(0)
	}
	return longest - wire.EthernetHeader
}

// probeGbps returns the rate at which the effect of a kind is measured.
func (s *site) probeGbps(k kind) float64 {
	if k.isSmall() {
		return smallProbeGbps
	}
	return max(smallProbeGbps, probeShare*float64(s.port.SpeedGbps))
}

// describe returns what was assumed about the workloads of a port.
func (s *site) describe(kinds []kind, log string) string {
	names := ""
	for i, k := range kinds {
		if i > 0 {
			names += ", "
		}
		names += kindNames[k]
	}
	return fmt.Sprintf("%s: the workloads follow the log %s; their protocols, sizes, peers and addresses are assumed: %s", s.port.Connection, log, names)
}
