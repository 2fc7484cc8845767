// Package topology builds fabrics of regular shapes: fat trees for labs, and the shapes that tests route.
package topology

import (
	"fmt"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
)

// The ids of the switches and adapters of the 56 Gb/s generation, in NodeInfo.
const (
	Mellanox      = 0x0002c9
	SwitchX       = 0xc738
	ConnectX3     = 0x1003
	switchGUIDs   = 0x0002c90300a00000
	adapterGUIDs  = 0x0002c90300b00000
	guidStep      = 0x10
	DefaultPorts  = 36
	switchVersion = 0xa1
)

// Builder adds nodes with consecutive GUIDs to a fabric.
type Builder struct {
	*infiniband.Fabric
	switches, adapters int
	// Speed is the speed of new nodes.
	Speed infiniband.Speed
}

// New returns an empty builder of FDR nodes.
func New() *Builder { return &Builder{Fabric: &infiniband.Fabric{}, Speed: infiniband.FDR} }

// Switch adds a switch.
func (b *Builder) Switch(name string, ports int) int {
	return b.Node(infiniband.Switch, name, ports, 0)
}

// Adapter adds a channel adapter.
func (b *Builder) Adapter(name string, ports int) int {
	return b.Node(infiniband.Adapter, name, ports, 0)
}

// Node adds a node with a GUID, 0 for the next one of its kind.
func (b *Builder) Node(kind infiniband.Kind, name string, ports int, guid description.GUID) int {
	m := infiniband.Model{Kind: kind, Name: name, GUID: guid, Ports: ports, Width: 4, Speed: b.Speed, Vendor: Mellanox, Device: ConnectX3}
	if kind == infiniband.Switch {
		b.switches++
		m.Device, m.Revision = SwitchX, switchVersion
		if guid == 0 {
			m.GUID = switchGUIDs + guidStep*description.GUID(b.switches)
		}
	} else {
		b.adapters++
		if guid == 0 {
			m.GUID = adapterGUIDs + guidStep*description.GUID(b.adapters)
		}
	}
	return b.Add(m)
}

// Cable connects two ports.
func (b *Builder) Cable(node, port, other, otherPort int) {
	if err := b.Connect(infiniband.Place{Node: node, Port: port}, infiniband.Place{Node: other, Port: otherPort}); err != nil {
		panic("topology: " + err.Error()) // a mistake of the caller, which a test finds
	}
}

// FatTree adds a two-level fat tree: each leaf has hosts on its first ports, and a link to each spine. Names are Leaf-1, Spine-1 and
// Host-1. 36 leaves with 18 hosts, and 18 spines are 648 ports.
func (b *Builder) FatTree(leaves, spines, hosts int) (leaf, spine []int) {
	for i := range spines {
		spine = append(spine, b.Switch(fmt.Sprintf("Spine-%d", i+1), max(DefaultPorts, leaves)))
	}
	for i := range leaves {
		leaf = append(leaf, b.Switch(fmt.Sprintf("Leaf-%d", i+1), max(DefaultPorts, hosts+spines)))
		for j := range spines {
			b.Cable(leaf[i], hosts+j+1, spine[j], i+1)
		}
		for j := range hosts {
			b.Cable(leaf[i], j+1, b.Adapter(fmt.Sprintf("Host-%d", i*hosts+j+1), 1), 1)
		}
	}
	return leaf, spine
}
