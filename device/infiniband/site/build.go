package site

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/device/infiniband/qos"
	"cxdeck/device/infiniband/topology"
)

// Site is a subnet with the host's own ports in it. One goroutine owns it.
type Site struct {
	*opensm.Subnet
	// Own are the places of the lab's ports by their number; Nowhere for an Ethernet port.
	Own []infiniband.Place
	// Touched is true after a change by the operator.
	Touched bool
	// base are the counters of the lab's ports when they were last cleared: of the port itself, and of the other end of its cable.
	base []infiniband.Counters
	// described reports a subnet of its own in the description. In other labs each switch is a subnet, whose manager follows the setting
	// of the switch port.
	described bool
	flows     []flow
	// crossings is the lab's own traffic in the subnet. addresses are the ports of the peers that the description names, peers the ports of
	// other hosts by the lab's port. extra are counters of both ends of the lab's cables, beyond the ones that the lab counts itself.
	crossings []crossing
	addresses map[netip.Addr]infiniband.Place
	peers     [][]infiniband.Place
	extra     []extra
	// demand is the demand of the described flows, nil when the subnet has moved since it was computed.
	demand demands
	// counted is the time to which the traffic has been counted, in seconds.
	counted int64
}

// Of returns the site of a lab, nil for a lab without an InfiniBand port and subnet.
func Of(d *description.Description) *Site {
	b := &builder{Builder: topology.New(), nodes: map[string]int{}, partitions: opensm.DefaultPartitions()}
	described := d.InfiniBand != nil
	if described {
		b.described(d.InfiniBand)
	}
	own := b.host(d, described)
	if !described && !slices.ContainsFunc(own, func(p infiniband.Place) bool { return p != infiniband.Nowhere }) {
		return nil
	}
	s := &Site{Own: own, base: make([]infiniband.Counters, 2*len(own)), extra: make([]extra, 2*len(own)), described: described}
	if described {
		s.flows = b.flows(d.InfiniBand)
		tables, _ := qos.Parse(d.InfiniBand.QoS) // the description was checked
		policy, _ := qos.ParsePolicy(d.InfiniBand.Policy)
		for _, m := range b.managers {
			m.QoS, m.Policy = tables, policy
		}
		s.addresses = b.addresses(d.InfiniBand)
	}
	s.Subnet = opensm.New(b.Fabric, b.managers)
	for _, at := range own {
		var list []infiniband.Place
		if at != infiniband.Nowhere {
			list = peers(b.Fabric, at, s.isOwn)
		}
		s.peers = append(s.peers, list)
	}
	return s
}

// builder builds a fabric whose nodes have names.
type builder struct {
	*topology.Builder
	nodes      map[string]int
	managers   []*opensm.Manager
	partitions []opensm.Partition
}

// addresses returns the first cabled port of each node with an address.
func (b *builder) addresses(d *description.InfiniBandSubnet) map[netip.Addr]infiniband.Place {
	found := map[netip.Addr]infiniband.Place{}
	for _, list := range [][]description.InfiniBandNode{d.Switches, d.Hosts, d.Routers} {
		for i := range list {
			node := b.nodes[list[i].Name]
			for port := range b.Nodes[node].Ports {
				at := infiniband.Place{Node: node, Port: port}
				if _, taken := found[list[i].Address]; list[i].Address.IsValid() && !taken && port > 0 && b.At(at).Far != infiniband.Nowhere {
					found[list[i].Address] = at
				}
			}
		}
	}
	return found
}

// speed returns the speed of a name, FDR for an empty one.
func speed(name description.LaneSpeed) infiniband.Speed {
	s := infiniband.FDR
	if name != "" {
		_ = s.UnmarshalText([]byte(name)) // the description was checked
	}
	return s
}

// rated returns the speed of the lanes of a port with a nominal rate in Gb/s, which is the signalling rate of four lanes.
func rated(gbps int) infiniband.Speed {
	for s := infiniband.SDR; s < infiniband.NDR; s++ {
		if s != infiniband.FDR10 && 4*s.LaneGbps() >= float64(gbps) {
			return s
		}
	}
	return infiniband.NDR
}

func (b *builder) described(s *description.InfiniBandSubnet) {
	if s.Partitions != "" {
		if read, err := opensm.ReadPartitions(strings.NewReader(s.Partitions)); err == nil {
			b.partitions = read
		}
	}
	if t := s.FatTree; t != nil {
		b.Speed = speed(t.Speed)
		b.FatTree(t.Leaves, t.Spines, t.HostsPerLeaf)
		for i := range b.Nodes {
			b.nodes[b.Nodes[i].Name] = i
		}
	}
	b.add(s.Switches, infiniband.Switch, topology.DefaultPorts)
	b.add(s.Hosts, infiniband.Adapter, 1)
	b.add(s.Routers, infiniband.Router, 1)
	for i := range s.Links {
		b.link(&s.Links[i])
	}
}

