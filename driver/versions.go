package driver

import (
	"cmp"
	"sync"

	"cxdeck/driver/limits"
)

// versionFacts returns the versions of a port with its card and host.
func (h *Host) versionFacts(port int) limits.Facts {
	p, a, d := h.layout.Description(port), h.layout.Card(port), h.layout.Lab()
	return limits.Facts{
		Family: a.Family, Link: p.Link, Speed: p.SpeedGbps, DeviceID: a.DeviceID, System: d.Host.System,
		Driver: cmp.Or(a.DriverVersion, a.Package), Firmware: a.Firmware, Tools: d.Host.FirmwareTools,
		SubnetManager: p.Switch.SubnetManagerVersion,
	}
}

// missingFeatures holds, by port, the features that its versions lack, each with the first reason.
type missingFeatures []map[limits.Feature]string

// findMissingFeatures compares the versions of the ports on first use. It is called again when they change.
func (h *Host) findMissingFeatures() func() missingFeatures {
	facts := make([]limits.Facts, h.layout.Ports())
	for port := range facts {
		facts[port] = h.versionFacts(port)
	}
	return sync.OnceValue(func() (list missingFeatures) {
		for port := range facts {
			list = append(list, limits.Missing(&facts[port]))
		}
		return list
	})
}

// missingFeature returns why the versions of a port's card and host lack a feature; empty when they have it.
func (h *Host) missingFeature(port int, feature limits.Feature) string {
	if port < 0 || port >= h.lab.Ports() {
		return ""
	}
	return h.missing()[port][feature]
}

// LimitView is a version limit of the manuals, evaluated for one port.
type LimitView struct {
	*limits.Limit
	// Broken is a sentence on what the port lacks; empty when it meets the requirement.
	Broken string
}

// Limits returns the rows of the table that apply to a port, except rows on virtual machines.
func (h *Host) Limits(connection string) (list []LimitView, err error) {
	port, err := h.port(connection)
	if err != nil {
		return nil, err
	}
	f := h.versionFacts(port)
	for i := range limits.All() {
		if l := &limits.All()[i]; l.AppliesTo(&f) {
			list = append(list, LimitView{l, l.Broken(&f)})
		}
	}
	return list, nil
}
