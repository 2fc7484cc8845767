package exec

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
)

// vfRow is a virtual function as JSON.
type vfRow struct {
	Connection string   `json:"connection"`
	Function   int      `json:"virtual_function"`
	State      string   `json:"state"`
	VM         string   `json:"vm,omitempty"`
	Adapter    string   `json:"adapter,omitempty"`
	MAC        string   `json:"mac,omitempty"`
	VLAN       int      `json:"vlan"`
	QueuePairs int      `json:"queue_pairs"`
	Pages      int      `json:"pages"`
	PageLimit  int      `json:"page_limit"`
	Faults     []string `json:"faults"`
	Counters   vfCounts `json:"counters"`
	GIDs       int      `json:"gids,omitempty"`
	// path is that of its adapter, with why and what happened to it.
	adapter *virtualization.VMAdapterView
}

// vfCounts are what a virtual function has counted.
type vfCounts struct {
	ReceivedBytes   uint64 `json:"received_bytes"`
	ReceivedPackets uint64 `json:"received_packets"`
	SentBytes       uint64 `json:"sent_bytes"`
	SentPackets     uint64 `json:"sent_packets"`
	Dropped         uint64 `json:"dropped_packets"`
	Spoofed         uint64 `json:"wrong_address_packets"`
	Barred          uint64 `json:"barred_type_packets"`
	Use             uint64 `json:"firmware_cpu_usage"`
	Errors          uint64 `json:"errors_to_firmware"`
}

func countsOf(lab *device.Lab, port, function int) vfCounts {
	count := func(c device.FunctionCounter) uint64 { return lab.Counters()[lab.FunctionCell(port, function, c)] }
	return vfCounts{
		count(device.FunctionReceivedBytes), count(device.FunctionReceivedPackets), count(device.FunctionSentBytes),
		count(device.FunctionSentPackets), count(device.FunctionDropped), count(device.FunctionWrongAddressPackets),
		count(device.FunctionBarredTypePackets), count(device.FunctionFirmwareUse), count(device.FunctionFirmwareErrors),
	}
}

// vfs are the virtual functions of all ports, or of those that a name means.
func (c *call) vfs(name string) (rows []vfRow, err error) {
	view, err := c.view()
	if err != nil {
		return nil, err
	}
	ports, err := portViews(view, name)
	if err != nil {
		return nil, err
	}
	rows = []vfRow{}
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		for _, p := range ports {
			for i := range p.SRIOV.VFs {
				f := &p.SRIOV.VFs[i]
				row := vfRow{
					Connection: p.Description.Connection, Function: f.ID, State: string(f.State), VM: f.VM, Adapter: f.Adapter,
					VLAN:       f.VLAN,
					QueuePairs: f.QueuePairs, Pages: f.Pages, PageLimit: f.PageLimit, Faults: []string{}, GIDs: f.GIDs,
					Counters: countsOf(h.Lab(), p.Port, f.ID), adapter: vmAdapterView(view, f.VM, f.Adapter),
				}
				if f.MAC != (description.MAC{}) {
					row.MAC = f.MAC.String()
				}
				for _, kind := range f.Faults {
					row.Faults = append(row.Faults, faultWord(kind))
				}
				rows = append(rows, row)
			}
		}
		return nil
	})
	return rows, err
}

// vmAdapterView is the network adapter of names, nil for none; without a machine it is one of the host.
func vmAdapterView(view *driver.View, vm, adapter string) *virtualization.VMAdapterView {
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

func vfList(c *call) (answer, error) {
	rows, err := c.vfs(c.argument(0))
	if err != nil {
		return answer{}, err
	}
	return answer{
		result: struct {
			Functions []vfRow `json:"virtual_functions"`
		}{rows},
		text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "No virtual function is open. sriov show says what is missing.")
				return err
			}
			t := newTable(w, "CONNECTION", "VF", "STATE", "VM", "MAC", "VLAN", "QPS", "PAGES", "LIMIT", "RECEIVED", "SENT",
				"DROPPED", "FAULTS")
			for i := range rows {
				r := &rows[i]
				t.row(r.Connection, strconv.Itoa(r.Function), r.State, orDash(r.VM), orDash(r.MAC), strconv.Itoa(r.VLAN),
					strconv.Itoa(r.QueuePairs), strconv.Itoa(r.Pages), strconv.Itoa(r.PageLimit),
					strconv.FormatUint(r.Counters.ReceivedPackets, 10),
					strconv.FormatUint(r.Counters.SentPackets, 10), strconv.FormatUint(r.Counters.Dropped, 10),
					orDash(strings.Join(r.Faults, ",")))
			}
			return t.Flush()
		},
	}, nil
}

