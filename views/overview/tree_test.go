package overview

import (
	"math"
	"strings"
	"testing"

	"cxdeck/perf"
	"cxdeck/views/browse"
)

// twoCards returns two adapters; the second port of the first has a function.
func twoCards() []perf.Node {
	return []perf.Node{
		{ID: "04", Parent: -1, Kind: perf.AdapterNode, Name: "ConnectX-5 Ex", Detail: "04:00.0  mlx5"},
		{ID: "04.1", Parent: 0, Kind: perf.PortNode, Name: "Ethernet 8", State: perf.StateUp},
		{ID: "04.2", Parent: 0, Kind: perf.PortNode, Name: "Ethernet 7", State: perf.StateUp},
		{ID: "04.2.1", Parent: 2, Kind: perf.FunctionNode, Name: "web-01"},
		{ID: "05", Parent: -1, Kind: perf.AdapterNode, Name: "ConnectX-4 Lx", Detail: "05:00.0  mlx5"},
		{ID: "05.1", Parent: 4, Kind: perf.PortNode, Name: "Ethernet 5", State: perf.StateDown},
	}
}

func names(nodes []perf.Node, rows []row) string {
	var list []string
	for _, r := range rows {
		list = append(list, strings.Repeat(".", r.depth)+nodes[r.node].Name)
	}
	return strings.Join(list, "|")
}

func TestArrange(t *testing.T) {
	t.Parallel()
	nodes := twoCards()
	numbers := make([]nodeValues, len(nodes))
	for i, rate := range []float64{0, 10, 30, 30, 0, 90} {
		numbers[i] = nodeValues{weight: rate, dropWeight: 100 - rate}
	}
	numbers[0].weight, numbers[4].weight = 40, 90
	for _, c := range []struct {
		name, filter string
		folded       []string
		order        order
		want         string
	}{
		{name: "as the source has it", want: "ConnectX-5 Ex|.Ethernet 8|.Ethernet 7|..web-01|ConnectX-4 Lx|.Ethernet 5"},
		{name: "folded", folded: []string{"04"}, want: "ConnectX-5 Ex|ConnectX-4 Lx|.Ethernet 5"},
		{name: "by name", order: byName, want: "ConnectX-4 Lx|.Ethernet 5|ConnectX-5 Ex|.Ethernet 7|..web-01|.Ethernet 8"},
		{name: "by rate", order: byRate, want: "ConnectX-4 Lx|.Ethernet 5|ConnectX-5 Ex|.Ethernet 7|..web-01|.Ethernet 8"},
		{name: "by drops", order: byDrops, want: "ConnectX-5 Ex|.Ethernet 8|.Ethernet 7|..web-01|ConnectX-4 Lx|.Ethernet 5"},
		{name: "nodes above a match stay", filter: "web", want: "ConnectX-5 Ex|.Ethernet 7|..web-01"},
		{name: "nodes below a match stay", filter: "4 lx|web-99", want: "ConnectX-4 Lx|.Ethernet 5"},
		{name: "by state", filter: "down", want: "ConnectX-4 Lx|.Ethernet 5"},
		{name: "a filter searches folded nodes", filter: "web", folded: []string{"04"}, want: "ConnectX-5 Ex|.Ethernet 7|..web-01"},
		{name: "no match", filter: "nothing", want: ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			folded := map[string]bool{}
			for _, id := range c.folded {
				folded[id] = true
			}
			var filter browse.Filter
			filter.Set(c.filter)
			if got := names(nodes, arrange(nodes, numbers, folded, &filter, c.order)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestArrangeSurvivesDamagedParents(t *testing.T) {
	t.Parallel()
	nodes := []perf.Node{{ID: "a", Parent: 1, Name: "a"}, {ID: "b", Parent: 0, Name: "b"}, {ID: "c", Parent: 2, Name: "c"}, {ID: "d", Parent: 99, Name: "d"}, {ID: "e", Parent: -7, Name: "e"}}
	var filter browse.Filter
	for _, text := range []string{"", "b"} {
		filter.Set(text)
		rows := arrange(nodes, make([]nodeValues, len(nodes)), map[string]bool{}, &filter, byRate)
		if len(rows) == 0 {
			t.Errorf("filter %q shows nothing", text)
		}
	}
	setWeights(nodes, make([]nodeValues, len(nodes)))
}

func TestWeightsCountNoFrameTwice(t *testing.T) {
	t.Parallel()
	nodes := twoCards()
	list := make([]nodeValues, len(nodes))
	unknown := nodeValues{receive: math.NaN(), send: math.NaN(), drops: math.NaN()}
	for i := range list {
		list[i] = unknown
	}
	for i, rate := range map[int]float64{1: 10, 2: 30, 3: 25, 5: 90} {
		nodes[i].Receive, nodes[i].Drops = []int{i}, []int{i}
		list[i] = nodeValues{receive: rate, send: math.NaN(), drops: 1}
	}
	setWeights(nodes, list)
	// The port's 30 include the function's 25.
	if list[0].weight != 40 || list[4].weight != 90 || list[0].dropWeight != 2 {
		t.Errorf("adapters weigh %v and %v with %v drops, want 40, 90 and 2", list[0].weight, list[4].weight, list[0].dropWeight)
	}
}
