package sriov

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
)

// The ids of fields that more than one wizard has.
const (
	fieldAdapters  = "adapters"
	fieldFunctions = "functions"
	fieldPort      = "port"
	fieldSwitch    = "switch"
	fieldVM        = "vm"
	fieldName      = "name"
	fieldMAC       = "mac"
	fieldVLAN      = "vlan"
	fieldIOV       = "iov_weight"
	fieldVMQ       = "vmq_weight"
	fieldRDMA      = "rdma_weight"
	fieldVMMQ      = "vmmq"
	fieldPairs     = "vmmq_pairs"
	fieldIOVPairs  = "iov_pairs"
	fieldReason    = "reason"
	fieldOn        = "on"
)

// fullWeight asks for what a weight is of.
const fullWeight = 100

// nicsOf are the adapters of rows, by their names.
func nicsOf(rows []*row) (names []string) {
	for _, r := range rows {
		if r.nic != nil {
			names = append(names, nicName(r.nic.VM, r.nic.Name))
		}
	}
	return names
}

// allNICs are the adapters of all virtual machines, in their order.
func (v *View) allNICs() (list []*driver.VMAdapterView) {
	if v.scene.host == nil {
		return nil
	}
	for i := range v.scene.host.VMs {
		vm := &v.scene.host.VMs[i]
		for j := range vm.Adapters {
			list = append(list, &vm.Adapters[j])
		}
	}
	return list
}

// adaptersField asks for adapters; why says why one can't be chosen.
func (v *View) adaptersField(initial []string, why func(*driver.VMAdapterView) string) widget.WizardField {
	f := widget.WizardField{ID: fieldAdapters, Kind: widget.WizardManyOf, Required: true, Initial: widget.WizardValue{IDs: initial}}
	for _, a := range v.allNICs() {
		c := widget.WizardChoice{ID: nicName(a.VM, a.Name), Label: nicName(a.VM, a.Name), Text: string(a.Path)}
		c.Mark, c.Word = widget.WizardDown, "no VF"
		if a.Function >= 0 {
			c.Mark, c.Word = widget.WizardGood, fmt.Sprintf("VF %d", a.Function)
		}
		if a.Switch != "" {
			c.Text += ", " + a.Switch
		}
		if why != nil {
			c.Disabled = why(a)
		}
		f.Choices = append(f.Choices, c)
	}
	slices.SortStableFunc(f.Choices, func(a, b widget.WizardChoice) int { return boolNumber(a.Disabled != "") - boolNumber(b.Disabled != "") })
	if len(f.Choices) == 0 {
		f.Disabled = "there is no virtual machine with an adapter yet; n leads through making one"
	}
	return f
}

// chosen are the adapters of an answer that are still there.
func (v *View) chosen(values widget.WizardValues) (list []*driver.VMAdapterView) {
	for _, name := range values.IDs(fieldAdapters) {
		if a := v.scene.nics[name]; a != nil {
			list = append(list, a)
		}
	}
	return list
}

// settings is an Operation that is yet to be told what it changes.
func settings(a *driver.VMAdapterView) driver.SetVMAdapter {
	return driver.SetVMAdapter{VM: a.VM, Adapter: a.Name}
}

