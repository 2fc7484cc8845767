package sriov

import (
	"fmt"
	"slices"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
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

// usualVFs are safe on every server (IOV-4).
const usualVFs = 16

// enableForm leads from a machine on which nothing is set to a virtual machine on a virtual function. What counts after
// a reboot only comes first, with the reboot; what is left is asked for again then.
func (v *View) enableForm() change.Form {
	return change.Form{
		Fields: v.enableFields, Check: v.checkEnable, Plan: v.enablePlan, Lines: v.sriovLines, Waiting: v.waiting,
		Outcome: v.enableOutcome,
		GoesOn: func(values widget.WizardValues) string {
			if v.reboots(values) && len(v.laterPart(values)) > 0 {
				return "driver"
			}
			return ""
		},
		Note: func(values widget.WizardValues) string {
			switch {
			case !v.reboots(values):
				return ""
			case len(v.laterPart(values)) == 0:
				return "This takes effect when the host has restarted. Driver, switch and machine are set up already."
			default:
				return "Part 1 of 2: this takes effect when the host has restarted. The wizard keeps its input and " +
					"continues with driver, switch and machine."
			}
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
		bios := toggle(fieldBIOS, true)
		if m.SRIOV && m.Virtualization {
			bios.Hint = "they are on"
		}
		return []widget.WizardField{
			bios, toggle(fieldAbove4G, m.Above4G || m.Next.Above4G),
			{ID: fieldBurnt, Kind: widget.WizardNumber, Low: 1, High: int(setting(card, settingCount).High),
				Required: true, Hint: "16 are safe on every server",
				Initial: typed(strconv.Itoa(firmwareCount(card, usualVFs)))},
			{ID: "flash", Label: "In the flash", Kind: widget.WizardFacts, Facts: flashFacts(card)},
		}
	case "driver":
		return v.driverFields(p, card, values)
	case "switch":
		fits := func(s *virtualization.SwitchView) string {
			if !s.IOV {
				return "it was made without SR-IOV, which can't be changed: recreate it"
			}
			return ""
		}
		fields := v.switchFields(p.Description.Connection, "SRIOV", values, fits)
		if old := v.wrongSwitch(p); old != nil {
			choose := &fields[0]
			at := slices.IndexFunc(choose.Choices, func(c widget.WizardChoice) bool { return c.ID == old.Name })
			choose.Choices[at] = widget.WizardChoice{ID: againChoice, Label: old.Name, Text: "recreated with SR-IOV",
				Help: "It is removed and recreated with its adapters; their traffic stops meanwhile."}
			choose.Initial.Text = againChoice
			if values.Text(fieldSwitch) != newChoice {
				fields = fields[:1]
			}
		}
		if _, fresh := switchOf(values); fresh && len(fields) > 1 {
			fields = append(fields, toggle(fieldManage, true))
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
		return "it no longer exists"
	case p.Description.Link == description.InfiniBand:
		return onlyEthernet
	case card.Description.Family == description.WinOF && p.SRIOV.InfiniBand:
		return "the other port of the card is InfiniBand: with WinOF it has no functions then"
	default:
		return ""
	}
}

// againChoice has a switch that was made without SR-IOV made again.
const againChoice = "(again)"

// wrongSwitch is the switch of a port that was made without SR-IOV, nil when there is none.
func (v *View) wrongSwitch(p *driver.PortView) *virtualization.SwitchView {
	for _, s := range v.switchesOn(p.Description.Connection) {
		if !s.IOV {
			return s
		}
	}
	return nil
}

// checkFacts are the capability strip in sentences.
func (*View) checkFacts(s *virtualization.SRIOVView) (facts []widget.WizardFact) {
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

// machineFields ask for the machine that gets a function.
func (v *View) machineFields(p *driver.PortView, card *driver.AdapterView,
	values widget.WizardValues) []widget.WizardField {
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
		fields = append(fields, newName(fieldVMName, v.freeVM()))
	} else if vm.GuestDriver != "" {
		guest = vm.GuestDriver
	}
	nic := widget.WizardField{ID: fieldNIC, Kind: widget.WizardOneOf, Required: true, Initial: typed(newChoice),
		Choices: []widget.WizardChoice{{ID: newChoice, Label: "a new adapter"}}}
	if vm != nil {
		for i := range vm.Adapters {
			a := &vm.Adapters[i]
			if i == 0 {
				nic.Initial.Text = a.Name
			}
			nic.Choices = slices.Insert(nic.Choices, i,
				widget.WizardChoice{ID: a.Name, Label: a.Name, Text: string(a.Path) + ", " + or(a.Switch)})
		}
	}
	return append(fields, nic,
		widget.WizardField{ID: fieldIOVPairs, Kind: widget.WizardNumber, Low: 1, High: 64, Required: true,
			Hint:    fmt.Sprintf("advice for %d GbE: %d", p.Description.SpeedGbps, p.SRIOV.QueuePairs),
			Initial: typed(strconv.Itoa(max(p.SRIOV.QueuePairs, 1)))},
		widget.WizardField{ID: fieldGuest, Kind: widget.WizardText, Required: true, Limit: 40, Initial: typed(guest)})
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
			say(widget.WizardInfo, fieldNumVFs, fmt.Sprintf("the firmware has only %d", n))
		}
	}
	if name, fresh := switchOf(values); fresh && name != "" && v.switchTaken(name) {
		say(widget.WizardError, fieldName, "a switch is called "+name+" already")
	}
	if name := values.Text(fieldVMName); name != "" && v.scene.vms[name] != nil {
		say(widget.WizardError, fieldVMName, "a virtual machine is called "+name+" already")
	}
	if p.Management {
		say(widget.WizardWarning, fieldPort,
			p.Description.Connection+" carries your session, which is interrupted while it restarts")
	}
	return list
}
