package opensm

import (
	"cmp"
	"math/bits"
	"slices"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
)

// part is what a manager reaches: its numbers of nodes, and their end ports, in the order of rank.
type part struct {
	*infiniband.Fabric
	switches []int
	ends     []infiniband.Place
	// number is the index in switches by the number of a node; -1 for other nodes.
	number []int
}

// discover walks the trained links from a port. An adapter or a router passes nothing on between its ports, so only the ports that the
// walk comes to belong to the part.
func discover(f *infiniband.Fabric, from infiniband.Place) *part {
	p := &part{Fabric: f, number: make([]int, len(f.Nodes))}
	for i := range p.number {
		p.number[i] = -1
	}
	seen := make([]bool, len(f.Nodes)) // of switches
	reached := map[infiniband.Place]bool{}
	queue := []infiniband.Place{from}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		node := f.Of(at)
		if node.Kind != infiniband.Switch {
			if reached[at] {
				continue
			}
			reached[at] = true
			p.ends = append(p.ends, at)
			if far, up := f.Far(at); up {
				queue = append(queue, far)
			}
			continue
		}
		if seen[at.Node] {
			continue
		}
		seen[at.Node] = true
		p.switches = append(p.switches, at.Node)
		p.ends = append(p.ends, infiniband.Place{Node: at.Node})
		for i := 1; i < len(node.Ports); i++ {
			if far, up := f.Far(infiniband.Place{Node: at.Node, Port: i}); up {
				queue = append(queue, far)
			}
		}
	}
	slices.SortFunc(p.switches, func(a, b int) int { return cmp.Compare(rank(f.Nodes[a].GUID), rank(f.Nodes[b].GUID)) })
	slices.SortFunc(p.ends, func(a, b infiniband.Place) int { return cmp.Compare(rank(f.End(a).GUID), rank(f.End(b).GUID)) })
	for i, n := range p.switches {
		p.number[n] = i
	}
	return p
}

// rank returns the number by which the real program orders a GUID: it compares the bytes as they come from the wire, which a processor of
// Intel's order reads from the other end.
func rank(guid description.GUID) uint64 { return bits.ReverseBytes64(uint64(guid)) }

// switchAt returns the index of the switch that an end port is on or cabled to, and -1 without one.
func (p *part) switchAt(end infiniband.Place) int {
	if p.number[end.Node] >= 0 {
		return p.number[end.Node]
	}
	if far, up := p.Far(end); up {
		return p.number[far.Node]
	}
	return -1
}

// neighbours calls do for each trained link of a switch to another switch: its port, and the index and the port of the other switch.
func (p *part) neighbours(s int, do func(port, other, otherPort int)) {
	n := p.switches[s]
	for port := 1; port < len(p.Nodes[n].Ports); port++ {
		far, up := p.Far(infiniband.Place{Node: n, Port: port})
		if up && p.number[far.Node] >= 0 && far.Node != n {
			do(port, p.number[far.Node], far.Port)
		}
	}
}
