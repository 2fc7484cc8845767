package opensm

import "slices"

// noPath is the number of hops to a switch that can't be reached.
const noPath = 0xff

// hops holds for each switch the number of hops to each switch through each of its ports.
type hops struct {
	ports [][]uint8 // by switch: its ports in rows of the other switches
	width []int     // the length of a row, by switch
}

func newHops(p *part) *hops {
	h := &hops{make([][]uint8, len(p.switches)), make([]int, len(p.switches))}
	for s, n := range p.switches {
		h.width[s] = len(p.Nodes[n].Ports)
		h.ports[s] = slices.Repeat([]uint8{noPath}, h.width[s]*len(p.switches))
		h.row(s, s)[0] = 0
	}
	return h
}

// row returns the hops from a switch to another one through each port.
func (h *hops) row(from, to int) []uint8 {
	return h.ports[from][to*h.width[from] : (to+1)*h.width[from]]
}

// minimum returns the smallest number of hops.
func (h *hops) minimum(from, to int) uint8 { return slices.Min(h.row(from, to)) }

// minHops computes the hops along shortest paths.
func minHops(p *part) *hops {
	h := newHops(p)
	distance := make([]uint8, len(p.switches))
	for to := range p.switches {
		for i := range distance {
			distance[i] = noPath
		}
		distance[to] = 0
		for queue := []int{to}; len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			p.neighbours(at, func(_, other, otherPort int) {
				if d := distance[at] + 1; d < distance[other] {
					distance[other] = d
					queue = append(queue, other)
				}
				h.row(other, to)[otherPort] = distance[at] + 1
			})
		}
		h.row(to, to)[0] = 0
	}
	return h
}
