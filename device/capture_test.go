package device

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"testing"
	"time"

	"cxdeck/device/capture"
	"cxdeck/device/counter"
	"cxdeck/device/rss"
	"cxdeck/device/wire"
)

// captureLab is a lab whose WinOF port watches its packets; which port, too.
func captureLab(t *testing.T, seed uint64) (l *Lab, port int) {
	t.Helper()
	l = newLab(t, seed)
	port = portOf(t, l, "Ethernet 3")
	s := l.Settings(port)
	s.CountRSS, s.CountFromStart, s.RSSUDP = true, true, false
	if err := l.Configure(port, s); err != nil {
		t.Fatal(err)
	}
	return l, port
}

// TestTheCaptureBuffer: R9, over seeds: it holds at most its size of the newest packets, as many bytes of each as it
// was told, and no counter knows of it.
func TestTheCaptureBuffer(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		l, port := captureLab(t, seed)
		plain, _ := captureLab(t, seed)
		size, length := 1<<(seed%11), 1+int(seed*37%200)
		if seed == 0 {
			size, length = capture.DefaultPackets, capture.DefaultBytes
		}
		if err := l.StartCapture(port, size, length); err != nil {
			t.Fatal(err)
		}
		whole := l.Clone()
		if err := whole.StartCapture(port, capture.MaxPackets, length); err != nil {
			t.Fatal(err)
		}
		seen := uint64(0)
		for range 8 {
			before := nonRSS(l, port)
			l.Advance(100 * time.Millisecond)
			seen += nonRSS(l, port) - before
			whole.Advance(100 * time.Millisecond)
			now, packets := l.PacketCapture(port), l.CapturedPackets(port)
			if all := whole.CapturedPackets(port); !reflect.DeepEqual(packets, all[max(0, len(all)-size):]) {
				t.Fatalf("seed %d: it does not hold the newest %d of %d packets", seed, size, len(all))
			}
			if uint64(now.Held) != min(seen, uint64(size)) || now.Lost != seen-uint64(now.Held) || len(packets) != now.Held {
				t.Fatalf("seed %d: %+v after %d packets", seed, now, seen)
			}
			for i, p := range packets {
				if len(p.Data) != min(length, p.Length) || i > 0 && p.Time.Before(packets[i-1].Time) || p.Time.After(l.Now()) {
					t.Fatalf("seed %d: packet %d has %d of %d bytes at %s", seed, i, len(p.Data), p.Length, p.Time)
				}
			}
			if now.Lost > 0 && l.Now().Sub(packets[len(packets)-1].Time) > Step {
				t.Fatalf("seed %d: the newest packet is of %s, and it is %s", seed, packets[len(packets)-1].Time, l.Now())
			}
		}
		lengths := map[int]bool{}
		for _, p := range l.CapturedPackets(port) {
			lengths[p.Length] = true
		}
		if size >= capture.DefaultPackets && len(lengths) < 2 {
			t.Fatalf("seed %d: the buffer has packets of one flow alone", seed)
		}
		plain.Advance(800 * time.Millisecond)
		if seen == 0 || !slices.Equal(l.Counters(), plain.Counters()) {
			t.Fatalf("seed %d: the capture of %d packets changes counters", seed, seen)
		}
		emptied(t, l, port, size)
	}
}

func nonRSS(l *Lab, port int) (n uint64) {
	for processor := range l.Processors() {
		for kind := range counter.ReceiveKinds {
			if !rss.Counter(kind).Hashed() {
				n += l.Counters()[l.KindCell(port, processor, kind)]
			}
		}
	}
	return n
}

// emptied holds that collecting and a new start empty the buffer, and that stopping and a start of the driver end the
// capture.
func emptied(t *testing.T, l *Lab, port, size int) {
	t.Helper()
	if err := l.EmptyCapture(port); err != nil || l.PacketCapture(port).Held != 0 || !l.PacketCapture(port).On {
		t.Errorf("after it was emptied: %+v, %v", l.PacketCapture(port), err)
	}
	l.Advance(time.Second)
	if err := l.StartCapture(port, size, 10); err != nil || l.PacketCapture(port) != (capture.Status{On: true, Packets: size, Bytes: 10}) {
		t.Errorf("after a new start: %+v, %v", l.PacketCapture(port), err)
	}
	if err := l.StopCapture(port); err != nil || l.PacketCapture(port) != (capture.Status{}) {
		t.Errorf("after it was stopped: %+v, %v", l.PacketCapture(port), err)
	}
	if l.StopCapture(port) == nil || l.EmptyCapture(port) == nil || l.StartCapture(port, 0, 1) == nil || l.StartCapture(port, 1, 1<<20) == nil {
		t.Error("what can't be was done")
	}
	if err := l.StartCapture(port, 1, 1); err != nil {
		t.Error(err)
	}
	if l.ResetDriver(port); l.PacketCapture(port).On {
		t.Error("the capture outlives the driver")
	}
}

