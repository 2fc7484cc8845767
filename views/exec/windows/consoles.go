package windows

import (
	"fmt"
	"slices"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/qos"
	"cxdeck/driver/windowslog"
	"cxdeck/views/exec"
)

// The manuals open these consoles by name. A line prints what the console shows, and names the commands and pages that do its work.

// deviceRow is a device of Device Manager as JSON.
type deviceRow struct {
	Class    string `json:"class"`
	Name     string `json:"name"`
	Instance string `json:"instance_id"`
	// Connection is the connection of a network adapter.
	Connection string `json:"connection,omitempty"`
	// Code is the problem code, 0 for a device that works; Status is its sentence.
	Code   int    `json:"code"`
	Status string `json:"status"`
	Driver string `json:"driver_version,omitempty"`
}

// The classes of devices, as Device Manager names them.
const (
	networkAdapters = "Network adapters"
	systemDevices   = "System devices"
)

// deviceDisabled is the code of a device that an operator has disabled.
const deviceDisabled = 22

// problems are the sentences of Windows on problem codes.
var problems = map[int]string{
	0:  "This device is working properly.",
	10: "This device cannot start. (Code 10)",
	12: "This device cannot find enough free resources that it can use. (Code 12)",
	22: "This device is disabled. (Code 22)",
	28: "The drivers for this device are not installed. (Code 28)",
}

func problem(code int) string {
	if text := problems[code]; text != "" {
		return text
	}
	return fmt.Sprintf("This device has a problem. (Code %d)", code)
}

// deviceManager implements devmgmt.msc.
func deviceManager(c *exec.Call) (exec.Answer, error) {
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	devices := devicesOf(view)
	lines := []string{view.Name}
	for _, class := range []string{networkAdapters, systemDevices} {
		lines = append(lines, "  "+class)
		for i := range devices {
			if devices[i].Class == class {
				lines = append(lines, devices[i].line())
			}
		}
	}
	lines = append(lines, "", "! marks a device with a problem, - a disabled one. reg list NAME has the Advanced tab of an adapter,",
		"perf_tuning and the page Registry its Performance tab, adapter restart NAME starts it again.")
	return exec.PrintLines(lines, struct {
		Devices []deviceRow `json:"devices"`
	}{devices}), nil
}

func (d *deviceRow) line() string {
	mark := " "
	switch d.Code {
	case 0:
	case deviceDisabled:
		mark = "-"
	default:
		mark = "!"
	}
	text := fmt.Sprintf("  %s %s", mark, d.Name)
	if d.Connection != "" {
		text += " (" + d.Connection + ")"
	}
	if d.Code != 0 {
		text += ": " + d.Status
	}
	return text
}

// devicesOf returns the network adapters, and the bus devices of WinOF cards.
func devicesOf(view *driver.View) []deviceRow {
	list := []deviceRow{}
	add := func(class, name, instance, connection, version string, code int) {
		list = append(list, deviceRow{class, name, instance, connection, code, problem(code), version})
	}
	for i := range view.Adapters {
		a := &view.Adapters[i]
		bus := a.Description.Family == description.WinOF
		for f := range a.Functions {
			function := &a.Functions[f]
			for _, p := range function.Ports {
				port := &a.Ports[p]
				code := port.Code
				if port.State == driver.Stopped {
					code = deviceDisabled
				}
				instance := function.InstanceID
				if bus {
					instance = fmt.Sprintf(`MLX4\%s\PORT%d`, map[bool]string{true: "CONNECTX_ETH", false: "CONNECTX_IPOIB"}[port.Description.Link == description.Ethernet], p+1)
				}
				add(networkAdapters, port.Description.Device, instance, port.Description.Connection, a.Description.DriverVersion, code)
			}
			if bus {
				add(systemDevices, fmt.Sprintf("Mellanox %s VPI (MT%05d) Network Adapter", a.Description.Name, a.Description.DeviceID), function.InstanceID, "",
					a.Description.DriverVersion, 0)
			}
		}
	}
	for i := range view.Teams {
		if team := &view.Teams[i]; team.Miniport != "" {
			add(networkAdapters, team.Miniport, "", team.Name, "", 0)
		}
	}
	for i := range view.Partitions {
		add(networkAdapters, view.Partitions[i].Device, "", view.Partitions[i].Connection, "", 0)
	}
	return list
}

