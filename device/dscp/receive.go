package dscp

// Priorities is the number of priorities of a port.
const Priorities = 8

// Trust selects the header field that gives the priority of a received packet, as in the key RxTrustedState.
type Trust uint8

// The values of RxTrustedState; TrustPCP is its default.
const (
	TrustPCP  Trust = 1 // the priority of the 802.1Q tag
	TrustDSCP Trust = 2 // the DSCP field
)

// Packet holds the header fields that determine a packet's priority.
type Packet struct {
	Tagged bool  // the packet has an 802.1Q tag
	PCP    uint8 // the priority in the tag
	IP     bool
	DSCP   uint8
}

// Receiver determines the priority of received packets.
type Receiver struct {
	Trust
	// Untagged is the priority of packets without a priority in a trusted field, the key DefaultUntaggedPriority (QOS-9).
	Untagged uint8
}

// Priority returns the priority of a received packet (QOS-9 to QOS-11). Packets other than IP have no DSCP to trust.
func (r Receiver) Priority(p Packet) uint8 {
	switch {
	case r.Trust == TrustDSCP && p.IP:
		return FromDSCP(p.DSCP)
	case p.Tagged:
		return p.PCP
	}
	return r.Untagged
}

// FromDSCP returns the priority of a DSCP: its upper three bits, as in the default map of routers (QOS-11).
func FromDSCP(dscp uint8) uint8 { return dscp >> 3 & (Priorities - 1) }

// DefaultUntagged returns the effective value of the key DefaultUntaggedPriority: an invalid value becomes the default, not
// the previous value (DCQ-19).
func DefaultUntagged(value int64) uint8 {
	if value < 0 || value >= Priorities {
		return 0
	}
	return uint8(value)
}

// Flag returns the effective value of RxUntaggedMapToLossless, which is 0 or 1 with default 0: an invalid value becomes the
// default (QOS-14).
func Flag(value int64) uint8 {
	if value == 1 {
		return 1
	}
	return 0
}

// Buffers assigns received packets to the lossless and the lossy receive buffer.
type Buffers struct {
	// Lossless has a bit for each priority with priority flow control.
	Lossless uint8
	// UntaggedLossless is the key RxUntaggedMapToLossless.
	UntaggedLossless bool
	// ByDSCP selects PFC by DSCP, where all packets are lossless.
	ByDSCP bool
}

// TakesLossless reports whether a packet goes to the lossless buffer (QOS-14). The priority of an untagged packet does not
// matter.
func (b Buffers) TakesLossless(tagged bool, priority uint8) bool {
	if !tagged {
		return b.ByDSCP || b.UntaggedLossless
	}
	return b.ByDSCP || b.Lossless>>priority&1 == 1
}
