package sriov

import (
	"fmt"
	"slices"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/change"
)

// edit opens the form for adapters: all settings of a single adapter, or the settings that several adapters can share.
func (v *View) edit(rows []*row) opening {
	names := nicsOf(rows)
	return v.opening(editID, v.objectOf(rows), change.Form{
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
			plan := driver.Plan{Title: "Change " + wording.Count(len(list), "adapter")}
			for _, a := range list {
				if o, differs := edited(a, values, len(list) == 1); differs {
					plan.Operations = append(plan.Operations, o)
				}
			}
			return plan
		},
	})
}

// numberFields are the numeric settings of adapters.
var numberFields = []string{fieldVLAN, fieldIOV, fieldIOVPairs, fieldVMQ, fieldPairs, fieldRDMA}

// numberOf returns a setting of an adapter by its field: the current value, and the member of an Operation for the new one.
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

// The choices of VMMQ if the adapters differ in it.
const unchanged, choiceOn, choiceOff = "(unchanged)", "on", "off"

// editField completes the field of one setting. If the adapters differ in a number, the field is empty; left empty, it
// changes nothing.
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
			f.Kind, f.Initial = wizard.OneOf, wizard.Value{Text: unchanged}
			f.Choices = []wizard.Choice{{ID: unchanged, Label: "unchanged"}, {ID: choiceOn, Label: "on"}, {ID: choiceOff, Label: "off"}}
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

// queuePairsHint returns the recommended number of queue pairs for the speed of a port.
func queuePairsHint(p *driver.PortView) string {
	return fmt.Sprintf("advice for %d GbE: %d", p.Description.SpeedGbps, p.SRIOV.QueuePairs)
}

// edited returns the Operation for the answers of editField, and whether it changes anything.
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
	case unchanged:
		on = a.VmmqEnabled
	case choiceOn:
		on = true
	}
	if on != a.VmmqEnabled {
		o.VmmqEnabled, differs = &on, true
	}
	return o, differs
}
