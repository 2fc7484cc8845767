package sriov

import (
	"strconv"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/ui/widget/wizard"
)

// The settings in the flash, by their mlxconfig names.
const (
	settingOn    = "SRIOV_EN"
	settingCount = "NUM_OF_VFS"
)

// setting returns a setting of a card's flash; the zero value if the card lacks it.
func setting(card *driver.AdapterView, name string) virtualization.FirmwareView {
	for _, f := range card.Firmware {
		if f.Name == name {
			return f
		}
	}
	return virtualization.FirmwareView{}
}

// firmwareCount returns the number of functions that the flash has after the next reboot, or a proposal.
func firmwareCount(card *driver.AdapterView, fallback int) int {
	if n, err := strconv.Atoi(setting(card, settingCount).Next); err == nil && n > 0 {
		return n
	}
	return fallback
}

func firmwareFacts(card *driver.AdapterView) (facts []wizard.Fact) {
	for _, name := range []string{settingOn, settingCount} {
		f := setting(card, name)
		fact := wizard.Fact{Label: name, Word: f.Current, Text: "now"}
		if f.Next != f.Current {
			fact.Mark, fact.Text = wizard.Waits, "now, "+f.Next+" from the next start"
		}
		facts = append(facts, fact)
	}
	return facts
}
