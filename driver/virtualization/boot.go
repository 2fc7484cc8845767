package virtualization

import (
	"maps"
	"slices"
)

// LoadFirmware makes the settings in the flash of a card count.
func (v *State) LoadFirmware(card int) { v.Cards[card].Current = v.Cards[card].Next }

// BootWaits reports whether a setting of the BIOS or of a card's firmware waits for a start of the computer.
func (v *State) BootWaits() bool {
	return v.BIOS != v.NextBIOS || slices.ContainsFunc(v.Cards, func(c CardFirmware) bool { return !maps.Equal(c.Current, c.Next) })
}

// Boot makes all settings count that wait for a start of the computer.
func (v Hypervisor) Boot() {
	v.BIOS = v.NextBIOS
	for i := range v.Cards {
		v.LoadFirmware(i)
	}
	v.Net = NetVirtualization{} // kept in memory alone: the manuals want it added again after a start
}

// ClearHistories begins the histories of adapters, after a host was set up.
func (v Hypervisor) ClearHistories() {
	v.Each(func(_ AdapterName, _ *Machine, a *Adapter) { a.History = nil })
}
