package virtualization

import (
	"fmt"
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/setup"
)

// KeptChanges is the number of path changes that an adapter keeps.
const KeptChanges = 8

// Reallocate assigns virtual functions, queues and paths to all adapters after a change. An adapter with a new request gets an
// answer without affecting the functions of others, so that each change can be undone. Adapters in before get their previous
// answer.
func (v Hypervisor) Reallocate(before ...Answers) { v.reallocate(scope{all: true}, before...) }

// changeMachine changes a virtual machine, and reallocates the adapters of all cards that it used before or uses now; other
// cards do not depend on it. Without a name the host itself changes, and everything is reallocated.
func (v Hypervisor) changeMachine(name string, before Answers, change func()) {
	if name == "" {
		change()
		v.Reallocate(before)
		return
	}
	s := scope{machine: name, cards: make([]bool, len(v.Cards))}
	v.addCards(&s)
	change()
	v.addCards(&s)
	v.reallocate(s, before)
}

// scope is the range of a change: a machine, and all adapters of cards. Cards share nothing with each other.
type scope struct {
	all     bool
	machine string
	cards   []bool
}

// addCards adds the cards to a scope that its machine uses now, and the cards of its switches.
func (v Hypervisor) addCards(s *scope) {
	i, err := v.FindMachine(s.machine)
	if err != nil {
		return
	}
	m := &v.VMs[i]
	for j := range m.Adapters {
		next, _ := v.PortOf(m.Adapters[j].Switch)
		for _, port := range [...]int{m.Adapters[j].Port, next} {
			if port >= 0 {
				s.cards[v.cardOf(port)] = true
			}
		}
	}
}

// scopedAdapter is an adapter in a scope, with its machine (nil for the host), and the port and the index of its switch, or -1.
type scopedAdapter struct {
	machine  *Machine
	adapter  *Adapter
	port, at int
}

func (v Hypervisor) adaptersInScope(s scope) (list []scopedAdapter) {
	var ports []bool
	if !s.all {
		ports = make([]bool, len(v.Ports))
		for port := range ports {
			ports[port] = s.cards[v.cardOf(port)]
		}
		if i, err := v.FindMachine(s.machine); err == nil {
			s.machine = v.VMs[i].Name
		}
	}
	name, port, at := "", -1, -1
	v.Each(func(_ AdapterName, m *Machine, a *Adapter) {
		if !s.all && (m == nil || m.Name != s.machine) && (a.Port < 0 || !ports[a.Port]) {
			return
		}
		if name != a.Switch { // consecutive adapters are often at the same switch
			name = a.Switch
			port, at = v.PortOf(name)
		}
		list = append(list, scopedAdapter{m, a, port, at})
	})
	return list
}

func (v Hypervisor) reallocate(s scope, before ...Answers) {
	list, had := v.adaptersInScope(s), map[*Adapter]int{}
	v.connectAdapters(list)
	for _, answers := range before {
		answers.restoreFunctions(v.State, had)
	}
	v.assignFunctions(list, had)
	v.assignQueues(list)
	for i := range list {
		v.updatePath(list[i].machine, list[i].adapter)
	}
}

// connectAdapters finds the port of each adapter, and a slot among the port's guests.
func (v Hypervisor) connectAdapters(list []scopedAdapter) {
	taken := make([]*[counter.GuestSlots]bool, len(v.Ports))
	var unplaced []*Adapter
	for _, scoped := range list {
		a, port := scoped.adapter, scoped.port
		if port >= 0 && taken[port] == nil {
			taken[port] = new([counter.GuestSlots]bool)
		}
		switch {
		case scoped.machine == nil: // the host's own traffic is not a guest's
			a.Port, a.Slot = port, -1
		case port < 0:
			a.Port, a.Slot = -1, -1
		case port == a.Port && a.Slot >= 0 && !taken[port][a.Slot]:
			taken[port][a.Slot] = true
		default:
			if a.Port >= 0 && a.Port != port { // its function belongs to the other port
				a.Function, a.Requested, a.Claim = setup.NoFunction, false, 0
			}
			a.Port, a.Slot = port, -1
			unplaced = append(unplaced, a)
		}
	}
	for _, a := range unplaced {
		if slot := slices.Index(taken[a.Port][:], false); slot >= 0 {
			taken[a.Port][slot], a.Slot = true, slot
			v.Lab().ResetGuest(a.Port, slot)
		}
	}
}

// updatePath finds the path of an adapter's traffic, and records a change in the adapter's history.
func (v Hypervisor) updatePath(m *Machine, a *Adapter) {
	path, why := PathSynthetic, a.Why
	switch {
	case m != nil && m.State != VMRunning:
		path, why = NoPath, "the machine is "+map[VMState]string{VMOff: "off", VMPaused: "paused", VMSaved: "saved"}[m.State]
	case a.Quarantine != "":
		path, why = NoPath, "it is in quarantine: "+a.Quarantine
	case a.Port < 0:
		path, why = NoPath, "it is not connected to a switch on a port"
	case m != nil && a.Slot < 0:
		path, why = NoPath, fmt.Sprintf("%s serves %d adapters already", v.connection(a.Port), counter.GuestSlots)
	case m != nil && v.blocked(a):
		path, why = NoPath, "the filter platform of its switch blocks its port; vfpctrl removes it"
	case !v.Running(a.Port):
		path, why = NoPath, v.notRunningReason(a.Port)
	case a.Function != setup.NoFunction && v.Lab().State(a.Port).Up:
		path = PathVF
		if v.disallowed(a) {
			a.Why = "the Ethertypes that its function may send lack IPv4 or ARP"
		}
	case a.Function != setup.NoFunction:
		why = "the link is down"
	}
	if path == NoPath {
		a.Why = why
	}
	if a.Path == path {
		return
	}
	if m != nil {
		a.addChange(VFChange{v.Lab().Now(), path, why})
	}
	a.Path = path
}

// addChange records a change of the adapter's path; histories are shared between hosts and never changed in place.
func (a *Adapter) addChange(c VFChange) {
	a.History = append(slices.Clone(a.History), c)
	a.History = a.History[max(0, len(a.History)-KeptChanges):]
}
