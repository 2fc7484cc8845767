package sriov

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/views/deck"
)

// row is a line of the table: a port, a virtual machine, a virtual function, or an adapter that has none. What it points to
// belongs to the state that it was made of, and never changes.
type row struct {
	// id tells it from all others, also in the next state.
	id string
	// head says that it stands over those of its port, or with vm those of its virtual machine.
	head bool
	// port is that of the lab, nil for an adapter at none; card is its card.
	port *driver.PortView
	card *driver.AdapterView
	// vf is the virtual function, nil for none; nic the adapter of a virtual machine, nil for a free function.
	vf  *driver.VFView
	nic *driver.VMAdapterView
	vm  *driver.VMView
	// load is what it moves and costs now.
	load perf.LabLoad
	// heat is its part of the largest value in the column that the rows are sorted by, 0 to 1.
	heat float64
}

// grouping is what rows stand under.
type grouping uint8

const (
	byPort grouping = iota
	byVM
	flat
	groupings
)

// word names the grouping.
func (g grouping) word() string { return [...]string{"port", "virtual machine", "nothing"}[g] }

// scene is the state in the order that the screen needs.
type scene struct {
	host  *driver.View
	ports map[int]*driver.PortView
	order []*driver.PortView          // of ports, as the cards have them
	cards map[int]*driver.AdapterView // by port
	nics  map[string]*driver.VMAdapterView
	vms   map[string]*driver.VMView
	loads *perf.LabLoads
}

func newScene(state *perf.LabState) *scene {
	s := &scene{
		ports: map[int]*driver.PortView{}, cards: map[int]*driver.AdapterView{}, nics: map[string]*driver.VMAdapterView{},
		vms: map[string]*driver.VMView{}, loads: &perf.LabLoads{},
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

// nicName names an adapter of a virtual machine.
func nicName(vm, adapter string) string { return driver.AdapterName{VM: vm, Adapter: adapter}.String() }

// all are the rows of all functions and adapters, by port and number; adapters without a function come behind.
func (s *scene) all() (rows []row) {
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
				rows = append(rows, s.loaded(row{id: nicRowID(name), port: s.ports[nic.Port], card: s.cards[nic.Port], nic: nic, vm: vm}))
			}
		}
	}
	return rows
}

func vfRowID(connection string, vf int) string { return fmt.Sprintf("vf %d of %s", vf, connection) }
func nicRowID(name string) string              { return "adapter " + name }
func portRowID(connection string) string       { return "port " + connection }
func vmRowID(name string) string               { return "vm " + name }

// loaded is a row with what it moves: on either way for an adapter, else what the function does.
func (s *scene) loaded(r row) row {
	r.load = s.load(s.loads, &r)
	return r
}

func (s *scene) load(loads *perf.LabLoads, r *row) (l perf.LabLoad) {
	if r.vf != nil && r.port != nil {
		l = loads.Function(r.port.Port, r.vf.ID)
	}
	if r.nic != nil && r.nic.Slot >= 0 {
		own := loads.Guest(r.nic.Port, r.nic.Slot)
		l.Receive, l.Send, l.Drops = own.Receive, own.Send, own.Drops
	}
	return l
}

