package lab

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry/edit"
	"cxdeck/perf"
)

// defaultLab is the default lab's description, read once.
var defaultLab = sync.OnceValue(description.Default)

func newLab(t testing.TB, seed uint64) *Source {
	t.Helper()
	lab, err := device.New(defaultLab(), seed)
	if err != nil {
		t.Fatal(err)
	}
	source, err := New(driver.NewHost(lab))
	if err != nil {
		t.Fatal(err)
	}
	return source
}

func next(t testing.TB, l *Source, interval time.Duration, column *perf.Column) {
	t.Helper()
	if err := l.Next(context.Background(), interval, column); err != nil {
		t.Fatal(err)
	}
}

func TestTheFirstColumnIsTheStart(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	var c perf.Column
	next(t, l, time.Second, &c)
	if !c.Time.Equal(l.Info().Started) {
		t.Errorf("the time of the first column is %s, the lab started at %s", c.Time, l.Info().Started)
	}
	next(t, l, 700*time.Millisecond, &c)
	if got := c.Time.Sub(l.Info().Started); got != 700*time.Millisecond {
		t.Errorf("the second column is %s after the start", got)
	}
}

// TestTheFirstColumnHasItsGauges: gauges of a card have values before its first packet, except averages over packets.
func TestTheFirstColumnHasItsGauges(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	var first, second perf.Column
	next(t, l, 0, &first)
	next(t, l, device.Step, &second)
	for _, s := range l.Schema().Series {
		if s.Kind == perf.Gauge && first.Cells[s.Cell] == 0 && second.Cells[s.Cell] != 0 && !strings.HasPrefix(s.Counter, "Average ") {
			t.Errorf("%s is 0 at the start and %d after a step", s.Path(), second.Cells[s.Cell])
		}
	}
}

// TestColumnsDoNotDependOnTheInterval reads one lab every second and another every 100 ms.
func TestColumnsDoNotDependOnTheInterval(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	a, b := newLab(t, 9), newLab(t, 9)
	var ca, cb perf.Column
	next(t, a, 0, &ca)
	next(t, b, 0, &cb)
	for range 120 {
		next(t, a, time.Second, &ca)
		for range 10 {
			next(t, b, 100*time.Millisecond, &cb)
		}
		if !ca.Time.Equal(cb.Time) || !slices.Equal(ca.Cells, cb.Cells) {
			t.Fatalf("the columns of %s and %s differ", ca.Time, cb.Time)
		}
	}
	if ea, eb := a.Events(), b.Events(); !slices.Equal(ea, eb) || len(ea) == 0 {
		t.Errorf("%d events and %d", len(ea), len(eb))
	}
}

// TestAMinuteHasEvents: drops, pauses on the RDMA priority and a flapping link occur without changes.
func TestAMinuteHasEvents(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8 / labShare) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			watchMinutes(t, seed)
		})
	}
}

func watchMinutes(t *testing.T, seed uint64) {
	l := newLab(t, seed)
	var c perf.Column
	next(t, l, 0, &c)
	next(t, l, 45*time.Second, &c)
	for _, path := range []string{
		`\Mellanox WinOF-2 Port Traffic(Ethernet 5)\Packets Received Discarded No Receive WQEs`,
		`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Packets Received Discarded`,
		`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\Sent Pause Frames`,
		`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\Rcv Pause Duration`,
		`\Mellanox WinOF-2 Port QoS(Ethernet 9 Priority 3)\Rcv Pause Frames`,
	} {
		i, ok := l.Schema().Find(path)
		if !ok || c.Cells[l.Schema().Series[i].Cell] == 0 {
			t.Errorf("%s has not changed in 45 s", path)
		}
	}
	next(t, l, 135*time.Second, &c)
	down, up := 0, 0
	for _, e := range l.Events()[16:] { // after the start of eight ports
		switch {
		case strings.HasSuffix(e.Key, "link-down"):
			down++
		case strings.HasSuffix(e.Key, "link-up"):
			up++
		}
	}
	if down == 0 || up == 0 {
		t.Error("no link went down and came up in 3 minutes")
	}
}

