package twin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"cxdeck/device/description"
	"cxdeck/driver/twin"
	"cxdeck/perf"
	"cxdeck/perf/fit"
	"cxdeck/perf/pdh"
	"cxdeck/store"
	"cxdeck/views/exec"
)

// log is what workloads can follow: a file, or the samples of a bundle.
type log struct {
	path    string
	samples *twin.Samples
}

// isDatabase reports whether a file begins as a history of cxdeck does.
func isDatabase(head []byte) bool { return bytes.HasPrefix(head, []byte("SQLite format 3\x00")) }

// fitLogs makes the workloads of a twin from the first log that has main counters of its ports, and lists what was assumed. Without such a
// log the twin has no workloads, and the result is nil.
func fitLogs(ctx context.Context, d *description.Description, logs []log) (*fit.Result, error) {
	if len(logs) == 0 {
		d.Twin.Assumed = append(d.Twin.Assumed, "the workloads: none, as no log of counters was given")
	}
	var found *fit.Result
	for _, l := range logs {
		name := cut(exec.Clean(filepath.Base(l.path)))
		if found != nil {
			d.Twin.Assumed = append(d.Twin.Assumed, fmt.Sprintf("the log %s is not used, as the workloads follow another one", name))
			continue
		}
		r, what, err := l.fit(ctx, d, name)
		switch {
		case errors.Is(err, fit.ErrNoCounters):
			d.Twin.Assumed = append(d.Twin.Assumed, fmt.Sprintf("the workloads: none of the log %s; %v", name, err))
			continue
		case err != nil:
			return nil, fmt.Errorf("no workloads can be made from the log %s: %w", name, err)
		}
		found = r
		d.Twin.Sources = append(d.Twin.Sources, fmt.Sprintf("%s: %s with %d rows", name, what, r.Read+1))
		d.Twin.Assumed = append(append(d.Twin.Assumed, r.Assumed...), r.Notes...)
	}
	return found, nil
}

// fit makes workloads that follow the log, and returns what it is.
func (l *log) fit(ctx context.Context, d *description.Description, name string) (r *fit.Result, what string, err error) {
	if l.samples != nil {
		r, err := fit.Workloads(ctx, d, openSamples(l.samples), name)
		return r, "samples of a Linux machine", err
	}
	head, err := peek(l.path)
	if err != nil {
		return nil, "", exec.FailureReason(err)
	}
	if isDatabase(head) {
		return fitSessions(ctx, d, l.path, name)
	}
	source, err := pdh.Open(l.path)
	if err != nil {
		return nil, "", err
	}
	defer func(s perf.Source) { _ = s.Close() }(source) // nothing was written
	r, err = fit.Workloads(ctx, d, source, name)
	return r, "a Performance Monitor log", err
}

// fitSessions makes workloads that follow the newest recorded session with main counters of the twin's ports.
func fitSessions(ctx context.Context, d *description.Description, path, name string) (r *fit.Result, what string, err error) {
	db, err := store.Open(ctx, path, store.Options{ReadOnly: true})
	if err != nil {
		return nil, "", err
	}
	defer db.Close() //nolint:errcheck // nothing was written
	sessions, err := db.Sessions(ctx)
	if err != nil {
		return nil, "", err
	}
	for i := range sessions {
		session := &sessions[i]
		source, err := db.Replay(ctx, session.ID)
		if err != nil {
			return nil, "", err
		}
		r, err := fit.Workloads(ctx, d, source, name)
		_ = source.Close() // nothing was written
		if err == nil {
			return r, fmt.Sprintf("the recorded session %d of %s", session.ID, exec.Clean(session.Host)), nil
		}
		if !errors.Is(err, fit.ErrNoCounters) {
			return nil, "", err
		}
	}
	return nil, "", fit.ErrNoCounters
}
