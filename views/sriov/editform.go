package sriov

import (
	"fmt"
	"slices"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/ui"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// edit opens the form of adapters: all settings of one, or the settings that several can share.
func (v *View) edit(rows []*row) ui.Cmd {
	names := nicsOf(rows)
	return v.open(editID, v.objectOf(rows), change.Form{
		Fresh: true, Waiting: v.waiting, Outcome: v.adapterPaths,
		Field: func(f *wizard.Field, values wizard.Values) bool {
			if f.ID == fieldAdapters {
				v.offerAdapters(f, names, nil)
				return true
			}
			return v.editField(f, v.chosenAdapters(values, names))
		},
		Plan: func(values wizard.Values) driver.Plan {
			list := v.chosen(values)
			plan := driver.Plan{Title: "Change " + deck.Count(len(list), "adapter")}
			for _, a := range list {
				if o, differs := edited(a, values, len(list) == 1); differs {
					plan.Operations = append(plan.Operations, o)
				}
			}
			return plan
		},
	})
}

// numberFields ask for the settings of adapters that are numbers.
var numberFields = []string{fieldVLAN, fieldIOV, fieldIOVPairs, fieldVMQ, fieldPairs, fieldRDMA}

// numberOf returns a setting of an adapter by its field: what it is now, and where an Operation has what it will be.
func numberOf(a *virtualization.VMAdapterView, o *virtualization.SetVMAdapter, field string) (now int, to **int) {
	switch field {
	case fieldVLAN:
		return a.VLAN, &o.VLAN
	case fieldIOV:
		return a.IovWeight, &o.IovWeight
	case fieldIOVPairs:
		return a.IovQueuePairs, &o.IovQueuePairs
	case fieldVMQ:
		return a.VmqWeight, &o.VmqWeight
	case fieldPairs:
		return a.VmmqQueuePairs, &o.VmmqQueuePairs
	default:
		return a.RdmaWeight, &o.RdmaWeight
	}
}

// The choices of VMMQ for adapters that differ in it.
const asEachIs, choiceOn, choiceOff = "(unchanged)", "on", "off"

// editField asks for a setting of adapters; a number that differs among them is empty, and stays unchanged then.
func (v *View) editField(f *wizard.Field, list []*virtualization.VMAdapterView) bool {
	if len(list) == 0 {
		return false
	}
	first, alone := list[0], len(list) == 1
	switch f.ID {
	case fieldMAC:
		if !alone {
			f.Disabled = "one adapter at a time: choose one adapter"
		} else if first.StaticMAC {
			f.Initial.Text = first.MAC.String()
		}
		return true
	case fieldVMMQ:
		f.Initial.On = first.VmmqEnabled
		if slices.ContainsFunc(list, func(a *virtualization.VMAdapterView) bool { return a.VmmqEnabled != first.VmmqEnabled }) {
			f.Kind, f.Initial = wizard.OneOf, wizard.Value{Text: asEachIs}
			f.Choices = []wizard.Choice{{ID: asEachIs, Label: "unchanged"}, {ID: choiceOn, Label: "on"}, {ID: choiceOff, Label: "off"}}
		}
		return true
	case fieldIOVPairs:
		if p := v.scene.ports[first.Port]; p != nil {
			f.Hint = queuePairsHint(p)
		}
	}
	now := func(a *virtualization.VMAdapterView) int {
		n, _ := numberOf(a, &virtualization.SetVMAdapter{}, f.ID)
		return n
	}
	f.Required, f.Initial.Text = alone, strconv.Itoa(now(first))
	if slices.ContainsFunc(list, func(a *virtualization.VMAdapterView) bool { return now(a) != now(first) }) {
		f.Initial.Text, f.Hint = "", "empty: unchanged"
	}
	return true
}

// queuePairsHint returns the manuals' advice for a port.
func queuePairsHint(p *driver.PortView) string {
	return fmt.Sprintf("advice for %d GbE: %d", p.Description.SpeedGbps, p.SRIOV.QueuePairs)
}

// edited makes the Operation from the answers of editField.
func edited(a *virtualization.VMAdapterView, values wizard.Values, alone bool) (o virtualization.SetVMAdapter, differs bool) {
	o = settings(a)
	for _, id := range numberFields {
		now, to := numberOf(a, &o, id)
		if n, ok := values.Number(id); ok && n != now {
			*to, differs = &n, true
		}
	}
	if alone {
		mac, ok := values.MAC(fieldMAC)
		switch address := description.MAC(mac); {
		case ok && (!a.StaticMAC || address != a.MAC), !ok && a.StaticMAC && values.Text(fieldMAC) == "":
			o.MAC, differs = &address, true
		}
	}
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
