package sriov

import (
	"fmt"
	"slices"
	"strconv"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/driver/hyperv"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
)

// The fields of the wizard that sets SR-IOV up, and its key.
const (
	fieldChecks  = "checks"
	fieldBIOS    = "bios"
	fieldAbove4G = "above_4g"
	fieldBurnt   = "NUM_OF_VFS"
	fieldNumVFs  = "NumVFs"
	fieldMode    = "SriovPortMode"
	fieldPort1   = "SriovPort1NumVFs"
	fieldPort2   = "SriovPort2NumVFs"
	fieldVMName  = "vm_name"
	fieldGuest   = "guest_driver"
	goOnKey      = "go-on"
)

// The settings of the firmware.
const (
	settingOn    = "SRIOV_EN"
	settingCount = "NUM_OF_VFS"
)

// usualVFs are safe on every server (IOV-4).
const usualVFs = 16

// enableForm leads from a machine on which nothing is set to a virtual machine on a virtual function. What counts after a reboot
// only comes first, with the reboot; what is left is asked for again then.
func (v *View) enableForm() change.Form {
	return change.Form{
		Fields: v.enableFields, Check: v.checkEnable, Plan: v.enablePlan, Lines: v.sriovLines, Waiting: v.waiting, Outcome: v.enableOutcome,
		GoesOn: func(values widget.WizardValues) string {
			if v.reboots(values) {
				return "driver"
			}
			return ""
		},
		Note: func(values widget.WizardValues) string {
			if v.reboots(values) {
				return "Part 1 of 2: this counts when the host has started again. The wizard keeps what was typed, and goes on with driver, switch and machine."
			}
			return ""
		},
		Do: func(w *ui.Wizard, id string) (ui.Cmd, bool) {
			if id != goOnKey {
				return nil, false
			}
			w.Close()
			return v.enable(), true
		},
	}
}

// target is the port of an answer with its card; nil when it is gone.
func (v *View) target(values widget.WizardValues) (*driver.PortView, *driver.AdapterView) {
	p := v.portNamed(v.portOf(values))
	if p == nil {
		return nil, nil
	}
	return p, v.scene.cards[p.Port]
}

func (v *View) enableFields(step string, values widget.WizardValues) []widget.WizardField {
	p, card := v.target(values)
	if p == nil {
		return []widget.WizardField{v.portField("")}
	}
	s := &p.SRIOV
	switch step {
	case "checks":
		port := v.portField("")
		for i := range port.Choices {
			port.Choices[i].Disabled = v.noSRIOV(port.Choices[i].ID)
		}
		return []widget.WizardField{port, {ID: fieldChecks, Kind: widget.WizardFacts, Facts: v.checkFacts(s)}}
	case "firmware":
		m := &v.scene.host.Machine
		bios := widget.WizardField{ID: fieldBIOS, Kind: widget.WizardToggle, Initial: widget.WizardValue{On: true}}
		if m.SRIOV && m.Virtualization {
			bios.Hint = "they are on"
		}
		return []widget.WizardField{
			bios, {ID: fieldAbove4G, Kind: widget.WizardToggle, Initial: widget.WizardValue{On: m.Above4G || m.Next.Above4G}},
			{ID: fieldBurnt, Kind: widget.WizardNumber, Low: 1, High: int(setting(card, settingCount).High), Required: true,
				Hint: "16 are safe on every server", Initial: widget.WizardValue{Text: strconv.Itoa(burntOr(card, usualVFs))}},
			{ID: "flash", Label: "In the flash", Kind: widget.WizardFacts, Facts: flashFacts(card)},
		}
	case "driver":
		return v.driverFields(p, card, values)
	case "switch":
		fits := func(s *driver.SwitchView) string {
			if !s.IOV {
				return "it was made without SR-IOV, which can't be changed: remove it, and make it anew"
			}
			return ""
		}
		fields := v.switchFields(p.Description.Connection, "SRIOV", values, fits)
		if old := v.wrongSwitch(p); old != nil {
			choose := &fields[0]
			choose.Choices = slices.Insert(choose.Choices, 0, widget.WizardChoice{ID: againChoice, Label: old.Name, Text: "made anew with SR-IOV",
				Help: "It is removed and made again, with the adapters that are at it; their traffic stops meanwhile."})
			choose.Initial.Text = againChoice
			if values.Text(fieldSwitch) != newChoice {
				fields = fields[:1]
			}
		}
		if _, fresh := switchOf(values); fresh && len(fields) > 1 {
			fields = append(fields, widget.WizardField{ID: fieldManage, Kind: widget.WizardToggle, Initial: widget.WizardValue{On: true}})
		}
		return fields
	default:
		return v.machineFields(p, card, values)
	}
}

