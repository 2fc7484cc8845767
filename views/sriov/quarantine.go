package sriov

import (
	"slices"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/change"
)

// allQuarantined reports whether all adapters of the rows are in quarantine.
func allQuarantined(rows []*row) bool {
	return !slices.ContainsFunc(rows, func(r *row) bool { return r.nic == nil || r.nic.Quarantine == "" })
}

// quarantine opens the form that takes adapters off the network for a reason. If all marked adapters are in quarantine,
// it opens the form that releases them.
func (v *View) quarantine(rows []*row) opening { return v.setQuarantine(allQuarantined(rows), rows) }

// setQuarantine is the form that takes adapters off the network, or that releases them.
func (v *View) setQuarantine(release bool, rows []*row) opening {
	id := quarantineID
	if release {
		id = releaseID
	}
	why := func(a *virtualization.VMAdapterView) string {
		switch {
		case release && a.Quarantine == "":
			return "it is not in quarantine"
		case !release && a.Quarantine != "":
			return "it is in quarantine: " + a.Quarantine
		default:
			return ""
		}
	}
	initial := slices.DeleteFunc(nicsOf(rows), func(name string) bool { return why(v.scene.nics[name]) != "" })
	proposed := ""
	for _, r := range rows {
		if w := r.misbehaviour(); w != "" {
			proposed = w
		}
	}
	return v.opening(id, v.objectOf(rows), change.Form{
		Fresh: true,
		Field: func(f *wizard.Field, _ wizard.Values) bool {
			if f.ID == fieldReason {
				f.Initial.Text = proposed
				return true
			}
			v.offerAdapters(f, initial, why)
			return true
		},
		Plan: func(values wizard.Values) driver.Plan {
			list := v.chosen(values)
			plan := driver.Plan{Title: "Quarantine " + wording.Count(len(list), "adapter")}
			if release {
				plan.Title = "Release " + wording.Count(len(list), "adapter") + " from quarantine"
			}
			for _, a := range list {
				plan.Operations = append(plan.Operations,
					virtualization.Quarantine{VM: a.VM, Adapter: a.Name, Reason: values.Text(fieldReason)})
			}
			return plan
		},
	})
}
