package lossless

import (
	"slices"

	"cxdeck/device/description"
)

// hostExchange says what the adapter does by DCBX, for a table.
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

// switchExchange says the same of the switch port.
func (e *Ends) switchExchange() string {
	switch {
	case e.Switch.DCBX == description.NoDCBX:
		return "off"
	case e.Switch.DCBX == description.CEE:
		return "CEE, which adapters don't read"
	case e.windows().DCBX.NeighbourAccepts:
		return "uses the adapter's settings"
	case e.Switch.Willing:
		return "willing"
	}
	return "not willing"
}

// application returns the application priorities of the switch port with another priority for a port; sent is false where the
// host does not have the priority of the port from there.
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
