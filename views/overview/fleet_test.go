package overview

import (
	"fmt"
	"math"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/window"
)

// fleetOf returns an inventory of hosts with two ports each, whose receive and drop rates are in the window; host bad drops.
func fleetOf(tb testing.TB, hosts, bad int) (*perf.Inventory, *perf.Schema, *window.Recent) {
	tb.Helper()
	v := &perf.Inventory{}
	var series []perf.Series
	column := perf.Column{Time: time.Unix(1, 0)}
	for host := range hosts {
		at := len(v.Nodes)
		v.Nodes = append(v.Nodes, perf.Node{ID: fmt.Sprint(host), Parent: -1, Kind: perf.HostNode, Name: fmt.Sprintf("node-%04d", host), State: perf.StateRunning})
		for p := range 2 {
			name := fmt.Sprintf("node-%04d: Ethernet %d", host, p)
			receive, drops := len(series), len(series)+1
			series = append(series,
				perf.Series{Set: perf.SummarySet, Instance: name, Counter: perf.SummaryReceive, Unit: perf.Bytes.Rate(), Kind: perf.Gauge, Cell: receive, Scale: perf.FloatCells},
				perf.Series{Set: "Network Interface", Instance: name, Counter: "Packets Received Discarded", Unit: perf.Packets.Rate(), Kind: perf.Gauge, Cell: drops, Scale: perf.FloatCells})
			lost := 0.0
			if host == bad {
				lost = 300
			}
			column.Cells = append(column.Cells, int64(math.Float64bits(float64(host))), int64(math.Float64bits(lost))) // the bits of a float
			v.Nodes = append(v.Nodes, perf.Node{ID: name, Parent: at, Kind: perf.PortNode, Name: name, Receive: []int{receive}, Instances: []string{name}, State: perf.StateUp})
			v.Nodes[at].Receive, v.Receive = append(v.Nodes[at].Receive, receive), append(v.Receive, receive)
		}
	}
	schema := perf.UncheckedSchema(1, len(series), series)
	recent := window.New(time.Second)
	recent.Push(schema, &column)
	return v, schema, recent
}

// TestWorstHostIsFirst: a host that is not scraped comes first, then the one that drops packets.
func TestWorstHostIsFirst(t *testing.T) {
	t.Parallel()
	inventory, schema, recent := fleetOf(t, 20, 13)
	inventory.Nodes[3*7].State = perf.StateFailed
	view := &View{seen: map[string]bool{}, folded: map[string]bool{}}
	view.foldHosts(inventory.Nodes)
	view.foldFunctions(inventory.Nodes)
	figures := measure(inventory.Nodes, recent, nil, findEvidence(schema))
	rows := arrange(inventory.Nodes, figures, view.folded, &view.filter, view.order)
	if len(rows) != 20 {
		t.Fatalf("%d rows: hosts are not folded", len(rows))
	}
	for i, want := range []string{"node-0007", "node-0013", "node-0019"} {
		if got := inventory.Nodes[rows[i].node].Name; got != want {
			t.Errorf("row %d is %s, want %s", i, got, want)
		}
	}
	if got := figures[3*13].troubles[receiveDrops]; got != 600 {
		t.Errorf("the host drops %g a second", got)
	}
}

// BenchmarkFleet measures and sorts 1,000 hosts after new data; a key only sorts them: at most 15 ms.
func BenchmarkFleet(b *testing.B) {
	inventory, schema, recent := fleetOf(b, 1000, 617)
	view := &View{seen: map[string]bool{}, folded: map[string]bool{}}
	view.foldHosts(inventory.Nodes)
	view.foldFunctions(inventory.Nodes)
	found := findEvidence(schema)
	b.Run("data", func(b *testing.B) {
		for b.Loop() {
			figures := measure(inventory.Nodes, recent, nil, found)
			measureTotals(inventory, recent, figures)
		}
	})
	figures := measure(inventory.Nodes, recent, nil, found)
	b.Run("key", func(b *testing.B) {
		for b.Loop() {
			arrange(inventory.Nodes, figures, view.folded, &view.filter, view.order)
		}
	})
}

// TestPortsOfAHostHaveShortNames: below a host of a fleet the tree names the device only.
func TestPortsOfAHostHaveShortNames(t *testing.T) {
	t.Parallel()
	inventory, _, _ := fleetOf(t, 1, 0)
	for i, want := range []string{"node-0000", "Ethernet 0", "Ethernet 1"} {
		if got := shortName(inventory.Nodes, &inventory.Nodes[i]); got != want {
			t.Errorf("node %d is %q, want %q", i, got, want)
		}
	}
}
