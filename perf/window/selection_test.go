package window

import (
	"testing"
	"time"

	"cxdeck/perf"
)

// TestSelectedColumnsDoNotChange reads a selection while columns are pushed, packed and removed.
func TestSelectedColumnsDoNotChange(t *testing.T) {
	t.Parallel()
	schema, err := perf.NewSchema(1, 2, []perf.Series{{Set: "S", Counter: "a", Cell: 0, Kind: perf.Gauge}, {Set: "S", Counter: "b", Cell: 1, Kind: perf.Gauge}})
	if err != nil {
		t.Fatal(err)
	}
	w := New(time.Second)
	at := func(n int) time.Time { return time.Unix(int64(n), 0).UTC() }
	next := 0
	push := func(count int) {
		for range count {
			w.Push(schema, &perf.Column{Time: at(next), Cells: []int64{int64(next), int64(-next)}})
			next++
		}
	}
	push(500)
	s := w.Select(at(100), at(400), 7*time.Second)
	if len(s.Times) != 43 || s.Times[0] != at(100).UnixNano() || s.Schema != schema {
		t.Fatalf("%d columns from %d on are selected", len(s.Times), s.Times[0])
	}
	check := func(missingBefore int) {
		t.Helper()
		for cell, sign := range []int64{1, -1} {
			values := w.Cells(&s, cell, nil)
			if len(values) != len(s.Times) {
				t.Fatalf("%d values of %d columns", len(values), len(s.Times))
			}
			for i, value := range values {
				n := int(s.Times[i] / int64(time.Second))
				want := sign * int64(n)
				if n < missingBefore {
					want = perf.Missing
				}
				if value != want {
					t.Fatalf("column %d of cell %d is %d, want %d", n, cell, value, want)
				}
			}
		}
	}
	check(0)
	push(300) // 800 columns, of which 600 are kept
	check(200)
	push(2000)
	check(1 << 30)
	w.Clear()
	push(700)
	check(1 << 30)
	if oldest, newest, ok := w.FullSpan(); !ok || newest.Sub(oldest) != 599*time.Second {
		t.Errorf("from %s to %s, %v", oldest, newest, ok)
	}
	if empty := New(time.Second).Select(at(0), at(9), 0); len(empty.Times) != 0 || empty.Schema != nil {
		t.Errorf("an empty window has %+v", empty)
	}
}
