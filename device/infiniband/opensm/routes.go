package opensm

import (
	"cmp"
	"math"
	"slices"

	"cxdeck/device/infiniband"
)

// order returns the end ports in the order in which a switch spreads them over its ports: first the adapters, beginning with the switch that has most
// of them, then the switches.
func (p *part) order() []infiniband.Place {
	links := make([]int, len(p.switches))
	at := func(s, port int) (infiniband.Place, bool) {
		far, up := p.Far(infiniband.Place{Node: p.switches[s], Port: port})
		return far, up && p.number[far.Node] < 0
	}
	byLoad := make([]int, len(p.switches))
	for s, n := range p.switches {
		byLoad[s] = s
		for port := 1; port < len(p.Nodes[n].Ports); port++ {
			if _, adapter := at(s, port); adapter {
				links[s]++
			}
		}
	}
	slices.SortStableFunc(byLoad, func(a, b int) int { return cmp.Compare(links[b], links[a]) })
	ends := make([]infiniband.Place, 0, len(p.ends))
	for _, s := range byLoad {
		for port := 1; port < len(p.Nodes[p.switches[s]].Ports); port++ {
			if far, adapter := at(s, port); adapter {
				ends = append(ends, far)
			}
		}
	}
	for _, n := range p.switches {
		ends = append(ends, infiniband.Place{Node: n})
	}
	return ends
}

// routes writes the forwarding table of each switch. To each LID it takes the port with the least hops, and among such ports the one
// that carries the fewest paths to adapters.
func (p *part) routes(h *hops) {
	top := uint16(0)
	for _, end := range p.ends {
		top = max(top, p.End(end).LID+1<<p.End(end).LMC-1)
	}
	ends := p.order()
	for s, n := range p.switches {
		node := &p.Nodes[n]
		node.Routes = slices.Repeat([]uint8{infiniband.NoRoute}, int(top)+1)
		paths := make([]uint32, len(node.Ports))
		for _, end := range ends {
			p.route(h, s, end, node.Routes, paths)
		}
	}
}

// route writes the entries of the LIDs of an end port in the table of a switch.
func (p *part) route(h *hops, s int, end infiniband.Place, table []uint8, paths []uint32) {
	port := p.End(end)
	to, isSwitch := p.switchAt(end), p.number[end.Node] >= 0
	if port.LID == 0 || to < 0 {
		return
	}
	for offset := range 1 << port.LMC {
		out := -1
		switch {
		case to == s && isSwitch:
			out = 0
		case to == s:
			far, _ := p.Far(end)
			out = far.Port
		default:
			row, minimum, fewest := h.row(s, to), h.minimum(s, to), uint32(math.MaxUint32)
			if minimum == noPath {
				continue
			}
			for candidate, d := range row {
				if candidate > 0 && d == minimum && paths[candidate] < fewest {
					out, fewest = candidate, paths[candidate]
				}
			}
		}
		if out < 0 {
			continue
		}
		table[int(port.LID)+offset] = uint8(out)
		if !isSwitch {
			paths[out]++
		}
	}
}
