package subnet

import (
	"errors"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/driver/request"
)

// plain is a host without anything but its lab.
type plain struct{ lab *device.Lab }

func (h plain) Lab() *device.Lab { return h.lab }
func (plain) LinksChanged()      {}

func newHost(t *testing.T) plain {
	t.Helper()
	for _, named := range description.NamedLabs() {
		if named.Name == "manual-ib" {
			d, err := description.ParseText(named.Text())
			if err != nil {
				t.Fatal(err)
			}
			lab, err := device.New(d, 1)
			if err != nil {
				t.Fatal(err)
			}
			return plain{lab}
		}
	}
	t.Fatal("the lab is missing")
	return plain{}
}

// TestUndo: each change shows in the subnet, is refused a second time, and its inverse takes it back.
func TestUndo(t *testing.T) {
	t.Parallel()
	for _, o := range []Operation{
		SetLink{Port: "IB1/36", Unplugged: new(true)}, SetLink{Port: "IB1/36", SymbolErrors: new(9.0)},
		SetLink{Port: "IB1/4", Unplugged: new(true)}, // of the host itself
		SetPort{Port: "IB2/2", Disabled: new(true)}, SetPort{Port: "IB1/35", Speeds: new(infiniband.UpTo(infiniband.SDR))},
		SetPort{Port: "IB1/0", Write: &mad.Write{Attribute: mad.LinearTable, Modifier: 1, Data: append([]byte{3}, make([]byte, 63)...)}},
		SetPort{Port: "IB1/35", Write: &mad.Write{Attribute: mad.SLToVL, Modifier: 0x101, Data: append([]byte{0x33}, make([]byte, 63)...)}},
		SetPort{Port: "IB1/35", Widths: new(infiniband.Width(1).Bit())},
		SetManager{Node: "IB1", Running: new(false)}, SetManager{Node: "IB1", Priority: new(uint8(3)), Routing: new(opensm.UpDown)},
		SetManager{Node: "IB1", LMC: new(uint8(1))}, SetManager{Node: "IB2", Running: new(true)},
	} {
		h := newHost(t)
		back, err := o.Inverse(h)
		if err != nil {
			t.Fatalf("%s: %v", o.Describe(), err)
		}
		if err := o.Apply(h); err != nil {
			t.Fatalf("%s: %v", o.Describe(), err)
		}
		h.lab.Advance(3 * time.Second)
		var unchanged *request.UnchangedError
		if _, err := o.Inverse(h); !errors.As(err, &unchanged) {
			t.Errorf("%s: the second time: %v", o.Describe(), err)
		}
		if err := back.Apply(h); err != nil {
			t.Fatalf("%s: undo: %v", o.Describe(), err)
		}
		h.lab.Advance(3 * time.Second)
		if _, err := o.Inverse(h); err != nil {
			t.Errorf("%s: after undo: %v", o.Describe(), err)
		}
	}
}

// TestCleared: counters of the subnet and of the host's own ports start at 0 again, and count on.
func TestCleared(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.lab.Advance(10 * time.Second)
	o := ClearCounters{Errors: true, Traffic: true}
	if back, err := o.Inverse(h); err != nil || back != nil {
		t.Fatalf("%v, %v", back, err)
	}
	if err := o.Apply(h); err != nil {
		t.Fatal(err)
	}
	count := func() (own, other uint64) {
		s, places := h.lab.Subnet()
		at, err := Find(s.Fabric, "IB2/2")
		if err != nil {
			t.Fatal(err)
		}
		return s.Fabric.At(places[0]).Counters.SentPackets, s.Fabric.At(at).Counters.SentPackets
	}
	if own, other := count(); own != 0 || other != 0 {
		t.Errorf("%d and %d packets after clearing", own, other)
	}
	h.lab.Advance(5 * time.Second)
	if own, other := count(); own == 0 || other == 0 {
		t.Errorf("%d and %d packets later", own, other)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for _, o := range []Operation{
		SetLink{Port: "IB1/36"}, SetLink{Port: "IB1/20", Unplugged: new(true)}, SetLink{Port: "IB9/1", Unplugged: new(true)},
		SetLink{Port: "IB1/36", SymbolErrors: new(-1.0)}, SetPort{Port: "IB1/36"}, SetPort{Port: "IB1", Reset: true},
		SetPort{Port: "IB1/36", Speeds: new(infiniband.UpTo(infiniband.HDR))}, SetPort{Port: "IB1/36", Widths: new(infiniband.Widths(0))},
		SetManager{Node: "IB1"}, SetManager{Node: "nobody", Running: new(true)}, SetManager{Node: "RTR-1", Running: new(true)},
		SetManager{Node: "IB1", Priority: new(uint8(16))}, SetManager{Node: "IB1", LMC: new(uint8(8))}, SetManager{Node: "IB1", Routing: new(opensm.Engine("best"))},
		ClearCounters{}, ClearCounters{Port: "IB1/99", Errors: true},
	} {
		if _, err := o.Inverse(h); err == nil {
			t.Errorf("%s is accepted", o.Describe())
		}
	}
}
