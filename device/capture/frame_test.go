package capture

import (
	"encoding/binary"
	"net/netip"
	"testing"

	"cxdeck/device/description"
	"cxdeck/device/rss"
	"cxdeck/device/wire"
)

// TestFramesReadAsTheyWereWritten takes frames of every protocol, family, tag and length apart again: lengths,
// checksums and protocol numbers follow the standards (RFC 791, 8200, 768, 9293, 792, 4443).
func TestFramesReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	numbers := map[description.Protocol][2]byte{ // over IPv4 and IPv6
		description.TCP: {6, 6}, description.UDP: {17, 17}, description.RDMA: {17, 17}, description.OtherIP: {1, 58},
	}
	ends := [][2]netip.Addr{
		{netip.MustParseAddr("10.1.2.3"), netip.MustParseAddr("10.4.5.6")}, {netip.MustParseAddr("fd00::1"), netip.MustParseAddr("fd00::2")},
	}
	priority := 5
	for protocol, number := range numbers {
		for version, pair := range ends {
			for tags := range 2 {
				for _, length := range []uint16{128, 129, 1518, MaxBytes} {
					flow := &description.Flow{Protocol: protocol, DSCP: 46, Priority: &priority, VLAN: 70}
					tuple := rss.Tuple{Source: pair[0], Destination: pair[1], SourcePort: 4000, DestinationPort: 445}
					frame := (&Frame{Record: &Record{Length: length, Tags: uint16(tags)}, Flow: flow, Tuple: tuple, To: description.MAC{2, 0, 0, 0, 0, 1}}).Bytes()
					if len(frame) != int(length)-wire.FrameCheck || frame[5] != 1 {
						t.Fatalf("%v: %d bytes of a frame of %d", protocol, len(frame), length)
					}
					rest := frame[12:]
					if tags == 1 {
						if binary.BigEndian.Uint32(rest) != 0x8100_0000|5<<13|70 {
							t.Errorf("%v: the tag is %x", protocol, rest[:4])
						}
						rest = rest[4:]
					}
					kind, packet := binary.BigEndian.Uint16(rest), rest[2:]
					var payload []byte
					var next byte
					if version == 0 {
						if kind != 0x0800 || packet[0] != 0x45 || int(binary.BigEndian.Uint16(packet[2:])) != len(packet) || sumOf(packet[:20]) != 0xffff || packet[1] != 46<<2 {
							t.Errorf("%v: the header is %x over %d bytes", protocol, packet[:20], len(packet))
						}
						next, payload = packet[9], packet[20:]
					} else {
						if kind != 0x86dd || binary.BigEndian.Uint32(packet) != 6<<28|46<<22 || int(binary.BigEndian.Uint16(packet[4:])) != len(packet)-40 {
							t.Errorf("%v: the header is %x over %d bytes", protocol, packet[:40], len(packet))
						}
						next, payload = packet[6], packet[40:]
					}
					if next != number[version] {
						t.Errorf("%v over version %d is protocol %d", protocol, 4+2*version, next)
					}
					switch next {
					case 6, 17:
						if binary.BigEndian.Uint32(payload) != 4000<<16|445 {
							t.Errorf("%v: the ports are %x", protocol, payload[:4])
						}
						if next == 17 && int(binary.BigEndian.Uint16(payload[4:])) != len(payload) {
							t.Errorf("%v: the datagram says %x of %d bytes", protocol, payload[4:6], len(payload))
						}
					case 1:
						if payload[0] != 8 || sumOf(payload[:8]) != 0xffff {
							t.Errorf("%v: %x is no echo request", protocol, payload[:8])
						}
					case 58:
						if payload[0] != 128 {
							t.Errorf("%v: %x is no echo request", protocol, payload[:8])
						}
					}
				}
			}
		}
	}
}

// sumOf is the sum of RFC 1071, which with a right checksum is 0xffff.
func sumOf(data []byte) uint16 {
	sum := uint32(0)
	for i := 0; i < len(data); i += 2 {
		sum += uint32(data[i])<<8 | uint32(data[i+1])
	}
	for sum>>16 != 0 {
		sum = sum&0xffff + sum>>16
	}
	return uint16(sum)
}
