package sriov

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/driver/hyperv"
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
			c := widget.WizardChoice{ID: p.Description.Connection, Label: p.Description.Connection, Text: a.Description.Name + ", " + summary(&p.SRIOV)}
			c.Mark, c.Word = widget.WizardDown, "down"
			if p.Up {
				c.Mark, c.Word = widget.WizardGood, "up"
			}
			if p.Management {
				c.Text += ", your session"
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
				fields = append(fields, v.numVFsField(p), widget.WizardField{ID: "now", Label: "What comes of it", Kind: widget.WizardFacts, Facts: v.formula(p, values)})
			}
			return fields
		},
		Plan: func(values widget.WizardValues) driver.Plan {
			name := v.portOf(values)
			plan := driver.Plan{Title: "Virtual functions of " + name}
			if n, ok := values.Number(fieldNumVFs); ok && v.portNamed(name) != nil && n != v.portNamed(name).SRIOV.NumVFs {
				plan.Operations = []driver.Operation{driver.SetNumVFs{Connection: name, NumVFs: n}}
			}
			return plan
		},
	}
}

// typeChoices are the Ethertypes that can be allowed, with those of a list that have no name.
func typeChoices(list []uint16, family device.Family) (choices []widget.WizardChoice) {
	id := func(t uint16) string { return fmt.Sprintf("0x%04X", t) }
	for _, n := range hyperv.EtherTypes() {
		c := widget.WizardChoice{ID: id(n.Type), Label: n.Name, Text: id(n.Type)}
		switch {
		case family == device.WinOF && (n.Type == hyperv.FCoE || n.Type == hyperv.FIP):
			c.Help = "FCoE is a pair: 0x8906 and 0x8914 are allowed together (WinOF)."
		case n.Type == hyperv.LLC:
			c.Help = "Frames with a length in place of the type; it takes a place in the list (WinOF)."
			if family == device.WinOF2 {
				c.Disabled = "with WinOF-2, 0 is no Ethertype"
			}
		}
		choices = append(choices, c)
	}
	for _, t := range list {
		if !slices.ContainsFunc(choices, func(c widget.WizardChoice) bool { return c.ID == id(t) }) {
			choices = append(choices, widget.WizardChoice{ID: id(t), Label: id(t), Text: "stored now"})
		}
	}
	return choices
}

// The fields of the wizard for Ethertypes.
const (
	fieldTypes = "types"
	fieldOther = "other"
)

// ethertypesForm asks which Ethertypes functions may send (IOV-8 to IOV-12).
func (v *View) ethertypesForm() (string, change.Form) {
	return "", change.Form{
		Fresh: true, Waiting: v.waiting, Lines: v.typeLines,
		Fields: func(_ string, values widget.WizardValues) []widget.WizardField {
			k := v.policyOf(values)
			list, _ := k.types()
			var initial []string
			for _, t := range list {
				initial = append(initial, fmt.Sprintf("0x%04X", t))
			}
			family := device.WinOF2
			if card := v.cardOf(v.portOf(values)); card != nil {
				family = card.Description.Family
			}
			on := widget.WizardField{ID: fieldOn, Kind: widget.WizardToggle, Initial: widget.WizardValue{On: k.text(keyListOn) != "0"}}
			fields := []widget.WizardField{v.portField(keyListOn), on}
			if on := values[fieldOn].On; on || len(values) == 0 {
				fields = append(fields,
					widget.WizardField{ID: fieldTypes, Kind: widget.WizardManyOf, Choices: typeChoices(list, family), Initial: widget.WizardValue{IDs: initial}},
					widget.WizardField{ID: fieldOther, Kind: widget.WizardText, Limit: 60, Hint: "0x88CC, 0x88E5"})
			}
			return fields
		},
		Check: func(values widget.WizardValues) (list []widget.WizardMessage) {
			say := func(severity widget.WizardSeverity, field, text string) {
				list = append(list, widget.WizardMessage{Field: field, Severity: severity, Text: text})
			}
			types, err := chosenTypes(values)
			if err != nil {
				say(widget.WizardError, fieldOther, err.Error())
			}
			switch {
			case !values.On(fieldOn):
				say(widget.WizardWarning, fieldOn, "without the list, functions may send nearly anything")
			case len(types) > etherTypeSlots:
				say(widget.WizardError, fieldTypes, fmt.Sprintf("the registry has room for %d types, and these are %d", etherTypeSlots, len(types)))
			case len(types) == 0:
				say(widget.WizardInfo, fieldTypes, "without an entry the driver's own list counts: IPv4, ARP, IPv6")
			default:
				for _, t := range hyperv.DefaultTypes() {
					if !slices.Contains(types, t) {
						say(widget.WizardWarning, fieldTypes, hyperv.EtherTypeName(t)+" is not among them: virtual machines that need it lose their network")
					}
				}
			}
			return list
		},
		Plan: func(values widget.WizardValues) driver.Plan {
			name, k := v.portOf(values), v.policyOf(values)
			plan := driver.Plan{Title: "Ethertypes of virtual functions of " + name}
			add := func(key, value string) {
				if o, ok := k.set(name, key, value); ok {
					plan.Operations = append(plan.Operations, o)
				}
			}
			if on := boolNumber(values.On(fieldOn)); (k.text(keyListOn) != "0") != values.On(fieldOn) {
				add(keyListOn, strconv.Itoa(on))
			}
			if !values.On(fieldOn) {
				return plan
			}
			types, _ := chosenTypes(values)
			if list, own := k.types(); !own && slices.Equal(slices.Sorted(slices.Values(list)), slices.Sorted(slices.Values(types))) {
				return plan // the driver's list is what was chosen
			}
			for slot := range etherTypeSlots {
				key, value := keyType+strconv.Itoa(slot), ""
				if slot < len(types) {
					value = strconv.Itoa(int(types[slot]))
				}
				if stored, err := strconv.ParseInt(k.stored[key], 0, 32); err == nil && value == strconv.Itoa(int(stored)) {
					continue
				}
				add(key, value)
			}
			return plan
		},
	}
}

