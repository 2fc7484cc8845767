package setup

import (
	"slices"

	"cxdeck/device/description"
)

// Service says whether a subnet manager of the host serves a port.
type Service uint8

// The states of a port. A port that was served stays active, and a port that comes up again waits for a manager.
const (
	Unserved Service = iota
	Served
	WasServed
)

// Manager returns the state of the subnet manager of a port. It is the one place that decides whether a subnet is managed: by the switch,
// or by a subnet manager of the host.
func (l *Lab) Manager(port int) description.SubnetManager {
	own := l.Switches[port].SubnetManager
	switch {
	case len(l.Served) == 0 || own == description.SubnetManaged || l.Served[port] == Unserved:
		return own
	case l.Served[port] == Served:
		return description.SubnetManaged
	}
	return description.SubnetDown
}

// Serve has a subnet manager of the host serve a port from now on, or not any more.
func (l *Lab) Serve(port int, on bool) {
	to := l.service(port)
	switch {
	case on:
		to = Served
	case to == Served:
		to = WasServed
	}
	l.setService(port, to)
}

func (l *Lab) service(port int) Service {
	if len(l.Served) == 0 {
		return Unserved
	}
	return l.Served[port]
}

func (l *Lab) setService(port int, to Service) {
	if l.service(port) == to {
		return
	}
	list := make([]Service, len(l.Ports))
	copy(list, l.Served)
	if list[port] = to; !slices.ContainsFunc(list, func(s Service) bool { return s != Unserved }) {
		list = nil // as in a lab in which none ever ran
	}
	l.Served = list
}

// SetSwitch replaces the setup of a switch port. A switch that lost its subnet manager has forgotten what another manager had set up.
func (l *Lab) SetSwitch(port int, s SwitchPort) {
	if len(s.PKeys) == 0 {
		s.PKeys = nil
	}
	if len(s.Classes) == 0 {
		s.Classes = nil
	}
	if len(s.Applications) == 0 {
		s.Applications = nil
	}
	if s.SubnetManager != l.Switches[port].SubnetManager && l.service(port) == WasServed {
		l.setService(port, Unserved)
	}
	l.Switches = slices.Clone(l.Switches)
	l.Switches[port] = s
}

// checkServed rejects a list of another lab.
func (l *Lab) checkServed(links []description.LinkType) error {
	if len(l.Served) != 0 && len(l.Served) != len(l.Ports) {
		return errLengths
	}
	for port, s := range l.Served {
		if s > WasServed || s != Unserved && links[port] != description.InfiniBand {
			return errLengths
		}
	}
	return nil
}
