package exec

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
)

// vswitchRow is a virtual switch as JSON.
type vswitchRow struct {
	Name         string `json:"name"`
	On           string `json:"on"`
	IOV          bool   `json:"iov_enabled"`
	IovSupport   bool   `json:"iov_support"`
	PacketDirect bool   `json:"packet_direct_enabled"`
	ManagementOS bool   `json:"allow_management_os"`
	Extension    string `json:"extension,omitempty"`
	GUID         string `json:"guid"`
	Adapters     int    `json:"adapters"`
	Why          string `json:"why,omitempty"`
}

func vswitchOf(s *virtualization.SwitchView) vswitchRow {
	return vswitchRow{
		s.Name, cmp.Or(s.Connection, s.Team), s.IOV, s.IovSupport, s.PacketDirect, s.ManagementOS, string(s.Extension),
		s.GUID, s.Adapters, s.Why,
	}
}

// findSwitch is the virtual switch of a name.
func findSwitch(view *driver.View, name string) (*virtualization.SwitchView, error) {
	var names []string
	for i := range view.Switches {
		if strings.EqualFold(view.Switches[i].Name, name) {
			return &view.Switches[i], nil
		}
		names = append(names, view.Switches[i].Name)
	}
	return nil, fmt.Errorf("no virtual switch is called %q%s", name, suggest(name, names, "vswitch list prints the names"))
}

// vswitches is a list of virtual switches.
func vswitches(view *driver.View, name string) (answer, error) {
	rows := []vswitchRow{}
	for i := range view.Switches {
		rows = append(rows, vswitchOf(&view.Switches[i]))
	}
	if name != "" {
		s, err := findSwitch(view, name)
		if err != nil {
			return answer{}, err
		}
		rows = []vswitchRow{vswitchOf(s)}
	}
	return answer{
		result: struct {
			Switches []vswitchRow `json:"switches"`
		}{rows},
		text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "The host has no virtual switches. vswitch create makes one.")
				return err
			}
			t := newTable(w, "SWITCH", "ON", "SR-IOV", "PACKETDIRECT", "HOST", "EXTENSION", "ADAPTERS", "WHY")
			for i := range rows {
				r := &rows[i]
				t.row(r.Name, r.On, onOff(r.IOV), onOff(r.PacketDirect), onOff(r.ManagementOS), orDash(r.Extension),
					strconv.Itoa(r.Adapters), r.Why)
			}
			return t.Flush()
		},
	}, nil
}

func vswitchList(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	return vswitches(view, "")
}

// switchOn is what a new virtual switch is bound to: a connection or a team.
func switchOn(view *driver.View, record *virtualization.SwitchRecord, name string) (err error) {
	for i := range view.Teams {
		if strings.EqualFold(view.Teams[i].Name, name) {
			record.Team = view.Teams[i].Name
			return nil
		}
	}
	record.Connection, err = connection(view, name)
	return err
}

func vswitchCreate(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	record := virtualization.SwitchRecord{
		Name: c.arguments[0], IOV: c.flags["iov"] != "", PacketDirect: c.flags["packet-direct"] != "",
		ManagementOS: c.flags["no-host"] == "",
	}
	if err := switchOn(view, &record, c.arguments[1]); err != nil {
		return answer{}, err
	}
	return c.one(driver.CreateSwitch{Switch: record})
}

func vswitchRemove(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	s, err := findSwitch(view, c.arguments[0])
	if err != nil {
		return answer{}, err
	}
	return c.one(driver.RemoveSwitch{Switch: s.Name})
}

func newVMSwitch(p *cmdlet) (answer, error) {
	name, err := p.need("Name", "the name of the new switch")
	if err != nil {
		return answer{}, err
	}
	on, err := p.need("NetAdapterName", "the name of a connection")
	if err != nil {
		return answer{}, err
	}
	record := virtualization.SwitchRecord{Name: name}
	if err := switchOn(p.view, &record, on); err != nil {
		return answer{}, err
	}
	iov, direct, host := new(false), new(false), new(true)
	for parameter, into := range map[string]**bool{"EnableIov": &iov, "EnablePacketDirect": &direct,
		"AllowManagementOS": &host} {
		if err := p.truth(parameter, into); err != nil {
			return answer{}, err
		}
	}
	record.IOV, record.PacketDirect, record.ManagementOS = *iov, *direct, *host
	return p.call.one(driver.CreateSwitch{Switch: record})
}

// vmSwitch is the virtual switch that a parameter names.
func (p *cmdlet) vmSwitch(parameter string) (*virtualization.SwitchView, error) {
	name, err := p.need(parameter, "the name of a virtual switch")
	if err != nil {
		return nil, err
	}
	return findSwitch(p.view, name)
}

func removeVMSwitch(p *cmdlet) (answer, error) {
	s, err := p.vmSwitch("Name")
	if err != nil {
		return answer{}, err
	}
	return p.call.one(driver.RemoveSwitch{Switch: s.Name})
}

func setVMSwitch(p *cmdlet) (answer, error) {
	s, err := p.vmSwitch("Name")
	if err != nil {
		return answer{}, err
	}
	o := driver.SetSwitch{Switch: s.Name}
	if err := p.truth("AllowManagementOS", &o.ManagementOS); err != nil {
		return answer{}, err
	}
	if o.ManagementOS == nil {
		return answer{}, mistake("Set-VMSwitch needs -AllowManagementOS with $true or $false: all else of a switch is " +
			"chosen when it is made")
	}
	return p.call.one(o)
}

func getVMSwitch(p *cmdlet) (answer, error) { return vswitches(p.view, p.value("Name")) }

