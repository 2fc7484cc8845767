package netadapter

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/machines"
	"cxdeck/views/exec/powershell"
)

// vportRow is a virtual port as JSON.
type vportRow struct {
	Connection string `json:"connection"`
	ID         int    `json:"vport_id"`
	SwitchID   int    `json:"switch_id"`
	Function   *int   `json:"virtual_function"`
	State      string `json:"state"`
	MAC        string `json:"mac"`
	VLAN       int    `json:"vlan"`
	Moderation string `json:"interrupt_moderation"`
	Processor  int    `json:"processor"`
	QueuePairs int    `json:"queue_pairs"`
	// RSS reports that packets are distributed to several queues. Processors lists the host processors that serve the queues;
	// it is empty for a virtual function, whose queues the guest serves.
	RSS        bool   `json:"rss"`
	Processors []int  `json:"processors"`
	VM         string `json:"vm,omitempty"`
	Adapter    string `json:"adapter,omitempty"`
}

// vportState is the state of all virtual ports that Windows lists.
const vportState = "Activated"

// processorsPerGroup is the maximum size of a processor group of Windows.
const processorsPerGroup = 64

// getNetAdapterVPort lists virtual ports. With -VPortID it prints all properties of the ports.
func getNetAdapterVPort(p *powershell.Invocation) (exec.Answer, error) {
	ports, err := p.Ports()
	if err != nil {
		return exec.Answer{}, err
	}
	selects, err := vportFilter(p)
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []vportRow{}
	err = p.Call.Host.ReadHost(p.Call.Ctx, func(h *driver.Host) error {
		for _, v := range h.VPorts() {
			at := slices.IndexFunc(ports,
				func(port *driver.PortView) bool { return port.Description.Connection == v.Connection })
			if at < 0 {
				continue
			}
			row, err := vportOf(h, p.View, ports[at].Port, &v)
			if err != nil {
				return err
			}
			if selects(&row) {
				rows = append(rows, row)
			}
		}
		return nil
	})
	answer := exec.Answer{Result: struct {
		VPorts []vportRow `json:"vports"`
	}{rows}}
	switch {
	case len(rows) == 0:
		answer.Text = exec.PrintLines([]string{noVPorts(ports)}, nil).Text
	case p.Has("VPortID"):
		var list []powershell.Block
		for i := range rows {
			list = append(list, rows[i].block())
		}
		answer.Text = powershell.Blocks(list, nil, "").Text
	default:
		answer.Text = func(w io.Writer) error { return writeVPorts(w, rows) }
	}
	return answer, err
}

// vportFilter returns a function that reports whether the parameters select a virtual port.
func vportFilter(p *powershell.Invocation) (func(*vportRow) bool, error) {
	numbers := map[string][]int{}
	for _, parameter := range []string{"VPortID", "SwitchID", "FunctionID"} {
		for _, text := range p.Values[parameter] {
			n, err := strconv.ParseUint(text, 0, 16)
			if err != nil {
				return nil, exec.Mistake("-%s of %s must be an integer, not %q", parameter, p.Command, text)
			}
			numbers[parameter] = append(numbers[parameter], int(n))
		}
	}
	matches := func(parameter string, n int) bool {
		return !p.Has(parameter) || slices.Contains(numbers[parameter], n)
	}
	return func(r *vportRow) bool {
		physical := r.Function == nil
		switch {
		case !matches("VPortID", r.ID), !matches("SwitchID", r.SwitchID), p.Flag("PhysicalFunction") && !physical:
			return false
		}
		return !p.Has("FunctionID") || !physical && slices.Contains(numbers["FunctionID"], *r.Function)
	}, nil
}

// vportOf returns the row of a virtual port. RSS distributes its packets to the granted queues (VIRT rules of VMMQ; queue
// pairs of virtual functions). port is the lab's number of the port.
func vportOf(h *driver.Host, view *driver.View, port int, v *virtualization.VPortView) (vportRow, error) {
	row := vportRow{
		Connection: v.Connection, ID: v.ID, State: vportState, MAC: powershell.WindowsMAC(v.MAC), VLAN: v.VLAN, Moderation: "Off",
		Processor: v.Processor, QueuePairs: v.QueuePairs, RSS: v.QueuePairs > 1, Processors: []int{}, VM: v.VM,
		Adapter: v.Adapter,
	}
	var rings []int
	switch {
	case v.Function != setup.NoFunction:
		row.Function = new(v.Function)
	case v.VM == "" && v.ID == 0:
		for ring := range h.Lab().HostRings(port) {
			rings = append(rings, ring)
		}
	default:
		if a := machines.FindAdapter(view, v.VM, v.Adapter); a != nil {
			rings = a.Queues
		}
	}
	for _, ring := range rings {
		row.Processors = append(row.Processors, h.Lab().RingProcessor(port, ring))
	}
	slices.Sort(row.Processors)
	row.Processors = slices.Compact(row.Processors)
	k, err := h.Key(v.Connection, "*InterruptModeration")
	if err == nil && k.Effective.Exists() && k.Effective.Number() != 0 {
		row.Moderation = "Adaptive"
	}
	return row, err
}

