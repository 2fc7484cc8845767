package intent

import "cxdeck/driver/qos"

// Facts are the facts about a host that the checks compare an intent with.
type Facts struct {
	// Name is the name of the host.
	Name string
	// NICs are the physical adapters, by their connections.
	NICs     []NIC
	Switches []VirtualSwitch
	// Hosts are the host's adapters on virtual switches.
	Hosts []HostAdapter
	QoS   *qos.View
	SMB   SMB
}

// NIC is a physical adapter.
type NIC struct {
	Name string
	// Status is "Up" or another status of Windows, Media is "Connected" or "Disconnected".
	Status, Media string
	Gbps          int
	// Bindings are the components bound to the adapter, out of vms_pp, ms_implat, ms_tcpip, ms_tcpip6 and ms_msclient.
	Bindings []string
	// Driver is the file name of the driver, DriverVersion the version of the file.
	Driver, DriverVersion string
	// Properties are the effective advanced properties by keyword; a keyword that the driver does not support is absent.
	Properties map[string]string
	// OldFirmware is the event since the last start that reports a firmware other than the recommended one; empty for none.
	OldFirmware string
	// Port is the adapter's index in QoS.Ports.
	Port int
	// IovSupport is "Supported" or the reason why not; VFs is the number of virtual functions that Windows may use.
	IovSupport string
	VFs        int
	// NoRDMA is the reason why SMB does not use RDMA on the adapter; empty if it does.
	NoRDMA string
	// Path is the path to the adapter's peers.
	Path Path
}

// VirtualSwitch is a virtual switch.
type VirtualSwitch struct {
	Name string
	// Adapters are the connections that the switch is bound to; Team is the LBFO team used instead, empty for none.
	Adapters []string
	Team     string
	Embedded bool
	Balance  string
	// PacketDirect, IOV and IovSupport are as Get-VMSwitch shows them; QueuePairs and VFs are the SR-IOV resources of the switch.
	PacketDirect, IOV, IovSupport bool
	QueuePairs, VFs               int
}

// HostAdapter is an adapter of the host on a virtual switch.
type HostAdapter struct {
	Name, Switch string
	// Status is "Ok" or the status that Hyper-V shows; Up and Connected are the state of the interface in Windows.
	Status        string
	Up, Connected bool
	JumboPacket   int
	// Capable reports that an adapter of the switch offers RDMA, Enabled that RDMA is on for the host adapter.
	Capable, Enabled bool
	PriorityTag      bool
	// Mapping is the physical adapter that the host adapter is mapped to, empty for none.
	Mapping string
	VLAN    int
	// NoRDMA is the reason why SMB does not use RDMA on the adapter; empty if it does.
	NoRDMA string
}

// SMB are the settings of SMB.
type SMB struct {
	ClientMultichannel, ClientSigning                bool
	ServerMultichannel, ServerSigning, ServerEncrypt bool
}

// Path is the path of a port's frames, as far as the lab has it.
type Path struct {
	// Known is false for an InfiniBand port.
	Known bool
	// Mismatches of adapter and switch port, a sentence for each without its end.
	Mismatches []string
	// FarEnd are the mismatches of the far end; FarEndKnown is false where the lab has none.
	FarEndKnown bool
	FarEnd      []string
	// Hops are the priorities of RDMA frames at each hop, -1 for none.
	Hops []Hop
	// Traffic reports that there was RDMA traffic during the check; Drops and Pauses describe drops and endless pauses, empty
	// for none.
	Traffic       bool
	Drops, Pauses string
	// NoControl reports that the adapter can't have congestion control: a WinOF adapter.
	NoControl bool
	// Reacts and Notifies report that the adapter has congestion control for the lossless priority, Marks that the switch port
	// marks frames.
	Reacts, Notifies, Marks bool
	// PeersReact and PeersNotify are the same of the peers; LosesNotices says that the switch drops the notifications.
	PeersReact, PeersNotify, LosesNotices bool
	// GIDs are the IP addresses that RDMA uses.
	GIDs []string
}

// Hop is a point of the path with the priority of RDMA there.
type Hop struct {
	Where    string
	Priority int
}

// nic returns the physical adapter of a name, in any case; nil for none.
func (f *Facts) nic(name string) *NIC {
	return find(f.NICs, name, func(n *NIC) string { return n.Name })
}

func (f *Facts) virtualSwitch(name string) *VirtualSwitch {
	return find(f.Switches, name, func(s *VirtualSwitch) string { return s.Name })
}

func (f *Facts) host(name string) *HostAdapter {
	return find(f.Hosts, name, func(a *HostAdapter) string { return a.Name })
}
