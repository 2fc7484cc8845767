package virtualization

import (
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/virtualization/hyperv"
)

// UpdateGuests passes the lab the virtual machines that move traffic through each port, with their shares. A port without a
// switch keeps the described flows of its virtual machines.
func (v Hypervisor) UpdateGuests() {
	lists := make([][]setup.Guest, len(v.Ports))
	shares := make([]struct {
		named float64
		count int
		plain int
	}, len(v.Ports))
	v.Each(func(_ AdapterName, m *Machine, a *Adapter) {
		if m == nil || a.Port < 0 || a.Slot < 0 {
			return
		}
		if a.Share > 0 {
			shares[a.Port].named += a.Share
			shares[a.Port].count++
		} else if v.CarriesTraffic(m, a) {
			shares[a.Port].plain++
		}
	})
	bound := make([]bool, len(v.Ports))
	for i := range v.Switches {
		port, _ := v.PortOf(v.Switches[i].Name)
		if port >= 0 && lists[port] == nil {
			lists[port] = []setup.Guest{}
		}
		if port >= 0 && v.Switches[i].Team == "" { // the members of a team keep their queues for themselves
			bound[port] = true
		}
	}
	overlays := v.newOverlays()
	v.Each(func(_ AdapterName, m *Machine, a *Adapter) {
		if m == nil || a.Port < 0 || a.Slot < 0 || !v.CarriesTraffic(m, a) && !v.isFunctionBlocked(m, a) {
			return
		}
		overlay, _ := overlays.find(m, a)
		share, s := a.Share, &shares[a.Port]
		switch {
		case v.isFunctionBlocked(m, a), a.Function != setup.NoFunction && v.FunctionHangs(a.Port, a.Function):
			share = 0
		case v.Lab().HasGuestTraffic(a.Port): // generated guests have a share of the described flows, of which there are none
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
		lists[a.Port] = append(lists[a.Port], setup.Guest{
			Slot: a.Slot, Function: a.Function, Share: share, Rings: rings, Default: a.Default,
			Redirected: v.redirects(m, a), Held: v.isFunctionBlocked(m, a), Overlay: overlay,
		})
	})
	changed := map[int][]setup.Guest{}
	for port, list := range lists {
		now := v.Lab().Guests(port)
		if list == nil && now != nil { // its machines were removed with its switch
			list = []setup.Guest{}
		}
		if (list == nil) == (now == nil) && slices.EqualFunc(list, now, sameGuest) {
			continue
		}
		changed[port] = list
	}
	v.Lab().SetVirtualPorts(bound)
	if len(changed) > 0 {
		panicOn(v.Lab().SetGuestsOf(changed))
	}
	v.updatePages()
}

// updatePages passes the lab the memory of each virtual function; an unassigned one has none.
func (v Hypervisor) updatePages() {
	pages := make([][counter.MaxFunctions]int, len(v.Ports))
	v.Each(func(_ AdapterName, _ *Machine, a *Adapter) {
		if a.Function != setup.NoFunction {
			pages[a.Port][a.Function] = a.Pages(v.GrantedPairs(a.Port, a.IovQueuePairs))
		}
	})
	for port := range pages {
		for function, n := range pages[port] {
			v.Lab().SetFunctionPages(port, function, uint64(n))
		}
	}
}

func sameGuest(a, b setup.Guest) bool {
	return a.Slot == b.Slot && a.Function == b.Function && a.Share == b.Share && a.Redirected == b.Redirected &&
		a.Overlay == b.Overlay && a.Default == b.Default && a.Held == b.Held && slices.Equal(a.Rings, b.Rings)
}

// redirects reports whether the DHCP packets of an adapter go to the physical function (IOV-13), which must be promiscuous.
func (v Hypervisor) redirects(m *Machine, a *Adapter) bool {
	const connectX4, connectX4Lx = 0x1013, 0x1015
	const server, client = 67, 68
	id := v.card(v.cardOf(a.Port)).DeviceID
	r := hyperv.Redirect{
		On: v.enabled(a.Port, keyRedirect), Promiscuous: v.Ports[a.Port].Promiscuous,
		OldCard: id == connectX4 || id == connectX4Lx, GuestDriver: m.GuestDriver,
	}
	return a.Function != setup.NoFunction && r.ToPhysical(true, client, server)
}

// disallowed reports whether the card drops frames that the virtual function of an adapter needs to reach anyone (IOV-9).
func (v Hypervisor) disallowed(a *Adapter) bool {
	d, _, _ := v.Lab().Port(a.Port)
	bars := v.Lab().Settings(a.Port).Bars
	return d.Link == description.Ethernet && (bars.Has(setup.IPv4Frame) || bars.Has(setup.ARPFrame))
}

// CarriesTraffic reports whether an adapter can move traffic, whatever the link is.
func (v *State) CarriesTraffic(m *Machine, a *Adapter) bool {
	return m.State == VMRunning && a.Quarantine == "" && !v.blocked(a)
}

// isFunctionBlocked reports whether the filter platform blocks the port of an adapter with a virtual function (VIRT-4), whose
// virtual port is then down.
func (v *State) isFunctionBlocked(m *Machine, a *Adapter) bool {
	return m.State == VMRunning && a.Quarantine == "" && v.blocked(a) && a.Function != setup.NoFunction
}