// TestCapturesAreSaved: a restored lab continues with its buffer, and one that makes no sense is refused.
func TestCapturesAreSaved(t *testing.T) {
	t.Parallel()
	l, port := captureLab(t, 5)
	if err := l.StartCapture(port, 50, 60); err != nil {
		t.Fatal(err)
	}
	l.Advance(time.Second)
	saved, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Restore(l.Description(), saved)
	if err != nil {
		t.Fatal(err)
	}
	clone := l.Clone()
	for _, lab := range []*Lab{l, again, clone} {
		lab.Advance(time.Second)
	}
	want := l.CapturedPackets(port)
	if len(want) != 50 || !reflect.DeepEqual(again.CapturedPackets(port), want) || !reflect.DeepEqual(clone.CapturedPackets(port), want) {
		t.Error("the buffers differ")
	}
	for _, spoil := range []func(*capture.Buffer){
		func(c *capture.Buffer) { c.Next = 50 }, func(c *capture.Buffer) { c.Packets = 0 }, func(c *capture.Buffer) { c.Records = c.Records[:10] },
		func(c *capture.Buffer) { c.Records[3].Flow = 9999 }, func(c *capture.Buffer) { c.Records[3].At = 1 << 60 }, func(c *capture.Buffer) { c.Records[3].Length = 3 },
		func(c *capture.Buffer) { c.Records[3].Tuple = 1 << 30 }, func(c *capture.Buffer) { c.Records[3].Tuple = -1 }, func(c *capture.Buffer) { c.Records[3].Tags = 2 },
	} {
		bad := l.Clone()
		bad.captures[port].Next = 7
		spoil(bad.captures[port])
		if saved, err = bad.Save(); err != nil {
			t.Fatal(err)
		}
		if _, err := Restore(l.Description(), saved); err == nil {
			t.Error("a damaged buffer was restored")
		}
	}
}

// TestCapturedPacketsAreFrames: their headers say what they are.
func TestCapturedPacketsAreFrames(t *testing.T) {
	t.Parallel()
	l, port := captureLab(t, 2)
	s := l.Settings(port)
	s.RSS = false // everything
	if err := l.Configure(port, s); err != nil {
		t.Fatal(err)
	}
	if err := l.StartCapture(port, capture.MaxPackets, capture.MaxBytes); err != nil {
		t.Fatal(err)
	}
	l.Advance(200 * time.Millisecond)
	types := map[uint16]int{}
	for _, p := range l.CapturedPackets(port) {
		if len(p.Data) != p.Length || p.Length < 60 {
			t.Fatalf("%d bytes of %d", len(p.Data), p.Length)
		}
		kind, packet := binary.BigEndian.Uint16(p.Data[12:]), p.Data[14:]
		if kind == wire.TypeVLAN {
			kind, packet = binary.BigEndian.Uint16(p.Data[16:]), p.Data[18:]
		}
		types[kind]++
		if kind == wire.TypeIPv4 {
			if wire.Checksum(packet[:20]) != 0 || int(binary.BigEndian.Uint16(packet[2:])) > len(packet) || packet[8] == 0 {
				t.Fatalf("the header % x of %d bytes", packet[:20], len(packet))
			}
		}
		if kind == wire.TypeIPv6 && int(binary.BigEndian.Uint16(packet[4:]))+40 > len(packet) {
			t.Fatalf("the header % x of %d bytes", packet[:40], len(packet))
		}
	}
	if types[wire.TypeIPv4] == 0 || types[wire.TypeIPv6] == 0 {
		t.Errorf("types %v", types)
	}
	mac := l.plant.ports[port].description.MAC
	if p := l.CapturedPackets(port)[0]; !bytes.Equal(p.Data[:6], mac[:]) && p.Data[0]&1 == 0 {
		t.Errorf("for % x", p.Data[:6])
	}
}

// TestACopyHasItsOwnBuffer lets a copy of a lab capture on: the buffer of the lab is as it was.
func TestACopyHasItsOwnBuffer(t *testing.T) {
	t.Parallel()
	l, port := captureLab(t, 5)
	if err := l.StartCapture(port, 50, 60); err != nil {
		t.Fatal(err)
	}
	l.Advance(time.Second)
	before := l.CapturedPackets(port)
	clone := l.Clone()
	clone.Advance(time.Second)
	if now := l.CapturedPackets(port); len(before) != 50 || !reflect.DeepEqual(now, before) || reflect.DeepEqual(clone.CapturedPackets(port), before) {
		t.Error("what a copy captures is in the buffer of the lab, or it captures nothing")
	}
	if n := l.PacketCapture(port).Lost; n == 0 {
		t.Fatal("nothing was lost, so that this tries too little")
	}
	if err := l.EmptyCapture(port); err != nil || l.PacketCapture(port) != (capture.Status{On: true, Packets: 50, Bytes: 60}) {
		t.Errorf("after it was emptied: %+v, %v", l.PacketCapture(port), err)
	}
	if clone.PacketCapture(port).Held != 50 {
		t.Error("the buffer of the copy was emptied, too")
	}
}

// TestPortsThatCanNotCapture has ports that do not look at how their packets are hashed.
func TestPortsThatCanNotCapture(t *testing.T) {
	t.Parallel()
	for connection, want := range map[string]bool{"Ethernet 3": true, "Ethernet 4": false} {
		l, _ := captureLab(t, 5)
		port := portOf(t, l, connection)
		for _, watches := range []bool{true, false} {
			s := l.Settings(port)
			s.CountRSS = watches
			if err := l.Configure(port, s); err != nil {
				t.Fatal(err)
			}
			if err := l.StartCapture(port, 50, 60); (err == nil) != (want && watches) || l.PacketCapture(port).On != (want && watches) {
				t.Errorf("%s watches: %t: %v", connection, watches, err)
			}
			l.ResetDriver(port)
		}
	}
}
