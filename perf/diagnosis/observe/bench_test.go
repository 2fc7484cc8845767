package observe

import (
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/perf/diagnosis"
	"cxdeck/perf/lab"
	"cxdeck/perf/labstate"
)

// BenchmarkRound measures a round of all rules over the large lab, as the console runs one every 5 s: the facts about the host, the
// rates of its counters, the conditions and the report. The budget is 50 ms, and 1% of a core.
func BenchmarkRound(b *testing.B) {
	made, err := device.New(description.Large(), 1)
	if err != nil {
		b.Fatal(err)
	}
	host := driver.NewHost(made)
	host.Advance(time.Minute)
	source, err := lab.New(host)
	if err != nil {
		b.Fatal(err)
	}
	var o diagnosis.Observer
	var columns [2]perf.Column
	states := make([]*labstate.State, len(columns))
	for i := range columns {
		if err := source.Next(b.Context(), lookEvery, &columns[i]); err != nil {
			b.Fatal(err)
		}
		states[i] = source.State()
	}
	rules := 0
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		n := i % len(columns)
		columns[n].Time = columns[0].Time.Add(time.Duration(i) * lookEvery)
		report := o.Evaluate(diagnosis.Input{
			Schema: source.Schema(), Inventory: source.Inventory(), Column: &columns[n], Facts: labstate.Facts(host, states[n]), Lab: states[n],
		})
		rules = report.Rules
	}
	b.ReportMetric(float64(rules), "rules")
}
