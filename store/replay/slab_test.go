package replay_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/store/codec"
	"cxdeck/store/replay"
)

// A window of many cells is unpacked in slabs without a change of its rows, also for cells that changed alike, for the window
// that is not full yet, and after a seek backwards.
func TestWideWindowsAreUnpackedInSlabs(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	const cells, samples = 3 * replay.SlabValues / codec.WindowSamples, codec.WindowSamples + 90 // three slabs per window
	value := func(n, cell int) int64 {
		switch cell % 4 {
		case 0:
			return int64(n * n * (cell + 1))
		case 1:
			return int64(n*n*cell) + 5 // changes like its neighbour
		case 2:
			return int64(n*n%97*cell) << 20
		}
		return int64(cell)
	}
	start := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	timeOf := func(n int) time.Time { return start.Add(time.Duration(n) * time.Second) }
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	recorder, err := db.Begin(t.Context(), perf.SourceInfo{Kind: perf.LabSource, Started: start}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	series := make([]perf.Series, cells)
	for i := range series {
		series[i] = perf.Series{Set: "Network Interface", Instance: fmt.Sprint(i / 8), Counter: fmt.Sprint(i % 8), Cell: i}
	}
	schema, err := perf.NewSchema(1, cells, series)
	if err != nil {
		t.Fatal(err)
	}
	recorder.Schema(schema, &perf.Inventory{})
	var column perf.Column
	column.Grow(cells)
	for n := range samples {
		column.Time = timeOf(n)
		for cell := range column.Cells {
			column.Cells[cell] = value(n, cell)
		}
		recorder.Column(&column)
	}
	for recorder.Status().SavedThrough.Before(column.Time) {
		if err := recorder.Status().Err; err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
	source, err := db.Replay(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []int{0, codec.WindowSamples - 1, samples - 1} {
		if err := source.(perf.Seeker).Seek(timeOf(from)); err != nil {
			t.Fatal(err)
		}
		for n := from; n < samples; n++ {
			if err := source.Next(t.Context(), time.Second, &column); err != nil {
				t.Fatal(err)
			}
			for cell := n % 5; cell < cells; cell += 5 { // all cells of all rows would take long
				if got, want := column.Cells[cell], value(n, cell); got != want || !column.Time.Equal(timeOf(n)) {
					t.Fatalf("from row %d: row %d, cell %d: %d, want %d", from, n, cell, got, want)
				}
			}
			if unpacked := replay.Unpacked(source); unpacked > replay.SlabValues {
				t.Fatalf("from row %d: row %d: %d numbers are unpacked", from, n, unpacked)
			}
		}
	}
	if err := recorder.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}
