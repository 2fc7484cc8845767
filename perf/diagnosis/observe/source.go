package observe

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/health/findings"
	"cxdeck/perf"
	"cxdeck/perf/diagnosis"
)

// ErrNoTopology is the error for a source that does not name the ports of its counters.
var ErrNoTopology = errors.New("no topology: the rules require the ports of the counters, and it names none")

// OfRange is OfSource for the rows of a recording between two times.
func OfRange(ctx context.Context, source perf.Source, from, to time.Time) (*findings.Report, error) {
	if seeker, can := source.(perf.Seeker); can {
		if err := seeker.Seek(from); err != nil {
			return nil, err
		}
	}
	return evaluate(ctx, source, to, nil)
}

// OfSource evaluates the rules on counters over a source without a host: a recording from its first row to its last, or a machine
// for ObservedFor, during which wait is called between samples. The ended findings of the report are the ones that ended in that time.
// A source without topology has no findings: the error is ErrNoTopology.
func OfSource(ctx context.Context, source perf.Source, wait func(context.Context, time.Duration) error) (*findings.Report, error) {
	return evaluate(ctx, source, time.Time{}, wait)
}

// hasTopology reports that an inventory names a port.
func hasTopology(inventory *perf.Inventory) bool {
	return inventory != nil && slices.ContainsFunc(inventory.Nodes, func(n perf.Node) bool { return n.Kind == perf.PortNode })
}

// evaluate implements OfSource; it stops after the last row that is not after until, unless until is zero.
func evaluate(ctx context.Context, source perf.Source, until time.Time, wait func(context.Context, time.Duration) error) (*findings.Report, error) {
	_, recorded := source.(perf.Seeker)
	var (
		o            diagnosis.Observer
		column, next perf.Column
		report       *findings.Report
		events       []eventlog.Event
		looked       time.Time
		begun        time.Time
		topology     bool
	)
	look := func() {
		report = o.Evaluate(diagnosis.Input{Schema: source.Schema(), Inventory: source.Inventory(), Column: &column, Events: events})
		looked = column.Time
	}
	for ended := false; !ended; {
		interval := columnEvery
		if recorded {
			interval = 0 // each row
		}
		err := source.Next(ctx, interval, &next)
		ended = errors.Is(err, io.EOF) || err == nil && !until.IsZero() && next.Time.After(until)
		if err != nil && (!ended || begun.IsZero()) {
			return nil, err
		}
		if !ended {
			column, next = next, column
			topology = topology || hasTopology(source.Inventory())
			if eventer, can := source.(perf.Eventer); can {
				events = append(events, eventer.Events()...)
			}
			if begun.IsZero() {
				begun = column.Time
			}
			ended = !recorded && column.Time.Sub(begun) >= ObservedFor
		}
		if column.Time.After(looked) && (ended || column.Time.Sub(looked) >= lookEvery) {
			look()
		}
		if !recorded && !ended {
			if err := wait(ctx, columnEvery); err != nil {
				return nil, err
			}
		}
	}
	switch {
	case begun.IsZero():
		return nil, errors.New("the range has no samples")
	case !topology:
		return nil, ErrNoTopology
	}
	return report, nil
}
