package sriov

import (
	"cmp"
	"fmt"
	"strconv"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/virtualization/hyperv"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/change"
)

// offerPorts completes the field for a port; a port whose driver lacks the key can't be chosen.
func (v *View) offerPorts(f *wizard.Field, key string) {
	if p := v.port(); p != nil {
		f.Initial.Text = p.Description.Connection
	}
	for i := range v.scene.host.Adapters {
		a := &v.scene.host.Adapters[i]
		for j := range a.Ports {
			p := &a.Ports[j]
			c := wizard.Choice{ID: p.Description.Connection, Label: p.Description.Connection}
			c.Text = summary(&p.SRIOV) + ", " + a.Description.Name
			if p.Management {
				c.Text = "your session, " + c.Text
			}
			c.Mark, c.Word = wizard.Down, "down"
			if p.Up {
				c.Mark, c.Word = wizard.Good, "up"
			}
			if k, known := v.policies[c.ID]; known && key != "" && !k.known[key] {
				c.Disabled = "its driver has no " + key
			}
			f.Choices = append(f.Choices, c)
		}
	}
}

// portOf returns the connection of the chosen port, or of the proposed port.
func (v *View) portOf(values wizard.Values) string {
	if name := values.Text(fieldPort); name != "" {
		return name
	}
	if p := v.port(); p != nil {
		return p.Description.Connection
	}
	return ""
}

func (v *View) policyOf(values wizard.Values) policy { return v.policies[v.portOf(values)] }

// numVFsForm is the wizard for the number of a port's functions that Windows may use (IOV-4).
func (v *View) numVFsForm() change.Form {
	return change.Form{
		Fresh: true, Waiting: v.waiting,
		Field: func(f *wizard.Field, values wizard.Values) bool {
			p := v.portNamed(v.portOf(values))
			switch {
			case f.ID == fieldPort:
				v.offerPorts(f, "")
			case p == nil:
				return false
			case f.ID == fieldNumVFs:
				f.High, f.Initial.Text = hyperv.MaxPerPort, strconv.Itoa(p.SRIOV.NumVFs)
			default:
				f.Facts = v.formula(p, values)
			}
			return true
		},
		Plan: func(values wizard.Values) driver.Plan {
			name := v.portOf(values)
			plan := driver.Plan{Title: "Virtual functions of " + name}
			if n, ok := values.Number(fieldNumVFs); ok && v.portNamed(name) != nil &&
				n != v.portNamed(name).SRIOV.NumVFs {
				plan.Operations = []driver.Operation{virtualization.SetNumVFs{Connection: name, NumVFs: n}}
			}
			return plan
		},
	}
}

// fieldPromiscuous is the only field of the DHCP wizard that is not a registry key.
const fieldPromiscuous = "promiscuous"

// dhcpForm redirects the DHCP packets of functions to the physical function and sets it to promiscuous mode, which
// redirection requires (IOV-13).
func (v *View) dhcpForm() change.Form {
	form := v.keysForm("DHCP of virtual functions of ", []string{keyDHCP}, func(values wizard.Values) (list []wizard.Message) {
		if values.On(keyDHCP) && !values.On(fieldPromiscuous) {
			list = append(list, wizard.Message{Field: fieldPromiscuous, Severity: wizard.Warning,
				Text: "without it DHCP stays with the virtual functions"})
		}
		return list
	})
	field, plan := form.Field, form.Plan
	form.Field = func(f *wizard.Field, values wizard.Values) bool {
		if f.ID == fieldPromiscuous {
			p := v.portNamed(v.portOf(values))
			f.Initial.On = p != nil && p.SRIOV.Promiscuous || values.On(keyDHCP)
			return true
		}
		return field(f, values)
	}
	form.Plan = func(values wizard.Values) driver.Plan {
		all, name := plan(values), v.portOf(values)
		if p := v.portNamed(name); p != nil && p.SRIOV.Promiscuous != values.On(fieldPromiscuous) {
			set := virtualization.SetFeature{Connection: name, Feature: virtualization.FeaturePromiscuous,
				On: values.On(fieldPromiscuous)}
			all.Operations = append([]driver.Operation{set}, all.Operations...)
		}
		return all
	}
	return form
}

