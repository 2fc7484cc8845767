package exec

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device"
	"cxdeck/driver"
)

// guests are the network adapters that -VMName, -Name and -ManagementOS mean: those of a machine, or of the host.
// Without either, the adapters of all machines.
func (p *cmdlet) guests() (list []driver.VMAdapterView, err error) {
	switch {
	case p.flag("ManagementOS") && p.has("VMName"):
		return nil, mistake("%s takes -VMName or -ManagementOS, and not both", p.command)
	case p.flag("ManagementOS"):
		list = slices.Clone(p.view.HostAdapters)
	case p.has("VMName"):
		m, err := findVM(p.view, p.value("VMName"))
		if err != nil {
			return nil, err
		}
		list = slices.Clone(m.Adapters)
	default:
		for i := range p.view.VMs {
			list = append(list, p.view.VMs[i].Adapters...)
		}
	}
	if name := p.value("Name"); name != "" {
		var names []string
		for i := range list {
			names = append(names, list[i].Name)
		}
		list = slices.DeleteFunc(list, func(a driver.VMAdapterView) bool { return !strings.EqualFold(a.Name, name) })
		if len(list) == 0 {
			return nil, fmt.Errorf("no network adapter is called %q there%s", name, perhaps(name, names,
				"Get-VMNetworkAdapter lists them"))
		}
	}
	return list, nil
}

