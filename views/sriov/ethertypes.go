package sriov

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/request"
	"cxdeck/driver/virtualization/hyperv"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/change"
)

// typeChoices returns the Ethertypes that can be allowed: the named ones, and any others of the current list.
func typeChoices(list []uint16, family description.Family) (choices []wizard.Choice) {
	id := func(t uint16) string { return fmt.Sprintf("0x%04X", t) }
	for _, n := range hyperv.EtherTypes() {
		c := wizard.Choice{ID: id(n.Type), Label: n.Name, Text: id(n.Type)}
		switch {
		case family == description.WinOF && (n.Type == hyperv.FCoE || n.Type == hyperv.FIP):
			c.Help = "FCoE is a pair: 0x8906 and 0x8914 are allowed together (WinOF)."
		case n.Type == hyperv.LLC:
			c.Help = "Frames with an 802.3 length field instead of an EtherType; takes one entry (WinOF)."
			if family == description.WinOF2 {
				c.Disabled = "with WinOF-2, 0 is not an Ethertype"
			}
		}
		choices = append(choices, c)
	}
	for _, t := range list {
		if !slices.ContainsFunc(choices, func(c wizard.Choice) bool { return c.ID == id(t) }) {
			choices = append(choices, wizard.Choice{ID: id(t), Label: id(t), Text: "stored now"})
		}
	}
	return choices
}

// The fields of the Ethertype wizard.
const (
	fieldTypes = "types"
	fieldOther = "other"
)

// ethertypesForm is the wizard for the Ethertypes that functions may send (IOV-8 to IOV-12).
func (v *View) ethertypesForm() change.Form {
	return change.Form{
		Fresh: true, Waiting: v.waiting, Value: typeLine,
		Field: func(f *wizard.Field, values wizard.Values) bool {
			k := v.policyOf(values)
			switch f.ID {
			case fieldPort:
				v.offerPorts(f, keyListOn)
				return true
			case fieldOn:
				f.Initial.On = k.text(keyListOn) != "0"
				return true
			case fieldTypes:
				list, _ := k.types()
				for _, t := range list {
					f.Initial.IDs = append(f.Initial.IDs, fmt.Sprintf("0x%04X", t))
				}
				family := description.WinOF2
				if card := v.cardOf(v.portOf(values)); card != nil {
					family = card.Description.Family
				}
				f.Choices = typeChoices(list, family)
			}
			return values.On(fieldOn) || len(values) == 0
		},
		Check: func(values wizard.Values) (list []wizard.Message) {
			say := func(severity wizard.Severity, field, text string) {
				list = append(list, wizard.Message{Field: field, Severity: severity, Text: text})
			}
			types, err := chosenTypes(values)
			if err != nil {
				say(wizard.Error, fieldOther, err.Error())
			}
			switch {
			case !values.On(fieldOn):
				say(wizard.Warning, fieldOn, "without the list, functions may send almost any Ethertype")
			case len(types) > etherTypeSlots:
				say(wizard.Error, fieldTypes,
					fmt.Sprintf("the registry holds at most %d types, not %d", etherTypeSlots, len(types)))
			case len(types) == 0:
				say(wizard.Info, fieldTypes, "without an entry the driver's own list applies: IPv4, ARP, IPv6")
			default:
				for _, t := range hyperv.DefaultTypes() {
					if !slices.Contains(types, t) {
						say(wizard.Warning, fieldTypes,
							hyperv.EtherTypeName(t)+" is not in the list: machines that need it lose their network")
					}
				}
			}
			return list
		},
		Plan: func(values wizard.Values) driver.Plan {
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
				return plan // the choice equals the driver's default list
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

// typeLine returns the line of the review for one changed entry.
func typeLine(c *driver.Change) (line wizard.Line, ok bool) {
	slot, ok := strings.CutPrefix(c.Row.Name, keyType)
	if _, err := strconv.Atoi(slot); !ok || err != nil {
		return line, false
	}
	named := func(v registry.Value) string {
		n, ok := v.Integer()
		if !ok {
			return "none"
		}
		return fmt.Sprintf("%s (0x%04X)", hyperv.EtherTypeName(uint16(n)), n)
	}
	return change.Changed("Entry "+slot+" of "+c.Connection, named(c.From), named(c.To)), true
}

// chosenTypes returns the chosen Ethertypes; an error names the invalid one.
func chosenTypes(values wizard.Values) (types []uint16, err error) {
	words := slices.Clone(values.IDs(fieldTypes))
	words = append(words,
		strings.FieldsFunc(values.Text(fieldOther), func(r rune) bool { return r == ',' || r == ' ' })...)
	for _, word := range words {
		n, failed := strconv.ParseUint(word, 0, 16)
		if failed != nil {
			return types, request.Errorf("invalid Ethertype %q: write numbers such as 0x88CC, with commas between them", word)
		}
		if !slices.Contains(types, uint16(n)) {
			types = append(types, uint16(n))
		}
	}
	return types, nil
}
