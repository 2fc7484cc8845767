package farend

import (
	"cxdeck/device/counter"
)

// Counters are the counters of the other end of a port's cable since the lab's start: the switch port, and the peers behind it.
// A restart of the host's card does not clear them.
type Counters struct {
	// Frames and their bytes from header to FCS: undamaged frames from the host, and all frames to it. Both include control
	// frames.
	ReceivedFrames, ReceivedBytes uint64
	SentFrames, SentBytes         uint64
	// ReceivedErrors counts frames from the host that a bad cable damaged, or that were sent damaged because a virtual function
	// may not send them (IOV-9).
	ReceivedErrors uint64
	// Pause frames by priority, or on Untagged for global pause: SentPauses to the host, ReceivedPauses from it, in the pause
	// mode of the switch port.
	SentPauses, ReceivedPauses [counter.Priorities]uint64
	// TooLong counts frames in both directions that are longer than the switch port forwards; WrongVLAN frames for the host in
	// a VLAN that the port does not carry; NoBuffer frames for the host that found its queue full.
	TooLong, WrongVLAN, NoBuffer uint64
	// PeerResponderRNR counts requests of the host that found no posted receive at its peers, PeerRequesterRNR the host's
	// answers that arrived for requests of the peers that found none.
	PeerResponderRNR, PeerRequesterRNR uint64
	// PeerResponderOutOfOrder counts frames of the host that its peers received after a gap, PeerRequesterOutOfOrder the host's
	// answers that arrived for gaps in the peers' frames.
	PeerResponderOutOfOrder, PeerRequesterOutOfOrder uint64
}
