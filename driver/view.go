package driver

import (
	"fmt"
	"slices"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/subnet"
	"cxdeck/driver/fabric"
	"cxdeck/driver/lossless"
	"cxdeck/driver/registry"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/driver/virtualization"
)

// View is the host at one moment, as plain data that never changes.
type View struct {
	Name, System                 string
	Now                          time.Time
	NUMANodes, ProcessorsPerNode int
	Adapters                     []AdapterView
	// Teams are in the order of creation.
	Teams []teams.View
	// Partitions are the virtual ports of IPoIB, by their connections.
	Partitions []fabric.PartitionView
	// Waits is the number of keys whose stored values have not taken effect yet; see Host.Pending.
	Waits int
	// View holds the computer's BIOS, virtual switches and machines.
	virtualization.View
}

// AdapterView is one card.
type AdapterView struct {
	// Description is its identity; it must not be changed.
	Description *description.Adapter
	// Driver is the name of the driver: "mlx4", "mlx5".
	Driver string
	// State is the worst state of its ports.
	State     AdapterState
	Functions []FunctionView
	Ports     []PortView
	// Waits is the number of keys of its ports whose stored values have not taken effect yet.
	Waits int
	// DeviceName is its name in the firmware tools: "mt4121_pciconf0".
	DeviceName string
	// HCA is its name in the commands of the WinOF driver: "HCA 0"; empty for a WinOF-2 card.
	HCA string
	// Firmware are the settings in its flash.
	Firmware []virtualization.FirmwareView
}

// FunctionView is a PCI function: one for both ports with mlx4, one for each port with mlx5.
type FunctionView struct {
	PCI description.PCIAddress
	// InstanceID is the name that Windows gives the device (FAM-2).
	InstanceID string
	// Ports are the indexes of its ports in the adapter.
	Ports []int
}

// PortView is one port with its connection.
type PortView struct {
	// Port is its number in device.Lab.
	Port int
	// Description is its identity, with the MAC address that it uses now; it must not be changed.
	Description *description.Port
	State       AdapterState
	// Code is Device Manager's code of a driver that failed to start, 0 for any other.
	Code       int
	Cabled, Up bool
	// Subnet is the state of an InfiniBand port in its subnet, SubnetManager the state of the subnet manager.
	Subnet        subnet.State
	SubnetManager description.SubnetManager
	// Needs are sentences without full stops on what RDMA workloads of the port lack.
	Needs []string
	// Rate is the line rate in bits per second, also while the link is down.
	Rate float64
	// Pending names the changes that wait for a restart; empty when none does.
	Pending string
	// VirtualFunctions is the number of virtual functions that the port has now, at most the number in its description.
	VirtualFunctions int
	// Waits is the number of keys whose stored values have not taken effect, also keys that need more than a restart.
	Waits int
	// Management reports that the operator's own session goes through the port.
	Management bool
	// Team is the name of the team that it is a member of, empty for none, and Role its role there.
	Team string
	Role mux.Role
	// VLANs are the VLANs of the port itself.
	VLANs []teams.VLANView
	// SRIOV are its virtual functions and their requirements.
	SRIOV virtualization.SRIOVView
	// PacketDirect and NetworkVirtualization are features that PowerShell cmdlets turn on and off.
	PacketDirect, NetworkVirtualization bool
}

// Processors returns the number of logical processors of the host.
func (v *View) Processors() int { return v.NUMANodes * v.ProcessorsPerNode }

// View returns the current state of the host.
func (h *Host) View() *View {
	d := h.lab.Description()
	v := &View{
		Name: d.Host.Name, System: d.Host.System, Now: h.lab.Now(),
		NUMANodes: d.Host.NUMANodes, ProcessorsPerNode: d.Host.ProcessorsPerNode,
		Adapters: make([]AdapterView, len(d.Adapters)),
	}
	virtual := h.hypervisor()
	for i := range d.Adapters {
		a := &d.Adapters[i]
		v.Adapters[i] = AdapterView{
			Description: a, Driver: a.Family.Driver(), Functions: functions(a), DeviceName: d.DeviceName(i), Firmware: virtual.ViewFirmware(i),
		}
		if a.Family == description.WinOF {
			v.Adapters[i].HCA = d.HCA(i)
		}
	}
	sriov := virtual.ViewPorts()
	needs := make([]lossless.Path, len(h.miniports))
	h.addNeeds(needs)
	waiting := make([][]*registry.Row, len(h.miniports))
	for port := range h.miniports {
		waiting[port] = h.waitingKeys(port)
		description, a, _ := h.lab.Port(port)
		if address := h.mac(port); address != description.MAC {
			changed := *description
			changed.MAC, description = address, &changed
		}
		state := h.lab.State(port)
		view := &v.Adapters[a]
		view.Ports = append(view.Ports, PortView{
			Port: port, Description: description, State: h.miniports[port].state, Code: h.miniports[port].code,
			Cabled: state.Cabled, Up: state.Up, Rate: state.Rate, Pending: h.pending(port, waiting[port]),
			Management: port == h.management, VirtualFunctions: h.lab.VirtualFunctions(port),
			Subnet: state.Subnet, SubnetManager: h.lab.Manager(port), VLANs: h.VLANsOf(port),
			SRIOV: sriov[port], PacketDirect: h.virtual.Ports[port].PacketDirect, NetworkVirtualization: h.virtual.Ports[port].NetworkVirtualization,
		})
		p := &view.Ports[len(view.Ports)-1]
		p.Team, p.Role = h.teamSet().RoleOf(port)
		for i := range needs[port].Needs {
			p.Needs = append(p.Needs, needs[port].Needs[i].Text)
		}
		view.State = worseState(view.State, h.miniports[port].state, len(view.Ports) == 1)
	}
	v.Teams = h.Teams()
	v.View = virtual.View()
	v.Partitions = h.Partitions()
	v.countWaiting(h.pendingKeys(waiting))
	return v
}

// functions returns the PCI functions of a card (FAM-1).
func functions(a *description.Adapter) []FunctionView {
	if a.Family == description.WinOF {
		all := make([]int, len(a.Ports))
		for i := range all {
			all[i] = i
		}
		return []FunctionView{{PCI: a.PCI, InstanceID: instanceID(a, 0), Ports: all}}
	}
	var list []FunctionView
	for i := range a.Ports {
		address := a.PCI
		address.Function += uint8(i)
		list = append(list, FunctionView{PCI: address, InstanceID: instanceID(a, i), Ports: []int{i}})
	}
	return list
}

// instanceID returns the device instance of a function: PCI ids, and the card's GUID with the function's number (FAM-2).
func instanceID(a *description.Adapter, function int) string {
	return fmt.Sprintf(`PCI\VEN_%04X&DEV_%04X&SUBSYS_%04X%04X&REV_%02X\%016X%02d`,
		a.VendorID, a.DeviceID, a.SubsystemID, a.SubvendorID, a.Revision, uint64(a.NodeGUID), function)
}

// worseState returns the state of a card whose ports so far are in state a and whose next port is in state b: the card runs as
// long as one of them does, unless one has failed.
func worseState(a, b AdapterState, first bool) AdapterState {
	if first {
		return b
	}
	order := []AdapterState{Failed, Restarting, Running, Stopped}
	if slices.Index(order, b) < slices.Index(order, a) {
		return b
	}
	return a
}
