package lab

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/fabric"
	"cxdeck/perf/labstate"
	"cxdeck/ui/widget"
)

// formField is one field of the form: how it shows a setting and reads it.
type formField struct {
	label, hint string
	// choices are the possible values; nil for a text.
	choices []string
	// near says that it belongs to the near end, not the switch.
	near bool
	// fits says which ports have it; nil for all.
	fits func(description.LinkType) bool
	show func(*labstate.Port) string
	// read puts the text into the port and into the operation that sets the switch port up.
	read func(text string, to *labstate.Port, set *fabric.SetSwitchPort) error
}

// The kinds of links that a field may be of.
func ethernet(link description.LinkType) bool   { return link == description.Ethernet }
func infiniBand(link description.LinkType) bool { return link == description.InfiniBand }

// subnetWords are the states of a subnet manager as they are chosen.
var subnetWords = [...]string{description.SubnetManaged: "up", description.SubnetDown: "down", description.SubnetAbsent: "absent"}

// fieldsOf are the fields that the form of a port has.
func fieldsOf(p *labstate.Port) []*formField {
	var list []*formField
	for i := range formFields {
		if f := &formFields[i]; f.fits == nil || f.fits(p.Description.Link) {
			list = append(list, f)
		}
	}
	return list
}

var formFields = []formField{
	{
		label: "Speed", hint: "Gb/s, 1 to 400",
		show: func(p *labstate.Port) string { return strconv.Itoa(p.Switch.SpeedGbps) },
		read: func(text string, to *labstate.Port, set *fabric.SetSwitchPort) (err error) {
			to.Switch.SpeedGbps, err = whole(text, 1, 400)
			set.SpeedGbps = &to.Switch.SpeedGbps
			return err
		},
	},
	{
		label: "MTU, largest frame", hint: "bytes, 614 to 65535",
		show: func(p *labstate.Port) string { return strconv.Itoa(p.Switch.MaxFrame) },
		read: func(text string, to *labstate.Port, set *fabric.SetSwitchPort) (err error) {
			to.Switch.MaxFrame, err = whole(text, 614, 65535)
			set.MaxFrame = &to.Switch.MaxFrame
			return err
		},
	},
	{
		fits: ethernet, label: "Flow control", choices: flowControlWords[:],
		show: func(p *labstate.Port) string { return flowControlWords[p.Switch.FlowControl] },
		read: func(text string, to *labstate.Port, set *fabric.SetSwitchPort) error {
			to.Switch.FlowControl = description.FlowControl(max(slices.Index(flowControlWords[:], text), 0))
			set.FlowControl = &to.Switch.FlowControl
			return nil
		},
	},
	{
		fits: ethernet, label: "PFC on priorities", hint: "0 to 7, as in 3 4, or none",
		show: func(p *labstate.Port) string { return prioritiesWord(p.Switch.Lossless) },
		read: func(text string, to *labstate.Port, set *fabric.SetSwitchPort) (err error) {
			to.Switch.Lossless, err = priorities(text)
			set.Lossless = &to.Switch.Lossless
			return err
		},
	},
	{
		fits: ethernet, label: "ECN Kmin", hint: "kB in the queue",
		show: func(p *labstate.Port) string { return plainNumber(p.Switch.Marking.Least / 1000) },
		read: func(text string, to *labstate.Port, set *fabric.SetSwitchPort) (err error) {
			to.Switch.Marking.Least, err = number(text, 0, 1e6, 1000)
			set.MarkLeast = &to.Switch.Marking.Least
			return err
		},
	},
	{
		fits: ethernet, label: "ECN Kmax", hint: "kB in the queue",
		show: func(p *labstate.Port) string { return plainNumber(p.Switch.Marking.Most / 1000) },
		read: func(text string, to *labstate.Port, set *fabric.SetSwitchPort) (err error) {
			to.Switch.Marking.Most, err = number(text, 0, 1e6, 1000)
			set.MarkMost = &to.Switch.Marking.Most
			return err
		},
	},
	{
		fits: ethernet, label: "ECN Pmax", hint: "% of the frames",
		show: func(p *labstate.Port) string { return plainNumber(p.Switch.Marking.Probability * 100) },
		read: func(text string, to *labstate.Port, set *fabric.SetSwitchPort) (err error) {
			to.Switch.Marking.Probability, err = number(text, 0, 100, 0.01)
			set.MarkProbability = &to.Switch.Marking.Probability
			return err
		},
	},
	{
		fits: ethernet, label: "It pauses the host", hint: "% of the time",
		show: func(p *labstate.Port) string { return plainNumber(p.Switch.PauseShare * 100) },
		read: func(text string, to *labstate.Port, set *fabric.SetSwitchPort) (err error) {
			to.Switch.PauseShare, err = number(text, 0, 100, 0.01)
			set.PauseShare = &to.Switch.PauseShare
			return err
		},
	},
	{
		fits: ethernet, label: "  with PFC on priority", hint: "0 to 7",
		show: func(p *labstate.Port) string { return strconv.Itoa(p.Switch.PausePriority) },
		read: func(text string, to *labstate.Port, set *fabric.SetSwitchPort) (err error) {
			to.Switch.PausePriority, err = whole(text, 0, 7)
			set.PausePriority = &to.Switch.PausePriority
			return err
		},
	},
	{
		fits: ethernet, label: "VLANs", hint: "all, none, or as in 30,31,100-200",
		show: func(p *labstate.Port) string { return vlansWord(&p.Switch) },
		read: func(text string, to *labstate.Port, set *fabric.SetSwitchPort) error {
			s := &to.Switch
			s.Trunk, s.VLANs = text != noVLAN, text
			if text == everyVLAN || text == noVLAN {
				s.VLANs = ""
			}
			set.Trunk, set.VLANs = &s.Trunk, &s.VLANs
			_, err := setup.ParseVLANs(s.VLANs)
			return err
		},
	},
	{
		fits: ethernet, label: "Aggregation group", hint: "1 to 4096, or 0 for none",
		show: func(p *labstate.Port) string { return strconv.Itoa(p.Switch.Aggregation) },
		read: func(text string, to *labstate.Port, set *fabric.SetSwitchPort) (err error) {
			to.Switch.Aggregation, err = whole(text, 0, 4096)
			set.Aggregation = &to.Switch.Aggregation
			return err
		},
	},
	{
		fits: infiniBand, label: "Subnet manager", choices: subnetWords[:],
		show: func(p *labstate.Port) string { return subnetWords[p.Switch.SubnetManager] },
		read: func(text string, to *labstate.Port, set *fabric.SetSwitchPort) error {
			to.Switch.SubnetManager = description.SubnetManager(max(slices.Index(subnetWords[:], text), 0))
			set.SubnetManager = &to.Switch.SubnetManager
			return nil
		},
	},
	{
		label: "PCIe slot of the card", choices: slotWords(), near: true,
		show: func(p *labstate.Port) string { return slotWord(p.Slot) },
		read: func(text string, to *labstate.Port, _ *fabric.SetSwitchPort) error {
			_, err := fmt.Sscanf(text, "Gen%d x%d", &to.Slot.Generation, &to.Slot.Lanes)
			return err
		},
	},
	{
		label: "Speed of processors", hint: "% of what it was, 1 to 100", near: true,
		show: func(p *labstate.Port) string { return plainNumber(p.ProcessorSpeed * 100) },
		read: func(text string, to *labstate.Port, _ *fabric.SetSwitchPort) (err error) {
			to.ProcessorSpeed, err = number(text, 1, 100, 0.01)
			return err
		},
	},
}

