package driver

import (
	"errors"
	"fmt"
	"slices"

	"cxdeck/device"
	"cxdeck/device/firmware"
	"cxdeck/driver/request"
)

var errVirtualDamaged = errors.New("what the saved host has of Hyper-V is damaged; start it anew")

// restoreVirtual takes over what was saved. A host that was saved before there was any begins with what is described.
func (h *Host) restoreVirtual(saved *virtualization) error {
	if saved == nil {
		h.describeVirtual()
		return nil
	}
	h.virtual = saved
	v := saved
	if len(v.Cards) != len(h.lab.Description().Adapters) || len(v.Ports) != h.lab.Ports() || len(v.VMs) > mostMachines || len(v.Switches) > mostSwitches {
		return errVirtualDamaged
	}
	for i := range v.Cards {
		for _, settings := range []map[string]uint32{v.Cards[i].Current, v.Cards[i].Next} {
			for name, n := range settings {
				s, ok := firmware.Find(h.lab.Description().Adapters[i].Family == device.WinOF, name)
				if !ok || n < s.Low || n > s.High {
					return errVirtualDamaged
				}
			}
		}
	}
	for _, p := range v.Ports {
		if p.NumVFs < 0 || p.NumVFs > device.MostFunctions {
			return errVirtualDamaged
		}
	}
	names := map[string]bool{}
	for _, s := range v.Switches {
		if names[s.Name] || request.CheckName("virtual switch", s.Name) != nil || (s.Connection == "") == (s.Team == "") {
			return errVirtualDamaged
		}
		names[s.Name] = true
	}
	clear(names)
	for i := range v.VMs {
		m := &v.VMs[i]
		if names[m.Name] || !slices.Contains(VMStates(), m.State) || request.CheckName("virtual machine", m.Name) != nil ||
			checkVersion(m.GuestDriver) != nil || checkMachine(m.System, m.Memory) != nil || len(m.Adapters) > mostVMAdapters {
			return errVirtualDamaged
		}
		names[m.Name] = true
	}
	if err := v.Net.check(h); err != nil {
		return err
	}
	var wrong error
	used := map[[2]int]bool{}
	v.each(func(name AdapterName, _ *vm, a *vmAdapter) {
		if a.Port < -1 || a.Port >= h.lab.Ports() || a.Slot < -1 || a.Slot >= device.GuestSlots || a.Function < -1 || a.Function >= device.MostFunctions ||
			request.CheckName("network adapter", a.Name) != nil || len(a.History) > keptChanges || a.Function >= 0 && (a.Port < 0 || used[[2]int{a.Port, a.Function}]) {
			wrong = fmt.Errorf("the saved adapter %s is damaged", name)
			return
		}
		if err := h.checkVMAdapter(name.VM, &a.VMAdapterRecord); err != nil {
			wrong = err
		}
		if a.Function >= 0 {
			used[[2]int{a.Port, a.Function}] = true
		}
	})
	return wrong
}
