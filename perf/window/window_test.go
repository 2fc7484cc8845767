package window_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/window"
)

// gauges returns a schema of n gauges and, as the last series, a rate over cell 0.
func gauges(t testing.TB, n int) *perf.Schema {
	t.Helper()
	var series []perf.Series
	for i := range n {
		series = append(series, perf.Series{Set: "Set", Instance: string(rune('a' + i)), Counter: "Gauge", Kind: perf.Gauge, Cell: i})
	}
	series = append(series, perf.Series{Set: "Set", Instance: "a", Counter: "Gauge/sec", Kind: perf.Rate})
	schema, err := perf.NewSchema(1, n, series)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// epoch is the time of the first column.
var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func at(seconds float64) time.Time { return epoch.Add(time.Duration(seconds * 1e9)) }

// push adds columns with the values, one per second.
func push(w *window.Recent, schema *perf.Schema, from int, values ...int64) {
	for i, value := range values {
		w.Push(schema, &perf.Column{Time: at(float64(from + i)), Cells: []int64{value}})
	}
}

func averages(buckets []window.Bucket) []float64 {
	var values []float64
	for _, bucket := range buckets {
		values = append(values, bucket.Average)
	}
	return values
}

func alike(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= 1e-6*math.Abs(y)
	})
}

var nan = math.NaN()

func TestWindowWithoutColumns(t *testing.T) {
	t.Parallel()
	w := window.New(time.Second)
	w.Choose(3)
	if _, _, ok := w.Span(); ok {
		t.Error("an empty window has a span")
	}
	if _, ok := w.Last(0); ok {
		t.Error("an empty window has a last value")
	}
	if _, ok := w.LastSum([]int{0, 1}); ok {
		t.Error("an empty window has a sum")
	}
	if got := w.Points(0, at(0), at(9), nil); got != nil {
		t.Errorf("points %v", got)
	}
	if got := w.Statistics(0, time.Time{}, at(9)); got.Count != 0 || !math.IsNaN(got.Last) || !math.IsNaN(got.P95) {
		t.Errorf("statistics %+v", got)
	}
	buckets := make([]window.Bucket, 3)
	w.Buckets([]int{0}, time.Time{}, at(9), buckets)
	if !alike(averages(buckets), []float64{nan, nan, nan}) {
		t.Errorf("buckets %v", buckets)
	}
	w.Buckets([]int{0}, at(9), at(9), buckets)
	w.Buckets(nil, at(0), at(9), nil)
}

