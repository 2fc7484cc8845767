package capture

import (
	"slices"
	"testing"

	"cxdeck/device/tunnel"
	"cxdeck/device/wire"
)

// TestBufferKeepsTheNewest adds five packets in two steps to a buffer of three: the packets of a step come in their order
// of time, the newest three stay, oldest first, and the others are counted.
func TestBufferKeepsTheNewest(t *testing.T) {
	t.Parallel()
	b, err := NewBuffer(3, 64)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range [][]int64{{20, 10}, {50, 30, 40}} {
		for _, at := range step {
			b.Add(Record{At: at, Length: 100})
		}
		b.EndStep()
	}
	var times []int64
	for _, r := range b.Oldest() {
		times = append(times, r.At)
	}
	if !slices.Equal(times, []int64{30, 40, 50}) || b.Status() != (Status{On: true, Packets: 3, Bytes: 64, Held: 3, Lost: 2}) {
		t.Errorf("%v are left: %+v", times, b.Status())
	}
	clone := b.Clone()
	if b.Clear(); b.Status().Held != 0 || b.Status().Lost != 0 || clone.Status().Held != 3 {
		t.Errorf("cleared, %+v, and the copy has %+v", b.Status(), clone.Status())
	}
}

// TestUnsoundBuffers spoils what a lab could have captured, one thing at a time.
func TestUnsoundBuffers(t *testing.T) {
	t.Parallel()
	flows := func(flow int32) (int, bool) { return 4, flow == 0 }
	good := func() *Buffer {
		return &Buffer{Packets: 2, Bytes: 64, Next: 1, Records: []Record{{At: 1000, Length: 64}, {At: 500, Tuple: 3, Length: 1518}}}
	}
	for name, change := range map[string]func(*Buffer){
		"nothing":        func(*Buffer) {},
		"a tag":          func(b *Buffer) { b.Records[0].Tags = 1 },
		"the longest":    func(b *Buffer) { b.Records[0].Length = MaxBytes + wire.FrameCheck },
		"at the start":   func(b *Buffer) { b.Records[0].At = 0 },
		"not full":       func(b *Buffer) { b.Packets, b.Next = 3, 0 },
		"the most":       func(b *Buffer) { b.Packets, b.Bytes, b.Next = MaxPackets, MaxBytes, 0 },
		"the least":      func(b *Buffer) { b.Packets, b.Bytes, b.Next, b.Records = 1, 1, 0, b.Records[:1] },
		"no record":      func(b *Buffer) { b.Records, b.Next = nil, 0 },
		"the last place": func(b *Buffer) { b.Next = 1 },
	} {
		b := good()
		if change(b); !b.Valid(1000, flows) {
			t.Errorf("%s: a sound buffer is refused", name)
		}
	}
	for name, spoil := range map[string]func(*Buffer){
		"no packets":           func(b *Buffer) { b.Packets = 0 },
		"too many packets":     func(b *Buffer) { b.Packets = MaxPackets + 1 },
		"too many bytes":       func(b *Buffer) { b.Bytes = MaxBytes + 1 },
		"more than it holds":   func(b *Buffer) { b.Records = append(b.Records, b.Records[0]) },
		"no place":             func(b *Buffer) { b.Next = -1 },
		"a place beyond it":    func(b *Buffer) { b.Next = 2 },
		"a place in a gap":     func(b *Buffer) { b.Packets = 3 },
		"the future":           func(b *Buffer) { b.Records[0].At = 1001 },
		"before the start":     func(b *Buffer) { b.Records[0].At = -1 },
		"an unknown flow":      func(b *Buffer) { b.Records[0].Flow = 1 },
		"no tuple":             func(b *Buffer) { b.Records[0].Tuple = -1 },
		"an unknown tuple":     func(b *Buffer) { b.Records[0].Tuple = 4 },
		"two tags":             func(b *Buffer) { b.Records[0].Tags = 2 },
		"a short frame":        func(b *Buffer) { b.Records[0].Length = 63 },
		"a long frame":         func(b *Buffer) { b.Records[0].Length = MaxBytes + 5 },
		"an overlay of no one": func(b *Buffer) { b.Records[0].Overlay = tunnel.Overlay{Subnet: 5001} },
	} {
		b := good()
		if spoil(b); b.Valid(1000, flows) {
			t.Errorf("%s: it is taken", name)
		}
	}
}
