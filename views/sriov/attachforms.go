package sriov

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/change"
)

// attach opens the form that attaches virtual functions to adapters.
func (v *View) attach(rows []*row) opening {
	return v.setWeight(attachID, "Attach", rows, fullWeight, func(a *virtualization.VMAdapterView) string {
		switch {
		case a.Switch == "":
			return "it is not connected to a switch"
		case a.Quarantine != "":
			return "it is in quarantine; z releases it"
		case a.Function >= 0:
			return "it has a virtual function"
		case a.IovWeight > 0 && !v.canRequestAgain(a):
			return strings.TrimSuffix("it requests a virtual function already: "+a.Why, ": ")
		default:
			return v.noFunctions(a)
		}
	})
}

// canRequestAgain reports whether an adapter's request for a virtual function failed but its port has a free one now:
// the cause of the failure may be gone.
func (v *View) canRequestAgain(a *virtualization.VMAdapterView) bool {
	p := v.scene.ports[a.Port]
	return a.IovWeight > 0 && a.Function < 0 && p != nil && p.SRIOV.Free > 0
}

// repeatRequest returns the Operations with which an adapter withdraws its request for a virtual function and repeats it.
func repeatRequest(a *virtualization.VMAdapterView) []driver.Operation {
	none, full := settings(a), settings(a)
	nothing, weight := 0, a.IovWeight
	none.IovWeight, full.IovWeight = &nothing, &weight
	return []driver.Operation{none, full}
}

// noFunctions returns why the switch of an adapter can't provide a virtual function; empty if it can.
func (v *View) noFunctions(a *virtualization.VMAdapterView) string {
	for i := range v.scene.host.Switches {
		if s := &v.scene.host.Switches[i]; s.Name == a.Switch && !s.IOV {
			return "its switch " + s.Name + " was created without SR-IOV"
		}
	}
	return ""
}

// detach opens the form that detaches virtual functions from adapters.
func (v *View) detach(rows []*row) opening {
	return v.setWeight(detachID, "Detach", rows, 0, func(a *virtualization.VMAdapterView) string {
		switch {
		case a.IovWeight == 0:
			return "it neither has nor requests a virtual function"
		case a.Quarantine != "":
			return "it is in quarantine; z releases it"
		default:
			return ""
		}
	})
}

// setWeight opens the form that sets the IovWeight of adapters; why returns why an adapter can't be chosen.
func (v *View) setWeight(id, verb string, rows []*row, weight int, why func(*virtualization.VMAdapterView) string) opening {
	initial := slices.DeleteFunc(nicsOf(rows), func(name string) bool { return why(v.scene.nics[name]) != "" })
	return v.opening(id, v.objectOf(rows), change.Form{
		Fresh: true, Waiting: v.waiting, Outcome: v.adapterPaths, Field: v.adapters(initial, why),
		Check: func(values wizard.Values) (list []wizard.Message) {
			if weight == 0 {
				return nil
			}
			for _, a := range v.chosen(values) {
				if vm := v.scene.vms[a.VM]; vm != nil && vm.GuestDriver == "" {
					list = append(list, wizard.Message{Field: fieldAdapters, Severity: wizard.Warning,
						Text: a.VM + " has no VF driver in the guest: its traffic stays on the synthetic path"})
				}
			}
			return list
		},
		Plan: func(values wizard.Values) driver.Plan {
			list := v.chosen(values)
			plan := driver.Plan{Title: fmt.Sprintf("%s virtual functions: %s", verb, wording.Count(len(list), "adapter"))}
			for _, a := range list {
				o := settings(a)
				o.IovWeight = &weight
				switch {
				case a.IovWeight != weight:
					plan.Operations = append(plan.Operations, o)
				case v.canRequestAgain(a):
					plan.Operations = append(plan.Operations, repeatRequest(a)...)
				}
			}
			return plan
		},
	})
}

// reset opens the form that resets virtual functions.
func (v *View) reset(rows []*row) opening {
	var initial []string
	for _, r := range rows {
		if r.vf != nil {
			initial = append(initial, r.id)
		}
	}
	return v.opening(resetID, v.objectOf(rows), change.Form{
		Fresh: true,
		Field: func(f *wizard.Field, _ wizard.Values) bool {
			f.Initial.IDs = initial
			for _, r := range v.scene.allRows() {
				if r.vf != nil {
					f.Choices = append(f.Choices, wizard.Choice{ID: r.id, Label: vfName(&r), Text: r.vmName()})
				}
			}
			if len(f.Choices) == 0 {
				f.Disabled = "there are no virtual functions"
			}
			return true
		},
		Plan: func(values wizard.Values) driver.Plan {
			plan := driver.Plan{}
			for _, r := range v.scene.allRows() {
				if r.vf != nil && values.Has(fieldFunctions, r.id) {
					plan.Operations = append(plan.Operations,
						virtualization.ResetVF{Connection: r.port.Description.Connection, Function: r.vf.ID})
				}
			}
			plan.Title = "Reset " + wording.Count(len(plan.Operations), "virtual function")
			return plan
		},
	})
}
