package fabric

import (
	"testing"

	"cxdeck/device/setup"
)

func TestDifferenceNamesOnlyWhatDiffers(t *testing.T) {
	t.Parallel()
	from := setup.SwitchPort{SpeedGbps: 25, MaxFrame: 9216, Trunk: true, VLANs: "30"}
	if o, differs := Difference("Ethernet 7", from, from); differs || len(o.Touches()) > 0 {
		t.Errorf("the same setup makes %s", o.Describe())
	}
	to := from
	to.MaxFrame, to.VLANs = 1514, ""
	o, differs := Difference("Ethernet 7", from, to)
	if got := o.Describe(); !differs || got != "set the switch port of Ethernet 7 to frames of 1514 bytes, VLANs all" {
		t.Errorf("got %s", got)
	}
}
