package machines

import (
	"fmt"
	"io"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// GuestRow is a network adapter of a virtual machine, or of the host at a switch, as JSON.
type GuestRow struct {
	VM             string `json:"vm,omitempty"`
	Name           string `json:"name"`
	Switch         string `json:"switch,omitempty"`
	MAC            string `json:"mac"`
	Static         bool   `json:"static_mac"`
	VLAN           int    `json:"vlan"`
	Path           string `json:"path"`
	Device         string `json:"guest_device,omitempty"`
	Function       *int   `json:"virtual_function"`
	IovWeight      int    `json:"iov_weight"`
	IovQueuePairs  int    `json:"iov_queue_pairs_requested"`
	IovGranted     int    `json:"iov_queue_pairs"`
	VmqWeight      int    `json:"vmq_weight"`
	VmmqEnabled    bool   `json:"vmmq_enabled"`
	VmmqQueuePairs int    `json:"vmmq_queue_pairs_requested"`
	VmmqGranted    int    `json:"vmmq_queue_pairs"`
	Queues         []int  `json:"queues"`
	DefaultQueue   bool   `json:"default_queue"`
	RdmaWeight     int    `json:"rdma_weight"`
	Subnet         uint32 `json:"virtual_subnet"`
	PriorityTag    bool   `json:"priority_tag,omitempty"`
	Mapping        string `json:"team_mapping,omitempty"`
	JumboPacket    int    `json:"jumbo_packet,omitempty"`
	Remote         string `json:"encapsulated_to,omitempty"`
	Packet         int    `json:"longest_packet_bytes,omitempty"`
	PlainWhy       string `json:"plain_why,omitempty"`
	Quarantine     string `json:"quarantine,omitempty"`
	Blocked        bool   `json:"blocked"`
	Why            string `json:"why,omitempty"`
	// Limits lists settings that versions do not support, with the reason.
	Limits []string `json:"limits,omitempty"`
}

// GuestOf returns the row of a virtual machine's adapter.
func GuestOf(a *virtualization.VMAdapterView) GuestRow {
	row := GuestRow{
		VM: a.VM, Name: a.Name, Switch: a.Switch, MAC: a.MAC.String(), Static: a.StaticMAC, VLAN: a.VLAN,
		Path: string(a.Path), Device: a.Device,
		IovWeight: a.IovWeight, IovQueuePairs: a.IovQueuePairs, IovGranted: a.IovQueuePairsGranted, VmqWeight: a.VmqWeight,
		VmmqEnabled: a.VmmqEnabled, VmmqQueuePairs: a.VmmqQueuePairs, VmmqGranted: a.VmmqGranted, Queues: append([]int{},
			a.Queues...),
		DefaultQueue: a.Default, RdmaWeight: a.RdmaWeight, Subnet: a.VirtualSubnet, Quarantine: a.Quarantine,
		PriorityTag: a.PriorityTag, Mapping: a.Mapping, JumboPacket: a.JumboPacket, Blocked: a.Blocked, Why: a.Why, PlainWhy: a.OverlayWhy, Packet: a.OverlayPacket, Limits: a.Limits,
	}
	if a.Overlay.Subnet != 0 {
		row.Remote = a.Overlay.Remote.String()
	}
	if a.Function >= 0 {
		row.Function = new(a.Function)
	}
	return row
}

// Row is a virtual machine as JSON.
type Row struct {
	Name        string     `json:"name"`
	State       string     `json:"state"`
	GuestDriver string     `json:"guest_driver,omitempty"`
	System      string     `json:"system"`
	Memory      int        `json:"memory_mb"`
	Adapters    []GuestRow `json:"adapters"`
}

// RowOf returns the row of a virtual machine with its adapters.
func RowOf(m *virtualization.VMView) Row {
	row := Row{m.Name, string(m.State), m.GuestDriver, m.System, m.Memory, []GuestRow{}}
	for i := range m.Adapters {
		row.Adapters = append(row.Adapters, GuestOf(&m.Adapters[i]))
	}
	return row
}

// Rows returns an answer with a list of virtual machines. text prints the list if it is not empty.
func Rows(rows []Row, text func(io.Writer) error) exec.Answer {
	return exec.Answer{
		Result: struct {
			Machines []Row `json:"vms"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "The host has no virtual machines. vm create creates one.")
				return err
			}
			return text(w)
		},
	}
}

// SetState changes the state of virtual machines, as one plan.
func SetState(c *exec.Call, view *driver.View, names []string, state virtualization.VMState) (exec.Answer, error) {
	var plan driver.Plan
	for _, name := range names {
		m, err := exec.FindVM(view, name)
		if err != nil {
			return exec.Answer{}, err
		}
		plan.Operations = append(plan.Operations, virtualization.SetVMState{VM: m.Name, State: state})
	}
	if len(plan.Operations) == 0 {
		return exec.Answer{}, exec.Mistake("a virtual machine is required; vm list prints the names")
	}
	plan.Title = wording.UpperFirst(plan.Operations[0].Describe())
	if more := len(plan.Operations) - 1; more > 0 {
		plan.Title += fmt.Sprintf(" and %d more", more)
	}
	return c.Apply(plan)
}

// NetworkAdapter is the name that Hyper-V gives the first network adapter of a machine.
const NetworkAdapter = "Network Adapter"

// FindAdapter finds a network adapter by machine and name, in any case; nil if there is none. An empty vm selects the
// host's adapters at virtual switches.
func FindAdapter(view *driver.View, vm, adapter string) *virtualization.VMAdapterView {
	list := view.HostAdapters
	if vm != "" {
		list = nil
		for i := range view.VMs {
			if strings.EqualFold(view.VMs[i].Name, vm) {
				list = view.VMs[i].Adapters
			}
		}
	}
	for i := range list {
		if strings.EqualFold(list[i].Name, adapter) {
			return &list[i]
		}
	}
	return nil
}
