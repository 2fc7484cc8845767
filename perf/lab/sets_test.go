package lab

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/rss"
	"cxdeck/driver"
	"cxdeck/perf"
)

// countingLab returns the default lab with every Ethernet port counting by processor, as after a restart with
// RssMonitoringEnabled=1 and, when fromStart is set, RssCountersActivatedAtStartup=1.
func countingLab(t testing.TB, seed uint64, fromStart bool) *Source {
	t.Helper()
	lab, err := device.New(defaultLab(), seed)
	if err != nil {
		t.Fatal(err)
	}
	host := driver.NewHost(lab)
	for port := range lab.Ports() {
		settings := lab.Settings(port)
		settings.CountRSS, settings.CountFromStart = true, fromStart
		if err := lab.Configure(port, settings); err != nil {
			t.Fatal(err)
		}
	}
	source, err := New(host)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// TestTheLabFillsItsSets checks that every set of the manuals has all its counters in each of its instances.
func TestTheLabFillsItsSets(t *testing.T) {
	t.Parallel()
	l := countingLab(t, 1, true)
	lab := l.Host().Lab()
	series, instances := map[string]int{}, map[string]map[string]bool{}
	for _, s := range l.Schema().Series {
		series[s.Set]++
		if instances[s.Set] == nil {
			instances[s.Set] = map[string]bool{}
		}
		instances[s.Set][s.Instance] = true
		if s.Unit == "" && s.Kind == perf.Rate && !strings.Contains(s.Counter, "PCI BW") {
			t.Errorf("%s has no unit", s.Path())
		}
		total := s.Instance == "_Total" || strings.HasSuffix(s.Instance, " Total")
		if (s.Sum != "") != total {
			t.Errorf("the Sum of %s is %q", s.Path(), s.Sum)
		}
	}
	rings, functions, virtual := 0, 0, 0 // of WinOF-2
	for port := range lab.Ports() {
		functions += lab.VirtualFunctions(port)
		virtual += min(1, lab.VirtualFunctions(port))
		if _, a, _ := lab.Port(port); lab.Description().Adapters[a].Family == description.WinOF2 {
			rings += lab.Rings(port)
		}
	}
	processors := lab.Processors()
	for set, want := range map[string][2]int{ // instances, counters
		"Mellanox Adapter Traffic Counters":             {1 + 1, 20},
		"Mellanox Adapter Diagnostics Counters":         {1, 43},
		"RSC counters":                                  {1, 4},
		"Mellanox Adapter QoS Counters":                 {2 * 9, 30},
		"Mellanox Adapter RSS Counters":                 {processors + 1, 28},
		"RDMA Activity":                                 {7, 10}, // none for IPoIB: D6
		"Mellanox WinOF Bus Counters":                   {1, 49},
		"Device Proprietary Counters":                   {1, 15},
		"Mellanox WinOF-2 Port Traffic":                 {6 + 1, 31},
		"Mellanox WinOF-2 Port QoS":                     {6 * 9, 17},
		"Mellanox WinOF-2 Diagnostics":                  {6, 64},
		"Mellanox WinOF-2 Congestion Control":           {6, 14},
		"Mellanox WinOF-2 PCI Device Diagnostics":       {3, 19},
		"Mellanox WinOF-2 Device Diagnostics":           {3, 59},
		"Mellanox WinOF-2 Diagnostics Ext 1":            {6, 11},
		"Mellanox WinOF-2 VF Diagnostics":               {functions, 16},
		"Mellanox WinOF-2 VF Port Traffic":              {functions, 34},
		"Mellanox WinOF-2 VF Internal Traffic Counters": {functions, 4},
		"Mellanox WinOF-2 Port Diagnostics":             {6, 14},
		"Mellanox WinOF-2 Receive Datapath Counters":    {rings, 18},
		"Mellanox WinOF-2 Transmit Datapath Counters":   {rings, 15},
		"Mellanox WinOF-2 Rss Counters":                 {5*(processors+1) + lab.Rings(portOf(t, lab, "Ethernet 7")) + 1, 28}, // R6
		"Mellanox WinOF-2 ICMC Diag Counters Ext1":      {3, 8},
		"Mellanox WinOF-2 IB Port":                      {0, 20}, // no WinOF-2 InfiniBand port in the default lab
		"Mellanox WinOf-2 SW Backchannel Diagnostics":   {6, 8},
		"VF Monitoring":                                 {functions, 2},
		"Ring statistics":                               {lab.Rings(4) + lab.Rings(5), 12},
		"Mellanox IB Adapter Traffic Counters":          {1 + 1, 20},
		"Mellanox IB Adapter Diagnostic Counters":       {1, 23},
		"Network Interface":                             {8, 23 + 2},
		"SMB Direct Connection":                         {7, 17},
		perf.SummarySet:                                 {8 + virtual + 1, 3},
		workSet:                                         {8 + 1, 4},
		processorSet:                                    {processors, 2},
	} {
		if got := [2]int{len(instances[set]), 0}; got[0] != want[0] || series[set] != want[0]*want[1] {
			t.Errorf("%s has %d instances, want %d, and %d series, want %d", set, got[0], want[0], series[set], want[0]*want[1])
		}
		delete(series, set)
	}
	if len(series) > 0 {
		t.Errorf("unexpected sets: %v", slices.Collect(maps.Keys(series)))
	}
	for _, path := range []string{
		`\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\Sent Pause Frames`,
		`\Mellanox Adapter QoS Counters(Ethernet 3 Untagged)\Bytes Received/Sec`,
		`\Network Interface(Mellanox ConnectX-4 Lx Ethernet Adapter #2)\Packets Received Discarded`,
		`\Mellanox WinOF-2 Port Traffic(_Total)\KBytes Total/Sec`,
		`\Mellanox WinOF-2 Receive Datapath Counters(Ethernet 7 RqNum_0)\CpuNumber`,
		`\Mellanox WinOF-2 Transmit Datapath Counters(Ethernet 7 SqNum_0)\Number of packets posted`,
		`\Mellanox WinOF-2 Rss Counters(Ethernet 8 Cpu_31)\Rss IPv4/Tcp`,
		`\Mellanox WinOF-2 Rss Counters(Ethernet 8 Total)\Rss IPv4/Tcp`,
		`\Mellanox WinOF-2 Rss Counters(Ethernet 7 VPort_0 Cpu_7)\Rss IPv4/Tcp`,
		`\Mellanox WinOF-2 Rss Counters(Ethernet 7 VPort_0 Total)\Rss IPv4/Tcp`,
		`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\Arrived RDMA CNPs`,
		`\Mellanox IB Adapter Traffic Counters(Ethernet 4)\Bytes Received`,
	} {
		if _, ok := l.Schema().Find(path); !ok {
			t.Errorf("there is no %s", path)
		}
	}
}

// TestEverySetOfTheManualsIsBound: the lab fills each set of the catalogue, except the console's sets for other machines.
func TestEverySetOfTheManualsIsBound(t *testing.T) {
	t.Parallel()
	bound := map[string]bool{}
	for _, set := range filledSets() {
		bound[set.name] = true
	}
	for _, set := range perf.Catalogue().Sets() {
		if !bound[set.Name] && !slices.Contains(set.Families, "linux") {
			t.Errorf("nothing fills %s", set.Name)
		}
	}
}

// TestUncausedCountersHaveAReason checks that exactly the counters without a cause in the lab have a reason in the catalogue. A
// counter that two sets share has a cause if it has one in either set.
func TestUncausedCountersHaveAReason(t *testing.T) {
	t.Parallel()
	moved, still := map[*perf.Counter]bool{}, unmovedTerms()
	for _, set := range filledSets() {
		described, _ := perf.Catalogue().Set(set.name)
		counters, err := describedCounters(&set)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range described.Counters {
			moved[c] = moved[c] || c.AlwaysZero || counters[i].bind.reading != noReading ||
				slices.ContainsFunc(counters[i].bind.plus, func(t term) bool { return !slices.Contains(still, t) })
		}
	}
	for _, set := range perf.Catalogue().Sets() {
		for _, c := range set.Counters {
			if moves, known := moved[c]; known && moves != (c.Uncaused == "") {
				t.Errorf("%s, %s has a cause: %v, but its reason is %q", set.Name, c.Name, moves, c.Uncaused)
			}
			if (c.Uncaused != "") != strings.Contains(c.Describe(), "In the lab it stays 0: "+c.Uncaused) {
				t.Errorf("%s, %s is described: %s", set.Name, c.Name, c.Describe())
			}
		}
	}
}

// unmovedTerms returns the hardware counters without a cause in the lab.
func unmovedTerms() (terms []term) {
	for kind := range rss.Counters {
		name := rss.Counter(kind).String()
		tunnelled := strings.HasPrefix(name, "Encapsulated") && (strings.HasSuffix(name, "Only") || strings.HasSuffix(name, "Misc"))
		if tunnelled || name == "Rss Misc" {
			terms = append(terms, term{ofProcessor, kind})
		}
	}
	return append(terms, term{ofReceiveRing, int(counter.RingECNMarkedIPv4)}, term{ofReceiveRing, int(counter.RingECNMarkedIPv6)},
		term{ofSendRing, int(counter.SendRingTransitions)}, term{ofCard, int(counter.CardBufferMarked)})
}

// TestInvalidBindings: the error names the counter.
func TestInvalidBindings(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"ReceivedBites", "ReceivedBytes + ", "@speed", "@", "ReceivedBytes * x", "kind"} {
		if b, err := parseBinding(text, "Bytes", 0); err == nil && text != "ReceivedBytes + " || err != nil && !strings.Contains(err.Error(), "Bytes") {
			t.Errorf("%q: %+v, %v", text, b, err)
		}
	}
	b, err := parseBinding("ReceivedBytes + SentBytes - ReceivedControl * 0.5 as rate in packets | @virtualRate", "x", 0)
	if err != nil || len(b.plus) != 2 || len(b.minus) != 1 || b.scale != 0.5 || b.rateIn != perf.Packets {
		t.Errorf("%+v, %v", b, err)
	}
	if b, err := parseBinding("ReceivedBytes | @virtualRate", "x", 1); err != nil || b.reading != virtualRate || b.plus != nil {
		t.Errorf("%+v, %v", b, err)
	}
	if b, err := parseBinding("ReceivedBytes", "x", 1); err != nil || b.plus != nil {
		t.Errorf("%+v, %v", b, err)
	}
}

