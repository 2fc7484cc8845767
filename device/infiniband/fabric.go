package infiniband

import (
	"fmt"
	"slices"

	"cxdeck/device/description"
	"cxdeck/device/infiniband/qos"
)

// Kind is the kind of a node.
type Kind uint8

// The kinds of nodes, with the numbers of NodeInfo.
const (
	Adapter Kind = iota + 1 // a channel adapter
	Switch
	Router
)

// LIDs of end ports; multicast groups have the LIDs from FirstMulticastLID.
const (
	MaxLID            = 0xbfff
	FirstMulticastLID = 0xc000
)

// NoRoute is the entry of a forwarding table for a LID that the switch can't reach.
const NoRoute = 0xff

// Place is a port: the number of its node in the fabric, and of the port on the node.
type Place struct{ Node, Port int }

// Nowhere is the far end of a port without a cable.
var Nowhere = Place{-1, 0}

// Node is a switch, a channel adapter or a router.
type Node struct {
	Kind Kind
	// Name is the node description: "HV-01 HCA-1".
	Name         string
	GUID, System description.GUID
	Vendor       uint32
	Device       uint16
	Revision     uint32
	// Ports are the node's ports by number. Port 0 of a switch is its management port; an adapter has no port 0, and the first
	// entry is empty.
	Ports []Port
	// Routes is a switch's linear forwarding table: the port to each LID from 0, or NoRoute.
	Routes []uint8
	// Multicast is a switch's multicast forwarding table: for each group from FirstMulticastLID, the ports to its members.
	Multicast []PortSet
}

// External returns the number of the node's external ports.
func (n *Node) External() int { return len(n.Ports) - 1 }

// First returns the number of the first port that has a LID: 0 for a switch.
func (n *Node) First() int {
	if n.Kind == Switch {
		return 0
	}
	return 1
}

// EndPort returns the port whose GUID and LID stand for a port of the node: a switch has one for all its ports.
func (n *Node) EndPort(port int) *Port {
	if n.Kind == Switch {
		return &n.Ports[0]
	}
	return &n.Ports[port]
}

// PortSet is a set of ports of a switch, a bit for each number.
type PortSet [4]uint64

// Has reports whether the set holds a port.
func (s *PortSet) Has(port int) bool { return s[port/64]>>(port%64)&1 == 1 }

// Add adds a port.
func (s *PortSet) Add(port int) { s[port/64] |= 1 << (port % 64) }

// Fabric is everything that is cabled together. It may fall into parts.
type Fabric struct {
	Nodes []Node
	// Groups are the multicast groups.
	Groups []Group
	// Changes counts the links that went up or down: a manager that has seen them all has nothing to configure.
	Changes uint64
	// QoS are the tables that a manager wrote into all ports, nil for the ones that ports have by themselves. They are replaced, never changed.
	QoS *qos.Tables
	// Policy is what a manager answers for service levels of paths, nil for level 0. It is replaced, never changed.
	Policy *qos.Policy
	// Outside is true after a manager outside of the lab set the state of a port, until one of the lab sweeps.
	Outside bool
	// Moved are the ports whose links went down or came up since the subnet was told.
	Moved []Place
}

// Group is a multicast group.
type Group struct {
	GID   [16]byte
	LID   uint16
	QKey  uint32
	PKey  description.PKey
	MTU   uint8 // as in PortInfo
	Rate  uint8 // as in path records
	Flow  uint32
	Class uint8
	Scope uint8
	Level uint8 `json:",omitempty"` // its service level
	// Members are the end ports that have joined, in the order of joining.
	Members []Place
}

// Tables returns the tables of service levels and arbitration of the ports.
func (f *Fabric) Tables() *qos.Tables {
	if f.QoS == nil {
		return qos.Default()
	}
	return f.QoS
}

// QoSKind returns the kind of a port for its tables of service levels and arbitration.
func (f *Fabric) QoSKind(p Place) qos.Kind {
	switch f.Of(p).Kind {
	case Adapter:
		return qos.Adapter
	case Router:
		return qos.Router
	case Switch:
		if p.Port == 0 {
			return qos.Port0
		}
	}
	return qos.External
}