func TestBuckets(t *testing.T) {
	t.Parallel()
	schema := gauges(t, 2)
	w := window.New(time.Second)
	for i := range 10 { // columns at 0..6 and 9..11: 7 and 8 were missed
		second := i
		column := perf.Column{Cells: []int64{int64(i * 10), perf.Missing}}
		if i >= 7 {
			second += 2
		}
		if i == 7 {
			column.Missed = 2
		}
		if i >= 5 {
			column.Cells[1] = 1
		}
		column.Time = at(float64(second))
		w.Push(schema, &column)
	}
	for name, c := range map[string]struct {
		series   []int
		from, to float64
		want     []float64
	}{
		"one column each":  {[]int{0}, 0, 4, []float64{0, 10, 20, 30}},
		"two columns each": {[]int{0}, 0, 6, []float64{5, 25, 45}},
		// Halves of seconds: the value at 2 s applies from just after 1 s to 2 s.
		"held value":               {[]int{0}, 1, 3, []float64{10, 20, 20, 30}},
		"missed samples are a gap": {[]int{0}, 5, 12, []float64{50, 60, nan, nan, 70, 80, 90}},
		"before and after":         {[]int{0}, -2, 2, []float64{nan, nan, 0, 10}},
		"after the newest":         {[]int{0}, 10, 14, []float64{80, 90, nan, nan}},
		"rate":                     {[]int{2}, 0, 3, []float64{nan, 10, 10}},
		"rate over missed samples": {[]int{2}, 5, 12, []float64{10, 10, nan, nan, nan, 10, 10}},
		"sum of present values":    {[]int{0, 1}, 3, 7, []float64{30, 40, 51, 61}},
		"no such series":           {[]int{99, -1}, 0, 2, []float64{nan, nan}},
		"nothing to add":           {nil, 0, 2, []float64{nan, nan}},
	} {
		buckets := make([]window.Bucket, len(c.want))
		w.Buckets(c.series, at(c.from), at(c.to), buckets)
		if got := averages(buckets); !alike(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	bucket := make([]window.Bucket, 1)
	for _, to := range []float64{3, 2} { // an empty and a negative range
		if w.Buckets([]int{0}, at(3), at(to), bucket); !math.IsNaN(bucket[0].Average) {
			t.Errorf("from 3 s to %v s: %+v", to, bucket[0])
		}
	}
	w.Buckets([]int{0}, at(0), at(5), bucket)
	if bucket[0] != (window.Bucket{Min: 0, Max: 40, Average: 20}) {
		t.Errorf("five columns in one: %+v", bucket[0])
	}
}

// TestWindowAgainstAPlainList pushes long series with resets, gaps and missing cells, and compares all results.
func TestWindowAgainstAPlainList(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 5))
	schema := gauges(t, 1)
	w := window.New(time.Second)
	var columns []perf.Column
	now, cell := 0.0, int64(0)
	for i := range 1500 {
		column := perf.Column{Time: at(now)}
		switch random.IntN(60) {
		case 0:
			cell = 0
		case 1:
			column.Missed = 2
			now += 2
			column.Time = at(now)
		default:
			cell += random.Int64N(1000)
		}
		column.Cells = []int64{cell}
		if random.IntN(50) == 0 {
			column.Cells[0] = perf.Missing
		}
		columns = append(columns, column)
		w.Push(schema, &columns[i])
		now++
	}
	kept := columns[len(columns)-600:]
	for index, series := range schema.Series {
		var all []float64
		var want window.Statistics
		want.Minimum, want.Maximum = math.Inf(1), math.Inf(-1)
		sum := 0.0
		for i := range kept {
			var before *perf.Column
			if i > 0 {
				before = &kept[i-1]
			}
			value, ok := series.Value(before, &kept[i])
			if !ok {
				continue
			}
			all = append(all, value)
			sum += value
			want.Last = value
			want.Minimum = min(want.Minimum, value)
			if value > want.Maximum {
				want.Maximum, want.MaximumAt = value, kept[i].Time
			}
		}
		slices.Sort(all)
		got := w.Statistics(index, time.Time{}, at(1e6))
		if got.Count != len(all) || got.Last != want.Last || got.Minimum != want.Minimum || got.Maximum != want.Maximum ||
			!got.MaximumAt.Equal(want.MaximumAt) || math.Abs(got.Average-sum/float64(len(all))) > 1e-6 {
			t.Errorf("series %d: %+v, want %+v, %d values, average %v", index, got, want, len(all), sum/float64(len(all)))
		}
		if got.P95 != all[int(math.Ceil(0.95*float64(len(all))))-1] || got.P99 != all[int(math.Ceil(0.99*float64(len(all))))-1] {
			t.Errorf("series %d: percentiles %v and %v", index, got.P95, got.P99)
		}
		for n := range 50 {
			first := random.IntN(len(kept))
			if n%2 == 0 { // after a gap
				first += max(0, slices.IndexFunc(kept[first:], func(c perf.Column) bool { return c.Missed > 0 }))
			}
			last := first + random.IntN(len(kept)-first)
			var points []perf.Point
			for i := first; i <= last; i++ {
				var before *perf.Column
				if i > 0 {
					before = &kept[i-1]
				}
				value, ok := series.Value(before, &kept[i])
				if i > first && kept[i].Missed > 0 && ok { // a gap in the middle
					between := kept[i].Time.Sub(before.Time)
					points = append(points, perf.Point{Time: before.Time.Add(between / 2).UnixNano(), Value: nan})
				}
				points = append(points, perf.Point{Time: kept[i].Time.UnixNano(), Value: value})
			}
			got := w.Points(index, kept[first].Time, kept[last].Time, nil)
			if !slices.EqualFunc(got, points, func(a, b perf.Point) bool {
				return a.Time == b.Time && (a.Value == b.Value || math.IsNaN(a.Value) && math.IsNaN(b.Value))
			}) {
				t.Fatalf("series %d, samples %d to %d: points %v, want %v", index, first, last, got, points)
			}
		}
	}
	if oldest, newest, ok := w.Span(); !ok || !oldest.Equal(kept[0].Time) || !newest.Equal(kept[599].Time) {
		t.Errorf("span %v to %v", oldest, newest)
	}
}

