package driver

import (
	"cxdeck/device/description"
	"cxdeck/driver/mux"
)

// Teams are all teams as they are now: what a View has of them, without the rest of it.
func (h *Host) Teams() []TeamView {
	list := make([]TeamView, len(h.teams))
	for i := range h.teams {
		list[i] = h.viewTeam(&h.teams[i])
	}
	return list
}

// VLANsOf are the VLANs of a port itself as they are now, by the number that device.Lab knows the port by.
func (h *Host) VLANsOf(port int) (list []VLANView) {
	d, _, _ := h.lab.Port(port)
	for _, w := range h.vlans[port] {
		list = append(list, h.viewVLAN("", d.Connection, h.family(port), &w))
	}
	return list
}

// TypeRefusal is why no team of ports of a family can be of a type; nil when one can.
func TypeRefusal(t mux.Type, ipoib bool, family description.Family) error {
	return checkType(t, ipoib, family)
}

// FailbackRefusal is why a team of ports of a family can't do without failback; nil when it can.
func FailbackRefusal(family description.Family) error { return checkFailback(false, family) }

// CountRefusal is why a team of a type, of ports of a family, can't have so many members; nil when it can.
func CountRefusal(t mux.Type, family description.Family, members int) error {
	return checkCount(t, family, members)
}
