package setup

import (
	"slices"

	"cxdeck/device/description"
)

// Service says whether a subnet manager of a host serves a port.
type Service uint8

// The states of a port. A port that was served stays active, and a port that comes up again waits for a manager. ServedVirtual is served
// with the ports of virtual functions. Unknown is a port without a GUID, which no manager activates.
const (
	Unserved Service = iota
	Served
	WasServed
	ServedVirtual
	Unknown
)

// Manager returns the state of the subnet manager of a port. It is the one place that decides whether a subnet is managed: by the switch,
// or by a subnet manager of the host.
func (l *Lab) Manager(port int) description.SubnetManager {
	own := l.Switches[port].SubnetManager
	switch {
	case l.service(port) == Unknown:
		return description.SubnetAbsent
	case len(l.Served) == 0 || own == description.SubnetManaged || l.Served[port] == Unserved:
		return own
	case l.Served[port] != WasServed:
		return description.SubnetManaged
	}
	return description.SubnetDown
}

// Serve has a subnet manager other than the switch's serve a port from now on, Served or ServedVirtual, or not any more: Unserved.
func (l *Lab) Serve(port int, to Service) {
	if was := l.service(port); to == Unserved && was != Unserved && was != Unknown {
		to = WasServed
	}
	l.setService(port, to)
}

// ManagesVirtual reports whether the subnet manager of a port manages the ports of virtual functions, too.
func (l *Lab) ManagesVirtual(port int) bool {
	switch l.service(port) {
	case Served, Unknown:
		return false
	case ServedVirtual:
		return true
	case Unserved, WasServed:
	}
	return !l.Switches[port].IgnoresVirtual
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
		if s > Unknown || s != Unserved && links[port] != description.InfiniBand {
			return errLengths
		}
	}
	return nil
}