// monitorForm sets the thresholds of the monitor (IOV-14).
func (v *View) monitorForm() change.Form {
	return v.keysForm("Monitor of virtual functions of ", []string{keyMonitor, keyPeriod, keyMaxUse, keyMaxErrors}, nil)
}

// memoryForm limits the host memory of a function (IOV-15).
func (v *View) memoryForm() change.Form {
	form := v.keysForm("Memory of virtual functions of ", []string{keyPages}, func(values wizard.Values) (list []wizard.Message) {
		pages, ok := values.Number(keyPages)
		p := v.portNamed(v.portOf(values))
		if !ok || p == nil {
			return nil
		}
		say := func(severity wizard.Severity, text string) {
			list = append(list, wizard.Message{Field: keyPages, Severity: severity, Text: text})
		}
		if pages == 0 {
			say(wizard.Info, "0 is no limit")
			return list
		}
		say(wizard.Info, fmt.Sprintf("%s are %s a function", wording.Count(pages, "page"),
			perf.Number(float64(pages)*pageBytes, perf.Bytes, false, true)))
		if over := overLimit(p, pages); over > 0 {
			say(wizard.Warning, overLimitText(over)+": they keep it until they are attached again")
		}
		return list
	})
	form.Outcome = func(values wizard.Values) wizard.Result {
		r := wizard.Result{Mark: wizard.Good, Word: "done", Text: "All changes of the plan are in effect."}
		pages, ok := values.Number(keyPages)
		if p := v.portNamed(v.portOf(values)); ok && pages > 0 && p != nil && overLimit(p, pages) > 0 {
			r.Text = "It applies to functions that are attached from now on; " + overLimitText(overLimit(p, pages)) + "."
		}
		return r
	}
	return form
}

// pageBytes is the size of a page of host memory in bytes.
const pageBytes = 4096

// overLimit returns the number of a port's functions that hold more pages than the limit.
func overLimit(p *driver.PortView, pages int) (n int) {
	for i := range p.SRIOV.VFs {
		if p.SRIOV.VFs[i].Pages > pages {
			n++
		}
	}
	return n
}

func overLimitText(functions int) string {
	if functions == 1 {
		return "1 function uses more now"
	}
	return fmt.Sprintf("%d functions use more now", functions)
}

// keyField completes the field for the value of a registry key.
func (k policy) keyField(f *wizard.Field) {
	switch f.ID {
	case keyMonitor: // on by default
		f.Initial.On = k.stored[keyMonitor] == "" || k.number(keyMonitor) == 1
		return
	case keyPeriod:
		f.High = virtualization.MaxMonitorPeriod
	case keyPages:
		f.High = virtualization.MaxPageLimit
	}
	if f.Kind == wizard.Toggle {
		f.Initial.On = k.number(f.ID) == 1
	} else {
		f.Initial.Text = cmp.Or(k.text(f.ID), f.Initial.Text)
	}
}

// keysForm is a form for registry keys of a port. The driver must have the first one. The IDs of the fields are the keys.
func (v *View) keysForm(title string, keys []string, check func(wizard.Values) []wizard.Message) change.Form {
	return change.Form{
		Fresh: true, Waiting: v.waiting, Check: check,
		Field: func(f *wizard.Field, values wizard.Values) bool {
			if f.ID == fieldPort {
				v.offerPorts(f, keys[0])
			} else {
				v.policyOf(values).keyField(f)
			}
			return true
		},
		Plan: func(values wizard.Values) driver.Plan {
			name, k := v.portOf(values), v.policyOf(values)
			plan := driver.Plan{Title: title + name}
			for _, key := range keys {
				value := values.Text(key)
				if key == keyDHCP || key == keyMonitor {
					value = strconv.Itoa(boolNumber(values.On(key)))
					if k.stored[key] == "" && k.number(key) == boolNumber(values.On(key)) {
						continue // as it is without a value
					}
				}
				if o, ok := k.set(name, key, value); ok {
					plan.Operations = append(plan.Operations, o)
				}
			}
			return plan
		},
	}
}
