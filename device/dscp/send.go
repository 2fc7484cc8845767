package dscp

// DefaultGlobal is the DSCP of RDMA packets under global pause, the key DscpForGlobalFlowControl.
const DefaultGlobal = 26

// Map returns the DSCP of each priority, the keys PriorityToDscpMappingTable_0 to 7.
type Map [Priorities]uint8

// DefaultMap maps each priority to its own number (QOS-12). A receiver that trusts DSCP reads all of them as priority 0.
func DefaultMap() Map { return Map{0, 1, 2, 3, 4, 5, 6, 7} }

// ConsistentMap maps each priority to the first DSCP that a receiver reads as the same priority (QOS-12).
func ConsistentMap() Map { return Map{0, 8, 16, 24, 32, 40, 48, 56} }

// Consistent reports whether a receiver that trusts DSCP reads a priority as it was sent.
func (m *Map) Consistent(priority uint8) bool {
	return FromDSCP(m[priority%Priorities]) == priority
}

// Sender marks the RDMA packets of a port. Packets of the IP stack keep the DSCP that the stack gave them.
type Sender struct {
	Map
	// GlobalPause reports that global pause is on; Global is then the DSCP of all RDMA packets.
	GlobalPause bool
	Global      uint8
	// Untag is the key TxUntagPriorityTag: frames without a VLAN have no 802.1Q tag.
	Untag bool
}

// RDMA returns the DSCP of an RDMA packet and whether it has an 802.1Q tag (QOS-12, QOS-13). The packet is counted under its
// priority with or without a tag.
func (s *Sender) RDMA(priority uint8, vlan uint16) (dscp uint8, tagged bool) {
	dscp = s.Map[priority%Priorities]
	if s.GlobalPause {
		dscp = s.Global
	}
	return dscp, vlan != 0 || priority != 0 && !s.Untag
}