func TestTheInventoryFollowsTheHost(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	v := l.Inventory()
	if len(v.Nodes) != 4+8+7+1 || len(v.Receive) != 1 || len(v.Send) != 1 || len(v.Drops) != 1 {
		t.Fatalf("the inventory has %d nodes, totals %v %v %v", len(v.Nodes), v.Receive, v.Send, v.Drops)
	}
	for i, n := range v.Nodes {
		if n.Parent >= i || len(n.Identity) == 0 || n.Kind != perf.FunctionNode && len(n.Receive)*len(n.Send)*len(n.Drops) == 0 {
			t.Errorf("node %d is %+v", i, n)
		}
		for _, series := range slices.Concat(n.Receive, n.Send, n.Drops) {
			if l.Schema().Series[series].Kind != perf.Rate {
				t.Errorf("%s shows %s, which is not a rate", n.Name, l.Schema().Series[series].Path())
			}
		}
	}
	node := func() perf.Node {
		i := slices.IndexFunc(l.Inventory().Nodes, func(n perf.Node) bool { return n.Name == "Ethernet 7" })
		return l.Inventory().Nodes[i]
	}
	if n := node(); n.State != perf.StateUp || n.Speed != 100e9 || n.SpeedText != "100 GbE" {
		t.Errorf("Ethernet 7 is %+v", n)
	}
	var c perf.Column
	step := func() { next(t, l, 100*time.Millisecond, &c) }
	step()
	step() // at the start, each packet has its own interrupt, and some are lost
	step()
	v = l.Inventory()
	step()
	if l.Inventory() != v {
		t.Error("a new inventory without a change")
	}
	if _, err := l.Host().Apply(driver.Plan{Title: "x", Operations: []driver.Operation{hardware.PullCable{Connection: "Ethernet 7"}}}); err != nil {
		t.Fatal(err)
	}
	step()
	if n := node(); n.State != perf.StateDown || n.StateText != "unplugged" || n.Speed != 0 {
		t.Errorf("without its cable Ethernet 7 is %+v", n)
	}
	if v.Nodes[slices.IndexFunc(v.Nodes, func(n perf.Node) bool { return n.Name == "Ethernet 7" })].State != perf.StateUp {
		t.Error("a published inventory changed")
	}
}

func TestDropsShowAsHealth(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	var c perf.Column
	cell := counter.Cell(portOf(t, l.Host().Lab(), "Ethernet 5"), counter.NoDescriptor)
	found := 0
	for range 60 {
		before := l.Host().Lab().Counters()[cell]
		next(t, l, time.Second, &c)
		drops := l.Host().Lab().Counters()[cell] - before
		want := "no sensor alarms"
		if drops > 0 && !c.Time.Equal(l.Info().Started) {
			found++
			want = "no receive buffers: " + perf.Number(float64(drops), perf.Packets, true, false)
		}
		var above perf.Node
		for _, n := range l.Inventory().Nodes {
			if n.Kind == perf.AdapterNode {
				above = n
			}
			if n.Kind != perf.PortNode || n.Name != "Ethernet 5" {
				continue
			}
			if got := n.Health[0].Text; got != want && drops > 0 {
				t.Fatalf("%d packets found no buffer in a second, and the finding is %q", drops, got)
			}
			if !slices.ContainsFunc(above.Health, func(f perf.Finding) bool { return f.Text == "Ethernet 5: "+want }) && drops > 0 || len(above.Health) == 0 {
				t.Fatalf("%d packets found no buffer in a second, and the adapter has %v", drops, above.Health)
			}
		}
	}
	if found < 2 {
		t.Error("no finding in a minute with an incast")
	}
}

// TestEventsAreReportedOnce: each event is returned by exactly one call.
func TestEventsAreReportedOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	var c perf.Column
	var told []eventlog.Event
	for n := range 30 {
		next(t, l, time.Second, &c)
		if n == 5 {
			applyAll(t, l, hardware.PullCable{Connection: "Ethernet 7"}, hardware.PlugCable{Connection: "Ethernet 7"})
		}
		told = append(told, l.Events()...)
		if again := l.Events(); len(again) > 0 {
			t.Fatalf("after %d s, %d events are returned twice", n, len(again))
		}
	}
	if all := l.Host().EventsAfter(0); len(all) < 5 || !slices.Equal(told, all) {
		t.Errorf("%d of %d events are returned", len(told), len(all))
	}
}

