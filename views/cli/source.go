package cli

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/pdh"
	"cxdeck/perf/prometheus/fleet"
	"cxdeck/perf/regular"
	"cxdeck/store"
	"cxdeck/views/cli/fleetaccess"
	"cxdeck/views/cli/labs"
)

// sourceOpener opens a source; a lab resumes its host from db, which may be nil. notice is a sentence for the operator, or empty.
type sourceOpener func(ctx context.Context, db *store.DB) (source perf.Source, notice string, err error)

// prepareSource checks --source and --lab before anything is opened. It builds a lab while the history is opened.
func (c *console) prepareSource() (open sourceOpener, err error) {
	s := c.session
	if s.options.source == "lab" {
		lab := s.lab()
		if c.labText, err = lab.Text(); err != nil {
			return nil, err
		}
		laid := lab.LayOutText(c.labText)
		if s.options.labFile != "" { // the embedded lab is valid
			if _, err := laid.Plant(); err != nil {
				return nil, err
			}
		}
		c.running.Go(func() {
			_, _ = laid.Plant() // Restore returns the error
			labs.ReadTables()
		})
		return func(ctx context.Context, db *store.DB) (perf.Source, string, error) {
			lab.Ready = func(info perf.SourceInfo) { c.beginRecording(ctx, info) }
			restored, err := lab.Restore(ctx, laid, db)
			return restored.Source, restored.Notice, err
		}, nil
	}
	source, err := s.openSource()
	if err != nil {
		return nil, err
	}
	if source.Info().Kind == perf.LogSource {
		c.deck.Reopen = s.openSource
	}
	if s.isFleet() {
		c.deck.OpenPast = s.openPast
	}
	return func(context.Context, *store.DB) (perf.Source, string, error) { return source, "", nil }, nil
}

// openSource opens the source of --source; a lab starts with a new host.
func (s *session) openSource() (perf.Source, error) {
	switch s.options.source {
	case "lab":
		lab := s.lab()
		description, err := lab.Describe()
		if err != nil {
			return nil, err
		}
		restored, err := lab.Restore(s.ctx, labs.LayOut(description), nil)
		return restored.Source, err
	case "local":
		return openMachine()
	}
	if address, ok := strings.CutPrefix(s.options.source, fleetPrefix); ok {
		return s.openFleet(address)
	}
	if err := regular.Check(s.options.source); errors.Is(err, fs.ErrNotExist) {
		return nil, sourceMistake(s.options.source)
	} else if err != nil {
		return nil, labs.Unreadable("--source", s.options.source, err)
	}
	return pdh.Open(s.options.source)
}

// fleetPrefix begins the source of a fleet: prometheus:http://localhost:9090.
const fleetPrefix = "prometheus:"

// defaultFleetInterval is the time between queries of Prometheus: its usual interval of scrapes.
const defaultFleetInterval = 15 * time.Second

// isFleet reports whether the source is Prometheus, which keeps the history by itself.
func (s *session) isFleet() bool { return strings.HasPrefix(s.options.source, fleetPrefix) }

// openFleet opens the hosts of a Prometheus.
func (s *session) openFleet(address string) (perf.Source, error) {
	access, err := fleetaccess.Read(address, s.options.settings.Prometheus, s.streams.Environment)
	if err != nil {
		return nil, err
	}
	source, err := fleet.Open(s.ctx, access)
	var wrong *fleet.AddressError
	if errors.As(err, &wrong) {
		return nil, mistake("--source: %v", err)
	}
	if err != nil {
		return nil, err
	}
	return source, nil
}

// openPast opens an earlier time of hosts of the fleet.
func (s *session) openPast(ctx context.Context, hosts []string) (perf.Source, error) {
	access, err := fleetaccess.Read(strings.TrimPrefix(s.options.source, fleetPrefix), s.options.settings.Prometheus, s.streams.Environment)
	if err != nil {
		return nil, err
	}
	past, err := fleet.OpenPast(ctx, access, hosts)
	if err != nil {
		return nil, err
	}
	return past, nil
}
