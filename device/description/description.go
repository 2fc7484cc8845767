package description

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/netip"
	"time"
)

// Description describes a lab: the host, its adapters with their ports and cables, the traffic and the faults. It is plain
// data; ParseText reads it from TOML and checks it, New builds a Lab from it. A description from which a Lab was built must not
// be changed. The tags of a field give its key, the range of its number or of the length of its list, and whether its text is
// required. The limits far exceed what the console can show; they keep a hostile file from using up the memory.
type Description struct {
	Name string `toml:"name"`
	// Epoch is the lab's time at its start.
	Epoch     time.Time   `toml:"epoch"`
	Host      HostMachine `toml:"host"`
	Adapters  []Adapter   `toml:"adapter" range:"1 32"`
	Schedules []Schedule  `toml:"schedule" range:"0 64"`
	Flows     []Flow      `toml:"flow" range:"0 1024"`
	Faults    []Fault     `toml:"fault" range:"0 256"`
	// DriverFaults are faults of drivers and their firmware, whose names the driver knows.
	DriverFaults []DriverFault `toml:"driver_fault,omitempty" json:",omitempty" range:"0 64"`
	// Switches and Machines belong to Hyper-V. A port with virtual functions and no switch gets a switch, and a machine for
	// each function.
	Switches []VirtualSwitch  `toml:"switch,omitempty" json:",omitempty" range:"0 64"`
	Machines []VirtualMachine `toml:"vm,omitempty" json:",omitempty" range:"0 4096"`
	// InfiniBand is the subnet of the InfiniBand ports. Without it each of their switches is a subnet of its own.
	InfiniBand *InfiniBandSubnet `toml:"infiniband,omitempty" json:",omitempty"`
	// Twin is the start of a lab that was made from the exports of a real host; nil for any other.
	Twin *Twin `toml:"twin,omitempty" json:",omitempty"`
}

// HostMachine is the computer that the adapters are in.
type HostMachine struct {
	Name   string `toml:"name" required:"true"`
	System string `toml:"system"`
	// NUMANodes times ProcessorsPerNode is the number of logical processors.
	NUMANodes         int `toml:"numa_nodes" range:"1 64"`
	ProcessorsPerNode int `toml:"processors_per_node" range:"1 64"`
	// TeamGUIDs and VLANGUIDs are the GUIDs of the first teams and VLANs, in braces; further GUIDs are drawn from the seed.
	TeamGUIDs []string `toml:"team_guids,omitempty" json:",omitempty" range:"0 64"`
	VLANGUIDs []string `toml:"vlan_guids,omitempty" json:",omitempty" range:"0 64"`
	// NoSRIOV, NoVirtualization and NoAddressesAbove4G turn BIOS settings off, which are on by default.
	NoSRIOV            bool `toml:"no_sriov,omitempty" json:",omitempty"`
	NoVirtualization   bool `toml:"no_virtualization,omitempty" json:",omitempty"`
	NoAddressesAbove4G bool `toml:"no_addresses_above_4g,omitempty" json:",omitempty"`
	// SpaceMB is the address space for cards in MB, 0 for 65536, as on most servers.
	SpaceMB int `toml:"space_mb,omitempty" json:",omitempty" range:"0 16777216"`
	// FirmwareTools is the version of the package that mlxconfig comes with (MFT), empty for a recent one.
	FirmwareTools string `toml:"firmware_tools,omitempty" json:",omitempty"`
	// Guest reports that it is a virtual machine over Linux KVM, and that its InfiniBand port is a virtual function of the Linux host.
	Guest bool `toml:"guest,omitempty" json:",omitempty"`
}

