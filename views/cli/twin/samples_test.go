package twin

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"cxdeck/driver/twin"
	"cxdeck/perf"
)

// counting is a source with one counter, which has given counts.
type counting struct {
	schema *perf.Schema
	counts []int64
	row    int
}

func (c *counting) Info() perf.SourceInfo      { return perf.SourceInfo{} }
func (c *counting) Schema() *perf.Schema       { return c.schema }
func (c *counting) Inventory() *perf.Inventory { return &perf.Inventory{} }
func (c *counting) Close() error               { return nil }

func (c *counting) Next(_ context.Context, interval time.Duration, column *perf.Column) error {
	if c.row == len(c.counts) {
		return io.EOF
	}
	column.Grow(1)
	column.Time, column.Cells[0] = time.Unix(1_700_000_000, 0).Add(time.Duration(c.row)*interval), c.counts[c.row]
	c.row++
	return nil
}

// TestSamplesKeepIncreases: counts become increases, across missing ones and a wrap of 32 bits; a reset has none; gauges and other counters are left
// out. The samples of the bundle give the rates back.
func TestSamplesKeepIncreases(t *testing.T) {
	t.Parallel()
	c := &counting{counts: []int64{1 << 31, 3 << 30, perf.Missing, 4<<30 - 1, 5, 4, 9}, schema: &perf.Schema{Cells: 1, Series: []perf.Series{
		{Set: "Network Interface", Instance: "e", Counter: "Bytes Sent/sec", Kind: perf.Rate, Width: 32},
		{Set: "Network Interface", Instance: "e", Counter: "Packets Sent/sec", Kind: perf.Gauge}, {Set: "Processor", Instance: "0", Counter: "Packets Sent/sec", Kind: perf.Rate},
	}}}
	waited := 0
	sampling := Sampling{Count: 7, Interval: time.Second, Wait: func(context.Context, time.Duration) error { waited++; return nil }}
	taken, err := sampling.take(t.Context(), c)
	want := []int64{0, 1 << 30, -1, 1<<30 - 1, 6, -1, 5}
	if err != nil || len(taken.Counters) != 1 || !slices.Equal(taken.Counters[0].Increases, want) || waited != 6 || len(taken.Times) != 7 {
		t.Fatalf("%+v, %v; waited %d times", taken, err, waited)
	}
	source := openSamples(taken)
	var columns [2]perf.Column
	var rates []float64
	for n := range taken.Times {
		if err := source.Next(t.Context(), 0, &columns[n%2]); err != nil {
			t.Fatal(err)
		}
		if value, ok := source.Schema().Series[0].Value(&columns[1-n%2], &columns[n%2]); ok {
			rates = append(rates, value)
		}
	}
	if err := source.Next(t.Context(), 0, &columns[0]); !errors.Is(err, io.EOF) || !slices.Equal(rates, []float64{1 << 30, 6}) {
		t.Errorf("rates %v, then %v", rates, err)
	}
	if taken, err := (&Sampling{Count: 2}).take(t.Context(), c); taken != nil || err != nil {
		t.Errorf("%+v, %v", taken, err)
	}
}

// TestHostileSamples: unknown counters are left out, and sums that no counter holds are unknown.
func TestHostileSamples(t *testing.T) {
	t.Parallel()
	source := openSamples(&twin.Samples{Times: []time.Time{time.Unix(1, 0), time.Unix(2, 0), time.Unix(3, 0)}, Counters: []twin.Counts{
		{Path: "no path", Increases: []int64{0, 0, 0}}, {Path: `\Network Interface(e)\Bytes Sent/sec`, Increases: []int64{1<<63 - 1, 1<<63 - 1, 1<<63 - 1}},
	}})
	var column perf.Column
	for range 3 {
		if err := source.Next(t.Context(), 0, &column); err != nil || column.Cells[1] < 0 && column.Cells[1] != perf.Missing {
			t.Errorf("%v, %v", column.Cells, err)
		}
	}
	if len(source.Schema().Series) != 1 {
		t.Errorf("%+v", source.Schema().Series)
	}
}