// typeLines name the Ethertypes that change.
func (v *View) typeLines(o driver.Operation) []widget.WizardLine {
	connection, key, value := "", "", ""
	switch o := o.(type) {
	case driver.SetValue:
		connection, key, value = o.Connection, o.Key, o.Value
	case driver.DeleteValue:
		connection, key = o.Connection, o.Key
	}
	slot, ok := strings.CutPrefix(key, keyType)
	if _, err := strconv.Atoi(slot); !ok || err != nil {
		return nil
	}
	named := func(text string) string {
		n, err := strconv.ParseUint(text, 0, 16)
		if err != nil {
			return "none"
		}
		return fmt.Sprintf("%s (0x%04X)", hyperv.EtherTypeName(uint16(n)), n)
	}
	return []widget.WizardLine{change.Changed("Entry "+slot+" of "+connection, named(v.policies[connection].stored[key]), named(value))}
}

// chosenTypes are the types of an answer; an error says which of those that were written is none.
func chosenTypes(values widget.WizardValues) (types []uint16, err error) {
	words := slices.Clone(values.IDs(fieldTypes))
	words = append(words, strings.FieldsFunc(values.Text(fieldOther), func(r rune) bool { return r == ',' || r == ' ' })...)
	for _, word := range words {
		n, failed := strconv.ParseUint(word, 0, 16)
		if failed != nil {
			return types, fmt.Errorf("%q is no Ethertype: write numbers such as 0x88CC, with commas between them", word)
		}
		if !slices.Contains(types, uint16(n)) {
			types = append(types, uint16(n))
		}
	}
	return types, nil
}

// fieldPromiscuous is the field of the wizard for DHCP that is no key.
const fieldPromiscuous = "promiscuous"

// dhcpForm sends the DHCP packets of functions to the physical function, and makes that promiscuous, which it needs
// (IOV-13).
func (v *View) dhcpForm() (string, change.Form) {
	form := v.keysForm("DHCP of virtual functions of ", keyDHCP, func(k policy) []widget.WizardField {
		return []widget.WizardField{{ID: keyDHCP, Kind: widget.WizardToggle, Initial: widget.WizardValue{On: k.number(keyDHCP) == 1}}}
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
			set := driver.SetFeature{Connection: name, Feature: driver.FeaturePromiscuous, On: values.On(fieldPromiscuous)}
			all.Operations = append([]driver.Operation{set}, all.Operations...)
		}
		return all
	}
	return "", form
}

// monitorForm sets the thresholds of the monitor (IOV-14).
func (v *View) monitorForm() (string, change.Form) {
	return "", v.keysForm("Monitor of virtual functions of ", keyMonitor, func(k policy) []widget.WizardField {
		number := func(key, usual, hint string, least int) widget.WizardField {
			f := widget.WizardField{ID: key, Kind: widget.WizardNumber, Low: least, High: 1 << 30, Hint: hint, Required: true, Initial: widget.WizardValue{Text: k.text(key)}}
			if f.Initial.Text == "" {
				f.Initial.Text = usual
			}
			return f
		}
		return []widget.WizardField{
			{ID: keyMonitor, Kind: widget.WizardToggle, Initial: widget.WizardValue{On: k.stored[keyMonitor] == "" || k.number(keyMonitor) == 1}},
			number(keyPeriod, "10", "seconds between two readings", 1),
			number(keyUseMost, "50", "percent in a period", 0),
			number(keyErrorsMost, "100", "errors in a period", 0),
		}
	}, nil)
}

// memoryForm limits the memory that a function may take of the host (IOV-15).
func (v *View) memoryForm() (string, change.Form) {
	return "", v.keysForm("Memory of virtual functions of ", keyPages, func(k policy) []widget.WizardField {
		f := widget.WizardField{ID: keyPages, Kind: widget.WizardNumber, Low: 0, High: 1 << 30, Hint: "pages of 4 KB; empty: no limit", Initial: widget.WizardValue{Text: k.text(keyPages)}}
		return []widget.WizardField{f}
	}, func(values widget.WizardValues) (list []widget.WizardMessage) {
		pages, ok := values.Number(keyPages)
		p := v.portNamed(v.portOf(values))
		if !ok || p == nil {
			return nil
		}
		list = append(list, widget.WizardMessage{Field: keyPages, Severity: widget.WizardInfo, Text: fmt.Sprintf("%d pages are %d MB a function", pages, pages*4/1024)})
		over := 0
		for i := range p.SRIOV.VFs {
			if p.SRIOV.VFs[i].Pages > pages {
				over++
			}
		}
		if over > 0 {
			list = append(list, widget.WizardMessage{Field: keyPages, Severity: widget.WizardWarning,
				Text: fmt.Sprintf("%s more than that now, and will get no further memory", map[bool]string{true: "1 function takes", false: strconv.Itoa(over) + " functions take"}[over == 1])})
		}
		return list
	})
}

// keysForm asks for values of keys of a port whose ids are the keys; need is one that its driver must have.
func (v *View) keysForm(title, need string, fields func(policy) []widget.WizardField, check func(widget.WizardValues) []widget.WizardMessage) change.Form {
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
