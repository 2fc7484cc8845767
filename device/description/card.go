package description

import (
	"fmt"
	"regexp"
	"slices"
	"sync"
)

// DeviceName returns the name of a card in the firmware tools: the device id and the number of the card among cards with
// this id (FAM-2).
func (d *Description) DeviceName(card int) string {
	number := 0
	for i := range d.Adapters[:card] {
		if d.Adapters[i].DeviceID == d.Adapters[card].DeviceID {
			number++
		}
	}
	return fmt.Sprintf("mt%d_pciconf%d", d.Adapters[card].DeviceID, number)
}

var hcaName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^HCA \d+$`) })

// HCA returns the name of a card in the commands of the WinOF driver: "HCA 0". A card with such a name in the lab keeps it; the
// others get the remaining numbers.
func (d *Description) HCA(card int) string {
	if hcaName().MatchString(d.Adapters[card].Name) {
		return d.Adapters[card].Name
	}
	number, name := -1, ""
	for i := range card + 1 {
		if d.Adapters[i].Family != WinOF || hcaName().MatchString(d.Adapters[i].Name) {
			continue
		}
		taken := func(a Adapter) bool { return a.Name == name }
		for name = ""; name == "" || slices.ContainsFunc(d.Adapters, taken); {
			number++
			name = fmt.Sprintf("HCA %d", number)
		}
	}
	return name
}
