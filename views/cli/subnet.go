package cli

import (
	"context"
	"errors"
	"time"

	"cxdeck/perf/monitor"
	"cxdeck/views/ibsim"
)

// maxServed is the longest time of --for.
const maxServed = 24 * time.Hour

// serveSubnet serves the lab's InfiniBand subnet to real programs until it is ended.
func (s *session) serveSubnet() error {
	if len(s.arguments) > 1 {
		return mistake("serve subnet takes no arguments, but %q was given", s.arguments[1])
	}
	if s.options.source != "lab" {
		return mistake("serve subnet needs the lab: leave --source out")
	}
	for _, name := range []string{"listen", "web-config", "max-series"} {
		if _, given := s.text(name); given {
			return mistake("--%s belongs to the counters, not to serve subnet", name)
		}
	}
	ctx := s.ctx
	if value, given := s.text("for"); given {
		limit, err := time.ParseDuration(value)
		if err != nil || limit <= 0 || limit > maxServed {
			return mistake("--for must be a time up to 24h, such as 90s or 10m, not %q", value)
		}
		limited, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		ctx = limited
	}
	name := ibsim.DefaultName
	if value, given := s.text("socket"); given {
		name = value
	}
	source, err := s.servedSource()
	if err != nil {
		return err
	}
	live, err := monitor.New(source, monitor.Options{Interval: s.options.interval, Speed: s.options.speed, QuickStart: true})
	if err != nil {
		return err
	}
	err = ibsim.Serve(ctx, live, name, s.streams.Out, s.log)
	var wrong *ibsim.NameError
	if errors.As(err, &wrong) {
		return mistake("--socket: %v", err)
	}
	return err
}
