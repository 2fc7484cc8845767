package virtualization

import (
	"slices"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/tunnel"
	"cxdeck/driver/virtualization/hyperv"
)

// View is the state of Hyper-V at one moment, as plain data that never changes.
type View struct {
	// Machine is the computer with its BIOS.
	Machine MachineView
	// Switches and VMs are in the order of creation; HostAdapters are the host's adapters at switches.
	Switches     []SwitchView
	VMs          []VMView
	HostAdapters []VMAdapterView
	// Net are the records of NVGRE.
	Net NetVirtualization
}

// MachineView is the computer with the settings of its BIOS.
type MachineView struct {
	// SRIOV, Virtualization and Above4G are the settings in effect; Above4G lets cards have addresses above 4 GB. Next are the
	// settings from the next boot.
	SRIOV, Virtualization, Above4G bool
	Next                           BIOS
	// Space is the address space for cards in MB, Used the part that their functions take now.
	Space, Used int
	// HyperV reports that the role Hyper-V is installed, NextHyperV that it is from the next boot on; WhyNoHyperV says why virtual
	// machines and switches can't be created for lack of it.
	HyperV, NextHyperV bool
	WhyNoHyperV        string
	// IovSupport and IovSupportReasons are fields of Get-VmHost; the reasons are "OK" alone when there are none.
	IovSupport        bool
	IovSupportReasons []string
}

// FirmwareView is one setting in the flash of a card.
type FirmwareView struct {
	Name string `json:"name"`
	// Current is the value in effect, Next the value from the next boot or reset of the card; both are "N/A" for a setting that
	// was never set. Default is the value of a setting that was never set.
	Current string `json:"current"`
	Next    string `json:"next"`
	Default string `json:"default"`
	// Low and High are its bounds, both included.
	Low  uint32 `json:"least"`
	High uint32 `json:"most"`
	// Tool is "mlxconfig", or "flint" for a setting of the image's ini file. Shown reports that a plain query lists it.
	Tool    string `json:"tool"`
	Meaning string `json:"meaning,omitempty"`
	Shown   bool   `json:"-"`
}

// SRIOVView is SR-IOV at one port.
type SRIOVView struct {
	// Support, Enabled, SwitchName and NumVFs are fields of Get-NetAdapterSriov; Support is "Supported" or "NoVfBarSpace", for
	// example.
	Support    hyperv.SriovSupport `json:"support"`
	Enabled    bool                `json:"enabled"`
	SwitchName string              `json:"virtual_switch,omitempty"`
	NumVFs     int                 `json:"num_vfs"`
	// FirmwareVFs is the number of virtual functions that the firmware has for the port, Allowed the number that the bus driver
	// opens, Open the number that exists now, Attached the number that virtual machines use, and Free the rest of Open.
	FirmwareVFs int `json:"burnt"`
	Allowed     int `json:"allowed"`
	Open        int `json:"open"`
	Attached    int `json:"attached"`
	Free        int `json:"free"`
	// QueuePairs is the advice for IovQueuePairsRequested (IOV-16).
	QueuePairs int `json:"advised_queue_pairs"`
	// GIDs is the number of an InfiniBand port's GIDs that the physical function has (IOV-7), GIDsWhy the reason why no GIDs
	// are shared; 0 and empty for Ethernet, and without virtual functions.
	GIDs    int    `json:"pf_gids,omitempty"`
	GIDsWhy string `json:"gids_why,omitempty"`
	// Promiscuous reports that the physical function receives all frames, DHCPToPF that it receives the DHCP packets of virtual
	// functions (IOV-13). DHCPWhy is the reason why RedirectVfDHCPToPF has no effect, on the port or on some machines; empty
	// otherwise.
	Promiscuous bool   `json:"promiscuous"`
	DHCPToPF    bool   `json:"dhcp_to_pf"`
	DHCPWhy     string `json:"dhcp_why,omitempty"`
	// Why is the reason for having none, or fewer than NumVFs; empty otherwise.
	Why string `json:"why,omitempty"`
	// Checks are the capability strip: BIOS, OS, BAR space, firmware, driver, switch.
	Checks []Check `json:"checks"`
	// Limit is the maximum number that the driver opens at a port of this family, whatever the firmware has.
	Limit int `json:"-"`
	// InfiniBand reports that a port of its card uses InfiniBand: a WinOF card then has no virtual functions (IOV-1).
	InfiniBand bool `json:"-"`
	// Mode, Port1VFs and Port2VFs are SriovPortMode and the two counts (WinOF).
	Mode     int `json:"-"`
	Port1VFs int `json:"-"`
	Port2VFs int `json:"-"`
	// VFs are the virtual functions that are open.
	VFs []VFView `json:"-"`
}

// Check is one requirement of SR-IOV.
type Check struct {
	// Name is "BIOS", "OS", "BAR space", "Firmware", "Driver", "Switch".
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	// Why is the problem and its remedy; empty when OK.
	Why string `json:"why,omitempty"`
}

