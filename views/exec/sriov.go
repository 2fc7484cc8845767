package exec

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/driver/registry"
)

// sriovRow is SR-IOV at a port as JSON.
type sriovRow struct {
	Connection  string     `json:"connection"`
	Device      string     `json:"device"`
	Support     string     `json:"support"`
	Enabled     bool       `json:"enabled"`
	Switch      string     `json:"virtual_switch,omitempty"`
	NumVFs      int        `json:"num_vfs"`
	Burnt       int        `json:"burnt"`
	Allowed     int        `json:"allowed"`
	Open        int        `json:"open"`
	Attached    int        `json:"attached"`
	Free        int        `json:"free"`
	QueuePairs  int        `json:"advised_queue_pairs"`
	Promiscuous bool       `json:"promiscuous"`
	DHCP        bool       `json:"dhcp_to_pf"`
	DHCPWhy     string     `json:"dhcp_why,omitempty"`
	Why         string     `json:"why,omitempty"`
	Checks      []checkRow `json:"checks"`
}

// checkRow is one thing that SR-IOV needs.
type checkRow struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Why  string `json:"why,omitempty"`
}

func sriovOf(p *driver.PortView) sriovRow {
	s := &p.SRIOV
	row := sriovRow{
		p.Description.Connection, p.Description.Device, string(s.Support), s.Enabled, s.SwitchName, s.NumVFs, s.Burnt,
		s.Allowed, s.Open,
		s.Attached, s.Free, s.QueuePairs, s.Promiscuous, s.DHCPToPF, s.DHCPWhy, s.Why, []checkRow{},
	}
	for _, check := range s.Checks {
		row.Checks = append(row.Checks, checkRow(check))
	}
	return row
}

// portViews are the ports of a host, or those that a name means.
func portViews(view *driver.View, name string) (ports []*driver.PortView, err error) {
	card, port := -1, -1
	if name != "" {
		if card, port, err = findAdapter(view, name); err != nil {
			return nil, err
		}
	}
	for i := range view.Adapters {
		for j := range view.Adapters[i].Ports {
			if (card < 0 || i == card) && (port < 0 || j == port) {
				ports = append(ports, &view.Adapters[i].Ports[j])
			}
		}
	}
	return ports, nil
}

// portsOf are the ports that a name means.
func (c *call) portsOf(name string) ([]*driver.PortView, error) {
	view, err := c.view()
	if err != nil {
		return nil, err
	}
	return portViews(view, name)
}

// argument is an argument that may be left out.
func (c *call) argument(i int) string {
	if i < len(c.arguments) {
		return c.arguments[i]
	}
	return ""
}

// sriovShow is what SR-IOV has and needs at each port.
func sriovShow(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	ports, err := portViews(view, c.argument(0))
	if err != nil {
		return answer{}, err
	}
	rows := []sriovRow{}
	for _, p := range ports {
		rows = append(rows, sriovOf(p))
	}
	return answer{
		result: struct {
			Ports []sriovRow `json:"ports"`
		}{rows},
		text: func(w io.Writer) error {
			t := newTable(w, "CONNECTION", "SUPPORT", "BURNT", "ALLOWED", "NUMVFS", "OPEN", "ATTACHED", "FREE", "MISSING")
			for i := range rows {
				r := &rows[i]
				t.row(r.Connection, r.Support, strconv.Itoa(r.Burnt), strconv.Itoa(r.Allowed), strconv.Itoa(r.NumVFs),
					strconv.Itoa(r.Open),
					strconv.Itoa(r.Attached), strconv.Itoa(r.Free), r.missing())
			}
			if err := t.Flush(); err != nil || len(rows) > 2 {
				return err
			}
			for i := range rows {
				if err := rows[i].writeChecks(w); err != nil {
					return err
				}
			}
			return nil
		},
	}, nil
}

// missing are the names of what is not as SR-IOV needs it.
func (r *sriovRow) missing() string {
	var names []string
	for _, check := range r.Checks {
		if !check.OK {
			names = append(names, check.Name)
		}
	}
	return orDash(strings.Join(names, ", "))
}