// noSRIOV says why a port can have no virtual functions for machines whatever is set, empty when it can (IOV-1).
func (v *View) noSRIOV(connection string) string {
	p, card := v.portNamed(connection), v.cardOf(connection)
	switch {
	case p == nil || card == nil:
		return "it is no longer there"
	case p.Description.Link == device.InfiniBand:
		return "virtual switches take ports of Ethernet"
	case card.Description.Family == device.WinOF && slices.ContainsFunc(card.Ports, func(p driver.PortView) bool { return p.Description.Link == device.InfiniBand }):
		return "the other port of the card is InfiniBand: with WinOF it has no functions then"
	default:
		return ""
	}
}

// againChoice has a switch that was made without SR-IOV made again.
const againChoice = "(again)"

// wrongSwitch is the switch of a port that was made without SR-IOV, nil when there is none.
func (v *View) wrongSwitch(p *driver.PortView) *driver.SwitchView {
	for _, s := range v.switchesOn(p.Description.Connection) {
		if !s.IOV {
			return s
		}
	}
	return nil
}

// anew removes a switch and makes it again with SR-IOV, and with the adapters that are at it.
func (v *View) anew(old *driver.SwitchView) []driver.Operation {
	r := old.SwitchRecord
	r.IOV, r.PacketDirect, r.Extension = true, false, ""
	again := driver.CreateSwitch{Switch: r}
	for _, a := range v.allNICs() {
		if a.Switch == old.Name {
			again.Connected = append(again.Connected, driver.AdapterName{VM: a.VM, Adapter: a.Name})
		}
	}
	return []driver.Operation{driver.RemoveSwitch{Switch: old.Name}, again}
}

// checkFacts are the capability strip in sentences.
func (*View) checkFacts(s *driver.SRIOVView) (facts []widget.WizardFact) {
	for i := range s.Checks {
		c := &s.Checks[i]
		f := widget.WizardFact{Mark: widget.WizardGood, Label: c.Name, Word: "ok"}
		if !c.OK {
			f = widget.WizardFact{Mark: widget.WizardWaits, Label: c.Name, Word: "to do", Text: c.Why}
		}
		facts = append(facts, f)
	}
	return facts
}

// setting is a setting of a card's flash; the zero one when it has none of the name.
func setting(card *driver.AdapterView, name string) driver.FirmwareView {
	for _, f := range card.Firmware {
		if f.Name == name {
			return f
		}
	}
	return driver.FirmwareView{}
}

// burntOr is the count that the flash will have, or one to propose.
func burntOr(card *driver.AdapterView, usual int) int {
	if n, err := strconv.Atoi(setting(card, settingCount).Next); err == nil && n > 0 {
		return n
	}
	return usual
}

func flashFacts(card *driver.AdapterView) (facts []widget.WizardFact) {
	for _, name := range []string{settingOn, settingCount} {
		f := setting(card, name)
		one := widget.WizardFact{Label: name, Word: f.Current, Text: "now"}
		if f.Next != f.Current {
			one.Mark, one.Text = widget.WizardWaits, "now, "+f.Next+" from the next start"
		}
		facts = append(facts, one)
	}
	return facts
}

// numVFsField asks how many functions Windows may use of a port.
func (*View) numVFsField(p *driver.PortView) widget.WizardField {
	return widget.WizardField{ID: fieldNumVFs, Kind: widget.WizardNumber, Low: 0, High: hyperv.MostPerPort, Required: true,
		Hint: "Windows begins with 32", Initial: widget.WizardValue{Text: strconv.Itoa(p.SRIOV.NumVFs)}}
}

