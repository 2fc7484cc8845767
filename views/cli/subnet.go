package cli

import (
	"context"
	"fmt"
	"sync"
	"time"

	"cxdeck/perf/monitor"
	"cxdeck/views/exec"
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
	return s.runSubnet(ctx, live, name)
}

// runSubnet runs the lab and the server until the context or the server ends.
func (s *session) runSubnet(ctx context.Context, live *monitor.Monitor, name string) error {
	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	running.Go(func() { _ = live.Run(ctx) }) // Status returns the error
	lab := ibsim.OnMonitor(live)
	network, _, err := lab.Network(ctx)
	if err != nil {
		return err
	}
	server, err := ibsim.Listen(name, lab, s.log)
	if err != nil {
		return mistake("%v", err)
	}
	nodes := len(network.Nodes)
	if _, err := fmt.Fprintf(s.streams.Out, "cxdeck serves the subnet of %s, %d nodes, on the sockets %s. Ctrl+C ends it.\n",
		exec.Clean(live.Status().Info.Name), nodes, exec.Clean(name)); err != nil {
		return err
	}
	if err := server.Run(ctx); err != nil {
		return err
	}
	return live.Status().Err
}
