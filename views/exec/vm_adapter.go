package exec

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
)

// guests are the network adapters that -VMName, -Name and -ManagementOS mean: those of a machine, or of the host.
// Without either, the adapters of all machines.
func (p *cmdlet) guests() (list []virtualization.VMAdapterView, err error) {
	switch {
	case p.flag("ManagementOS") && p.has("VMName"):
		return nil, mistake("%s takes -VMName or -ManagementOS, and not both", p.command)
	case p.flag("ManagementOS"):
		list = slices.Clone(p.view.HostAdapters)
	default:
		names, err := p.vms("VMName")
		if err != nil {
			return nil, err
		}
		for i := range p.view.VMs {
			if slices.Contains(names, p.view.VMs[i].Name) {
				list = append(list, p.view.VMs[i].Adapters...)
			}
		}
	}
	if name := p.value("Name"); name != "" {
		var names []string
		for i := range list {
			names = append(names, list[i].Name)
		}
		list = slices.DeleteFunc(list, func(a virtualization.VMAdapterView) bool { return !matches(name, a.Name) })
		if len(list) == 0 && !wild(name) {
			return nil, fmt.Errorf("no network adapter is called %q there%s", name, suggest(name, names,
				"Get-VMNetworkAdapter lists them"))
		}
	}
	return list, nil
}

// meant are the adapters that a change is for. What has neither machine nor name is a mistake.
func (p *cmdlet) meant() ([]virtualization.VMAdapterView, error) {
	if !p.has("VMName") && !p.flag("ManagementOS") && !p.has("Name") {
		return nil, mistake("%s needs -VMName with a virtual machine, or -ManagementOS", p.command)
	}
	list, err := p.guests()
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, fmt.Errorf("there is no network adapter; Add-VMNetworkAdapter makes one")
	case len(list) > 1 && !p.has("VMName") && !p.flag("ManagementOS"):
		return nil, mistake("%d network adapters are called %q; say whose with -VMName", len(list), p.value("Name"))
	}
	return list, nil
}

// listed shows network adapters.
func listed(list []virtualization.VMAdapterView, headings []string, cells func(*guestRow) []string) answer {
	rows := []guestRow{}
	for i := range list {
		rows = append(rows, guestOf(&list[i]))
	}
	return answer{
		result: struct {
			Adapters []guestRow `json:"adapters"`
		}{rows},
		text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "There are no such network adapters.")
				return err
			}
			t := newTable(w, headings...)
			for i := range rows {
				t.row(cells(&rows[i])...)
			}
			return t.Flush()
		},
	}
}

func (p *cmdlet) showGuests(list []virtualization.VMAdapterView) answer {
	return listed(list, []string{"Name", "IsManagementOs", "VMName", "SwitchName", "MacAddress", "Status", "IovWeight",
		"VmqWeight"},
		func(r *guestRow) []string {
			status := "{Ok}"
			if r.Why != "" {
				status = r.Why
			}
			return []string{
				r.Name, title(r.VM == ""), r.VM, r.Switch, strings.ToUpper(strings.ReplaceAll(r.MAC, ":", "")), status,
				strconv.Itoa(r.IovWeight), strconv.Itoa(r.VmqWeight),
			}
		})
}

func addVMNetworkAdapter(p *cmdlet) (answer, error) {
	o := driver.AddVMAdapter{}
	switch {
	case p.flag("ManagementOS") && p.has("VMName"):
		return answer{}, mistake("%s takes -VMName or -ManagementOS, and not both", p.command)
	case !p.flag("ManagementOS"):
		m, err := p.vm("VMName")
		if err != nil {
			return answer{}, err
		}
		o.VM = m.Name
	}
	at, name := "", p.value("Name")
	if p.has("SwitchName") || p.flag("ManagementOS") {
		s, err := p.vmSwitch("SwitchName")
		if err != nil {
			return answer{}, err
		}
		if at = s.Name; name == "" && p.flag("ManagementOS") {
			name = s.Name
		}
	}
	for number := 1; name == ""; number++ {
		try := networkAdapter
		if number > 1 {
			try = fmt.Sprintf("%s %d", networkAdapter, number)
		}
		if vmAdapterView(p.view, o.VM, try) == nil {
			name = try
		}
	}
	o.Adapter = virtualization.NewVMAdapter(name, at)
	if p.has("StaticMacAddress") {
		mac, err := readMAC(p.value("StaticMacAddress"))
		if err != nil {
			return answer{}, err
		}
		o.Adapter.MAC, o.Adapter.StaticMAC = mac, true
	}
	return p.call.one(o)
}

func getVMNetworkAdapterRdma(p *cmdlet) (answer, error) {
	list, err := p.guests()
	if err != nil {
		return answer{}, err
	}
	for i := range list {
		for _, limit := range list[i].Limits {
			p.call.note(limit)
		}
	}
	return listed(list, []string{"Name", "VMName", "RdmaWeight"}, func(r *guestRow) []string {
		return []string{r.Name, r.VM, strconv.Itoa(r.RdmaWeight)}
	}), nil
}