// TestUncausedCountersStayZero: counters with a reason to stay 0 are 0.
func TestUncausedCountersStayZero(t *testing.T) {
	t.Parallel()
	l := countingLab(t, 3, true)
	var c perf.Column
	next(t, l, 0, &c)
	next(t, l, 30*time.Second, &c)
	for _, s := range l.Schema().Series {
		known, _ := perf.Catalogue().Counter(s.Set, s.Counter)
		if known != nil && known.Uncaused != "" && c.Cells[s.Cell] != 0 {
			t.Errorf("%s is %d", s.Path(), c.Cells[s.Cell])
		}
	}
}

// TestCellsAreShared: series of the same hardware counter share a cell, and each cell has a series.
func TestCellsAreShared(t *testing.T) {
	t.Parallel()
	l := countingLab(t, 1, true)
	used := make([]bool, l.Schema().Cells)
	for _, s := range l.Schema().Series {
		used[s.Cell] = true
	}
	unused := 0
	for _, u := range used {
		if !u {
			unused++
		}
	}
	if blocks := len(l.builder.blocks); unused > blocks { // at most the cell with 0 of each block
		t.Errorf("%d of %d cells are unused", unused, len(used))
	}
	cell := func(path string) int {
		i, ok := l.Schema().Find(path)
		if !ok {
			t.Fatalf("there is no %s", path)
		}
		return l.Schema().Series[i].Cell
	}
	for a, b := range map[string]string{
		`\Mellanox WinOF-2 Port Traffic(Ethernet 7)\Bytes Received`:         `\Mellanox WinOF-2 Port Traffic(Ethernet 7)\KBytes Received/Sec`,
		`\RSC counters(Ethernet 3)\RSC Aborts`:                              `\Mellanox Adapter Diagnostics Counters(Ethernet 3)\RSC Aborts`,
		`\Device Proprietary Counters(ConnectX-3 Pro)\SQ Miss/sec`:          `\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\SQ Miss/sec`,
		`\Mellanox WinOF-2 Diagnostics(Ethernet 7)\MTT Entries Used For QP`: `\Mellanox WinOF-2 Diagnostics(Ethernet 8)\MTT Entries Used For QP`,
	} {
		if cell(a) != cell(b) {
			t.Errorf("%s and %s have two cells", a, b)
		}
	}
	t.Logf("%d series, %d cells, %d blocks", len(l.Schema().Series), l.Schema().Cells, len(l.builder.blocks))
}