// driverFields ask what the driver makes of the functions in the flash.
func (v *View) driverFields(p *driver.PortView, card *driver.AdapterView, values widget.WizardValues) []widget.WizardField {
	s := &p.SRIOV
	fields := []widget.WizardField{}
	if card.Description.Family == device.WinOF {
		mode := widget.WizardField{ID: fieldMode, Kind: widget.WizardOneOf, Initial: widget.WizardValue{Text: strconv.Itoa(s.Mode)}, Choices: []widget.WizardChoice{
			{ID: "0", Label: "0 auto_port1", Text: "all on port 1; port 2 has none, and no RoCE"},
			{ID: "1", Label: "1 auto_port2", Text: "all on port 2; port 1 has none, and no RoCE"},
			{ID: "2", Label: "2 manual", Text: "a count for each port"},
		}}
		fields = append(fields, mode)
		if at := values.Text(fieldMode); at == "2" || at == "" && s.Mode == hyperv.Manual {
			for _, one := range []struct {
				id string
				n  int
			}{{fieldPort1, s.Port1VFs}, {fieldPort2, s.Port2VFs}} {
				fields = append(fields, widget.WizardField{ID: one.id, Kind: widget.WizardNumber, Low: 0, High: hyperv.MostPerCard, Required: true,
					Initial: widget.WizardValue{Text: strconv.Itoa(one.n)}})
			}
		}
	} else {
		f := widget.WizardField{ID: keySRIOV, Kind: widget.WizardToggle, Initial: widget.WizardValue{On: true}}
		if !v.policies[p.Description.Connection].known[keySRIOV] {
			f.Disabled = "its driver has SR-IOV without the key"
		}
		fields = append(fields, f)
	}
	return append(fields, v.numVFsField(p), widget.WizardField{ID: "formula", Label: "What comes of it", Kind: widget.WizardFacts, Facts: v.formula(p, values)})
}

// formula is the rule by which functions are shared out, with the numbers of the answers in it (IOV-1 to IOV-4).
func (v *View) formula(p *driver.PortView, values widget.WizardValues) (facts []widget.WizardFact) {
	s, card := &p.SRIOV, v.scene.cards[p.Port]
	burnt := s.Burnt
	if n, ok := values.Number(fieldBurnt); ok {
		burnt = n
	}
	numVFs, ok := values.Number(fieldNumVFs)
	if !ok {
		numVFs = s.NumVFs
	}
	if card.Description.Family != device.WinOF {
		n := hyperv.PerPort(true, burnt, numVFs)
		return []widget.WizardFact{{Mark: widget.WizardGood, Label: p.Description.Connection, Word: countVFs(n),
			Text: fmt.Sprintf("the least of %d in the firmware, NumVFs %d and %d of the family", burnt, numVFs, hyperv.MostPerPort)}}
	}
	c := hyperv.Card{Permit: true, Mode: s.Mode, Ports: [2]int{s.Port1VFs, s.Port2VFs}, Burnt: burnt}
	if mode, ok := values.Number(fieldMode); ok {
		c.Mode = mode
	}
	for i, id := range []string{fieldPort1, fieldPort2} {
		if n, ok := values.Number(id); ok {
			c.Ports[i] = n
		}
	}
	for i := range card.Ports {
		if c.Interface[i] = card.Ports[i].SRIOV.NumVFs; card.Ports[i].Port == p.Port {
			c.Interface[i] = numVFs
		}
		c.InfiniBand = c.InfiniBand || card.Ports[i].Description.Link == device.InfiniBand
	}
	bus, available := c.Allocate()
	for i := range card.Ports {
		text := fmt.Sprintf("the least of %d from the bus driver and NumVFs %d", bus[i], c.Interface[i])
		if sum := c.Ports[0] + c.Ports[1]; c.Mode == hyperv.Manual && sum > burnt {
			text = fmt.Sprintf("%d x %d / (%d + %d) = %d, rounded down; NumVFs %d", c.Ports[i], burnt, c.Ports[0], c.Ports[1], bus[i], c.Interface[i])
		}
		f := widget.WizardFact{Mark: widget.WizardGood, Label: card.Ports[i].Description.Connection, Word: countVFs(available[i]), Text: text}
		if available[i] == 0 {
			f.Mark = widget.WizardDown
		}
		facts = append(facts, f)
	}
	return facts
}

