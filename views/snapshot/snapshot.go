// Package snapshot makes the report of the vendor's snapshot tool: operating system, network and hardware of a host, with the driver's
// counters and the output of commands (WinOF manual, "Snapshot Tool" and change log).
package snapshot

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/request"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/views/exec"
	"cxdeck/views/exec/syntax"
	"cxdeck/views/report"
)

// The limits of a report: the newest events, and the counters that are not 0.
const (
	maxEvents   = 200
	maxCounters = 4000
)

// Gather makes the report of a call's host.
func Gather(c *exec.Call) (*report.Snapshot, error) {
	s := &report.Snapshot{Version: c.Runner.Version}
	var view *driver.View
	var events []eventlog.Event
	var power [][]string
	var files [][]string
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		view, events, s.Time = h.View(), h.EventsAfter(0), h.Now()
		lab := h.Lab()
		for port := range lab.Ports() {
			power = append(power, []string{lab.Connection(port), strconv.FormatFloat(100*lab.ProcessorSpeed(port), 'f', 0, 64) + " %"})
		}
		for _, f := range h.Dumps().FileViews("") {
			files = append(files, []string{f.Time.UTC().Format(time.DateTime), strconv.Itoa(f.Size), f.Path})
		}
		return nil
	}); err != nil {
		return nil, err
	}
	s.Title = "System snapshot of " + view.Name
	counters, err := counterRows(c)
	if err != nil {
		return nil, err
	}
	outputs := func(lines ...string) (list []report.Output) {
		for _, line := range lines {
			words, err := syntax.Split(line)
			if err != nil {
				continue // the lines are constants, and a test reads the report
			}
			list = append(list, report.Output{Command: line, Lines: c.Output(words...)})
		}
		return list
	}
	s.Sections = []report.Section{
		{ID: "system", Title: "Operating system", Fields: systemFields(view), Tables: []report.SnapshotTable{{Title: "Speed of the processors of a connection (power saving)", Columns: []string{"Connection", "Speed"}, Rows: power}},
			Outputs: outputs("Get-WindowsFeature", "Get-NetOffloadGlobalSetting", "(Get-VmHost).IovSupport")},
		{ID: "hardware", Title: "Hardware", Tables: []report.SnapshotTable{adapterTable(view)}, Outputs: outputs("Get-NetAdapterHardwareInfo", "mst status", "firmware show", "limits")},
		{ID: "network", Title: "Network", Tables: []report.SnapshotTable{portTable(view)},
			Outputs: outputs("Get-NetAdapter", "Get-NetIPAddress", "Get-NetAdapterRdma", "Get-NetLbfoTeam", "vlan_config showlist", "Get-SmbClientNetworkInterface", "Get-SmbServerNetworkInterface", "netstat -xan")},
		{ID: "qos", Title: "Quality of service", Outputs: outputs("Get-NetQosPolicy", "Get-NetQosTrafficClass", "Get-NetQosFlowControl", "Get-NetQosDcbxSetting", "Get-NetAdapterQos")},
		{ID: "virtualization", Title: "Virtualization", Outputs: outputs("Get-NetAdapterSriov", "Get-NetAdapterVPort", "Get-NetAdapterVmq", "Get-VMSwitch", "Get-VM")},
		{ID: "vendor", Title: "Driver", Outputs: outputs("Get-MlnxPCIDeviceSriovSetting", "Get-MlnxDriverCoreSetting", "mlxtool show regkeys diff", "mlx5cmd -Features")},
		{ID: "registry", Title: "Registry", Outputs: outputs("Get-NetAdapterAdvancedProperty")},
		{ID: "diagnosis", Title: "Diagnosis", Outputs: outputs("diagnose")},
		{ID: "counters", Title: "Performance counters", Tables: []report.SnapshotTable{{Title: "Counters that are not 0", Columns: []string{"Counter", "Value"}, Rows: counters}}},
		{ID: "events", Title: "Events", Tables: []report.SnapshotTable{eventTable(events)}},
		{ID: "files", Title: "Dumps and traces", Tables: []report.SnapshotTable{{Title: "Files of the host", Columns: []string{"Time", "Bytes", "File"}, Rows: files}}, Outputs: outputs("logman query -ets")},
	}
	return s, nil
}