// VFView is one virtual function.
type VFView struct {
	Port, ID int
	// VM and Adapter are the virtual machine and the adapter that use it, empty for a free one.
	VM, Adapter string
	MAC         description.MAC
	VLAN        int
	State       VFState
	// Pages and PageLimit are host memory in pages of 4 KB; the limit is 0 for none.
	Pages, PageLimit int
	QueuePairs       int
	// Faults are the faults of the function, in the order of their kinds.
	Faults []description.FaultKind
	// GIDs is the number of an InfiniBand port's GIDs that it has (IOV-7).
	GIDs int
}

// VFState is the state of a virtual function.
type VFState string

// The states of a virtual function.
const (
	VFFree     VFState = "free"
	VFAttached VFState = "attached" // carries the traffic of its adapter
	VFIdle     VFState = "idle"     // attached, with traffic on the synthetic path; the adapter's Why is the reason
)

// SwitchView is a virtual switch.
type SwitchView struct {
	SwitchRecord
	// Ports are the ports of the lab that it is bound to.
	Ports []int
	// IovSupport reports that its ports can have virtual functions now; Why is the reason why not, or another problem.
	IovSupport bool
	Why        string
	// Adapters is the number of connected adapters, including the host's.
	Adapters int
}

// VMView is a virtual machine.
type VMView struct {
	Name        string
	State       VMState
	GuestDriver string
	// System is its version of Windows, Memory its size in MB.
	System   string
	Memory   int
	Adapters []VMAdapterView
	// NetVSC is the state of the Hyper-V adapter in the guest.
	NetVSC NetVSC
}

// Path is the path of an adapter's traffic.
type Path string

// The paths.
const (
	NoPath        Path = "none"
	PathVF        Path = "VF"
	PathSynthetic Path = "synthetic" // through the virtual switch and the physical function
)

// VMAdapterView is a network adapter of a virtual machine, or of the host at a switch, whose VM is empty.
type VMAdapterView struct {
	VM string
	VMAdapterRecord
	// Port is the lab's port that it uses, -1 for none; Function is its virtual function, -1 for none.
	Port, Function int
	Path           Path
	// Why is the reason why it lacks a requested virtual function, or traffic; empty otherwise.
	Why string
	// Queues are the receive rings of the port that serve it on the synthetic path (VIRT-1, VIRT-3); Default reports that it
	// has none of its own (VIRT-2). VmmqGranted and IovQueuePairsGranted are the numbers of queue pairs that it was granted.
	Queues                            []int
	Default                           bool
	VmmqGranted, IovQueuePairsGranted int
	// Slot is its place among the guests of its port; see device.Lab.GuestCell. -1 for none.
	Slot int
	// Overlay is the NVGRE encapsulation of its packets; OverlayWhy is the reason why an adapter in a virtual subnet has none.
	// OverlayPacket is the longest IP packet that it can send encapsulated, in bytes.
	Overlay       tunnel.Overlay
	OverlayWhy    string
	OverlayPacket int
	// Blocked reports that the filter platform blocks its port; for the port's name see Host.SwitchPorts.
	Blocked bool
	History []VFChange
	// Device is the device that the machine shows for its virtual function beside the Hyper-V adapter, also without a driver
	// for it; empty for none.
	Device string
	// Limits are the requirements that the versions don't meet, a clause for each.
	Limits []string
}

// VFChange is a change of the path of an adapter.
type VFChange struct {
	At   time.Time `json:"at"`
	Path Path      `json:"path"`
	Why  string    `json:"why,omitempty"`
}

// VPortView is a virtual port of a port's embedded switch, as Get-NetAdapterVPort lists it.
type VPortView struct {
	// Connection is the connection of the port; ID counts from 0, the default virtual port.
	Connection string
	ID         int
	// Function is the VF's number, -1 for the physical function ("PF").
	Function int
	MAC      description.MAC
	VLAN     int
	// Processor is the first processor that serves it, QueuePairs the number of its queue pairs.
	Processor, QueuePairs int
	VM, Adapter           string
}

// SwitchPortView is a port of a virtual switch, as vfpctrl /list-vmswitch-port lists it.
type SwitchPortView struct {
	Name, FriendlyName, Switch, SwitchID, VM, Adapter string
	// NIC is the name that Windows uses for the adapter: the GUIDs of machine and adapter, or the GUID of a host's adapter.
	NIC string
	MAC description.MAC
	// Type is "Synthetic", "SR-IOV" or "Internal"; VMQ reports that it has a receive queue of its own, Blocked that the filter
	// platform blocks it.
	Type         string
	VMQ, Blocked bool
}

// HasPath reports whether the traffic of a machine's adapter has a path.
func (vm *VMView) HasPath(adapter string) bool {
	return slices.ContainsFunc(vm.Adapters, func(a VMAdapterView) bool { return a.Name == adapter && a.Path != NoPath && a.Path != "" })
}
