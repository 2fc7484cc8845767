package subnet

import (
	"testing"
	"time"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/subnet"
)

// TestOutside: a manager outside of the lab activates a port of the host, which the host sees, until a manager of the lab sweeps.
func TestOutside(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	apply := func(list ...Operation) {
		t.Helper()
		for _, o := range list {
			if _, err := o.Inverse(h); err != nil {
				t.Fatalf("%s: %v", o.Describe(), err)
			}
			if err := o.Apply(h); err != nil {
				t.Fatalf("%s: %v", o.Describe(), err)
			}
		}
		h.lab.Advance(5 * time.Second)
	}
	apply(SetManager{Node: "LNX-01 HCA-1", Running: new(false)}, SetManager{Node: "IB1", Running: new(false)})
	const own, far = "LAB-N4LABJSS5EE HCA-1/1", "IB1/4"
	apply(SetLink{Port: far, Unplugged: new(true)})
	apply(SetLink{Port: far, Unplugged: new(false)})
	if state := h.lab.State(0).Subnet; state != subnet.Init {
		t.Fatalf("without a manager the port is %s", state)
	}
	write := func(port string, modifier uint32, state infiniband.State) Operation {
		data := make([]byte, mad.Size)
		mad.State.Set(data, uint64(state))
		mad.LID.Set(data, 77)
		return SetPort{Port: port, Write: &mad.Write{Attribute: mad.PortInfo, Modifier: modifier, Data: data}}
	}
	for _, state := range []infiniband.State{infiniband.Armed, infiniband.Active} {
		apply(write(own, 1, state), write(far, 4, state))
		s, places := h.lab.Subnet()
		if got := s.Fabric.At(places[0]); got.State != state || got.LID != 77 {
			t.Errorf("the port is %s with LID %d, not %s", got.State, got.LID, state)
		}
	}
	if state := h.lab.State(0).Subnet; state != subnet.Active {
		t.Errorf("for the host the port is %s", state)
	}
	apply(SetManager{Node: "IB1", Running: new(true)})
	if s, _ := h.lab.Subnet(); s.Fabric.Outside || h.lab.State(0).Subnet != subnet.Active {
		t.Errorf("with a manager of the lab the port is %s", h.lab.State(0).Subnet)
	}
}
