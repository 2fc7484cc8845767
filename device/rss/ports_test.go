package rss_test

import (
	"testing"

	"cxdeck/device/rss"
)

// TestPortsAreHashedForTCPAndUDP, and for nothing else.
func TestPortsAreHashedForTCPAndUDP(t *testing.T) {
	t.Parallel()
	for kind, want := range map[rss.HashType]bool{
		rss.NoHash: false, rss.HashIPv4: false, rss.HashTCPIPv4: true, rss.HashUDPIPv4: true,
		rss.HashIPv6: false, rss.HashTCPIPv6: true, rss.HashUDPIPv6: true,
	} {
		if kind.Ports() != want {
			t.Errorf("%s: ports are hashed: %t", kind, !want)
		}
	}
}
