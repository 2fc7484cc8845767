package device

// VirtualCounter is one of the counters kept for each virtual miniport: a network device that Windows shows for a team or
// a VLAN.
type VirtualCounter int

// The counters of a virtual miniport. Bytes are frame lengths from header to FCS.
const (
	VirtualReceivedBytes VirtualCounter = iota
	VirtualReceivedPackets
	VirtualReceivedMulticast
	// VirtualReceivedDiscards are frames for it that nobody took: of a VLAN that it does not have, or lost on the way into
	// a member that had failed.
	VirtualReceivedDiscards
	VirtualSentBytes
	VirtualSentPackets
	VirtualSentMulticast
	// VirtualSentDiscards are frames that it lost because they went out by a member that had failed.
	VirtualSentDiscards
	virtualCounters
)

// VirtualSlots is how many virtual miniports a lab has room for.
const VirtualSlots = 64

// VirtualCell is the place of a virtual miniport's counter in Counters; slots count from 0 to VirtualSlots.
func (l *Lab) VirtualCell(slot int, c VirtualCounter) int {
	return l.plant.layout.virtual + slot*int(virtualCounters) + int(c)
}
