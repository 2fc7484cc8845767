// Package pcap writes packets to files that Wireshark and tcpdump read: libpcap 2.4 and pcapng 1.0, both with times in nanoseconds.
package pcap

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strings"
	"time"
)

// Format is the format of a file.
type Format uint8

// The formats.
const (
	Next    Format = iota // pcapng
	Classic               // libpcap
)

// FormatOf returns the format of a file by its name: libpcap for .pcap and .cap, pcapng otherwise.
func FormatOf(name string) Format {
	name = strings.ToLower(name)
	if strings.HasSuffix(name, ".pcap") || strings.HasSuffix(name, ".cap") {
		return Classic
	}
	return Next
}

// Link is the link-layer type of a file.
type Link uint16

// The link-layer types.
const (
	Ethernet Link = 1
	// InfiniBand packets, from the local route header on, are in records of the Extensible Record Format, as ibdump writes them.
	InfiniBand Link = 197
)

// record appends the header of a record of the Extensible Record Format for an InfiniBand packet.
func record(b []byte, p *Packet) []byte {
	const infiniBand, variableLength = 21, 4
	at := p.Time.UnixNano()
	seconds, rest := uint64(at/int64(time.Second)), uint64(at%int64(time.Second))
	b = order.AppendUint64(b, seconds<<32|rest<<32/uint64(time.Second))
	b = append(b, infiniBand, variableLength)
	b = binary.BigEndian.AppendUint16(b, uint16(recordHeader+len(p.Data)))
	b = append(b, 0, 0)
	return binary.BigEndian.AppendUint16(b, uint16(p.Length))
}

// recordHeader is the length of a record's header in bytes.
const recordHeader = 16

// Interface describes the place of a capture.
type Interface struct {
	// Name and Description are in the file where the format has them; Hardware, System and Program too.
	Name, Description, System, Program string
	Link                               Link
	// Bytes is the maximum number of bytes kept of a packet, 0 for whole packets.
	Bytes int
	// Bits is the speed in bits per second, 0 for unknown.
	Bits uint64
	// Directions stores with each packet whether it was sent or received; only pcapng can.
	Directions bool
}

// Packet is a packet: Length its length on the cable without FCS, Data the bytes of it that are kept.
type Packet struct {
	Time   time.Time
	Sent   bool
	Length int
	Data   []byte
}

// wholePacket is the largest number of bytes that readers accept.
const wholePacket = 262_144

// Writer writes a file. Its memory doesn't grow with the file.
type Writer struct {
	out    io.Writer
	format Format
	link   Link
	marks  bool // Directions
	buffer []byte
	// Packets and Bytes are what was written so far, Bytes with headers.
	Packets uint64
	Bytes   int64
}

// flushAt is the size of the buffer at which it is written.
const flushAt = 1 << 18

// NewWriter begins a file.
func NewWriter(out io.Writer, format Format, place Interface) *Writer {
	w := &Writer{out: out, format: format, link: place.Link, marks: place.Directions, buffer: make([]byte, 0, flushAt+flushAt/4)}
	bytes := place.Bytes
	if bytes <= 0 {
		bytes = wholePacket
	}
	if format == Classic {
		const magic = 0xa1b23c4d // times in nanoseconds
		b := binary.LittleEndian.AppendUint32(w.buffer, magic)
		b = order.AppendUint16(order.AppendUint16(b, 2), 4)
		b = order.AppendUint64(b, 0) // times are UTC
		w.buffer = order.AppendUint32(order.AppendUint32(b, uint32(bytes)), uint32(place.Link))
		return w
	}
	w.block(sectionHeader, func(b []byte) []byte {
		b = order.AppendUint32(b, 0x1a2b3c4d)
		b = order.AppendUint16(order.AppendUint16(b, 1), 0)
		b = order.AppendUint64(b, math.MaxUint64) // unknown length
		b = option(b, 3, []byte(place.System))
		b = option(b, 4, []byte(place.Program))
		return endOptions(b)
	})
	w.block(interfaceDescription, func(b []byte) []byte {
		b = order.AppendUint16(order.AppendUint16(b, uint16(place.Link)), 0)
		b = order.AppendUint32(b, uint32(bytes))
		b = option(b, 2, []byte(place.Name))
		b = option(b, 3, []byte(place.Description))
		if place.Bits > 0 {
			b = option(b, 8, order.AppendUint64(nil, place.Bits))
		}
		b = option(b, 9, []byte{9}) // nanoseconds
		return endOptions(b)
	})
	return w
}

