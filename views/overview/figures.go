package overview

import (
	"cxdeck/perf"
	"cxdeck/views/deck"
)

// figures are the newest numbers of a node; NaN is unknown.
type figures struct {
	receive, send, drops float64
	// weight and dropWeight sort: a node's own figure, or the sum of what hangs on it.
	weight, dropWeight float64
	// alarm says that a threshold on one of the node's series is beyond its level.
	alarm, dropAlarm bool
}

// measure reads the newest figures of all nodes. alarms are the series beyond a threshold.
func measure(nodes []perf.Node, window *perf.Window, alarms map[int]bool) []figures {
	list := make([]figures, len(nodes))
	for i, n := range nodes {
		list[i] = figures{
			receive:   deck.Newest(window, n.Receive),
			send:      deck.Newest(window, n.Send),
			drops:     deck.Newest(window, n.Drops),
			alarm:     anyOf(alarms, n.Receive) || anyOf(alarms, n.Send),
			dropAlarm: anyOf(alarms, n.Drops),
		}
	}
	weigh(nodes, list)
	return list
}

// weigh sets the weights from the leaves up: nodes stand after their parents.
func weigh(nodes []perf.Node, list []figures) {
	for i := len(nodes) - 1; i >= 0; i-- {
		f := &list[i]
		// A function's frames are its port's frames too: who has figures of its own takes no others.
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
