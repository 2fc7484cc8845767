package registry

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf/lab"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
	"cxdeck/views/registry/keyset"
	"cxdeck/views/viewtest"
)

// large returns the screen on a lab with more than 5,000 keys, all in the table.
func large(b *testing.B) (*View, *keyset.Snapshot) {
	b.Helper()
	description, err := description.ParseText(description.LargeText())
	if err != nil {
		b.Fatal(err)
	}
	model, err := device.New(description, 1)
	if err != nil {
		b.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(model))
	if err != nil {
		b.Fatal(err)
	}
	d := viewtest.Watch(b, source, 1)
	s, err := keyset.Read(source.Host())
	if err != nil {
		b.Fatal(err)
	}
	copyCards(s)
	s.Judge()
	v := New(d)
	opened5000(v, d, s)
	if len(v.rows) < 5000 {
		b.Fatalf("there are only %d keys", len(v.rows))
	}
	return v, s
}

// copyCards adds copies of each card to a snapshot, until there are more than 5,000 keys.
func copyCards(s *keyset.Snapshot) {
	for copies := 2; len(s.Entries) < 5000; copies++ {
		name := fmt.Sprintf(" (%d)", copies)
		ports, entries := len(s.Ports), len(s.Entries)
		for _, p := range s.Ports[:ports] {
			p.Connection, p.Adapter = p.Connection+name, p.Adapter+name
			s.Ports = append(s.Ports, p)
		}
		for _, e := range s.Entries[:entries] {
			e.ID, e.Owner, e.Port = e.ID+name, e.Owner+name, e.Port+ports
			if e.Connection != "" {
				e.Connection += name
			} else {
				e.Adapter += name
			}
			s.IDs[e.ID] = len(s.Entries)
			s.Slots[s.Ports[e.Port].SlotOf(e.Port, e.Row)] = len(s.Entries)
			s.Entries = append(s.Entries, e)
		}
	}
}

// opened5000 shows a snapshot on a screen, all keys in the table.
func opened5000(v *View, d *deck.Deck, s *keyset.Snapshot) {
	v.monitor = d.Monitor()
	v.Update(snapshotMsg{monitor: v.monitor, snapshot: s, tree: keyset.BuildTree(s, keyset.ByAdapter)})
	v.treeList.Select(0)
	v.moveToBranch()
}

// BenchmarkOpen handles a snapshot of more than 5,000 keys and draws it at 120x40.
func BenchmarkOpen(b *testing.B) {
	v, s := large(b)
	canvas := viewtest.Body(v, 120, 40)
	b.ReportAllocs()
	msg := snapshotMsg{monitor: v.monitor, snapshot: s, tree: keyset.BuildTree(s, keyset.ByAdapter)}
	for b.Loop() {
		v.Update(msg)
		draw(v, canvas)
	}
}

// BenchmarkPage measures a page-down key in more than 5,000 keys, with its frame at 120x40.
func BenchmarkPage(b *testing.B) { benchmarkKeys(b, "pgdown") }

// BenchmarkDown measures the key down.
func BenchmarkDown(b *testing.B) { benchmarkKeys(b, "down") }

func benchmarkKeys(b *testing.B, name string) {
	v, _ := large(b)
	canvas := viewtest.Body(v, 120, 40)
	b.ReportAllocs()
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		before := v.table.List.Cursor()
		v.move(name)
		if v.table.List.Cursor() == before {
			v.move("home")
		}
		draw(v, canvas)
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

// BenchmarkSearch is a key typed into the search over more than 5,000 keys, and its frame.
func BenchmarkSearch(b *testing.B) {
	v, _ := large(b)
	canvas := viewtest.Body(v, 120, 40)
	b.ReportAllocs()
	for b.Loop() {
		v.filter.Set("receive buffers")
		v.filtered()
		draw(v, canvas)
	}
}

// BenchmarkSort sorts more than 5,000 keys by their values.
func BenchmarkSort(b *testing.B) {
	v, _ := large(b)
	for b.Loop() {
		v.sorting = storedColumn
		v.arrange()
	}
}

// BenchmarkEdit measures an edit, with the new verdicts on all keys.
func BenchmarkEdit(b *testing.B) {
	v, _ := large(b)
	e := v.current()
	for b.Loop() {
		v.draft.Clear()
		v.edit(e, e.Default)
	}
}

// BenchmarkRead reads all keys of the 16 ports of the large lab; the owner of the host waits for so long.
func BenchmarkRead(b *testing.B) {
	v, _ := large(b)
	b.ReportAllocs()
	for b.Loop() {
		err := v.deck.Monitor().ReadHost(b.Context(), func(h *driver.Host) error {
			_, err := keyset.Read(h)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func draw(v *View, canvas *widget.Canvas) {
	canvas.Clear()
	v.Draw(canvas.All())
}

// BenchmarkData measures the handling of a sample without changes, with the redraw.
func BenchmarkData(b *testing.B) {
	v, _ := large(b)
	canvas := viewtest.Body(v, 120, 40)
	v.Update(ui.DataMsg{})
	b.ReportAllocs()
	for b.Loop() {
		v.Update(ui.DataMsg{})
		draw(v, canvas)
	}
}
