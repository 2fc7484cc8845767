package sriov

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/ui"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/change"
)

// The fields of the wizard that enables SR-IOV, and its registry key.
const (
	fieldChecks      = "checks"
	fieldBIOS        = "bios"
	fieldAbove4G     = "above_4g"
	fieldFlash       = "flash"
	fieldFirmwareVFs = "NUM_OF_VFS"
	fieldNumVFs      = "NumVFs"
	fieldMode        = "SriovPortMode"
	fieldPort1       = "SriovPort1NumVFs"
	fieldPort2       = "SriovPort2NumVFs"
	fieldVMName      = "vm_name"
	fieldGuest       = "guest_driver"
	goOnKey          = "go-on"
)

// defaultVFs is a number of functions that works on every server (IOV-4).
const defaultVFs = 16

// enableForm enables SR-IOV from the BIOS to a virtual machine with a function. Settings that take effect at a reboot
// come first, together with the reboot; afterwards the wizard asks for the remaining ones.
func (v *View) enableForm() change.Form {
	return change.Form{
		Field: v.enableField, Check: v.checkEnable, Plan: v.enablePlan, Waiting: v.waiting, Outcome: v.enableOutcome,
		Continues: func(values wizard.Values) string {
			if v.reboots(values) && len(v.laterPart(values)) > 0 {
				return "driver"
			}
			return ""
		},
		Note: func(values wizard.Values) string {
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
		Do: func(id string) (ui.Cmd, bool) {
			if id != goOnKey {
				return nil, false
			}
			return v.enable(), true
		},
	}
}

// target returns the chosen port with its card; nil if the port is gone.
func (v *View) target(values wizard.Values) (*driver.PortView, *driver.AdapterView) {
	p := v.portNamed(v.portOf(values))
	if p == nil {
		return nil, nil
	}
	return p, v.scene.cards[p.Port]
}

func (v *View) enableField(f *wizard.Field, values wizard.Values) bool {
	if f.ID == fieldPort {
		v.offerPorts(f, "")
		for i := range f.Choices {
			f.Choices[i].Disabled = v.noSRIOV(f.Choices[i].ID)
		}
		return true
	}
	p, card := v.target(values)
	if p == nil {
		return false
	}
	m := &v.scene.host.Machine
	switch f.ID {
	case fieldChecks:
		f.Facts = v.checkFacts(&p.SRIOV)
	case fieldBIOS:
		if m.SRIOV && m.Virtualization {
			f.Hint = "they are on"
		}
	case fieldAbove4G:
		f.Initial.On = m.Above4G || m.Next.Above4G
	case fieldFirmwareVFs:
		f.High, f.Initial.Text = int(setting(card, settingCount).High), strconv.Itoa(firmwareCount(card, defaultVFs))
	case fieldFlash:
		f.Facts = firmwareFacts(card)
	case fieldSwitch, fieldName, fieldManage:
		return v.enableSwitch(f, p, values)
	case fieldVM, fieldVMName, fieldNIC, fieldIOVPairs, fieldGuest:
		return v.machineField(f, p, card, values)
	default:
		return v.driverField(f, p, card, values)
	}
	return true
}

// enableSwitch completes the field for the switch of a port; a switch that was created without SR-IOV is recreated.
func (v *View) enableSwitch(f *wizard.Field, p *driver.PortView, values wizard.Values) bool {
	fits := func(s *virtualization.SwitchView) string {
		if !s.IOV {
			return "it was created without SR-IOV, which can't be changed: recreate it"
		}
		return ""
	}
	old := v.switchWithoutSRIOV(p)
	if f.ID == fieldSwitch {
		v.offerSwitches(f, p.Description.Connection, "", values, fits)
		if old != nil {
			at := slices.IndexFunc(f.Choices, func(c wizard.Choice) bool { return c.ID == old.Name })
			f.Choices[at] = wizard.Choice{ID: recreateChoice, Label: old.Name, Text: "recreated with SR-IOV",
				Help: "The switch is removed and recreated with its adapters; their traffic stops meanwhile."}
			f.Initial.Text = recreateChoice
		}
		return true
	}
	name := wizard.Field{ID: fieldName}
	asked, _ := v.offerSwitches(&name, p.Description.Connection, "SRIOV", values, fits)
	if f.ID == fieldName {
		f.Initial = name.Initial
	}
	return asked && (old == nil || values.Text(fieldSwitch) == newChoice)
}

// noSRIOV returns why no setting can give a port virtual functions; empty if it can have them (IOV-1).
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

// recreateChoice is the choice to recreate a switch that was created without SR-IOV.
const recreateChoice = "(again)"

// switchWithoutSRIOV returns the switch of a port that was created without SR-IOV; nil if there is none.
func (v *View) switchWithoutSRIOV(p *driver.PortView) *virtualization.SwitchView {
	for _, s := range v.switchesOn(p.Description.Connection) {
		if !s.IOV {
			return s
		}
	}
	return nil
}

// checkFacts returns the requirements of SR-IOV at a port with their state.
func (*View) checkFacts(s *virtualization.SRIOVView) (facts []wizard.Fact) {
	for i := range s.Checks {
		c := &s.Checks[i]
		f := wizard.Fact{Mark: wizard.Good, Label: c.Name, Word: "ok"}
		if !c.OK {
			f = wizard.Fact{Mark: wizard.Waits, Label: c.Name, Word: "to do", Text: c.Why}
		}
		facts = append(facts, f)
	}
	return facts
}

// machineField completes a field for the virtual machine that gets a function.
func (v *View) machineField(f *wizard.Field, p *driver.PortView, card *driver.AdapterView, values wizard.Values) bool {
	initial := cmp.Or(v.selectedVM(), newChoice)
	vm := v.scene.vms[cmp.Or(values.Text(fieldVM), initial)]
	switch f.ID {
	case fieldVM:
		v.offerVMs(f, initial)
		f.Disabled = ""
		f.Choices = append(f.Choices, wizard.Choice{ID: newChoice, Label: "a new machine"})
	case fieldVMName:
		f.Initial.Text = v.freeVM()
		return vm == nil
	case fieldNIC:
		f.Initial.Text = newChoice
		if vm != nil {
			for i := range vm.Adapters {
				a := &vm.Adapters[i]
				f.Choices = append(f.Choices, wizard.Choice{ID: a.Name, Label: a.Name, Text: string(a.Path) + ", " + wording.OrDash(a.Switch)})
				f.Initial.Text = f.Choices[0].ID
			}
		}
		f.Choices = append(f.Choices, wizard.Choice{ID: newChoice, Label: "a new adapter"})
	case fieldIOVPairs:
		f.Hint, f.Initial.Text = queuePairsHint(p), strconv.Itoa(max(p.SRIOV.QueuePairs, 1))
	case fieldGuest:
		f.Initial.Text = card.Description.DriverVersion
		if vm != nil {
			f.Initial.Text = cmp.Or(vm.GuestDriver, f.Initial.Text)
		}
	}
	return true
}

// freeVM returns an unused name for a virtual machine.
func (v *View) freeVM() string {
	for n := 1; ; n++ {
		if name := "vm" + strconv.Itoa(n); v.scene.vms[name] == nil {
			return name
		}
	}
}

func (v *View) checkEnable(values wizard.Values) (list []wizard.Message) {
	say := func(severity wizard.Severity, field, text string) {
		list = append(list, wizard.Message{Field: field, Severity: severity, Text: text})
	}
	p, _ := v.target(values)
	if p == nil {
		return nil
	}
	m := &v.scene.host.Machine
	if (!m.SRIOV || !m.Virtualization) && !values.On(fieldBIOS) {
		say(wizard.Error, fieldBIOS, "virtual functions require both")
	}
	if n, ok := values.Number(fieldFirmwareVFs); ok && n > defaultVFs && !values.On(fieldAbove4G) {
		say(wizard.Warning, fieldFirmwareVFs, "more than 16 may need more address space than the host has below 4 GB")
	}
	if n, ok := values.Number(fieldFirmwareVFs); ok {
		if num, ok := values.Number(fieldNumVFs); ok && num > n {
			say(wizard.Info, fieldNumVFs, fmt.Sprintf("the firmware has only %d", n))
		}
	}
	if name, fresh := switchOf(values); fresh && name != "" && v.switchTaken(name) {
		say(wizard.Error, fieldName, "there is a switch "+name+" already")
	}
	if name := values.Text(fieldVMName); name != "" && v.scene.vms[name] != nil {
		say(wizard.Error, fieldVMName, "there is a virtual machine "+name+" already")
	}
	if p.Management {
		say(wizard.Warning, fieldPort,
			p.Description.Connection+" carries your session, which is interrupted while it restarts")
	}
	return list
}
