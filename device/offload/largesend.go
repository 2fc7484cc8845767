package offload

// The bounds of the largest send in bytes: MaxLargeSend, and the MTU plus largeSendMargin (NIC-3).
const (
	MaxLargeSend     = 64000
	DefaultLargeSend = 64000
	largeSendMargin  = 1024
)

// LargeSend are the settings of large send offload (LSO), by which the adapter cuts a large TCP send into packets
// (NIC-3, NIC-4; manual: registry keys LSOSize, LSOMinSegment, LSOTcpOptions and LSOIpOptions).
type LargeSend struct {
	MTU         int  // of the port, in bytes
	Largest     int  // LSOSize: the largest send in bytes
	MinSegments int  // LSOMinSegment: a send of fewer packets is left to the processor
	TCPOptions  bool // LSOTcpOptions: sends with TCP options too
	IPOptions   bool // LSOIpOptions: sends with IP options too
}

// DefaultSettings returns the drivers' defaults for an MTU in bytes.
func DefaultSettings(mtu int) LargeSend {
	return LargeSend{MTU: mtu, Largest: DefaultLargeSend, MinSegments: 2, TCPOptions: true, IPOptions: true}
}

// On reports whether there is any large send offload: it is off when the largest send is outside its bounds (NIC-3).
func (l LargeSend) On() bool {
	return l.Largest >= l.MTU+largeSendMargin && l.Largest <= MaxLargeSend
}

// Send is one TCP send as the stack hands it down, in bytes.
type Send struct {
	Payload               int
	IPv6                  bool
	TCPOptions, IPOptions int
}

// Segments are the frames of a send.
type Segments struct {
	Offloaded bool // the adapter cuts it, else the stack does
	MSS       int  // payload of a full packet in bytes
	Packets   int
}

// Cut returns the packets of a send, and whether the adapter cuts it (NIC-4). Headers that leave no room for payload give no
// packets.
func (l LargeSend) Cut(s Send) Segments {
	const ipv4Header, ipv6Header, tcpHeader = 20, 40, 20
	header := ipv4Header
	if s.IPv6 {
		header = ipv6Header
	}
	mss := l.MTU - header - tcpHeader - s.TCPOptions - s.IPOptions
	if mss <= 0 {
		return Segments{}
	}
	cut := Segments{MSS: mss, Packets: (s.Payload + mss - 1) / mss}
	cut.Offloaded = l.On() && s.Payload <= l.Largest && cut.Packets >= l.MinSegments &&
		(s.TCPOptions == 0 || l.TCPOptions) && (s.IPOptions == 0 || l.IPOptions)
	return cut
}
