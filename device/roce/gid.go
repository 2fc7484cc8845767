package roce

import (
	"encoding/hex"
	"net/netip"
)

// GID is the global identifier of an endpoint.
type GID [16]byte

// universal is the bit of a MAC's first octet that a GID has inverted (RFC 4291, appendix A).
const universal = 0x02

// FromMAC returns the GID of MAC-based RoCE: link-local, with the MAC around ff:fe (ROCE-9).
func FromMAC(mac [6]byte) GID {
	return GID{
		0xfe, 0x80, 8: mac[0] ^ universal, 9: mac[1], 10: mac[2], 11: 0xff, 12: 0xfe, 13: mac[3], 14: mac[4], 15: mac[5],
	}
}

// FromAddress returns the GID of IP-based RoCE and of RoCE v2: an IPv6 address unchanged, an IPv4 address mapped into IPv6
// (ROCE-9).
func FromAddress(address netip.Addr) GID { return address.As16() }

// String returns all eight groups with all their digits, "fe80:0000:0000:0000:0202:c9ff:fe5d:e026".
func (g GID) String() string {
	var text [39]byte
	for i := range 8 {
		hex.Encode(text[5*i:], g[2*i:2*i+2])
		if i < 7 {
			text[5*i+4] = ':'
		}
	}
	return string(text[:])
}

// DefaultPoll is the default of UpdateGIDTimerFrequency: the interval in milliseconds at which the GIDs are compared with the
// addresses.
const DefaultPoll = 3000

// Visible returns when a changed address shows in its GID: at the next poll (ROCE-9). The poll interval and all times are in
// milliseconds; with an interval of 0 the change is never visible.
func Visible(changed, start, poll int64) (at int64, ever bool) {
	if poll <= 0 {
		return 0, false
	}
	if changed <= start {
		return start, true
	}
	return start + (changed-start+poll-1)/poll*poll, true
}
