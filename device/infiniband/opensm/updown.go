package opensm

import "cxdeck/device/infiniband"

// unranked is the level of a switch before the walk from the roots reached it.
const unranked = 1 << 30

// upDown computes the hops along paths that never go up again after they went down, seen from the roots: such routes can't deadlock. It
// reports false when no switch looks like a root; the manager then routes by min-hop.
func upDown(p *part) (*hops, bool) {
	levels := p.levels(minHops(p))
	if levels == nil {
		return nil, false
	}
	h := newHops(p)
	up := make([]bool, len(p.switches))
	queued := make([]bool, len(p.switches))
	for to := range p.switches {
		up[to] = true
		for queue := []int{to}; len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			queued[at] = false
			p.neighbours(at, func(_, other, otherPort int) {
				goesUp := p.upwards(levels, at, other)
				if !up[at] && goesUp {
					return
				}
				if d := h.minimum(at, to) + 1; d < h.row(other, to)[otherPort] {
					h.row(other, to)[otherPort] = d
					if !queued[other] {
						up[other], queued[other] = goesUp, true
						queue = append(queue, other)
					}
				}
			})
		}
	}
	return h, true
}

// upwards reports whether a step leads towards the roots. Between switches of one level the higher GUID is up; two roots are both up.
func (p *part) upwards(level []int, from, to int) bool {
	switch {
	case level[from] == 0 && level[to] == 0:
		return true
	case level[from] != level[to]:
		return level[from] > level[to]
	}
	return p.Nodes[p.switches[from]].GUID > p.Nodes[p.switches[to]].GUID
}

// levels returns the distance of each switch from the roots. A root has (nearly) all adapters at one distance. It returns nil without
// a root.
func (p *part) levels(h *hops) []int {
	adapters, all := make([]int, len(p.switches)), 0
	for _, end := range p.ends {
		if p.Of(end).Kind != infiniband.Switch {
			if s := p.switchAt(end); s >= 0 {
				adapters[s]++
				all++
			}
		}
	}
	level := make([]int, len(p.switches))
	var queue []int
	for s := range p.switches {
		level[s] = unranked
		var histogram [64]int
		for to, number := range adapters {
			if d := h.minimum(s, to); number > 0 && int(d) < len(histogram) {
				histogram[d] += number
			}
		}
		most, some := 0, 0
		for _, number := range histogram {
			if float64(number) > 0.9*float64(all) {
				most++
			}
			if float64(number) > 0.05*float64(all) {
				some++
			}
		}
		if most == 1 && some == 1 {
			level[s] = 0
			queue = append(queue, s)
		}
	}
	if len(queue) == 0 {
		return nil
	}
	for ; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		p.neighbours(at, func(_, other, _ int) {
			if level[other] > level[at]+1 {
				level[other] = level[at] + 1
				queue = append(queue, other)
			}
		})
	}
	return level
}