// function is the virtual function that two arguments name: a connection and a number.
func (c *call) function() (name string, row *vfRow, err error) {
	if name, err = c.named(0); err != nil {
		return "", nil, err
	}
	n, err := wholeNumber(c.arguments[1], "number of a virtual function")
	if err != nil {
		return "", nil, err
	}
	rows, err := c.vfs(name)
	switch {
	case err != nil:
		return "", nil, err
	case len(rows) == 0:
		return "", nil, fmt.Errorf("%s has no virtual functions; sriov show %s says what is missing", name, Quote(name))
	case n < 0 || n >= len(rows):
		return "", nil, fmt.Errorf("%s has the virtual functions 0 to %d, and not %d", name, len(rows)-1, n)
	}
	return name, &rows[n], nil
}

func vfShow(c *call) (answer, error) {
	_, r, err := c.function()
	if err != nil {
		return answer{}, err
	}
	return answer{
		result: struct {
			Function *vfRow `json:"virtual_function"`
		}{r},
		text: func(w io.Writer) error {
			t := newTable(w)
			t.row("Virtual function", fmt.Sprintf("%d of %s", r.Function, r.Connection))
			t.row("State", r.State)
			if r.VM != "" {
				t.row("Adapter", r.VM+"/"+r.Adapter)
				t.row("MAC address", r.MAC)
				t.row("VLAN", strconv.Itoa(r.VLAN))
			}
			if r.adapter != nil && r.adapter.Why != "" {
				t.row("Why", r.adapter.Why)
			}
			t.row("Queue pairs", strconv.Itoa(r.QueuePairs))
			t.row("Host memory", fmt.Sprintf("%d pages of 4 KB, limit %s", r.Pages,
				cmp.Or(strings.TrimPrefix(strconv.Itoa(r.PageLimit), "0"), "none")))
			if r.GIDs > 0 {
				t.row("GIDs", strconv.Itoa(r.GIDs)+" of the port's")
			}
			t.row("Received", fmt.Sprintf("%d packets, %d bytes", r.Counters.ReceivedPackets, r.Counters.ReceivedBytes))
			t.row("Sent", fmt.Sprintf("%d packets, %d bytes", r.Counters.SentPackets, r.Counters.SentBytes))
			t.row("Dropped", fmt.Sprintf("%d packets", r.Counters.Dropped))
			t.row("Filtered", fmt.Sprintf("%d with a wrong address, %d of a barred type", r.Counters.Spoofed, r.Counters.Barred))
			t.row("Firmware", fmt.Sprintf("FwCpuUsage %d, Errors2FW %d", r.Counters.Use, r.Counters.Errors))
			t.row("Faults", orDash(strings.Join(r.Faults, ", ")))
			if r.adapter != nil {
				for _, change := range r.adapter.History {
					t.row(c.stamp(change.At), strings.TrimSuffix(string(change.Path)+": "+change.Why, ": "))
				}
			}
			return t.Flush()
		},
	}, nil
}

func vfReset(c *call) (answer, error) {
	name, row, err := c.function()
	if err != nil {
		return answer{}, err
	}
	return c.one(driver.ResetVF{Connection: name, Function: row.Function})
}

// vfFault lets a virtual function misbehave, or behave again.
func vfFault(c *call) (answer, error) {
	name, row, err := c.function()
	if err != nil {
		return answer{}, err
	}
	kind, err := findFault(c.arguments[2])
	if err != nil {
		return answer{}, err
	}
	if !slices.Contains(description.FunctionFaults(), kind) {
		return answer{}, fmt.Errorf("%s is none of the faults of a virtual function: %s", c.arguments[2], functionFaults())
	}
	share := 1.0
	if len(c.arguments) > 3 {
		text := c.arguments[3]
		if share, err = strconv.ParseFloat(text, 64); err != nil || !(share >= 0 && share <= 1) {
			return answer{}, mistake("%q is no share of a fault: it is 0 to 1", text)
		}
	}
	return c.one(driver.SetFunctionFault{Connection: name, Function: row.Function, Fault: kind, Share: share})
}

// functionFaults are the words for the faults of a virtual function.
func functionFaults() string {
	var words []string
	for _, kind := range description.FunctionFaults() {
		words = append(words, faultWord(kind))
	}
	return strings.Join(words, ", ")
}