// machineFields ask for the machine that gets a function.
func (v *View) machineFields(p *driver.PortView, card *driver.AdapterView, values widget.WizardValues) []widget.WizardField {
	initial := newChoice
	if r := v.row(); r != nil && r.vmName() != "" {
		initial = r.vmName()
	} else if len(v.scene.host.VMs) > 0 {
		initial = v.scene.host.VMs[0].Name
	}
	machine := v.vmField(initial)
	machine.Disabled = ""
	machine.Choices = append(machine.Choices, widget.WizardChoice{ID: newChoice, Label: "a new machine"})
	fields := []widget.WizardField{machine}
	name := values.Text(fieldVM)
	if name == "" {
		name = initial
	}
	vm := v.scene.vms[name]
	guest := card.Description.DriverVersion
	if vm == nil {
		fields = append(fields, widget.WizardField{ID: fieldVMName, Kind: widget.WizardText, Required: true, Limit: longestName,
			Initial: widget.WizardValue{Text: v.freeVM()}})
	} else if vm.GuestDriver != "" {
		guest = vm.GuestDriver
	}
	nic := widget.WizardField{ID: fieldNIC, Kind: widget.WizardOneOf, Required: true, Initial: widget.WizardValue{Text: newChoice},
		Choices: []widget.WizardChoice{{ID: newChoice, Label: "a new adapter"}}}
	if vm != nil {
		for i := range vm.Adapters {
			a := &vm.Adapters[i]
			if i == 0 {
				nic.Initial.Text = a.Name
			}
			nic.Choices = slices.Insert(nic.Choices, i, widget.WizardChoice{ID: a.Name, Label: a.Name, Text: string(a.Path) + ", " + or(a.Switch)})
		}
	}
	return append(fields, nic,
		widget.WizardField{ID: fieldIOVPairs, Kind: widget.WizardNumber, Low: 1, High: 64, Required: true,
			Hint:    fmt.Sprintf("advice for %d GbE: %d", p.Description.SpeedGbps, p.SRIOV.QueuePairs),
			Initial: widget.WizardValue{Text: strconv.Itoa(max(p.SRIOV.QueuePairs, 1))}},
		widget.WizardField{ID: fieldGuest, Kind: widget.WizardText, Required: true, Limit: 40, Initial: widget.WizardValue{Text: guest}})
}

// freeVM is a name that no machine has.
func (v *View) freeVM() string {
	for n := 1; ; n++ {
		if name := "vm" + strconv.Itoa(n); v.scene.vms[name] == nil {
			return name
		}
	}
}

func (v *View) checkEnable(values widget.WizardValues) (list []widget.WizardMessage) {
	say := func(severity widget.WizardSeverity, field, text string) {
		list = append(list, widget.WizardMessage{Field: field, Severity: severity, Text: text})
	}
	p, _ := v.target(values)
	if p == nil {
		return nil
	}
	m := &v.scene.host.Machine
	if (!m.SRIOV || !m.Virtualization) && !values.On(fieldBIOS) {
		say(widget.WizardError, fieldBIOS, "without both of them there are no virtual functions")
	}
	if n, ok := values.Number(fieldBurnt); ok && n > usualVFs && !values.On(fieldAbove4G) {
		say(widget.WizardWarning, fieldBurnt, "more than 16 may need more address space than the host has below 4 GB")
	}
	if n, ok := values.Number(fieldBurnt); ok {
		if num, ok := values.Number(fieldNumVFs); ok && num > n {
			say(widget.WizardInfo, fieldNumVFs, fmt.Sprintf("the firmware has %d: there are no more than that", n))
		}
	}
	if name, fresh := switchOf(values); fresh && name != "" && v.switchTaken(name) {
		say(widget.WizardError, fieldName, "a switch is called "+name+" already")
	}
	if name := values.Text(fieldVMName); name != "" && v.scene.vms[name] != nil {
		say(widget.WizardError, fieldVMName, "a virtual machine is called "+name+" already")
	}
	if p.Management {
		say(widget.WizardWarning, fieldPort, p.Description.Connection+" carries your session, which breaks off while it restarts")
	}
	return list
}

// reboots says that something of the answers counts after a reboot only.
func (v *View) reboots(values widget.WizardValues) bool {
	return len(v.firmwarePart(values)) > 0
}