func TestPercentilesOfFew(t *testing.T) {
	t.Parallel()
	w, schema := window.New(time.Second), gauges(t, 1)
	push(w, schema, 0, 5)
	if got := w.Statistics(0, at(0), at(0)); got.P95 != 5 || got.P99 != 5 || got.Duration != 0 || got.Count != 1 {
		t.Errorf("one value: %+v", got)
	}
	push(w, schema, 1, 9)
	if got := w.Statistics(0, at(0), at(5)); got.P95 != 9 || got.Average != 7 || got.Duration != time.Second || !got.MaximumAt.Equal(at(1)) {
		t.Errorf("two values: %+v", got)
	}
}

func TestLevelsKeepADay(t *testing.T) {
	t.Parallel()
	w, schema := window.New(time.Second), gauges(t, 2)
	for i := range 120 {
		w.Push(schema, &perf.Column{Time: at(float64(i)), Cells: []int64{int64(i), 7}})
	}
	w.Choose(0)
	w.Choose(0)
	for i := 120; i < 7200; i++ {
		w.Push(schema, &perf.Column{Time: at(float64(i)), Cells: []int64{int64(i), 7}})
	}
	buckets := make([]window.Bucket, 4)
	w.Buckets([]int{0}, at(0), at(240), buckets)
	for i, bucket := range buckets {
		if want := (window.Bucket{Min: float64(i) * 60, Max: float64(i)*60 + 59, Average: float64(i)*60 + 29.5}); bucket != want {
			t.Errorf("minute %d is %+v, want %+v", i, bucket, want)
		}
	}
	w.Buckets([]int{0, 1}, at(0), at(40), buckets) // four periods of ten seconds; series 1 was not chosen
	if got := averages(buckets); !alike(got, []float64{14.5, 14.5, 14.5, 44.5}) {
		t.Errorf("periods shorter than a level: %v", got)
	}
	got := w.Statistics(0, at(0), at(7199))
	if got.Minimum != 0 || got.Maximum != 7199 || got.Last != 7199 || got.Count < 7170 || math.Abs(got.Average-3599.5) > 20 {
		t.Errorf("statistics over two hours: %+v", got)
	}
	if got.P95 < 6700 || got.P95 > 7199 {
		t.Errorf("95th percentile over two hours: %v", got.P95)
	}
	if oldest, _, _ := w.Span(); !oldest.Equal(at(0)) {
		t.Errorf("the span begins at %v", oldest)
	}
	w.Forget(0)
	w.Buckets([]int{0}, at(0), at(240), buckets)
	if !alike(averages(buckets), []float64{nan, nan, nan, nan}) {
		t.Errorf("after Forget: %v", buckets)
	}
}

// TestLevelsIgnoreGaps: minutes without a sample are not part of the statistics of older times.
func TestLevelsIgnoreGaps(t *testing.T) {
	t.Parallel()
	w, schema := window.New(time.Second), gauges(t, 1)
	w.Choose(0)
	for i := range 7200 {
		if minute := i / 60; minute >= 20 && minute < 30 {
			continue
		}
		w.Push(schema, &perf.Column{Time: at(float64(i)), Cells: []int64{1000 + int64(i)}})
	}
	got := w.Statistics(0, at(0), at(2400))
	if got.Minimum != 1000 || got.Maximum != 3399 || got.Count != 1800 || got.Average != 1000+(3*599.0/2+600+1800)/3 {
		t.Errorf("statistics of 40 minutes with a gap of 10: %+v", got)
	}
}

// TestLevelsAreReusedAfterADay fills the ring of levels more than once.
func TestLevelsAreReusedAfterADay(t *testing.T) {
	t.Parallel()
	w, schema := window.New(time.Minute), gauges(t, 1)
	w.Choose(0)
	for minute := range 36 * 60 {
		w.Push(schema, &perf.Column{Time: at(float64(minute * 60)), Cells: []int64{int64(minute)}})
	}
	buckets := make([]window.Bucket, 3)
	w.Buckets([]int{0}, at(11*3600), at(14*3600), buckets)
	for i, want := range []float64{nan, 12*60 + 30, 13*60 + 29.5} { // the first minute of the oldest hour was removed
		if got := buckets[i].Average; !(math.Abs(got-want) <= 0.5) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("hour %d: %+v, want about %v", 11+i, buckets[i], want)
		}
	}
	w.Buckets([]int{0}, at(25*3600), at(26*3600), buckets[:1]) // it replaces the hour from 1 to 2
	if got := buckets[0]; got != (window.Bucket{Min: 25 * 60, Max: 25*60 + 59, Average: 25*60 + 29.5}) {
		t.Errorf("hour 25: %+v", got)
	}
	if oldest, _, _ := w.Span(); oldest.Before(at(12*3600-60)) || oldest.After(at(12*3600+60)) {
		t.Errorf("the span begins at %v", oldest)
	}
}

