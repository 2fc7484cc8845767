package report

import (
	"fmt"
	"strings"

	"cxdeck/driver"
)

func (d *Document) addVirtual(view *driver.View) {
	for i := range view.Switches {
		s := &view.Switches[i]
		kind := "synthetic"
		if s.IOV {
			kind = "SR-IOV"
		}
		bound := s.Connection
		if s.Team != "" {
			bound = "team " + s.Team
		}
		d.Switches = append(d.Switches, Switch{s.Name, bound, kind})
	}
	for i := range view.VMs {
		vm := &view.VMs[i]
		var adapters []string
		for j := range vm.Adapters {
			a := &vm.Adapters[j]
			text := fmt.Sprintf("%s on %s: %s", a.Name, valueText(a.Switch), a.Path)
			if a.Function >= 0 {
				text += fmt.Sprintf(" %d", a.Function)
			}
			adapters = append(adapters, text)
		}
		d.Machines = append(d.Machines, Machine{vm.Name, string(vm.State), strings.Join(adapters, "; ")})
	}
}
