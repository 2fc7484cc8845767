package roce

import (
	"math/rand/v2"
	"net/netip"
	"testing"
)

func TestSourcePortIsDynamic(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 10000 {
		local, remote := uint16(r.Uint32()), uint16(r.Uint32())
		port := SourcePort(local, remote)
		if port < 49152 || port != SourcePort(remote, local) || port&0x3fff != (local^remote)&0x3fff {
			t.Fatalf("%d to %d goes out on %d", local, remote, port)
		}
	}
}

func TestDestinationPortByVersion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version []int
		port    uint16
	}{
		{[]int{4, 70}, 1021}, {[]int{5, 9, 99999}, 1021}, {[]int{5}, 1021}, {[]int{5, 10}, 4791}, {[]int{5, 50, 52000}, 4791},
		{[]int{6, 0}, 4791},
	} {
		if got := DefaultDestinationPort(c.version...); got != c.port {
			t.Errorf("%v: %d", c.version, got)
		}
	}
}

func TestGIDs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		gid  GID
		text string
	}{
		{FromMAC([6]byte{0x00, 0x02, 0xc9, 0x5d, 0xe0, 0x26}), "fe80:0000:0000:0000:0202:c9ff:fe5d:e026"},
		{FromMAC([6]byte{0x26, 0xbe, 0x05, 0xb9, 0xe2, 0xe1}), "fe80:0000:0000:0000:24be:05ff:feb9:e2e1"}, // inverted, not set
		{FromAddress(netip.MustParseAddr("11.4.12.63")), "0000:0000:0000:0000:0000:ffff:0b04:0c3f"},
		{FromAddress(netip.MustParseAddr("fe80::1%eth0")), "fe80:0000:0000:0000:0000:0000:0000:0001"},
	} {
		if got := c.gid.String(); got != c.text {
			t.Errorf("%s, expected %s", got, c.text)
		}
	}
}

func TestChangesShowAtAPoll(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 10000 {
		changed, start, poll := r.Int64N(100_000), r.Int64N(1000), 1+r.Int64N(10_000)
		at, ever := Visible(changed, start, poll)
		if !ever || (at-start)%poll != 0 || at < changed || changed >= start && at-changed >= poll {
			t.Fatalf("changed at %d, polls each %d from %d: %d", changed, poll, start, at)
		}
	}
	if _, ever := Visible(5, 0, 0); ever {
		t.Error("a change shows without polls")
	}
}