func TestClockThatGoesBack(t *testing.T) {
	t.Parallel()
	w, schema := window.New(time.Second), gauges(t, 1)
	push(w, schema, 100, 1, 2, 3)
	push(w, schema, 99, 50, 51) // a small step back: columns are ignored until the old time
	if last, _ := w.Last(0); last != 3 {
		t.Errorf("last %v after a small step back", last)
	}
	push(w, schema, 103, 4)
	if last, _ := w.Last(0); last != 4 {
		t.Errorf("last %v after the old time was passed", last)
	}
	push(w, schema, 5, 60, 61)
	if oldest, newest, _ := w.Span(); !oldest.Equal(at(5)) || !newest.Equal(at(6)) {
		t.Errorf("span %v to %v after a large step back", oldest, newest)
	}
	w.Clear()
	if _, ok := w.Last(0); ok {
		t.Error("a value after Clear")
	}
	push(w, schema, 0, 5)
	if last, ok := w.Last(0); !ok || last != 5 {
		t.Error("no value after Clear and Push")
	}
}

func TestSetIntervalKeepsThePast(t *testing.T) {
	t.Parallel()
	w, schema := window.New(time.Second), gauges(t, 1)
	for i := range 1000 {
		push(w, schema, i, int64(i))
	}
	w.SetInterval(100 * time.Millisecond)
	if oldest, _, _ := w.Span(); !oldest.Equal(at(400)) {
		t.Errorf("with more room the oldest column is of %v, want %v", oldest, at(400))
	}
	for i := range 5400 {
		w.Push(schema, &perf.Column{Time: at(1000 + float64(i)/10), Cells: []int64{7}})
	}
	oldest, _, _ := w.Span()
	if !oldest.Equal(at(400)) {
		t.Errorf("the oldest column is of %v, want %v", oldest, at(400))
	}
	if got := w.Statistics(0, at(0), at(999)); got.Count != 600 || got.Minimum != 400 || got.Maximum != 999 {
		t.Errorf("the columns from before: %+v", got)
	}
}

// TestConcurrentReaders is for the race detector.
func TestConcurrentReaders(t *testing.T) {
	t.Parallel()
	w, schema := window.New(time.Second), gauges(t, 3)
	var readers sync.WaitGroup
	stop := make(chan struct{})
	for range 3 {
		readers.Go(func() {
			buckets := make([]window.Bucket, 50)
			var points []perf.Point
			for {
				select {
				case <-stop:
					return
				default:
				}
				w.Buckets([]int{0, 1, 3}, at(0), at(400), buckets)
				w.Statistics(3, at(0), at(400))
				points = w.Points(2, at(0), at(400), points[:0])
				w.Last(3)
				w.Choose(1)
				w.Span()
			}
		})
	}
	for i := range 300 {
		w.Push(schema, &perf.Column{Time: at(float64(i)), Cells: []int64{int64(i), 2, 3}})
	}
	close(stop)
	readers.Wait()
}

func TestReadingDoesNotAllocate(t *testing.T) {
	f, w := filled(t, 500, 700)
	buckets := make([]window.Bucket, 100)
	points := make([]perf.Point, 0, 2000)
	to := f.column.Time
	if count := testing.AllocsPerRun(50, func() {
		f.step()
		w.Push(f.schema, &f.column)
		w.Buckets([]int{81, 90, 96}, to.Add(-5*time.Minute), to, buckets)
		w.Statistics(90, to.Add(-5*time.Minute), to)
		points = w.Points(90, to.Add(-5*time.Minute), to, points[:0])
	}); count > 1 { // a pool may be emptied by the garbage collector, and a busy minute may need a larger block
		t.Errorf("%v allocations per column, want none", count)
	}
}

