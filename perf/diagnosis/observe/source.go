package observe

import (
	"context"
	"errors"
	"io"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/health/findings"
	"cxdeck/perf"
	"cxdeck/perf/diagnosis"
)

// OfSource evaluates the rules on counters over a source without a host: a recording from its first row to its last, or a machine
// for ObservedFor, during which wait is called between samples. The ended findings of the report are the ones that ended in that time.
func OfSource(ctx context.Context, source perf.Source, wait func(context.Context, time.Duration) error) (*findings.Report, error) {
	_, recorded := source.(perf.Seeker)
	var (
		o      diagnosis.Observer
		column perf.Column
		report *findings.Report
		events []eventlog.Event
		looked time.Time
		begun  time.Time
	)
	look := func() {
		report = o.Take(diagnosis.Look{Schema: source.Schema(), Inventory: source.Inventory(), Column: &column, Events: events})
		looked = column.Time
	}
	for {
		interval := columnEvery
		if recorded {
			interval = 0 // each row
		}
		if err := source.Next(ctx, interval, &column); errors.Is(err, io.EOF) && !begun.IsZero() {
			if column.Time.After(looked) {
				look()
			}
			return report, nil
		} else if err != nil {
			return nil, err
		}
		if eventer, can := source.(perf.Eventer); can {
			events = append(events, eventer.Events()...)
		}
		if begun.IsZero() {
			begun = column.Time
		}
		if looked.IsZero() || column.Time.Sub(looked) >= lookEvery {
			look()
		}
		if recorded {
			continue
		}
		if column.Time.Sub(begun) >= ObservedFor {
			return report, nil
		}
		if err := wait(ctx, columnEvery); err != nil {
			return nil, err
		}
	}
}
