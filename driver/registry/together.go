package registry

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
)

// joined are the keys whose values the driver uses only in combination with others.
var joined = []string{
	"pkt_rate_low", "pkt_rate_high", "RxPause", "TxPause", "roce_mode", "PermitSriov", "SriovPortMode", "MaxVFPort1", "MaxVFPort2",
}

// dependsOnOthers reports whether the driver uses the value of a key only in combination with others.
func dependsOnOthers(r *Row) bool {
	return slices.Contains(joined, r.Name) || r.Scope == Congestion && twinKey(r) != ""
}

// twinKey returns the key that sets a flag of a priority together with its twin (DCQ-1); empty for other keys.
func twinKey(r *Row) string {
	for _, role := range [...]string{"DcqcnRPEnablePrio", "DcqcnNPEnablePrio"} {
		if priority, ok := strings.CutPrefix(r.Name, role); ok {
			return "DcqcnEnablePrio" + priority
		}
	}
	return ""
}

// stored returns the number that the driver uses for a key that is stored.
func (e *Effective) stored(scope Scope, name string) (uint32, bool) {
	r, ok := e.catalogue.Find(name, scope)
	if !ok || !e.readings[r.Index].Stored.Exists() {
		return 0, false
	}
	return e.numberOfKey(scope, name)
}

// judgeWithOthers judges a value that is valid by itself together with the stored values of other keys. why is empty when the
// value is accepted; grade is the grade of the reason.
func (e *Effective) judgeWithOthers(r *Row, alone Value) (value Value, why string, grade Grade) {
	if !dependsOnOthers(r) || !alone.Exists() {
		return alone, "", Valid
	}
	switch n := alone.Number(); {
	case r.Scope == Congestion:
		if both, ok := e.stored(Congestion, twinKey(r)); ok && both != n {
			return NumberValue(both), fmt.Sprintf("%s of %d sets both flags of the priority and wins", twinKey(r), both), Doubtful
		}
	case r.Name == "pkt_rate_low":
		if high, ok := e.numberOfKey(r.Scope, "pkt_rate_high"); ok && n >= high {
			return e.useDefault(r, fmt.Sprintf("%d is not below pkt_rate_high of %d", n, high))
		}
	case r.Name == "pkt_rate_high":
		if low, ok := e.numberOfKey(r.Scope, "pkt_rate_low"); ok && low >= n {
			return e.useDefault(r, fmt.Sprintf("%d is not above pkt_rate_low of %d", n, low))
		}
	case r.Name == "RxPause", r.Name == "TxPause":
		if mask, ok := e.numberOfKey(r.Scope, "PerPri"+r.Name); ok && mask != 0 && n != 0 {
			return NumberValue(0), fmt.Sprintf("PerPri%s of %d excludes it; the feature is off", r.Name, mask), Invalid
		}
	case r.Name == "roce_mode":
		mode := SupportedRoCE(r.Family, e.facts.DeviceID, e.facts.Firmware, n)
		if mode != n {
			return NumberValue(mode), fmt.Sprintf("the firmware has no mode %d; %d is used", n, mode), Invalid
		}
		if mode == NoRoCE && r.Family == description.WinOF && e.facts.BesideInfiniBand { // FAM-6
			switch {
			case e.sensesTypes():
				return alone, mixedPorts + "; the driver does not start, because the port types are sensed", Doubtful
			case SupportedRoCE(r.Family, e.facts.DeviceID, e.facts.Firmware, RoCEIP) != RoCEIP:
				return alone, "", Valid // the driver can't set a mode that the firmware lacks
			}
			return NumberValue(RoCEIP), mixedPorts + "; the driver sets 5, RoCE v1.5", Doubtful
		}
	case r.Scope == BusDevice:
		if all, ok := e.numberOfKey(BusDriver, r.Name); ok && all != n {
			return NumberValue(all), fmt.Sprintf("%s of the bus driver is %d and wins; use one level", r.Name, all), Doubtful
		}
	}
	return alone, "", Valid
}

// mixedPorts is the reason why RoCE can't be off on a WinOF card with both link types.
const mixedPorts = "port 1 Ethernet without RoCE beside port 2 InfiniBand is not supported"

// sensesTypes reports whether PortType leaves it to the cable which type port 1 has: 0 is the default of the hardware, which is
// sensed as well, and 3 is AUTO.
func (e *Effective) sensesTypes() bool {
	types, ok := e.stored(BusDevice, "PortType")
	return ok && (types&3 == 0 || types&3 == 3)
}

// Mixed reports that the driver can't use RoCE off because of the types of the card's ports: it sets another mode, or does not
// start.
func (r Reading) Mixed() bool { return strings.HasPrefix(r.Why, mixedPorts) }

// useDefault returns the default of a key whose value contradicts the value of another key.
func (e *Effective) useDefault(r *Row, why string) (Value, string, Grade) {
	fallback := r.Default(e.facts.Link)
	return fallback, why + "; the defaults of both are used", Invalid
}

// numberOfKey returns the number that the driver would use for another key by itself.
func (e *Effective) numberOfKey(scope Scope, name string) (uint32, bool) {
	r, ok := e.catalogue.Find(name, scope)
	if !ok || !r.Fits(e.facts.Link) {
		return 0, false
	}
	v := e.readAlone(r, e.readings[r.Index].Stored).Value
	return v.Number(), v.Type() == Number
}
