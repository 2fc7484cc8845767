package registry

import "cxdeck/device"

// barredInLab is the Ethertype that a virtual function of the lab sends when it misbehaves: one for experiments.
const barredInLab = 0x88B5

// What machines need to reach anyone: IPv4, and ARP to find each other.
const (
	typeIPv4 = 0x0800
	typeARP  = 0x0806
)

// functions says what virtual functions may send (IOV-8): whether frames of the type that the lab's misbehave with are
// stopped, and whether those that all machines need are.
func (e *Effective) functions(s *device.Settings) {
	listed := map[uint32]bool{}
	for _, scope := range []Scope{Miniport, BusDevice} {
		if on, ok := e.number(scope, "VFAllowedTxEtherTypeListEnable"); ok {
			s.BarsTypes = on != 0
		}
		for _, name := range etherTypes {
			if n, ok := e.number(scope, name); ok {
				listed[n] = true
			}
		}
	}
	s.BarsIP = s.BarsTypes && len(listed) > 0 && !(listed[typeIPv4] && listed[typeARP])
	s.BarsTypes = s.BarsTypes && !listed[barredInLab]
}
