package packet_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/packet"
	"cxdeck/device/tunnel"
)

// sum adds up 16-bit words in ones' complement: 0xffff for data with a right checksum in them.
func sum(parts ...[]byte) uint16 {
	total := uint32(0)
	for _, part := range parts {
		for i := 0; i < len(part); i += 2 {
			word := uint32(part[i]) << 8
			if i+1 < len(part) {
				word |= uint32(part[i+1])
			}
			total += word
		}
	}
	for total > 0xffff {
		total = total>>16 + total&0xffff
	}
	return uint16(total)
}

// checkIP checks an IP packet with what it carries, and returns the protocol and the payload.
func checkIP(packet []byte) (protocol byte, payload []byte, err error) {
	var from, to []byte
	var length int
	switch packet[0] >> 4 {
	case 4:
		length = int(binary.BigEndian.Uint16(packet[2:]))
		if sum(packet[:20]) != 0xffff {
			return 0, nil, fmt.Errorf("bad checksum of the IP header")
		}
		protocol, from, to, payload = packet[9], packet[12:16], packet[16:20], packet[20:min(length, len(packet))]
	case 6:
		length = 40 + int(binary.BigEndian.Uint16(packet[4:]))
		protocol, from, to, payload = packet[6], packet[8:24], packet[24:40], packet[40:min(length, len(packet))]
	default:
		return 0, nil, fmt.Errorf("IP version %d", packet[0]>>4)
	}
	if length > len(packet) {
		return 0, nil, fmt.Errorf("the IP packet of %d bytes has %d", len(packet), length)
	}
	pseudo := binary.BigEndian.AppendUint32(nil, uint32(len(payload)))
	pseudo = append(pseudo, 0, 0, 0, protocol)
	switch {
	case protocol == 1 && sum(payload) != 0xffff:
		err = fmt.Errorf("bad checksum of ICMP")
	case protocol == 17 && binary.BigEndian.Uint16(payload[6:]) == 0: // none
	case (protocol == 6 || protocol == 17 || protocol == 58) && sum(from, to, pseudo, payload) != 0xffff:
		err = fmt.Errorf("bad checksum of protocol %d", protocol)
	case protocol == 17 && int(binary.BigEndian.Uint16(payload[4:])) != len(payload):
		err = fmt.Errorf("a datagram of %d bytes says %d", len(payload), binary.BigEndian.Uint16(payload[4:]))
	}
	return protocol, payload, err
}

// randomGroup returns a group of any protocol.
func randomGroup(r *rand.Rand) *packet.Group {
	pick := func(list ...int) int { return list[r.IntN(len(list))] }
	priority := r.IntN(8)
	g := &packet.Group{
		Number: int32(r.IntN(5)), Sent: r.IntN(2) == 0, Tagged: r.IntN(2) == 0, Length: 90 + r.IntN(9000), Size: uint8(r.IntN(4)), Port: 4791,
		RoCE: description.RoCEv2, Host: description.MAC{2, 1, 1, 1, 1, 1},
		Flow: description.Flow{
			Name: fmt.Sprint("flow ", r.IntN(3)), Flows: 1 + r.IntN(20), Priority: &priority, VLAN: r.IntN(4095), DSCP: r.IntN(64), LocalPort: pick(0, 53, 80, 443, 445, 5986),
			Protocol: description.Protocol(pick(int(description.TCP), int(description.UDP), int(description.RDMA), int(description.OtherIP), int(description.NotIP))),
			Local:    netip.MustParseAddr("10.1.1.1"), Peer: netip.MustParseAddr("10.1.2.1"),
		},
	}
	switch {
	case r.IntN(4) == 0 && g.Flow.Protocol != description.RDMA:
		g.Flow.Local, g.Flow.Peer = netip.MustParseAddr("fd00::1"), netip.MustParseAddr("fd00::2")
		g.Length += 20
	case r.IntN(4) == 0 && g.Flow.Protocol != description.RDMA && g.Flow.Protocol != description.NotIP:
		g.Flow.VXLAN = true
		g.Length += 50
	case g.Flow.Protocol != description.RDMA && g.Flow.Protocol != description.NotIP && r.IntN(4) == 0:
		g.Overlay = func(uint64) tunnel.Overlay {
			return tunnel.Overlay{Subnet: 5001, Local: netip.MustParseAddr("192.168.1.1"), Remote: netip.MustParseAddr("192.168.1.2")}
		}
		g.Length += 42
	}
	if g.Flow.Protocol == description.TCP && r.IntN(3) == 0 {
		g.Kind, g.Length = packet.Acknowledge, g.Length%100+150
	}
	return g
}

