package store

import (
	"runtime"
	"testing"
	"time"

	"cxdeck/perf"
)

// wideCells is the length of the columns of a very large host.
const wideCells = 100_000

// heapMB returns the memory in use after a garbage collection.
func heapMB() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

// BenchmarkWideSession measures the memory that recording and replaying 100,000 cells take, and the time of a sample.
func BenchmarkWideSession(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		db := openNew(b, Options{})
		traffic := newTraffic(1, wideCells)
		schema := schemaOf(b, 1, wideCells)
		samples := make([]*perf.Column, 250)
		for n := range samples {
			traffic.step()
			samples[n] = column(n, append([]int64(nil), traffic.cells...)...)
		}
		before := heapMB()
		recorder := begin(b, db)
		b.StartTimer()
		began := time.Now()
		recorder.Schema(schema, &perf.Inventory{})
		most := 0.0
		for n, c := range samples {
			recorder.Column(c)
			if n%10 == 9 {
				waitEmpty(b, recorder)
			}
			if n%50 == 49 {
				most = max(most, heapMB()-before)
			}
		}
		closeRecorder(b, recorder)
		b.ReportMetric(float64(time.Since(began).Milliseconds())/float64(len(samples)), "recordMs/sample")
		b.ReportMetric(most, "recordMB")

		before = heapMB()
		source := replayOf(b, db, 1)
		began = time.Now()
		var c perf.Column
		for range samples {
			if err := source.Next(b.Context(), time.Second, &c); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(time.Since(began).Milliseconds())/float64(len(samples)), "replayMs/sample")
		b.ReportMetric(heapMB()-before, "replayMB")
		runtime.KeepAlive(source)
		runtime.KeepAlive(samples)
	}
	b.ReportMetric(0, "ns/op")
}

// waitEmpty waits until the writer has emptied the queue.
func waitEmpty(b *testing.B, recorder *Recorder) {
	b.Helper()
	for recorder.Status().Waiting > 0 {
		if err := recorder.Status().Err; err != nil {
			b.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
}