// matches says whether a row stays under a filter.
func (r *row) matches(filter *deck.Filter) bool {
	if !filter.Active() {
		return true
	}
	texts := []string{r.stateWord(), string(r.path()), r.mac(), r.vmName()}
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

// arranged are the rows that the table shows: those that match, sorted, each group under its head.
func (s *scene) arranged(filter *deck.Filter, group grouping, by column, descending bool) []row {
	list := slices.DeleteFunc(s.all(), func(r row) bool { return !r.matches(filter) })
	heat(list, by)
	if by != idColumn || descending {
		slices.SortStableFunc(list, func(a, b row) int {
			c := compare(&a, &b, by)
			if descending {
				return -c
			}
			return c
		})
	}
	switch group {
	case byPort:
		return s.underPorts(list, filter)
	case byVM:
		return s.underVMs(list)
	default:
		return list
	}
}

// underPorts has the rows of each port under it, and at the end those at none. A port without any shows why, unless something is
// filtered.
func (s *scene) underPorts(list []row, filter *deck.Filter) (rows []row) {
	if s.host == nil {
		return nil
	}
	of := map[int][]row{}
	for _, r := range list {
		port := -1
		if r.port != nil {
			port = r.port.Port
		}
		of[port] = append(of[port], r)
	}
	for i := range s.host.Adapters {
		a := &s.host.Adapters[i]
		for j := range a.Ports {
			p := &a.Ports[j]
			if len(of[p.Port]) == 0 && filter.Active() && !filter.Match(p.Description.Connection) {
				continue
			}
			rows = append(rows, row{id: portRowID(p.Description.Connection), head: true, port: p, card: a})
			rows = append(rows, of[p.Port]...)
		}
	}
	return append(rows, of[-1]...)
}

// underVMs has the rows of each virtual machine under it; free functions come last.
func (s *scene) underVMs(list []row) (rows []row) {
	if s.host == nil {
		return nil
	}
	of := map[string][]row{}
	for _, r := range list {
		of[r.vmName()] = append(of[r.vmName()], r)
	}
	for i := range s.host.VMs {
		vm := &s.host.VMs[i]
		if len(of[vm.Name]) > 0 {
			rows = append(rows, row{id: vmRowID(vm.Name), head: true, vm: vm})
			rows = append(rows, of[vm.Name]...)
		}
	}
	return append(rows, of[""]...)
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
	case r.vf != nil && r.vf.MAC != (device.MAC{}):
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

func (r *row) path() driver.Path {
	if r.nic != nil {
		return r.nic.Path
	}
	return driver.NoPath
}

// watched says what a function does that it should not, empty for nothing.
func (r *row) watched() string {
	switch {
	case r.load.Errors > 0:
		return "makes errors in the firmware"
	case r.load.Spoofed > 0:
		return "sends packets with a wrong address or type"
	case r.vf != nil && r.vf.PageLimit > 0 && r.vf.Pages >= r.vf.PageLimit:
		return "has reached its limit of pages"
	}
	return ""
}

// stateWord is how it is, in a word.
func (r *row) stateWord() string {
	switch {
	case r.nic != nil && r.nic.Quarantine != "":
		return "quarantined"
	case r.nic != nil && r.nic.Blocked:
		return "blocked"
	case r.watched() != "":
		return "watched"
	case r.vf != nil:
		return string(r.vf.State)
	case r.vm != nil && r.vm.State != driver.VMRunning:
		return strings.ToLower(string(r.vm.State))
	case r.nic != nil && r.nic.Switch == "":
		return "no switch"
	case r.nic != nil && r.nic.IovWeight > 0:
		return "no VF"
	default:
		return "connected"
	}
}

// stateRank puts states in order, what needs a look first.
func (r *row) stateRank() int {
	at := slices.Index([]string{"quarantined", "blocked", "watched", "no VF", "idle", "attached", "connected", "no switch", "off", "saved", "paused", "free"}, r.stateWord())
	if at < 0 {
		return 99
	}
	return at
}

// value is what a row is sorted and heated by in a column; ok is false in a column of words.
func (r *row) value(c column) (value float64, ok bool) {
	switch c {
	case receiveColumn:
		return r.load.Receive, true
	case sendColumn:
		return r.load.Send, true
	case dropsColumn:
		return r.load.Drops, true
	case spoofedColumn:
		return r.load.Spoofed, true
	case useColumn:
		return r.load.Use, true
	case errorsColumn:
		return r.load.Errors, true
	case pagesColumn:
		if r.vf == nil {
			return 0, true
		}
		return float64(r.vf.Pages), true
	case sparkColumn, heatColumn:
		return r.load.Receive + r.load.Send, true
	default:
		return 0, false
	}
}

// heat notes how much of the largest value of the column each row has; columns of words are heated by traffic.
func heat(list []row, by column) {
	if _, ok := (&row{}).value(by); !ok {
		by = sparkColumn
	}
	most := 0.0
	for i := range list {
		value, _ := list[i].value(by)
		most = max(most, value)
	}
	if most == 0 {
		return
	}
	for i := range list {
		value, _ := list[i].value(by)
		list[i].heat = value / most
	}
}

// compare orders two rows by a column.
func compare(a, b *row, by column) int {
	if x, ok := a.value(by); ok {
		y, _ := b.value(by)
		return cmp.Compare(x, y)
	}
	switch by {
	case vmColumn:
		return cmp.Or(cmp.Compare(boolNumber(a.vmName() == ""), boolNumber(b.vmName() == "")), strings.Compare(a.vmName(), b.vmName()))
	case stateColumn:
		return cmp.Compare(a.stateRank(), b.stateRank())
	case pathColumn:
		return strings.Compare(string(a.path()), string(b.path()))
	case macColumn:
		return strings.Compare(a.mac(), b.mac())
	case vlanColumn:
		return cmp.Compare(a.vlan(), b.vlan())
	default:
		return cmp.Compare(a.number(), b.number())
	}
}

func boolNumber(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// number is the function's number; what has none comes behind.
func (r *row) number() int {
	if r.vf == nil {
		return math.MaxInt
	}
	return r.vf.ID
}