// The words for a switch port that forwards all VLANs, or none.
const (
	everyVLAN = "all"
	noVLAN    = "none"
)

// vlansWord is which VLANs a switch port forwards.
func vlansWord(s *setup.SwitchPort) string {
	switch {
	case !s.Trunk:
		return noVLAN
	case s.VLANs == "":
		return everyVLAN
	}
	return s.VLANs
}

// slotWords are all kinds of slots.
func slotWords() []string {
	var list []string
	for generation := 1; generation <= 4; generation++ {
		for _, lanes := range []int{1, 2, 4, 8, 16} {
			list = append(list, slotWord(setup.Slot{Generation: generation, Lanes: lanes}))
		}
	}
	return list
}

// plainNumber formats a number without rounding errors.
func plainNumber(value float64) string {
	return strconv.FormatFloat(math.Round(value*1e6)/1e6, 'f', -1, 64)
}

// whole reads a whole number between two bounds.
func whole(text string, low, high int) (int, error) {
	return widget.WholeNumber(text, low, high)
}

// number reads a number between two bounds and multiplies it.
func number(text string, low, high, by float64) (float64, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= low && n <= high) {
		return 0, fmt.Errorf("must be a number from %g to %g, not %q", low, high, text)
	}
	return n * by, nil
}

// priorities reads a list of priorities into a set with a bit for each.
func priorities(text string) (set uint8, err error) {
	if text == "none" || text == "" {
		return 0, nil
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		p, err := whole(word, 0, 7)
		if err != nil {
			return 0, fmt.Errorf("a priority must be 0 to 7, as in 3 4, or none, not %q", word)
		}
		set |= 1 << p
	}
	return set, nil
}
