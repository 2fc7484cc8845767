package compare

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
)

// recording is a source of given rows, one per second from time 0 on.
type recording struct {
	schema *perf.Schema
	rows   [][]int64
	at     int
	began  bool
	last   time.Time
	sought int
}

func (r *recording) Info() perf.SourceInfo      { return perf.SourceInfo{Name: "recording"} }
func (r *recording) Schema() *perf.Schema       { return r.schema }
func (r *recording) Inventory() *perf.Inventory { return &perf.Inventory{} }
func (r *recording) Close() error               { return nil }

func (r *recording) Span() (from, to time.Time) { return second(0), second(len(r.rows) - 1) }

func (r *recording) Seek(to time.Time) error {
	r.sought++
	r.at = max(0, int(math.Ceil(to.Sub(second(0)).Seconds())))
	r.began = false
	return nil
}

func (r *recording) Next(_ context.Context, interval time.Duration, column *perf.Column) error {
	for r.began && r.at < len(r.rows) && second(r.at).Before(r.last.Add(interval)) {
		r.at++
	}
	if r.at >= len(r.rows) {
		return io.EOF
	}
	column.Time, column.Cells = second(r.at), append(column.Cells[:0], r.rows[r.at]...)
	r.began, r.last = true, column.Time
	r.at++
	return nil
}

func second(n int) time.Time { return time.Unix(int64(n), 0).UTC() }

func schemaOf(t *testing.T, series ...perf.Series) *perf.Schema {
	t.Helper()
	cells := 0
	for i := range series {
		series[i].Set = "Port"
		if series[i].Counter == "" {
			series[i].Counter = fmt.Sprint("counter ", i)
		}
		cells = max(cells, series[i].Cell+1)
	}
	schema, err := perf.NewSchema(1, cells, series)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// The cells are: a cumulative counter whose rate goes from 10 to 30, its double, a gauge that varies by 5, a constant, a
// counter that starts to count, an identity.
func moving(t *testing.T) *recording {
	t.Helper()
	r := &recording{schema: schemaOf(t,
		perf.Series{Counter: "bytes", Cell: 0, Kind: perf.Cumulative},
		perf.Series{Counter: "kbytes/sec", Cell: 0, Kind: perf.Rate, Scale: 0.001},
		perf.Series{Counter: "swings", Cell: 1, Kind: perf.Gauge},
		perf.Series{Counter: "constant", Cell: 2, Kind: perf.Gauge},
		perf.Series{Counter: "drops", Cell: 3, Kind: perf.Cumulative},
		perf.Series{Counter: "name", Cell: 4, Kind: perf.Identity},
		perf.Series{Counter: "total swings", Cell: 5, Kind: perf.Gauge},
	)}
	bytes, drops := int64(0), int64(0)
	for i := range 600 {
		if i > 0 {
			bytes += 10 + int64(i%3) // 10, 11, 12 and so on: a noise of 0.8
			if i > 500 {
				bytes += 20
				drops += 7
			}
		}
		swing := int64(100 + 5*(1-i%2*2))
		if i > 500 {
			swing++
		}
		r.rows = append(r.rows, []int64{bytes, swing, 42, drops, int64(i), swing})
	}
	return r
}

func sideOf(t *testing.T, r *recording, in Range, step time.Duration) Side {
	t.Helper()
	schema, summaries, err := Read(t.Context(), r, in, time.Second, step)
	if err != nil {
		t.Fatal(err)
	}
	return Side{Schema: schema, Summaries: summaries}
}

func TestWhatChanged(t *testing.T) {
	t.Parallel()
	r := moving(t)
	in := Range{second(501), second(560)}
	before := in.Before()
	before.To = second(500)
	found := Rank(sideOf(t, r, before, time.Second), sideOf(t, r, in, time.Second), nil)
	var names []string
	for _, d := range found {
		names = append(names, d.Series.Counter)
	}
	if fmt.Sprint(names) != "[drops kbytes/sec swings]" {
		t.Fatalf("the changed series are %v", names)
	}
	if found[0].Alike != 0 || found[2].Alike != 1 {
		t.Errorf("%d and %d series are alike", found[0].Alike, found[2].Alike)
	}
	drops, kbytes, swings := found[0], found[1], found[2]
	if drops.Change != 7 || !math.IsInf(drops.Percent, 1) || !math.IsInf(drops.Deviations, 1) || !drops.BeyondNoise() {
		t.Errorf("drops: %+v", drops)
	}
	if math.Abs(kbytes.Change-0.02) > 1e-4 || math.Abs(kbytes.Percent-182) > 1 || kbytes.Deviations < 20 || !kbytes.BeyondNoise() {
		t.Errorf("kbytes: %+v", kbytes)
	}
	if math.Abs(swings.Change-1) > 0.1 || math.Abs(swings.Deviations-0.2) > 0.05 || swings.BeyondNoise() {
		t.Errorf("swings: %+v", swings)
	}
	if s := swings.Before; s.Minimum != 95 || s.Maximum != 105 || math.Abs(s.Deviation-5) > 0.01 || s.Count != 236 {
		t.Errorf("the variation before was %+v", s)
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	r := moving(t)
	found := Rank(sideOf(t, r, Range{second(200), second(499)}, time.Second), sideOf(t, r, Range{second(501), second(599)}, time.Second), nil)
	if got := Sentence(found, false); got != "drops went from 0 to 7.00 /s, and was constant before; one more counter changed by more than its noise." {
		t.Error(got)
	}
	if got := Sentence(found[1:], false); !strings.HasPrefix(got, "kbytes/sec went from 0.011 /s to 0.031 /s, 24.") ||
		!strings.HasSuffix(got, " times its noise; no other counter changed by more than its noise.") {
		t.Error(got)
	}
	if got := Sentence(found[2:], false); got != "No counter changed by more than its noise." {
		t.Error(got)
	}
	for _, c := range []struct {
		percent float64
		want    string
	}{{math.Inf(1), "new"}, {-50, "-50%"}, {3.14159, "+3.14%"}, {899, "+899%"}, {900, "x 10"}, {-100, "-100%"}, {1.5e-5, "+0.00%"},
		{123400, "x 1235"}, {1.5e9, "x 15.0 M"}} {
		if got := (&Difference{Percent: c.percent}).Percentage(); got != c.want {
			t.Errorf("%g is %q, want %q", c.percent, got, c.want)
		}
	}
}

// A ratio in a sentence has no exponent.
func TestRatioText(t *testing.T) {
	t.Parallel()
	for ratio, want := range map[float64]string{0.5: "0.5", 12.44: "12.4", 999.5: "1000", 12345: "12345", 1e5: "100 k", 123456: "123 k", 3e14: "300 T"} {
		if got := ratioText(ratio); got != want {
			t.Errorf("%g is %q, want %q", ratio, got, want)
		}
	}
}

// For every step, the mean of a rate is the counter's change over the range, without samples outside it.
func TestStepsKeepTheMean(t *testing.T) {
	t.Parallel()
	for _, step := range []int{1, 4, 10, 20, 100} {
		r := moving(t)
		got := sideOf(t, r, Range{second(100), second(500)}, time.Duration(step)*time.Second)
		mean := got.Summaries[0].Mean
		if math.Abs(mean-11) > 0.02 || got.Summaries[0].Maximum > 12 {
			t.Errorf("step %d: %+v", step, got.Summaries[0])
		}
		if count := got.Summaries[2].Count; count != 401/step {
			t.Errorf("step %d: %d values", step, count)
		}
		if sought := r.sought > 1; sought != (time.Duration(step)*time.Second > sequential) {
			t.Errorf("step %d: sought %d times", step, r.sought)
		}
	}
}

func TestStep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ interval, length, want time.Duration }{
		{time.Second, time.Minute, time.Second},
		{time.Second, 2 * time.Minute, 2 * time.Second},
		{time.Second, 10 * time.Minute, 10 * time.Second},
		{time.Second, 11 * time.Minute, 33 * time.Second},
		{7 * time.Second, 10 * time.Minute, 35 * time.Second},
		{time.Second, 24 * time.Hour, 72 * time.Minute},
		{time.Second, 0, time.Second},
		{0, time.Millisecond, time.Millisecond},
	} {
		if got := Step(c.interval, c.length); got != c.want {
			t.Errorf("step of %v every %v is %v, want %v", c.length, c.interval, got, c.want)
		}
	}
}

