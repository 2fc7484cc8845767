package powershell

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver/request"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
)

// guests returns the network adapters that -VMName, -ManagementOS and -Name select; the adapters of all machines without
// these parameters.
func (p *invocation) guests() (list []virtualization.VMAdapterView, err error) {
	switch {
	case p.flag("ManagementOS") && p.hasParameter("VMName"):
		return nil, exec.Mistake("%s takes -VMName or -ManagementOS, not both", p.command)
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
		if len(list) == 0 && !isPattern(name) {
			return nil, request.Errorf("there is no network adapter %q%s", name, exec.Suggest(name, names,
				"Get-VMNetworkAdapter lists them"))
		}
	}
	return list, nil
}

// targetAdapters returns the adapters that a cmdlet changes. It is an error if -VMName, -ManagementOS and -Name are all
// missing, or if -Name alone matches several adapters.
func (p *invocation) targetAdapters() ([]virtualization.VMAdapterView, error) {
	if !p.hasParameter("VMName") && !p.flag("ManagementOS") && !p.hasParameter("Name") {
		return nil, exec.Mistake("%s requires -VMName with a virtual machine, or -ManagementOS", p.command)
	}
	list, err := p.guests()
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, fmt.Errorf("there is no network adapter; Add-VMNetworkAdapter adds one")
	case len(list) > 1 && !p.hasParameter("VMName") && !p.flag("ManagementOS"):
		return nil, exec.Mistake("%d network adapters are named %q; choose the machine with -VMName", len(list), p.value("Name"))
	}
	return list, nil
}

// listGuests returns the answer that lists network adapters; cells returns the cells of a row for the headings, of which the first are
// printed.
func listGuests(list []virtualization.VMAdapterView, printed int, headings []string, cells func(*exec.GuestRow) []string) exec.Answer {
	rows := []exec.GuestRow{}
	for i := range list {
		rows = append(rows, exec.GuestOf(&list[i]))
	}
	return exec.Answer{
		Result: struct {
			Adapters []exec.GuestRow `json:"adapters"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "No network adapter matches.")
				return err
			}
			t := exec.NewWideTable(w, printed, headings...)
			for i := range rows {
				t.Row(cells(&rows[i])...)
			}
			return t.Flush()
		},
	}
}

// getVMNetworkAdapter implements Get-VMNetworkAdapter.
func getVMNetworkAdapter(p *invocation) (exec.Answer, error) {
	list, err := p.guests()
	if err != nil {
		return exec.Answer{}, err
	}
	if p.flag("All") {
		list = append(list, p.view.HostAdapters...)
	}
	return p.showGuests(list), nil
}

func (p *invocation) showGuests(list []virtualization.VMAdapterView) exec.Answer {
	return listGuests(list, 8, []string{"Name", "IsManagementOs", "VMName", "SwitchName", "MacAddress", "Status", "IovWeight", "VmqWeight",
		"IovQueuePairsRequested", "IovQueuePairsAssigned", "VmmqEnabled", "VmmqQueuePairsRequested", "VmmqQueuePairs", "DynamicMacAddressEnabled",
		"VirtualSubnetId"},
		func(r *exec.GuestRow) []string {
			status := "{Ok}"
			if r.Why != "" {
				status = r.Why
			}
			return []string{
				r.Name, boolText(r.VM == ""), r.VM, r.Switch, strings.ToUpper(strings.ReplaceAll(r.MAC, ":", "")), status,
				strconv.Itoa(r.IovWeight), strconv.Itoa(r.VmqWeight),
				strconv.Itoa(r.IovQueuePairs), strconv.Itoa(r.IovGranted), boolText(r.VmmqEnabled), strconv.Itoa(r.VmmqQueuePairs),
				strconv.Itoa(r.VmmqGranted), boolText(!r.Static), fmt.Sprint(r.Subnet),
			}
		})
}

func addVMNetworkAdapter(p *invocation) (exec.Answer, error) {
	o := virtualization.AddVMAdapter{}
	switch {
	case p.flag("ManagementOS") && p.hasParameter("VMName"):
		return exec.Answer{}, exec.Mistake("%s takes -VMName or -ManagementOS, not both", p.command)
	case !p.flag("ManagementOS"):
		m, err := p.vm("VMName")
		if err != nil {
			return exec.Answer{}, err
		}
		o.VM = m.Name
	}
	switchName, name := "", p.value("Name")
	if p.hasParameter("SwitchName") || p.flag("ManagementOS") {
		var in struct {
			SwitchName *virtualization.SwitchView `need:"the name of a virtual switch"`
		}
		if err := p.bind(&in); err != nil {
			return exec.Answer{}, err
		}
		if switchName = in.SwitchName.Name; name == "" && p.flag("ManagementOS") {
			name = switchName
		}
	}
	for number := 1; name == ""; number++ {
		candidate := exec.NetworkAdapter
		if number > 1 {
			candidate = fmt.Sprintf("%s %d", exec.NetworkAdapter, number)
		}
		if exec.FindVMAdapter(p.view, o.VM, candidate) == nil {
			name = candidate
		}
	}
	o.Adapter = virtualization.NewVMAdapter(name, switchName)
	if p.hasParameter("StaticMacAddress") {
		mac, err := exec.ReadMAC(p.value("StaticMacAddress"))
		if err != nil {
			return exec.Answer{}, err
		}
		o.Adapter.MAC, o.Adapter.StaticMAC = mac, true
	}
	return p.call.ApplyOne(o)
}

func getVMNetworkAdapterRdma(p *invocation) (exec.Answer, error) {
	list, err := p.guests()
	if err != nil {
		return exec.Answer{}, err
	}
	for i := range list {
		for _, limit := range list[i].Limits {
			p.call.Note(limit)
		}
	}
	return listGuests(list, 3, []string{"Name", "VMName", "RdmaWeight"}, func(r *exec.GuestRow) []string {
		return []string{r.Name, r.VM, strconv.Itoa(r.RdmaWeight)}
	}), nil
}
