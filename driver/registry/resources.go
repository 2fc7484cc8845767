package registry

import (
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// MaxLogPairs is the maximum of LogNumQP and LogNumRdmaRc. The manuals give none; a ConnectX-3 has 2^24 queue pairs at most.
const MaxLogPairs = 24

// resources sets what the bus driver reserves of the card: queue pairs, reliable connections, and send rings with a driver that
// reads their number.
func (e *Effective) resources(s *setup.Port) {
	s.Connections = 0
	for _, name := range []string{"LogNumQP", "LogNumRdmaRc"} {
		if n, ok := e.existing(BusDriver, name); ok {
			if limit := 1 << min(n, MaxLogPairs); s.Connections == 0 || limit < s.Connections {
				s.Connections = limit
			}
		}
	}
	s.SendRings = 0
	if r, ok := e.catalogue.Find("TxRingNum", Miniport); ok {
		if n, stored := e.existing(Miniport, r.Name); stored && len(e.limits(r, NumberValue(n))) == 0 {
			s.SendRings = int(n)
		}
	}
}

// usualGUIDMask is the GUIDMask with which cards have the addresses of the lab's description.
const usualGUIDMask = 0xE7

// addressOf returns the MAC address that a mask with six set bits takes of a port's GUID: bit 0 is its last byte. An address
// whose first byte says multicast gets that bit cleared.
func addressOf(guid uint64, mask uint32) (address description.MAC) {
	n := 0
	for i := 7; i >= 0 && n < len(address); i-- {
		if mask>>i&1 == 1 {
			address[n] = byte(guid >> (8 * i))
			n++
		}
	}
	address[0] &^= 1
	return address
}
