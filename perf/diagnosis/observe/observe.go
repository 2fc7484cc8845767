// Package observe diagnoses a host of the lab that no console samples: it lets time pass on a copy and reads the counters.
package observe

import (
	"context"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/health/findings"
	"cxdeck/perf"
	"cxdeck/perf/diagnosis"
	"cxdeck/perf/lab"
	"cxdeck/perf/labstate"
)

// The observation of a host: the time that passes on it, in steps of a column, with a look every few of them.
const (
	ObservedFor = 15 * time.Second
	lookEvery   = 5 * time.Second
	columnEvery = time.Second
)

// OfHost observes a host for ObservedFor and returns what is wrong with it. The host advances: pass a copy.
func OfHost(ctx context.Context, host *driver.Host) (*findings.Report, error) {
	source, err := lab.New(host)
	if err != nil {
		return nil, err
	}
	var o diagnosis.Observer
	var column perf.Column
	var report *findings.Report
	for passed := time.Duration(0); passed <= ObservedFor; passed += columnEvery {
		if err := source.Next(ctx, columnEvery, &column); err != nil {
			return nil, err
		}
		if passed%lookEvery == 0 {
			state := source.State()
			report = o.Evaluate(diagnosis.Input{Schema: source.Schema(), Inventory: source.Inventory(), Column: &column, Facts: labstate.Facts(host, state), Lab: state})
		}
	}
	return report, source.Close()
}
