package lab

import (
	"testing"

	"cxdeck/device/description"
)

func TestReadFault(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]float64{"stall": 1, " BAD-CABLE  0.01 ": 0.01, "bad-cable 0": 0} {
		fault, err := readFault("Ethernet 7", typed)
		if err != nil || fault.share != want || fault.connection != "Ethernet 7" || fault.Kind != description.Stall && fault.Kind != description.BadCable {
			t.Errorf("%q is %+v, %v", typed, fault, err)
		}
	}
	for _, typed := range []string{"", "cable", "stall 2", "stall x", "stall nan", "stall -1", "stall 1 1"} {
		if fault, err := readFault("Ethernet 7", typed); err == nil {
			t.Errorf("%q is %+v", typed, fault)
		}
	}
}
