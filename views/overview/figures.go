package overview

import (
	"math"

	"cxdeck/perf"
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
			receive:   newest(window, n.Receive),
			send:      newest(window, n.Send),
			drops:     newest(window, n.Drops),
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
			f.weight = known(f.receive) + known(f.send)
		}
		if len(nodes[i].Drops) > 0 {
			f.dropWeight = known(f.drops)
		}
		if p := nodes[i].Parent; p >= 0 && p < i {
			list[p].weight += f.weight
			list[p].dropWeight += f.dropWeight
		}
	}
}

// newest is the sum of the series' newest values, NaN when there is none.
func newest(window *perf.Window, series []int) float64 {
	if value, ok := window.LastSum(series); ok && len(series) > 0 {
		return value
	}
	return math.NaN()
}

// known is the value, or 0 when it is unknown.
func known(value float64) float64 {
	if math.IsNaN(value) {
		return 0
	}
	return value
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

// unitOf is the unit of the first of the series, and whether it is a rate.
func unitOf(schema *perf.Schema, series []int) (unit perf.Unit, perSecond bool) {
	if schema == nil || len(series) == 0 || series[0] < 0 || series[0] >= len(schema.Series) {
		return perf.Bytes, true
	}
	s := &schema.Series[series[0]]
	return s.Unit, s.PerSecond()
}
