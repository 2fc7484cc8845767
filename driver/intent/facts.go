package intent

import "cxdeck/driver/qos"

// Facts are the facts about a host that the checks compare an intent with.
type Facts struct {
	// Name is the host's.
	Name string
	// NICs are the physical adapters, by their connections.
	NICs     []NIC
	Switches []VirtualSwitch
	// Hosts are the adapters of the host at virtual switches.
	Hosts []HostAdapter
	QoS   *qos.View
	SMB   SMB
}

// NIC is a physical adapter.
type NIC struct {
	Name string
	// Status is "Up", or the word that Windows has for it, and Media "Connected" or "Disconnected".
	Status, Media string
	Gbps          int
	// Bindings are the components that are bound to it, of vms_pp, ms_implat, ms_tcpip, ms_tcpip6 and ms_msclient.
	Bindings []string
	// Driver is the file of its driver, DriverVersion the version of the file.
	Driver, DriverVersion string
	// Properties are the advanced properties by their keywords, as they act; a keyword that the driver does not have is absent.
	Properties map[string]string
	// OldFirmware is the event of a firmware other than the driver recommends since the last start; empty for none.
	OldFirmware string
	// Port is its place in the lists of QoS.
	Port int
	// IovSupport is "Supported", or why not; VFs is how many virtual functions Windows may use.
	IovSupport string
	VFs        int
	// NoRDMA is why SMB does not use RDMA there; empty when it does.
	NoRDMA string
	// Path is what the lab knows of the way to its peers.
	Path Path
}

// VirtualSwitch is a virtual switch.
type VirtualSwitch struct {
	Name string
	// Adapters are the connections that it is bound to; Team is the LBFO team in place of them, empty for none.
	Adapters []string
	Team     string
	Embedded bool
	Balance  string
	// PacketDirect, IOV and IovSupport are what Get-VMSwitch says; QueuePairs and VFs are the numbers of its SR-IOV.
	PacketDirect, IOV, IovSupport bool
	QueuePairs, VFs               int
}

// HostAdapter is an adapter of the host at a switch.
type HostAdapter struct {
	Name, Switch string
	// Status is "Ok" or what Hyper-V says; Up and Connected are what Windows says of its interface.
	Status        string
	Up, Connected bool
	JumboPacket   int
	// Capable reports that an adapter under its switch offers RDMA, Enabled that it is on for it.
	Capable, Enabled bool
	PriorityTag      bool
	// Mapping is the physical adapter that it is tied to, empty for none.
	Mapping string
	VLAN    int
	// NoRDMA is why SMB does not use RDMA there; empty when it does.
	NoRDMA string
}

// SMB are the settings of SMB.
type SMB struct {
	ClientMultichannel, ClientSigning                bool
	ServerMultichannel, ServerSigning, ServerEncrypt bool
}

// Path is what the lab knows of the way of a port's frames.
type Path struct {
	// Known is false for an InfiniBand port.
	Known bool
	// Mismatches of adapter and switch port, a sentence for each without its end.
	Mismatches []string
	// FarEnd are the mismatches of the far end; FarEndKnown is false where the lab has none.
	FarEndKnown bool
	FarEnd      []string
	// Hops are the priorities that RDMA of the lossless priority has at each hop, -1 for none.
	Hops []Hop
	// Traffic says that RDMA moved while it was watched; Drops and Pauses are what went wrong then, empty for nothing.
	Traffic       bool
	Drops, Pauses string
	// Reacts and Notifies are congestion control of the lossless priority here, Marks that the switch port marks.
	Reacts, Notifies, Marks bool
	// GIDs are the addresses of RDMA.
	GIDs []string
}

// Hop is a place on the way with the priority that RDMA has there.
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
