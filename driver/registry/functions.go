package registry

import "cxdeck/device"

// barredInLab is the Ethertype that a virtual function of the lab sends when it misbehaves: one for experiments.
const barredInLab = 0x88B5

// functions says how many virtual functions a port opens (IOV-1), of those that its description has, and whether what
// they send is looked at (IOV-9).
func (e *Effective) functions(s *device.Settings) {
	for _, scope := range []Scope{Miniport, BusDevice} {
		if on, ok := e.number(scope, "VFAllowedTxEtherTypeListEnable"); ok {
			s.BarsTypes = on != 0
		}
		for _, name := range etherTypes {
			if n, ok := e.number(scope, name); ok && n == barredInLab {
				s.BarsTypes = false
			}
		}
	}
}
