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

// editFields ask what to change of adapters; a number that differs among them is empty, and stays as it is then.
func (v *View) editFields(list []*virtualization.VMAdapterView) []widget.WizardField {
	if len(list) == 0 {
		return nil
	}
	first := list[0]
	number := func(id string, low, high int, hint string, of func(*virtualization.VMAdapterView) int) widget.WizardField {
		f := widget.WizardField{ID: id, Kind: widget.WizardNumber, Low: low, High: high, Hint: hint,
			Required: len(list) == 1, Initial: typed(strconv.Itoa(of(first)))}
		if slices.ContainsFunc(list, func(a *virtualization.VMAdapterView) bool { return of(a) != of(first) }) {
			f.Initial.Text, f.Hint = "", "empty: unchanged"
		}
		return f
	}
	mac := widget.WizardField{ID: fieldMAC, Kind: widget.WizardMAC, Hint: "empty: dynamic"}
	if first.StaticMAC {
		mac.Initial.Text = first.MAC.String()
	}
	if len(list) > 1 {
		mac.Disabled = "one adapter at a time: choose one adapter"
		mac.Initial.Text = ""
	}
	advice := "4 below 40 GbE, 8 from 40 GbE on"
	if p := v.scene.ports[first.Port]; p != nil {
		advice = fmt.Sprintf("advice for %d GbE: %d", p.Description.SpeedGbps, p.SRIOV.QueuePairs)
	}
	return []widget.WizardField{
		mac,
		number(fieldVLAN, 0, 4094, "0 for none", func(a *virtualization.VMAdapterView) int { return a.VLAN }),
		number(fieldIOV, 0, fullWeight, "0 no VF, 100 a VF", func(a *virtualization.VMAdapterView) int { return a.IovWeight }),
		number(fieldIOVPairs, 1, 64, advice, func(a *virtualization.VMAdapterView) int { return a.IovQueuePairs }),
		number(fieldVMQ, 0, fullWeight, "0 no queue, 100 a queue",
			func(a *virtualization.VMAdapterView) int { return a.VmqWeight }),
		vmmqField(list),
		number(fieldPairs, 1, 64, "a request", func(a *virtualization.VMAdapterView) int { return a.VmmqQueuePairs }),
		number(fieldRDMA, 0, fullWeight, "0 refused, 100 allowed",
			func(a *virtualization.VMAdapterView) int { return a.RdmaWeight }),
	}
}

// The choices of VMMQ for adapters that differ in it.
const asEachIs, choiceOn, choiceOff = "(as each is)", "on", "off"

// vmmqField asks whether adapters have VMMQ; where they differ, each can stay as it is.
func vmmqField(list []*virtualization.VMAdapterView) widget.WizardField {
	on := list[0].VmmqEnabled
	if !slices.ContainsFunc(list, func(a *virtualization.VMAdapterView) bool { return a.VmmqEnabled != on }) {
		return toggle(fieldVMMQ, on)
	}
	return widget.WizardField{ID: fieldVMMQ, Kind: widget.WizardOneOf, Initial: typed(asEachIs),
		Choices: []widget.WizardChoice{
			{ID: asEachIs, Label: "as each is"}, {ID: choiceOn, Label: "on"}, {ID: choiceOff, Label: "off"},
		}}
}

// edited is what the answers of editFields change of an adapter.
func edited(a *virtualization.VMAdapterView, values widget.WizardValues, alone bool) (o driver.SetVMAdapter, differs bool) {
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
		switch address := description.MAC(mac); {
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
	on := values.On(fieldVMMQ)
	switch values.Text(fieldVMMQ) {
	case asEachIs:
		on = a.VmmqEnabled
	case choiceOn:
		on = true
	}
	if on != a.VmmqEnabled {
		o.VmmqEnabled, differs = &on, true
	}
	return o, differs
}
