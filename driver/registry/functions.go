package registry

import (
	"slices"

	"cxdeck/device"
)

// The values of SriovPortMode (IOV-1); in any other both ports have what MaxVFPort1 and MaxVFPort2 say.
const (
	allToPort1 = 0
	allToPort2 = 1
)

// barredInLab is the Ethertype that a virtual function of the lab sends when it misbehaves: one for experiments.
const barredInLab = 0x88B5

// functions says how many virtual functions a port opens (IOV-1), of those that its description has, and whether what
// they send is looked at (IOV-9).
func (e *Effective) functions(s *device.Settings) {
	s.Functions = min(s.Functions, e.openFunctions(s.Functions))
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

// openFunctions is how many virtual functions the keys allow a port that has so many.
func (e *Effective) openFunctions(described int) int {
	if r, ok := e.catalogue.Find("*SRIOV", Miniport); ok {
		if e.Reading(r).Value.String() != "1" {
			return 0
		}
		return described
	}
	card := func(name string) (uint32, bool) {
		n, ok := e.number(BusDevice, name)
		return n, ok
	}
	if permit, ok := card("PermitSriov"); ok && permit == 0 {
		return 0
	}
	mode, _ := card("SriovPortMode")
	if mode == allToPort1 || mode == allToPort2 {
		if int(mode) != e.facts.Port {
			return 0
		}
		return described
	}
	names := []string{"MaxVFPort1", "MaxVFPort2"}
	own, ok := card(names[min(e.facts.Port, 1)])
	if !ok || slices.IndexFunc(names, func(name string) bool { return !e.asInstalled(name) }) < 0 {
		return described // the description says how the ports share them at first
	}
	one, _ := card(names[0])
	two, _ := card(names[1])
	if sum, burnt := uint64(one)+uint64(two), uint64(e.facts.VFs); sum > burnt {
		return int(uint64(own) * burnt / sum)
	}
	return int(own)
}

// asInstalled says whether a key of a card has the value that an installation gives it.
func (e *Effective) asInstalled(name string) bool {
	r, ok := e.catalogue.Find(name, BusDevice)
	return !ok || e.Reading(r).Value == r.Default(e.facts.Link)
}
