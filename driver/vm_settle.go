package driver

import (
	"fmt"
	"slices"

	"cxdeck/device"
	"cxdeck/driver/hyperv"
	"cxdeck/driver/limits"
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

// pageLimitKey bounds the memory of a virtual function.
const pageLimitKey = "MaxFWPagesUsagePerVF"

// MostPageLimit bounds MaxFWPagesUsagePerVF in pages of 4 KB: a larger one that is stored counts as this one (IOV-15).
// The manual gives no bound.
const MostPageLimit = 1 << 30

const keptChanges = 8 // of the path of an adapter

// pages is what the virtual function of an adapter takes.
func (a *VMAdapterRecord) pages(granted int) int { return functionPages + queuePairPages*granted }

// settleVirtual gives all adapters of virtual machines their virtual functions, queues and ways after something changed,
// and tells the lab. An adapter that asks for the first time gets an answer, and no other loses or gets one because of
// it: so each change can be taken back. Those that got an answer before get the same.
func (h *Host) settleVirtual(before ...Answers) { h.settleThose(scope{all: true}, before...) }

// changeMachine changes a virtual machine, and settles it with all that share the cards which it led or leads to: what
// becomes of the others does not depend on it. Without a name the host itself is changed, and everything is settled.
func (h *Host) changeMachine(name string, before Answers, change func(v *virtualization)) {
	if name == "" {
		h.virtually(change)
		h.settleVirtual(before)
		return
	}
	s := scope{machine: name, cards: make([]bool, len(h.virtual.Cards))}
	s.add(h)
	h.virtually(change)
	s.add(h)
	h.settleThose(s, before)
}

// scope is what a change can matter to: a machine, and all adapters of cards. Cards share nothing with each other.
type scope struct {
	all     bool
	machine string
	cards   []bool
}

// add puts the cards into a scope that its machine leads to as things are.
func (s *scope) add(h *Host) {
	i, err := h.virtual.vm(s.machine)
	if err != nil {
		return
	}
	m := &h.virtual.VMs[i]
	for j := range m.Adapters {
		next, _ := h.portOf(h.virtual, m.Adapters[j].Switch)
		for _, port := range [...]int{m.Adapters[j].Port, next} {
			if port >= 0 {
				s.cards[h.cardOf(port)] = true
			}
		}
	}
}

// settling is an adapter that is being settled, with the machine that has it (nil for the host), and the port and the
// place of the switch that it is connected to, or -1.
type settling struct {
	machine  *vm
	adapter  *vmAdapter
	port, at int
}

// those are the adapters in a scope.
func (h *Host) those(s scope, v *virtualization) (list []settling) {
	var ports []bool
	if !s.all {
		ports = make([]bool, len(v.Ports))
		for port := range ports {
			ports[port] = s.cards[h.cardOf(port)]
		}
		if i, err := v.vm(s.machine); err == nil {
			s.machine = v.VMs[i].Name
		}
	}
	at, port, known := "", -1, -1
	take := func(m *vm, a *vmAdapter) {
		if !s.all && (m == nil || m.Name != s.machine) && (a.Port < 0 || !ports[a.Port]) {
			return
		}
		if at != a.Switch { // the next one is most often at the same
			at = a.Switch
			port, known = h.portOf(v, at)
		}
		list = append(list, settling{m, a, port, known})
	}
	for i := range v.VMs {
		m := &v.VMs[i]
		for j := range m.Adapters {
			take(m, &m.Adapters[j])
		}
	}
	for i := range v.Host {
		take(nil, &v.Host[i])
	}
	return list
}

func (h *Host) settleThose(s scope, before ...Answers) {
	if len(h.virtual.VMs) == 0 && len(h.virtual.Host) == 0 {
		h.tellGuests()
		return
	}
	h.virtually(func(v *virtualization) {
		list, had := h.those(s, v), map[*vmAdapter]int{}
		h.connectAdapters(len(v.Ports), list)
		for _, answers := range before {
			answers.recall(v, had)
		}
		h.assignFunctions(v, list, had)
		h.assignQueues(v, list)
		for i := range list {
			h.findPath(v, list[i].machine, list[i].adapter)
		}
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
func (h *Host) connectAdapters(ports int, list []settling) {
	taken := make([]*[device.GuestSlots]bool, ports)
	var fresh []*vmAdapter
	for _, one := range list {
		a, port := one.adapter, one.port
		if port >= 0 && taken[port] == nil {
			taken[port] = new([device.GuestSlots]bool)
		}
		switch {
		case one.machine == nil: // the host's own traffic is not that of virtual machines
			a.Port, a.Slot = port, -1
		case port < 0:
			a.Port, a.Slot = -1, -1
		case port == a.Port && a.Slot >= 0 && !taken[port][a.Slot]:
			taken[port][a.Slot] = true
		default:
			if a.Port >= 0 && a.Port != port { // what it had is of the other port
				a.Function, a.Wanted, a.Claim = device.NoFunction, false, 0
			}
			a.Port, a.Slot = port, -1
			fresh = append(fresh, a)
		}
	}
	for _, a := range fresh {
		if slot := slices.Index(taken[a.Port][:], false); slot >= 0 {
			taken[a.Port][slot], a.Slot = true, slot
			h.lab.ResetGuest(a.Port, slot)
		}
	}
}

// noGuestDriver is why a machine has no virtual function that it could have.
const noGuestDriver = "the machine has no driver for it; install the one of the host's package there"

// vendorAdapter is what the device manager of a machine shows for a virtual function, also without a driver for it (seed
// 000, line 801).
const vendorAdapter = "Mellanox Virtual Adapter"

// wants says why an adapter has no virtual function; asks is false when it does not want one.
func (h *Host) wants(v *virtualization, one settling) (asks bool, why string) {
	m, a := one.machine, one.adapter
	if m == nil || a.IovWeight == 0 {
		return false, ""
	}
	if m.State != VMRunning && m.State != VMPaused {
		return false, ""
	}
	switch {
	case a.Quarantine != "":
		return false, "it is in quarantine: " + a.Quarantine
	case one.at < 0:
		return false, "it is connected to no switch"
	case v.Switches[one.at].Team != "":
		return false, "its switch is on a team, whose ports give no virtual functions away"
	case !v.Switches[one.at].IOV:
		return false, "its switch was made without SR-IOV; make it anew with it"
	case a.Port < 0 || a.Slot < 0:
		return false, "its switch leads to no port that has room for it"
	case h.miniports[a.Port].state != Running:
		return false, h.notRunning(a.Port)
	case h.lab.VirtualFunctions(a.Port) == 0:
		return false, h.noFunctions(a.Port)
	case m.GuestDriver == "":
		return false, noGuestDriver
	}
	if why := h.guestLacksSRIOV(a.Port, m); why != "" {
		return false, why
	}
	return true, ""
}

// functionsTaken are the virtual functions of each port that adapters have, and how many those of each card are.
type functionsTaken struct {
	ports []*[device.MostFunctions]bool
	cards []int
}

func (t *functionsTaken) of(port int) []bool {
	if t.ports[port] == nil {
		t.ports[port] = new([device.MostFunctions]bool)
	}
	return t.ports[port][:]
}

// assignFunctions takes virtual functions from adapters that can't have them any more, and answers those that ask. Those
// that had one get it again whatever the limits are now.
func (h *Host) assignFunctions(v *virtualization, list []settling, had map[*vmAdapter]int) {
	taken := functionsTaken{make([]*[device.MostFunctions]bool, len(v.Ports)), make([]int, len(v.Cards))}
	var asking []*vmAdapter
	for _, one := range list {
		a := one.adapter
		asks, why := h.wants(v, one)
		if !asks || a.Function >= h.lab.VirtualFunctions(a.Port) {
			a.Function = device.NoFunction
		}
		if !asks {
			a.Wanted, a.Why = false, why
			continue
		}
		if a.Function != device.NoFunction {
			taken.of(a.Port)[a.Function] = true
			taken.cards[h.cardOf(a.Port)]++
		} else if !a.Wanted {
			asking = append(asking, a)
		}
	}
	take := func(a *vmAdapter, function int) {
		a.Wanted, a.Why, a.Function, a.Claim = true, "", function, function+1
		taken.of(a.Port)[function] = true
		taken.cards[h.cardOf(a.Port)]++
	}
	free := func(a *vmAdapter, function int) bool {
		return function >= 0 && function < h.lab.VirtualFunctions(a.Port) && !taken.of(a.Port)[function]
	}
	for _, a := range asking {
		if f, ok := had[a]; ok && free(a, f) {
			take(a, f)
		}
	}
	give := func(a *vmAdapter, function int) {
		a.Wanted, a.Why = true, h.refuses(a, function, taken.cards[h.cardOf(a.Port)])
		if a.Why != "" {
			return
		}
		if a.Claim != function+1 { // its counters are those of another machine
			h.lab.ResetFunction(a.Port, function)
		}
		take(a, function)
	}
	for _, a := range asking { // what one had before is not given to another who asks in the same moment
		if f := a.Claim - 1; !a.Wanted && free(a, f) {
			give(a, f)
		}
	}
	for _, a := range asking {
		if a.Wanted {
			continue
		}
		open := h.lab.VirtualFunctions(a.Port)
		free := slices.Index(taken.of(a.Port)[:open], false)
		if free < 0 {
			a.Wanted = true
			continue
		}
		give(a, free)
	}
	for _, one := range list {
		switch a := one.adapter; {
		case a.Function != device.NoFunction:
			a.Why = ""
		case a.Wanted: // as things are now: others may have come and gone since it asked
			open := h.lab.VirtualFunctions(a.Port)
			if !slices.Contains(taken.of(a.Port)[:open], false) {
				a.Why = h.allTaken(a.Port, open)
			} else if _, a.Why = h.refusal(a, taken.cards[h.cardOf(a.Port)]); a.Why == "" {
				a.Why = "a virtual function is free now; it asks again when its machine is stopped and started"
			}
		}
	}
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
	r, ok := h.catalogue(port).Find(pageLimitKey, registry.Miniport)
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
func (h *Host) assignQueues(v *virtualization, adapters []settling) {
	at := make([][]settling, len(v.Ports))
	for _, one := range adapters {
		a, m := one.adapter, one.machine
		a.Rings, a.Default = nil, false
		if m != nil && a.Port >= 0 && a.Slot >= 0 && a.Function == device.NoFunction && m.State == VMRunning {
			at[a.Port] = append(at[a.Port], one)
		}
	}
	for port, list := range at {
		if len(list) == 0 {
			continue
		}
		rings := h.lab.Rings(port)
		p := hyperv.Port{Rings: rings, PerAdapter: 1}
		if n, ok := h.number(port, "*RssOnHostVPorts", registry.Miniport); !ok || n != 0 {
			p.PerAdapter = rings
		}
		multiple := h.lacks(port, limits.VMMQ) == ""
		if !multiple {
			p.PerAdapter = 1
		}
		p.Most = 127
		if n, ok := h.number(port, "MaxNumVmqs", registry.Miniport); ok {
			p.Most = int(n)
		}
		requests := make([]hyperv.Request, len(list))
		offers := h.offersVMQ(port)
		for i, one := range list {
			a := one.adapter
			requests[i] = hyperv.Request{Queue: a.VmqWeight > 0 && (v.Switches[one.at].IOV || offers), Pairs: 1}
			if a.VmmqEnabled && multiple {
				requests[i].Pairs = max(1, a.VmmqQueuePairs)
			}
		}
		for i, q := range p.Queues(requests) {
			list[i].adapter.Rings, list[i].adapter.Default = q.Rings, q.Default
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
		path, why = NoPath, h.notRunning(a.Port)
	case a.Function != device.NoFunction && h.lab.State(a.Port).Up:
		path = PathVF
		if h.barred(a) {
			a.Why = "the Ethertypes that its function may send lack IPv4 or ARP"
		}
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

// forgetChanges begins the histories of adapters: how they were set up is none.
func (h *Host) forgetChanges() {
	h.virtually(func(v *virtualization) { v.each(func(_ AdapterName, _ *vm, a *vmAdapter) { a.History = nil }) })
}
