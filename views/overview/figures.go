package overview

import (
	"math"
	"slices"

	"cxdeck/perf"
	"cxdeck/perf/window"
	"cxdeck/views/deck"
)

// nodeValues holds the newest values of a node; NaN for unknown ones.
type nodeValues struct {
	receive, send, drops float64
	// utilisation is the use of the line in the busier direction, as a share.
	utilisation float64
	// troubles belong to a port, or are the sums of an adapter's ports.
	troubles troubles
	// weight and dropWeight are sort keys: the node's own value, or the sum of its children.
	weight, dropWeight float64
	// alarm is set if a threshold on one of the node's series has raised its alarm.
	alarm, dropAlarm bool
}

// measure reads the newest figures of all nodes. alarms holds the series with an alarm, found the evidence of troubles.
func measure(nodes []perf.Node, window *window.Recent, alarms map[int]bool, found map[string][]evidence) []nodeValues {
	list := make([]nodeValues, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		list[i] = nodeValues{
			receive:   deck.Newest(window, n.Receive),
			send:      deck.Newest(window, n.Send),
			drops:     deck.Newest(window, n.Drops),
			troubles:  noTroubles(),
			alarm:     anyOf(alarms, n.Receive) || anyOf(alarms, n.Send),
			dropAlarm: anyOf(alarms, n.Drops),
		}
		if n.Kind != perf.PortNode {
			continue
		}
		list[i].troubles = measureTroubles(n, found, window)
		list[i].addDrops(list[i].troubles.dropRate())
		if p := n.Parent; p >= 0 && p < i && (nodes[p].Kind == perf.HostNode || nodes[p].Kind == perf.AdapterNode && countsInSum(nodes[p].Receive, nodes, n)) {
			list[p].troubles.gather(list[i].troubles)
		}
	}
	for i := range nodes {
		if nodes[i].Kind == perf.AdapterNode || nodes[i].Kind == perf.HostNode {
			list[i].addDrops(list[i].troubles.dropRate())
		}
	}
	setWeights(nodes, list)
	return list
}

// addDrops raises the drops of a node to the drops of its troubles: in recordings of older versions and in logs, the node's own
// series may lack sent drops.
func (f *nodeValues) addDrops(drops float64) {
	if math.IsNaN(f.drops) || drops > f.drops {
		f.drops = drops
	}
}

// measureTotals reads the newest figures of the whole source.
func measureTotals(inventory *perf.Inventory, window *window.Recent, ports []nodeValues) nodeValues {
	total := nodeValues{
		receive: deck.Newest(window, inventory.Receive),
		send:    deck.Newest(window, inventory.Send),
		drops:   deck.Newest(window, inventory.Drops),
	}
	sum, fleet := noTroubles(), false
	for i := range inventory.Nodes {
		switch n := &inventory.Nodes[i]; {
		case n.Kind == perf.HostNode: // of its ports
			sum.gather(ports[i].troubles)
			fleet = true
		case n.Kind == perf.PortNode && !fleet && countsInSum(inventory.Receive, inventory.Nodes, n):
			sum.gather(ports[i].troubles)
		}
	}
	total.addDrops(sum.dropRate())
	return total
}

// countsInSum reports whether a sum of series includes a port. In a log, it leaves out teams, virtual switches and second names of
// a port, whose frames another port counts, too; a sum with its own series includes all ports.
func countsInSum(sum []int, nodes []perf.Node, port *perf.Node) bool {
	listed := false
	for i := range nodes {
		listed = listed || nodes[i].Kind == perf.PortNode && sharesSeries(sum, nodes[i].Receive)
	}
	return !listed || sharesSeries(sum, port.Receive)
}

func sharesSeries(a, b []int) bool {
	return slices.ContainsFunc(a, func(series int) bool { return slices.Contains(b, series) })
}

// setWeights sets the weights from the leaves up: nodes are after their parents.
func setWeights(nodes []perf.Node, list []nodeValues) {
	for i := len(nodes) - 1; i >= 0; i-- {
		f := &list[i]
		// A port's figures include the frames of its functions: a node with its own figures adds no others.
		if len(nodes[i].Receive)+len(nodes[i].Send) > 0 {
			f.weight = deck.Known(f.receive) + deck.Known(f.send)
		}
		if len(nodes[i].Drops) > 0 {
			f.dropWeight = deck.Known(f.drops)
		}
		if p := nodes[i].Parent; p >= 0 && p < i {
			list[p].weight += f.weight
			list[p].dropWeight += f.dropWeight
		}
	}
}

func anyOf(set map[int]bool, series []int) bool {
	if len(set) == 0 {
		return false
	}
	for _, s := range series {
		if set[s] {
			return true
		}
	}
	return false
}
