package driver

import (
	"fmt"
	"slices"

	"cxdeck/device"
	"cxdeck/driver/hyperv"
	"cxdeck/driver/registry"
)

// What a virtual function takes of the host's memory, in pages of 4 KB: at all, and for each queue pair. The manuals
// give neither. The driver in its machine asks for them, so that one that nobody has takes none.
const (
	functionPages  = 1024
	queuePairPages = 128
)

// logPairsOfFunction is the logarithm of the queue pairs that a card sets aside for a virtual function: the lab's
// assumption.
const logPairsOfFunction = 10

// MostPageLimit bounds MaxFWPagesUsagePerVF in pages of 4 KB: a larger one that is stored counts as this one (IOV-15).
// The manual gives no bound.
const MostPageLimit = 1 << 30

const keptChanges = 8 // of the path of an adapter

// pages is what the virtual function of an adapter takes.
func (a *VMAdapterRecord) pages(granted int) int { return functionPages + queuePairPages*granted }

// settleVirtual gives adapters of virtual machines their virtual functions, queues and ways after something changed,
// and tells the lab. An adapter that asks for the first time gets an answer, and no other loses or gets one because of
// it: so each change can be taken back. Those that are named wait, without being answered anew.
func (h *Host) settleVirtual(waiting ...AdapterName) {
	if len(h.virtual.VMs) == 0 && len(h.virtual.Host) == 0 {
		h.tellGuests()
		return
	}
	h.virtually(func(v *virtualization) {
		for _, name := range waiting {
			if a, err := v.adapter(name); err == nil {
				a.Wanted = true
			}
		}
		h.connectAdapters(v)
		h.assignFunctions(v)
		h.assignQueues(v)
		v.each(func(_ AdapterName, m *vm, a *vmAdapter) { h.findPath(v, m, a) })
	})
	h.tellGuests()
}

// portOf is the port that a switch leads to: the first of a team.
func (h *Host) portOf(v *virtualization, name string) (port, at int) {
	i, err := v.sw(name)
	if err != nil {
		return -1, -1
	}
	s := &v.Switches[i]
	if s.Connection != "" {
		if port, err := h.port(s.Connection); err == nil {
			return port, i
		}
		return -1, i
	}
	if t, err := h.team(s.Team); err == nil && len(h.teams[t].machine.Members) > 0 {
		return h.teams[t].machine.Members[0].Key, i
	}
	return -1, i
}

// connectAdapters finds the port of each adapter, and a place among its guests.
func (h *Host) connectAdapters(v *virtualization) {
	taken := make([][device.GuestSlots]bool, len(v.Ports))
	var fresh []*vmAdapter
	v.each(func(_ AdapterName, m *vm, a *vmAdapter) {
		port, _ := h.portOf(v, a.Switch)
		if m == nil { // the host's own traffic is not that of virtual machines
			a.Port, a.Slot = port, -1
			return
		}
		switch {
		case port < 0:
			a.Port, a.Slot = -1, -1
		case port == a.Port && a.Slot >= 0 && !taken[port][a.Slot]:
			taken[port][a.Slot] = true
		default:
			a.Port, a.Slot = port, -1
			fresh = append(fresh, a)
		}
	})
	for _, a := range fresh {
		if slot := slices.Index(taken[a.Port][:], false); slot >= 0 {
			taken[a.Port][slot], a.Slot = true, slot
			h.lab.ResetGuest(a.Port, slot)
		}
	}
}

// wants says why an adapter has no virtual function; asks is false when it does not want one.
func (h *Host) wants(v *virtualization, m *vm, a *vmAdapter) (asks bool, why string) {
	if m == nil || a.IovWeight == 0 {
		return false, ""
	}
	if m.State != VMRunning && m.State != VMPaused {
		return false, ""
	}
	_, at := h.portOf(v, a.Switch)
	switch {
	case a.Quarantine != "":
		return false, "it is in quarantine: " + a.Quarantine
	case at < 0:
		return false, "it is connected to no switch"
	case v.Switches[at].Team != "":
		return false, "its switch is on a team, whose ports give no virtual functions away"
	case !v.Switches[at].IOV:
		return false, "its switch was made without SR-IOV; make it anew with it"
	case a.Port < 0 || a.Slot < 0:
		return false, "its switch leads to no port that has room for it"
	case h.miniports[a.Port].state != Running:
		return false, "the driver of " + h.connection(a.Port) + " does not run"
	case h.lab.VirtualFunctions(a.Port) == 0:
		return false, h.connection(a.Port) + " has no virtual functions now"
	case m.GuestDriver == "":
		return false, "the machine has no driver for it; install the one of the host's package there"
	}
	return true, ""
}

