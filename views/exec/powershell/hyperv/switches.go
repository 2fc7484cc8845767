package hyperv

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/machines"
	"cxdeck/views/exec/powershell"
)

func newVMSwitch(p *powershell.Invocation, in *struct {
	Name           string `need:"the name of the new switch"`
	NetAdapterName string `need:"the name of a connection"`

	EnableEmbeddedTeaming *bool

	EnableIov          bool
	EnablePacketDirect bool
	AllowManagementOS  bool `default:"true"`
}) (exec.Answer, error) {
	record := virtualization.SwitchRecord{Name: in.Name, IOV: in.EnableIov, PacketDirect: in.EnablePacketDirect,
		ManagementOS: in.AllowManagementOS}
	names := p.Values["NetAdapterName"]
	if in.EnableEmbeddedTeaming != nil && *in.EnableEmbeddedTeaming || in.EnableEmbeddedTeaming == nil && len(names) > 1 { // Hyper-V takes several for a team
		for _, name := range names {
			connection, err := exec.Connection(p.View, name)
			if err != nil {
				return exec.Answer{}, err
			}
			record.Members = append(record.Members, connection)
		}
		record.Connection = record.Members[0]
	} else if err := machines.SwitchOn(p.View, &record, strings.Join(names, ",")); err != nil {
		return exec.Answer{}, err
	}
	return p.Call.ApplyOne(virtualization.CreateSwitch{Switch: record})
}

func removeVMSwitch(p *powershell.Invocation, in *struct {
	Name *virtualization.SwitchView `need:"the name of a virtual switch"`
}) (exec.Answer, error) {
	return p.Call.ApplyOne(virtualization.RemoveSwitch{Switch: in.Name.Name})
}

func setVMSwitch(p *powershell.Invocation, in *struct {
	Name              *virtualization.SwitchView `need:"the name of a virtual switch"`
	AllowManagementOS *bool                      `need:"$true or $false; all other settings of a switch are fixed when it is created"`
}) (exec.Answer, error) {
	return p.Call.ApplyOne(virtualization.SetSwitch{Switch: in.Name.Name, ManagementOS: in.AllowManagementOS})
}

func getVMSwitchTeam(p *powershell.Invocation) (exec.Answer, error) {
	type row struct {
		Name    string   `json:"name"`
		Members []string `json:"members"`
		Mode    string   `json:"teaming_mode"`
		Balance string   `json:"load_balancing_algorithm"`
	}
	rows := []row{}
	var list []powershell.Block
	for i := range p.View.Switches {
		s := &p.View.Switches[i]
		if name := p.Value("Name"); !s.Embedded() || name != "" && !powershell.Matches(name, s.Name) {
			continue
		}
		r := row{s.Name, s.Members, "SwitchIndependent", string(cmp.Or(s.Balance, virtualization.HyperVPort))}
		rows = append(rows, r)
		list = append(list, powershell.Block{{"Name", r.Name}, {"NetAdapterInterfaceDescription", "{" + strings.Join(r.Members, ", ") + "}"},
			{"TeamingMode", r.Mode}, {"LoadBalancingAlgorithm", r.Balance}})
	}
	return powershell.Blocks(list, struct {
		Teams []row `json:"teams"`
	}{rows}, "No virtual switch has an embedded team."), nil
}

func setVMSwitchTeam(p *powershell.Invocation, in *struct {
	Name                   *virtualization.SwitchView `need:"the name of a virtual switch"`
	LoadBalancingAlgorithm string                     `need:"HyperVPort or Dynamic" one:"HyperVPort,Dynamic"`
}) (exec.Answer, error) {
	balance := virtualization.Balance(in.LoadBalancingAlgorithm)
	return p.Call.ApplyOne(virtualization.SetSwitch{Switch: in.Name.Name, Balance: &balance})
}

func mapToTeam(p *powershell.Invocation) (guestOperation, error) {
	name, err := p.Connection("PhysicalNetAdapterName")
	return func(a *virtualization.VMAdapterView) driver.Operation {
		return virtualization.SetVMAdapter{VM: a.VM, Adapter: a.Name, Mapping: &name}
	}, err
}

func unmapFromTeam(p *powershell.Invocation) (guestOperation, error) {
	return func(a *virtualization.VMAdapterView) driver.Operation {
		return virtualization.SetVMAdapter{VM: a.VM, Adapter: a.Name, Mapping: new("")}
	}, nil
}

func getTeamMapping(p *powershell.Invocation) (exec.Answer, error) {
	list, err := selectedGuests(p)
	if err != nil {
		return exec.Answer{}, err
	}
	list = slices.DeleteFunc(list, func(a virtualization.VMAdapterView) bool { return a.Mapping == "" })
	return listGuests(list, 3, []string{"ParentAdapter", "VMName", "NetAdapterName"}, func(r *machines.GuestRow) []string {
		return []string{r.Name, r.VM, r.Mapping}
	}), nil
}

// getVMSwitch implements Get-VMSwitch. It prints the columns of Windows.
func getVMSwitch(p *powershell.Invocation) (exec.Answer, error) {
	answer, err := machines.SwitchRows(p.View, p.Value("Name"))
	if err != nil || len(p.View.Switches) == 0 {
		return answer, err
	}
	devices := map[string]string{}
	for i := range p.View.Adapters {
		for _, port := range p.View.Adapters[i].Ports {
			devices[port.Description.Connection] = port.Description.Device
		}
	}
	answer.Text = func(w io.Writer) error {
		t := exec.NewWideTable(w, 3, "Name", "SwitchType", "NetAdapterInterfaceDescription", "Id", "NetAdapterName", "AllowManagementOS", "IovEnabled",
			"IovSupport", "IovSupportReasons", "PacketDirectEnabled", "EmbeddedTeamingEnabled")
		for i := range p.View.Switches {
			s := &p.View.Switches[i]
			if p.Has("Name") && !strings.EqualFold(s.Name, p.Value("Name")) {
				continue
			}
			on := cmp.Or(s.Connection, s.Team)
			t.Row(s.Name, "External", cmp.Or(devices[on], on), strings.ToLower(strings.Trim(s.GUID, "{}")), on, powershell.BoolText(s.ManagementOS), powershell.BoolText(s.IOV), powershell.BoolText(s.IovSupport), s.Why,
				powershell.BoolText(s.PacketDirect), powershell.BoolText(s.Embedded()))
		}
		return t.Flush()
	}
	return answer, nil
}

