package sniffer_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/capture/pcap"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/packet"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/sniffer"
)

func host(t testing.TB) *driver.Host {
	t.Helper()
	lab, err := device.New(description.Default(), 5)
	if err != nil {
		t.Fatal(err)
	}
	h := driver.NewHost(lab)
	h.Advance(2 * time.Second)
	return h
}

// run captures at a place of a copy of a host.
func run(t testing.TB, h *driver.Host, name string, o sniffer.Options) (*sniffer.Result, []byte) {
	t.Helper()
	copied := h.Clone()
	place, err := sniffer.Find(copied, name)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	result, err := sniffer.Run(t.Context(), copied, place, o, &file, pcap.Classic)
	if err != nil {
		t.Fatal(err)
	}
	if result.Size != int64(file.Len()) {
		t.Errorf("the file has %d bytes, the result says %d", file.Len(), result.Size)
	}
	return result, file.Bytes()
}

// packets returns the number of packets in a file of libpcap, and the time of the first and the last.
func packets(t testing.TB, file []byte) (n uint64, first, last time.Time) {
	t.Helper()
	for rest := file[24:]; len(rest) > 0; n++ {
		last = time.Unix(int64(binary.LittleEndian.Uint32(rest)), int64(binary.LittleEndian.Uint32(rest[4:]))).UTC()
		if n == 0 {
			first = last
		}
		rest = rest[16+binary.LittleEndian.Uint32(rest[8:]):]
	}
	return n, first, last
}

// TestCaptureOfATime captures a port for a time, and finds the frames that the host counts when the same time passes.
func TestCaptureOfATime(t *testing.T) {
	t.Parallel()
	h := host(t)
	for _, name := range []string{"Ethernet 7", "Ethernet 4"} {
		result, file := run(t, h, name, sniffer.Options{For: 200 * time.Millisecond})
		place, err := sniffer.Find(h, name)
		if err != nil {
			t.Fatal(err)
		}
		n, first, last := packets(t, file)
		if n != result.Kept || result.Kept != result.Seen || first.Before(result.From) || last.After(result.To) || result.Bytes != sniffer.HeaderBytes || !result.Complete {
			t.Errorf("%s: %d packets from %v to %v: %+v", name, n, first, last, result)
		}
		later := h.Clone()
		read := func() [2]uint64 {
			c := later.Lab().Counters()
			return [2]uint64{c[counter.Cell(place.Port, counter.ReceivedPackets)], c[counter.Cell(place.Port, counter.SentPackets)]}
		}
		before := read()
		later.Advance(200 * time.Millisecond)
		after := read()
		if want := after[0] - before[0] + after[1] - before[1]; want != n || want != result.Received+result.Sent {
			t.Errorf("%s: %d packets, the host counts %d", name, n, want)
		}
	}
}

// TestLimitsOfACapture tries the limits of frames, size, bytes and ring.
func TestLimitsOfACapture(t *testing.T) {
	t.Parallel()
	h := host(t)
	if r, file := run(t, h, "Ethernet 7", sniffer.Options{}); r.Kept != sniffer.DefaultFrames || r.Bytes != 0 || r.Complete {
		t.Errorf("%+v, %d bytes", r, len(file))
	}
	if r, _ := run(t, h, "Ethernet 7", sniffer.Options{Frames: 500, Bytes: 40}); r.Kept != 500 || r.Size != 24+500*(16+40) {
		t.Errorf("%+v", r)
	}
	if r, _ := run(t, h, "Ethernet 7", sniffer.Options{For: time.Second, Size: 1 << 20}); !r.Full || r.Size < 1<<20 || r.Size > 1<<20+200 {
		t.Errorf("%+v", r)
	}
	r, file := run(t, h, "Ethernet 7", sniffer.Options{For: 200 * time.Millisecond, Ring: 700, Bytes: 64})
	n, first, last := packets(t, file)
	if n != 700 || r.Kept != 700 || r.Seen < 10_000 || r.To.Sub(last) > time.Millisecond || r.To.Sub(first) > 10*time.Millisecond {
		t.Errorf("the ring has %d packets from %v to %v of %d, until %v", n, first, last, r.Seen, r.To)
	}
	filter, err := packet.ParseFilter("tcp and vlan 71")
	if err != nil {
		t.Fatal(err)
	}
	r, _ = run(t, h, "Ethernet 7", sniffer.Options{Frames: 300, Filter: filter})
	if r.Kept != 300 || r.Seen <= r.Kept {
		t.Errorf("%+v", r)
	}
	for key := range r.Counts {
		if key.Protocol != "TCP" || key.VLAN != 71 {
			t.Errorf("the filter passes %+v", key)
		}
	}
}

