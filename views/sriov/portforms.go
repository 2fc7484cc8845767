package sriov

import (
	"fmt"
	"math"
	"strconv"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/perf"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
)

// portField asks which port it is; why says why one can't be chosen when key is one that its driver lacks.
func (v *View) portField(key string) widget.WizardField {
	f := widget.WizardField{ID: fieldPort, Kind: widget.WizardOneOf, Required: true}
	if p := v.port(); p != nil {
		f.Initial.Text = p.Description.Connection
	}
	for i := range v.scene.host.Adapters {
		a := &v.scene.host.Adapters[i]
		for j := range a.Ports {
			p := &a.Ports[j]
			c := widget.WizardChoice{ID: p.Description.Connection, Label: p.Description.Connection}
			c.Text = summary(&p.SRIOV) + ", " + a.Description.Name
			if p.Management {
				c.Text = "your session, " + c.Text
			}
			c.Mark, c.Word = widget.WizardDown, "down"
			if p.Up {
				c.Mark, c.Word = widget.WizardGood, "up"
			}
			if k, known := v.policies[c.ID]; known && key != "" && !k.known[key] {
				c.Disabled = "its driver has no " + key
			}
			f.Choices = append(f.Choices, c)
		}
	}
	return f
}

// portOf is the connection of an answer, or the one that is proposed.
func (v *View) portOf(values widget.WizardValues) string {
	if name := values.Text(fieldPort); name != "" {
		return name
	}
	if p := v.port(); p != nil {
		return p.Description.Connection
	}
	return ""
}

func (v *View) policyOf(values widget.WizardValues) policy { return v.policies[v.portOf(values)] }

// numVFsForm asks how many functions Windows may use of a port (IOV-4).
func (v *View) numVFsForm() (string, change.Form) {
	return "", change.Form{
		Fresh: true, Waiting: v.waiting, Lines: v.sriovLines,
		Fields: func(_ string, values widget.WizardValues) []widget.WizardField {
			fields := []widget.WizardField{v.portField("")}
			if p := v.portNamed(v.portOf(values)); p != nil {
				fields = append(fields, v.numVFsField(p),
					widget.WizardField{ID: "now", Label: "Result", Kind: widget.WizardFacts,
						Facts: v.formula(p, values)})
			}
			return fields
		},
		Plan: func(values widget.WizardValues) driver.Plan {
			name := v.portOf(values)
			plan := driver.Plan{Title: "Virtual functions of " + name}
			if n, ok := values.Number(fieldNumVFs); ok && v.portNamed(name) != nil &&
				n != v.portNamed(name).SRIOV.NumVFs {
				plan.Operations = []driver.Operation{driver.SetNumVFs{Connection: name, NumVFs: n}}
			}
			return plan
		},
	}
}

// fieldPromiscuous is the field of the wizard for DHCP that is no key.
const fieldPromiscuous = "promiscuous"

// dhcpForm sends the DHCP packets of functions to the physical function, and makes that promiscuous, which it needs
// (IOV-13).
func (v *View) dhcpForm() (string, change.Form) {
	form := v.keysForm("DHCP of virtual functions of ", keyDHCP, func(k policy) []widget.WizardField {
		return []widget.WizardField{toggle(keyDHCP, k.number(keyDHCP) == 1)}
	}, func(values widget.WizardValues) (list []widget.WizardMessage) {
		if values.On(keyDHCP) && !values.On(fieldPromiscuous) {
			list = append(list, widget.WizardMessage{Field: fieldPromiscuous, Severity: widget.WizardWarning,
				Text: "without it DHCP stays with the virtual functions"})
		}
		return list
	})
	fields, plan := form.Fields, form.Plan
	form.Fields = func(step string, values widget.WizardValues) []widget.WizardField {
		p := v.portNamed(v.portOf(values))
		now := p != nil && p.SRIOV.Promiscuous
		return append(fields(step, values), widget.WizardField{ID: fieldPromiscuous, Kind: widget.WizardToggle,
			Initial: widget.WizardValue{On: now || values.On(keyDHCP)}})
	}
	form.Plan = func(values widget.WizardValues) driver.Plan {
		all, name := plan(values), v.portOf(values)
		if p := v.portNamed(name); p != nil && p.SRIOV.Promiscuous != values.On(fieldPromiscuous) {
			set := driver.SetFeature{Connection: name, Feature: driver.FeaturePromiscuous,
				On: values.On(fieldPromiscuous)}
			all.Operations = append([]driver.Operation{set}, all.Operations...)
		}
		return all
	}
	return "", form
}

