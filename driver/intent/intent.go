package intent

// Intent is what hosts must look like.
type Intent struct {
	Nodes    []Node
	Policies []Policy
	// Problems are what is wrong with the file itself, beside what checks of the intent find: unknown fields, values of a wrong
	// kind.
	Problems []string
}

// Node is a host.
type Node struct {
	Name string
	// Enabled are adapters with RDMA that no virtual switch has, Disabled are adapters without RDMA.
	Enabled  []Adapter
	Disabled []Adapter
	Switches []Switch
}

// Adapter is an adapter of a node: a physical one, under a virtual switch with the virtual adapter that goes through it.
type Adapter struct {
	Name, VMNetworkAdapter string
	// VLAN is its id, JumboPacket the longest frame and EncapOverhead the room for encapsulation, both in bytes; nil where the
	// intent asks for none.
	VLAN, JumboPacket, EncapOverhead *int
}

// Switch is a virtual switch.
type Switch struct {
	Name string
	// Embedded asks for an embedded team, which spreads traffic by Balance, empty for HyperVPort.
	Embedded bool
	Balance  string
	// IOV asks for SR-IOV or for none; nil leaves it open.
	IOV      *bool
	Enabled  []Adapter
	Disabled []Adapter
}

// Policy is a QoS policy with its traffic class. Texts are empty, and numbers nil, where the intent has none.
type Policy struct {
	Name, Template, Algorithm          string
	NetDirectPort, Priority, Bandwidth *int
}

// lossless returns the policy of RDMA: the one with a NetDirect port; nil for none.
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