// firmwarePart are the Operations that count after a reboot, with the reboot; none when all of it counts already.
func (v *View) firmwarePart(values widget.WizardValues) (list []driver.Operation) {
	p, card := v.target(values)
	if p == nil {
		return nil
	}
	m, on := &v.scene.host.Machine, true
	bios := driver.SetBIOS{Host: v.scene.host.Name}
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
	flash := driver.SetFirmware{Adapter: card.Description.Name}
	for _, one := range [][2]string{{settingOn, "1"}, {settingCount, values.Text(fieldBurnt)}} {
		now := setting(card, one[0])
		if now.Name == "" || one[1] == "" {
			continue
		}
		if !sameSetting(now.Next, one[1]) {
			flash.Values = append(flash.Values, driver.FirmwareValue{Name: one[0], Value: one[1]})
		}
		waits = waits || !sameSetting(now.Current, one[1])
	}
	if len(flash.Values) > 0 {
		list = append(list, flash)
	}
	if waits || len(list) > 0 {
		list = append(list, driver.Reboot{Host: v.scene.host.Name})
	}
	return list
}

// sameSetting says whether a value of the flash, which is written as "True(1)" by some tools, is a number.
func sameSetting(shown, number string) bool {
	if shown == "True(1)" || shown == "True" {
		shown = "1"
	}
	return shown == number
}

// enablePlan is what is left to do: what needs a reboot with it, or else all the rest.
func (v *View) enablePlan(values widget.WizardValues) driver.Plan {
	p, card := v.target(values)
	if p == nil {
		return driver.Plan{}
	}
	name := p.Description.Connection
	if list := v.firmwarePart(values); len(list) > 0 {
		return driver.Plan{Title: "Enable SR-IOV on " + name + ": firmware", Operations: list}
	}
	plan := driver.Plan{Title: "Enable SR-IOV on " + name}
	plan.Operations = append(v.driverPart(p, card, values), v.machinePart(p, values)...)
	return plan
}

// driverPart is what the driver is told.
func (v *View) driverPart(p *driver.PortView, card *driver.AdapterView, values widget.WizardValues) (list []driver.Operation) {
	name, s := p.Description.Connection, &p.SRIOV
	if card.Description.Family == device.WinOF {
		mode, _ := values.Number(fieldMode)
		o := driver.SetSriovPorts{Adapter: card.Description.Name, Mode: mode, Port1: s.Port1VFs, Port2: s.Port2VFs}
		if n, ok := values.Number(fieldPort1); ok {
			o.Port1 = n
		}
		if n, ok := values.Number(fieldPort2); ok {
			o.Port2 = n
		}
		if o.Mode != s.Mode || o.Port1 != s.Port1VFs || o.Port2 != s.Port2VFs {
			list = append(list, o, driver.ReloadDriver{Driver: card.Driver})
		}
	} else if k := v.policies[name]; k.known[keySRIOV] && values.On(keySRIOV) && k.text(keySRIOV) != "1" {
		if o, ok := k.set(name, keySRIOV, "1"); ok {
			list = append(list, o)
		}
	}
	if n, ok := values.Number(fieldNumVFs); ok && n != s.NumVFs {
		list = append(list, driver.SetNumVFs{Connection: name, NumVFs: n})
	}
	return list
}

// machinePart makes the switch and the machine where they are new, and gives the adapter a function.
func (v *View) machinePart(p *driver.PortView, values widget.WizardValues) (list []driver.Operation) {
	at, fresh := switchOf(values)
	if old := v.wrongSwitch(p); old != nil && values.Text(fieldSwitch) == againChoice {
		at, fresh, list = old.Name, false, v.anew(old)
	}
	if fresh {
		list = append(list, driver.CreateSwitch{Switch: driver.SwitchRecord{
			Name: at, Connection: p.Description.Connection, IOV: true, ManagementOS: values.On(fieldManage),
		}})
	}
	machine, nic := machineOf(values)
	vm := v.scene.vms[machine]
	pairs, _ := values.Number(fieldIOVPairs)
	if vm == nil {
		list = append(list, driver.CreateVM{VM: driver.VMRecord{Name: machine, State: driver.VMOff}})
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
		if o.Switch != nil || o.IovWeight != nil || o.IovQueuePairs != nil {
			list = append(list, o)
		}
	} else {
		r := driver.NewVMAdapter(nic, at)
		r.IovWeight, r.IovQueuePairs = fullWeight, pairs
		list = append(list, driver.AddVMAdapter{VM: machine, Adapter: r})
	}
	if vm == nil || vm.State != driver.VMRunning {
		list = append(list, driver.SetVMState{VM: machine, State: driver.VMRunning})
	}
	if guest := values.Text(fieldGuest); vm == nil || vm.GuestDriver != guest {
		list = append(list, driver.SetGuestDriver{VM: machine, Version: guest})
	}
	return list
}