// Adapter is one card. Its family determines the valid device ids and the number of PCI functions for a port.
type Adapter struct {
	Name   string `toml:"name" required:"true"`
	Family Family `toml:"family"`
	// PCI is the address of the first function.
	PCI PCIAddress `toml:"pci"`
	// IDs in the PCI configuration space.
	VendorID    uint16 `toml:"vendor_id"`
	DeviceID    uint16 `toml:"device_id"`
	SubvendorID uint16 `toml:"subvendor_id"`
	SubsystemID uint16 `toml:"subsystem_id"`
	Revision    uint8  `toml:"revision"`
	// Slot: PCI Express generation (1 to 4), lanes, and the largest payload of a packet in bytes.
	PCIeGeneration int `toml:"pcie_generation" range:"1 4"`
	PCIeLanes      int `toml:"pcie_lanes"`
	PCIeMaxPayload int `toml:"pcie_max_payload" range:"64 4096"`
	NUMANode       int `toml:"numa_node"`

	Firmware string `toml:"firmware"`
	PSID     string `toml:"psid"`
	NodeGUID GUID   `toml:"node_guid"`
	// Package is the driver package ("WinOF 5.50.52000"), DriverVersion the version of its driver files.
	Package       string `toml:"package"`
	DriverVersion string `toml:"driver_version"`
	// ReceivedAckBytes is the size of a received RDMA acknowledgement in the counters of RDMA Activity; 0 means its true
	// length. WinOF uses 20.
	ReceivedAckBytes int `toml:"received_ack_bytes" range:"0 70"`
	// FirmwareVFs is the number of virtual functions in the firmware image (total_vfs), 0 for none or unknown.
	FirmwareVFs int `toml:"burnt_functions,omitempty" json:"BurntFunctions,omitempty" range:"0 127"`
	// Flash holds the firmware settings by name, as mlxconfig shows them; missing settings were never set.
	Flash map[string]int `toml:"flash,omitempty" json:",omitempty"`
	// SriovPortMode is the stored value for a WinOF card; nil for the driver's default.
	SriovPortMode *int `toml:"sriov_port_mode,omitempty" json:",omitempty" range:"0 2"`
	// BusClass is the nn of the class key of a WinOF card's bus device; empty for 0073 and the following, as in the manual.
	BusClass string `toml:"bus_class,omitempty" json:",omitempty"`

	Ports []Port `toml:"port" range:"1 2"`
}

// Port is one port of a card with its connection in Windows and the far end of its cable.
type Port struct {
	// Connection is the connection name: "Ethernet 7".
	Connection string `toml:"connection" required:"true"`
	// Device is the description of the network device that Windows shows: "Mellanox ConnectX-4 Lx Ethernet Adapter #2".
	Device string   `toml:"device" required:"true"`
	Link   LinkType `toml:"link"`
	// SpeedGbps is the nominal line rate in Gb/s (FAM-7).
	SpeedGbps int  `toml:"speed_gbps" range:"1 200"`
	MAC       MAC  `toml:"mac"`
	GUID      GUID `toml:"guid"`
	// Class is the nn of the driver's class key: "0007".
	Class string `toml:"class"`
	// Interface is the network interface's GUID in braces.
	Interface string `toml:"interface"`
	// MaxFrame is *JumboPacket: the largest frame in bytes with header, without FCS (NIC-1).
	MaxFrame    int         `toml:"max_frame" range:"614 9614"`
	FlowControl FlowControl `toml:"flow_control"`
	// Lossless are the priorities with PFC when FlowControl is "pfc".
	Lossless []int    `toml:"lossless"`
	RoCE     RoCEMode `toml:"roce"`
	// BufferBytes is the port's receive buffer.
	BufferBytes int `toml:"buffer_bytes" range:"65536 67108864"`
	// HostPacketsPerSecond is the number of packets that the host's processors take from the receive rings in a second; further
	// packets find no receive descriptor.
	HostPacketsPerSecond int `toml:"host_packets_per_second" range:"1000 1000000000"`
	// BaseProcessor is the first processor of the port's receive rings (RSS-6).
	BaseProcessor int `toml:"base_processor" range:"0 255"`
	// CongestionControl are the priorities with congestion control for RDMA flows, at both ends (DCQ-1).
	CongestionControl []int `toml:"congestion_control"`
	// VirtualFunctions is the number of virtual functions, which share the traffic of flows that are marked as virtual.
	VirtualFunctions int `toml:"virtual_functions" range:"0 127"`
	// Management marks the port that carries the operator's own session.
	Management bool `toml:"management"`

	Switch SwitchPort `toml:"switch"`
}