// Two sources with different schemas are compared by the paths that both have.
func TestOtherSchemas(t *testing.T) {
	t.Parallel()
	first := &recording{
		schema: schemaOf(t, perf.Series{Counter: "only first", Cell: 0, Kind: perf.Gauge}, perf.Series{Counter: "both", Cell: 1, Kind: perf.Gauge}),
		rows:   [][]int64{{1, 10}, {1, 10}},
	}
	second2 := &recording{
		schema: schemaOf(t, perf.Series{Counter: "both", Cell: 0, Kind: perf.Gauge}, perf.Series{Counter: "only second", Cell: 1, Kind: perf.Gauge}),
		rows:   [][]int64{{15, 2}, {15, 2}},
	}
	in := Range{second(0), second(1)}
	found := Rank(sideOf(t, first, in, time.Second), sideOf(t, second2, in, time.Second), nil)
	if len(found) != 1 || found[0].Change != 5 || found[0].Percent != 50 || found[0].First != 1 || found[0].Second != 0 {
		t.Errorf("differences: %+v", found)
	}
	if n := Common(first.schema, second2.schema); n != 1 {
		t.Errorf("%d series in common", n)
	}
	if n := Common(nil, second2.schema); n != 0 {
		t.Errorf("%d series in common with nothing", n)
	}
	if found := Rank(Side{}, sideOf(t, second2, in, time.Second), nil); found != nil {
		t.Errorf("nothing differs from %+v", found)
	}
}

func TestARangeWithoutSamples(t *testing.T) {
	t.Parallel()
	r := moving(t)
	schema, summaries, err := Read(t.Context(), r, Range{second(5000), second(6000)}, time.Second, time.Second)
	if err != nil || schema != nil || len(summaries) != 0 {
		t.Errorf("an empty range gives %v, %v, %v", schema, summaries, err)
	}
}

// However long the steps are, the rates of a range are its own: none reaches back to what was before it.
func TestRatesStayInTheirRange(t *testing.T) {
	t.Parallel()
	r := moving(t)
	for _, step := range []time.Duration{time.Second, 7 * time.Second, 15 * time.Second, 30 * time.Second} {
		for _, c := range []struct {
			in   Range
			want float64
		}{{Range{second(501), second(580)}, 7}, {Range{second(300), second(500)}, 0}} {
			drops := sideOf(t, r, c.in, step).Summaries[4]
			if drops.Mean != c.want || drops.Minimum != c.want || drops.Maximum != c.want || drops.Count < int(c.in.Length()/step) {
				t.Errorf("in steps of %s from %s: %+v", step, c.in.From, drops)
			}
		}
	}
}