// TestFramesAreWellFormed builds frames of random groups, and checks their lengths, tags, checksums and tunnels.
func TestFramesAreWellFormed(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		b := packet.Builder{}
		for range 300 {
			g := randomGroup(r)
			for range 3 {
				f := b.Build(g, time.Unix(1e9, 0), false)
				if err := checkFrame(&f); err != nil {
					t.Fatalf("seed %d: %v: %s, %d bytes: % x", seed, err, f.Protocol(), f.Length, f.Data[:min(len(f.Data), 120)])
				}
			}
		}
	}
}

func checkFrame(f *packet.Frame) error {
	g := f.Group
	if f.Length != g.Length-4 || len(f.Data) != f.Length {
		return fmt.Errorf("%d of %d bytes", len(f.Data), f.Length)
	}
	at := 12
	if g.Tagged {
		tag := binary.BigEndian.Uint16(f.Data[14:])
		if binary.BigEndian.Uint16(f.Data[12:]) != 0x8100 || int(tag>>13) != *g.Flow.Priority || int(tag&0xfff) != g.Flow.VLAN {
			return fmt.Errorf("the tag is %04x", tag)
		}
		at += 4
	}
	kind, rest := binary.BigEndian.Uint16(f.Data[at:]), f.Data[at+2:]
	switch kind {
	case 0x0806, 0x88b5:
		return nil
	case 0x0800:
		if rest[1]>>2 != byte(g.Flow.DSCP) {
			return fmt.Errorf("the DSCP is %d", rest[1]>>2)
		}
	case 0x86dd:
		if binary.BigEndian.Uint16(rest)>>6&63 != uint16(g.Flow.DSCP) {
			return fmt.Errorf("the traffic class is % x", rest[:2])
		}
	default:
		return fmt.Errorf("Ethertype %04x", kind)
	}
	protocol, payload, err := checkIP(rest)
	if err != nil {
		return err
	}
	var inner []byte
	switch {
	case g.Flow.VXLAN:
		if binary.BigEndian.Uint16(payload[2:]) != tunnel.VXLANUDPPort {
			return fmt.Errorf("no VXLAN")
		}
		inner = payload[16:]
	case g.Overlay != nil:
		if protocol != 47 || binary.BigEndian.Uint32(payload[4:])>>8 != 5001 {
			return fmt.Errorf("no NVGRE: % x", payload[:8])
		}
		inner = payload[8:]
	default:
		return nil
	}
	_, _, err = checkIP(inner[14:])
	return err
}

