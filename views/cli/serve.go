package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/perf/prometheus/alerting"
	"cxdeck/store"
	"cxdeck/views/cli/process"
	"cxdeck/views/exec"
	"cxdeck/views/serve"
)

// runServe serves the counters of a source to Prometheus until it is ended.
func runServe(s *session) error {
	if len(s.arguments) > 0 && s.arguments[0] == servedSubnet {
		return s.serveSubnet()
	}
	if _, given := s.text("socket"); given {
		return mistake("--socket belongs to serve subnet")
	}
	if _, given := s.text("for"); given {
		return mistake("--for belongs to serve subnet")
	}
	if len(s.arguments) > 0 && slices.Contains(servedWords(), s.arguments[0]) {
		return s.printServed(s.arguments[0])
	}
	options := serve.Options{Listen: serve.DefaultListen, Version: s.version, Log: s.log, Selection: serve.Selection{Max: serve.DefaultMaxSeries}}
	var err error
	if options.Selection.Patterns, err = serve.ParsePatterns(s.arguments); err != nil {
		return mistake("%v", err)
	}
	if value, given := s.text("listen"); given {
		options.Listen = value
	}
	options.WebConfig, _ = s.text("web-config")
	if value, given := s.text("max-series"); given {
		if options.Selection.Max, err = strconv.Atoi(value); err != nil || options.Selection.Max < 1 || options.Selection.Max > math.MaxInt32 {
			return mistake("--max-series must be an integer from 1 to %d, not %q", math.MaxInt32, value)
		}
	}
	server, err := serve.Listen(s.ctx, options)
	var wrong *serve.ConfigError
	if errors.As(err, &wrong) {
		return mistake("%s", wrong.Text)
	}
	if err != nil {
		return err
	}
	defer server.Close() //nolint:errcheck // the server has closed it
	source, err := s.servedSource()
	if err != nil {
		return err
	}
	live, err := monitor.New(source, monitor.Options{Interval: s.options.interval, Speed: s.options.speed, QuickStart: true})
	if err != nil {
		return errors.Join(err, source.Close())
	}
	return s.serveMonitor(server, live)
}

// servedSource opens the source. With --db the lab resumes the host of the history, which is only read.
func (s *session) servedSource() (perf.Source, error) {
	if _, given := s.text("db"); !given || s.options.source != "lab" {
		return s.openSource()
	}
	lab := s.lab()
	text, err := lab.Text()
	if err != nil {
		return nil, err
	}
	db, err := s.openFile(false, "")
	if err != nil {
		return nil, err
	}
	defer func(db *store.DB) { _ = db.Close() }(db) // nothing was written
	restored, err := lab.Restore(s.ctx, lab.LayOutText(text), db)
	if err == nil && restored.Notice != "" {
		process.Complain(s.streams.Err, errors.New(restored.Notice))
	}
	return restored.Source, err
}

// serveMonitor runs the monitor and the server until the operator, the source or the server ends.
func (s *session) serveMonitor(server *serve.Server, live *monitor.Monitor) error {
	ctx, stop := context.WithCancel(s.ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	running.Go(func() { _ = live.Run(ctx) }) // Status returns the error
	for live.Status().Samples == 0 && live.Status().Err == nil && !live.Status().Ended && ctx.Err() == nil {
		select {
		case <-live.Updates():
		case <-ctx.Done():
		}
	}
	running.Go(func() { // the end of the source ends the server
		for ctx.Err() == nil {
			if status := live.Status(); status.Err != nil || status.Ended {
				stop()
			}
			select {
			case <-live.Updates():
			case <-ctx.Done():
			}
		}
	})
	server.Bind(live)
	info := live.Status().Info
	series, left := server.Size()
	if left > 0 {
		process.Complain(s.streams.Err, fmt.Errorf("%d of %d series are left out: choose counters with patterns, or raise --max-series", left, series+left))
	}
	if server.Exposed() {
		process.Complain(s.streams.Err, errors.New("other machines can read the counters without a password: --web-config adds TLS and users"))
	}
	if ctx.Err() == nil {
		if _, err := fmt.Fprintf(s.streams.Out, "cxdeck serves %s at %s: %d series. Ctrl+C ends it.\n", exec.Clean(info.Name), server.URL(), series); err != nil {
			return err
		}
	}
	err := server.Run(ctx)
	switch status := live.Status(); {
	case status.Err != nil:
		return status.Err
	case status.Ended && s.ctx.Err() == nil:
		_, err = fmt.Fprintf(s.streams.Out, "%s has ended.\n", exec.Clean(info.Name))
	}
	return err
}

// printServed prints what belongs to served counters: the dashboard or the alert rules.
func (s *session) printServed(what string) error {
	if len(s.arguments) > 1 {
		return mistake("serve %s takes no arguments, but %q was given", what, s.arguments[1])
	}
	text := alerting.Rules()
	if what == "dashboard" {
		var err error
		if text, err = alerting.Dashboard(); err != nil {
			return err
		}
		text = append(text, '\n')
	}
	_, err := s.streams.Out.Write(text)
	return err
}