// meant are the adapters that a change is for. What has neither machine nor name is a mistake.
func (p *cmdlet) meant() ([]driver.VMAdapterView, error) {
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

// whose are the parameters that say which network adapters are meant; name is the one for their name.
func whose(name psParameter) []psParameter {
	return []psParameter{psOne("VMName"), name, psFlag("ManagementOS")}
}

// onGuests applies an Operation for each network adapter that is meant, in one plan.
func (p *cmdlet) onGuests(change func(*driver.VMAdapterView) driver.Operation) (answer, error) {
	list, err := p.meant()
	if err != nil {
		return answer{}, err
	}
	return p.each(list, change)
}

func (p *cmdlet) each(list []driver.VMAdapterView, change func(*driver.VMAdapterView) driver.Operation) (answer,
	error) {
	var operations []driver.Operation
	for i := range list {
		operations = append(operations, change(&list[i]))
	}
	return p.apply(fmt.Sprintf("Change %d network adapters", len(list)), operations...)
}

// listed shows network adapters.
func listed(list []driver.VMAdapterView, headings []string, cells func(*guestRow) []string) answer {
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

func (p *cmdlet) showGuests(list []driver.VMAdapterView) answer {
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

// adapterSettings are the parameters of Set-VMNetworkAdapter that set something.
func adapterSettings() []psParameter {
	return []psParameter{
		psNamed("IovWeight"), psNamed("IovQueuePairsRequested"), psNamed("VmqWeight"), psNamed("VmmqEnabled"),
		psNamed("VmmqQueuePairs"),
		psNamed("StaticMacAddress"), psFlag("DynamicMacAddress"), psNamed("VirtualSubnetId"),
	}
}

// guestChange is what the parameters of Set-VMNetworkAdapter set.
func (p *cmdlet) guestChange() (o driver.SetVMAdapter, err error) {
	for parameter, into := range map[string]**int{
		"IovWeight": &o.IovWeight, "IovQueuePairsRequested": &o.IovQueuePairs, "VmqWeight": &o.VmqWeight,
		"VmmqQueuePairs": &o.VmmqQueuePairs,
	} {
		if err := p.number(parameter, into); err != nil {
			return o, err
		}
	}
	if err := p.truth("VmmqEnabled", &o.VmmqEnabled); err != nil {
		return o, err
	}
	if p.has("StaticMacAddress") {
		mac, err := readMAC(p.value("StaticMacAddress"))
		if err != nil {
			return o, err
		}
		o.MAC = &mac
	}
	if p.flag("DynamicMacAddress") {
		if o.MAC != nil {
			return o, mistake("%s takes -StaticMacAddress or -DynamicMacAddress, and not both", p.command)
		}
		o.MAC = new(device.MAC)
	}
	if p.has("VirtualSubnetId") {
		n, err := strconv.ParseUint(p.value("VirtualSubnetId"), 10, 24)
		if err != nil {
			return o, mistake("-VirtualSubnetId of %s is a number, and %q is none", p.command, p.value("VirtualSubnetId"))
		}
		o.VirtualSubnet = new(uint32(n))
	}
	if !slices.ContainsFunc(adapterSettings(), func(one psParameter) bool { return p.has(one.name) }) {
		return o, mistake("%s changes nothing: say what", p.command)
	}
	return o, nil
}

func setVMNetworkAdapter(p *cmdlet) (answer, error) {
	o, err := p.guestChange()
	if err != nil {
		return answer{}, err
	}
	return p.onGuests(func(a *driver.VMAdapterView) driver.Operation {
		o.VM, o.Adapter = a.VM, a.Name
		return o
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
	o.Adapter = driver.NewVMAdapter(name, at)
	if p.has("StaticMacAddress") {
		mac, err := readMAC(p.value("StaticMacAddress"))
		if err != nil {
			return answer{}, err
		}
		o.Adapter.MAC, o.Adapter.StaticMAC = mac, true
	}
	return p.call.one(o)
}

func removeVMNetworkAdapter(p *cmdlet) (answer, error) {
	return p.onGuests(func(a *driver.VMAdapterView) driver.Operation {
		return driver.RemoveVMAdapter{VM: a.VM, Adapter: a.Name}
	})
}

func connectVMNetworkAdapter(p *cmdlet) (answer, error) {
	s, err := p.vmSwitch("SwitchName")
	if err != nil {
		return answer{}, err
	}
	return p.onGuests(func(a *driver.VMAdapterView) driver.Operation {
		return driver.SetVMAdapter{VM: a.VM, Adapter: a.Name, Switch: &s.Name}
	})
}

func disconnectVMNetworkAdapter(p *cmdlet) (answer, error) {
	return p.onGuests(func(a *driver.VMAdapterView) driver.Operation {
		return driver.SetVMAdapter{VM: a.VM, Adapter: a.Name, Switch: new(string)}
	})
}

func setVMNetworkAdapterVlan(p *cmdlet) (answer, error) {
	vlan := 0
	switch {
	case p.flag("Untagged") && (p.flag("Access") || p.has("VlanId")):
		return answer{}, mistake("%s takes -Untagged, or -Access with -VlanId, and not both", p.command)
	case p.flag("Untagged"):
	case p.has("VlanId"):
		n, err := strconv.Atoi(p.value("VlanId"))
		if err != nil || n < 1 || n > 4094 {
			return answer{}, mistake("-VlanId of %s is 1 to 4094, and not %q", p.command, p.value("VlanId"))
		}
		vlan = n
	default:
		return answer{}, mistake("%s needs -Access -VlanId with an id, or -Untagged", p.command)
	}
	return p.onGuests(func(a *driver.VMAdapterView) driver.Operation {
		return driver.SetVMAdapter{VM: a.VM, Adapter: a.Name, VLAN: &vlan}
	})
}

func setVMNetworkAdapterRdma(p *cmdlet) (answer, error) {
	var weight *int
	if err := p.number("RdmaWeight", &weight); err != nil {
		return answer{}, err
	}
	if weight == nil {
		return answer{}, mistake("%s needs -RdmaWeight with 0 to 100", p.command)
	}
	return p.onGuests(func(a *driver.VMAdapterView) driver.Operation {
		return driver.SetVMAdapter{VM: a.VM, Adapter: a.Name, RdmaWeight: weight}
	})
}

func getVMNetworkAdapterRdma(p *cmdlet) (answer, error) {
	list, err := p.guests()
	if err != nil {
		return answer{}, err
	}
	return listed(list, []string{"Name", "VMName", "RdmaWeight"}, func(r *guestRow) []string {
		return []string{r.Name, r.VM, strconv.Itoa(r.RdmaWeight)}
	}), nil
}

// getVMNetworkAdapter is Get-VMNetworkAdapter, alone or at the front of a pipe: | where {$_.MacAddress -eq MAC} leaves
// some of the adapters, | Set-VMNetworkAdapter changes them.
func getVMNetworkAdapter(c *call) (answer, error) {
	const command = "Get-VMNetworkAdapter"
	parts := [][]string{{}}
	for _, word := range c.arguments {
		if word == "|" {
			parts = append(parts, nil)
			continue
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], word)
	}
	c.arguments = parts[0]
	var list []driver.VMAdapterView
	var p *cmdlet
	_, err := onCmdlet(command, append(whose(psAlso(psNamed("Name"), "VMNetworkAdapterName")), psFlag("All")),
		func(one *cmdlet) (_ answer, err error) {
			p = one
			list, err = p.guests()
			return answer{}, err
		})(c)
	if err != nil {
		return answer{}, err
	}
	if p.flag("All") {
		list = append(list, p.view.HostAdapters...)
	}
	for _, part := range parts[1:] {
		if len(part) == 0 {
			return answer{}, mistake("a | needs a command behind it")
		}
		switch strings.ToLower(part[0]) {
		case "where", "where-object", "?":
			if list, err = where(list, part[1:]); err != nil {
				return answer{}, err
			}
			continue
		case "set-vmnetworkadapter", "remove-vmnetworkadapter":
		default:
			return answer{}, mistake("behind | there can be where {$_.MacAddress -eq MAC}, Set-VMNetworkAdapter or "+
				"Remove-VMNetworkAdapter, "+
				"and not %q", part[0])
		}
		if c.runner.ReadOnly {
			return answer{}, fmt.Errorf("read-only mode is on, and %s would change the host; leave --read-only out to do it",
				part[0])
		}
		if len(list) == 0 {
			return answer{}, fmt.Errorf("no network adapter is left for %s", part[0])
		}
		if strings.EqualFold(part[0], "Remove-VMNetworkAdapter") {
			return p.each(list, func(a *driver.VMAdapterView) driver.Operation {
				return driver.RemoveVMAdapter{VM: a.VM, Adapter: a.Name}
			})
		}
		values, err := psRead("Set-VMNetworkAdapter", part[1:], adapterSettings())
		if err != nil {
			return answer{}, err
		}
		set := &cmdlet{c, "Set-VMNetworkAdapter", values, p.view}
		o, err := set.guestChange()
		if err != nil {
			return answer{}, err
		}
		return set.each(list, func(a *driver.VMAdapterView) driver.Operation {
			o.VM, o.Adapter = a.VM, a.Name
			return o
		})
	}
	return p.showGuests(list), nil
}

// where are the adapters of a list that have a value: {$_.MacAddress -eq 00155D720100}.
func where(list []driver.VMAdapterView, words []string) ([]driver.VMAdapterView, error) {
	fields := strings.Fields(strings.Trim(strings.Join(words, " "), "{} "))
	if len(fields) < 3 || !strings.EqualFold(fields[1], "-eq") {
		return nil, mistake("write where {$_.MacAddress -eq MAC}; -eq is what it compares with")
	}
	value := strings.Join(fields[2:], " ")
	of := map[string]func(*driver.VMAdapterView) string{
		"$_.macaddress": func(a *driver.VMAdapterView) string { return hyperVMAC(a.MAC) },
		"$_.name":       func(a *driver.VMAdapterView) string { return a.Name },
		"$_.switchname": func(a *driver.VMAdapterView) string { return a.Switch },
		"$_.vmname":     func(a *driver.VMAdapterView) string { return a.VM },
	}[strings.ToLower(fields[0])]
	if of == nil {
		return nil, mistake("%q is none of $_.MacAddress, $_.Name, $_.SwitchName, $_.VMName", fields[0])
	}
	var left []driver.VMAdapterView
	for i := range list {
		if strings.EqualFold(of(&list[i]), value) {
			left = append(left, list[i])
		}
	}
	return left, nil
}
