package hyperv

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver/request"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
	"cxdeck/views/exec/machines"
	"cxdeck/views/exec/powershell"
)

// selectedGuests returns the network adapters that -VMName, -ManagementOS and -Name select; the adapters of all machines without
// these parameters.
func selectedGuests(p *powershell.Invocation) (list []virtualization.VMAdapterView, err error) {
	switch {
	case p.Flag("ManagementOS") && p.Has("VMName"):
		return nil, exec.Mistake("%s takes -VMName or -ManagementOS, not both", p.Command)
	case p.Flag("ManagementOS"):
		list = slices.Clone(p.View.HostAdapters)
	default:
		names, err := namedMachines(p, "VMName")
		if err != nil {
			return nil, err
		}
		for i := range p.View.VMs {
			if slices.Contains(names, p.View.VMs[i].Name) {
				list = append(list, p.View.VMs[i].Adapters...)
			}
		}
	}
	if name := p.Value("Name"); name != "" {
		var names []string
		for i := range list {
			names = append(names, list[i].Name)
		}
		list = slices.DeleteFunc(list, func(a virtualization.VMAdapterView) bool { return !powershell.Matches(name, a.Name) })
		if len(list) == 0 && !powershell.IsPattern(name) {
			return nil, request.Errorf("there is no network adapter %q%s", name, exec.Suggest(name, names,
				"Get-VMNetworkAdapter lists them"))
		}
	}
	return list, nil
}

// targetAdapters returns the adapters that a cmdlet changes. It is an error if -VMName, -ManagementOS and -Name are all
// missing, or if -Name alone matches several adapters.
func targetAdapters(p *powershell.Invocation) ([]virtualization.VMAdapterView, error) {
	if !p.Has("VMName") && !p.Flag("ManagementOS") && !p.Has("Name") {
		return nil, exec.Mistake("%s requires -VMName with a virtual machine, or -ManagementOS", p.Command)
	}
	list, err := selectedGuests(p)
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, fmt.Errorf("there is no network adapter; Add-VMNetworkAdapter adds one")
	case len(list) > 1 && !p.Has("VMName") && !p.Flag("ManagementOS"):
		return nil, exec.Mistake("%d network adapters are named %q; choose the machine with -VMName", len(list), p.Value("Name"))
	}
	return list, nil
}

// listGuests returns the answer that lists network adapters; cells returns the cells of a row for the headings, of which the first are
// printed.
func listGuests(list []virtualization.VMAdapterView, printed int, headings []string, cells func(*machines.GuestRow) []string) exec.Answer {
	rows := []machines.GuestRow{}
	for i := range list {
		rows = append(rows, machines.GuestOf(&list[i]))
	}
	return exec.Answer{
		Result: struct {
			Adapters []machines.GuestRow `json:"adapters"`
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
func getVMNetworkAdapter(p *powershell.Invocation) (exec.Answer, error) {
	list, err := selectedGuests(p)
	if err != nil {
		return exec.Answer{}, err
	}
	if p.Flag("All") {
		list = append(list, p.View.HostAdapters...)
	}
	return showGuests(list), nil
}

func showGuests(list []virtualization.VMAdapterView) exec.Answer {
	return listGuests(list, 8, []string{"Name", "IsManagementOs", "VMName", "SwitchName", "MacAddress", "Status", "IovWeight", "VmqWeight",
		"IovQueuePairsRequested", "IovQueuePairsAssigned", "VmmqEnabled", "VmmqQueuePairsRequested", "VmmqQueuePairs", "DynamicMacAddressEnabled",
		"VirtualSubnetId"},
		func(r *machines.GuestRow) []string {
			status := "{Ok}"
			if r.Why != "" {
				status = r.Why
			}
			return []string{
				r.Name, powershell.BoolText(r.VM == ""), r.VM, r.Switch, strings.ToUpper(strings.ReplaceAll(r.MAC, ":", "")), status,
				strconv.Itoa(r.IovWeight), strconv.Itoa(r.VmqWeight),
				strconv.Itoa(r.IovQueuePairs), strconv.Itoa(r.IovGranted), powershell.BoolText(r.VmmqEnabled), strconv.Itoa(r.VmmqQueuePairs),
				strconv.Itoa(r.VmmqGranted), powershell.BoolText(!r.Static), fmt.Sprint(r.Subnet),
			}
		})
}

func addVMNetworkAdapter(p *powershell.Invocation) (exec.Answer, error) {
	o := virtualization.AddVMAdapter{}
	switch {
	case p.Flag("ManagementOS") && p.Has("VMName"):
		return exec.Answer{}, exec.Mistake("%s takes -VMName or -ManagementOS, not both", p.Command)
	case !p.Flag("ManagementOS"):
		m, err := requiredMachine(p, "VMName")
		if err != nil {
			return exec.Answer{}, err
		}
		o.VM = m.Name
	}
	switchName, name := "", p.Value("Name")
	if p.Has("SwitchName") || p.Flag("ManagementOS") {
		var in struct {
			SwitchName *virtualization.SwitchView `need:"the name of a virtual switch"`
		}
		if err := p.Bind(&in); err != nil {
			return exec.Answer{}, err
		}
		if switchName = in.SwitchName.Name; name == "" && p.Flag("ManagementOS") {
			name = switchName
		}
	}
	for number := 1; name == ""; number++ {
		candidate := machines.NetworkAdapter
		if number > 1 {
			candidate = fmt.Sprintf("%s %d", machines.NetworkAdapter, number)
		}
		if machines.FindAdapter(p.View, o.VM, candidate) == nil {
			name = candidate
		}
	}
	o.Adapter = virtualization.NewVMAdapter(name, switchName)
	if p.Has("StaticMacAddress") {
		mac, err := exec.ReadMAC(p.Value("StaticMacAddress"))
		if err != nil {
			return exec.Answer{}, err
		}
		o.Adapter.MAC, o.Adapter.StaticMAC = mac, true
	}
	return p.Call.ApplyOne(o)
}

func getVMNetworkAdapterRdma(p *powershell.Invocation) (exec.Answer, error) {
	list, err := selectedGuests(p)
	if err != nil {
		return exec.Answer{}, err
	}
	for i := range list {
		for _, limit := range list[i].Limits {
			p.Call.Note(limit)
		}
	}
	return listGuests(list, 3, []string{"Name", "VMName", "RdmaWeight"}, func(r *machines.GuestRow) []string {
		return []string{r.Name, r.VM, strconv.Itoa(r.RdmaWeight)}
	}), nil
}
