package overview

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"cxdeck/perf"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// order is the sort order of the children of a node.
type order uint8

const (
	byPlace order = iota // as the source gives them
	byName
	byRate
	byDrops
	byPauses      // of a fleet, as the following ones
	byErrors      // damaged frames
	byUtilisation // of the line
	byTrouble     // hosts that are not scraped, then damaged frames, drops and pauses together
)

// String names the order for the operator.
func (o order) String() string {
	return [...]string{"place", "name", "rate", "drops", "pauses", "errors", "utilisation", "trouble"}[o]
}

// fold is the mark before a row.
type fold uint8

const (
	leaf fold = iota
	open
	closed
)

// row is a line of the tree table.
type row struct {
	node, depth int
	fold        fold
}

// arrange returns the visible rows of the tree. With a filter, it keeps a node if the node itself or a node above it matches,
// and all nodes above, folded or not. figures has one entry per node.
func arrange(nodes []perf.Node, figures []nodeValues, folded map[string]bool, filter *browse.Filter, by order) []row {
	children, roots := family(nodes)
	keep := nodesKept(nodes, filter)
	var rows []row
	var walk func(siblings []int, depth int)
	walk = func(siblings []int, depth int) {
		sortSiblings(siblings, nodes, figures, by)
		for _, i := range siblings {
			if !keep[i] {
				continue
			}
			r := row{node: i, depth: depth}
			if len(children[i]) > 0 {
				r.fold = open
				if folded[nodes[i].ID] && !filter.Active() {
					r.fold = closed
				}
			}
			rows = append(rows, r)
			if r.fold == open {
				walk(children[i], depth+1)
			}
		}
	}
	walk(roots, 0)
	return rows
}

// family finds the children of each node. A parent that does not precede its child violates the contract of an inventory and
// is ignored, which rules out cycles.
func family(nodes []perf.Node) (children [][]int, roots []int) {
	children = make([][]int, len(nodes))
	for i, n := range nodes {
		if n.Parent < 0 || n.Parent >= i {
			roots = append(roots, i)
		} else {
			children[n.Parent] = append(children[n.Parent], i)
		}
	}
	return children, roots
}

// nodesKept returns which nodes the filter keeps.
func nodesKept(nodes []perf.Node, filter *browse.Filter) []bool {
	keep, match := make([]bool, len(nodes)), make([]bool, len(nodes))
	for i, n := range nodes {
		match[i] = filter.Match(n.Name, n.Detail, n.SpeedText, n.StateText, n.Pending, deck.StateWord(n.State)) ||
			n.Parent >= 0 && n.Parent < i && match[n.Parent]
		for j := i; match[i] && j >= 0 && !keep[j]; {
			keep[j] = true
			if p := nodes[j].Parent; p < j {
				j = p
			} else {
				j = -1
			}
		}
	}
	return keep
}

// sortSiblings sorts nodes with one parent; equal ones keep the source's order.
func sortSiblings(siblings []int, nodes []perf.Node, figures []nodeValues, by order) {
	switch by {
	case byName:
		slices.SortStableFunc(siblings, func(a, b int) int {
			return cmp.Compare(strings.ToLower(nodes[a].Name), strings.ToLower(nodes[b].Name))
		})
	case byRate:
		slices.SortStableFunc(siblings, func(a, b int) int {
			return cmp.Compare(figures[b].weight, figures[a].weight)
		})
	case byDrops:
		if isFleet(nodes) { // exporters have no sum of drops
			sortByHeat(siblings, figures, by)
			return
		}
		slices.SortStableFunc(siblings, func(a, b int) int {
			return cmp.Compare(figures[b].dropWeight, figures[a].dropWeight)
		})
	case byPauses, byErrors, byUtilisation:
		sortByHeat(siblings, figures, by)
	case byTrouble:
		slices.SortStableFunc(siblings, func(a, b int) int {
			return cmp.Or(cmp.Compare(badness(&nodes[b], &figures[b]), badness(&nodes[a], &figures[a])), cmp.Compare(figures[b].weight, figures[a].weight))
		})
	default: // as they are
	}
}

// badness orders nodes by trouble: failed and down ones first, then the heat of their losses and pauses.
func badness(n *perf.Node, f *nodeValues) float64 {
	bad := 0.0
	switch n.State {
	case perf.StateFailed:
		bad = 1000
	case perf.StateDown:
		bad = 100
	default:
	}
	for kind := range troubleCount {
		if value := f.troubles[kind]; f.troubles.isMarked(kind) {
			if kind == paused || kind == holdsBack {
				bad += 10 * value
			} else {
				bad += 1 + math.Log10(1+value)
			}
		}
	}
	return bad
}

// parentRow returns the row of the parent of the row at index i, -1 if it has no visible parent.
func parentRow(rows []row, i int) int {
	for j := i - 1; j >= 0; j-- {
		if rows[j].depth < rows[i].depth {
			return j
		}
	}
	return -1
}
