package lab

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/scenes"
	"cxdeck/perf"
)

// labCause is a row of the table of causes: a trigger, and the counters that it changes.
type labCause struct {
	// row is its number in causeRows.
	row  int
	name string
	// describe changes the lab's description.
	describe func(*description.Description)
	// prepare is applied first, some seconds before the cause.
	prepare []driver.Operation
	// scene runs at a connection, or operations are applied.
	scene, at  string
	operations []driver.Operation
	// wait is the time until the counters have changed.
	wait time.Duration
	// settings changes settings of the connection's port for which its family has no key.
	settings func(*setup.Port)
	// The counters moves must rise, the counters still must not, and events must be written.
	moves, still, events []string
}

func set(connection, key, value string) driver.Operation {
	return edit.SetValue{Connection: connection, Key: key, Value: value}
}

func fault(connection string, kind description.FaultKind, share float64) driver.Operation {
	return hardware.SetFault{Connection: connection, Fault: kind, Share: share}
}

func restart(connection string) driver.Operation {
	return adapters.RestartAdapter{Connection: connection}
}

// TestCountersOfCauses triggers each cause and checks which counters change.
func TestCountersOfCauses(t *testing.T) {
	t.Parallel()
	causes := slices.Concat(labCauses(), labFaultCauses())
	for row, trigger := range causeRows {
		caused := slices.ContainsFunc(causes, func(c labCause) bool { return c.row == row+1 })
		if !caused {
			t.Errorf("row %d, %s: the lab has no cause for it", row+1, trigger)
		}
	}
	for i, cause := range causes {
		if i%labShare != 0 {
			continue
		}
		t.Run(fmt.Sprintf("%d-%s", cause.row, cause.name), func(t *testing.T) {
			t.Parallel()
			tryCause(t, &cause)
		})
	}
}

func tryCause(t *testing.T, cause *labCause) {
	l := newLab(t, 11)
	if cause.describe != nil {
		l = describedLab(t, cause.describe)
	}
	var before, after perf.Column
	next(t, l, 0, &before)
	if len(cause.prepare) > 0 {
		if _, err := l.Host().Apply(driver.Plan{Title: "prepare", Operations: cause.prepare}); err != nil {
			t.Fatal(err)
		}
		next(t, l, 5*time.Second, &before)
	}
	next(t, l, 3*time.Second, &before)
	events := l.Events()
	plan := driver.Plan{Title: cause.name, Operations: cause.operations}
	if scene, ok := scenes.Find(cause.scene); ok {
		made, err := scene.Plan(l.Host(), cause.at)
		if err != nil {
			t.Fatal(err)
		}
		plan = made
	}
	if len(plan.Operations) > 0 {
		if _, err := l.Host().Apply(plan); err != nil {
			t.Fatal(err)
		}
	}
	if cause.settings != nil {
		lab := l.Host().Lab()
		port := portOf(t, lab, cause.at)
		settings := lab.Settings(port)
		cause.settings(&settings)
		if err := lab.Configure(port, settings); err != nil {
			t.Fatal(err)
		}
	}
	wait := cause.wait
	if wait == 0 {
		wait = 15 * time.Second
	}
	next(t, l, wait, &after)
	for _, e := range l.Host().EventsAfter(events[len(events)-1].Sequence) {
		cause.events = slices.DeleteFunc(slices.Clone(cause.events), func(key string) bool { return key == e.Key })
	}
	if len(cause.events) > 0 {
		t.Errorf("the events %v are not written", cause.events)
	}
	change := func(path string) int64 {
		i, ok := l.Schema().Find(path)
		if !ok {
			t.Errorf("there is no %s", path)
			return 0
		}
		cell := l.Schema().Series[i].Cell
		if cell >= len(before.Cells) { // it is new
			return after.Cells[cell]
		}
		return after.Cells[cell] - before.Cells[cell]
	}
	for _, path := range cause.moves {
		if change(path) <= 0 {
			t.Errorf("%s does not change", path)
		}
	}
	for _, path := range cause.still {
		if n := change(path); n != 0 {
			t.Errorf("%s changed by %d", path, n)
		}
	}
}

// describedLab returns the default lab with a changed description.
func describedLab(t testing.TB, change func(*description.Description)) *Source {
	t.Helper()
	d := description.Default()
	change(d)
	lab, err := device.New(d, 11)
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(driver.NewHost(lab))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestResets: T2 a start of the driver clears no counter of the adapter, T3 but the driver's own; a restart of the card clears
// all.
func TestResets(t *testing.T) {
	t.Parallel()
	l := newLab(t, 2)
	var before, after perf.Column
	next(t, l, 0, &before)
	next(t, l, 25*time.Second, &before)
	value := func(c *perf.Column, path string) int64 {
		i, ok := l.Schema().Find(path)
		if !ok {
			t.Fatalf("there is no %s", path)
		}
		return c.Cells[l.Schema().Series[i].Cell]
	}
	const (
		hardware = `\Mellanox WinOF-2 Port Traffic(Ethernet 5)\Bytes Received`
		software = `\Mellanox WinOF-2 Rss Counters(Ethernet 5 Total)\Rss IPv4/Tcp`
	)
	if value(&before, hardware) == 0 || value(&before, software) <= 0 {
		t.Fatalf("%d bytes, %d packets by kind", value(&before, hardware), value(&before, software))
	}
	if _, err := l.Host().Apply(driver.Plan{Title: "x", Operations: []driver.Operation{restart("Ethernet 5")}}); err != nil {
		t.Fatal(err)
	}
	next(t, l, 9*time.Second, &after)
	if value(&after, hardware) < value(&before, hardware) {
		t.Error("T2: a start of the driver cleared the adapter's counters")
	}
	if value(&after, software) >= value(&before, software) {
		t.Errorf("T3: %d packets by kind after the start, %d before", value(&after, software), value(&before, software))
	}
	_, card, _ := l.Host().Lab().Port(portOf(t, l.Host().Lab(), "Ethernet 5"))
	l.Host().Lab().ResetCard(card)
	next(t, l, 0, &after)
	if n := value(&after, hardware); n != 0 {
		t.Errorf("T2: %d bytes after a restart of the card", n)
	}
}
