package device

import (
	"reflect"
	"strings"
	"testing"

	"cxdeck/device/description"
)

// TestCreditsTakeThePlaceOfPause: no pause frames can be set up where there are none, and nothing is changed by the
// try.
func TestCreditsTakeThePlaceOfPause(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	port := portOf(t, l, "Ethernet 4")
	for _, control := range []description.FlowControl{description.GlobalPause, description.PriorityPause} {
		was := l.SwitchPort(port)
		s := was
		s.FlowControl, s.MaxFrame = control, 2048
		if err := l.SetSwitchPort(port, s); err == nil || !strings.Contains(err.Error(), "credits") || !reflect.DeepEqual(l.SwitchPort(port), was) {
			t.Errorf("flow control %d: %v, and it is %+v", control, err, l.SwitchPort(port))
		}
	}
}