func systemFields(view *driver.View) []perf.Field {
	return []perf.Field{
		{Label: "Name", Value: view.Name}, {Label: "System", Value: view.System}, {Label: "Time", Value: view.Now.UTC().Format(time.DateTime)},
		{Label: "Processors", Value: fmt.Sprintf("%d in %d NUMA nodes", view.Processors(), view.NUMANodes)},
		{Label: "BIOS", Value: fmt.Sprintf("SR-IOV %s, virtualization %s, addresses above 4 GB %s", wording.OnOff(view.Machine.SRIOV), wording.OnOff(view.Machine.Virtualization), wording.OnOff(view.Machine.Above4G))},
	}
}

func adapterTable(view *driver.View) report.SnapshotTable {
	t := report.SnapshotTable{Title: "Adapters", Columns: []string{"Adapter", "PCI", "Firmware", "PSID", "Driver", "Version", "State", "Node GUID"}}
	for i := range view.Adapters {
		a := &view.Adapters[i]
		d := a.Description
		t.Rows = append(t.Rows, []string{d.Name, d.PCI.String(), d.Firmware, d.PSID, a.Driver, d.DriverVersion, a.State.String(), fmt.Sprintf("%016x", uint64(d.NodeGUID))})
	}
	return t
}

func portTable(view *driver.View) report.SnapshotTable {
	t := report.SnapshotTable{Title: "Connections", Columns: []string{"Connection", "Device", "State", "Link", "Rate in Gb/s", "MAC address", "Cabled to", "Waits for a restart"}}
	for i := range view.Adapters {
		for j := range view.Adapters[i].Ports {
			p := &view.Adapters[i].Ports[j]
			link := "down"
			if p.Up {
				link = "up"
			}
			t.Rows = append(t.Rows, []string{p.Description.Connection, p.Description.Device, p.State.String(), link, strconv.FormatFloat(p.Rate/1e9, 'f', -1, 64),
				p.Description.MAC.String(), p.Description.Switch.Name, strconv.Itoa(p.Waits)})
		}
	}
	return t
}

func eventTable(events []eventlog.Event) report.SnapshotTable {
	t := report.SnapshotTable{Title: "Newest events", Columns: []string{"Time", "Severity", "ID", "Source", "Adapter", "Message"}}
	for i := max(0, len(events)-maxEvents); i < len(events); i++ {
		e := &events[i]
		t.Rows = append(t.Rows, []string{e.Time.UTC().Format(time.DateTime), e.Severity.String(), strconv.Itoa(e.ID), e.Source, e.Adapter, e.Message})
	}
	return t
}

// counterRows returns the counters that are not 0, in the order of the schema.
func counterRows(c *exec.Call) (rows [][]string, err error) {
	schema := c.Host.Schema()
	all := make([]int, len(schema.Series))
	for i := range all {
		all[i] = i
	}
	values := make([]float64, len(all))
	if _, err := c.Host.Measure(c.Ctx, all, 0, values); err != nil {
		return nil, err
	}
	for i, value := range values {
		if value == 0 || math.IsNaN(value) || len(rows) == maxCounters {
			continue
		}
		series := &schema.Series[i]
		rows = append(rows, []string{series.Path(), perf.Number(value, series.Unit, series.PerSecond(), c.Runner.InBytes)})
	}
	return rows, nil
}

// Write writes a report in the form that the name of its file tells: .html, or .txt for text.
func Write(w io.Writer, name string, s *report.Snapshot) error {
	switch folded := strings.ToLower(name); {
	case strings.HasSuffix(folded, ".html"), strings.HasSuffix(folded, ".htm"):
		return s.HTML(w)
	case strings.HasSuffix(folded, ".txt"):
		return s.Text(w)
	}
	return request.Errorf("the name of a snapshot ends in .html or .txt, and %q does not", name)
}

// Answer makes the report, writes it to a file, and returns the answer of a command.
func Answer(c *exec.Call, file string) (exec.Answer, error) {
	if err := Write(io.Discard, file, &report.Snapshot{}); err != nil { // before the work
		return exec.Answer{}, exec.Mistake("%v", err)
	}
	s, err := Gather(c)
	if err != nil {
		return exec.Answer{}, err
	}
	if err := c.Stream(file, func(w io.Writer) error { return Write(w, file, s) }); err != nil {
		return exec.Answer{}, err
	}
	titles := make([]string, len(s.Sections))
	for i := range s.Sections {
		titles[i] = s.Sections[i].Title
	}
	return exec.Answer{
		Result: struct {
			File     string   `json:"file"`
			Sections []string `json:"sections"`
		}{file, titles},
		Text: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "The snapshot of %s is in %s: %s.\n", exec.Clean(strings.TrimPrefix(s.Title, "System snapshot of ")), exec.Clean(file), strings.ToLower(strings.Join(titles, ", ")))
			return err
		},
	}, nil
}
