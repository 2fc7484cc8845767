package sriov

import (
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/virtualization"
	"cxdeck/ui/widget/wizard"
)

// recreateSwitch returns the Operations that remove a switch and recreate it with SR-IOV and its adapters.
func (v *View) recreateSwitch(old *virtualization.SwitchView) []driver.Operation {
	r := old.SwitchRecord
	r.IOV, r.PacketDirect, r.Extension = true, false, ""
	again := virtualization.CreateSwitch{Switch: r}
	for _, a := range v.allNICs() {
		if a.Switch == old.Name {
			again.Connected = append(again.Connected, virtualization.AdapterName{VM: a.VM, Adapter: a.Name})
		}
	}
	return []driver.Operation{virtualization.RemoveSwitch{Switch: old.Name}, again}
}

// reboots reports whether an answer takes effect only at a reboot.
func (v *View) reboots(values wizard.Values) bool {
	return len(v.firmwarePart(values)) > 0
}

// firmwarePart returns the Operations that take effect at a reboot, with the reboot; none if all are in effect already.
func (v *View) firmwarePart(values wizard.Values) (list []driver.Operation) {
	p, card := v.target(values)
	if p == nil {
		return nil
	}
	m, on := &v.scene.host.Machine, true
	bios := virtualization.SetBIOS{Host: v.scene.host.Name}
	if values.On(fieldBIOS) && !m.Next.SRIOV {
		bios.SRIOV = &on
	}
	if values.On(fieldBIOS) && !m.Next.Virtualization {
		bios.Virtualization = &on
	}
	if values.On(fieldAbove4G) && !m.Next.Above4G {
		bios.Above4G = &on
	}
	if bios.SRIOV != nil || bios.Virtualization != nil || bios.Above4G != nil {
		list = append(list, bios)
	}
	waits := values.On(fieldBIOS) && (!m.SRIOV || !m.Virtualization) || values.On(fieldAbove4G) && !m.Above4G
	flash := virtualization.SetFirmware{Adapter: card.Description.Name}
	for _, wanted := range [][2]string{{settingOn, "1"}, {settingCount, values.Text(fieldFirmwareVFs)}} {
		now := setting(card, wanted[0])
		if now.Name == "" || wanted[1] == "" {
			continue
		}
		if !sameSetting(now.Next, wanted[1]) {
			flash.Values = append(flash.Values, virtualization.FirmwareValue{Name: wanted[0], Value: wanted[1]})
		}
		waits = waits || !sameSetting(now.Current, wanted[1])
	}
	if len(flash.Values) > 0 {
		list = append(list, flash)
	}
	if waits || len(list) > 0 {
		list = append(list, adapters.Reboot{Host: v.scene.host.Name})
	}
	return list
}

// sameSetting reports whether a value of the flash equals a number; some tools write 1 as "True(1)".
func sameSetting(current, number string) bool {
	if current == "True(1)" || current == "True" {
		current = "1"
	}
	return current == number
}

// enablePlan returns the plan of the remaining steps: the steps that need a reboot, with the reboot, or else all others.
func (v *View) enablePlan(values wizard.Values) driver.Plan {
	p, _ := v.target(values)
	if p == nil {
		return driver.Plan{}
	}
	name := p.Description.Connection
	if list := v.firmwarePart(values); len(list) > 0 {
		return driver.Plan{Title: "Enable SR-IOV on " + name + ": firmware", Operations: list}
	}
	return driver.Plan{Title: "Enable SR-IOV on " + name, Operations: v.laterPart(values)}
}

// laterPart returns the Operations that need no reboot: driver, switch and machine.
func (v *View) laterPart(values wizard.Values) []driver.Operation {
	p, card := v.target(values)
	if p == nil {
		return nil
	}
	return append(v.driverPart(p, card, values), v.machinePart(p, values)...)
}