// logRow is a log of Event Viewer as JSON.
type logRow struct {
	Log         string `json:"log"`
	Errors      int    `json:"errors"`
	Warnings    int    `json:"warnings"`
	Information int    `json:"information"`
}

// shownEvents is the number of events of the System log that eventvwr.exe prints.
const shownEvents = 10

// eventViewer implements eventvwr.exe: the logs with their numbers of events, and the newest of the System log.
func eventViewer(c *exec.Call) (exec.Answer, error) {
	logs := []logRow{}
	var newest []eventlog.Event
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for _, name := range windowslog.Names() {
			events := windowslog.Events(h, name)
			row := logRow{Log: name}
			for i := range events {
				switch events[i].Severity {
				case eventlog.Error:
					row.Errors++
				case eventlog.Warning:
					row.Warnings++
				default:
					row.Information++
				}
			}
			logs = append(logs, row)
			if name == "System" {
				newest = slices.Clone(events[max(0, len(events)-shownEvents):])
			}
		}
		return nil
	})
	if err != nil {
		return exec.Answer{}, err
	}
	slices.Reverse(newest)
	lines := []string{fmt.Sprintf("%-52s %7s %8s %11s", "Log", "Errors", "Warnings", "Information")}
	for _, row := range logs {
		lines = append(lines, fmt.Sprintf("%-52s %7d %8d %11d", row.Log, row.Errors, row.Warnings, row.Information))
	}
	if len(newest) > 0 {
		lines = append(lines, "", "The newest events of the System log:")
	}
	rows := []eventRow{}
	for i := range newest {
		e := &newest[i]
		rows = append(rows, eventRow{e.Sequence, e.Time, e.ID, e.Severity.String(), e.Source, e.Channel, e.Message})
		lines = append(lines, fmt.Sprintf("%s  %-11s  %-10s %5d  %s", e.Time.Format("2006-01-02 15:04:05"), e.Severity, e.Source, e.ID, e.Message))
	}
	lines = append(lines, "", "Get-WinEvent, wevtutil and the page Events show the logs in full.")
	return exec.PrintLines(lines, struct {
		Logs   []logRow   `json:"logs"`
		Newest []eventRow `json:"newest"`
	}{logs, rows}), nil
}

// groupPolicy implements gpedit.msc: the startup scripts and the policy-based QoS of the computer.
func groupPolicy(c *exec.Call) (exec.Answer, error) {
	var script qos.Startup
	policies := []string{}
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		view := h.QoS()
		if view.Startup != nil {
			script = *view.Startup
		}
		for i := range view.Policies {
			policies = append(policies, view.Policies[i].Name)
		}
		return nil
	})
	if err != nil {
		return exec.Answer{}, err
	}
	lines := []string{"Local Computer Policy", "  Computer Configuration", "    Windows Settings", "      Scripts (Startup/Shutdown)", "        Startup"}
	lines = appendIndented(lines, script.Lines, "no script; startup set FILE or startup add LINE adds one")
	for _, failed := range script.Failed {
		lines = append(lines, "          failed at the last boot: "+failed)
	}
	lines = append(lines, "        Shutdown", "          no script", "      Policy-based QoS")
	lines = appendIndented(lines, policies, "no policy; New-NetQosPolicy adds one")
	return exec.PrintLines(lines, struct {
		Startup  []string `json:"startup"`
		Failed   []string `json:"failed,omitempty"`
		Policies []string `json:"qos_policies"`
	}{append([]string{}, script.Lines...), script.Failed, policies}), nil
}

func appendIndented(lines, items []string, none string) []string {
	if len(items) == 0 {
		items = []string{none}
	}
	for _, item := range items {
		lines = append(lines, "          "+item)
	}
	return lines
}