// vfpExtensions is what Windows calls the filter platform: so before Windows Server 2016, and so from then on.
func vfpExtensions() []string {
	return []string{"Windows Azure VFP Switch Extension", "Microsoft Azure VFP Switch Extension"}
}

// switchExtension is a command of PowerShell that enables the filter platform of a switch, or disables it.
func switchExtension(on bool) func(*cmdlet) (answer, error) {
	return func(p *cmdlet) (answer, error) {
		s, err := p.vmSwitch("VMSwitchName")
		if err != nil {
			return answer{}, err
		}
		if _, err := oneOf(p.command, "Name", p.values["Name"], append(vfpExtensions(),
			string(virtualization.ExtensionVFP))); err != nil {
			return answer{}, err
		}
		extension := new(virtualization.ExtensionVFP)
		if !on {
			*extension = ""
		}
		return p.call.one(driver.SetSwitch{Switch: s.Name, Extension: extension})
	}
}

// switchPortRow is a port of a virtual switch as JSON.
type switchPortRow struct {
	Name     string `json:"port_name"`
	Switch   string `json:"switch"`
	SwitchID string `json:"switch_id"`
	ID       int    `json:"port_id"`
	Type     string `json:"port_type"`
	VM       string `json:"vm,omitempty"`
	Adapter  string `json:"adapter"`
	NIC      string `json:"nic_name"`
	MAC      string `json:"mac"`
	VMQ      bool   `json:"vmq"`
	Blocked  bool   `json:"blocked"`
	released bool
}

// firstPort is the number of the first port of a virtual switch that an adapter is at: the one to the card comes
// before.
const firstPort = 2

// vfpPorts are the ports of all virtual switches; those of the host are the first of each.
func (c *call) vfpPorts() (rows []switchPortRow, err error) {
	view, err := c.view()
	if err != nil {
		return nil, err
	}
	var ports []virtualization.SwitchPortView
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		ports = h.SwitchPorts()
		return nil
	})
	slices.SortStableFunc(ports, func(a, b virtualization.SwitchPortView) int {
		return cmp.Or(strings.Compare(a.Switch, b.Switch), min(len(a.VM), 1)-min(len(b.VM), 1))
	})
	rows = []switchPortRow{}
	next := map[string]int{}
	for i := range ports {
		v := &ports[i]
		a := vmAdapterView(view, v.VM, v.Adapter)
		rows = append(rows, switchPortRow{
			v.Name, v.Switch, v.SwitchID, firstPort + next[v.Switch], v.Type, v.VM, v.Adapter, v.NIC, dashed(v.MAC), v.VMQ, v.Blocked,
			a != nil && a.Released,
		})
		next[v.Switch]++
	}
	return rows, err
}

// vfpList is vfpctrl /list-vmswitch-port.
func vfpList(c *call) (answer, error) {
	rows, err := c.vfpPorts()
	if err != nil {
		return answer{}, err
	}
	var lines []string
	for _, r := range rows {
		usage := map[bool]string{true: "1", false: "0"}
		state := map[bool]string{true: "Port is Disabled.",
			false: "Port is Initialized."}[r.released] //nolint:misspell // the tool's own word
		b := block{
			{"Port name", r.Name}, {"Port Friendly name", ""}, {"Switch name", r.SwitchID}, {"Switch Friendly name", r.Switch},
			{"PortId", strconv.Itoa(r.ID)}, {"VMQ Usage", usage[r.VMQ]}, {"SR-IOV Usage", usage[r.Type == "SR-IOV"]}, {"Port type",
				r.Type},
			{"NIC name", r.NIC}, {"NIC Friendly name", r.Adapter}, {"MTU", "1500"}, {"MAC address", r.MAC}, {"VM name", r.VM},
		}
		const aboutPort = 8 // lines before those about its adapter
		of := b.lines()
		lines = slices.Concat(lines, of[:aboutPort], []string{state, "MAC Learning is Disabled."}, of[aboutPort:],
			[]string{""})
	}
	lines = append(lines, "Command list-vmswitch-port succeeded!")
	return toldLines{lines, struct {
		Ports []switchPortRow `json:"ports"`
	}{rows}}.answer(), nil
}

// vfpPort is a command of vfpctrl that takes a port out of the filter platform, or puts it back.
func vfpPort(verb string, back bool) func(*call) (answer, error) {
	return func(c *call) (answer, error) {
		name := ""
		for i, word := range c.arguments {
			if strings.EqualFold(word, "/port") && i+1 < len(c.arguments) {
				name = c.arguments[i+1]
			}
		}
		if name == "" || len(c.arguments) != 2 {
			return answer{}, mistake("vfpctrl /%s needs /port with the name of a port; vfpctrl /list-vmswitch-port prints "+
				"them", verb)
		}
		rows, err := c.vfpPorts()
		if err != nil {
			return answer{}, err
		}
		for _, r := range rows {
			if !strings.EqualFold(r.Name, strings.Trim(name, "{}")) {
				continue
			}
			if r.VM == "" {
				return answer{}, fmt.Errorf("the port %s is one of the host, which the filter platform does not hold", r.Name)
			}
			o := driver.ReleasePort{VM: r.VM, Adapter: r.Adapter, Back: back}
			entry, err := c.do(driver.Plan{Title: upper(o.Describe()), Operations: []driver.Operation{o}})
			if err != nil {
				return answer{}, err
			}
			return toldLines{append([]string{"Command " + verb + " succeeded!"}, entry.nothing()...), struct {
				Change entryRow `json:"change"`
			}{entry}}.answer(), nil
		}
		return answer{}, fmt.Errorf("no port of a virtual switch is called %q; vfpctrl /list-vmswitch-port prints their "+
			"names", name)
	}
}
