package perf

import (
	"math/rand/v2"
	"testing"

	"cxdeck/device"
	"cxdeck/driver"
)

// TestQueuesTakeEntriesOfTables: B9 over 200 seeds: more queue pairs raise the entries and pages of queue pairs,
// completion queues and memory regions; when they go, all is as it was.
func TestQueuesTakeEntriesOfTables(t *testing.T) {
	t.Parallel()
	d := device.Default()
	d.Schedules, d.Faults = nil, nil
	flow := d.Flows[0]
	for _, f := range d.Flows {
		if f.Application == device.NDSPI {
			flow = f
		}
	}
	flow.Port, flow.Connections = "Ethernet 3", 0
	d.Flows = []device.Flow{flow}
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 3))
		d.Flows[0].Flows = 1 + random.IntN(500)
		lab, err := device.New(d, seed)
		if err != nil {
			t.Fatal(err)
		}
		l, err := NewLabSource(driver.NewHost(lab))
		if err != nil {
			t.Fatal(err)
		}
		var column Column
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
			plan := driver.Plan{Title: "x", Operations: []driver.Operation{driver.ScaleFlow{Flow: flow.Name, Scale: scale}}}
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
