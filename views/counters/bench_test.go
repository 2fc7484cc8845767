package counters

import (
	"fmt"
	"testing"

	"cxdeck/perf"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/counters/preset"
	"cxdeck/views/counters/search"
	"cxdeck/views/viewtest"
)

// hitAt returns a hit in the middle of a zone.
func hitAt(id string) widget.Hit { return widget.Hit{ID: id, X: 30, Width: 60, Height: 10} }

// BenchmarkDraw8 draws 8 unchanged curves at 120x40.
func BenchmarkDraw8(b *testing.B) {
	s, _ := staged(b, watched(b))
	canvas := viewtest.Body(s, 120, 40)
	b.ReportAllocs()
	for b.Loop() {
		canvas.Clear()
		s.Draw(canvas.All())
	}
}

// BenchmarkUpdate handles a new sample and draws it.
func BenchmarkUpdate(b *testing.B) {
	s, _ := staged(b, watched(b))
	canvas := viewtest.Body(s, 120, 40)
	b.ReportAllocs()
	for b.Loop() {
		s.Update(ui.DataMsg{})
		canvas.Clear()
		s.Draw(canvas.All())
	}
}

// manySeries makes a schema of 100,000 series: 50 counters of 2,000 queues.
func manySeries(tb testing.TB) *perf.Schema {
	var series []perf.Series
	for q := range 2000 {
		for c := range 50 {
			series = append(series, perf.Series{Set: fmt.Sprintf("Set %d", q%10), Instance: fmt.Sprintf("Ethernet 7 RqNum_%d", q),
				Counter: fmt.Sprintf("Packets of kind %d", c), Cell: len(series)})
		}
	}
	schema, err := perf.NewSchema(1, len(series), series)
	if err != nil {
		tb.Fatal(err)
	}
	return schema
}

// BenchmarkIndex lists 100,000 series for the add dialog, which the console does outside the terminal loop.
func BenchmarkIndex(b *testing.B) {
	schema := manySeries(b)
	for b.Loop() {
		search.NewIndex(schema)
	}
}

// BenchmarkSearch is a key typed into the search of 100,000 series.
func BenchmarkSearch(b *testing.B) {
	x := search.NewIndex(manySeries(b))
	for b.Loop() {
		x.Find("packets 17 rqnum_3")
	}
}

// BenchmarkPreset matches the preset whose patterns are compared with the names of all 100,000 series.
func BenchmarkPreset(b *testing.B) {
	x := search.NewIndex(manySeries(b))
	for b.Loop() {
		preset.All()[1].Match(x, nil, noActivity)
	}
}
