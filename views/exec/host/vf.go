package host

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/machines"
	"cxdeck/views/exec/syntax"
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
	// NeedsRestart reports the second tier of self-healing.
	NeedsRestart bool `json:"needs_restart,omitempty"`
	// adapter is the adapter that has the function; nil if the function is free.
	adapter *virtualization.VMAdapterView
}

// vfCounts are the counters of a virtual function.
type vfCounts struct {
	ReceivedBytes   uint64 `json:"received_bytes"`
	ReceivedPackets uint64 `json:"received_packets"`
	SentBytes       uint64 `json:"sent_bytes"`
	SentPackets     uint64 `json:"sent_packets"`
	Dropped         uint64 `json:"dropped_packets"`
	Spoofed         uint64 `json:"wrong_address_packets"`
	Disallowed      uint64 `json:"barred_type_packets"`
	Use             uint64 `json:"firmware_cpu_usage"`
	Errors          uint64 `json:"errors_to_firmware"`
}

func vfCountsOf(lab *device.Lab, port, function int) vfCounts {
	count := func(c counter.Function) uint64 { return lab.Counters()[lab.FunctionCell(port, function, c)] }
	return vfCounts{
		count(counter.FunctionReceivedBytes), count(counter.FunctionReceivedPackets), count(counter.FunctionSentBytes),
		count(counter.FunctionSentPackets), count(counter.FunctionDropped), count(counter.FunctionWrongAddressPackets),
		count(counter.FunctionBarredTypePackets), count(counter.FunctionFirmwareUse), count(counter.FunctionFirmwareErrors),
	}
}

// functionRows returns the virtual functions of a connection or card, or of all ports if name is empty.
func functionRows(c *exec.Call, view *driver.View, name string) (rows []vfRow, err error) {
	ports, err := exec.PortViews(view, name)
	if err != nil {
		return nil, err
	}
	rows = []vfRow{}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for _, p := range ports {
			for i := range p.SRIOV.VFs {
				f := &p.SRIOV.VFs[i]
				row := vfRow{
					Connection: p.Description.Connection, Function: f.ID, State: string(f.State), VM: f.VM, Adapter: f.Adapter,
					VLAN:       f.VLAN,
					QueuePairs: f.QueuePairs, Pages: f.Pages, PageLimit: f.PageLimit, Faults: []string{}, GIDs: f.GIDs,
					Counters: vfCountsOf(h.Lab(), p.Port, f.ID), adapter: machines.FindAdapter(view, f.VM, f.Adapter),
				}
				if f.MAC != (description.MAC{}) {
					row.MAC = f.MAC.String()
				}
				for _, kind := range f.Faults {
					row.Faults = append(row.Faults, exec.FaultWord(kind))
				}
				row.Faults = append(row.Faults, h.Healing().FunctionFaults(p.Port, f.ID)...)
				row.NeedsRestart = h.Healing().NeedsRestart(p.Port, f.ID)
				rows = append(rows, row)
			}
		}
		return nil
	})
	return rows, err
}