// machineOf are the machine and the adapter of an answer.
func machineOf(values widget.WizardValues) (vm, nic string) {
	if vm = values.Text(fieldVM); vm == newChoice || vm == "" {
		vm = values.Text(fieldVMName)
	}
	if nic = values.Text(fieldNIC); nic == newChoice || nic == "" {
		nic = usualNIC
	}
	return vm, nic
}

// enableOutcome verifies: that the settings count after a reboot, or that the machine runs on a function.
func (v *View) enableOutcome(values widget.WizardValues) widget.WizardResult {
	p, _ := v.target(values)
	if p == nil {
		return widget.WizardResult{Mark: widget.WizardBad, Word: "gone", Text: "The port is no longer there."}
	}
	vm, nic := machineOf(values)
	a := v.scene.nics[nicName(vm, nic)]
	r := widget.WizardResult{Mark: widget.WizardGood, Word: "done", Facts: v.checkFacts(&p.SRIOV)}
	switch {
	case a != nil && a.IovWeight > 0 && a.Path == driver.PathVF:
		r.Text = fmt.Sprintf("%s runs on VF %d of %s.", vm, a.Function, p.Description.Connection)
		r.Facts = append(r.Facts, nicFact(a))
	case a != nil && a.IovWeight > 0:
		r.Mark, r.Word, r.Text = widget.WizardWarn, "done, in part", vm+" is not on a virtual function: "+or(a.Why)+"."
		r.Facts = append(r.Facts, nicFact(a))
	default:
		r.Word = "part 1 of 2 done"
		r.Text = fmt.Sprintf("The host has started again with %d virtual functions in the firmware for %s. Driver, switch and machine come next.",
			p.SRIOV.Burnt, p.Description.Connection)
		r.Next = []widget.WizardKey{{ID: goOnKey, Key: "o", Name: "go on", Help: "Go on with driver, switch and machine"}}
	}
	return r
}

// sriovLines are the differences that the setting up makes.
func (v *View) sriovLines(o driver.Operation) (list []widget.WizardLine) {
	switch o := o.(type) {
	case driver.SetFirmware:
		for i := range v.scene.host.Adapters {
			if card := &v.scene.host.Adapters[i]; card.Description.Name == o.Adapter {
				for _, one := range o.Values {
					list = append(list, change.Changed(one.Name+" of "+o.Adapter, setting(card, one.Name).Next, or(one.Value)))
				}
				return list
			}
		}
	case driver.SetBIOS:
		m := &v.scene.host.Machine.Next
		for _, one := range []struct {
			name string
			now  bool
			to   *bool
		}{{"SR-IOV", m.SRIOV, o.SRIOV}, {"Virtualization", m.Virtualization, o.Virtualization}, {"Addresses above 4 GB", m.Above4G, o.Above4G}} {
			if one.to != nil {
				list = append(list, change.Changed(one.name+" in the BIOS", onOff(one.now), onOff(*one.to)))
			}
		}
		return list
	case driver.SetNumVFs:
		if p := v.portNamed(o.Connection); p != nil {
			return []widget.WizardLine{change.Changed("NumVFs of "+o.Connection, strconv.Itoa(p.SRIOV.NumVFs), strconv.Itoa(o.NumVFs))}
		}
	case driver.SetSriovPorts:
		if card := v.cardNamed(o.Adapter); card != nil && len(card.Ports) > 0 {
			s := &card.Ports[0].SRIOV
			say := func(mode, one, two int) string { return fmt.Sprintf("%s, %d and %d", modeWord(mode), one, two) }
			return []widget.WizardLine{change.Changed("Ports of "+o.Adapter, say(s.Mode, s.Port1VFs, s.Port2VFs), say(o.Mode, o.Port1, o.Port2))}
		}
	}
	return v.adapterLines(o)
}

// cardNamed is the card of a name, nil when there is none.
func (v *View) cardNamed(name string) *driver.AdapterView {
	for i := range v.scene.host.Adapters {
		if v.scene.host.Adapters[i].Description.Name == name {
			return &v.scene.host.Adapters[i]
		}
	}
	return nil
}
