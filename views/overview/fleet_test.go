package overview

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/window"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/viewtest"
)

// fleetOf returns an inventory of hosts with two ports each, whose receive and drop rates are in the window; host bad drops.
func fleetOf(tb testing.TB, hosts, bad int) (*perf.Inventory, *perf.Schema, *window.Recent, *perf.Column) {
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
			v.Nodes = append(v.Nodes, perf.Node{ID: name, Parent: at, Kind: perf.PortNode, Name: name, Receive: []int{receive}, Instances: []string{name}, State: perf.StateUp, Speed: 8000})
			v.Nodes[at].Receive, v.Receive = append(v.Nodes[at].Receive, receive), append(v.Receive, receive)
		}
	}
	schema := perf.UncheckedSchema(1, len(series), series)
	recent := window.New(time.Second)
	recent.Push(schema, &column)
	return v, schema, recent, &column
}

// TestWorstHostIsFirst: a host that is not scraped comes first, then the one that drops packets.
func TestWorstHostIsFirst(t *testing.T) {
	t.Parallel()
	inventory, schema, recent, _ := fleetOf(t, 20, 13)
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

// hostsWithTroubles are five hosts with a port each, of which each of the last four is the worst in one way: it drops, pauses, has
// damaged frames, or is busy.
type hostsWithTroubles struct {
	inventory *perf.Inventory
	schema    *perf.Schema
	column    perf.Column
	gone      atomic.Bool // the server answers no longer
}

func newHostsWithTroubles() *hostsWithTroubles {
	h := &hostsWithTroubles{inventory: &perf.Inventory{TotalLabel: "Total (5 hosts)"}}
	var series []perf.Series
	h.column.Time = time.Unix(1, 0)
	for host, values := range [][4]float64{{0, 0, 0, 0.1}, {20_000, 0, 0, 0.2}, {0, 2e5, 0, 0.2}, {0, 0, 50, 0.2}, {0, 0, 0, 0.95}} {
		name := fmt.Sprintf("node-%d: ens1", host)
		at := len(h.inventory.Nodes)
		h.inventory.Nodes = append(h.inventory.Nodes, perf.Node{ID: fmt.Sprint(host), Parent: -1, Kind: perf.HostNode, Name: fmt.Sprintf("node-%d", host), State: perf.StateRunning, Detail: "1 port"},
			perf.Node{ID: name, Parent: at, Kind: perf.PortNode, Name: name, Instances: []string{name}, State: perf.StateUp, Speed: 100e9, SpeedText: "100 Gb/s"})
		for i, item := range []perf.Series{
			{Set: "Network Interface", Counter: "Packets Received Discarded", Unit: perf.Packets.Rate()},
			{Set: "Mellanox WinOF-2 Port QoS", Counter: "Sent Pause Duration", Unit: perf.Microseconds.Rate()},
			{Set: "Mellanox WinOF-2 Port Traffic", Counter: "Packets Received Errors", Unit: perf.Packets.Rate()},
			{Set: perf.SummarySet, Counter: perf.SummaryReceive, Unit: perf.Bytes.Rate()},
		} {
			value := values[i]
			if i == 3 {
				value *= 100e9 / 8
				for _, n := range []int{at, at + 1} {
					h.inventory.Nodes[n].Receive = []int{len(series)}
				}
				h.inventory.Receive = append(h.inventory.Receive, len(series))
			}
			item.Instance, item.Kind, item.Cell, item.Scale = name, perf.Gauge, len(series), perf.FloatCells
			series = append(series, item)
			h.column.Cells = append(h.column.Cells, int64(math.Float64bits(value))) // the bits of a float
		}
	}
	h.schema = perf.UncheckedSchema(1, len(series), series)
	return h
}

func (h *hostsWithTroubles) Info() perf.SourceInfo {
	return perf.SourceInfo{Kind: perf.FleetSource, Name: "prom:9090", Host: "prom:9090", Started: time.Unix(1, 0)}
}
func (h *hostsWithTroubles) Schema() *perf.Schema       { return h.schema }
func (h *hostsWithTroubles) Inventory() *perf.Inventory { return h.inventory }
func (h *hostsWithTroubles) Close() error               { return nil }
func (h *hostsWithTroubles) Next(_ context.Context, interval time.Duration, column *perf.Column) error {
	if h.gone.Load() {
		return &perf.UnavailableError{Err: errors.New("its answer is not one of the Prometheus API")}
	}
	h.column.Time = h.column.Time.Add(interval)
	column.Time = h.column.Time
	column.Grow(len(h.column.Cells))
	copy(column.Cells, h.column.Cells)
	return nil
}

// TestOldDataSaysWhy: the reason for old data is whole on a narrow screen, whose header has no room for it.
func TestOldDataSaysWhy(t *testing.T) {
	t.Parallel()
	source := newHostsWithTroubles()
	d := viewtest.Watch(t, source, 1)
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v})
	s.Resize(80, 24)
	s.Await(d, "rates", func() bool { return v.totals.receive > 0 })
	source.gone.Store(true)
	s.Await(d, "old data", func() bool { return v.old != "" })
	s.Want("old data", "Old data: its answer is not one of the Prometheus API.", "Events")
}

