package device

import (
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// Exchange returns the result of DCBX between a port and its switch port.
func (l *Lab) Exchange(port int) setup.Exchange {
	return setup.NewExchange(&l.setup.Ports[port], &l.setup.Switches[port], l.Address(port), l.SwitchAddress(port))
}

// Operational returns the settings that a port and its switch port use: the configured settings, unless DCBX replaces them.
func (l *Lab) Operational(port int) (setup.Port, setup.SwitchPort) {
	return l.Exchange(port).Negotiate(l.setup.Ports[port], l.setup.Switches[port])
}

// SwitchAddress returns the LLDP address of a port's switch port.
func (l *Lab) SwitchAddress(port int) description.MAC {
	return setup.SwitchAddress(&l.plant.ports[port].description.Switch, port)
}
