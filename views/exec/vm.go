package exec

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
)

// guestRow is a network adapter of a virtual machine, or of the host at a switch, as JSON.
type guestRow struct {
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
	Remote         string `json:"encapsulated_to,omitempty"`
	Packet         int    `json:"longest_packet_bytes,omitempty"`
	PlainWhy       string `json:"plain_why,omitempty"`
	Quarantine     string `json:"quarantine,omitempty"`
	Blocked        bool   `json:"blocked"`
	Why            string `json:"why,omitempty"`
	// Limits say what versions lack for what it asks.
	Limits []string `json:"limits,omitempty"`
}

func guestOf(a *virtualization.VMAdapterView) guestRow {
	row := guestRow{
		VM: a.VM, Name: a.Name, Switch: a.Switch, MAC: a.MAC.String(), Static: a.StaticMAC, VLAN: a.VLAN,
		Path: string(a.Path), Device: a.Device,
		IovWeight: a.IovWeight, IovQueuePairs: a.IovQueuePairs, IovGranted: a.IovQueuePairsGranted, VmqWeight: a.VmqWeight,
		VmmqEnabled: a.VmmqEnabled, VmmqQueuePairs: a.VmmqQueuePairs, VmmqGranted: a.VmmqGranted, Queues: append([]int{},
			a.Queues...),
		DefaultQueue: a.Default, RdmaWeight: a.RdmaWeight, Subnet: a.VirtualSubnet, Quarantine: a.Quarantine,
		Blocked: a.Blocked, Why: a.Why, PlainWhy: a.OverlayWhy, Packet: a.OverlayPacket, Limits: a.Limits,
	}
	if a.Overlay.Subnet != 0 {
		row.Remote = a.Overlay.Remote.String()
	}
	if a.Function >= 0 {
		row.Function = new(a.Function)
	}
	return row
}

// way is the path of its traffic, with the virtual function.
func (r *guestRow) way() string {
	if r.Function != nil {
		return fmt.Sprintf("%s (VF %d)", r.Path, *r.Function)
	}
	return r.Path
}

// vmRow is a virtual machine as JSON.
type vmRow struct {
	Name        string     `json:"name"`
	State       string     `json:"state"`
	GuestDriver string     `json:"guest_driver,omitempty"`
	System      string     `json:"system"`
	Memory      int        `json:"memory_mb"`
	Adapters    []guestRow `json:"adapters"`
}

func vmOf(m *virtualization.VMView) vmRow {
	row := vmRow{m.Name, string(m.State), m.GuestDriver, m.System, m.Memory, []guestRow{}}
	for i := range m.Adapters {
		row.Adapters = append(row.Adapters, guestOf(&m.Adapters[i]))
	}
	return row
}

func vmRows(view *driver.View, name string) (rows []vmRow, err error) {
	rows = []vmRow{}
	if name != "" {
		m, err := findVM(view, name)
		if err != nil {
			return nil, err
		}
		return append(rows, vmOf(m)), nil
	}
	for i := range view.VMs {
		rows = append(rows, vmOf(&view.VMs[i]))
	}
	return rows, nil
}

// machines is a list of virtual machines.
func machines(rows []vmRow, text func(io.Writer) error) answer {
	return answer{
		result: struct {
			Machines []vmRow `json:"vms"`
		}{rows},
		text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "The host has no virtual machines. vm create makes one.")
				return err
			}
			return text(w)
		},
	}
}

func vmList(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	rows, err := vmRows(view, "")
	return machines(rows, func(w io.Writer) error {
		t := newTable(w, "VM", "STATE", "GUEST DRIVER", "ADAPTER", "SWITCH", "PATH", "MAC", "VLAN", "WHY")
		for i := range rows {
			m := &rows[i]
			if len(m.Adapters) == 0 {
				t.row(m.Name, m.State, orDash(m.GuestDriver), "-")
			}
			for j := range m.Adapters {
				a := &m.Adapters[j]
				t.row(m.Name, m.State, orDash(m.GuestDriver), a.Name, orDash(a.Switch), a.way(), a.MAC, strconv.Itoa(a.VLAN), a.Why)
			}
		}
		return t.Flush()
	}), err
}

func vmShow(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	m, err := findVM(view, c.arguments[0])
	if err != nil {
		return answer{}, err
	}
	row := vmOf(m)
	return answer{
		result: struct {
			Machine vmRow `json:"vm"`
		}{row},
		text: func(w io.Writer) error {
			t := newTable(w)
			t.row("Virtual machine", row.Name)
			t.row("State", row.State)
			t.row("Guest driver", orDash(row.GuestDriver))
			t.row("System", orDash(row.System))
			t.row("Memory", fmt.Sprintf("%d MB", row.Memory))
			for i := range row.Adapters {
				t.row()
				row.Adapters[i].write(t)
			}
			return t.Flush()
		},
	}, nil
}

