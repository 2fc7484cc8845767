package virtualization

import (
	"errors"
	"fmt"
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/firmware"
	"cxdeck/driver/request"
)

var errDamaged = errors.New("the Hyper-V part of the saved host is damaged; start over with a new host")

// Check returns why a saved state does not fit the host.
func (v Hypervisor) Check() error {
	if len(v.Cards) != len(v.Lab().Description().Adapters) || len(v.Ports) != v.Lab().Ports() || len(v.VMs) > MaxMachines || len(v.Switches) > MaxSwitches {
		return errDamaged
	}
	for i := range v.Cards {
		for _, settings := range []map[string]uint32{v.Cards[i].Current, v.Cards[i].Next} {
			for name, n := range settings {
				s, ok := firmware.Find(v.card(i).Family == description.WinOF, name)
				if !ok || n < s.Low || n > s.High {
					return errDamaged
				}
			}
		}
	}
	for _, p := range v.Ports {
		if p.NumVFs < 0 || p.NumVFs > counter.MaxFunctions {
			return errDamaged
		}
	}
	names := map[string]bool{}
	for _, s := range v.Switches {
		if names[s.Name] || request.CheckName("virtual switch", s.Name) != nil || (s.Connection == "") == (s.Team == "") || v.checkEmbedded(&s) != nil {
			return errDamaged
		}
		names[s.Name] = true
	}
	clear(names)
	for i := range v.VMs {
		m := &v.VMs[i]
		if names[m.Name] || !slices.Contains(VMStates(), m.State) || request.CheckName("virtual machine", m.Name) != nil ||
			checkVersion(m.GuestDriver) != nil || checkSystem(m.System, m.Memory) != nil || len(m.Adapters) > MaxAdapters {
			return errDamaged
		}
		names[m.Name] = true
	}
	if err := v.Net.check(v.Facts); err != nil {
		return err
	}
	var wrong error
	used := map[[2]int]bool{}
	v.Each(func(name AdapterName, _ *Machine, a *Adapter) {
		if a.Port < -1 || a.Port >= v.Lab().Ports() || a.Slot < -1 || a.Slot >= counter.GuestSlots || a.Function < -1 || a.Function >= counter.MaxFunctions ||
			request.CheckName("network adapter", a.Name) != nil || len(a.History) > KeptChanges || a.Function >= 0 && (a.Port < 0 || used[[2]int{a.Port, a.Function}]) {
			wrong = fmt.Errorf("the saved adapter %s is damaged", name)
			return
		}
		if err := v.checkAdapter(name.VM, &a.VMAdapterRecord); err != nil {
			wrong = err
		}
		if a.Function >= 0 {
			used[[2]int{a.Port, a.Function}] = true
		}
	})
	return wrong
}
