package virtualization

import (
	"cxdeck/device/description"
)

// SetBIOS changes settings of the BIOS. They take effect at the next boot.
type SetBIOS struct {
	Host           string `json:"host"`
	SRIOV          *bool  `json:"sriov,omitempty"`
	Virtualization *bool  `json:"virtualization,omitempty"`
	Above4G        *bool  `json:"above_4g,omitempty"`
}

// FirmwareValue is a setting with its value. An empty value means never set: "N/A".
type FirmwareValue struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// SetFirmware sets values in the flash of a card. They take effect at the next boot of the host or the next ResetCard; LLDP
// settings take effect when the driver of their port starts.
type SetFirmware struct {
	// Adapter is the card's name: "ConnectX-5 Ex".
	Adapter string          `json:"adapter"`
	Values  []FirmwareValue `json:"values"`
}

// SetNumVFs sets the number of virtual functions that Windows may use on a port (IOV-1, IOV-4). Its adapter restarts.
type SetNumVFs struct {
	Connection string `json:"connection"`
	NumVFs     int    `json:"num_vfs"`
}

// CreateSwitch creates an external virtual switch.
type CreateSwitch struct {
	// Switch has its settings; an empty GUID is derived from the seed.
	Switch SwitchRecord `json:"switch"`
	// Connected are adapters to connect to the new switch, and Answers the replies to them; for undoing a removal.
	Connected []AdapterName `json:"connected,omitempty"`
	Answers
	// Place is its position in the list, counted from 1; 0 is the end.
	Place int `json:"place,omitempty"`
	// Keep leaves *RssOrVmqPreference of the port unchanged; for undoing a removal that left it unchanged.
	Keep bool `json:"keep_preference,omitempty"`
}

// RemoveSwitch removes a virtual switch, and disconnects its adapters.
type RemoveSwitch struct {
	Switch string `json:"switch"`
}

// SetSwitch changes a virtual switch. Nil fields leave their settings unchanged.
type SetSwitch struct {
	Switch       string     `json:"switch"`
	ManagementOS *bool      `json:"management_os,omitempty"`
	Extension    *Extension `json:"extension,omitempty"`
	// Balance is the load balancing algorithm of an embedded team.
	Balance *Balance `json:"load_balancing,omitempty"`
}

// CreateVM creates a virtual machine, which is off unless its record has another state.
type CreateVM struct {
	VM VMRecord `json:"vm"`
	// Place is its position in the list, counted from 1; 0 is the end. It is for undoing a removal.
	Place int `json:"place,omitempty"`
}

// RemoveVM removes a virtual machine in any state.
type RemoveVM struct {
	VM string `json:"vm"`
}

// SetVMState starts, stops, pauses or saves a virtual machine.
type SetVMState struct {
	VM    string  `json:"vm"`
	State VMState `json:"state"`
	// Released are adapters whose ports stay out of the filter platform, and Answers the replies to adapters; for undoing a stop.
	Released []string `json:"released,omitempty"`
	Answers
	// Back marks the undo of a change, to which Hyper-V's order of states does not apply.
	Back bool `json:"back,omitempty"`
}

// SetGuestDriver installs a driver for virtual functions in a virtual machine, or removes it.
type SetGuestDriver struct {
	VM string `json:"vm"`
	// Version of the driver, empty for none.
	Version string `json:"version"`
	Answers
}

// AddVMAdapter adds a network adapter to a virtual machine, or to the host at a switch.
type AddVMAdapter struct {
	// VM is empty for an adapter of the host (-ManagementOS).
	VM      string          `json:"vm,omitempty"`
	Adapter VMAdapterRecord `json:"adapter"`
	// Place is its position in the list, counted from 1; 0 is the end. It is for undoing a removal.
	Place int `json:"place,omitempty"`
}

// RemoveVMAdapter removes a network adapter from a virtual machine or from the host.
type RemoveVMAdapter struct {
	VM      string `json:"vm,omitempty"`
	Adapter string `json:"adapter"`
}

