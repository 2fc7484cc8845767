package fabric

import (
	"fmt"
	"slices"
	"time"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/ui/widget"
)

// kept is the number of rates that a port's curve shows.
const kept = 120

// reading is the subnet at a moment.
type reading struct {
	*opensm.Subnet
	own []infiniband.Place
	at  time.Time
}

// row is a line of the tree: a node, or one of its ports with a cable.
type row struct {
	place infiniband.Place
	node  bool
}

// curve holds the rates of a port in bits per second, the newest last.
type curve struct {
	sent, received []widget.Band
	counters       series
}

// order returns the nodes in the order of the tree: switches first, the ones farthest from the adapters first, then the others by name.
func order(f *infiniband.Fabric) []int {
	level := levels(f)
	nodes := make([]int, len(f.Nodes))
	for i := range nodes {
		nodes[i] = i
	}
	slices.SortStableFunc(nodes, func(a, b int) int { return level[b] - level[a] })
	return nodes
}

// levels returns how far each node is from the adapters: 0 for an adapter or a router, 1 for a switch with adapters, more for the
// switches above.
func levels(f *infiniband.Fabric) []int {
	level := make([]int, len(f.Nodes))
	var queue []int
	for n := range f.Nodes {
		if f.Nodes[n].Kind == infiniband.Switch {
			level[n] = -1
		} else {
			queue = append(queue, n)
		}
	}
	top := 0
	for ; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		for p := 1; p < len(f.Nodes[n].Ports); p++ {
			if far := f.Nodes[n].Ports[p].Far; far != infiniband.Nowhere && level[far.Node] < 0 {
				level[far.Node] = level[n] + 1
				top = max(top, level[far.Node])
				queue = append(queue, far.Node)
			}
		}
	}
	for n := range level {
		if level[n] < 0 { // without a path to any adapter
			level[n] = top + 1
		}
	}
	return level
}

// tree returns the lines of the tree; the ports of a folded node are left out.
func tree(f *infiniband.Fabric, folded map[int]bool) []row {
	var rows []row
	for _, n := range order(f) {
		rows = append(rows, row{infiniband.Place{Node: n}, true})
		for p := 1; p < len(f.Nodes[n].Ports) && !folded[n]; p++ {
			if f.Nodes[n].Ports[p].Far != infiniband.Nowhere {
				rows = append(rows, row{infiniband.Place{Node: n, Port: p}, false})
			}
		}
	}
	return rows
}

// faults returns the number of errors that a port has counted.
func faults(c *infiniband.Counters) uint64 {
	return c.SymbolErrors + c.LinkRecoveries + c.LinkDowned + c.ReceiveErrors + c.SendDiscards + c.IntegrityErrors + c.BufferOverruns
}

// summary is the line about the whole subnet.
func summary(s *opensm.Subnet) string {
	links, down := 0, 0
	for n := range s.Fabric.Nodes {
		for _, p := range s.Fabric.Nodes[n].Ports {
			if p.Far == infiniband.Nowhere {
				continue
			}
			links++
			if p.State != infiniband.Active {
				down++
			}
		}
	}
	text := fmt.Sprintf("%d nodes, %d cables", len(s.Fabric.Nodes), links/2)
	if down > 0 {
		text += fmt.Sprintf(" (%d not active)", (down+1)/2)
	}
	found := false
	for _, m := range s.Managers {
		if m.Role == opensm.Master {
			found = true
			text += fmt.Sprintf("; subnet manager on %s, %s", s.Fabric.Of(m.Place).Name, engine(m))
		}
	}
	if !found {
		text += "; no subnet manager"
	}
	return text
}

// engine returns how a manager routes, in words.
func engine(m *opensm.Manager) string {
	if m.Engine == opensm.UpDown && !m.Fell {
		return "up/down routing"
	}
	return "min-hop routing"
}
