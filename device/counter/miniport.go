package counter

// Virtual is one of the counters kept for each virtual miniport: a network device that Windows shows for a team
// or a VLAN.
type Virtual int

// The counters of a virtual miniport. Bytes are frame lengths from header to FCS.
const (
	VirtualReceivedBytes Virtual = iota
	VirtualReceivedPackets
	VirtualReceivedMulticast
	// VirtualReceivedDiscards are frames for it without a receiver: of a VLAN that it does not have, or lost on the way
	// into a member that had failed.
	VirtualReceivedDiscards
	VirtualSentBytes
	VirtualSentPackets
	VirtualSentMulticast
	// VirtualSentDiscards are frames that it lost because they went out by a member that had failed.
	VirtualSentDiscards
	// VirtualReceivedLost and VirtualSentLost are the parts of the discards that went into a member that had failed.
	VirtualReceivedLost
	VirtualSentLost
	VirtualCount
)