// writeChecks writes what SR-IOV needs at the port, one line each.
func (r *sriovRow) writeChecks(w io.Writer) error {
	fmt.Fprintf(w, "\n%s\n", Clean(r.Connection)) //nolint:errcheck // the table tells
	t := newTable(w)
	for _, check := range r.Checks {
		t.row("  "+check.Name, cmp.Or(check.Why, "OK"))
	}
	if r.Why != "" {
		t.row("  Why", r.Why)
	}
	if r.Promiscuous {
		t.row("  Promiscuous", "the physical function takes what is not for it")
	}
	if r.DHCP || r.DHCPWhy != "" {
		t.row("  DHCP", r.dhcp())
	}
	return t.Flush()
}

// dhcp says where the DHCP of virtual functions goes.
func (r *sriovRow) dhcp() string {
	to := "stays with the virtual functions"
	if r.DHCP {
		to = "goes to the physical function"
	}
	return strings.TrimSuffix(to+": "+r.DHCPWhy, ": ")
}

// sriovPromiscuous lets a physical function take what is not for it, or no longer.
func sriovPromiscuous(c *call) (answer, error) {
	on, ok := map[string]bool{"on": true, "off": false}[strings.ToLower(c.arguments[1])]
	if !ok {
		return answer{}, mistake("%q is neither on nor off", c.arguments[1])
	}
	name, err := c.named(0)
	if err != nil {
		return answer{}, err
	}
	return c.one(driver.SetFeature{Connection: name, Feature: driver.FeaturePromiscuous, On: on})
}

// defaultNICSwitch is what Windows calls the switch in a card that has virtual functions.
const defaultNICSwitch = "Default Switch"

// netAdapterRow is an adapter as Get-NetAdapterSriov shows it.
type netAdapterRow struct {
	Name        string `json:"name"`
	Description string `json:"interface_description"`
	Enabled     bool   `json:"enabled"`
	Support     string `json:"sriov_support"`
	Switch      string `json:"switch_name,omitempty"`
	NumVFs      int    `json:"num_vfs"`
}

func getNetAdapterSriov(p *cmdlet) (answer, error) {
	ports, err := portViews(p.view, p.value("Name"))
	if err != nil {
		return answer{}, err
	}
	rows, list := []netAdapterRow{}, []block{}
	for _, port := range ports {
		s := &port.SRIOV
		r := netAdapterRow{port.Description.Connection, port.Description.Device, s.Enabled, string(s.Support), "", s.NumVFs}
		shown := ""
		if s.Enabled {
			r.Switch = defaultNICSwitch
			shown = strconv.Quote(r.Switch)
		}
		rows = append(rows, r)
		list = append(list, block{
			{"Name", r.Name}, {"InterfaceDescription", r.Description}, {"Enabled", title(r.Enabled)}, {"SriovSupport",
				r.Support},
			{"SwitchName", shown}, {"NumVFs", strconv.Itoa(r.NumVFs)},
		})
	}
	return blocks(list, struct {
		Adapters []netAdapterRow `json:"adapters"`
	}{rows}, "The host has no adapters."), nil
}

func setNetAdapterSriov(p *cmdlet) (answer, error) {
	name, err := p.connection("Name")
	if err != nil {
		return answer{}, err
	}
	var n *int
	if err := p.number("NumVFs", &n); err != nil {
		return answer{}, err
	}
	if n == nil {
		return answer{}, mistake("Set-NetAdapterSriov needs -NumVFs with a number")
	}
	return p.call.one(driver.SetNumVFs{Connection: name, NumVFs: *n})
}

// pciDeviceRow is a card as Get-MlnxPCIDeviceSriovSetting shows it.
type pciDeviceRow struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Instance    string `json:"instance_id"`
	System      string `json:"system_name"`
	Port1       int    `json:"sriov_port1_num_vfs"`
	Port2       int    `json:"sriov_port2_num_vfs"`
	Mode        int    `json:"sriov_port_mode"`
	adapter     string
	// counts are those that are stored for the ports, whatever the mode makes of them.
	counts [2]int
}

// pciDescription is what the device manager calls the PCI device of a card of WinOF.
func pciDescription(id uint16) string {
	name := "ConnectX-3"
	if id == 0x1007 {
		name += " PRO"
	}
	return fmt.Sprintf("Mellanox %s VPI (MT%05d) Network Adapter", name, id)
}