// TestSequence checks that the data of a TCP connection are without a gap, and that acknowledgements are of what was sent.
func TestSequence(t *testing.T) {
	t.Parallel()
	flow := description.Flow{Name: "one", Flows: 3, Protocol: description.TCP, Local: netip.MustParseAddr("10.1.1.1"), Peer: netip.MustParseAddr("10.1.2.1")}
	data := &packet.Group{Flow: flow, Length: 1518}
	small := &packet.Group{Flow: flow, Length: 300}
	answers := &packet.Group{Flow: flow, Length: 74, Kind: packet.Acknowledge, Sent: true}
	b, next := packet.Builder{}, map[uint16]uint32{}
	for n := range 300 {
		g := []*packet.Group{data, small, answers}[n%3]
		f := b.Build(g, time.Unix(1e9, 0), false)
		tcp := f.Data[34:]
		peer, sequence, answer := f.Ends.SourcePort, binary.BigEndian.Uint32(tcp[4:]), binary.BigEndian.Uint32(tcp[8:])
		if g == answers {
			if peer = f.Ends.DestinationPort; next[peer] != 0 && answer != next[peer] {
				t.Fatalf("frame %d acknowledges %d, want %d", n, answer, next[peer])
			}
			continue
		}
		if want, seen := next[peer]; seen && sequence != want {
			t.Fatalf("frame %d begins at %d, want %d", n, sequence, want)
		}
		next[peer] = sequence + uint32(len(tcp)-int(tcp[12]>>4)*4)
	}
	if len(next) != 3 {
		t.Errorf("%d connections", len(next))
	}
}

// TestControlFrames checks pause frames: global and by priority, which alternate between pause and its end.
func TestControlFrames(t *testing.T) {
	t.Parallel()
	b := packet.Builder{}
	global, class := &packet.Group{Kind: packet.Pause, Length: 64}, &packet.Group{Kind: packet.PriorityPause, Priority: 3, Length: 64, Sent: true}
	for n := range 4 {
		quanta := []uint16{0xffff, 0}[n%2]
		f := b.Build(global, time.Unix(1e9, 0), false)
		if f.Length != 60 || binary.BigEndian.Uint16(f.Data[14:]) != 1 || binary.BigEndian.Uint16(f.Data[16:]) != quanta {
			t.Errorf("pause %d: % x", n, f.Data)
		}
		f = b.Build(class, time.Unix(1e9, 0), false)
		if binary.BigEndian.Uint16(f.Data[14:]) != 0x101 || binary.BigEndian.Uint16(f.Data[16:]) != 1<<3 || binary.BigEndian.Uint16(f.Data[18+6:]) != quanta {
			t.Errorf("PFC %d: % x", n, f.Data)
		}
	}
}

// TestEachKeepsTimeAndMarks merges bursts of three groups: the frames are in order of time, each group has its number, and the marks
// are spread.
func TestEachKeepsTimeAndMarks(t *testing.T) {
	t.Parallel()
	flow := description.Flow{Name: "one", Flows: 3, Protocol: description.RDMA}
	groups := []*packet.Group{{Flow: flow, Length: 1000, Port: 4791}, {Flow: flow, Length: 200, Port: 4791, Size: 1}, {Flow: flow, Number: 1, Length: 100, Sent: true, Port: 4791}}
	span := packet.Span{
		Start: time.Unix(1e9, 0), Length: 50 * time.Millisecond, Marked: map[int32]uint64{0: 30},
		Bursts: []packet.Burst{{Group: groups[0], Frames: 80}, {Group: groups[1], Frames: 20}, {Group: groups[2], Frames: 7}},
	}
	b, last, counts, marks, unmarked := packet.Builder{}, span.Start, map[*packet.Group]int{}, 0, 0
	b.Each(&span, func(f *packet.Frame) bool {
		if f.Time.Before(last) || !f.Time.Before(span.Start.Add(span.Length)) {
			t.Errorf("a frame at %v after one at %v", f.Time, last)
		}
		last = f.Time
		counts[f.Group]++
		switch {
		case f.Marked:
			marks, unmarked = marks+1, 0
		case !f.Sent:
			if unmarked++; unmarked > 4 {
				t.Error("the marks are not spread")
			}
		}
		if ecn := f.Data[15] & 3; f.Marked != (ecn == 3) {
			t.Errorf("a frame with the mark %v has the ECN field %d", f.Marked, ecn)
		}
		return true
	})
	if marks != 30 || counts[groups[0]] != 80 || counts[groups[1]] != 20 || counts[groups[2]] != 7 {
		t.Errorf("%d marks, %v", marks, counts)
	}
}
