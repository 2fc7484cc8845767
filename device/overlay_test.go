package device

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
	"cxdeck/device/tunnel"
	"cxdeck/device/wire"
)

// TestCapturedOverlay looks at what is captured of a machine in an overlay: the headers of NVGRE in their order, with
// lengths that agree (VIRT-6, VIRT-7). A lab that was saved continues with it.
func TestCapturedOverlay(t *testing.T) {
	t.Parallel()
	d := description.Default()
	l := newLab(t, 3)
	port := 1
	if d.Adapters[0].Ports[port].Link != description.Ethernet {
		t.Fatal("the port is not of Ethernet")
	}
	o := tunnel.Overlay{Subnet: 5001, Local: netip.MustParseAddr("192.168.20.114"), Remote: netip.MustParseAddr("192.168.20.115")}
	guest := setup.Guest{Function: setup.NoFunction, Share: 1, Rings: []int{0}, Overlay: o}
	if err := l.SetGuests(port, []setup.Guest{guest}); err != nil {
		t.Fatal(err)
	}
	s := l.Settings(port)
	s.RSS = false // what is hashed is not captured
	if err := l.Configure(port, s); err != nil {
		t.Fatal(err)
	}
	if err := l.StartCapture(port, 4096, 2000); err != nil {
		t.Fatal(err)
	}
	for i := range l.setup.Scales {
		if l.plant.flows[i].kind == traffic.Described {
			l.setup.Scales[i] = 0
		}
	}
	l.Advance(2 * time.Second)
	found := 0
	for _, p := range l.CapturedPackets(port) {
		b := p.Data
		if len(b) < 60 || b[23] != tunnel.GREProtocol {
			continue
		}
		found++
		outer := int(binary.BigEndian.Uint16(b[16:]))
		inner := b[42:]
		if outer+14 != p.Length || !bytes.Equal(b[26:34], append(o.Remote.AsSlice(), o.Local.AsSlice()...)) || wire.Checksum(b[14:34]) != 0 ||
			binary.BigEndian.Uint32(b[34:]) != 0x2000_6558 || binary.BigEndian.Uint32(b[38:])>>8 != 5001 {
			t.Fatalf("the outer headers are % x", b[:42])
		}
		if binary.BigEndian.Uint16(inner[12:]) != wire.TypeIPv4 || int(binary.BigEndian.Uint16(inner[16:]))+tunnel.NVGRE.Added() != outer {
			t.Fatalf("the inner headers are % x, in %d bytes", inner[:34], outer)
		}
	}
	if found < 100 {
		t.Errorf("%d packets of the overlay were captured", found)
	}
	saved, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Restore(d, saved)
	if err != nil {
		t.Fatal(err)
	}
	l.Advance(time.Second)
	again.Advance(time.Second)
	if cell := counter.Cell(port, counter.OverlaySentBytes); l.Counters()[cell] == 0 || l.Counters()[cell] != again.Counters()[cell] {
		t.Errorf("it sent %d bytes, and restored %d", l.Counters()[cell], again.Counters()[cell])
	}
}

func TestOverlaysThatCanNotBe(t *testing.T) {
	t.Parallel()
	l := newLab(t, 3)
	v4, v6 := netip.MustParseAddr("192.168.20.114"), netip.MustParseAddr("fd00::1")
	for _, o := range []tunnel.Overlay{{Subnet: 0, Local: v4, Remote: v4}, {Subnet: tunnel.MaxSubnet + 1, Local: v4, Remote: v4}, {Subnet: 5001, Local: v6, Remote: v4}, {Subnet: 5001, Local: v4}} {
		if err := l.SetGuests(1, []setup.Guest{{Function: setup.NoFunction, Share: 1, Rings: []int{0}, Overlay: o}}); err == nil {
			t.Errorf("%v was taken", o)
		}
	}
}
