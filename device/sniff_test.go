package device

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/wire"
)

// TestSniffedFramesCarryTheirMarks looks at frames on the cable of Ethernet 8: each has the tag and the DSCP of its flow, in both
// directions.
func TestSniffedFramesCarryTheirMarks(t *testing.T) {
	t.Parallel()
	l, err := New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(l.Flows(), func(f FlowState) bool { return f.Name == "SMB Direct mirror" })
	flow := l.Flows()[i]
	port := flow.Port
	if got := l.Sniff(port, 100, 4791); got != nil {
		t.Errorf("%d frames before any traffic", len(got))
	}
	l.Advance(time.Second)
	list := l.Sniff(port, 500, 4791)
	seen := map[[3]int]int{} // tag, DSCP, UDP port
	own := l.Address(port)
	sent := 0
	for i, p := range list {
		if i > 0 && p.Time.Before(list[i-1].Time) || p.Length != len(p.Data) {
			t.Fatalf("frame %d is out of order or cut", i)
		}
		if [6]byte(p.Data[6:12]) == own {
			sent++
		} else if [6]byte(p.Data[:6]) != own && p.Data[0]&1 == 0 {
			t.Fatalf("frame %d is from %x to %x", i, p.Data[6:12], p.Data[:6])
		}
		tag, at := -1, 12
		if binary.BigEndian.Uint16(p.Data[at:]) == wire.TypeVLAN {
			tag, at = int(p.Data[14]>>5), 16
		}
		if binary.BigEndian.Uint16(p.Data[at:]) == wire.TypeIPv4 && p.Data[at+11] == 17 {
			seen[[3]int{tag, int(p.Data[at+3] >> 2), int(binary.BigEndian.Uint16(p.Data[at+24:]))}]++
		}
	}
	if len(list) < 100 || len(list) > 500 || sent == 0 || sent == len(list) {
		t.Errorf("%d frames, %d sent", len(list), sent)
	}
	want := [3]int{-1, flow.Sent.DSCP, 4791}
	if flow.Sent.Tagged {
		want[0] = flow.Sent.PCP
	}
	if seen[want] < 10 {
		t.Errorf("no frames %v of SMB Direct: %v", want, seen)
	}
}

// TestRoCEv1Frames: frames of RoCE v1 have the headers of InfiniBand after the tag, with the DSCP in the traffic class.
func TestRoCEv1Frames(t *testing.T) {
	t.Parallel()
	for tags := range 2 {
		at := 12 + 4*tags
		data := overEthernet(slices.Repeat([]byte{0xff}, 200), tags, 26)
		if binary.BigEndian.Uint16(data[at:]) != typeRoCE || binary.BigEndian.Uint32(data[at+2:])>>22&63 != 26 || data[at+8] != nextHeader ||
			int(binary.BigEndian.Uint16(data[at+6:])) != 200-at-2-grhBytes+wire.FrameCheck || data[at-1] != 0xff || data[199] != 0 {
			t.Errorf("%d tags: %x", tags, data[:64])
		}
	}
	if short := overEthernet(make([]byte, 20), 0, 26); len(short) != 20 {
		t.Error("a short frame changed its length")
	}
}
