package twin

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"cxdeck/device/description"
	"cxdeck/perf"
	"cxdeck/perf/fit"
	"cxdeck/perf/pdh"
	"cxdeck/views/exec"
)

// fitLogs makes the workloads of a twin from the first log that has main counters of its ports, and lists what was assumed. Without such a
// log the twin has no workloads, and the result is nil.
func fitLogs(ctx context.Context, d *description.Description, logs []string) (*fit.Result, error) {
	if len(logs) == 0 {
		d.Twin.Assumed = append(d.Twin.Assumed, "the workloads: none, as no Performance Monitor log was given")
	}
	var found *fit.Result
	for _, path := range logs {
		name := cut(exec.Clean(filepath.Base(path)))
		if found != nil {
			d.Twin.Assumed = append(d.Twin.Assumed, fmt.Sprintf("the log %s is not used, as the workloads follow another one", name))
			continue
		}
		r, err := fitLog(ctx, d, path, name)
		switch {
		case errors.Is(err, fit.ErrNoCounters):
			d.Twin.Assumed = append(d.Twin.Assumed, fmt.Sprintf("the workloads: none of the log %s; %v", name, err))
			continue
		case err != nil:
			return nil, fmt.Errorf("no workloads can be made from the log %s: %w", name, err)
		}
		found = r
		d.Twin.Sources = append(d.Twin.Sources, fmt.Sprintf("%s: a Performance Monitor log with %d rows", name, r.Rows+1))
		d.Twin.Assumed = append(append(d.Twin.Assumed, r.Assumed...), r.Notes...)
	}
	return found, nil
}

func fitLog(ctx context.Context, d *description.Description, path, name string) (r *fit.Result, err error) {
	source, err := pdh.Open(path)
	if err != nil {
		return nil, err
	}
	defer func(s perf.Source) { _ = s.Close() }(source) // nothing was written
	return fit.Workloads(ctx, d, source, name)
}
