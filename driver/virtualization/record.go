package virtualization

import (
	"cxdeck/device/description"
	"cxdeck/driver/registry"
)

// VMState is the state of a virtual machine.
type VMState string

// The states, as Hyper-V names them.
const (
	VMOff     VMState = "Off"
	VMRunning VMState = "Running"
	VMPaused  VMState = "Paused" // keeps memory and virtual functions, without traffic
	VMSaved   VMState = "Saved"  // memory on disk, without virtual functions
)

// Extension is the name of a virtual switch extension.
type Extension string

// ExtensionVFP is the Virtual Filtering Platform, which blocks the ports of a switch until they are removed from it (VIRT-4).
const ExtensionVFP Extension = "VFP"

// SwitchRecord is the configuration of a virtual switch.
type SwitchRecord struct {
	Name string `json:"name"`
	// Connection or Team is the uplink of the switch; one of them is empty.
	Connection string `json:"connection,omitempty"`
	Team       string `json:"team,omitempty"`
	// Members are the connections of an embedded team, Connection first; none for a switch without one. Balance is how the team
	// spreads traffic, empty for HyperVPort.
	Members []string `json:"members,omitempty"`
	Balance Balance  `json:"load_balancing,omitempty"`
	// IOV lets its ports have virtual functions; it is fixed when the switch is created.
	IOV bool `json:"iov,omitempty"`
	// PacketDirect is fixed when the switch is created, too.
	PacketDirect bool `json:"packet_direct,omitempty"`
	// ManagementOS adds an adapter of the host with the switch's name.
	ManagementOS bool `json:"management_os,omitempty"`
	// Extension is the enabled extension, empty for none.
	Extension Extension `json:"extension,omitempty"`
	// GUID has braces.
	GUID string `json:"guid"`
	// Preference is the value of *RssOrVmqPreference of the port before a switch without SR-IOV set it; nil for a switch that
	// did not set it.
	Preference *KeptValue `json:"preference,omitempty"`
}

// Balance is the load-balancing algorithm of an embedded team.
type Balance string

// The load-balancing algorithms that Hyper-V supports for embedded teams.
const (
	HyperVPort Balance = "HyperVPort"
	Dynamic    Balance = "Dynamic"
)

// Embedded reports whether the switch has an embedded team.
func (s *SwitchRecord) Embedded() bool { return len(s.Members) > 0 }

// Connections returns the connections that the switch is bound to itself; none for a switch on a team.
func (s *SwitchRecord) Connections() []string {
	switch {
	case s.Embedded():
		return s.Members
	case s.Connection != "":
		return []string{s.Connection}
	}
	return nil
}

// KeptValue is a registry value to restore later; it may be absent.
type KeptValue struct {
	Value registry.Value `json:"value"`
}

// DefaultFrame is the default of *JumboPacket for an adapter of the host: the longest frame in bytes, with header.
const DefaultFrame = 1514

// DefaultMemoryMB is the default memory of a virtual machine.
const DefaultMemoryMB = 4096

// VMRecord is the configuration of a virtual machine, without its virtual functions.
type VMRecord struct {
	Name  string  `json:"name"`
	State VMState `json:"state"`
	// GuestDriver is the version of the adapter's driver in the machine, empty for none: without it no virtual function works.
	GuestDriver string `json:"guest_driver,omitempty"`
	// System is its version of Windows, empty for the host's.
	System string `json:"system,omitempty"`
	// Memory is in MB, 0 for DefaultMemoryMB.
	Memory   int               `json:"memory_mb,omitempty"`
	Adapters []VMAdapterRecord `json:"adapters,omitempty"`
	// NetVSC is the state of its Hyper-V adapter, for undoing a removal.
	NetVSC NetVSC `json:"netvsc,omitzero"`
}

// VMAdapterRecord is the configuration of a network adapter of a virtual machine, or of the host at a switch.
type VMAdapterRecord struct {
	Name string `json:"name"`
	// Switch is the connected virtual switch, empty for none.
	Switch    string          `json:"switch,omitempty"`
	MAC       description.MAC `json:"mac"`
	StaticMAC bool            `json:"static_mac,omitempty"`
	// VLAN is the id of its access VLAN, 0 for none.
	VLAN int `json:"vlan,omitempty"`
	// IovWeight above 0 requests a virtual function (VIRT-5), VmqWeight above 0 for a queue (VIRT-1); both are 0 to 100.
	IovWeight int `json:"iov_weight"`
	VmqWeight int `json:"vmq_weight"`
	// VmmqEnabled lets it have several queues, up to VmmqQueuePairs (VIRT-3).
	VmmqEnabled    bool `json:"vmmq_enabled,omitempty"`
	VmmqQueuePairs int  `json:"vmmq_queue_pairs"`
	// IovQueuePairs is IovQueuePairsRequested (IOV-16).
	IovQueuePairs int `json:"iov_queue_pairs"`
	// RdmaWeight above 0 allows RDMA (VIRT-5).
	RdmaWeight int `json:"rdma_weight"`
	// PriorityTag keeps the priority tag of frames (IeeePriorityTag), Mapping is the member of an embedded team that carries its
	// traffic, empty for any, and JumboPacket the longest frame of an adapter of the host in bytes with header, 0 for 1514.
	PriorityTag bool   `json:"priority_tag,omitempty"`
	Mapping     string `json:"team_mapping,omitempty"`
	JumboPacket int    `json:"jumbo_packet,omitempty"`
	// VirtualSubnet is its NVGRE network, 0 for none.
	VirtualSubnet uint32 `json:"virtual_subnet,omitempty"`
	// Quarantine is the reason of its quarantine, empty for none.
	Quarantine string `json:"quarantine,omitempty"`
	// Released reports that vfpctrl has removed its port from the filter platform, until the machine is started again.
	Released bool `json:"released,omitempty"`
	// Share is its fraction of the port's flows of virtual machines; 0 is an even share.
	Share float64 `json:"share,omitempty"`
	// Claim is the number of its present or last virtual function plus 1, 0 for none; it gets the function again when that is
	// free.
	Claim int `json:"claim,omitempty"`
	// SwitchPort is the name of its port at a switch; empty for one derived from the names.
	SwitchPort string `json:"switch_port,omitempty"`
	// NIC is the name that Windows uses: the GUIDs of machine and adapter; empty for one derived from the names.
	NIC string `json:"nic,omitempty"`
	// Waits reports that it requested a virtual function when none was free, and gets one when it is started again.
	Waits bool `json:"waits,omitempty"`
	// Attached reports that it had the virtual function of its claim, and gets it again regardless of later limits.
	Attached bool `json:"attached,omitempty"`
}