func vfList(c *exec.Call, in *struct {
	View *driver.View
	Name string
}) (exec.Answer, error) {
	rows, err := functionRows(c, in.View, in.Name)
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{
		Result: struct {
			Functions []vfRow `json:"virtual_functions"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "No virtual function is enabled. sriov show says what is missing.")
				return err
			}
			t := exec.NewTextTable(w, "CONNECTION", "VF", "STATE", "VM", "MAC", "VLAN", "QPS", "PAGES", "LIMIT", "RECEIVED", "SENT",
				"DROPPED", "FAULTS")
			for i := range rows {
				r := &rows[i]
				t.Row(r.Connection, strconv.Itoa(r.Function), r.State, wording.OrDash(r.VM), wording.OrDash(r.MAC), strconv.Itoa(r.VLAN),
					strconv.Itoa(r.QueuePairs), strconv.Itoa(r.Pages), strconv.Itoa(r.PageLimit),
					strconv.FormatUint(r.Counters.ReceivedPackets, 10),
					strconv.FormatUint(r.Counters.SentPackets, 10), strconv.FormatUint(r.Counters.Dropped, 10),
					wording.OrDash(strings.Join(r.Faults, ",")))
			}
			return t.Flush()
		},
	}, nil
}

// functionArguments has the arguments that name a virtual function.
type functionArguments struct {
	View   *driver.View
	Name   string `is:"connection"`
	Number int    `is:"number of a virtual function"`
}

// findFunction finds a virtual function of a connection by its number.
func findFunction(c *exec.Call, view *driver.View, name string, n int) (*vfRow, error) {
	rows, err := functionRows(c, view, name)
	switch {
	case err != nil:
		return nil, err
	case len(rows) == 0:
		return nil, fmt.Errorf("%s has no virtual functions; sriov show %s says what is missing", name, syntax.Quote(name))
	case n < 0 || n >= len(rows):
		return nil, fmt.Errorf("%s has virtual functions 0 to %d, not %d", name, len(rows)-1, n)
	}
	return &rows[n], nil
}

func vfShow(c *exec.Call, in *functionArguments) (exec.Answer, error) {
	r, err := findFunction(c, in.View, in.Name, in.Number)
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
				t.Row("GIDs", strconv.Itoa(r.GIDs)+" of the port")
			}
			t.Row("Received", fmt.Sprintf("%d packets, %d bytes", r.Counters.ReceivedPackets, r.Counters.ReceivedBytes))
			t.Row("Sent", fmt.Sprintf("%d packets, %d bytes", r.Counters.SentPackets, r.Counters.SentBytes))
			t.Row("Dropped", fmt.Sprintf("%d packets", r.Counters.Dropped))
			t.Row("Filtered", fmt.Sprintf("%d with a wrong address, %d of a blocked type", r.Counters.Spoofed, r.Counters.Disallowed))
			t.Row("Firmware", fmt.Sprintf("FwCpuUsage %d, Errors2FW %d", r.Counters.Use, r.Counters.Errors))
			t.Row("Faults", wording.OrDash(strings.Join(r.Faults, ", ")))
			if r.NeedsRestart {
				t.Row("Self-healing", "its driver shows a warning sign and needs a restart: vf reset")
			}
			if r.adapter != nil {
				for _, change := range r.adapter.History {
					t.Row(timeText(c, change.At), strings.TrimSuffix(string(change.Path)+": "+change.Why, ": "))
				}
			}
			return t.Flush()
		},
	}, nil
}

func vfReset(c *exec.Call, in *functionArguments) (exec.Answer, error) {
	row, err := findFunction(c, in.View, in.Name, in.Number)
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(virtualization.ResetVF{Connection: row.Connection, Function: row.Function})
}

// vfFault injects a fault into a virtual function; share 0 clears it.
func vfFault(c *exec.Call, in *struct {
	View   *driver.View
	Name   string `is:"connection"`
	Number int    `is:"number of a virtual function"`
	Fault  exec.Fault
	Share  string
}) (exec.Answer, error) {
	row, err := findFunction(c, in.View, in.Name, in.Number)
	if err != nil {
		return exec.Answer{}, err
	}
	if !in.Fault.ByFunction() {
		return exec.Answer{}, fmt.Errorf("%s is not a fault of a virtual function; choose from %s", c.Arguments[2], functionFaults())
	}
	share := 1.0
	if text := in.Share; text != "" {
		if share, err = strconv.ParseFloat(text, 64); err != nil || !(share >= 0 && share <= 1) {
			return exec.Answer{}, exec.Mistake("invalid share %q: it must be 0 to 1", text)
		}
	}
	return c.ApplyOne(in.Fault.Set(in.Name, new(row.Function), share))
}

// functionFaults returns the words for the faults of a virtual function.
func functionFaults() string {
	var words []string
	for _, f := range exec.Faults() {
		if f.ByFunction() {
			words = append(words, f.Word())
		}
	}
	return strings.Join(words, ", ")
}
