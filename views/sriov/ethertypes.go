package sriov

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization/hyperv"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
)

// typeChoices are the Ethertypes that can be allowed, also unnamed ones of a list.
func typeChoices(list []uint16, family description.Family) (choices []widget.WizardChoice) {
	id := func(t uint16) string { return fmt.Sprintf("0x%04X", t) }
	for _, n := range hyperv.EtherTypes() {
		c := widget.WizardChoice{ID: id(n.Type), Label: n.Name, Text: id(n.Type)}
		switch {
		case family == description.WinOF && (n.Type == hyperv.FCoE || n.Type == hyperv.FIP):
			c.Help = "FCoE is a pair: 0x8906 and 0x8914 are allowed together (WinOF)."
		case n.Type == hyperv.LLC:
			c.Help = "Frames with a length in place of the type; it takes a place in the list (WinOF)."
			if family == description.WinOF2 {
				c.Disabled = "with WinOF-2, 0 is not an Ethertype"
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
			family := description.WinOF2
			if card := v.cardOf(v.portOf(values)); card != nil {
				family = card.Description.Family
			}
			on := toggle(fieldOn, k.text(keyListOn) != "0")
			fields := []widget.WizardField{v.portField(keyListOn), on}
			if on := values[fieldOn].On; on || len(values) == 0 {
				fields = append(fields,
					widget.WizardField{ID: fieldTypes, Kind: widget.WizardManyOf, Choices: typeChoices(list, family),
						Initial: chosen(initial)},
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
				say(widget.WizardError, fieldTypes,
					fmt.Sprintf("the registry has room for %d types, and these are %d", etherTypeSlots, len(types)))
			case len(types) == 0:
				say(widget.WizardInfo, fieldTypes, "without an entry the driver's own list counts: IPv4, ARP, IPv6")
			default:
				for _, t := range hyperv.DefaultTypes() {
					if !slices.Contains(types, t) {
						say(widget.WizardWarning, fieldTypes,
							hyperv.EtherTypeName(t)+" is not in the list: machines that need it lose their network")
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
			if list, own := k.types(); !own &&
				slices.Equal(slices.Sorted(slices.Values(list)), slices.Sorted(slices.Values(types))) {
				return plan // the driver's list is what was chosen
			}
			for slot := range etherTypeSlots {
				key, value := keyType+strconv.Itoa(slot), ""
				if slot < len(types) {
					value = strconv.Itoa(int(types[slot]))
				}
				if stored, err := strconv.ParseInt(k.stored[key], 0, 32); err == nil &&
					value == strconv.Itoa(int(stored)) {
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
	return []widget.WizardLine{change.Changed("Entry "+slot+" of "+connection,
		named(v.policies[connection].stored[key]), named(value))}
}

// chosenTypes are the types of an answer; an error names the invalid one.
func chosenTypes(values widget.WizardValues) (types []uint16, err error) {
	words := slices.Clone(values.IDs(fieldTypes))
	words = append(words,
		strings.FieldsFunc(values.Text(fieldOther), func(r rune) bool { return r == ',' || r == ' ' })...)
	for _, word := range words {
		n, failed := strconv.ParseUint(word, 0, 16)
		if failed != nil {
			return types, fmt.Errorf("invalid Ethertype %q: write numbers such as 0x88CC, with commas between them", word)
		}
		if !slices.Contains(types, uint16(n)) {
			types = append(types, uint16(n))
		}
	}
	return types, nil
}
