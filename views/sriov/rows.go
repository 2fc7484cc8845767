package sriov

import (
	"fmt"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/perf/labstate"
	"cxdeck/views/browse"
)

// row is a line of the table: a port, a virtual machine, a virtual function, or an adapter without a function. It points
// into the state from which it was built, which never changes.
type row struct {
	// id identifies the row across states.
	id string
	// group marks a heading: of a virtual machine if vm is set, else of a port.
	group bool
	// port is nil for an adapter without a port; card is the card of the port.
	port *driver.PortView
	card *driver.AdapterView
	// vf is nil for an adapter without a function; nic is nil for a free function.
	vf  *virtualization.VFView
	nic *virtualization.VMAdapterView
	vm  *virtualization.VMView
	// load is the current traffic, and the load on the firmware.
	load labstate.Load
	// heat is the share of the largest value in the sorted column, 0 to 1.
	heat float64
}

// grouping selects the headings of the table.
type grouping uint8

const (
	byPort grouping = iota
	byVM
	flat
	groupings
)

// text returns the grouping as a word for the operator.
func (g grouping) text() string { return [...]string{"port", "virtual machine", "nothing"}[g] }

// scene is the state of the host, indexed for the screen.
type scene struct {
	host  *driver.View
	ports map[int]*driver.PortView
	order []*driver.PortView          // ports in the order of their cards
	cards map[int]*driver.AdapterView // by port
	nics  map[string]*virtualization.VMAdapterView
	vms   map[string]*virtualization.VMView
	// loads are the newest loads; nil if they are unknown.
	loads *labstate.Loads
}

func newScene(state *labstate.State) *scene {
	s := &scene{
		ports: map[int]*driver.PortView{}, cards: map[int]*driver.AdapterView{},
		nics: map[string]*virtualization.VMAdapterView{},
		vms:  map[string]*virtualization.VMView{},
	}
	if state == nil || state.Host == nil {
		return s
	}
	s.host = state.Host
	if n := len(state.Loads); n > 0 {
		s.loads = state.Loads[n-1]
	}
	for i := range s.host.Adapters {
		a := &s.host.Adapters[i]
		for j := range a.Ports {
			s.order = append(s.order, &a.Ports[j])
			s.ports[a.Ports[j].Port], s.cards[a.Ports[j].Port] = &a.Ports[j], a
		}
	}
	for i := range s.host.VMs {
		vm := &s.host.VMs[i]
		s.vms[vm.Name] = vm
		for j := range vm.Adapters {
			s.nics[nicName(vm.Name, vm.Adapters[j].Name)] = &vm.Adapters[j]
		}
	}
	return s
}

// nicName returns the name of an adapter with its virtual machine.
func nicName(vm, adapter string) string {
	return virtualization.AdapterName{VM: vm, Adapter: adapter}.String()
}

// allRows returns the rows of all functions by port and number, and then of the adapters without a function.
func (s *scene) allRows() (rows []row) {
	if s.host == nil {
		return nil
	}
	seen := map[string]bool{}
	for i := range s.host.Adapters {
		a := &s.host.Adapters[i]
		for j := range a.Ports {
			p := &a.Ports[j]
			for k := range p.SRIOV.VFs {
				vf := &p.SRIOV.VFs[k]
				r := row{id: vfRowID(p.Description.Connection, vf.ID), port: p, card: a, vf: vf}
				if vf.VM != "" {
					name := nicName(vf.VM, vf.Adapter)
					r.nic, r.vm = s.nics[name], s.vms[vf.VM]
					seen[name] = true
				}
				rows = append(rows, s.loaded(r))
			}
		}
	}
	for i := range s.host.VMs {
		vm := &s.host.VMs[i]
		for j := range vm.Adapters {
			nic := &vm.Adapters[j]
			if name := nicName(vm.Name, nic.Name); !seen[name] {
				rows = append(rows, s.loaded(row{id: nicRowID(name), port: s.ports[nic.Port], card: s.cards[nic.Port],
					nic: nic, vm: vm}))
			}
		}
	}
	return rows
}