// TestFunctionsAndSwitchPorts captures a virtual function, whose frames have the address of its machine, and a switch port.
func TestFunctionsAndSwitchPorts(t *testing.T) {
	t.Parallel()
	h := host(t)
	place, err := sniffer.Find(h, "ethernet 7 vf 0")
	if err != nil {
		t.Fatal(err)
	}
	_, file := run(t, h, "Ethernet 7 VF 0", sniffer.Options{Frames: 50})
	for rest := file[24:]; len(rest) > 0; rest = rest[16+binary.LittleEndian.Uint32(rest[8:]):] {
		if to, from := rest[16:22], rest[22:28]; !bytes.Equal(to, place.Address[:]) && !bytes.Equal(from, place.Address[:]) && to[0]&1 == 0 {
			t.Fatalf("a frame from % x to % x, the machine has %v", from, to, place.Address)
		}
	}
	if r, _ := run(t, h, "Eth1/7", sniffer.Options{Frames: 100}); r.Kept != 100 {
		t.Errorf("%+v", r)
	}
}

// TestMistakes tries unknown places, options out of range, an ended context and a full disk.
func TestMistakes(t *testing.T) {
	t.Parallel()
	h := host(t)
	var unknown *sniffer.UnknownPlaceError
	if _, err := sniffer.Find(h, "Ethernet 99"); !errors.As(err, &unknown) || len(unknown.Names) < 10 {
		t.Errorf("%v", err)
	}
	place, err := sniffer.Find(h, "Ethernet 7")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []sniffer.Options{
		{Frames: sniffer.MaxFrames + 1}, {For: sniffer.MaxTime + 1}, {For: -1}, {Bytes: -1}, {Bytes: 1<<16 + 1}, {Ring: -1}, {Ring: 5}, {Ring: sniffer.MaxRing + 1, For: time.Second},
		{Size: -1}, {Size: sniffer.MaxSize + 1},
	} {
		var option *sniffer.OptionError
		if _, err := sniffer.Run(t.Context(), h.Clone(), place, o, &bytes.Buffer{}, pcap.Next); !errors.As(err, &option) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sniffer.Run(ctx, h.Clone(), place, sniffer.Options{}, &bytes.Buffer{}, pcap.Next); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
	if _, err := sniffer.Run(t.Context(), h.Clone(), place, sniffer.Options{For: time.Second}, fullDisk{}, pcap.Next); !errors.Is(err, errFull) {
		t.Errorf("a full disk: %v", err)
	}
}

var errFull = errors.New("no space")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// TestSilentPort captures at a port without a link: it ends by itself.
func TestSilentPort(t *testing.T) {
	t.Parallel()
	h := host(t)
	if _, err := h.Apply(driver.Plan{Title: "pull", Operations: []driver.Operation{hardware.PullCable{Connection: "Ethernet 7"}}}); err != nil {
		t.Fatal(err)
	}
	if r, _ := run(t, h, "Ethernet 7", sniffer.Options{}); !r.Silent || r.Kept > 10 {
		t.Errorf("%+v", r)
	}
}

// TestSilentFilter captures at a busy port with a filter that no frame matches: it ends by itself.
func TestSilentFilter(t *testing.T) {
	t.Parallel()
	filter, err := packet.ParseFilter("vlan 4094")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	h := host(t)
	place, err := sniffer.Find(h, "Ethernet 6")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := sniffer.Run(ctx, h, place, sniffer.Options{Filter: filter}, io.Discard, pcap.Next); err != nil || !r.Silent || r.Kept > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// BenchmarkCapture captures frames of a port with headers only, as a capture of a million frames does.
func BenchmarkCapture(b *testing.B) {
	h := host(b)
	for b.Loop() {
		run(b, h, "Ethernet 7", sniffer.Options{Frames: 1_000_000, Size: sniffer.MaxSize})
	}
}
