package sriov

import (
	"fmt"
	"strconv"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
)

// enableOutcome verifies: that the settings count after a reboot, or that the machine runs on a function.
func (v *View) enableOutcome(values widget.WizardValues) widget.WizardResult {
	p, _ := v.target(values)
	if p == nil {
		return widget.WizardResult{Mark: widget.WizardBad, Word: "gone", Text: "The port no longer exists."}
	}
	vm, nic := machineOf(values)
	a := v.scene.nics[nicName(vm, nic)]
	r := widget.WizardResult{Mark: widget.WizardGood, Word: "done", Facts: v.checkFacts(&p.SRIOV)}
	switch {
	case a != nil && a.IovWeight > 0 && a.Path == virtualization.PathVF:
		r.Text = fmt.Sprintf("%s runs on VF %d of %s.", vm, a.Function, p.Description.Connection)
		r.Facts = append(r.Facts, nicFact(a))
	case a != nil && a.IovWeight > 0:
		r.Mark, r.Word, r.Text = widget.WizardWarn, "done, in part", vm+" is not on a virtual function: "+or(a.Why)+"."
		r.Facts = append(r.Facts, nicFact(a))
	default:
		r.Word = "part 1 of 2 done"
		r.Text = fmt.Sprintf("The host has restarted with %d virtual functions in the firmware for %s. "+
			"Driver, switch and machine come next.",
			p.SRIOV.Burnt, p.Description.Connection)
		r.Next = []widget.WizardKey{{ID: goOnKey, Key: ".", Name: "go on",
			Help: "Continue with driver, switch and machine"}}
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
					list = append(list,
						change.Changed(one.Name+" of "+o.Adapter, setting(card, one.Name).Next, or(one.Value)))
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
		}{{"SR-IOV", m.SRIOV, o.SRIOV}, {"Virtualization", m.Virtualization, o.Virtualization},
			{"Addresses above 4 GB", m.Above4G, o.Above4G}} {
			if one.to != nil {
				list = append(list, change.Changed(one.name+" in the BIOS", onOff(one.now), onOff(*one.to)))
			}
		}
		return list
	case driver.SetNumVFs:
		if p := v.portNamed(o.Connection); p != nil {
			return []widget.WizardLine{change.Changed("NumVFs of "+o.Connection, strconv.Itoa(p.SRIOV.NumVFs),
				strconv.Itoa(o.NumVFs))}
		}
	case driver.SetSriovPorts:
		if card := v.cardNamed(o.Adapter); card != nil && len(card.Ports) > 0 {
			s := &card.Ports[0].SRIOV
			say := func(mode, one, two int) string { return fmt.Sprintf("%s, %d and %d", modeWord(mode), one, two) }
			return []widget.WizardLine{change.Changed("Ports of "+o.Adapter, say(s.Mode, s.Port1VFs, s.Port2VFs),
				say(o.Mode, o.Port1, o.Port2))}
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
