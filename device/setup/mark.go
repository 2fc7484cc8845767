package setup

import (
	"fmt"

	"cxdeck/device/description"
)

// Mark holds the priority and DSCP that the host's QoS policies give the frames of a flow. Its peers answer with the same mark.
type Mark struct {
	// Priority is 0 to 7, AsDescribed or NoPriority.
	Priority int
	// DSCP is 0 to 63 or AsDescribed. RDMA has the DSCP of its priority instead (QOS-12).
	DSCP int
	// Carrier is the transport that carries the flow's data if its program can work without RDMA.
	Carrier Carrier `json:",omitzero"`
	// NoGID reports that RDMA of the flow has no GID for its address, and so does not travel.
	NoGID bool `json:",omitempty"`
}

// Carrier is the transport of the data of SMB Direct.
type Carrier uint8

// The carriers.
const (
	ByRDMA   Carrier = iota // RDMA, as long as the port supports it
	ByTCP                   // TCP, because Windows does not use RDMA
	ByOneTCP                // a single TCP connection
	carrierCount
)

// Special values of a mark: AsDescribed keeps the value of the flow's description, NoPriority is for traffic without a policy.
const (
	AsDescribed = -1
	NoPriority  = -2
)

// CheckMarks rejects marks that no frame can have, and lists without a mark for each flow; with an empty list all flows stay
// as described.
func (l *Lab) CheckMarks(marks []Mark) error {
	if len(marks) != 0 && len(marks) != len(l.Scales) {
		return errLengths
	}
	for _, m := range marks {
		if m.Priority < NoPriority || m.Priority > 7 || m.DSCP < AsDescribed || m.DSCP > 63 || m.Carrier >= carrierCount {
			return fmt.Errorf("no frame can have priority %d, DSCP %d and carrier %d", m.Priority, m.DSCP, m.Carrier)
		}
	}
	return nil
}

// Marked returns a flow with the marks that the host gives its frames. Frames of a VLAN have a tag, and so a priority,
// regardless of the policies.
func (l *Lab) Marked(f *description.Flow, flow int) *description.Flow {
	if len(l.Marks) == 0 || l.Marks[flow].Priority == AsDescribed && l.Marks[flow].DSCP == AsDescribed {
		return f
	}
	marked, m := *f, l.Marks[flow]
	switch {
	case m.Priority >= 0:
		marked.Priority = &m.Priority
	case m.Priority == NoPriority && f.VLAN == 0:
		marked.Priority = nil
	case m.Priority == NoPriority:
		marked.Priority = new(int)
	}
	if m.DSCP >= 0 {
		marked.DSCP = m.DSCP
	}
	return &marked
}

// Carrier returns what carries a flow of SMB Direct.
func (l *Lab) Carrier(flow int) Carrier {
	if len(l.Marks) == 0 {
		return ByRDMA
	}
	return l.Marks[flow].Carrier
}

// LacksGID reports whether RDMA of a flow has no GID to travel with.
func (l *Lab) LacksGID(flow int) bool { return len(l.Marks) > 0 && l.Marks[flow].NoGID }
