package ibsim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/agent"
	"cxdeck/device/infiniband/mad"
	"cxdeck/driver"
	"cxdeck/driver/request"
	ports "cxdeck/driver/subnet"
	"cxdeck/perf/monitor"
	"cxdeck/views/exec"
	"cxdeck/views/exec/subnet"
	"cxdeck/views/exec/subnet/commands"
)

// Lab is the subnet of a lab whose time a monitor lets pass.
type Lab struct {
	monitor *monitor.Monitor

	mu sync.Mutex
	// network and own are a copy of the subnet as it was at a time of the host.
	network *mad.Network
	own     []infiniband.Place
	at      time.Time
}

// OnMonitor returns the subnet of a monitor's lab.
func OnMonitor(m *monitor.Monitor) *Lab { return &Lab{monitor: m} }

// Network returns a copy of the network. Callers share it while the host's time stands still, and must not change it.
func (l *Lab) Network(ctx context.Context) (*mad.Network, []infiniband.Place, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.monitor.ReadHost(ctx, func(h *driver.Host) error {
		if l.network != nil && h.Now().Equal(l.at) {
			return nil
		}
		s, own := h.Lab().Subnet()
		if s == nil {
			return request.Errorf("the lab has no InfiniBand port; start one with --lab manual-ib")
		}
		l.network, l.own, l.at = &mad.Network{Fabric: s.Fabric, Managers: s.Managers, Profile: mad.Hardware()}, own, h.Now()
		return nil
	})
	return l.network, l.own, err
}

// Clear resets counters of the lab's ports.
func (l *Lab) Clear(ctx context.Context, reset *agent.Clear) error {
	l.mu.Lock()
	network := l.network
	l.network = nil
	l.mu.Unlock()
	change := subnet.Change{Place: reset.Place, Verb: subnet.Clear, Mask: reset.Mask}
	if reset.Extended {
		change.Verb = subnet.ClearExtended
	}
	plan := driver.Plan{Title: "perfquery"}
	for _, o := range commands.Clearing(network.Fabric, change) {
		plan.Operations = append(plan.Operations, o)
	}
	if len(plan.Operations) == 0 {
		return nil
	}
	_, err := l.monitor.Apply(ctx, plan)
	return err
}

// SetPort sets what a port of the lab may do.
func (l *Lab) SetPort(ctx context.Context, port *agent.Port) error {
	l.mu.Lock()
	network := l.network
	l.network = nil
	l.mu.Unlock()
	o := ports.SetPort{Port: ports.Name(network.Fabric, port.Place), Disabled: port.Disabled, Reset: port.Reset, Write: port.Write}
	if port.Enabled != nil {
		o.Widths, o.Speeds = &port.Enabled.Widths, &port.Enabled.Speeds
	}
	title := "ibportstate"
	if port.Write != nil {
		title = "subnet manager"
	}
	_, err := l.monitor.Apply(ctx, driver.Plan{Title: title, Operations: []driver.Operation{o}})
	var unchanged *request.UnchangedError
	if errors.As(err, &unchanged) {
		return nil
	}
	return err
}

// NameError reports a name that sockets can't have, or that another server has.
type NameError struct{ Text string }

func (e *NameError) Error() string { return e.Text }

// Serve runs a monitor's lab and serves its subnet until the context or the lab ends.
func Serve(ctx context.Context, live *monitor.Monitor, name string, out io.Writer, log *slog.Logger) error {
	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	running.Go(func() {
		_ = live.Run(ctx) // Status returns the error
		stop()
	})
	lab := OnMonitor(live)
	network, _, err := lab.Network(ctx)
	if err != nil {
		return err
	}
	nodes := len(network.Nodes)
	server, err := Listen(name, lab, log)
	if err != nil {
		return err
	}
	defer server.Close()
	if _, err := fmt.Fprintf(out, "cxdeck serves the subnet of %s, %d nodes, on the sockets %s. Ctrl+C ends it.\n",
		exec.Clean(live.Status().Info.Name), nodes, exec.Clean(name)); err != nil {
		return err
	}
	if err := server.Run(ctx); err != nil {
		return err
	}
	return live.Status().Err
}