func countOf(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// adapterLines are the differences that a change of an adapter makes.
func (v *View) adapterLines(o driver.Operation) (list []widget.WizardLine) {
	set, ok := o.(driver.SetVMAdapter)
	if !ok {
		return v.otherLines(o)
	}
	a := v.scene.nics[nicName(set.VM, set.Adapter)]
	if a == nil {
		return nil
	}
	name := nicName(set.VM, set.Adapter)
	add := func(what, from, to string) { list = append(list, change.Changed(what+" of "+name, from, to)) }
	number := func(what string, from int, to *int) {
		if to != nil {
			add(what, strconv.Itoa(from), strconv.Itoa(*to))
		}
	}
	if set.Switch != nil {
		add("Switch", or(a.Switch), or(*set.Switch))
	}
	if set.MAC != nil {
		to := set.MAC.String()
		if *set.MAC == (device.MAC{}) {
			to = "dynamic"
		}
		add("MAC address", a.MAC.String(), to)
	}
	number("VLAN", a.VLAN, set.VLAN)
	number("IovWeight", a.IovWeight, set.IovWeight)
	number("IovQueuePairsRequested", a.IovQueuePairs, set.IovQueuePairs)
	number("VmqWeight", a.VmqWeight, set.VmqWeight)
	if set.VmmqEnabled != nil {
		add("VMMQ", onOff(a.VmmqEnabled), onOff(*set.VmmqEnabled))
	}
	number("VmmqQueuePairs", a.VmmqQueuePairs, set.VmmqQueuePairs)
	number("RdmaWeight", a.RdmaWeight, set.RdmaWeight)
	if set.VirtualSubnet != nil {
		add("VirtualSubnetID", strconv.FormatUint(uint64(a.VirtualSubnet), 10), strconv.FormatUint(uint64(*set.VirtualSubnet), 10))
	}
	if n := len(list); n > 0 && set.IovWeight != nil {
		if *set.IovWeight > 0 {
			list[n-1].Note = "it gets a virtual function when one is free and the guest has a driver"
		} else {
			list[n-1].Note = "its traffic goes the synthetic way, through the virtual switch"
		}
	}
	return list
}

// otherLines marks what comes into being and what goes.
func (*View) otherLines(o driver.Operation) []widget.WizardLine {
	l := widget.WizardLine{Text: sentence(o)}
	switch o := o.(type) {
	case driver.SetValue, driver.DeleteValue, driver.RestartAdapter:
		return nil // shown as every value is
	case driver.CreateSwitch, driver.CreateVM, driver.AddVMAdapter, driver.AddNetVirtualization:
		l.Change = widget.WizardAdds
	case driver.RemoveSwitch, driver.RemoveVM, driver.RemoveVMAdapter, driver.RemoveNetVirtualization:
		l.Change = widget.WizardRemoves
	case driver.ResetVF:
		l.Note = "its guest's driver starts again; nothing takes that back"
	case driver.Quarantine:
		if o.Reason != "" {
			l.Note = "it is off the network until it is released"
		}
	case driver.Reboot:
		l.Note = "everything on the host goes down for about a minute; nothing takes that back"
	}
	return []widget.WizardLine{l}
}

// attach asks for adapters that get virtual functions.
func (v *View) attach(rows []*row) ui.Cmd {
	return v.weigh(attachID, "Attach", rows, fullWeight, func(a *driver.VMAdapterView) string {
		switch {
		case a.Switch == "":
			return "it is connected to no switch"
		case a.Quarantine != "":
			return "it is in quarantine; z releases it"
		case a.Function >= 0:
			return "it has one"
		default:
			return v.noFunctions(a)
		}
	})
}

// noFunctions says why the switch of an adapter gives it no virtual function at all.
func (v *View) noFunctions(a *driver.VMAdapterView) string {
	for i := range v.scene.host.Switches {
		if s := &v.scene.host.Switches[i]; s.Name == a.Switch && !s.IOV {
			return "its switch " + s.Name + " was made without SR-IOV"
		}
	}
	return ""
}

// detach asks for adapters that lose their virtual functions.
func (v *View) detach(rows []*row) ui.Cmd {
	return v.weigh(detachID, "Detach", rows, 0, func(a *driver.VMAdapterView) string {
		switch {
		case a.IovWeight == 0:
			return "it has none, and asks for none"
		case a.Quarantine != "":
			return "it is in quarantine; z releases it"
		default:
			return ""
		}
	})
}

// weigh gives adapters an IovWeight.
func (v *View) weigh(id, verb string, rows []*row, weight int, why func(*driver.VMAdapterView) string) ui.Cmd {
	initial := slices.DeleteFunc(nicsOf(rows), func(name string) bool { return why(v.scene.nics[name]) != "" })
	return v.guide.Open(change.ProcedureNamed(procedures(), id), v.objectOf(rows), change.Form{
		Fresh: true, Lines: v.adapterLines, Waiting: v.waiting, Outcome: v.adapterOutcome,
		Fields: func(string, widget.WizardValues) []widget.WizardField {
			return []widget.WizardField{v.adaptersField(initial, why)}
		},
		Check: func(values widget.WizardValues) (list []widget.WizardMessage) {
			if weight == 0 {
				return nil
			}
			for _, a := range v.chosen(values) {
				if vm := v.scene.vms[a.VM]; vm != nil && vm.GuestDriver == "" {
					list = append(list, widget.WizardMessage{Field: fieldAdapters, Severity: widget.WizardWarning,
						Text: a.VM + " has no driver for virtual functions inside: its traffic stays on the synthetic way"})
				}
			}
			return list
		},
		Plan: func(values widget.WizardValues) driver.Plan {
			list := v.chosen(values)
			plan := driver.Plan{Title: fmt.Sprintf("%s virtual functions: %s", verb, countOf(len(list), "adapter"))}
			for _, a := range list {
				o := settings(a)
				o.IovWeight = &weight
				if a.IovWeight != weight {
					plan.Operations = append(plan.Operations, o)
				}
			}
			return plan
		},
	})
}

// waiting says what an adapter that was changed waits for.
func (v *View) waiting(o driver.Operation) string {
	switch o := o.(type) {
	case driver.SetVMAdapter:
		if a := v.scene.nics[nicName(o.VM, o.Adapter)]; a != nil && o.IovWeight != nil && *o.IovWeight > 0 {
			return v.waitsForPort(a)
		}
	case driver.AddVMAdapter:
		if a := v.scene.nics[nicName(o.VM, o.Adapter.Name)]; a != nil {
			return v.waitsForPort(a)
		}
	case driver.RestartAdapter:
		return v.starting(o.Connection)
	case driver.SetNumVFs:
		return v.starting(o.Connection)
	case driver.ReloadDriver, driver.Reboot:
		for _, p := range v.scene.order {
			if word := v.starting(p.Description.Connection); word != "" {
				return word
			}
		}
	}
	return ""
}

// starting says that the driver of a port is starting, or that its link comes up.
func (v *View) starting(connection string) string {
	p := v.portNamed(connection)
	switch {
	case p == nil:
		return ""
	case p.State == driver.Restarting:
		return connection + " is starting"
	case p.State == driver.Running && p.Cabled && !p.Up:
		return "the link of " + connection + " is coming up"
	default:
		return ""
	}
}

// waitsForPort says that the port of an adapter is not there yet.
func (v *View) waitsForPort(a *driver.VMAdapterView) string {
	if p := v.scene.ports[a.Port]; p != nil && a.Path != driver.PathVF {
		return v.starting(p.Description.Connection)
	}
	return ""
}

// adapterOutcome tells which way the adapters of an answer go now.
func (v *View) adapterOutcome(values widget.WizardValues) widget.WizardResult {
	r := widget.WizardResult{Mark: widget.WizardGood, Word: "done", Text: "Everything is as the plan says."}
	for _, a := range v.chosen(values) {
		f := nicFact(a)
		if f.Mark == widget.WizardWarn {
			r.Mark, r.Word, r.Text = widget.WizardWarn, "done, in part", "Not every adapter goes the way it asks for."
		}
		r.Facts = append(r.Facts, f)
	}
	return r
}

// nicFact is the way of an adapter.
func nicFact(a *driver.VMAdapterView) widget.WizardFact {
	f := widget.WizardFact{Mark: widget.WizardGood, Label: nicName(a.VM, a.Name), Word: string(a.Path), Text: a.Why}
	switch {
	case a.Function >= 0:
		f.Word = fmt.Sprintf("%s %d", a.Path, a.Function)
		if a.Path != driver.PathVF {
			f.Mark, f.Word = widget.WizardWarn, string(a.Path)
		}
	case a.IovWeight > 0:
		f.Mark = widget.WizardWarn
	}
	return f
}

// reset asks for functions to reset.
func (v *View) reset(rows []*row) ui.Cmd {
	var initial []string
	for _, r := range rows {
		if r.vf != nil {
			initial = append(initial, r.id)
		}
	}
	return v.guide.Open(change.ProcedureNamed(procedures(), resetID), v.objectOf(rows), change.Form{
		Fresh: true, Lines: v.adapterLines,
		Fields: func(string, widget.WizardValues) []widget.WizardField {
			f := widget.WizardField{ID: fieldFunctions, Kind: widget.WizardManyOf, Required: true, Initial: widget.WizardValue{IDs: initial}}
			for _, r := range v.scene.all() {
				if r.vf != nil {
					f.Choices = append(f.Choices, widget.WizardChoice{ID: r.id, Label: vfName(&r), Text: r.vmName()})
				}
			}
			if len(f.Choices) == 0 {
				f.Disabled = "there are no virtual functions"
			}
			return []widget.WizardField{f}
		},
		Plan: func(values widget.WizardValues) driver.Plan {
			plan := driver.Plan{}
			for _, r := range v.scene.all() {
				if r.vf != nil && values.Has(fieldFunctions, r.id) {
					plan.Operations = append(plan.Operations, driver.ResetVF{Connection: r.port.Description.Connection, Function: r.vf.ID})
				}
			}
			plan.Title = "Reset " + countOf(len(plan.Operations), "virtual function")
			return plan
		},
	})
}

// allHeld says that all adapters of rows are in quarantine.
func allHeld(rows []*row) bool {
	return !slices.ContainsFunc(rows, func(r *row) bool { return r.nic == nil || r.nic.Quarantine == "" })
}

// quarantine asks for adapters to take off the network, and why; where all that are marked are held, which to let in.
func (v *View) quarantine(rows []*row) ui.Cmd {
	release := allHeld(rows)
	id := quarantineID
	if release {
		id = releaseID
	}
	why := func(a *driver.VMAdapterView) string {
		switch {
		case release && a.Quarantine == "":
			return "it is in no quarantine"
		case !release && a.Quarantine != "":
			return "it is in quarantine: " + a.Quarantine
		default:
			return ""
		}
	}
	initial := slices.DeleteFunc(nicsOf(rows), func(name string) bool { return why(v.scene.nics[name]) != "" })
	proposed := ""
	for _, r := range rows {
		if w := r.watched(); w != "" {
			proposed = w
		}
	}
	return v.guide.Open(change.ProcedureNamed(procedures(), id), v.objectOf(rows), change.Form{
		Fresh: true, Lines: v.adapterLines,
		Fields: func(string, widget.WizardValues) []widget.WizardField {
			fields := []widget.WizardField{v.adaptersField(initial, why)}
			if !release {
				fields = append(fields, widget.WizardField{ID: fieldReason, Kind: widget.WizardText, Required: true, Limit: 128,
					Initial: widget.WizardValue{Text: proposed}})
			}
			return fields
		},
		Plan: func(values widget.WizardValues) driver.Plan {
			list := v.chosen(values)
			plan := driver.Plan{Title: "Quarantine " + countOf(len(list), "adapter")}
			if release {
				plan.Title = "Release " + countOf(len(list), "adapter") + " from quarantine"
			}
			for _, a := range list {
				plan.Operations = append(plan.Operations, driver.Quarantine{VM: a.VM, Adapter: a.Name, Reason: values.Text(fieldReason)})
			}
			return plan
		},
	})
}

// edit asks what to change of adapters: of one all that it has, of several what they can have in common.
func (v *View) edit(rows []*row) ui.Cmd {
	names := nicsOf(rows)
	return v.guide.Open(change.ProcedureNamed(procedures(), editID), v.objectOf(rows), change.Form{
		Fresh: true, Lines: v.adapterLines, Waiting: v.waiting, Outcome: v.adapterOutcome,
		Fields: func(step string, values widget.WizardValues) []widget.WizardField {
			if step == "adapters" {
				return []widget.WizardField{v.adaptersField(names, nil)}
			}
			return v.editFields(v.chosenOr(values, names))
		},
		Plan: func(values widget.WizardValues) driver.Plan {
			list := v.chosen(values)
			plan := driver.Plan{Title: "Change " + countOf(len(list), "adapter")}
			for _, a := range list {
				if o, differs := edited(a, values, len(list) == 1); differs {
					plan.Operations = append(plan.Operations, o)
				}
			}
			return plan
		},
	})
}

// chosenOr are the adapters of an answer; those of some names as long as there is none.
func (v *View) chosenOr(values widget.WizardValues, names []string) []*driver.VMAdapterView {
	if _, asked := values[fieldAdapters]; !asked {
		values = widget.WizardValues{fieldAdapters: {IDs: names}}
	}
	return v.chosen(values)
}

// editFields ask what to change of adapters; a number that differs among them is empty, and stays as it is then.
func (v *View) editFields(list []*driver.VMAdapterView) []widget.WizardField {
	if len(list) == 0 {
		return nil
	}
	first := list[0]
	number := func(id string, low, high int, hint string, of func(*driver.VMAdapterView) int) widget.WizardField {
		f := widget.WizardField{ID: id, Kind: widget.WizardNumber, Low: low, High: high, Hint: hint, Required: len(list) == 1,
			Initial: widget.WizardValue{Text: strconv.Itoa(of(first))}}
		if slices.ContainsFunc(list, func(a *driver.VMAdapterView) bool { return of(a) != of(first) }) {
			f.Initial.Text, f.Hint = "", "empty: as each is"
		}
		return f
	}
	mac := widget.WizardField{ID: fieldMAC, Kind: widget.WizardMAC, Hint: "empty: a dynamic one"}
	if first.StaticMAC {
		mac.Initial.Text = first.MAC.String()
	}
	if len(list) > 1 {
		mac.Disabled = "each adapter needs an address of its own: choose one adapter"
		mac.Initial.Text = ""
	}
	advice := "4 for links below 40 GbE, 8 from there on"
	if p := v.scene.ports[first.Port]; p != nil {
		advice = fmt.Sprintf("advice for %d GbE: %d", p.Description.SpeedGbps, p.SRIOV.QueuePairs)
	}
	return []widget.WizardField{
		mac,
		number(fieldVLAN, 0, 4094, "0 for none", func(a *driver.VMAdapterView) int { return a.VLAN }),
		number(fieldIOV, 0, fullWeight, "0 no VF, 100 a VF", func(a *driver.VMAdapterView) int { return a.IovWeight }),
		number(fieldIOVPairs, 1, 64, advice, func(a *driver.VMAdapterView) int { return a.IovQueuePairs }),
		number(fieldVMQ, 0, fullWeight, "0 no queue, 100 a queue", func(a *driver.VMAdapterView) int { return a.VmqWeight }),
		{ID: fieldVMMQ, Kind: widget.WizardToggle, Initial: widget.WizardValue{On: first.VmmqEnabled}},
		number(fieldPairs, 1, 64, "a request", func(a *driver.VMAdapterView) int { return a.VmmqQueuePairs }),
		number(fieldRDMA, 0, fullWeight, "0 refused, 100 allowed", func(a *driver.VMAdapterView) int { return a.RdmaWeight }),
	}
}

// edited is what the answers of editFields change of an adapter.
func edited(a *driver.VMAdapterView, values widget.WizardValues, alone bool) (o driver.SetVMAdapter, differs bool) {
	o = settings(a)
	number := func(id string, is int) *int {
		n, ok := values.Number(id)
		if !ok || n == is {
			return nil
		}
		differs = true
		return &n
	}
	if alone {
		mac, ok := values.MAC(fieldMAC)
		switch address := device.MAC(mac); {
		case ok && (!a.StaticMAC || address != a.MAC), !ok && a.StaticMAC && values.Text(fieldMAC) == "":
			o.MAC, differs = &address, true
		}
	}
	o.VLAN = number(fieldVLAN, a.VLAN)
	o.IovWeight = number(fieldIOV, a.IovWeight)
	o.IovQueuePairs = number(fieldIOVPairs, a.IovQueuePairs)
	o.VmqWeight = number(fieldVMQ, a.VmqWeight)
	o.VmmqQueuePairs = number(fieldPairs, a.VmmqQueuePairs)
	o.RdmaWeight = number(fieldRDMA, a.RdmaWeight)
	if on := values.On(fieldVMMQ); on != a.VmmqEnabled {
		o.VmmqEnabled, differs = &on, true
	}
	return o, differs
}

// selectedNICs are the names of the adapters that are marked or selected, those of a machine's head included.
func (v *View) selectedNICs() []string {
	names := nicsOf(v.acted())
	if r := v.row(); len(names) == 0 && r != nil && r.head && r.vm != nil {
		for i := range r.vm.Adapters {
			names = append(names, nicName(r.vm.Name, r.vm.Adapters[i].Name))
		}
	}
	return names
}

// sentence describes an Operation.
func sentence(o driver.Operation) string {
	said := o.Describe()
	return strings.ToUpper(said[:1]) + said[1:]
}