// TestNoCurveBeforeTheFirstSample: the first 30 seconds of a level begin before the first sample, and nothing may be
// drawn there.
func TestNoCurveBeforeTheFirstSample(t *testing.T) {
	t.Parallel()
	schema, err := perf.NewSchema(1, 1, []perf.Series{{Set: "s", Instance: "i", Counter: "c", Kind: perf.Gauge}})
	if err != nil {
		t.Fatal(err)
	}
	w := window.New(time.Second)
	began := time.Date(2026, 3, 2, 14, 0, 20, 0, time.UTC) // 20 s into a level's period
	for i := range 5 {
		w.Push(schema, &perf.Column{Time: began.Add(time.Duration(i) * time.Second), Cells: []int64{7}})
	}
	w.Choose(0)
	buckets := make([]window.Bucket, 25)
	w.Buckets([]int{0}, began.Add(-20*time.Second), began.Add(5*time.Second), buckets)
	for i, bucket := range buckets {
		if got := !math.IsNaN(bucket.Average); got != (i >= 20) {
			t.Errorf("second %d has a value: %v", i-20, got)
		}
	}
}

// TestTheFirstPeriodHasOnlyItsSamples: the period in which sampling begins has the values of its samples, not of 30 seconds of
// a level, which would draw a spike at the start of every curve.
func TestTheFirstPeriodHasOnlyItsSamples(t *testing.T) {
	t.Parallel()
	schema, err := perf.NewSchema(1, 1, []perf.Series{{Set: "s", Instance: "i", Counter: "c", Kind: perf.Rate}})
	if err != nil {
		t.Fatal(err)
	}
	w := window.New(time.Second)
	w.Choose(0)
	began := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	for i := range int64(20) {
		w.Push(schema, &perf.Column{Time: began.Add(time.Duration(i) * time.Second), Cells: []int64{100 * i * i}})
	}
	buckets := make([]window.Bucket, 12)
	w.Buckets([]int{0}, began.Add(-3*time.Second), began.Add(21*time.Second), buckets)
	if first := buckets[1]; first.Max > 300 { // from 1 s before the first sample to 1 s after it
		t.Errorf("the first period reaches from %g to %g; its samples end at 300", first.Min, first.Max)
	}
}

func TestLastRatesAddUpChanges(t *testing.T) {
	t.Parallel()
	schema, err := perf.NewSchema(1, 3, []perf.Series{
		{Set: "s", Counter: "packets", Kind: perf.Cumulative, Cell: 0},
		{Set: "s", Counter: "packets/sec", Kind: perf.Rate, Cell: 1},
		{Set: "s", Counter: "load", Kind: perf.Gauge, Cell: 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	w := window.New(0)
	w.SetInterval(2 * time.Second)
	began := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	w.Push(schema, &perf.Column{Time: began, Cells: []int64{100, 5, 7}})
	if got, ok := w.LastRates([]int{0, 1}); ok {
		t.Errorf("one column has the rate %v", got)
	}
	w.Push(schema, &perf.Column{Time: began.Add(2 * time.Second), Cells: []int64{300, 9, 8}})
	for _, c := range []struct {
		series []int
		want   float64
	}{{[]int{0}, 100}, {[]int{0, 1}, 102}, {[]int{2}, 8}, {[]int{0, -1, 99}, 100}} {
		if got, ok := w.LastRates(c.series); !ok || got != c.want {
			t.Errorf("series %v change by %v in a second, want %v", c.series, got, c.want)
		}
	}
	if _, ok := w.LastRates(nil); ok {
		t.Error("no series have a rate")
	}
}

// TestBatchesEqualColumns pushes the same columns one by one and in batches, with levels, gaps and a rate.
func TestBatchesEqualColumns(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 3))
		schema := gauges(t, 3)
		single, batched := window.New(time.Second), window.New(time.Second)
		for _, w := range []*window.Recent{single, batched} {
			w.Choose(1, 3)
		}
		var columns []perf.Column
		now := epoch
		for len(columns) < 900 {
			now = now.Add(time.Second)
			column := perf.Column{Time: now, Missed: max(0, random.IntN(40)-38), Cells: []int64{int64(len(columns)) * 5, random.Int64N(100), perf.Missing}}
			now = now.Add(time.Duration(column.Missed) * time.Second)
			columns = append(columns, column)
		}
		for i := range columns {
			single.Push(schema, &columns[i])
		}
		for at := 0; at < len(columns); {
			count := min(1+random.IntN(200), len(columns)-at)
			if count < 20 { // a few columns come one by one
				for range count {
					batched.Push(schema, &columns[at])
					at++
				}
				continue
			}
			rows := columns[at : at+count]
			batch := perf.Batch{Cells: 3, Read: func(cell int, dst []int64) ([]int64, error) {
				for i := range rows {
					dst = append(dst, rows[i].Cells[cell])
				}
				return dst, nil
			}}
			for i := range rows {
				batch.Times, batch.Missed = append(batch.Times, rows[i].Time.UnixNano()), append(batch.Missed, int64(rows[i].Missed))
			}
			if err := batched.PushBatch(schema, &batch); err != nil {
				t.Fatal(err)
			}
			at += count
		}
		for series := range schema.Series {
			for _, points := range []int{30, 700} { // the second needs the levels
				var buckets [2][]window.Bucket
				for i, w := range []*window.Recent{single, batched} {
					buckets[i] = make([]window.Bucket, points)
					w.Buckets([]int{series}, epoch, now.Add(time.Second), buckets[i])
				}
				if !alike(averages(buckets[0]), averages(buckets[1])) {
					t.Errorf("seed %d, series %d: %v became %v", seed, series, averages(buckets[0]), averages(buckets[1]))
				}
			}
		}
		var column perf.Column
		for back := range 2 {
			want := columns[len(columns)-1-back]
			if !batched.CopyNewest(back, &column) || !column.Time.Equal(want.Time) || !slices.Equal(column.Cells, want.Cells) {
				t.Errorf("column %d before the newest is %v, want %v", back, column, want)
			}
		}
	}
}

