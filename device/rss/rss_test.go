package rss_test

import (
	"encoding/hex"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"

	"cxdeck/device/rss"
)

// bitByBit is the definition of the hash: shift the key left by one for each input bit and add its first 32 bits for
// each that is set.
func bitByBit(key, input []byte) uint32 {
	bit := func(text []byte, i int) uint32 { return uint32(text[i/8]>>(7-i%8)) & 1 }
	var hash uint32
	for i := range 8 * len(input) {
		if bit(input, i) == 0 {
			continue
		}
		for j := range 32 {
			hash ^= bit(key, i+j) << (31 - j)
		}
	}
	return hash
}

func hashTypes() []rss.HashType {
	return []rss.HashType{
		rss.HashIPv4, rss.HashTCPIPv4, rss.HashUDPIPv4, rss.HashIPv6, rss.HashTCPIPv6, rss.HashUDPIPv6,
	}
}

func randomTuple(r *rand.Rand, kind rss.HashType) (rss.Tuple, []byte) {
	size := 4
	if kind >= rss.HashIPv6 {
		size = 16
	}
	input := make([]byte, 2*size+4)
	for i := range input {
		input[i] = byte(r.Uint32())
	}
	source, _ := netip.AddrFromSlice(input[:size])
	destination, _ := netip.AddrFromSlice(input[size : 2*size])
	ports := input[2*size:]
	t := rss.Tuple{
		Source: source, Destination: destination,
		SourcePort:      uint16(ports[0])<<8 | uint16(ports[1]),
		DestinationPort: uint16(ports[2])<<8 | uint16(ports[3]),
	}
	if !kind.Ports() {
		input = input[:2*size]
	}
	return t, input
}

func TestHashIsTheDefinition(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		key := make([]byte, rss.KeyBytes)
		for i := range key {
			key[i] = byte(r.Uint32())
		}
		h, err := rss.NewHasher(hex.EncodeToString(key))
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range hashTypes() {
			for range 20 {
				tuple, input := randomTuple(r, kind)
				if got, want := h.Hash(kind, tuple), bitByBit(key, input); got != want {
					t.Fatalf("key %x, %s %+v: %08x, want %08x", key, kind, tuple, got, want)
				}
			}
		}
	}
}

func TestHashOfNoHashIsZero(t *testing.T) {
	t.Parallel()
	h, _ := rss.NewHasher(rss.DefaultKey)
	if got := h.Hash(rss.NoHash, rss.Tuple{SourcePort: 1}); got != 0 {
		t.Errorf("%08x", got)
	}
}

func TestHashAllocatesNothing(t *testing.T) {
	h, _ := rss.NewHasher(rss.DefaultKey)
	tuple, _ := randomTuple(rand.New(rand.NewPCG(1, 2)), rss.HashTCPIPv6)
	table := rss.NewTable(rss.TableSize, 8)
	sum := 0
	if n := testing.AllocsPerRun(100, func() { sum += table.Queue(h.Hash(rss.HashTCPIPv6, tuple)) }); n != 0 {
		t.Errorf("%v allocations a packet", n)
	}
}

func TestWrongKeysAreRefused(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "6d5a", rss.DefaultKey + "00", strings.Replace(rss.DefaultKey, "6d", "xy", 1)} {
		if _, err := rss.NewHasher(key); err == nil || !strings.Contains(err.Error(), "80 hexadecimal digits") {
			t.Errorf("%q: %v", key, err)
		}
	}
}

func TestHashTypesAndCounters(t *testing.T) {
	t.Parallel()
	on, off := rss.DefaultSettings(), rss.Settings{UDP: true, RawIP: true}
	noUDP, noRaw := rss.Settings{On: true, RawIP: true}, rss.Settings{On: true, UDP: true}
	for _, c := range []struct {
		settings rss.Settings
		packet   rss.Packet
		kind     rss.HashType
		counter  string
	}{
		{on, rss.Packet{Network: rss.IPv4, Transport: rss.TCP}, rss.HashTCPIPv4, "Rss IPv4/Tcp"},
		{on, rss.Packet{Network: rss.IPv6, Transport: rss.UDP}, rss.HashUDPIPv6, "Rss IPv6/Udp"},
		{on, rss.Packet{Network: rss.IPv6}, rss.HashIPv6, "Rss IPv6 Only"},
		{on, rss.Packet{Network: rss.IPv4, Transport: rss.TCP, Fragment: true}, rss.HashIPv4, "Rss IPv4 Only"},
		{on, rss.Packet{Transport: rss.TCP}, rss.NoHash, "NonRss Misc"},
		{on, rss.Packet{Encapsulated: true}, rss.NoHash, "Encapsulated NonRss Misc"},
		{noUDP, rss.Packet{Network: rss.IPv4, Transport: rss.UDP}, rss.NoHash, "NonRss IPv4/Udp"},
		{noUDP, rss.Packet{Network: rss.IPv4, Transport: rss.UDP, Fragment: true}, rss.HashIPv4, "Rss IPv4 Only"},
		{noRaw, rss.Packet{Network: rss.IPv4, Transport: rss.TCP}, rss.HashTCPIPv4, "Rss IPv4/Tcp"},
		{noRaw, rss.Packet{Network: rss.IPv4}, rss.NoHash, "NonRss IPv4 Only"},
		{noRaw, rss.Packet{Network: rss.IPv6, Transport: rss.UDP, Fragment: true}, rss.NoHash, "NonRss IPv6 Only"},
		{off, rss.Packet{Network: rss.IPv6, Transport: rss.TCP, Encapsulated: true}, rss.NoHash, "Encapsulated NonRss IPv6/Tcp"},
	} {
		kind, counter := c.settings.HashType(c.packet), c.settings.CounterOf(c.packet).String()
		if kind != c.kind || counter != c.counter {
			t.Errorf("%+v %+v: %s and %q, want %s and %q", c.settings, c.packet, kind, counter, c.kind, c.counter)
		}
	}
}

