package registry

import (
	"cxdeck/device"
	"cxdeck/driver/virtualization/hyperv"
)

// functions says what virtual functions of a port may not send (IOV-8 to IOV-12), of what those of the lab do.
func (e *Effective) functions(s *device.Settings) {
	f := hyperv.Filter{Family: e.catalogue.Rows[0].Family, Enabled: true}
	for _, scope := range []Scope{Miniport, BusDevice} {
		if on, ok := e.number(scope, "VFAllowedTxEtherTypeListEnable"); ok {
			f.Enabled = on != 0
		}
		for _, name := range etherTypes {
			if n, ok := e.number(scope, name); ok {
				f.Types = append(f.Types, uint16(n))
			}
		}
	}
	s.Bars = 0
	for _, t := range device.FrameTypes() {
		if f.Judge(t.EtherType(), true) != hyperv.Pass {
			s.Bars |= device.SetOfFrameTypes(t)
		}
	}
}
