package driver

import (
	"cxdeck/device/description"
	"cxdeck/driver/flash"
	"cxdeck/driver/packages"
	"cxdeck/driver/registry"
	"cxdeck/driver/virtualization"
)

// flashSet returns the flashes of the cards, to look at and to change.
func (h *Host) flashSet() flash.Set { return flash.Set{Facts: partHost{h}, State: &h.flash} }

// Flash returns the flashes of the cards as they are now, to look at.
func (h *Host) Flash() flash.Set {
	state := h.flash
	return flash.Set{Facts: partHost{h}, State: &state}
}

func (h partHost) ImageSettings(card int) map[string]uint32 { return h.virtual.ImageSettings(card) }
func (h partHost) SetImageSettings(card int, values map[string]uint32) {
	h.changeVirtual(func(v virtualization.Hypervisor) { v.SetImageSettings(card, values) })
}

// loadFirmware has a card load the image and the settings in its flash, and reports whether another image runs than before.
func (h *Host) loadFirmware(card int) (changed bool) {
	h.changeVirtual(func(v virtualization.Hypervisor) { v.LoadFirmware(card) })
	if changed = h.flashSet().Load(card); changed {
		h.followVersions()
	}
	return changed
}

// followVersions brings the versions that run now into the description of the lab, and looks again which features they lack.
func (h *Host) followVersions() {
	d := h.lab.Description()
	cards := make([]description.Versions, len(d.Adapters))
	same := true
	for i := range d.Adapters {
		cards[i] = d.Adapters[i].Versions()
		running := h.flashSet().Flash(i).Running
		cards[i].Firmware, cards[i].PSID = running.Version, running.PSID
		if p, ok := h.packages.Changed(packages.ProductOf(d.Adapters[i].Family)); ok {
			cards[i].Package, cards[i].DriverVersion = p.Package, p.Driver
		}
		same = same && cards[i] == d.Adapters[i].Versions()
	}
	if same {
		return
	}
	h.lab.SetVersions(cards, d.Host.FirmwareTools)
	h.layout = registry.NewLayout(h.lab.Description())
	h.missing = h.findMissingFeatures()
}

// restoreFlash takes over a saved state.
func (h *Host) restoreFlash(saved flash.State) error {
	h.flash = saved
	if err := h.flashSet().Check(); err != nil {
		return err
	}
	h.followVersions()
	return nil
}