// TablesAt returns the tables of a port.
func (f *Fabric) TablesAt(p Place) *qos.Tables {
	if own := f.At(p).Tables; own != nil {
		return own
	}
	return f.Tables().For(f.QoSKind(p))
}

// LevelOf returns the service level of a path to an end port: of a service, 0 for none, in a partition.
func (f *Fabric) LevelOf(service uint64, key description.PKey, to Place) uint8 {
	return f.Policy.LevelOf(qos.Path{Service: service, Key: uint64(key), Target: uint64(f.End(to).GUID)})
}

// At returns a port.
func (f *Fabric) At(p Place) *Port { return &f.Nodes[p.Node].Ports[p.Port] }

// Of returns the node of a port.
func (f *Fabric) Of(p Place) *Node { return &f.Nodes[p.Node] }

// End returns the port whose LID stands for a place.
func (f *Fabric) End(p Place) *Port { return f.Nodes[p.Node].EndPort(p.Port) }

// Far returns the other end of the link at a port, and whether the link is trained. A switch's management port has no link.
func (f *Fabric) Far(p Place) (Place, bool) {
	port := f.At(p)
	if port.Far == Nowhere || port.Physical != LinkUp {
		return Nowhere, false
	}
	return port.Far, true
}

// Find returns the end port with a LID: a switch's port 0, or a port of an adapter.
func (f *Fabric) Find(lid uint16) (Place, bool) {
	if lid == 0 {
		return Nowhere, false
	}
	for n := range f.Nodes {
		node := &f.Nodes[n]
		for p := node.First(); p < len(node.Ports); p++ {
			port := &node.Ports[p]
			if port.LID != 0 && lid >= port.LID && lid < port.LID+1<<port.LMC {
				return Place{n, p}, true
			}
			if node.Kind == Switch {
				break
			}
		}
	}
	return Nowhere, false
}

// FindGUID returns the end port with the GUID of a port or, as its first port, of a node.
func (f *Fabric) FindGUID(guid description.GUID) (Place, bool) {
	found := Nowhere
	for n := range f.Nodes {
		node := &f.Nodes[n]
		for p := node.First(); p < len(node.Ports); p++ {
			if node.Ports[p].GUID == guid {
				return Place{n, p}, true
			}
			if node.GUID == guid && found == Nowhere {
				found = Place{n, p}
			}
			if node.Kind == Switch {
				break
			}
		}
	}
	return found, found != Nowhere
}

// Named returns the number of the node with a name, and -1 without one.
func (f *Fabric) Named(name string) int {
	return slices.IndexFunc(f.Nodes, func(n Node) bool { return n.Name == name })
}

// Clone returns an independent copy.
func (f *Fabric) Clone() *Fabric {
	c := &Fabric{Nodes: slices.Clone(f.Nodes), Groups: slices.Clone(f.Groups), Changes: f.Changes, QoS: f.QoS, Policy: f.Policy, Outside: f.Outside, Moved: slices.Clone(f.Moved)}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		n.Ports, n.Routes, n.Multicast = slices.Clone(n.Ports), slices.Clone(n.Routes), slices.Clone(n.Multicast)
		for p := range n.Ports {
			n.Ports[p].PKeys = slices.Clone(n.Ports[p].PKeys)
		}
	}
	for i := range c.Groups {
		c.Groups[i].Members = slices.Clone(c.Groups[i].Members)
	}
	return c
}

// Connect joins two ports by a cable and trains the link.
func (f *Fabric) Connect(a, b Place) error {
	for _, p := range []Place{a, b} {
		switch {
		case p.Node < 0 || p.Node >= len(f.Nodes):
			return fmt.Errorf("the fabric has no node %d", p.Node)
		case p.Port < 1 || p.Port > f.Of(p).External():
			return fmt.Errorf("%s has ports 1 to %d, and no port %d", f.Of(p).Name, f.Of(p).External(), p.Port)
		case f.At(p).Far != Nowhere:
			return fmt.Errorf("port %d of %s already has a cable", p.Port, f.Of(p).Name)
		}
	}
	if a == b {
		return fmt.Errorf("port %d of %s can't be cabled to itself", a.Port, f.Of(a).Name)
	}
	f.At(a).Far, f.At(b).Far = b, a
	f.Train(a)
	return nil
}
