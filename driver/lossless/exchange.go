package lossless

import (
	"slices"

	"cxdeck/device/description"
)

// hostExchange returns the DCBX state of the adapter for a table.
func (e *Ends) hostExchange() string {
	d := &e.windows().DCBX
	switch {
	case !d.Supported:
		return "not supported"
	case !d.Ready:
		return "off"
	case d.HostAccepts:
		return "uses " + e.SwitchName + "'s settings"
	case d.Willing:
		return "willing"
	}
	return "not willing"
}

// switchExchange returns the DCBX state of the switch port for a table.
func (e *Ends) switchExchange() string {
	switch {
	case e.Switch.DCBX == description.NoDCBX:
		return "off"
	case e.Switch.DCBX == description.CEE:
		return "CEE, which adapters don't support"
	case e.windows().DCBX.NeighbourAccepts:
		return "uses the adapter's settings"
	case e.Switch.Willing:
		return "willing"
	}
	return "not willing"
}

// application returns the application priorities of the switch port with the priority of a port changed; sent is false if the
// switch port does not set the priority of that port on the host.
func (e *Ends) application(port, priority int) (rows []description.SwitchApplication, sent bool) {
	if !e.windows().DCBX.HostAccepts {
		return nil, false
	}
	at := slices.IndexFunc(e.Switch.Applications, func(a description.SwitchApplication) bool { return a.Port == port })
	if at < 0 {
		return nil, false
	}
	rows = slices.Clone(e.Switch.Applications)
	rows[at].Priority = priority
	return rows, true
}