// TestFailedBatch checks that a batch that can't be read leaves an empty window.
func TestFailedBatch(t *testing.T) {
	t.Parallel()
	w, schema := window.New(time.Second), gauges(t, 1)
	push(w, schema, 0, 1, 2, 3)
	for name, read := range map[string]func(int, []int64) ([]int64, error){
		"an error":      func(_ int, dst []int64) ([]int64, error) { return dst, errors.New("damaged") },
		"a panic":       func(int, []int64) ([]int64, error) { panic("a bug") },
		"too few cells": func(_ int, dst []int64) ([]int64, error) { return dst, nil },
	} {
		batch := perf.Batch{Times: []int64{at(9).UnixNano()}, Missed: []int64{0}, Cells: 1, Read: read}
		if err := w.PushBatch(schema, &batch); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, _, ok := w.Span(); ok {
			t.Errorf("%s: the window has columns", name)
		}
	}
}

// TestLimitedWindowKeepsFewerColumns grows a window with a limit from few to many series.
func TestLimitedWindowKeepsFewerColumns(t *testing.T) {
	t.Parallel()
	w := window.New(time.Second)
	w.Limit(10_000)
	push := func(from, n, cells int) {
		series := make([]perf.Series, cells)
		for i := range series {
			series[i].Cell = i
		}
		schema := perf.UncheckedSchema(uint64(cells), cells, series)
		for i := range n {
			column := &perf.Column{Time: time.Unix(int64(from+i), 0)}
			column.Grow(cells)
			for c := range column.Cells {
				column.Cells[c] = int64((from + i) * (c + 1))
			}
			w.Push(schema, column)
		}
	}
	kept := func() int { return len(w.Points(0, time.Unix(0, 0), time.Unix(1e6, 0), nil)) }
	push(1, 2000, 10)
	if n := kept(); n != 600 {
		t.Errorf("%d columns of 10 cells are kept, want 600", n)
	}
	push(2001, 500, 100)
	if n := kept(); n != 100 {
		t.Errorf("%d columns of 100 cells are kept, want 100", n)
	}
	w.SetInterval(100 * time.Millisecond)
	push(2501, 500, 1000)
	if n := kept(); n != 60 {
		t.Errorf("%d columns of 1000 cells are kept, want 60", n)
	}
	points := w.Points(7, time.Unix(0, 0), time.Unix(1e6, 0), nil)
	for i, p := range points {
		if want := float64((3000 - len(points) + 1 + i) * 8); p.Value != want {
			t.Fatalf("point %d is %g, want %g", i, p.Value, want)
		}
	}
}