// add adds nodes of a kind, with their managers.
func (b *builder) add(list []description.InfiniBandNode, kind infiniband.Kind, usual int) {
	for i := range list {
		n := &list[i]
		b.Speed = speed(n.Speed)
		ports := usual
		if n.Ports > 0 {
			ports = n.Ports
		}
		number := b.Node(kind, n.Name, ports, n.GUID)
		b.nodes[n.Name] = number
		if n.Manager != nil {
			b.manage(number, n.Manager)
		}
	}
}

func (b *builder) manage(node int, m *description.InfiniBandManager) {
	engine := opensm.MinHop
	if m.Routing != "" {
		engine = opensm.Engine(m.Routing)
	}
	b.managers = append(b.managers, &opensm.Manager{
		Place: infiniband.Place{Node: node, Port: b.Nodes[node].First()}, Running: !m.Stopped, Priority: uint8(m.Priority), Engine: engine, LMC: uint8(m.LMC),
		Partitions: b.partitions, Version: opensm.UsualVersion,
	})
}

// place returns the port of a name of a checked description.
func (b *builder) place(name string) infiniband.Place {
	node, port, _ := description.CutPort(name)
	return infiniband.Place{Node: b.nodes[node], Port: port}
}

// link adds a cable. A port that already has one keeps it.
func (b *builder) link(l *description.InfiniBandLink) {
	from, to := b.place(l.From), b.place(l.To)
	if l.Width > 0 || l.Speed != "" {
		mode := b.At(from).Supported
		if l.Width > 0 {
			mode.Widths = infiniband.Width(1).Bit() | infiniband.Width(l.Width).Bit()
		}
		if l.Speed != "" {
			mode.Speeds = infiniband.UpTo(speed(l.Speed))
		}
		b.SetEnabled(from, mode)
	}
	if b.Connect(from, to) != nil {
		return
	}
	b.At(from).SymbolErrors, b.At(to).SymbolErrors = l.SymbolErrors, l.SymbolErrors
	if l.Unplugged {
		b.SetUnplugged(from, true)
	}
}

// host adds the host's adapters with InfiniBand ports, and in a lab without a described subnet the switches that their ports name, and a
// host for their peers. It returns the places of all ports of the lab.
func (b *builder) host(d *description.Description, described bool) []infiniband.Place {
	var own []infiniband.Place
	for a := range d.Adapters {
		adapter := &d.Adapters[a]
		node := -1
		for i := range adapter.Ports {
			p := &adapter.Ports[i]
			if p.Link != description.InfiniBand {
				own = append(own, infiniband.Nowhere)
				continue
			}
			b.Speed = rated(p.SpeedGbps)
			if node < 0 {
				node = b.adapter(d, adapter)
			}
			at := infiniband.Place{Node: node, Port: i + 1}
			own = append(own, at)
			if name, port, err := description.CutPort(p.Switch.Name); err == nil {
				_ = b.Connect(at, infiniband.Place{Node: b.switchOf(name, described), Port: port}) // a port that is taken stays as it is
			}
		}
	}
	return own
}

// adapter adds the host's adapter as a node.
func (b *builder) adapter(d *description.Description, adapter *description.Adapter) int {
	guids := make([]description.GUID, len(adapter.Ports))
	number := 0
	for i := range adapter.Ports {
		guids[i] = adapter.Ports[i].GUID
	}
	for n := range b.Nodes {
		if strings.HasPrefix(b.Nodes[n].Name, d.Host.Name+" ") {
			number++
		}
	}
	guid := adapter.NodeGUID
	if guid == 0 {
		guid = guids[0] - 1
	}
	return b.Add(infiniband.Model{
		Kind: infiniband.Adapter, Name: fmt.Sprintf("%s HCA-%d", d.Host.Name, number+1), GUID: guid, Ports: len(adapter.Ports), Width: 4, Speed: b.Speed,
		Vendor: topology.Mellanox, Device: adapter.DeviceID, Revision: uint32(adapter.Revision), PortGUIDs: guids,
	})
}

// switchOf returns the switch with a name. A lab without a described subnet gets it, with the manager of the subnet and a peer.
func (b *builder) switchOf(name string, described bool) int {
	if n, known := b.nodes[name]; known {
		return n
	}
	n := b.Switch(name, topology.DefaultPorts)
	b.nodes[name] = n
	if !described {
		b.manage(n, &description.InfiniBandManager{Priority: opensm.SwitchPriority})
		b.Cable(n, topology.DefaultPorts, b.Adapter("peer-of-"+name+" HCA-1", 1), 1)
	}
	return n
}
