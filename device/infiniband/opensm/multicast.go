package opensm

import (
	"encoding/binary"
	"slices"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
)

// ipoibQKey is the QKey of IPoIB groups.
const ipoibQKey = 0x0b1b

// Codes of a group: packets of 2048 bytes, and 10 Gb/s, which every link carries.
const (
	mtu2048 = 4
	rate10  = 3
)

// broadcastGID returns the GID of the broadcast group of a partition (RFC 4391), and groupGID the GID of a group of IPv4.
func broadcastGID(key description.PKey) [16]byte { return groupGID(key, 0xffffffff) }

func groupGID(key description.PKey, address uint32) (gid [16]byte) {
	gid[0], gid[1], gid[2], gid[3] = 0xff, 0x12, 0x40, 0x1b
	binary.BigEndian.PutUint16(gid[4:], uint16(key.Full()))
	binary.BigEndian.PutUint32(gid[12:], address)
	return gid
}

// join keeps the multicast groups of a part: the broadcast group of each partition with IPoIB, and the group of all hosts. The active
// adapters of the partition are their members.
func (m *Manager) join(p *part, h *hops) {
	p.Groups = slices.DeleteFunc(p.Groups, func(g infiniband.Group) bool {
		g.Members = slices.DeleteFunc(g.Members, func(member infiniband.Place) bool { return slices.Contains(p.ends, member) })
		return len(g.Members) == 0
	})
	for _, n := range p.switches {
		p.Nodes[n].Multicast = nil
	}
	for i := range m.Partitions {
		if !m.Partitions[i].IPoIB {
			continue
		}
		key := m.Partitions[i].Key
		for _, gid := range [][16]byte{broadcastGID(key), groupGID(key, 0xe0000001)} {
			g := infiniband.Group{
				GID: gid, LID: infiniband.FirstMulticastLID + uint16(len(p.Groups)), QKey: ipoibQKey, PKey: key.Full(), MTU: mtu2048, Rate: rate10, Scope: 2,
				Level: m.Partitions[i].Level,
			}
			for _, end := range p.ends {
				if p.Of(end).Kind == infiniband.Adapter && slices.ContainsFunc(p.End(end).PKeys, func(k description.PKey) bool { return k.Full() == key.Full() }) {
					g.Members = append(g.Members, end)
				}
			}
			if len(g.Members) > 0 {
				p.Groups = append(p.Groups, g)
				p.tree(&g, h)
			}
		}
	}
}

// tree writes the ports of a group into the multicast tables: a tree of shortest paths from the switch that is nearest to all members.
func (p *part) tree(g *infiniband.Group, h *hops) {
	if len(p.switches) == 0 {
		return
	}
	index := int(g.LID - infiniband.FirstMulticastLID)
	table := func(s int) *infiniband.PortSet {
		node := &p.Nodes[p.switches[s]]
		for len(node.Multicast) <= index {
			node.Multicast = append(node.Multicast, infiniband.PortSet{})
		}
		return &node.Multicast[index]
	}
	distance := func(s int) int {
		sum := 0
		for _, member := range g.Members {
			sum += int(h.minimum(s, p.switchAt(member)))
		}
		return sum
	}
	root := 0
	for s := range p.switches {
		if distance(s) < distance(root) {
			root = s
		}
	}
	for _, member := range g.Members {
		at := p.switchAt(member)
		if at < 0 || h.minimum(at, root) == noPath {
			continue
		}
		if p.number[member.Node] < 0 {
			far, _ := p.Far(member)
			table(at).Add(far.Port)
		}
		for at != root {
			row := h.row(at, root)
			out := slices.Index(row, slices.Min(row))
			far, _ := p.Far(infiniband.Place{Node: p.switches[at], Port: out})
			table(at).Add(out)
			at = p.number[far.Node]
			table(at).Add(far.Port)
		}
	}
}
