package counter

// Virtual is one of the counters kept for each virtual miniport: a network device that Windows shows for a team
// or a VLAN.
type Virtual int

// The counters of a virtual miniport. Bytes are frame lengths from header to FCS.
const (
	VirtualReceivedBytes Virtual = iota
	VirtualReceivedPackets
	VirtualReceivedMulticast
	// VirtualReceivedDiscards counts frames without a receiver: in a VLAN without a miniport, or lost in a failed member.
	VirtualReceivedDiscards
	VirtualSentBytes
	VirtualSentPackets
	VirtualSentMulticast
	// VirtualSentDiscards counts sent frames that were lost in a failed member.
	VirtualSentDiscards
	// VirtualReceivedLost and VirtualSentLost are the parts of the discards that were lost in a failed member.
	VirtualReceivedLost
	VirtualSentLost
	VirtualCount
)