// SwitchPort is the far end of a cable.
type SwitchPort struct {
	Name      string `toml:"name"`
	SpeedGbps int    `toml:"speed_gbps" range:"1 400"`
	// MaxFrame is the largest frame in bytes with header, without FCS.
	MaxFrame    int         `toml:"max_frame" range:"614 65535"`
	FlowControl FlowControl `toml:"flow_control"`
	Lossless    []int       `toml:"lossless"`
	// SubnetManager is the state of the subnet manager of an InfiniBand port's subnet.
	SubnetManager SubnetManager `toml:"subnet_manager"`
	// PKeys are the partitions that the subnet manager assigns to an InfiniBand port, in addition to the default partition.
	PKeys []PKey `toml:"pkeys,omitempty" json:",omitempty"`
	// SubnetManagerVersion is the version of the subnet manager of an InfiniBand port; empty for a recent one.
	SubnetManagerVersion string `toml:"subnet_manager_version,omitempty" json:",omitempty"`
	// DCBX is the version of DCBX that an Ethernet port uses, and Willing its willing bit. MAC is its LLDP address; zero derives
	// the address from the port's number.
	DCBX    DCBXMode `toml:"dcbx,omitempty" json:",omitempty"`
	Willing bool     `toml:"willing,omitempty" json:",omitempty"`
	MAC     MAC      `toml:"mac,omitempty" json:",omitzero"`
	// Classes and Applications are the content of the ETS and application priority TLVs of DCBX; an empty TLV is not sent.
	Classes      []SwitchClass       `toml:"classes,omitempty" json:",omitempty" range:"0 8"`
	Applications []SwitchApplication `toml:"applications,omitempty" json:",omitempty" range:"0 64"`
}

// VirtualSwitch is an external virtual switch.
type VirtualSwitch struct {
	Name string `toml:"name" required:"true"`
	// Port is the connection of its uplink.
	Port         string `toml:"port"`
	IOV          bool   `toml:"iov,omitempty" json:",omitempty"`
	PacketDirect bool   `toml:"packet_direct,omitempty" json:",omitempty"`
	ManagementOS bool   `toml:"management_os,omitempty" json:",omitempty"`
	// VFP enables the filter platform.
	VFP bool `toml:"vfp,omitempty" json:",omitempty"`
	// GUID is in braces; an empty one is drawn from the seed.
	GUID string `toml:"guid,omitempty" json:",omitempty"`
}

// VirtualMachine is a virtual machine of the host. It runs unless Off is set.
type VirtualMachine struct {
	Name string `toml:"name" required:"true"`
	Off  bool   `toml:"off,omitempty" json:",omitempty"`
	// GuestDriver is the version of the machine's driver for virtual functions, empty for none.
	GuestDriver string `toml:"guest_driver,omitempty" json:",omitempty"`
	// System is the machine's version of Windows, empty for the host's.
	System string `toml:"system,omitempty" json:",omitempty"`
	// MemoryMB is its memory in MB, 0 for the default of New-VM: 4096.
	MemoryMB int              `toml:"memory_mb,omitempty" json:",omitempty"`
	Adapters []VirtualAdapter `toml:"adapter,omitempty" json:",omitempty" range:"0 8"`
}

// VirtualAdapter is a network adapter of a virtual machine.
type VirtualAdapter struct {
	Name   string `toml:"name" required:"true"`
	Switch string `toml:"switch,omitempty" json:",omitempty"`
	// MAC is a static address; without one it is dynamic.
	MAC  MAC `toml:"mac,omitempty" json:",omitempty"`
	VLAN int `toml:"vlan,omitempty" json:",omitempty" range:"0 4094"`
	// VF requests a virtual function.
	VF bool `toml:"vf,omitempty" json:",omitempty"`
	// SwitchPort is the name of its port on the switch, a GUID without braces; empty to draw one from the seed.
	SwitchPort string `toml:"switch_port,omitempty" json:",omitempty"`
	// NIC is the name that Windows uses: the GUIDs of machine and adapter with two hyphens between them; empty to draw one from
	// the seed.
	NIC string `toml:"nic,omitempty" json:",omitempty"`
}

// Schedule defines the times at which a burst or a fault is active, which are drawn from the seed.
type Schedule struct {
	Name string `toml:"name" required:"true"`
	// First is the time from the start to the first activity, Every the time between two, Lasting the duration of one. Each is a
	// range of two values.
	First   []Duration `toml:"first"`
	Every   []Duration `toml:"every"`
	Lasting []Duration `toml:"lasting"`
}