// TestHeatOfAFleet steps through the orders of a fleet: each sorts the hosts by its number, shows it, and lays heat under it.
func TestHeatOfAFleet(t *testing.T) {
	t.Parallel()
	d := viewtest.Watch(t, newHostsWithTroubles(), 1)
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v})
	s.Await(d, "rates", func() bool { return v.totals.receive > 0 })
	for _, want := range []struct {
		order         order
		next          string
		host          string
		title, number string
		column        int
		ground        themes.Ground
	}{
		{byTrouble, "sort by drops", "node-1", "Util", "20.0 k", dropsColumn, themes.Heat3},
		{byDrops, "sort by pauses", "node-1", "Drops/s", "20.0 k", dropsColumn, themes.Heat3},
		{byPauses, "sort by errors", "node-2", "Paused", "20%", pausedColumn, themes.Heat2},
		{byErrors, "sort by utilisation", "node-3", "Errors/s", "50", damagedColumn, themes.Heat2},
		{byUtilisation, "sort by rate", "node-4", "Util", "95%", utilisationColumn, themes.Heat3},
		{byRate, "sort by name", "node-4", "Receive", "95.0 Gb/s", receiveColumn, themes.Plain},
		{byName, "sort by trouble", "node-0", "Host", "10%", utilisationColumn, themes.Plain},
	} {
		s.Want(want.next)
		if v.order != want.order {
			t.Fatalf("the order is %s, want %s", v.order, want.order)
		}
		first := strings.Split(s.Text(), "\n")[4]
		if !strings.Contains(s.Text(), want.title) || !strings.Contains(first, want.host) || !strings.Contains(first, want.number) {
			t.Errorf("sorted by %s, the first row is %q", want.order, first)
		}
		if _, after, found := strings.Cut(strings.Split(s.Text(), "\n")[3], string(themes.UnicodeGlyphs().SortDown)); found && !strings.HasPrefix(after, " ") {
			t.Errorf("sorted by %s, the mark of the order touches the next title %q", want.order, after)
		}
		if n := v.node(); n == nil || n.Name != want.host {
			t.Errorf("sorted by %s, the cursor is not on the first row before it is moved", want.order)
		}
		cells := make([]widget.TableCell, len(columns))
		v.fillRow(themes.ASCIIGlyphs(), 0, cells)
		if got := cells[want.column].Style.Ground; got != want.ground {
			t.Errorf("sorted by %s, the heat of the first row is %v, want %v", want.order, got, want.ground)
		}
		s.Press("s")
	}
	s.Resize(120, 40)
	for range 5 {
		host := v.node().Name
		if ports := v.portNodes(); len(ports) != 1 || v.nodes()[ports[0]].Name != host+": ens1" {
			t.Errorf("with %s selected, the curves are of %v", host, ports)
		}
		s.Want(host + ": ens1  r ")
		s.Press("down")
	}
	s.Press("home", "down")
	second := v.node().Name
	v.order = byName
	v.arrange()
	if v.node().Name != second {
		t.Errorf("the cursor has left %s", second)
	}
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		v.order = byErrors
		v.arrange()
		s.Resize(size[0], size[1])
		s.Want("Util", "Errors/s", "95%")
	}
}

// BenchmarkFleet measures and sorts 1,000 hosts after new data; a key only sorts them: at most 15 ms.
func BenchmarkFleet(b *testing.B) {
	inventory, schema, recent, column := fleetOf(b, 1000, 617)
	view := &View{seen: map[string]bool{}, folded: map[string]bool{}}
	view.foldHosts(inventory.Nodes)
	view.foldFunctions(inventory.Nodes)
	found := findEvidence(schema)
	b.Run("data", func(b *testing.B) {
		for b.Loop() {
			figures := measure(inventory.Nodes, recent, nil, found)
			setUtilisation(inventory.Nodes, figures, schema)
			measureTotals(inventory, recent, figures)
		}
	})
	figures := measure(inventory.Nodes, recent, nil, found)
	b.Run("key", func(b *testing.B) {
		for b.Loop() {
			arrange(inventory.Nodes, figures, view.folded, &view.filter, view.order)
		}
	})
	source := &hostsWithTroubles{inventory: inventory, schema: schema, column: *column}
	b.Run("first screen", func(b *testing.B) { // after the answer
		for b.Loop() {
			shown := New(viewtest.Watch(b, source, 1))
			s := viewtest.Open(b, shown.deck, []ui.View{shown})
			s.Resize(120, 40)
			s.Shell.Send(ui.DataMsg{})
			if !strings.Contains(s.Text(), "node-") {
				b.Fatal("there are no hosts")
			}
		}
	})
	shown := New(viewtest.Watch(b, source, 1))
	s := viewtest.Open(b, shown.deck, []ui.View{shown})
	s.Resize(120, 40)
	for _, key := range []string{"down", "s", "end", "right"} {
		b.Run("key "+key+" with its frame", func(b *testing.B) {
			for b.Loop() {
				s.Shell.Send(ui.KeyMsg{Name: key})
				s.Text()
			}
		})
	}
}

// TestPortsOfAHostHaveShortNames: below a host of a fleet the tree names the device only.
func TestPortsOfAHostHaveShortNames(t *testing.T) {
	t.Parallel()
	inventory, _, _, _ := fleetOf(t, 1, 0)
	for i, want := range []string{"node-0000", "Ethernet 0", "Ethernet 1"} {
		if got := shortName(inventory.Nodes, &inventory.Nodes[i]); got != want {
			t.Errorf("node %d is %q, want %q", i, got, want)
		}
	}
}
