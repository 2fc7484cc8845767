package intent

// Intent is the declared configuration of hosts.
type Intent struct {
	Nodes    []Node
	Policies []Policy
	// Problems are the problems of the file itself: unknown fields and values of a wrong type. Checks find all others.
	Problems []string
}

// Node is a host.
type Node struct {
	Name string
	// Enabled are adapters with RDMA and without a virtual switch, Disabled are adapters without RDMA.
	Enabled  []Adapter
	Disabled []Adapter
	Switches []Switch
}

// Adapter is a physical adapter of a node; on a virtual switch, with the virtual adapter that is mapped to it.
type Adapter struct {
	Name, VMNetworkAdapter string
	// VLAN is the VLAN ID, JumboPacket the longest frame and EncapOverhead the room for encapsulation, both in bytes; nil where
	// the intent declares none.
	VLAN, JumboPacket, EncapOverhead *int
}

// Switch is a virtual switch.
type Switch struct {
	Name string
	// Embedded requires an embedded team with the load balancing algorithm Balance, empty for HyperVPort.
	Embedded bool
	Balance  string
	// IOV requires SR-IOV to be on or off; nil requires neither.
	IOV      *bool
	Enabled  []Adapter
	Disabled []Adapter
}

// Policy is a QoS policy with its traffic class. Values that the intent does not declare are empty or nil.
type Policy struct {
	Name, Template, Algorithm          string
	NetDirectPort, Priority, Bandwidth *int
}

// lossless returns the RDMA policy, which has a NetDirect port; nil for none.
func (i *Intent) lossless() *Policy {
	for n := range i.Policies {
		if i.Policies[n].NetDirectPort != nil {
			return &i.Policies[n]
		}
	}
	return nil
}

// LosslessPriority returns the priority of RDMA, -1 when the intent has none from 0 to 7.
func (i *Intent) LosslessPriority() int {
	if p := i.lossless(); p != nil && p.Priority != nil && *p.Priority >= 0 && *p.Priority <= 7 {
		return *p.Priority
	}
	return -1
}
