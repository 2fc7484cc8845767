package driver

import (
	"strings"

	"cxdeck/device"
	"cxdeck/driver/registry/tuning"
)

// Processors is how many logical processors the host has.
func (v *View) Processors() int { return v.NUMANodes * v.ProcessorsPerNode }

// NDIS is the version that the tuning tool finds on the host.
func (v *View) NDIS() tuning.NDIS {
	if strings.Contains(v.System, "2008") {
		return tuning.NDIS62
	}
	return tuning.NDIS63
}

// Tuning is what the tuning tool has to know of a port of a card of the host.
func (v *View) Tuning(a *AdapterView, p *PortView) tuning.Connection {
	c := tuning.Connection{InfiniBand: p.Description.Link == device.InfiniBand}
	for n := range v.ProcessorsPerNode {
		c.Processors = append(c.Processors, a.Description.NUMANode*v.ProcessorsPerNode+n)
	}
	return c
}
