package lab

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/request"
	"cxdeck/perf/labstate"
	"cxdeck/ui/widget"
)

// formField is one field of the form, with the functions that format and parse its setting.
type formField struct {
	label, hint string
	// choices are the possible values; nil for a text.
	choices []string
	// link is the kind of links whose ports have the field; nil for all.
	link *description.LinkType
	show func(*labstate.Port) string
	read func(text string, to *labstate.Port) error
}

// fieldsOf returns the fields of the form of a port.
func fieldsOf(p *labstate.Port) []formField {
	return slices.DeleteFunc(formFields(), func(f formField) bool { return f.link != nil && *f.link != p.Description.Link })
}

// formFields returns the fields of all ports.
func formFields() []formField {
	return slices.Concat([]formField{
		integerField("Speed", "Gb/s, 1 to 400", 1, 400, func(p *labstate.Port) *int { return &p.Switch.SpeedGbps }),
		integerField("MTU, largest frame", "bytes, 614 to 65535", 614, 65535, func(p *labstate.Port) *int { return &p.Switch.MaxFrame }),
	}, fieldsFor(description.Ethernet,
		wordField("Flow control", flowControlWords[:], func(p *labstate.Port) *description.FlowControl { return &p.Switch.FlowControl }),
		formField{
			label: "PFC on priorities", hint: "0 to 7, as in 3 4, or none",
			show: func(p *labstate.Port) string { return prioritiesText(p.Switch.Lossless) },
			read: func(text string, to *labstate.Port) (err error) {
				to.Switch.Lossless, err = priorities(text)
				return err
			},
		},
		numberField("ECN Kmin", "kB in the queue", 0, 1e6, 1000, func(p *labstate.Port) *float64 { return &p.Switch.Marking.Min }),
		numberField("ECN Kmax", "kB in the queue", 0, 1e6, 1000, func(p *labstate.Port) *float64 { return &p.Switch.Marking.Max }),
		numberField("ECN Pmax", "% of the frames", 0, 100, 0.01, func(p *labstate.Port) *float64 { return &p.Switch.Marking.Probability }),
		numberField("It pauses the host", "% of the time", 0, 100, 0.01, func(p *labstate.Port) *float64 { return &p.Switch.PauseShare }),
		integerField("  with PFC on priority", "0 to 7", 0, 7, func(p *labstate.Port) *int { return &p.Switch.PausePriority }),
		formField{
			label: "VLANs", hint: "all, none, or as in 30,31,100-200",
			show: func(p *labstate.Port) string { return vlansText(&p.Switch) },
			read: func(text string, to *labstate.Port) error {
				s := &to.Switch
				s.Trunk, s.VLANs = text != noVLAN, text
				if text == everyVLAN || text == noVLAN {
					s.VLANs = ""
				}
				_, err := setup.ParseVLANs(s.VLANs)
				return err
			},
		},
		integerField("Aggregation group", "1 to 4096, or 0 for none", 0, 4096, func(p *labstate.Port) *int { return &p.Switch.Aggregation }),
	), fieldsFor(description.InfiniBand,
		wordField("Subnet manager", subnetWords[:], func(p *labstate.Port) *description.SubnetManager { return &p.Switch.SubnetManager }),
	), []formField{
		{
			label: "PCIe slot of the card", choices: slotWords(),
			show: func(p *labstate.Port) string { return slotText(p.Slot) },
			read: func(text string, to *labstate.Port) error {
				_, err := fmt.Sscanf(text, "Gen%d x%d", &to.Slot.Generation, &to.Slot.Lanes)
				return err
			},
		},
		numberField("CPU speed", "% of the original, 1 to 100", 1, 100, 0.01,
			func(p *labstate.Port) *float64 { return &p.ProcessorSpeed }),
	})
}

// fieldsFor limits fields to the ports of one kind of links.
func fieldsFor(link description.LinkType, fields ...formField) []formField {
	for i := range fields {
		fields[i].link = &link
	}
	return fields
}

// integerField returns the field of an integer, from low to high.
func integerField(label, hint string, low, high int, setting func(*labstate.Port) *int) formField {
	return formField{
		label: label, hint: hint,
		show: func(p *labstate.Port) string { return strconv.Itoa(*setting(p)) },
		read: func(text string, to *labstate.Port) (err error) {
			*setting(to), err = widget.WholeNumber(text, low, high)
			return err
		},
	}
}

// numberField returns the field of a number from low to high; the setting is by times the displayed number.
func numberField(label, hint string, low, high, by float64, setting func(*labstate.Port) *float64) formField {
	return formField{
		label: label, hint: hint,
		show: func(p *labstate.Port) string { return plainNumber(*setting(p) / by) },
		read: func(text string, to *labstate.Port) (err error) {
			*setting(to), err = number(text, low, high, by)
			return err
		},
	}
}

// wordField returns the field of an enumeration; words are in the order of its constants.
func wordField[T ~uint8](label string, words []string, setting func(*labstate.Port) *T) formField {
	return formField{
		label: label, choices: words,
		show: func(p *labstate.Port) string { return words[*setting(p)] },
		read: func(text string, to *labstate.Port) error {
			*setting(to) = T(max(slices.Index(words, text), 0))
			return nil
		},
	}
}

// subnetWords are the names of the states of a subnet manager.
var subnetWords = [...]string{description.SubnetManaged: "up", description.SubnetDown: "down", description.SubnetAbsent: "absent"}

// The words for a switch port that forwards all VLANs, or none.
const (
	everyVLAN = "all"
	noVLAN    = "none"
)

// vlansText returns the VLANs that a switch port forwards: "all", "none", "30,31".
func vlansText(s *setup.SwitchPort) string {
	switch {
	case !s.Trunk:
		return noVLAN
	case s.VLANs == "":
		return everyVLAN
	}
	return s.VLANs
}

// slotWords returns all kinds of slots.
func slotWords() []string {
	var list []string
	for generation := 1; generation <= 4; generation++ {
		for _, lanes := range []int{1, 2, 4, 8, 16} {
			list = append(list, slotText(setup.Slot{Generation: generation, Lanes: lanes}))
		}
	}
	return list
}

// plainNumber formats a number without rounding errors.
func plainNumber(value float64) string {
	return strconv.FormatFloat(math.Round(value*1e6)/1e6, 'f', -1, 64)
}

// number parses a number from low to high and multiplies it.
func number(text string, low, high, by float64) (float64, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= low && n <= high) {
		return 0, request.Errorf("must be a number from %g to %g, not %q", low, high, text)
	}
	return n * by, nil
}

// priorities parses a list of priorities to a set with a bit for each.
func priorities(text string) (set uint8, err error) {
	if text == "none" || text == "" {
		return 0, nil
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		p, err := widget.WholeNumber(word, 0, 7)
		if err != nil {
			return 0, request.Errorf("a priority must be 0 to 7, as in 3 4, or none, not %q", word)
		}
		set |= 1 << p
	}
	return set, nil
}