// write writes a network adapter into a table.
func (r *guestRow) write(t table) {
	static := map[bool]string{true: ", static", false: ", dynamic"}[r.Static]
	t.row("Adapter", r.Name)
	t.row("Switch", orDash(r.Switch))
	t.row("MAC address", r.MAC+static)
	t.row("VLAN", strconv.Itoa(r.VLAN))
	t.row("Path", r.way())
	if r.Device != "" {
		t.row("Guest sees", r.deviceText())
	}
	if r.Why != "" {
		t.row("Why", r.Why)
	}
	for _, limit := range r.Limits {
		if limit != r.Why {
			t.row("Limit", limit)
		}
	}
	if r.Quarantine != "" {
		t.row("Quarantine", r.Quarantine)
	}
	t.row("IovWeight", fmt.Sprintf("%d, %d queue pairs asked, %d granted", r.IovWeight, r.IovQueuePairs, r.IovGranted))
	queues := "queues " + list(r.Queues)
	if r.DefaultQueue {
		queues = "the default queue"
	}
	t.row("VmqWeight", fmt.Sprintf("%d, %s", r.VmqWeight, queues))
	t.row("VMMQ", fmt.Sprintf("%s, %d queue pairs asked, %d granted", onOff(r.VmmqEnabled), r.VmmqQueuePairs,
		r.VmmqGranted))
	t.row("RdmaWeight", strconv.Itoa(r.RdmaWeight))
	t.row("Virtual subnet", r.overlay())
}

// deviceText is the device in the machine, with whether a driver runs it.
func (r *guestRow) deviceText() string {
	if r.Function == nil {
		return r.Device + ", without a driver"
	}
	return r.Device
}

// overlay is the virtual subnet of an adapter, with what becomes of its packets.
func (r *guestRow) overlay() string {
	switch {
	case r.Remote != "":
		return fmt.Sprintf("%d, encapsulated to %s, packets of up to %d bytes", r.Subnet, r.Remote, r.Packet)
	case r.PlainWhy != "":
		return fmt.Sprintf("%d, not encapsulated: %s", r.Subnet, r.PlainWhy)
	}
	return strconv.Itoa(int(r.Subnet))
}

// vmState is a command that brings virtual machines into a state, in one plan.
func vmState(state virtualization.VMState) func(*call) (answer, error) {
	return func(c *call) (answer, error) {
		view, err := c.view()
		if err != nil {
			return answer{}, err
		}
		return c.bring(view, c.arguments, state)
	}
}

// bring brings virtual machines into a state.
func (c *call) bring(view *driver.View, names []string, state virtualization.VMState) (answer, error) {
	var plan driver.Plan
	for _, name := range names {
		m, err := findVM(view, name)
		if err != nil {
			return answer{}, err
		}
		plan.Operations = append(plan.Operations, driver.SetVMState{VM: m.Name, State: state})
	}
	if len(plan.Operations) == 0 {
		return answer{}, mistake("name a virtual machine; vm list prints the names")
	}
	plan.Title = upper(plan.Operations[0].Describe())
	if more := len(plan.Operations) - 1; more > 0 {
		plan.Title += fmt.Sprintf(" and %d more", more)
	}
	return c.apply(plan)
}

// networkAdapter is what Hyper-V calls the first network adapter of a machine.
const networkAdapter = "Network Adapter"

// vmCreate makes a virtual machine with a network adapter at a switch.
func vmCreate(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	record := virtualization.VMRecord{
		Name: c.arguments[0], GuestDriver: c.flags["guest-driver"], System: c.flags["guest-system"],
	}
	if text, ok := c.flags["memory"]; ok {
		if record.Memory, err = readMemory(text); err != nil {
			return answer{}, err
		}
	}
	at := ""
	if name := c.flags["switch"]; name != "" {
		s, err := findSwitch(view, name)
		if err != nil {
			return answer{}, err
		}
		at = s.Name
	}
	adapter := virtualization.NewVMAdapter(networkAdapter, at)
	if c.flags["vf"] != "" {
		adapter.IovWeight = 100
	}
	record.Adapters = []virtualization.VMAdapterRecord{adapter}
	if c.flags["start"] != "" {
		record.State = virtualization.VMRunning
	}
	return c.one(driver.CreateVM{VM: record})
}

func vmRemove(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	m, err := findVM(view, c.arguments[0])
	if err != nil {
		return answer{}, err
	}
	return c.one(driver.RemoveVM{VM: m.Name})
}

// vmDriver installs the adapter's driver inside of a guest, or removes it.
func vmDriver(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	m, err := findVM(view, c.arguments[0])
	if err != nil {
		return answer{}, err
	}
	version := c.arguments[1]
	if strings.EqualFold(version, "none") {
		version = ""
	}
	return c.one(driver.SetGuestDriver{VM: m.Name, Version: version})
}