func vfRowID(connection string, vf int) string { return fmt.Sprintf("vf %d of %s", vf, connection) }
func nicRowID(name string) string              { return "adapter " + name }
func portRowID(connection string) string       { return "port " + connection }
func vmRowID(name string) string               { return "vm " + name }

// rowOf returns the ID of the row of an adapter; empty if the adapter is gone.
func (s *scene) rowOf(name string) string {
	a := s.nics[name]
	switch {
	case a == nil:
		return ""
	case a.Function >= 0 && s.ports[a.Port] != nil:
		return vfRowID(s.ports[a.Port].Description.Connection, a.Function)
	default:
		return nicRowID(name)
	}
}

// loaded returns a row with its load: of both paths for an adapter, else of the function.
func (s *scene) loaded(r row) row {
	r.load = s.load(s.loads, &r)
	return r
}

func (s *scene) load(loads *labstate.Loads, r *row) (l labstate.Load) {
	if loads == nil {
		return labstate.UnknownLoad()
	}
	if r.vf != nil && r.port != nil {
		l = loads.Function(r.port.Port, r.vf.ID)
	}
	if r.nic != nil && r.nic.Slot >= 0 {
		own := loads.Guest(r.nic.Port, r.nic.Slot)
		l.Receive, l.Send, l.Drops = own.Receive, own.Send, own.Drops
	}
	return l
}

// matches reports whether a row matches a filter.
func (r *row) matches(filter *browse.Filter) bool {
	if !filter.Active() {
		return true
	}
	texts := []string{r.stateText(), string(r.path()), r.mac(), r.vmName()}
	if r.port != nil {
		texts = append(texts, r.port.Description.Connection)
	}
	if r.vf != nil {
		texts = append(texts, fmt.Sprintf("VF %d", r.vf.ID))
	}
	if r.nic != nil {
		texts = append(texts, r.nic.Name, r.nic.Switch, r.nic.Why, r.nic.Quarantine)
		if r.nic.VLAN > 0 {
			texts = append(texts, fmt.Sprintf("VLAN %d", r.nic.VLAN))
		}
	}
	return filter.Match(texts...)
}

func (r *row) vmName() string {
	switch {
	case r.vm != nil:
		return r.vm.Name
	case r.vf != nil:
		return r.vf.VM
	default:
		return ""
	}
}

func (r *row) mac() string {
	switch {
	case r.nic != nil:
		return r.nic.MAC.String()
	case r.vf != nil && r.vf.MAC != (description.MAC{}):
		return r.vf.MAC.String()
	default:
		return ""
	}
}

func (r *row) vlan() int {
	switch {
	case r.nic != nil:
		return r.nic.VLAN
	case r.vf != nil:
		return r.vf.VLAN
	default:
		return 0
	}
}

func (r *row) path() virtualization.Path {
	if r.nic != nil {
		return r.nic.Path
	}
	return virtualization.NoPath
}

// misbehaviour returns what a function does wrong, as a clause, by the monitor's reports; empty if there is none.
func (r *row) misbehaviour() string {
	switch {
	case r.load.Errors > 0:
		return "causes errors in the firmware"
	case r.load.Spoofed > 0:
		return "sends packets with a wrong address or type"
	case r.vf != nil && r.vf.PageLimit > 0 && r.vf.Pages >= r.vf.PageLimit:
		return "has reached its page limit"
	}
	return ""
}

// stateText returns the state of a row as a word.
func (r *row) stateText() string {
	switch {
	case r.nic != nil && r.nic.Quarantine != "":
		return "quarantined"
	case r.nic != nil && r.nic.Blocked:
		return "blocked"
	case r.misbehaviour() != "":
		return "watched"
	case r.vf != nil:
		return string(r.vf.State)
	case r.vm != nil && r.vm.State != virtualization.VMRunning:
		return strings.ToLower(string(r.vm.State))
	case r.nic != nil && r.nic.Switch == "":
		return "no switch"
	case r.nic != nil && r.nic.IovWeight > 0:
		return "no VF"
	default:
		return "connected"
	}
}