// TestPortsWithFunctionsHaveAField: ports that support virtual functions have the field SR-IOV.
func TestPortsWithFunctionsHaveAField(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	with := map[string]bool{}
	for _, a := range l.Host().View().Adapters {
		for _, p := range a.Ports {
			with[p.Description.Connection] = p.Description.VirtualFunctions > 0
		}
	}
	seen := map[bool]int{}
	for _, n := range l.Inventory().Nodes {
		if n.Kind != perf.PortNode {
			continue
		}
		has := slices.ContainsFunc(n.Identity, func(f perf.Field) bool { return f.Label == "SR-IOV" })
		if seen[has]++; has != with[n.Name] {
			t.Errorf("%s has the field: %v", n.Name, has)
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("ports with and without: %v", seen)
	}
}

// TestBuffersTakePages: with 64 more descriptors, each ring of a port takes one more page.
func TestBuffersTakePages(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	var pages [3]int64
	rings := 0
	for n, values := range [][2]string{{"512", "2048"}, {"1024", "2048"}, {"512", "1024"}} {
		l := newLab(t, 1)
		applyAll(t, l, edit.SetValue{Connection: "Ethernet 7", Key: "*ReceiveBuffers", Value: values[0]},
			edit.SetValue{Connection: "Ethernet 7", Key: "*TransmitBuffers", Value: values[1]}, adapters.RestartAdapter{Connection: "Ethernet 7"})
		var c perf.Column
		next(t, l, 0, &c)
		next(t, l, 20*time.Second, &c)
		port := portOf(t, l.Host().Lab(), "Ethernet 7")
		rings = l.Host().Lab().Rings(port)
		pages[n] = queuePages.read(l.Host().Lab(), port) - 6*int64(l.Host().Lab().Counters()[counter.Cell(port, counter.RDMAActive)])
	}
	if pages[1]-pages[0] != int64(rings*512/64) || pages[0]-pages[2] != int64(rings*1024/64) || pages[2] != int64(rings*(512+1024)/64+4*rings) {
		t.Errorf("%d rings take %v pages", rings, pages)
	}
}

func BenchmarkLabNext(b *testing.B) {
	l := newLab(b, 1)
	var c perf.Column
	next(b, l, 0, &c)
	b.ReportAllocs()
	for b.Loop() {
		next(b, l, time.Second, &c)
	}
}

// randomOperation returns a random change that an operator might make; many can't be applied.
func randomOperation(l *Source, random *rand.Rand) driver.Operation {
	lab := l.Host().Lab()
	d, a, _ := lab.Port(random.IntN(lab.Ports()))
	name, card := d.Connection, lab.Description().Adapters[a].Name
	pick := func(numbers ...int) *int { return &numbers[random.IntN(len(numbers))] }
	share := []float64{0, 0.3, 0.9, 1}[random.IntN(4)]
	values := [][2]string{
		{"*RSS", "0"}, {"*RSS", "1"}, {"*NumRSSQueues", "2"}, {"*NumRSSQueues", "16"}, {"*JumboPacket", "1514"},
		{"*JumboPacket", "9014"}, {"*ReceiveBuffers", "256"}, {"*TransmitBuffers", "256"}, {"*InterruptModeration", "0"},
		{"RecvCompletionMethod", "0"}, {"*FlowControl", "0"}, {"*FlowControl", "3"}, {"*LsoV2IPv4", "0"}, {"*RscIPv4", "1"},
		{"*QOS", "0"}, {"RssMonitoringEnabled", "1"}, {"RssMonitoringEnabled", "0"}, {"*RssBaseProcNumber", "4"},
		{"UseRSSForUDP", "0"}, {"UseRSSForRawIP", "0"}, {"BlueFlame", "0"}, {"DelayDropTimeout", "100"}, {"IgnoreFCS", "1"},
	}
	value := values[random.IntN(len(values))]
	return []driver.Operation{
		hardware.PullCable{Connection: name}, hardware.PlugCable{Connection: name}, adapters.RestartAdapter{Connection: name},
		adapters.RestartAdapter{Connection: name}, adapters.EnableAdapter{Connection: name}, adapters.DisableAdapter{Connection: name},
		edit.SetValue{Connection: name, Key: value[0], Value: value[1]},
		edit.SetValue{Connection: name, Key: value[0], Value: value[1]},
		edit.DeleteValue{Connection: name, Key: value[0]},
		fabric.ScaleFlow{Flow: lab.Flows()[random.IntN(len(lab.Flows()))].Name, Scale: float64(random.IntN(6))},
		fabric.SetSwitchPort{Connection: name, MaxFrame: pick(1514, 9216), SpeedGbps: pick(10, 25, 40, 100)},
		fabric.SetSwitchPort{Connection: name, PauseShare: &share, PausePriority: pick(0, 3)},
		hardware.SetSlot{Adapter: card, Generation: 1 + random.IntN(4), Lanes: *pick(4, 8, 16)},
		hardware.SetProcessorSpeed{Connection: name, Speed: []float64{0.05, 0.3, 1}[random.IntN(3)]},
		hardware.SetFault{
			Connection: name, Fault: description.FaultKind(random.IntN(len(description.FaultKinds()))), Share: float64(random.IntN(2)),
		},
		hardware.SetFault{Connection: name, Fault: description.BadCable, Share: 0.02},
		hardware.SetFault{Connection: name, Fault: description.WrongSizes, Share: 0.02},
		hardware.SetDropless{Connection: name, On: random.IntN(4) > 0},
		hardware.ResetStatistics{Connection: name, Which: hardware.AllStatistics},
	}[random.IntN(19)]
}
