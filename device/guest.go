package device

import (
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/functions"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
)

// Guests returns the virtual machines of a port; nil when SetGuests was never called, so that the described virtual functions
// share the traffic. The list must not be changed.
func (l *Lab) Guests(port int) []setup.Guest { return l.setup.Guests[port] }

// SetGuests sets the virtual machines that use a port from now on. Existing counters stay with the guests, by their slots, and
// with the virtual functions.
func (l *Lab) SetGuests(port int, guests []setup.Guest) error {
	return l.SetGuestsOf(map[int][]setup.Guest{port: guests})
}

// SetGuestsOf is SetGuests for several ports at once.
func (l *Lab) SetGuestsOf(ports map[int][]setup.Guest) error {
	for port, guests := range ports {
		if _, err := l.link(port); err != nil {
			return err
		}
		if err := setup.CheckGuests(guests); err != nil {
			return err
		}
	}
	l.setup.Guests = slices.Clone(l.setup.Guests)
	for port, guests := range ports {
		l.rebaseShares(port)
		l.closeVirtualPorts(port, functions.NoSlot)
		l.setup.Guests[port] = append([]setup.Guest{}, guests...)
		l.leaseGuests(port)
	}
	l.replanRDMA()
	return nil
}

// rebaseShares stores the counters of a port's virtual functions and guests under their current shares; new shares
// apply only to later traffic.
func (l *Lab) rebaseShares(port int) {
	if l.steps == 0 {
		return // nothing to share yet
	}
	l.functionPorts().Fill(port)
	l.functionPorts().StoreBase(port)
}

// ResetGuest sets the counters of a guest to 0.
func (l *Lab) ResetGuest(port, slot int) {
	if l.steps == 0 {
		return // nothing has moved yet
	}
	l.functionPorts().Fill(port)
	clear(l.counters[l.GuestCell(port, slot, 0):][:counter.GuestCount])
	l.functionPorts().StoreBase(port)
	l.closeVirtualPorts(port, slot)
}

// ResetFunction resets the counters of a virtual function to 0. Its memory pages stay.
func (l *Lab) ResetFunction(port, function int) {
	if l.steps == 0 {
		return // nothing has moved yet
	}
	l.functionPorts().Fill(port)
	clear(l.counters[l.FunctionCell(port, function, 0):l.FunctionCell(port, function, counter.FunctionPages)])
	l.functionPorts().StoreBase(port)
}

// SetFunctionPages sets the number of pages of host memory, of 4 KB each, that a virtual function uses.
func (l *Lab) SetFunctionPages(port, function int, pages uint64) {
	l.counters[l.FunctionCell(port, function, counter.FunctionPages)] = pages
}

// RefuseFunction counts a command of a virtual function that failed because it exceeded its quota.
func (l *Lab) RefuseFunction(port, function int) {
	l.counters[l.FunctionCell(port, function, counter.FunctionQuotaCommands)]++
}

// RingProcessor returns the logical processor that serves a ring of a port now; ring numbers beyond the last wrap around.
func (l *Lab) RingProcessor(port, ring int) int {
	rings := l.plan.ports[port].rings
	return rings[ring%len(rings)].processor
}

// HasGuestTraffic reports whether each guest of a port has traffic of its own, with a share of 1, because the description has
// none for them to share.
func (l *Lab) HasGuestTraffic(port int) bool {
	for i := range l.plant.flows {
		if site := &l.plant.flows[i]; site.port == port && site.kind == traffic.LoadFlow {
			return true
		}
	}
	return false
}