// monitorForm sets the thresholds of the monitor (IOV-14).
func (v *View) monitorForm() (string, change.Form) {
	return "", v.keysForm("Monitor of virtual functions of ", keyMonitor, func(k policy) []widget.WizardField {
		number := func(key, usual, hint string, least, most int) widget.WizardField {
			f := widget.WizardField{ID: key, Kind: widget.WizardNumber, Low: least, High: most, Hint: hint,
				Required: true, Initial: typed(k.text(key))}
			if f.Initial.Text == "" {
				f.Initial.Text = usual
			}
			return f
		}
		return []widget.WizardField{
			toggle(keyMonitor, k.stored[keyMonitor] == "" || k.number(keyMonitor) == 1),
			number(keyPeriod, "10", "seconds between two readings", 1, virtualization.MaxMonitorPeriod),
			number(keyUseMost, "50", "percent in a period", 0, math.MaxUint32),
			number(keyErrorsMost, "100", "errors in a period", 0, math.MaxUint32),
		}
	}, nil)
}

// memoryForm limits the memory that a function may take of the host (IOV-15).
func (v *View) memoryForm() (string, change.Form) {
	form := v.keysForm("Memory of virtual functions of ", keyPages, func(k policy) []widget.WizardField {
		return []widget.WizardField{{ID: keyPages, Kind: widget.WizardNumber, Low: 0, High: virtualization.MaxPageLimit,
			Hint: "pages of 4 KB; empty: no limit", Initial: typed(k.text(keyPages))}}
	}, func(values widget.WizardValues) (list []widget.WizardMessage) {
		pages, ok := values.Number(keyPages)
		p := v.portNamed(v.portOf(values))
		if !ok || p == nil {
			return nil
		}
		say := func(severity widget.WizardSeverity, text string) {
			list = append(list, widget.WizardMessage{Field: keyPages, Severity: severity, Text: text})
		}
		if pages == 0 {
			say(widget.WizardInfo, "0 is no limit")
			return list
		}
		say(widget.WizardInfo, fmt.Sprintf("%s are %s a function", countOf(pages, "page"),
			perf.Number(float64(pages)*pageBytes, perf.Bytes, false, true)))
		if over := overLimit(p, pages); over > 0 {
			say(widget.WizardWarning, takeMore(over)+": they keep it until they are attached again")
		}
		return list
	})
	form.Outcome = func(values widget.WizardValues) widget.WizardResult {
		r := widget.WizardResult{Mark: widget.WizardGood, Word: "done", Text: "Everything is as the plan says."}
		pages, ok := values.Number(keyPages)
		if p := v.portNamed(v.portOf(values)); ok && pages > 0 && p != nil && overLimit(p, pages) > 0 {
			r.Text = "It counts for functions that are attached from now on; " + takeMore(overLimit(p, pages)) + "."
		}
		return r
	}
	return "", form
}

// pageBytes is the size of a page of host memory.
const pageBytes = 4096

// overLimit is how many functions of a port hold more than so many pages.
func overLimit(p *driver.PortView, pages int) (n int) {
	for i := range p.SRIOV.VFs {
		if p.SRIOV.VFs[i].Pages > pages {
			n++
		}
	}
	return n
}

func takeMore(functions int) string {
	if functions == 1 {
		return "1 function takes more now"
	}
	return fmt.Sprintf("%d functions take more now", functions)
}

// keysForm asks for values of keys of a port whose ids are the keys; need is one that its driver must have.
func (v *View) keysForm(title, need string, fields func(policy) []widget.WizardField,
	check func(widget.WizardValues) []widget.WizardMessage) change.Form {
	return change.Form{
		Fresh: true, Waiting: v.waiting, Check: check,
		Fields: func(_ string, values widget.WizardValues) []widget.WizardField {
			return append([]widget.WizardField{v.portField(need)}, fields(v.policyOf(values))...)
		},
		Plan: func(values widget.WizardValues) driver.Plan {
			name, k := v.portOf(values), v.policyOf(values)
			plan := driver.Plan{Title: title + name}
			for _, f := range fields(k) {
				value := values.Text(f.ID)
				if f.Kind == widget.WizardToggle {
					value = strconv.Itoa(boolNumber(values.On(f.ID)))
					if k.stored[f.ID] == "" && k.number(f.ID) == boolNumber(values.On(f.ID)) {
						continue // as it is without a value
					}
				}
				if o, ok := k.set(name, f.ID, value); ok {
					plan.Operations = append(plan.Operations, o)
				}
			}
			return plan
		},
	}
}
