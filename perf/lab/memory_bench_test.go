package lab

import (
	"runtime"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/scenes"
	"cxdeck/perf"
	"cxdeck/perf/window"
)

// benchmarkLabMemory measures the memory of a lab with ten minutes of all its series: host, schema, inventory, column and
// window, without the embedded tables.
func benchmarkLabMemory(b *testing.B, description func() *description.Description) {
	perf.Catalogue()
	scenes.All()
	for range b.N {
		before := heapInUse()
		lab, err := device.New(description(), 1)
		if err != nil {
			b.Fatal(err)
		}
		source, err := New(driver.NewHost(lab))
		if err != nil {
			b.Fatal(err)
		}
		window := window.New(time.Second)
		var column perf.Column
		for range 700 {
			next(b, source, time.Second, &column)
			window.Push(source.Schema(), &column)
		}
		b.ReportMetric(float64(heapInUse()-before)/1e6, "MB")
		b.ReportMetric(float64(len(source.Schema().Series)), "series")
		runtime.KeepAlive(window)
		runtime.KeepAlive(source)
	}
}

func heapInUse() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func BenchmarkLabMemory(b *testing.B)      { benchmarkLabMemory(b, description.Default) }
func BenchmarkLargeLabMemory(b *testing.B) { benchmarkLabMemory(b, description.Large) }