func TestCounterNamesAreDifferent(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for c := range rss.Counter(rss.Counters) {
		if name := c.String(); name == "" || seen[name] {
			t.Errorf("counter %d has the name %q", c, name)
		} else {
			seen[name] = true
		}
	}
}

func TestQueueCount(t *testing.T) {
	t.Parallel()
	base := rss.QueueSettings{On: true, Queues: 8, MaxProcessors: 8, DriverMax: rss.MaxQueuesWinOF, Available: 16}
	for _, c := range []struct {
		name   string
		change func(*rss.QueueSettings)
		want   int
	}{
		{"defaults", func(*rss.QueueSettings) {}, 8},
		{"off", func(s *rss.QueueSettings) { s.On = false }, 1},
		{"fewer queues", func(s *rss.QueueSettings) { s.Queues = 3 }, 2},
		{"fewer processors", func(s *rss.QueueSettings) { s.MaxProcessors = 1 }, 1},
		{"MaxNumRssCpus", func(s *rss.QueueSettings) { s.MaxCPUs = 4 }, 4},
		{"IPoIB takes any number", func(s *rss.QueueSettings) { s.Queues, s.AnyNumber = 7, true }, 7},
		{"no processor", func(s *rss.QueueSettings) { s.Available = 0 }, 1},
		{"nonsense", func(s *rss.QueueSettings) { s.Queues = -5 }, 1},
	} {
		settings := base
		c.change(&settings)
		if got := settings.Count(); got != c.want {
			t.Errorf("%s: %d queues, want %d", c.name, got, c.want)
		}
	}
}

func TestTableUsesAllQueuesEvenly(t *testing.T) {
	t.Parallel()
	for queues := 1; queues <= rss.MaxQueuesWinOF; queues++ {
		table := rss.NewTable(rss.TableSize, queues)
		used := make([]int, queues)
		for hash := range uint32(rss.TableSize) {
			used[table.Queue(hash|0xffffff00)]++ // only the low bits count
		}
		for queue, n := range used {
			if n < rss.TableSize/queues || n > rss.TableSize/queues+1 {
				t.Errorf("%d queues: queue %d has %d slots", queues, queue, n)
			}
		}
	}
}

func TestProcessors(t *testing.T) {
	t.Parallel()
	var all []rss.Processor
	for n := range 8 {
		all = append(all, rss.Processor{Group: n / 6, Number: n % 6, Node: n % 2})
	}
	for _, c := range []struct {
		group, base, node int
		want              []int
	}{
		{0, 0, rss.AnyNode, []int{0, 1, 2, 3, 4, 5}},
		{0, 3, rss.AnyNode, []int{3, 4, 5}},
		{0, 1, 0, []int{2, 4}},
		{1, 0, 1, []int{1}},
		{2, 0, rss.AnyNode, nil},
	} {
		var got []int
		for _, p := range rss.AppendProcessors(nil, all, c.group, c.base, c.node) {
			if p.Group != c.group {
				t.Errorf("%+v is in group %d", p, p.Group)
			}
			got = append(got, p.Number)
		}
		if len(got) != len(c.want) {
			t.Errorf("%+v: %v", c, got)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%+v: %v", c, got)
			}
		}
	}
}

func BenchmarkHash(b *testing.B) {
	h, err := rss.NewHasher(rss.DefaultKey)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, kind := range hashTypes() {
		if kind == rss.HashUDPIPv4 || kind == rss.HashUDPIPv6 {
			continue
		}
		var tuples [256]rss.Tuple
		for i := range tuples {
			tuples[i], _ = randomTuple(r, kind)
		}
		b.Run(kind.String(), func(b *testing.B) {
			b.ReportAllocs()
			var sum uint32
			for i := range b.N {
				sum ^= h.Hash(kind, tuples[i&255])
			}
			_ = sum
		})
	}
}

func BenchmarkNewHasher(b *testing.B) {
	for b.Loop() {
		if _, err := rss.NewHasher(rss.DefaultKey); err != nil {
			b.Fatal(err)
		}
	}
}
