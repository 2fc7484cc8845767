package offload_test

import (
	"math/rand/v2"
	"testing"

	"cxdeck/device/offload"
)

func TestLargestFrame(t *testing.T) {
	t.Parallel()
	for setting := range 10_000 {
		for _, firmware := range []int{1514, 4110, 9614} {
			f, ok := offload.LargestFrame(setting, firmware)
			if ok != (setting >= 614 && setting <= 9614) {
				t.Fatalf("a setting of %d: ok is %v", setting, ok)
			}
			if !ok {
				continue
			}
			if f.Bytes != min(setting, firmware) || f.FirmwareLimit != (firmware < setting) {
				t.Fatalf("a setting of %d with firmware that allows %d: %+v", setting, firmware, f)
			}
			if f.MTU != f.Bytes-14 || f.WireBytes != f.Bytes+4 {
				t.Fatalf("%+v does not add up", f)
			}
		}
	}
}

func TestFrameOfMTUAndBack(t *testing.T) {
	t.Parallel()
	for mtu := range 10_000 {
		setting, ok := offload.FrameOfMTU(mtu)
		f, valid := offload.LargestFrame(setting, offload.MaxFrame)
		if ok != valid || ok && f.MTU != mtu {
			t.Fatalf("MTU %d: %d, %v; and back %+v, %v", mtu, setting, ok, f, valid)
		}
	}
}

func TestRoCEMTU(t *testing.T) {
	t.Parallel()
	for mtu, want := range map[int]int{
		0: 0, 255: 0, 256: 256, 511: 256, 600: 512, 1023: 512, 1024: 1024, 1500: 1024, 2047: 1024, 2048: 2048, 9600: 2048,
	} {
		if got := offload.RoCEMTU(mtu); got != want {
			t.Errorf("Ethernet MTU %d: %d, want %d", mtu, got, want)
		}
	}
}

func TestLargeSendIsOnWithinItsBounds(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]bool{0: false, 2523: false, 2524: true, 64000: true, 64001: false} {
		l := offload.DefaultSettings(1500)
		l.Largest = size
		if l.On() != want {
			t.Errorf("a largest send of %d: on is %v", size, !want)
		}
	}
}

func TestCutLosesNoByte(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		l := offload.DefaultSettings(600 + r.IntN(9000))
		s := offload.Send{Payload: r.IntN(70_000), IPv6: r.IntN(2) == 0, TCPOptions: 4 * r.IntN(11), IPOptions: 4 * r.IntN(11)}
		cut := l.Cut(s)
		if full := cut.Packets * cut.MSS; full < s.Payload || full-s.Payload >= cut.MSS && s.Payload > 0 {
			t.Fatalf("%+v with an MTU of %d: %+v", s, l.MTU, cut)
		}
		if cut.Offloaded != (s.Payload <= l.Largest && cut.Packets > 1 && l.On()) {
			t.Fatalf("%+v with an MTU of %d: %+v", s, l.MTU, cut)
		}
	}
}

func TestSendsThatAreNotOffloaded(t *testing.T) {
	t.Parallel()
	large := offload.Send{Payload: 30_000, TCPOptions: 12, IPOptions: 4}
	if !offload.DefaultSettings(1500).Cut(large).Offloaded {
		t.Fatal("the defaults offload nothing")
	}
	for name, change := range map[string]func(*offload.LargeSend){
		"no TCP options":             func(l *offload.LargeSend) { l.TCPOptions = false },
		"no IP options":              func(l *offload.LargeSend) { l.IPOptions = false },
		"more than the largest send": func(l *offload.LargeSend) { l.Largest = 29_999 },
		"too few packets":            func(l *offload.LargeSend) { l.MinSegments = 32 },
		"off":                        func(l *offload.LargeSend) { l.Largest = 2000 },
	} {
		l := offload.DefaultSettings(1500)
		change(&l)
		if cut := l.Cut(large); cut.Offloaded {
			t.Errorf("%s: %+v", name, cut)
		}
	}
}

func TestTheLargestSendItselfIsOffloaded(t *testing.T) {
	t.Parallel()
	l := offload.DefaultSettings(1500)
	for payload, want := range map[int]bool{l.Largest: true, l.Largest + 1: false} {
		if cut := l.Cut(offload.Send{Payload: payload}); cut.Offloaded != want {
			t.Errorf("%d bytes: %+v", payload, cut)
		}
	}
}

func TestHeadersThatFillThePacketGiveNoPackets(t *testing.T) {
	t.Parallel()
	for _, mtu := range []int{0, 40, 52} {
		l := offload.DefaultSettings(mtu)
		if cut := l.Cut(offload.Send{Payload: 30_000, TCPOptions: 12}); cut != (offload.Segments{}) {
			t.Errorf("MTU %d: %+v", mtu, cut)
		}
	}
}

func TestChecksumDirections(t *testing.T) {
	t.Parallel()
	for c, want := range map[offload.Checksum][2]bool{
		offload.NoChecksum: {false, false}, offload.SendChecksum: {true, false},
		offload.ReceiveChecksum: {false, true}, offload.ChecksumBothWays: {true, true},
	} {
		if got := [2]bool{c.Sends(), c.Receives()}; got != want {
			t.Errorf("%d: sends and receives are %v, want %v", c, got, want)
		}
	}
}

func BenchmarkCut(b *testing.B) {
	b.ReportAllocs()
	l, sum := offload.DefaultSettings(1500), 0
	for i := range b.N {
		sum += l.Cut(offload.Send{Payload: i & 0xffff}).Packets
	}
	_ = sum
}
