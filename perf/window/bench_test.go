package window_test

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/window"
)

// fleet is a schema of many series and the columns of a running host: 60% of the cells are constant, 20% change rarely, 8%
// count packets, 7% bytes, 5% are gauges.
type fleet struct {
	schema *perf.Schema
	column perf.Column
	random *rand.Rand
	deltas []int64
}

func newFleet(tb testing.TB, count int) *fleet {
	tb.Helper()
	counters := []string{"Bytes", "Packets", "Errors", "Discards", "Pause"}
	var series []perf.Series
	for i := range count {
		series = append(series, perf.Series{
			Set: "Set", Instance: "Instance " + string(rune('A'+i/len(counters)%26)) + time.Duration(i/len(counters)).String(),
			Counter: counters[i%len(counters)], Kind: perf.Rate, Unit: perf.Bytes, Cell: i,
		})
	}
	schema, err := perf.NewSchema(1, count, series)
	if err != nil {
		tb.Fatal(err)
	}
	f := &fleet{schema: schema, random: rand.New(rand.NewPCG(1, 2)), deltas: make([]int64, 4096)}
	for i := range f.deltas {
		f.deltas[i] = f.random.Int64N(1 << 40)
	}
	f.column.Grow(count)
	for i := range f.column.Cells {
		f.column.Cells[i] = int64(i)
	}
	f.column.Time = epoch
	return f
}

// step computes the next column.
func (f *fleet) step() {
	f.column.Time = f.column.Time.Add(time.Second)
	shift := f.random.IntN(4096)
	cells := f.column.Cells
	for i := range cells {
		delta := f.deltas[(i+shift)%4096]
		switch share := i % 100; {
		case share < 60:
		case share < 80:
			if delta%40 == 0 {
				cells[i] += delta % 300
			}
		case share < 88:
			cells[i] += 40_000 + delta%9000
		case share < 95:
			cells[i] += 60_000_000 + delta%12_000_000
		default:
			cells[i] = delta % 200
		}
	}
}

func filled(tb testing.TB, count, columns int) (*fleet, *window.Recent) {
	tb.Helper()
	f, w := newFleet(tb, count), window.New(time.Second)
	for range columns {
		f.step()
		w.Push(f.schema, &f.column)
	}
	return f, w
}

func heap() float64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc) / 1e6
}

// benchmarkPush measures the time of a push into a full window, and the memory of the window without schema and column.
func benchmarkPush(b *testing.B, count int) {
	before := heap()
	f := newFleet(b, count)
	without := heap() - before
	w := window.New(time.Second)
	for range 700 {
		f.step()
		w.Push(f.schema, &f.column)
	}
	megabytes := heap() - before - without
	b.ReportAllocs()
	b.ResetTimer()
	var pushing time.Duration
	for range b.N {
		f.step()
		begun := time.Now()
		w.Push(f.schema, &f.column)
		pushing += time.Since(begun)
	}
	b.StopTimer()
	b.ReportMetric(float64(pushing.Nanoseconds())/float64(b.N), "ns/push")
	b.ReportMetric(megabytes, "MB")
	runtime.KeepAlive(w)
}

func BenchmarkPush10k(b *testing.B)  { benchmarkPush(b, 10_000) }
func BenchmarkPush100k(b *testing.B) { benchmarkPush(b, 100_000) }

// BenchmarkBuckets computes a chart of eight lines over five minutes, 240 dots wide.
func BenchmarkBuckets(b *testing.B) {
	f, w := filled(b, 1000, 700)
	dst := make([]window.Bucket, 240)
	to := f.column.Time
	b.ReportAllocs()
	for b.Loop() {
		for line := range 8 {
			w.Buckets([]int{80 + line}, to.Add(-5*time.Minute), to, dst)
		}
	}
}

// BenchmarkStatistics computes a legend of eight lines over ten minutes.
func BenchmarkStatistics(b *testing.B) {
	f, w := filled(b, 1000, 700)
	to := f.column.Time
	b.ReportAllocs()
	for b.Loop() {
		for line := range 8 {
			w.Statistics(80+line, to.Add(-10*time.Minute), to)
		}
	}
}

func BenchmarkLast(b *testing.B) {
	_, w := filled(b, 1000, 700)
	b.ReportAllocs()
	for b.Loop() {
		w.Last(88)
	}
}