// Flow is a group of similar flows between a port and its peers.
type Flow struct {
	Name string `toml:"name" required:"true"`
	// Port is the connection that the flows go through.
	Port     string   `toml:"port"`
	Protocol Protocol `toml:"protocol"`
	// Local and Peer are the addresses of the two ends; Peer is the first of Flows peers.
	Local netip.Addr `toml:"local"`
	Peer  netip.Addr `toml:"peer"`
	// Flows is the number of five-tuples in the group.
	Flows int `toml:"flows" range:"1 1000000"`
	// Connections is the number of their RDMA connections; Accepted reports that the peers opened them.
	Connections int  `toml:"connections" range:"0 1000000"`
	Accepted    bool `toml:"accepted"`
	// Application is the program that an RDMA flow belongs to, Transport the transport of its queue pairs.
	Application Application `toml:"application,omitempty" json:",omitempty"`
	Transport   Transport   `toml:"transport,omitempty" json:",omitempty"`
	// Idle reports that it sends nothing until an operator starts it.
	Idle bool `toml:"idle,omitempty" json:",omitempty"`
	// Burst is the number of packets that a peer sends at once; 0 for the usual few.
	Burst int `toml:"burst,omitempty" json:",omitempty" range:"0 65536"`
	// Priority of the VLAN tag, 0 to 7; frames are untagged when it is absent. VLAN is the tag's id, 0 for a
	// priority tag.
	Priority *int `toml:"priority" range:"0 7"`
	VLAN     int  `toml:"vlan" range:"0 4094"`
	// DSCP of the packets, 0 to 63.
	DSCP int `toml:"dscp" range:"0 63"`
	// LocalPort is the TCP or UDP port of this end; 0 selects a common one.
	LocalPort int `toml:"local_port" range:"0 65535"`
	// VXLAN encapsulates the packets; sizes are the sizes of the inner packets.
	VXLAN bool `toml:"vxlan"`
	// Virtual marks traffic of the port's virtual functions.
	Virtual bool `toml:"virtual"`
	// Multicast reports multicast frames, which are counted as non-unicast.
	Multicast bool `toml:"multicast"`
	// ReceiveGbps and SendGbps are data rates at full level, in Gb/s of frames; acknowledgements in the other direction are
	// added.
	ReceiveGbps float64      `toml:"receive_gbps" range:"0 400"`
	SendGbps    float64      `toml:"send_gbps" range:"0 400"`
	Packets     []PacketSize `toml:"packets" range:"1 8"`
	Rhythm      Rhythm       `toml:"rhythm"`
}

// PacketSize is one size in a mix.
type PacketSize struct {
	// IP is the length of the IP packet in bytes; Share is its fraction of the packets, and all shares add up to 1.
	IP    int     `toml:"ip"`
	Share float64 `toml:"share" range:"0 1"`
}

// Rhythm is the course of a flow's level over time. Level 1 is the flow's full rate.
type Rhythm struct {
	Kind RhythmKind `toml:"kind"`
	// Noise is the size of the seeded random variation, as a fraction of the level.
	Noise float64 `toml:"noise" range:"0 1"`
	// Period, Depth and Phase shape a wave: the level swings between 1 and 1-Depth; Phase is a fraction of the period. Period is also
	// the length of a trace.
	Period Duration `toml:"period"`
	Depth  float64  `toml:"depth" range:"0 1"`
	Phase  float64  `toml:"phase" range:"0 1"`
	// Schedule names the schedule of a burst; Rest is its level between bursts.
	Schedule string  `toml:"schedule"`
	Rest     float64 `toml:"rest" range:"0 1"`
	// Levels is the course of a trace, at equal distances over its period, after which it begins again.
	Levels []float64 `toml:"levels,omitempty" json:",omitempty" range:"0 3600"`
}

// Fault is a fault of a port with a schedule.
type Fault struct {
	Port     string    `toml:"port"`
	Kind     FaultKind `toml:"kind"`
	Schedule string    `toml:"schedule"`
	// Share is the fraction of time for which the far end pauses Priority, or the fraction of the frames that a bad cable
	// damages.
	Share    float64 `toml:"share" range:"0 1"`
	Priority int     `toml:"priority" range:"0 7"`
	// Levels is a recorded course of the share instead of a schedule, at equal distances over Period, after which it begins again. A
	// level is a fraction of Share.
	Period Duration  `toml:"period,omitempty" json:",omitempty"`
	Levels []float64 `toml:"levels,omitempty" json:",omitempty" range:"0 3600"`
}

// Hash identifies a description: two labs with the same hash and seed give the same numbers. It omits the epoch, which affects
// only times: a lab that starts today equals yesterday's.
func (d *Description) Hash() string {
	timeless := *d
	timeless.Epoch = time.Time{}
	text, err := json.Marshal(&timeless)
	if err != nil { // plain data with finite numbers always encodes
		panic("description: description does not encode: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// DriverFault is a fault of a port's driver or firmware that occurs on a schedule.
type DriverFault struct {
	Port string `toml:"port"`
	// Fault is its name: "command-fails".
	Fault    string `toml:"fault"`
	Schedule string `toml:"schedule"`
}