// assignFunctions takes virtual functions from adapters that can't have them any more, and answers those that ask.
func (h *Host) assignFunctions(v *virtualization) {
	taken := make([][device.MostFunctions]bool, len(v.Ports))
	attached := make([]int, len(v.Cards))
	var asking []*vmAdapter
	v.each(func(_ AdapterName, m *vm, a *vmAdapter) {
		asks, why := h.wants(v, m, a)
		if !asks || a.Function >= h.lab.VirtualFunctions(a.Port) {
			a.Function = device.NoFunction
		}
		if !asks {
			a.Wanted, a.Why = false, why
			return
		}
		if a.Function != device.NoFunction {
			taken[a.Port][a.Function] = true
			attached[h.cardOf(a.Port)]++
		} else if !a.Wanted {
			asking = append(asking, a)
		}
	})
	give := func(a *vmAdapter, function int) {
		a.Wanted, a.Why = true, h.refuses(a, function, attached[h.cardOf(a.Port)])
		if a.Why != "" {
			return
		}
		if a.Claim != function+1 { // its counters are those of another machine
			h.lab.ResetFunction(a.Port, function)
		}
		a.Function, a.Claim = function, function+1
		taken[a.Port][function] = true
		attached[h.cardOf(a.Port)]++
	}
	for _, a := range asking { // what one had before is not given to another who asks in the same moment
		if f := a.Claim - 1; f >= 0 && f < h.lab.VirtualFunctions(a.Port) && !taken[a.Port][f] {
			give(a, f)
		}
	}
	for _, a := range asking {
		if a.Wanted {
			continue
		}
		open := h.lab.VirtualFunctions(a.Port)
		free := slices.Index(taken[a.Port][:open], false)
		if free < 0 {
			a.Wanted = true
			continue
		}
		give(a, free)
	}
	v.each(func(_ AdapterName, _ *vm, a *vmAdapter) {
		switch {
		case a.Function != device.NoFunction:
			a.Why, a.Waits = "", false
		case a.Wanted: // as things are now: others may have come and gone since it asked
			open := h.lab.VirtualFunctions(a.Port)
			if !slices.Contains(taken[a.Port][:open], false) {
				a.Why = h.allTaken(a.Port, open)
			} else if _, a.Why = h.refusal(a, attached[h.cardOf(a.Port)]); a.Why == "" {
				a.Why = "a virtual function is free now; it asks again when its machine is stopped and started"
			}
		}
	})
}

func (h *Host) allTaken(port, open int) string {
	return fmt.Sprintf("all %d virtual functions of %s are taken", open, h.connection(port))
}

func (h *Host) cardOf(port int) int {
	_, card, _ := h.lab.Port(port)
	return card
}

// refuses says why a card can't give an adapter a virtual function, counts that and writes it to the log (IOV-15); empty
// when it can.
func (h *Host) refuses(a *vmAdapter, function, attached int) string {
	event, why := h.refusal(a, attached)
	if event != "" {
		h.note(h.lab.Elapsed(), a.Port, event)
	}
	if event == pageLimitEvent {
		h.lab.RefuseFunction(a.Port, function)
	}
	return why
}

const pageLimitEvent = "mlx5.vf-page-limit"

// refusal is why a card can't give an adapter a virtual function, with the event that says so; both are empty when it
// can.
func (h *Host) refusal(a *vmAdapter, attached int) (event, why string) {
	if h.family(a.Port) == device.WinOF2 {
		limit, pages := h.pageLimit(a.Port), a.pages(h.grantedPairs(a.Port, a.IovQueuePairs))
		if limit > 0 && pages > limit {
			return pageLimitEvent, fmt.Sprintf("it takes %d pages of memory, and MaxFWPagesUsagePerVF allows %d", pages, limit)
		}
		return "", ""
	}
	if n, ok := h.number(a.Port, "LogNumQP", registry.BusDriver); ok && n < 31 && attached+1 > 1<<n>>logPairsOfFunction {
		return "mlx4.vf-load-no-resources", "the card has too few queue pairs for another one; raise LogNumQP"
	}
	return "", ""
}

// pageLimit is MaxFWPagesUsagePerVF as it is stored, 0 for none: it counts for the next function that is given.
func (h *Host) pageLimit(port int) int {
	r, ok := h.catalogue(port).Find("MaxFWPagesUsagePerVF", registry.Miniport)
	if !ok {
		return 0
	}
	if v := h.hive.Of(h.place(port, r.Scope), r); v.Type() == registry.Number {
		return int(min(v.Number(), MostPageLimit))
	}
	return 0
}

