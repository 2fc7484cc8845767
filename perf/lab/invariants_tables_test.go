package lab

import (
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/perf"
)

// TestQueuesTakeEntriesOfTables: B9 over 200 seeds, 10 with -short: more queue pairs raise the entries and pages of queue pairs, completion
// queues and memory regions; without them, all counters are as before.
func TestQueuesTakeEntriesOfTables(t *testing.T) {
	t.Parallel()
	seeds := uint64(200)
	if testing.Short() {
		seeds = 10
	}
	d := description.Default()
	d.Schedules, d.Faults = nil, nil
	flow := d.Flows[0]
	for _, f := range d.Flows {
		if f.Application == description.NDSPI {
			flow = f
		}
	}
	flow.Port, flow.Connections = "Ethernet 3", 0
	d.Flows = []description.Flow{flow}
	for seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 3))
		d.Flows[0].Flows = 1 + random.IntN(500)
		lab, err := device.New(d, seed)
		if err != nil {
			t.Fatal(err)
		}
		l, err := New(driver.NewHost(lab))
		if err != nil {
			t.Fatal(err)
		}
		var column perf.Column
		next(t, l, 0, &column)
		entries := func() (list []int64) {
			next(t, l, device.Step, &column)
			for _, table := range []string{"MPT entries used for ", "MTT entries used for ", "CPU MEM-pages (4K) mapped by TPT for "} {
				for _, what := range []string{"QP", "CQ", "MR"} {
					i, ok := l.Schema().Find(`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\` + table + what)
					if !ok {
						t.Fatalf("there is no %s%s", table, what)
					}
					list = append(list, column.Cells[l.Schema().Series[i].Cell])
				}
			}
			return list
		}
		scale := func(scale float64) {
			plan := driver.Plan{Title: "x", Operations: []driver.Operation{fabric.ScaleFlow{Flow: flow.Name, Scale: scale}}}
			if _, err := l.Host().Apply(plan); err != nil {
				t.Fatal(err)
			}
		}
		before := entries()
		scale(1 + float64(random.IntN(3)))
		with := entries()
		for i := range with {
			if with[i] <= before[i] {
				t.Fatalf("seed %d: %d entries before, %d with %d queue pairs more", seed, before[i], with[i], d.Flows[0].Flows)
			}
		}
		scale(0)
		for i, n := range entries() {
			if n != before[i] {
				t.Fatalf("seed %d: %d entries before, %d after", seed, before[i], n)
			}
		}
	}
}

// TestBarePrioritiesCount: Q4 over 200 seeds: without the tag that only carries a priority, frames are four bytes shorter, and
// as many are counted for the same priority.
func TestBarePrioritiesCount(t *testing.T) {
	t.Parallel()
	d := description.Default()
	d.Schedules, d.Faults = nil, nil
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 6))
		priority := random.IntN(8)
		d.Flows = []description.Flow{{
			Name: "one", Port: "Ethernet 5", Protocol: description.UDP, Local: netip.MustParseAddr("10.1.0.1"), Peer: netip.MustParseAddr("10.1.0.2"),
			Flows: 1 + random.IntN(20), Priority: &priority, SendGbps: 0.1 + random.Float64(),
			Packets: []description.PacketSize{{IP: 100 + random.IntN(1300), Share: 1}},
		}}
		var bytes, packets [2]uint64
		for bare := range 2 {
			lab, err := device.New(d, seed)
			if err != nil {
				t.Fatal(err)
			}
			port := portOf(t, lab, "Ethernet 5")
			s := lab.Settings(port)
			if s.BarePriority = bare == 1; lab.Configure(port, s) != nil {
				t.Fatal("it can't be set up")
			}
			lab.Advance(time.Second)
			counters := lab.Counters()
			bytes[bare] = counters[counter.PriorityCell(port, priority, counter.PrioritySentBytes)]
			packets[bare] = counters[counter.PriorityCell(port, priority, counter.PrioritySentPackets)]
			if all := counters[counter.Cell(port, counter.SentPackets)]; all != packets[bare] || all == 0 {
				t.Fatalf("seed %d: %d of %d packets count for priority %d", seed, packets[bare], all, priority)
			}
		}
		const tag = 4
		if bytes[0]/packets[0]-bytes[1]/packets[1] != tag {
			t.Fatalf("seed %d: frames of %d bytes with the tag, and of %d without", seed, bytes[0]/packets[0], bytes[1]/packets[1])
		}
	}
}

// TestInstancesOfSpread: R6 without VPorts an adapter has an instance for each processor and one for their total.
func TestInstancesOfSpread(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	var column perf.Column
	next(t, l, 0, &column)
	instances := map[string]bool{}
	for _, s := range l.Schema().Series {
		if s.Set == "Mellanox WinOF-2 Rss Counters" && strings.HasPrefix(s.Instance, "Ethernet 5 ") {
			instances[s.Instance] = true
		}
	}
	if want := l.Host().Lab().Processors() + 1; len(instances) != want || !instances["Ethernet 5 Total"] {
		t.Errorf("%d instances, want %d", len(instances), want)
	}
}

// TestPrioritiesOfReceivedPackets: Q3 over 200 seeds: a port uses the priority of the tag, or of the DSCP when it trusts it.
func TestPrioritiesOfReceivedPackets(t *testing.T) {
	t.Parallel()
	d := description.Default()
	d.Schedules, d.Faults = nil, nil
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 8))
		tag, code := random.IntN(8), random.IntN(64)
		d.Flows = []description.Flow{{
			Name: "one", Port: "Ethernet 5", Protocol: description.UDP, Local: netip.MustParseAddr("10.1.0.1"), Peer: netip.MustParseAddr("10.1.0.2"),
			Flows: 4, DSCP: code, ReceiveGbps: 0.5, Packets: []description.PacketSize{{IP: 500, Share: 1}},
		}}
		want := counter.Untagged
		if seed%4 > 0 {
			want, d.Flows[0].Priority = tag, &tag
		}
		lab, err := device.New(d, seed)
		if err != nil {
			t.Fatal(err)
		}
		port := portOf(t, lab, "Ethernet 5")
		s := lab.Settings(port)
		if s.TrustDSCP = seed%2 == 1; s.TrustDSCP {
			want = code / 8 // the class selector
		}
		if err := lab.Configure(port, s); err != nil {
			t.Fatal(err)
		}
		lab.Advance(time.Second)
		for priority := range counter.Priorities {
			n := lab.Counters()[counter.PriorityCell(port, priority, counter.PriorityReceivedPackets)]
			if (n > 0) != (priority == want) {
				t.Fatalf("seed %d: %d packets of priority %d; the tag says %v, the DSCP %d", seed, n, priority, d.Flows[0].Priority, code)
			}
		}
	}
}

// TestCardsCountForThemselves: B1 a counter of a card has one value, which changes with traffic of either of its ports, and not
// with traffic of other cards.
func TestCardsCountForThemselves(t *testing.T) {
	t.Parallel()
	const used = "Used PCI BW"
	for _, port := range []string{"Ethernet 7", "Ethernet 8"} {
		l := describedLab(t, func(d *description.Description) {
			d.Flows = slices.DeleteFunc(d.Flows, func(f description.Flow) bool { return f.Port != port })
		})
		var column perf.Column
		next(t, l, 0, &column)
		next(t, l, 20*time.Second, &column)
		shown := map[string]int{}
		for _, s := range l.Schema().Series {
			if s.Set == "Mellanox WinOF-2 PCI Device Diagnostics" && s.Counter == used {
				shown[s.Instance]++
				if moves := column.Cells[s.Cell] > 0; moves != (s.Instance == "ConnectX-5 Ex") {
					t.Errorf("with traffic on %s alone, %s is %d", port, s.Path(), column.Cells[s.Cell])
				}
			}
		}
		if want := map[string]int{"ConnectX-4 Lx": 1, "ConnectX-5 Ex": 1, "BlueField-2": 1}; !maps.Equal(shown, want) {
			t.Errorf("the instances are %v, want %v", shown, want)
		}
	}
}

// TestCountersOfThePro: B3 counters that only ConnectX-3 Pro has are not shown for a ConnectX-3.
func TestCountersOfThePro(t *testing.T) {
	t.Parallel()
	for id, want := range map[uint16]bool{0x1007: true, 0x1003: false} {
		l := describedLab(t, func(d *description.Description) {
			for i := range d.Adapters {
				if d.Adapters[i].Family == description.WinOF {
					d.Adapters[i].DeviceID = id
				}
			}
		})
		for _, counter := range []string{"Scatter Back-pressure/sec", "WQE fetch/Atomic Back-pressure/sec", "Steering/QPC Back-pressure/sec"} {
			if _, ok := l.Schema().Find(`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\` + counter); ok != want {
				t.Errorf("%x shows %s: %v", id, counter, ok)
			}
		}
		if _, ok := l.Schema().Find(`\Mellanox WinOF Bus Counters(ConnectX-3 Pro)\PCI Back-pressure/sec`); !ok {
			t.Errorf("%x shows no back-pressure counters", id)
		}
	}
}