// driverPart returns the Operations on the driver.
func (v *View) driverPart(p *driver.PortView, card *driver.AdapterView,
	values wizard.Values) (list []driver.Operation) {
	name, s := p.Description.Connection, &p.SRIOV
	if p.State == driver.Stopped {
		list = append(list, adapters.EnableAdapter{Connection: name})
	}
	if card.Description.Family == description.WinOF {
		reload := false
		for _, key := range []string{keyPermit, keyPermitCard} {
			if k := v.policies[name]; k.text(key) == "0" {
				list, reload = append(list, edit.SetValue{Connection: name, Key: key, Value: "1"}), true
			}
		}
		mode, _ := values.Number(fieldMode)
		o := adapters.SetSriovPorts{Adapter: card.Description.Name, Mode: mode, Port1: s.Port1VFs, Port2: s.Port2VFs}
		if n, ok := values.Number(fieldPort1); ok {
			o.Port1 = n
		}
		if n, ok := values.Number(fieldPort2); ok {
			o.Port2 = n
		}
		if o.Mode != s.Mode || o.Port1 != s.Port1VFs || o.Port2 != s.Port2VFs {
			list, reload = append(list, o), true
		}
		if reload {
			list = append(list, adapters.ReloadDriver{Driver: card.Driver})
		}
	} else if k := v.policies[name]; k.known[keySRIOV] && values.On(keySRIOV) && k.text(keySRIOV) != "1" {
		if o, ok := k.set(name, keySRIOV, "1"); ok {
			list = append(list, o)
		}
	}
	if n, ok := values.Number(fieldNumVFs); ok && n != s.NumVFs {
		list = append(list, virtualization.SetNumVFs{Connection: name, NumVFs: n})
	}
	return list
}

// machinePart returns the Operations that create the switch and the machine if they are new, and attach a function.
func (v *View) machinePart(p *driver.PortView, values wizard.Values) (list []driver.Operation) {
	at, fresh := switchOf(values)
	if old := v.switchWithoutSRIOV(p); old != nil && values.Text(fieldSwitch) == recreateChoice {
		at, fresh, list = old.Name, false, v.recreateSwitch(old)
	}
	if fresh {
		list = append(list, virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{
			Name: at, Connection: p.Description.Connection, IOV: true, ManagementOS: values.On(fieldManage),
		}})
	}
	machine, nic := machineOf(values)
	vm := v.scene.vms[machine]
	pairs, _ := values.Number(fieldIOVPairs)
	if vm == nil {
		list = append(list, virtualization.CreateVM{VM: virtualization.VMRecord{Name: machine, State: virtualization.VMOff}})
	}
	if a := v.scene.nics[nicName(machine, nic)]; a != nil {
		o, weight := settings(a), fullWeight
		if a.Switch != at {
			o.Switch = &at
		}
		if a.IovWeight != weight {
			o.IovWeight = &weight
		}
		if a.IovQueuePairs != pairs {
			o.IovQueuePairs = &pairs
		}
		switch {
		case o.Switch != nil || o.IovWeight != nil || o.IovQueuePairs != nil:
			list = append(list, o)
		case v.canRequestAgain(a):
			list = append(list, repeatRequest(a)...)
		}
	} else {
		r := virtualization.NewVMAdapter(nic, at)
		r.IovWeight, r.IovQueuePairs = fullWeight, pairs
		list = append(list, virtualization.AddVMAdapter{VM: machine, Adapter: r})
	}
	if vm == nil || vm.State != virtualization.VMRunning {
		list = append(list, virtualization.SetVMState{VM: machine, State: virtualization.VMRunning})
	}
	if guest := values.Text(fieldGuest); vm == nil || vm.GuestDriver != guest {
		list = append(list, virtualization.SetGuestDriver{VM: machine, Version: guest})
	}
	return list
}

// machineOf returns the chosen machine and its adapter.
func machineOf(values wizard.Values) (vm, nic string) {
	if vm = values.Text(fieldVM); vm == newChoice || vm == "" {
		vm = values.Text(fieldVMName)
	}
	if nic = values.Text(fieldNIC); nic == newChoice || nic == "" {
		nic = defaultNIC
	}
	return vm, nic
}
