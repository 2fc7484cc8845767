// Package capture keeps the first bytes of received packets that were not hashed, in a buffer in which new packets replace
// the oldest (WinOF manual, "Non-RSS Packet Capturing"), and writes their bytes. Package device supplies the packets.
package capture

import (
	"fmt"
	"slices"
	"time"

	"cxdeck/device/tunnel"
	"cxdeck/device/wire"
)

// Status is the state of a port's capture.
type Status struct {
	// On reports that a capture is running; otherwise the other fields are 0.
	On bool `json:"capturing"`
	// Packets is the size of the buffer in packets, Bytes the number of bytes kept of each.
	Packets int `json:"buffer_packets"`
	Bytes   int `json:"bytes_per_packet"`
	// Held is the number of packets in the buffer, Lost the number replaced since it was last emptied.
	Held int    `json:"held_packets"`
	Lost uint64 `json:"lost_packets"`
}

// Default and maximum sizes of the buffer. The manual gives no maximum.
const (
	DefaultPackets = 1024
	DefaultBytes   = 128
	MaxPackets     = 16384
	MaxBytes       = 9618
)

// minFrame is the length of the shortest frame in bytes.
const minFrame = 64

// Packet is a captured packet.
type Packet struct {
	// Time is its time of arrival, Length its length from the header on, without FCS, and Data its captured bytes.
	Time   time.Time
	Length int
	Data   []byte
}

// Buffer is the buffer of a port. It keeps the flow of each packet, from which the bytes are derived. It is part of a saved
// lab.
type Buffer struct {
	Packets, Bytes int
	Lost           uint64
	// Records are the packets; when the buffer is full, Next is the oldest of them.
	Records []Record
	Next    int
	// fresh are the unsorted packets of this step.
	fresh []Record
}

// Record is a packet of a five-tuple of a flow; At is its arrival in microseconds since the lab's start.
type Record struct {
	At           int64
	Flow, Tuple  int32
	Tags, Length uint16
	Overlay      tunnel.Overlay `json:",omitzero"`
}

// NewBuffer returns an empty buffer.
func NewBuffer(packets, bytes int) (*Buffer, error) {
	b := &Buffer{Packets: packets, Bytes: bytes}
	return b, b.checkSize()
}

func (b *Buffer) checkSize() error {
	if b.Packets < 1 || b.Packets > MaxPackets {
		return fmt.Errorf("a capture buffer must hold 1 to %d packets, not %d", MaxPackets, b.Packets)
	}
	if b.Bytes < 1 || b.Bytes > MaxBytes {
		return fmt.Errorf("the captured bytes of a packet must be 1 to %d, not %d", MaxBytes, b.Bytes)
	}
	return nil
}

// Status returns the state of the capture: off for a nil buffer.
func (b *Buffer) Status() Status {
	if b == nil {
		return Status{}
	}
	return Status{On: true, Packets: b.Packets, Bytes: b.Bytes, Held: len(b.Records), Lost: b.Lost}
}

// Clone returns a copy with records of its own; nil for a nil buffer.
func (b *Buffer) Clone() *Buffer {
	if b == nil {
		return nil
	}
	copied := *b
	copied.Records, copied.fresh = slices.Clone(b.Records), nil
	return &copied
}

// Clear removes all packets.
func (b *Buffer) Clear() { b.Records, b.Next, b.Lost = nil, 0, 0 }

// Add records a packet of the current step.
func (b *Buffer) Add(r Record) { b.fresh = append(b.fresh, r) }

// EndStep adds the packets of the step to the buffer, in the order of arrival.
func (b *Buffer) EndStep() {
	if b == nil || len(b.fresh) == 0 {
		return
	}
	slices.SortStableFunc(b.fresh, func(x, y Record) int { return int(x.At - y.At) })
	for _, r := range b.fresh {
		if len(b.Records) < b.Packets {
			b.Records = append(b.Records, r)
			continue
		}
		b.Records[b.Next] = r
		b.Next = (b.Next + 1) % b.Packets
		b.Lost++
	}
	b.fresh = b.fresh[:0]
}

// Oldest returns the records, oldest first.
func (b *Buffer) Oldest() []Record { return slices.Concat(b.Records[b.Next:], b.Records[:b.Next]) }

// Valid reports whether a lab could have this buffer at a time in microseconds; flows returns the number of five-tuples of a
// flow.
func (b *Buffer) Valid(now int64, flows func(int32) (tuples int, known bool)) bool {
	full := len(b.Records) == b.Packets
	if b.checkSize() != nil || len(b.Records) > b.Packets || b.Next < 0 || b.Next > 0 && (!full || b.Next >= b.Packets) {
		return false
	}
	return !slices.ContainsFunc(b.Records, func(r Record) bool {
		tuples, known := flows(r.Flow)
		return !known || r.At < 0 || r.At > now || r.Tuple < 0 || int(r.Tuple) >= tuples || r.Tags > 1 ||
			r.Length < minFrame || r.Length > MaxBytes+wire.FrameCheck || r.Overlay.Check() != nil
	})
}
