package sriov

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"cxdeck/views/browse"
)

// arrange returns the rows of the table that match the filter, sorted, each group below its heading.
func (s *scene) arrange(filter *browse.Filter, group grouping, by column, descending bool) []row {
	list := slices.DeleteFunc(s.allRows(), func(r row) bool { return !r.matches(filter) })
	setHeat(list, by)
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

// underPorts groups the rows by port; rows without a port come last. Without a filter, a port without rows is listed
// with the reason.
func (s *scene) underPorts(list []row, filter *browse.Filter) (rows []row) {
	if s.host == nil {
		return nil
	}
	byPort := map[int][]row{}
	for _, r := range list {
		port := -1
		if r.port != nil {
			port = r.port.Port
		}
		byPort[port] = append(byPort[port], r)
	}
	for i := range s.host.Adapters {
		a := &s.host.Adapters[i]
		for j := range a.Ports {
			p := &a.Ports[j]
			if len(byPort[p.Port]) == 0 && filter.Active() && !filter.Match(p.Description.Connection) {
				continue
			}
			rows = append(rows, row{id: portRowID(p.Description.Connection), group: true, port: p, card: a})
			rows = append(rows, byPort[p.Port]...)
		}
	}
	return append(rows, byPort[-1]...)
}

// underVMs groups the rows by virtual machine; free functions come last.
func (s *scene) underVMs(list []row) (rows []row) {
	if s.host == nil {
		return nil
	}
	byMachine := map[string][]row{}
	for _, r := range list {
		byMachine[r.vmName()] = append(byMachine[r.vmName()], r)
	}
	for i := range s.host.VMs {
		vm := &s.host.VMs[i]
		if len(byMachine[vm.Name]) > 0 {
			rows = append(rows, row{id: vmRowID(vm.Name), group: true, vm: vm})
			rows = append(rows, byMachine[vm.Name]...)
		}
	}
	return append(rows, byMachine[""]...)
}

// stateRank returns the sort rank of a state; faults have the lowest rank.
func (r *row) stateRank() int {
	at := slices.Index([]string{"quarantined", "blocked", "watched", "no VF", "idle", "attached", "connected",
		"no switch", "off", "saved", "paused", "free"}, r.stateText())
	if at < 0 {
		return 99
	}
	return at
}

// value returns the number by which a column sorts and colours a row; ok is false for a column of text.
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

// setHeat sets the heat of each row: its share of the largest value in the sorted column. For a column of text it is the
// share of the traffic.
func setHeat(list []row, by column) {
	if _, ok := (&row{}).value(by); !ok {
		by = sparkColumn
	}
	highest := 0.0
	for i := range list {
		value, _ := list[i].value(by)
		highest = max(highest, value)
	}
	if highest == 0 {
		return
	}
	for i := range list {
		value, _ := list[i].value(by)
		list[i].heat = value / highest
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
		return cmp.Or(cmp.Compare(boolNumber(a.vmName() == ""), boolNumber(b.vmName() == "")),
			strings.Compare(a.vmName(), b.vmName()))
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

// number returns the number of a row's function; a row without a function sorts last.
func (r *row) number() int {
	if r.vf == nil {
		return math.MaxInt
	}
	return r.vf.ID
}
