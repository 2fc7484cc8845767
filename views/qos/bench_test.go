package qos

import (
	"slices"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf/lab"
	"cxdeck/perf/monitor"
	"cxdeck/views/viewtest"
)

// BenchmarkRight goes from port to port of the large lab: one key and its frame at 120x40.
func BenchmarkRight(b *testing.B) {
	hardware, err := device.New(description.Large(), 1)
	if err != nil {
		b.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(hardware))
	if err != nil {
		b.Fatal(err)
	}
	d := viewtest.Watch(b, source, monitor.MaxSpeed)
	for d.Live.Status().Samples < 120 {
		<-d.Live.Updates()
	}
	if err := d.Live.SetPaused(true); err != nil {
		b.Fatal(err)
	}
	v := shown(d)
	canvas := viewtest.Body(v, 120, 40)
	right := v.portAction("qos.port-after", "", "", 1).Run
	b.ReportAllocs()
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		right()
		canvas.Clear()
		v.Draw(canvas.All())
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
	b.ReportMetric(float64(len(v.ports)), "ports")
}