// vfpExtensions returns the names of the filter platform: the one before Windows Server 2016, and the one since.
func vfpExtensions() []string {
	return []string{"Windows Azure VFP Switch Extension", "Microsoft Azure VFP Switch Extension"}
}

// switchExtension returns a cmdlet that enables or disables the filter platform of a virtual switch.
func switchExtension(on bool) func(*powershell.Invocation) (exec.Answer, error) {
	return powershell.Bound(func(p *powershell.Invocation, in *struct {
		VMSwitchName *virtualization.SwitchView `need:"the name of a virtual switch"`
	}) (exec.Answer, error) {
		if _, err := powershell.ChooseWord(p.Command, "Name", p.Values["Name"], append(vfpExtensions(),
			string(virtualization.ExtensionVFP))); err != nil {
			return exec.Answer{}, err
		}
		extension := new(virtualization.ExtensionVFP)
		if !on {
			*extension = ""
		}
		return p.Call.ApplyOne(virtualization.SetSwitch{Switch: in.VMSwitchName.Name, Extension: extension})
	})
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

// firstPort is the number of the first adapter's port at a virtual switch; the port to the card comes before it.
const firstPort = 2

// vfpPorts returns the ports of all virtual switches, sorted by switch, the host's adapters first.
func vfpPorts(c *exec.Call) (rows []switchPortRow, err error) {
	view, err := c.View()
	if err != nil {
		return nil, err
	}
	var ports []virtualization.SwitchPortView
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
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
		a := machines.FindAdapter(view, v.VM, v.Adapter)
		rows = append(rows, switchPortRow{
			v.Name, v.Switch, v.SwitchID, firstPort + next[v.Switch], v.Type, v.VM, v.Adapter, v.NIC, powershell.WindowsMAC(v.MAC), v.VMQ, v.Blocked,
			a != nil && a.Released,
		})
		next[v.Switch]++
	}
	return rows, err
}

// vfpList implements vfpctrl /list-vmswitch-port.
func vfpList(c *exec.Call) (exec.Answer, error) {
	rows, err := vfpPorts(c)
	if err != nil {
		return exec.Answer{}, err
	}
	var lines []string
	for _, r := range rows {
		usage := map[bool]string{true: "1", false: "0"}
		state := map[bool]string{true: "Port is Disabled.",
			false: "Port is Initialized."}[r.released] //nolint:misspell // the tool's own word
		b := powershell.Block{
			{"Port name", r.Name}, {"Port Friendly name", ""}, {"Switch name", r.SwitchID}, {"Switch Friendly name", r.Switch},
			{"PortId", strconv.Itoa(r.ID)}, {"VMQ Usage", usage[r.VMQ]}, {"SR-IOV Usage", usage[r.Type == "SR-IOV"]}, {"Port type",
				r.Type},
			{"NIC name", r.NIC}, {"NIC Friendly name", r.Adapter}, {"MTU", "1500"}, {"MAC address", r.MAC}, {"VM name", r.VM},
		}
		const portLines = 8 // the other lines are about the adapter
		all := b.Lines()
		lines = slices.Concat(lines, all[:portLines], []string{state, "MAC Learning is Disabled."}, all[portLines:],
			[]string{""})
	}
	lines = append(lines, "Command list-vmswitch-port succeeded!")
	return exec.PrintLines(lines, struct {
		Ports []switchPortRow `json:"ports"`
	}{rows}), nil
}

// vfpPort returns a command of vfpctrl that removes a port from the filter platform, or with back adds it again.
func vfpPort(verb string, back bool) func(*exec.Call) (exec.Answer, error) {
	return func(c *exec.Call) (exec.Answer, error) {
		name := ""
		for i, word := range c.Arguments {
			if strings.EqualFold(word, "/port") && i+1 < len(c.Arguments) {
				name = c.Arguments[i+1]
			}
		}
		if name == "" || len(c.Arguments) != 2 {
			return exec.Answer{}, exec.Mistake("vfpctrl /%s requires /port with the name of a port; vfpctrl /list-vmswitch-port "+
				"prints them", verb)
		}
		rows, err := vfpPorts(c)
		if err != nil {
			return exec.Answer{}, err
		}
		for _, r := range rows {
			if !strings.EqualFold(r.Name, strings.Trim(name, "{}")) {
				continue
			}
			if r.VM == "" {
				return exec.Answer{}, fmt.Errorf("%s is a port of the host, which the filter platform does not block", r.Name)
			}
			o := virtualization.ReleasePort{VM: r.VM, Adapter: r.Adapter, Back: back}
			entry, err := c.Do(driver.Plan{Title: wording.UpperFirst(o.Describe()), Operations: []driver.Operation{o}})
			if err != nil {
				return exec.Answer{}, err
			}
			return exec.PrintLines(append([]string{"Command " + verb + " succeeded!"}, entry.ChangesNothing()...), struct {
				Change exec.EntryRow `json:"change"`
			}{entry}), nil
		}
		return exec.Answer{}, request.Errorf("no virtual switch has a port %q; vfpctrl /list-vmswitch-port prints the names", name)
	}
}
