package device

import (
	"errors"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/device/infiniband/site"
)

// moveSite tells the subnet which ports have a link partner, and moves it: once a second, or when something changed.
func (l *Lab) moveSite() {
	if l.site == nil {
		return
	}
	for port := range l.links {
		s := &l.links[port]
		l.site.SetPresent(port, s.Cabled && s.Enabled && !s.flapping())
	}
	if l.site.Pending() || l.steps%statisticsSteps == 0 {
		l.site.Advance(l.stepTime())
		l.setup.Switches = l.site.Ask(l.setup.Switches)
	}
}

// Subnet returns the subnet of the lab's InfiniBand ports as it is now, and the places of the ports by their number; nil without
// InfiniBand. It is a copy.
func (l *Lab) Subnet() (*opensm.Subnet, []infiniband.Place) {
	if l.site == nil {
		return nil, nil
	}
	return l.site.Snapshot(l.counters, l.subnetState, l.setup.Switches), l.site.Own
}

// LIDs returns the LID of an InfiniBand port and of its subnet manager, 0 while the port is not active.
func (l *Lab) LIDs(port int) (lid, manager uint16) {
	if l.site == nil || !l.links[port].Up {
		return 0, 0
	}
	return l.site.LIDs(port)
}

// ReadSubnet has a function read the subnet itself, without the states and counters of the lab's own ports.
func (l *Lab) ReadSubnet(read func(*site.Site) error) error {
	if l.site == nil {
		return errors.New("the lab has no InfiniBand port, and no subnet")
	}
	return read(l.site)
}

// ChangeSubnet has a function change the subnet, completely or not at all. SetCable moves the cable of a port of the lab.
func (l *Lab) ChangeSubnet(change func(*site.Site) error) error {
	if err := l.ReadSubnet(change); err != nil {
		return err
	}
	l.site.Touched = true
	l.setup.Switches = l.site.Ask(l.setup.Switches)
	return nil
}

// ClearSubnet sets the error counters, the traffic counters or both of a port of the subnet to 0.
func (l *Lab) ClearSubnet(at infiniband.Place, errors, traffic bool) {
	l.site.Clear(l.counters, at, errors, traffic)
}

// cross reduces the demand of a stream to the part that the links of the subnet let pass; full is the level of its flow.
func (l *Lab) cross(f *flowPlan, s *stream, a *amount, full float64) {
	wanted := a.Want
	if !s.ack { // acknowledgements follow the data
		wanted = s.perStep * full
		a.Want = min(a.Want, wanted*l.site.Share(f.crossing, int(s.direction)))
	}
	l.site.Want(f.crossing, int(s.direction), wanted*s.wire)
}
