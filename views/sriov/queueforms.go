package sriov

import (
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/change"
)

// vmqForm is the wizard that gives adapters receive queues of their own (VIRT-1).
func (v *View) vmqForm() change.Form {
	names := v.selectedNICs()
	return change.Form{
		Fresh: true, Outcome: v.queueOutcome,
		Field: v.adapters(names, nil),
		Plan: func(values wizard.Values) driver.Plan {
			weight := 0
			if values.On(fieldOn) {
				weight = fullWeight
			}
			plan := driver.Plan{Title: "Virtual machine queues " + wording.OnOff(values.On(fieldOn))}
			for _, a := range v.chosen(values) {
				if o := settings(a); a.VmqWeight != weight {
					o.VmqWeight = &weight
					plan.Operations = append(plan.Operations, o)
				}
			}
			return plan
		},
	}
}

// vmmqForm is the wizard for several queues per adapter, in the driver and at each adapter (VIRT-3).
func (v *View) vmmqForm() change.Form {
	names := v.selectedNICs()
	return change.Form{
		Fresh: true, Waiting: v.waiting, Outcome: v.queueOutcome,
		Field: func(f *wizard.Field, values wizard.Values) bool {
			switch f.ID {
			case fieldPort:
				v.offerPorts(f, "")
			case keyVPorts:
				f.Initial.On = v.policyOf(values).hostVPorts()
			case fieldAdapters:
				v.offerAdapters(f, names, nil)
			}
			return true
		},
		Plan: func(values wizard.Values) driver.Plan {
			plan := driver.Plan{Title: "VMMQ " + wording.OnOff(values.On(fieldVMMQ))}
			name := v.portOf(values)
			o, ok := v.policies[name].set(name, keyVPorts, strconv.Itoa(boolNumber(values.On(keyVPorts))))
			if ok && v.policies[name].hostVPorts() != values.On(keyVPorts) {
				plan.Operations = append(plan.Operations, o)
			}
			on := values.On(fieldVMMQ)
			pairs, _ := values.Number(fieldPairs)
			for _, a := range v.chosen(values) {
				o := settings(a)
				if a.VmmqEnabled != on {
					o.VmmqEnabled = &on
				}
				if on && a.VmmqQueuePairs != pairs {
					o.VmmqQueuePairs = &pairs
				}
				if o.VmmqEnabled != nil || o.VmmqQueuePairs != nil {
					plan.Operations = append(plan.Operations, o)
				}
			}
			return plan
		},
	}
}

// queueOutcome returns the current queues of the chosen adapters.
func (v *View) queueOutcome(values wizard.Values) wizard.Result {
	r := wizard.Result{Mark: wizard.Good, Word: "done", Text: "All changes of the plan are in effect."}
	for _, a := range v.chosen(values) {
		r.Facts = append(r.Facts, queueFact(a))
	}
	return r
}

// queueFact returns the queues that serve an adapter.
func queueFact(a *virtualization.VMAdapterView) wizard.Fact {
	f := wizard.Fact{Mark: wizard.Good, Label: nicName(a.VM, a.Name)}
	switch {
	case a.Function >= 0:
		f.Word, f.Text = fmt.Sprintf("VF %d", a.Function), "queues are used when its traffic takes the synthetic path"
	case a.Default:
		f.Mark, f.Word = wizard.Down, "default queue"
		if a.VmqWeight > 0 {
			f.Text = "the port has none for it: see *RssOrVmqPreference and MaxNumVmqs of the port"
		}
	case len(a.Queues) > 0:
		f.Word, f.Text = wording.Count(len(a.Queues), "queue"), "rings "+strings.Trim(fmt.Sprint(a.Queues), "[]")
	default:
		f.Mark, f.Word, f.Text = wizard.Down, "no queue", a.Why
	}
	return f
}

// rdmaForm allows or forbids RDMA in virtual machines. The weight takes effect when the function is attached, so the plan
// detaches the function and attaches it again (VIRT-5).
func (v *View) rdmaForm() change.Form {
	names := v.selectedNICs()
	return change.Form{
		Fresh: true, Waiting: v.waiting, Outcome: v.adapterPaths,
		Field: v.adapters(names, nil),
		Plan: func(values wizard.Values) driver.Plan {
			weight, none, full := 0, 0, fullWeight
			if values.On(fieldRDMA) {
				weight = fullWeight
			}
			plan := driver.Plan{Title: "RDMA in virtual machines " + wording.OnOff(values.On(fieldRDMA))}
			for _, a := range v.chosen(values) {
				if a.RdmaWeight == weight {
					continue
				}
				if a.IovWeight > 0 {
					o := settings(a)
					o.IovWeight = &none
					plan.Operations = append(plan.Operations, o)
				}
				o := settings(a)
				o.RdmaWeight = &weight
				plan.Operations = append(plan.Operations, o)
				if a.IovWeight > 0 {
					o := settings(a)
					o.IovWeight = &full
					plan.Operations = append(plan.Operations, o)
				}
			}
			return plan
		},
	}
}
