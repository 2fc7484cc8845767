package mad

// Profile holds what the devices of a fabric answer alike: the attributes without the values that the model keeps.
type Profile struct {
	// Management, SwitchUp, SwitchDown, AdapterUp and AdapterDown are PortInfo of a switch's port 0, and of other ports with and without
	// a link. A subnet manager has written its settings into them.
	Management, SwitchUp, SwitchDown, AdapterUp, AdapterDown [Size]byte
	// Switch is SwitchInfo.
	Switch [Size]byte
	// AdapterKeys and SwitchKeys are the numbers of partition keys that an end port of an adapter, and port 0 of a switch, can hold.
	AdapterKeys, SwitchKeys uint16
	// Revision is the revision of all nodes; 0 takes each node's own.
	Revision uint32
	// Constant keeps the templates' packet sizes, lanes and supported modes, and all modes of ports that are down, whatever the ports of
	// the model have; the switches tell no top of their multicast tables.
	Constant bool
	// SLToVL maps service levels to lanes. High and Low are the weights of the lanes in the tables of arbitration.
	SLToVL    [8]byte
	High, Low []Weight
	// AdapterCounters and SwitchCounters are the capability masks of performance management.
	AdapterCounters, SwitchCounters uint16
}

// Weight is an entry of a table of arbitration.
type Weight struct{ Lane, Weight uint8 }

// The bits of the capability mask of performance management.
const (
	AllPorts      = 0x0100
	ExtendedWidth = 0x0200
	SendWait      = 0x1000
)

// lanes15 are equal weights of the 15 data lanes.
func lanes15(weight, first uint8) []Weight {
	var weights []Weight
	for lane := range uint8(15) {
		w := Weight{lane, weight}
		if lane == 0 {
			w.Weight = first
		}
		weights = append(weights, w)
	}
	return weights
}

// Settings that a subnet manager writes by default: the codes of the time that a packet may wait at the head of a queue, of the number of
// such packets before a lane is closed, and of the time of a manager's answers.
const (
	leafQueue, spineQueue = 0x10, 0x12
	stall                 = 7
	timeout               = 18
)

// Hardware returns the answers of ConnectX-3 adapters and SwitchX-2 switches.
func Hardware() Profile {
	p := Profile{
		AdapterKeys: 128, SwitchKeys: 8, SLToVL: [8]byte{0x01, 0x23, 0x45, 0x67, 0x01, 0x23, 0x45, 0x67}, High: lanes15(0, 4)[:8], Low: lanes15(4, 0)[:8],
		AdapterCounters: ExtendedWidth | SendWait, SwitchCounters: AllPorts | ExtendedWidth | SendWait,
	}
	for _, end := range []struct {
		data  *[Size]byte
		mask  uint64
		guids uint64
	}{{&p.Management, 0x42504848, 1}, {&p.AdapterUp, 0x02594868, 128}, {&p.AdapterDown, 0x02594868, 128}} {
		Prefix.Set(end.data[:], 0xfe80<<48)
		CapMask.Set(end.data[:], end.mask)
		GUIDCap.Set(end.data[:], end.guids)
		SubnetTimeout.Set(end.data[:], timeout)
	}
	for _, data := range []*[Size]byte{&p.Management, &p.SwitchUp, &p.SwitchDown, &p.AdapterUp, &p.AdapterDown} {
		DownState.Set(data[:], 2)
		VLHighCap.Set(data[:], 8)
		VLLowCap.Set(data[:], 8)
		VLStall.Set(data[:], stall)
	}
	s := p.Switch[:]
	LinearCap.Set(s, 49152)
	MulticastCap.Set(s, 4096)
	LifeTime.Set(s, timeout)
	EnforceCap.Set(s, 32)
	EnhancedPort0.Set(s, 1)
	for _, bit := range []int{128, 129, 130, 131} {
		Field{bit, 1, "", nil}.Set(s, 1)
	}
	return p
}