// grantedPairs is how many queue pairs an adapter that asks for so many gets (VIRT-3).
func (h *Host) grantedPairs(port, asked int) int { return max(1, min(asked, h.lab.Rings(port))) }

// assignQueues gives the adapters on the synthetic way their receive queues (VIRT-1 to VIRT-3).
func (h *Host) assignQueues(v *virtualization) {
	at := make([][]*vmAdapter, len(v.Ports))
	v.each(func(_ AdapterName, m *vm, a *vmAdapter) {
		a.Rings, a.Default = nil, false
		if m != nil && a.Port >= 0 && a.Slot >= 0 && a.Function == device.NoFunction && m.State == VMRunning {
			at[a.Port] = append(at[a.Port], a)
		}
	})
	for port, list := range at {
		if len(list) == 0 {
			continue
		}
		rings := h.lab.Rings(port)
		p := hyperv.Port{Rings: rings, PerAdapter: 1}
		if n, ok := h.number(port, "*RssOnHostVPorts", registry.Miniport); !ok || n != 0 {
			p.PerAdapter = rings
		}
		p.Most = 127
		if n, ok := h.number(port, "MaxNumVmqs", registry.Miniport); ok {
			p.Most = int(n)
		}
		requests := make([]hyperv.Request, len(list))
		for i, a := range list {
			_, s := h.portOf(v, a.Switch)
			requests[i] = hyperv.Request{Queue: a.VmqWeight > 0 && (v.Switches[s].IOV || h.offersVMQ(port)), Pairs: 1}
			if a.VmmqEnabled {
				requests[i].Pairs = max(1, a.VmmqQueuePairs)
			}
		}
		for i, q := range p.Queues(requests) {
			list[i].Rings, list[i].Default = q.Rings, q.Default
		}
	}
}

// offersVMQ says whether a port offers queues for virtual machines instead of RSS (VIRT-1).
func (h *Host) offersVMQ(port int) bool { return h.lab.Settings(port).MachineQueues }

// blocked says whether the filter platform of its switch holds the port of an adapter (VIRT-4).
func (v *virtualization) blocked(a *vmAdapter) bool {
	i, err := v.sw(a.Switch)
	return err == nil && v.Switches[i].Extension == ExtensionVFP && !a.Released
}

// findPath is the way of an adapter's traffic now, which is kept when it changed.
func (h *Host) findPath(v *virtualization, m *vm, a *vmAdapter) {
	path, why := PathSynthetic, a.Why
	switch {
	case m != nil && m.State != VMRunning:
		path, why = NoPath, "the machine is "+map[VMState]string{VMPaused: "paused", VMSaved: "saved"}[m.State]
		if m.State == VMOff {
			why = "the machine is off"
		}
	case a.Quarantine != "":
		path, why = NoPath, "it is in quarantine: "+a.Quarantine
	case a.Port < 0:
		path, why = NoPath, "it is connected to no switch that leads to a port"
	case m != nil && a.Slot < 0:
		path, why = NoPath, fmt.Sprintf("%s serves %d adapters already", h.connection(a.Port), device.GuestSlots)
	case m != nil && v.blocked(a):
		path, why = NoPath, "the filter platform of its switch holds its port; vfpctrl lets it go"
	case h.miniports[a.Port].state != Running:
		path, why = NoPath, "the driver of "+h.connection(a.Port)+" does not run"
	case a.Function != device.NoFunction && h.lab.State(a.Port).Up:
		path = PathVF
	case a.Function != device.NoFunction:
		why = "the link is down"
	}
	if path == NoPath {
		a.Why = why
	}
	if a.Path == path {
		return
	}
	if m != nil {
		a.History = append(slices.Clone(a.History), VFChange{h.Now(), path, why})
		a.History = a.History[max(0, len(a.History)-keptChanges):]
	}
	a.Path = path
}

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

// moves says whether an adapter can move traffic, whatever the link is.
func moves(m *vm, a *vmAdapter, v *virtualization) bool {
	return m.State == VMRunning && a.Quarantine == "" && !v.blocked(a)
}

// held says whether the filter platform holds the port of an adapter with a virtual function (VIRT-4): the virtual port
// of that is down.
func held(m *vm, a *vmAdapter, v *virtualization) bool {
	return m.State == VMRunning && a.Quarantine == "" && v.blocked(a) && a.Function != device.NoFunction
}

// forgetChanges begins the histories of adapters: how they were set up is none.
func (h *Host) forgetChanges() {
	h.virtually(func(v *virtualization) { v.each(func(_ AdapterName, _ *vm, a *vmAdapter) { a.History = nil }) })
}
