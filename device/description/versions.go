package description

import "slices"

// Versions are the versions of the software of a card: they change while a lab runs.
type Versions struct{ Firmware, PSID, Package, DriverVersion string }

// Versions returns the versions of the card.
func (a *Adapter) Versions() Versions {
	return Versions{a.Firmware, a.PSID, a.Package, a.DriverVersion}
}

// WithVersions returns the description with other versions of the cards, in their order, and of the firmware tools. The rest is
// shared.
func (d *Description) WithVersions(cards []Versions, tools string) *Description {
	c := *d
	c.Host.FirmwareTools = tools
	c.Adapters = slices.Clone(d.Adapters)
	for i, v := range cards {
		a := &c.Adapters[i]
		a.Firmware, a.PSID, a.Package, a.DriverVersion = v.Firmware, v.PSID, v.Package, v.DriverVersion
	}
	return &c
}