// pciDevices are the cards of WinOF whose virtual functions are shared among their ports, as it is stored.
func (c *call) pciDevices(view *driver.View) (rows []pciDeviceRow, err error) {
	for i := range view.Adapters {
		a := &view.Adapters[i]
		if a.Description.Family != device.WinOF || len(a.Ports) == 0 || a.Ports[0].SRIOV.Burnt == 0 {
			continue
		}
		s := &a.Ports[0].SRIOV
		row := pciDeviceRow{a.HCA, pciDescription(a.Description.DeviceID), a.Functions[0].InstanceID, view.Name, s.Port1VFs,
			s.Port2VFs, s.Mode,
			a.Description.Name, [2]int{}}
		t, err := c.target(a.Ports[0].Description.Connection)
		if err != nil {
			return nil, err
		}
		keys, err := c.keys(t)
		if err != nil {
			return nil, err
		}
		stored := map[string]*int{"SriovPortMode": &row.Mode, "MaxVFPort1": &row.Port1, "MaxVFPort2": &row.Port2}
		for i := range keys {
			if k := &keys[i]; k.Row.Scope == registry.BusDevice && k.Stored.Exists() && stored[k.Row.Name] != nil {
				*stored[k.Row.Name] = int(k.Stored.Number())
			}
		}
		row.counts = [2]int{row.Port1, row.Port2}
		switch row.Mode { // the automatic modes give all of them to one port
		case 0:
			row.Port1, row.Port2 = s.Burnt, 0
		case 1:
			row.Port1, row.Port2 = 0, s.Burnt
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// source is what the class of the driver's cmdlets prints for where a setting comes from.
const source = "3"

func getPCIDeviceSriov(p *cmdlet) (answer, error) {
	devices, err := p.call.pciDevices(p.view)
	if err != nil {
		return answer{}, err
	}
	rows, list := []pciDeviceRow{}, []block{}
	for _, r := range devices {
		if name := p.value("Name"); name != "" && !strings.EqualFold(name, r.Name) && !strings.EqualFold(name, r.adapter) {
			continue
		}
		rows = append(rows, r)
		list = append(list, block{
			{"Caption", "MLNX_PCIDeviceSriovSettingData '" + r.Description + "'"}, {"Description", r.Description},
			{"ElementName", r.Name},
			{"InstanceID", r.Instance}, {"Name", r.Name}, {"Source", source}, {"SystemName", r.System},
			{"SriovPort1NumVFs", strconv.Itoa(r.Port1)}, {"SriovPort2NumVFs", strconv.Itoa(r.Port2)}, {"SriovPortMode",
				strconv.Itoa(r.Mode)},
			{"PSComputerName", ""},
		})
	}
	return blocks(list, struct {
		Devices []pciDeviceRow `json:"devices"`
	}{rows}, "No card of WinOF has virtual functions in its firmware."), nil
}

// instanceShown is how much of an instance id the question about a setting shows.
const instanceShown = 39

func setPCIDeviceSriov(p *cmdlet) (answer, error) {
	name, err := p.need("Name", `the name of a card, such as "HCA 0"`)
	if err != nil {
		return answer{}, err
	}
	devices, err := p.call.pciDevices(p.view)
	if err != nil {
		return answer{}, err
	}
	var names []string
	for _, r := range devices {
		if !strings.EqualFold(name, r.Name) && !strings.EqualFold(name, r.adapter) {
			names = append(names, r.Name)
			continue
		}
		return p.sharePorts(&r)
	}
	return answer{}, fmt.Errorf("no card of WinOF with virtual functions in its firmware is called %q%s", name,
		perhaps(name, names,
			"Get-MlnxPCIDeviceSriovSetting lists them"))
}

// sharePorts asks, and then stores how the virtual functions of a card are shared.
func (p *cmdlet) sharePorts(r *pciDeviceRow) (answer, error) {
	var mode, port1, port2 *int
	for parameter, into := range map[string]**int{"SriovPortMode": &mode, "SriovPort1NumVFs": &port1,
		"SriovPort2NumVFs": &port2} {
		if err := p.number(parameter, into); err != nil {
			return answer{}, err
		}
	}
	if mode == nil && port1 == nil && port2 == nil {
		return answer{}, mistake("%s changes nothing: say -SriovPortMode, -SriovPort1NumVFs or -SriovPort2NumVFs", p.command)
	}
	or := func(n *int, usual int) int {
		if n == nil {
			return usual
		}
		return *n
	}
	o := driver.SetSriovPorts{Adapter: r.adapter, Mode: or(mode, r.Mode), Port1: or(port1, r.counts[0]), Port2: or(port2,
		r.counts[1])}
	plan := driver.Plan{Title: upper(o.Describe()), Operations: []driver.Operation{o}}
	if err := p.call.rehearse(plan); err != nil {
		return answer{}, err
	}
	asked := !p.has(psConfirm) || p.flag(psConfirm)
	if asked {
		instance := r.Instance
		if len(instance) > instanceShown {
			instance = instance[:instanceShown] + "..."
		}
		yes, err := p.call.ask(question{
			before: cleanLines([]string{
				"Confirm", "Are you sure you want to perform this action?",
				fmt.Sprintf("Performing the operation \"SetValue\" on target \"MLNX_PCIDeviceSriovSettingData: "+
					"MLNX_PCIDeviceSriovSettingData '%s' "+
					"(InstanceID = \"%s)\".", r.Description, instance),
			}),
			text:  `[Y] Yes [A] Yes to All [N] No [L] No to All [S] Suspend [?] Help (default is "Y"):`,
			usual: "Y", yes: true,
		}, "")
		if err != nil {
			return answer{}, err
		}
		if !yes {
			return answer{}, errors.New("nothing was changed: the answer was no")
		}
	}
	entry, err := p.call.do(plan)
	if err != nil {
		return answer{}, err
	}
	a := told(entry)
	if asked { // as on a real host, nothing follows the answer
		a.text = nil
	}
	return a, nil
}

// getDriverCore is Get-MlnxDriverCoreSetting: of what the driver of WinOF has for all its cards, the manual shows the
// RoCE mode alone, counted as the parameter of its twin counts: 0 off, 1 RoCE v1, 2 RoCE v2. A mode that the parameter
// has no number for, such as the v1.25 of a ConnectX-3, shows as 0, too.
func getDriverCore(p *cmdlet) (answer, error) {
	type coreRow struct {
		Caption     string `json:"caption"`
		Description string `json:"description"`
		System      string `json:"system_name"`
		RoCE        int    `json:"roce_mode"`
	}
	connection := ""
	for i := range p.view.Adapters {
		if a := &p.view.Adapters[i]; a.Description.Family == device.WinOF && len(a.Ports) > 0 {
			connection = a.Ports[0].Description.Connection
			break
		}
	}
	if connection == "" {
		return answer{}, errors.New("no driver of WinOF runs on the host")
	}
	row := coreRow{"DriverCoreSettingData 'mlx4_bus'", "Mellanox Driver Option Settings", p.view.Name, 0}
	t, err := p.call.target(connection)
	if err != nil {
		return answer{}, err
	}
	keys, err := p.call.keys(t)
	if err != nil {
		return answer{}, err
	}
	for _, k := range keys {
		if k.Row.Name != "roce_mode" || k.Row.Scope != registry.RoCE {
			continue
		}
		for parameter := range 3 {
			if mode, ok := registry.RoCEOfPowerShell(parameter); ok && k.Effective.Exists() && k.Effective.Number() == mode {
				row.RoCE = parameter
			}
		}
	}
	return blocks([]block{{
		{"Caption", row.Caption}, {"Description", row.Description}, {"SystemName", row.System}, {"RoceMode",
			strconv.Itoa(row.RoCE)},
	}}, struct {
		Setting coreRow `json:"setting"`
	}{row}, ""), nil
}

// iovSupport is (Get-VmHost).IovSupport, or IovSupportReasons.
func iovSupport(reasons bool) func(*call) (answer, error) {
	return func(c *call) (answer, error) {
		view, err := c.view()
		if err != nil {
			return answer{}, err
		}
		m := &view.Machine
		lines := []string{title(m.IovSupport)}
		if reasons {
			lines = m.IovSupportReasons
		}
		return toldLines{lines, struct {
			Support bool     `json:"iov_support"`
			Reasons []string `json:"iov_support_reasons"`
		}{m.IovSupport, m.IovSupportReasons}}.answer(), nil
	}
}