// portOf returns the number of a connection's port.
func portOf(t testing.TB, lab *device.Lab, connection string) int {
	t.Helper()
	for port := range lab.Ports() {
		if d, _, _ := lab.Port(port); d.Connection == connection {
			return port
		}
	}
	t.Fatalf("there is no %s", connection)
	return 0
}

// TestTheSchemaGrows enables counting by processor while the lab runs: the new schema begins with the old series, and when
// counting is disabled again, the new series are missing.
func TestTheSchemaGrows(t *testing.T) {
	t.Parallel()
	l := newLab(t, 5)
	var c perf.Column
	next(t, l, 0, &c)
	next(t, l, time.Second, &c)
	old := l.Schema()
	if sets := old.Sets(); slices.Contains(sets, "Mellanox Adapter RSS Counters") {
		t.Fatal("RSS counters without RssMonitoringEnabled")
	}
	lab := l.Host().Lab()
	port := portOf(t, lab, "Ethernet 3")
	settings := lab.Settings(port)
	settings.CountRSS = true
	if err := lab.Configure(port, settings); err != nil {
		t.Fatal(err)
	}
	next(t, l, time.Second, &c)
	grown := l.Schema()
	if grown.Generation != old.Generation+1 || len(grown.Series) != len(old.Series)+28*(lab.Processors()+1) {
		t.Fatalf("generation %d with %d series after %d with %d", grown.Generation, len(grown.Series), old.Generation, len(old.Series))
	}
	if !slices.Equal(grown.Series[:len(old.Series)], old.Series) || len(c.Cells) != grown.Cells {
		t.Error("the old series have moved")
	}
	next(t, l, time.Second, &c)
	if l.Schema() != grown {
		t.Error("a new schema without new objects")
	}
	at := func() int64 {
		i, ok := grown.Find(`\Mellanox Adapter RSS Counters(Ethernet 3 Total)\Rss IPv4/Tcp`)
		if !ok {
			t.Fatal("no total")
		}
		return c.Cells[grown.Series[i].Cell]
	}
	if at() == perf.Missing {
		t.Error("the new series are missing")
	}
	settings.CountRSS = false
	if err := lab.Configure(port, settings); err != nil {
		t.Fatal(err)
	}
	next(t, l, time.Second, &c)
	if at() != perf.Missing || l.Schema() != grown {
		t.Error("the series of removed objects are not missing")
	}
}