// Types of blocks.
const (
	sectionHeader        = 0x0a0d0d0a
	interfaceDescription = 1
	interfaceStatistics  = 5
	enhancedPacket       = 6
)

var order = binary.LittleEndian

// block appends a block with its length at both ends.
func (w *Writer) block(kind uint32, body func([]byte) []byte) {
	at := len(w.buffer)
	b := order.AppendUint32(order.AppendUint32(w.buffer, kind), 0)
	b = body(b)
	length := uint32(len(b) - at + 4)
	order.PutUint32(b[at+4:], length)
	w.buffer = order.AppendUint32(b, length)
}

// maxOption is the maximum length of an option.
const maxOption = math.MaxUint16

// option appends an option that is not empty.
func option(b []byte, code uint16, value []byte) []byte {
	if len(value) == 0 {
		return b
	}
	value = value[:min(len(value), maxOption)]
	b = order.AppendUint16(order.AppendUint16(b, code), uint16(len(value)))
	return pad(append(b, value...), len(value))
}

// pad fills a value of a length up to a multiple of four bytes.
func pad(b []byte, length int) []byte {
	for ; length%4 != 0; length++ {
		b = append(b, 0)
	}
	return b
}

func endOptions(b []byte) []byte { return append(b, 0, 0, 0, 0) }

// ErrTime rejects a time that the format can't hold.
var ErrTime = errors.New("the time of a packet is outside 1970 to 2106")

// Write appends a packet.
func (w *Writer) Write(p *Packet) error {
	at, around := p.Time.UnixNano(), 0
	if w.link == InfiniBand {
		around = recordHeader
	}
	if at < 0 || at/int64(time.Second) > math.MaxUint32 {
		return ErrTime
	}
	if w.format == Classic {
		b := order.AppendUint32(w.buffer, uint32(at/int64(time.Second)))
		b = order.AppendUint32(b, uint32(at%int64(time.Second)))
		w.buffer = w.packet(b, p, around)
	} else {
		w.block(enhancedPacket, func(b []byte) []byte {
			b = order.AppendUint32(b, 0) // the interface
			b = order.AppendUint32(order.AppendUint32(b, uint32(uint64(at)>>32)), uint32(at))
			b = pad(w.packet(b, p, around), around+len(p.Data))
			if !w.marks {
				return b
			}
			direction := uint32(1) // inbound
			if p.Sent {
				direction = 2
			}
			b = order.AppendUint16(order.AppendUint16(b, 2), 4)
			return endOptions(order.AppendUint32(b, direction))
		})
	}
	w.Packets++
	if len(w.buffer) < flushAt {
		return nil
	}
	return w.flush()
}

// packet appends the two lengths and the bytes of a packet, behind a header of a length.
func (w *Writer) packet(b []byte, p *Packet, around int) []byte {
	b = order.AppendUint32(order.AppendUint32(b, uint32(around+len(p.Data))), uint32(around+p.Length))
	if around > 0 {
		b = record(b, p)
	}
	return append(b, p.Data...)
}

// Size returns the size of the file so far, in bytes.
func (w *Writer) Size() int64 { return w.Bytes + int64(len(w.buffer)) }

func (w *Writer) flush() error {
	n, err := w.out.Write(w.buffer)
	w.Bytes += int64(n)
	w.buffer = w.buffer[:0]
	return err
}

// Close ends the file, which holds all packets seen from a time to another. The underlying writer stays open.
func (w *Writer) Close(from, to time.Time, seen uint64) error {
	if w.format == Next {
		w.block(interfaceStatistics, func(b []byte) []byte {
			stamp := func(b []byte, t time.Time) []byte {
				at := uint64(max(t.UnixNano(), 0))
				return order.AppendUint32(order.AppendUint32(b, uint32(at>>32)), uint32(at))
			}
			b = order.AppendUint32(b, 0)
			b = stamp(b, to)
			b = option(b, 2, stamp(nil, from))
			b = option(b, 3, stamp(nil, to))
			b = option(b, 4, order.AppendUint64(nil, seen))
			b = option(b, 5, order.AppendUint64(nil, 0)) // none is dropped by the capture itself
			return endOptions(b)
		})
	}
	return w.flush()
}
