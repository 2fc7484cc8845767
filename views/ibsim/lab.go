package ibsim

import (
	"context"
	"sync"
	"time"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/agent"
	"cxdeck/device/infiniband/mad"
	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/perf/monitor"
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
func (l *Lab) Clear(ctx context.Context, clear *agent.Clear) error {
	l.mu.Lock()
	network := l.network
	l.network = nil
	l.mu.Unlock()
	change := subnet.Change{Place: clear.Place, Verb: subnet.Clear, Mask: clear.Mask}
	if clear.Extended {
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
