package driver

import (
	"slices"

	"cxdeck/device"
	"cxdeck/driver/hyperv"
)

// tellGuests tells the lab which virtual machines move traffic through each port. A port without a switch keeps its
// flows of virtual machines as they are described. Within a plan, in which no time passes, it waits for the end: a plan may
// change each of hundreds of machines, and to share the traffic out costs as much for one as for all.
func (h *Host) tellGuests() {
	if h.planning {
		h.untold = true
		return
	}
	v := h.virtual
	lists := make([][]device.Guest, len(v.Ports))
	shares := make([]struct {
		named float64
		count int
		plain int
	}, len(v.Ports))
	v.each(func(_ AdapterName, m *vm, a *vmAdapter) {
		if m == nil || a.Port < 0 || a.Slot < 0 {
			return
		}
		if a.Share > 0 {
			shares[a.Port].named += a.Share
			shares[a.Port].count++
		} else if moves(m, a, v) {
			shares[a.Port].plain++
		}
	})
	bound := make([]bool, len(v.Ports))
	for i := range v.Switches {
		port, _ := h.portOf(v, v.Switches[i].Name)
		if port >= 0 && lists[port] == nil {
			lists[port] = []device.Guest{}
		}
		if port >= 0 && v.Switches[i].Team == "" { // the members of a team keep their queues for themselves
			bound[port] = true
		}
	}
	overlays := h.newOverlays(v)
	v.each(func(_ AdapterName, m *vm, a *vmAdapter) {
		if m == nil || a.Port < 0 || a.Slot < 0 || !moves(m, a, v) && !held(m, a, v) {
			return
		}
		overlay, _ := overlays.of(m, a)
		share, s := a.Share, &shares[a.Port]
		switch {
		case held(m, a, v):
			share = 0
		case h.lab.GuestsBring(a.Port): // those that the lab made up have their part of what is described: nothing
			if share = 1; a.Share > 0 {
				share = 0
			}
		case share > 0:
		case s.count > 0:
			share = s.named / float64(s.count)
		default:
			share = 1 / float64(s.plain)
		}
		rings := a.Rings
		if len(rings) == 0 {
			rings = []int{0}
		}
		lists[a.Port] = append(lists[a.Port], device.Guest{
			Slot: a.Slot, Function: a.Function, Share: share, Rings: rings, Default: a.Default,
			Redirected: h.redirects(m, a), Held: held(m, a, v), Overlay: overlay,
		})
	})
	changed := map[int][]device.Guest{}
	for port, list := range lists {
		now := h.lab.Guests(port)
		if list == nil && now != nil { // its machines went with its switch
			list = []device.Guest{}
		}
		if (list == nil) == (now == nil) && slices.EqualFunc(list, now, sameGuest) {
			continue
		}
		changed[port] = list
	}
	h.lab.SetVirtualPorts(bound)
	if len(changed) > 0 {
		h.must(h.lab.SetGuestsOf(changed))
	}
	h.tellPages()
}

// tellPages tells the lab how much memory each virtual function has: that of one which nobody has went with its machine.
func (h *Host) tellPages() {
	pages := make([][device.MostFunctions]int, len(h.virtual.Ports))
	h.virtual.each(func(_ AdapterName, _ *vm, a *vmAdapter) {
		if a.Function != device.NoFunction {
			pages[a.Port][a.Function] = a.pages(h.grantedPairs(a.Port, a.IovQueuePairs))
		}
	})
	for port := range pages {
		for function, n := range pages[port] {
			h.lab.SetFunctionPages(port, function, uint64(n))
		}
	}
}

func sameGuest(a, b device.Guest) bool {
	return a.Slot == b.Slot && a.Function == b.Function && a.Share == b.Share && a.Redirected == b.Redirected &&
		a.Overlay == b.Overlay && a.Default == b.Default && a.Held == b.Held && slices.Equal(a.Rings, b.Rings)
}

// redirects says whether the DHCP of an adapter goes to the physical function (IOV-13), while that takes what is not its
// own.
func (h *Host) redirects(m *vm, a *vmAdapter) bool {
	const connectX4, connectX4Lx = 0x1013, 0x1015
	const server, client = 67, 68
	id := h.lab.Description().Adapters[h.cardOf(a.Port)].DeviceID
	r := hyperv.Redirect{
		On: h.is(a.Port, "RedirectVfDHCPToPF", 1), Promiscuous: h.virtual.Ports[a.Port].Promiscuous,
		OldCard: id == connectX4 || id == connectX4Lx, GuestDriver: m.GuestDriver,
	}
	return a.Function != device.NoFunction && r.ToPhysical(true, client, server)
}

// barred says whether the card stops what the virtual function of an adapter needs to reach anyone (IOV-9).
func (h *Host) barred(a *vmAdapter) bool {
	d, _, _ := h.lab.Port(a.Port)
	bars := h.lab.Settings(a.Port).Bars
	return d.Link == device.Ethernet && (bars.Has(device.IPv4Frame) || bars.Has(device.ARPFrame))
}

// moves says whether an adapter can move traffic, whatever the link is.
func moves(m *vm, a *vmAdapter, v *virtualization) bool {
	return m.State == VMRunning && a.Quarantine == "" && !v.blocked(a)
}

// held says whether the filter platform holds the port of an adapter with a virtual function (VIRT-4): the virtual port
// of that is down.
func held(m *vm, a *vmAdapter, v *virtualization) bool {
	return m.State == VMRunning && a.Quarantine == "" && v.blocked(a) && a.Function != device.NoFunction
}
