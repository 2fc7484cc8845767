package rss

// Network is the network protocol of a packet; for a tunnelled packet, of the inner one.
type Network uint8

// The network protocols.
const (
	NotIP Network = iota
	IPv4
	IPv6
)

// Transport is the transport protocol in an IP packet.
type Transport uint8

// The transport protocols.
const (
	OtherTransport Transport = iota
	TCP
	UDP
)

// Packet holds the fields that determine a packet's hash type and its counter. The protocols of a tunnelled packet are the
// inner ones.
type Packet struct {
	Network      Network
	Transport    Transport
	Fragment     bool
	Encapsulated bool
}

// HashType is the set of fields that a hash covers (RSS-1, RSS-2).
type HashType uint8

// The hash types.
const (
	NoHash HashType = iota
	HashIPv4
	HashTCPIPv4
	HashUDPIPv4
	HashIPv6
	HashTCPIPv6
	HashUDPIPv6
)

// String returns the name as in "tcp-ipv4".
func (k HashType) String() string {
	return [...]string{
		NoHash: "none", HashIPv4: "ipv4", HashTCPIPv4: "tcp-ipv4", HashUDPIPv4: "udp-ipv4",
		HashIPv6: "ipv6", HashTCPIPv6: "tcp-ipv6", HashUDPIPv6: "udp-ipv6",
	}[k]
}

// Ports reports whether the hash covers ports in addition to addresses.
func (k HashType) Ports() bool {
	return k != NoHash && k != HashIPv4 && k != HashIPv6
}

// firstAddressByte returns the start of the address in the 16 bytes of netip.Addr.As16.
func (k HashType) firstAddressByte() int {
	if k >= HashIPv6 {
		return 0
	}
	return 12
}

// Settings select the packets that are hashed (RSS-2, RSS-8; manual: registry keys *RSS, UseRSSForUDP and UseRSSForRawIP).
type Settings struct {
	On    bool // *RSS
	UDP   bool // UseRSSForUDP
	RawIP bool // UseRSSForRawIP: IP that is neither TCP nor UDP, and every IP fragment
}

// DefaultSettings returns settings with which all packets are hashed.
func DefaultSettings() Settings { return Settings{On: true, UDP: true, RawIP: true} }

// HashType returns the fields that a packet's hash covers. A packet without a hash goes to queue 0. UDP that is not hashed
// over its ports is not hashed over its addresses either.
func (s Settings) HashType(p Packet) HashType {
	if !s.On || p.Network == NotIP {
		return NoHash
	}
	kind := HashIPv4
	if p.Network == IPv6 {
		kind = HashIPv6
	}
	switch transport := p.visibleTransport(); {
	case transport == TCP:
		return kind + (HashTCPIPv4 - HashIPv4)
	case transport == UDP && s.UDP:
		return kind + (HashUDPIPv4 - HashIPv4)
	case transport == OtherTransport && s.RawIP:
		return kind
	}
	return NoHash
}

// visibleTransport returns the transport protocol that the adapter can see: only the first fragment of a packet has ports.
func (p Packet) visibleTransport() Transport {
	if p.Fragment {
		return OtherTransport
	}
	return p.Transport
}
