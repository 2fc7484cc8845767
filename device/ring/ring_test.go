package ring_test

import (
	"math/rand/v2"
	"net/netip"
	"testing"

	"cxdeck/device/ring"
)

func randomPacket(r *rand.Rand) ring.Packet {
	var a [16]byte
	for i := range a {
		a[i] = byte(r.Uint32())
	}
	p := ring.Packet{SourcePort: uint16(r.Uint32()), DestinationPort: uint16(r.Uint32()), Bytes: 60 + r.IntN(1455)}
	switch r.IntN(3) {
	case 0:
		p.Destination = netip.AddrFrom16(a)
	case 1:
		p.Destination = netip.AddrFrom4([4]byte(a[:4]))
	}
	return p
}

func TestEveryPacketHasARing(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		p, rings := randomPacket(r), r.IntN(20)
		for _, d := range []ring.Distribution{ring.BySize, ring.ByHash, ring.ByHashAndSize} {
			got := d.Choose(p, rings)
			if got < 0 || got >= max(1, rings) {
				t.Fatalf("distribution %d, %d rings, %+v: ring %d", d, rings, p, got)
			}
			if d == ring.ByHash || rings < 2 {
				continue
			}
			if odd := got%2 == 1; odd != (p.Bytes >= ring.SmallPacket) {
				t.Fatalf("distribution %d, %d rings, %+v: ring %d", d, rings, p, got)
			}
		}
	}
}

func TestHashSpreadsFlowsOverAllRings(t *testing.T) {
	t.Parallel()
	const rings, flows = 8, 4000
	used := make([]int, rings)
	for i := range flows {
		p := ring.Packet{
			Destination: netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), SourcePort: uint16(49152 + i*7), DestinationPort: 445,
		}
		used[ring.ByHash.Choose(p, rings)]++
	}
	for i, n := range used {
		if n < flows/rings/2 || n > flows/rings*2 {
			t.Errorf("ring %d has %d of %d flows", i, n, flows)
		}
	}
}

func TestFoldReadsAddressAndPorts(t *testing.T) {
	t.Parallel()
	base := ring.Packet{Destination: netip.MustParseAddr("10.0.0.1"), SourcePort: 1000, DestinationPort: 445}
	for name, change := range map[string]func(*ring.Packet){
		"address":          func(p *ring.Packet) { p.Destination = netip.MustParseAddr("10.0.0.2") },
		"source port":      func(p *ring.Packet) { p.SourcePort++ },
		"destination port": func(p *ring.Packet) { p.DestinationPort++ },
	} {
		p := base
		change(&p)
		if ring.Fold(p) == ring.Fold(base) {
			t.Errorf("another %s gives the same hash", name)
		}
	}
}

func TestFoldOfIPv6IsThatOfItsWords(t *testing.T) {
	t.Parallel()
	packet := ring.Packet{Destination: netip.MustParseAddr("1234:5678:1111:1111:1111:1111::"), SourcePort: 7}
	same := ring.Packet{Destination: netip.MustParseAddr("18.52.86.120"), SourcePort: 7}
	if a, b := ring.Fold(packet), ring.Fold(same); a != b {
		t.Errorf("%08x and %08x", a, b)
	}
}

func TestBuffers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		got, want int
	}{
		{"threshold as set", ring.ReturnThreshold(341, 4096), 341},
		{"two thirds rounded down", ring.ReturnThreshold(0, 512), 341},
		{"two thirds of the largest ring", ring.ReturnThreshold(0, 4096), 2730},
		{"large send buffers", ring.SendBufferBytes(16, true, 64000, 1500), 1024000},
		{"buffers of one MTU", ring.SendBufferBytes(16, false, 64000, 1500), 24000},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.name, c.got, c.want)
		}
	}
}

func BenchmarkChoose(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var packets [256]ring.Packet
	for i := range packets {
		packets[i] = randomPacket(r)
	}
	b.ReportAllocs()
	sum := 0
	for i := range b.N {
		sum += ring.ByHashAndSize.Choose(packets[i&255], 16)
	}
	_ = sum
}