// noVPorts returns the sentence for an empty list, with the reason.
func noVPorts(ports []*driver.PortView) string {
	for _, port := range ports {
		if port.SRIOV.SwitchName == "" || port.State == driver.Running {
			continue
		}
		if port.State == driver.Restarting {
			return fmt.Sprintf("There are no virtual ports yet: the driver of %s is still starting.", port.Description.Connection)
		}
		return fmt.Sprintf("There are no virtual ports: the driver of %s does not run.", port.Description.Connection)
	}
	return "No virtual port matches: they are created with a virtual switch."
}

// mask returns the group of the first processor that serves the port, and a mask of the group's processors that serve it.
func (r *vportRow) mask() (group int, mask uint64) {
	group = r.Processor / processorsPerGroup
	for _, processor := range r.Processors {
		if processor/processorsPerGroup == group {
			mask |= 1 << (processor % processorsPerGroup)
		}
	}
	return group, mask
}

// function returns the number of the virtual function, or PF.
func (r *vportRow) function() string {
	if r.Function == nil {
		return "PF"
	}
	return strconv.Itoa(*r.Function)
}

// vlan returns the id of the VLAN; it is empty for none.
func (r *vportRow) vlan() string {
	if r.VLAN == 0 {
		return ""
	}
	return strconv.Itoa(r.VLAN)
}

// rssText returns off, "in the VM", or "on" with the host processors.
func (r *vportRow) rssText() string {
	switch {
	case !r.RSS:
		return "off"
	case r.Function != nil:
		return "in the VM"
	}
	return "on " + ranges(r.Processors)
}

// writeVPorts writes the table of Windows, with additional columns for RSS and the virtual machine.
func writeVPorts(w io.Writer, rows []vportRow) error {
	t := exec.NewTextTable(w, "Name", "ID", "MacAddress", "VID", "ProcMask", "FID", "State", "ITR", "QPairs", "RSS", "VM")
	for i := range rows {
		r := &rows[i]
		group, mask := r.mask()
		t.Row(r.Connection, strconv.Itoa(r.ID), r.MAC, wording.OrDash(r.vlan()), fmt.Sprintf("%d:%d", group, mask), r.function(),
			r.State, r.Moderation, strconv.Itoa(r.QueuePairs), r.rssText(), r.VM)
	}
	return t.Flush()
}

// block returns all properties of a virtual port.
func (r *vportRow) block() powershell.Block {
	group, mask := r.mask()
	filter := "{" + r.MAC + "/" + cmp.Or(r.vlan(), "0") + "}"
	return powershell.Block{
		{"Name", r.Connection}, {"VPortID", strconv.Itoa(r.ID)}, {"SwitchID", strconv.Itoa(r.SwitchID)},
		{"FunctionID", r.function()}, {"VPortState", r.State}, {"NumQueuePairs", strconv.Itoa(r.QueuePairs)},
		{"InterruptModeration", r.Moderation}, {"ProcessorGroup", strconv.Itoa(group)},
		{"ProcessorAffinityMask", strconv.FormatUint(mask, 10)}, {"NumFilters", "1"}, {"FilterList", filter},
		{"RSS", r.rssText()}, {"VM", strings.TrimSuffix(r.VM+"/"+r.Adapter, "/")},
	}
}

// ranges formats sorted numbers, consecutive ones as a range: 0-3,8.
func ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		end := i
		for end+1 < len(numbers) && numbers[end+1] == numbers[end]+1 {
			end++
		}
		part := strconv.Itoa(numbers[i])
		if end > i {
			part += "-" + strconv.Itoa(numbers[end])
		}
		parts = append(parts, part)
		i = end + 1
	}
	return strings.Join(parts, ",")
}
