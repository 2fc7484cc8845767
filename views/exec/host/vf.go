package host

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
	"cxdeck/views/exec"
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
func vfs(c *exec.Call, name string) (rows []vfRow, err error) {
	view, err := c.View()
	if err != nil {
		return nil, err
	}
	ports, err := exec.PortViews(view, name)
	if err != nil {
		return nil, err
	}
	rows = []vfRow{}
	err = c.Host.Look(c.Ctx, func(h *driver.Host) error {
		for _, p := range ports {
			for i := range p.SRIOV.VFs {
				f := &p.SRIOV.VFs[i]
				row := vfRow{
					Connection: p.Description.Connection, Function: f.ID, State: string(f.State), VM: f.VM, Adapter: f.Adapter,
					VLAN:       f.VLAN,
					QueuePairs: f.QueuePairs, Pages: f.Pages, PageLimit: f.PageLimit, Faults: []string{}, GIDs: f.GIDs,
					Counters: countsOf(h.Lab(), p.Port, f.ID), adapter: exec.FindVMAdapter(view, f.VM, f.Adapter),
				}
				if f.MAC != (description.MAC{}) {
					row.MAC = f.MAC.String()
				}
				for _, kind := range f.Faults {
					row.Faults = append(row.Faults, exec.FaultWord(kind))
				}
				rows = append(rows, row)
			}
		}
		return nil
	})
	return rows, err
}

func vfList(c *exec.Call) (exec.Answer, error) {
	rows, err := vfs(c, firstArgument(c, 0))
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{
		Result: struct {
			Functions []vfRow `json:"virtual_functions"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "No virtual function is open. sriov show says what is missing.")
				return err
			}
			t := exec.NewTextTable(w, "CONNECTION", "VF", "STATE", "VM", "MAC", "VLAN", "QPS", "PAGES", "LIMIT", "RECEIVED", "SENT",
				"DROPPED", "FAULTS")
			for i := range rows {
				r := &rows[i]
				t.Row(r.Connection, strconv.Itoa(r.Function), r.State, exec.OrDash(r.VM), exec.OrDash(r.MAC), strconv.Itoa(r.VLAN),
					strconv.Itoa(r.QueuePairs), strconv.Itoa(r.Pages), strconv.Itoa(r.PageLimit),
					strconv.FormatUint(r.Counters.ReceivedPackets, 10),
					strconv.FormatUint(r.Counters.SentPackets, 10), strconv.FormatUint(r.Counters.Dropped, 10),
					exec.OrDash(strings.Join(r.Faults, ",")))
			}
			return t.Flush()
		},
	}, nil
}

// functionNumbered is the virtual function that two arguments name: a connection and a number.
func functionNumbered(c *exec.Call) (name string, row *vfRow, err error) {
	if name, err = adaptersNamed(c, 0); err != nil {
		return "", nil, err
	}
	n, err := exec.WholeNumber(c.Arguments[1], "number of a virtual function")
	if err != nil {
		return "", nil, err
	}
	rows, err := vfs(c, name)
	switch {
	case err != nil:
		return "", nil, err
	case len(rows) == 0:
		return "", nil, fmt.Errorf("%s has no virtual functions; sriov show %s says what is missing", name, exec.Quote(name))
	case n < 0 || n >= len(rows):
		return "", nil, fmt.Errorf("%s has the virtual functions 0 to %d, and not %d", name, len(rows)-1, n)
	}
	return name, &rows[n], nil
}

func vfShow(c *exec.Call) (exec.Answer, error) {
	_, r, err := functionNumbered(c)
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{
		Result: struct {
			Function *vfRow `json:"virtual_function"`
		}{r},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w)
			t.Row("Virtual function", fmt.Sprintf("%d of %s", r.Function, r.Connection))
			t.Row("State", r.State)
			if r.VM != "" {
				t.Row("Adapter", r.VM+"/"+r.Adapter)
				t.Row("MAC address", r.MAC)
				t.Row("VLAN", strconv.Itoa(r.VLAN))
			}
			if r.adapter != nil && r.adapter.Why != "" {
				t.Row("Why", r.adapter.Why)
			}
			t.Row("Queue pairs", strconv.Itoa(r.QueuePairs))
			t.Row("Host memory", fmt.Sprintf("%d pages of 4 KB, limit %s", r.Pages,
				cmp.Or(strings.TrimPrefix(strconv.Itoa(r.PageLimit), "0"), "none")))
			if r.GIDs > 0 {
				t.Row("GIDs", strconv.Itoa(r.GIDs)+" of the port's")
			}
			t.Row("Received", fmt.Sprintf("%d packets, %d bytes", r.Counters.ReceivedPackets, r.Counters.ReceivedBytes))
			t.Row("Sent", fmt.Sprintf("%d packets, %d bytes", r.Counters.SentPackets, r.Counters.SentBytes))
			t.Row("Dropped", fmt.Sprintf("%d packets", r.Counters.Dropped))
			t.Row("Filtered", fmt.Sprintf("%d with a wrong address, %d of a barred type", r.Counters.Spoofed, r.Counters.Barred))
			t.Row("Firmware", fmt.Sprintf("FwCpuUsage %d, Errors2FW %d", r.Counters.Use, r.Counters.Errors))
			t.Row("Faults", exec.OrDash(strings.Join(r.Faults, ", ")))
			if r.adapter != nil {
				for _, change := range r.adapter.History {
					t.Row(stamp(c, change.At), strings.TrimSuffix(string(change.Path)+": "+change.Why, ": "))
				}
			}
			return t.Flush()
		},
	}, nil
}

func vfReset(c *exec.Call) (exec.Answer, error) {
	name, row, err := functionNumbered(c)
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(driver.ResetVF{Connection: name, Function: row.Function})
}

// vfFault lets a virtual function misbehave, or behave again.
func vfFault(c *exec.Call) (exec.Answer, error) {
	name, row, err := functionNumbered(c)
	if err != nil {
		return exec.Answer{}, err
	}
	kind, err := findFault(c.Arguments[2])
	if err != nil {
		return exec.Answer{}, err
	}
	if !slices.Contains(description.FunctionFaults(), kind) {
		return exec.Answer{}, fmt.Errorf("%s is no fault of a virtual function: %s", c.Arguments[2], functionFaults())
	}
	share := 1.0
	if len(c.Arguments) > 3 {
		text := c.Arguments[3]
		if share, err = strconv.ParseFloat(text, 64); err != nil || !(share >= 0 && share <= 1) {
			return exec.Answer{}, exec.Mistake("%q is no share of a fault: it is 0 to 1", text)
		}
	}
	return c.ApplyOne(driver.SetFunctionFault{Connection: name, Function: row.Function, Fault: kind, Share: share})
}

// functionFaults are the words for the faults of a virtual function.
func functionFaults() string {
	var words []string
	for _, kind := range description.FunctionFaults() {
		words = append(words, exec.FaultWord(kind))
	}
	return strings.Join(words, ", ")
}