// TestCountingByProcessorBegins: R5: with RssCountersActivatedAtStartup=1, counting begins when the driver starts; otherwise
// when a counter is watched, and again after the next start of the driver. Reading columns does not start it.
func TestCountingByProcessorBegins(t *testing.T) {
	t.Parallel()
	const total = `\Mellanox Adapter RSS Counters(Ethernet 3 Total)\Rss IPv4/Tcp`
	begin := func(fromStart string) (*Source, func() int64) {
		l := newLab(t, 5)
		var c perf.Column
		next(t, l, 0, &c)
		plan := driver.Plan{Title: "x", Operations: []driver.Operation{
			set("Ethernet 3", "RssMonitoringEnabled", "1"), set("Ethernet 3", "RssCountersActivatedAtStartup", fromStart),
			restart("Ethernet 3"),
		}}
		if _, err := l.Host().Apply(plan); err != nil {
			t.Fatal(err)
		}
		next(t, l, 10*time.Second, &c)
		return l, func() int64 {
			next(t, l, 5*time.Second, &c)
			i, ok := l.Schema().Find(total)
			if !ok {
				t.Fatalf("there is no %s", total)
			}
			return c.Cells[l.Schema().Series[i].Cell]
		}
	}
	watch := func(l *Source, path string) {
		i, ok := l.Schema().Find(path)
		if !ok {
			t.Fatalf("there is no %s", path)
		}
		l.Watch([]int{-1, i, len(l.Schema().Series)})
	}
	if _, value := begin("1"); value() == 0 {
		t.Error("nothing is counted after the start of the driver")
	}
	l, value := begin("0")
	watch(l, `\Mellanox Adapter Traffic Counters(Ethernet 3)\Bytes Received`)
	watch(l, `\Mellanox WinOF-2 Rss Counters(Ethernet 7 VPort_0 Total)\Rss IPv4/Tcp`)
	if n := value(); n != 0 {
		t.Errorf("%d packets are counted before Watch", n)
	}
	watch(l, total)
	before := value()
	if before == 0 {
		t.Error("nothing is counted after Watch")
	}
	if _, err := l.Host().Apply(driver.Plan{Title: "x", Operations: []driver.Operation{restart("Ethernet 3")}}); err != nil {
		t.Fatal(err)
	}
	value()
	if value() == 0 {
		t.Error("a start of the driver ends the counting of a watched counter")
	}
}

// TestKindsMatchTheManuals: gauges, maxima and identities of the manuals have the same kind in the lab.
func TestKindsMatchTheManuals(t *testing.T) {
	t.Parallel()
	kinds := map[perf.Kind]int{}
	for _, s := range countingLab(t, 1, true).Schema().Series {
		kinds[s.Kind]++
		known, ok := perf.Catalogue().Counter(s.Set, s.Counter)
		if ok && known.Kind != s.Kind && s.Counter != "Ring Throughput" { // the console computes this rate itself
			t.Errorf("%s is of kind %d", s.Path(), s.Kind)
		}
	}
	if kinds[perf.Gauge]*kinds[perf.Maximum]*kinds[perf.Identity]*kinds[perf.Rate]*kinds[perf.Cumulative] == 0 {
		t.Error(fmt.Sprint("a kind is missing: ", kinds))
	}
}
