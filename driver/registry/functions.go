package registry

import (
	"cxdeck/device/setup"
	"cxdeck/driver/virtualization/hyperv"
)

// functions sets the restrictions on traffic of a port's virtual functions (IOV-8 to IOV-12), limited to the lab's model.
func (e *Effective) functions(s *setup.Port) {
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
	for _, t := range setup.FrameTypes() {
		if f.Judge(t.EtherType(), true) != hyperv.Pass {
			s.Bars |= setup.SetOfFrameTypes(t)
		}
	}
}