// SetVMAdapter changes a network adapter of a virtual machine or of the host. Nil fields leave their settings unchanged.
type SetVMAdapter struct {
	VM      string `json:"vm,omitempty"`
	Adapter string `json:"adapter"`

	// Switch is the switch to connect the adapter to; an empty name disconnects it.
	Switch *string `json:"switch,omitempty"`
	// MAC is a static address; the zero address requests a dynamic one, which is derived from the names.
	MAC            *description.MAC `json:"mac,omitempty"`
	VLAN           *int             `json:"vlan,omitempty"`
	IovWeight      *int             `json:"iov_weight,omitempty"`
	VmqWeight      *int             `json:"vmq_weight,omitempty"`
	VmmqEnabled    *bool            `json:"vmmq_enabled,omitempty"`
	VmmqQueuePairs *int             `json:"vmmq_queue_pairs,omitempty"`
	IovQueuePairs  *int             `json:"iov_queue_pairs,omitempty"`
	RdmaWeight     *int             `json:"rdma_weight,omitempty"`
	// PriorityTag keeps the priority tag of the adapter's frames; Mapping maps the adapter to a member of an embedded team, or to
	// none if empty; JumboPacket applies to host adapters only.
	PriorityTag   *bool   `json:"priority_tag,omitempty"`
	Mapping       *string `json:"team_mapping,omitempty"`
	JumboPacket   *int    `json:"jumbo_packet,omitempty"`
	VirtualSubnet *uint32 `json:"virtual_subnet,omitempty"`

	// Answers are the replies that it gets when it requests a virtual function, for undoing a change.
	Answers
}

// ResetVF resets a virtual function: its counters restart at 0, and the guest's driver restarts. It can't be undone.
type ResetVF struct {
	Connection string `json:"connection"`
	Function   int    `json:"function"`
}

// Quarantine disconnects an adapter of a virtual machine and its virtual function from the network, or releases it.
type Quarantine struct {
	VM      string `json:"vm"`
	Adapter string `json:"adapter"`
	// Reason is stored with the adapter; empty releases it.
	Reason string `json:"reason"`
	Answers
}

// ReleasePort removes the port of an adapter from the filter platform of its switch, as vfpctrl /disable-port does, or adds it
// again (VIRT-4).
type ReleasePort struct {
	VM      string `json:"vm"`
	Adapter string `json:"adapter"`
	Back    bool   `json:"back,omitempty"`
}

// AdapterFeature is a feature of a connection that is turned on and off, mostly by PowerShell.
type AdapterFeature string

// The features.
const (
	FeaturePacketDirect          AdapterFeature = "PacketDirect"
	FeatureNetworkVirtualization AdapterFeature = "ms_netwnv" // the binding that NVGRE needs on Windows Server 2012
	FeatureRdma                  AdapterFeature = "Rdma"      // Network Direct of an adapter of the host at a switch
	// The bindings that a virtual switch takes from its port.
	FeatureTCPIPv4 AdapterFeature = "ms_tcpip"
	FeatureTCPIPv6 AdapterFeature = "ms_tcpip6"
	FeatureClient  AdapterFeature = "ms_msclient"
	// FeaturePromiscuous lets the physical function receive all frames, as a capture program does (IOV-13). No command of the
	// manuals sets it.
	FeaturePromiscuous AdapterFeature = "promiscuous mode"
)

// SetFeature switches a feature of a connection.
type SetFeature struct {
	// Connection is the connection of a port, or for Rdma of a host adapter at a switch.
	Connection string         `json:"connection"`
	Feature    AdapterFeature `json:"feature"`
	On         bool           `json:"on"`
}

// AddNetVirtualization adds records of NVGRE.
type AddNetVirtualization struct {
	Records NetVirtualization `json:"records"`
}

// RemoveNetVirtualization removes records of NVGRE, all of which must exist.
type RemoveNetVirtualization struct {
	Records NetVirtualization `json:"records"`
	// Back marks the undo of an addition, for which records that a reboot has removed need not exist.
	Back bool `json:"back,omitempty"`
}

// RestoreNetVirtualization restores the records of NVGRE in their order: it undoes a removal.
type RestoreNetVirtualization struct {
	Records NetVirtualization `json:"records"`
}
