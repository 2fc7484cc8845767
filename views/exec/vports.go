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

// vportRow is a virtual port as JSON.
type vportRow struct {
	Connection string `json:"connection"`
	ID         int    `json:"vport_id"`
	Function   *int   `json:"virtual_function"`
	MAC        string `json:"mac"`
	VLAN       int    `json:"vlan"`
	Processor  int    `json:"processor"`
	QueuePairs int    `json:"queue_pairs"`
	VM         string `json:"vm,omitempty"`
	Adapter    string `json:"adapter,omitempty"`
}

func getNetAdapterVPort(p *cmdlet) (answer, error) {
	only := ""
	if p.has("Name") {
		var err error
		if only, err = p.connection("Name"); err != nil {
			return answer{}, err
		}
	}
	rows := []vportRow{}
	err := p.call.host.Look(p.call.ctx, func(h *driver.Host) error {
		for _, v := range h.VPorts() {
			if only != "" && v.Connection != only {
				continue
			}
			row := vportRow{v.Connection, v.ID, nil, dashed(v.MAC), v.VLAN, v.Processor, v.QueuePairs, v.VM, v.Adapter}
			if v.Function != device.NoFunction {
				row.Function = new(v.Function)
			}
			rows = append(rows, row)
		}
		return nil
	})
	return answer{
		result: struct {
			VPorts []vportRow `json:"vports"`
		}{rows},
		text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "There are no virtual ports: they come with a virtual switch.")
				return err
			}
			t := newTable(w, "Name", "ID", "MacAddress", "VID", "ProcMask", "FID", "State", "QPairs", "VM")
			for _, r := range rows {
				function := "PF"
				if r.Function != nil {
					function = strconv.Itoa(*r.Function)
				}
				vlan := ""
				if r.VLAN > 0 {
					vlan = strconv.Itoa(r.VLAN)
				}
				t.row(r.Connection, strconv.Itoa(r.ID), r.MAC, orDash(vlan), fmt.Sprintf("0:%d", r.Processor), function,
					"Activated",
					strconv.Itoa(r.QueuePairs), r.VM)
			}
			return t.Flush()
		},
	}, err
}

// rdmaRow is an adapter with whether it has RDMA as JSON.
type rdmaRow struct {
	Name        string `json:"name"`
	Description string `json:"interface_description"`
	Enabled     bool   `json:"enabled"`
}

// networkDirect is the key that says whether a port has RDMA for the kernel.
const networkDirect = "*NetworkDirect"

// getNetAdapterRdma shows the ports, and the adapters of the host at switches.
func getNetAdapterRdma(p *cmdlet) (answer, error) {
	rows := []rdmaRow{}
	ports, err := portViews(p.view, "")
	if err != nil {
		return answer{}, err
	}
	for _, port := range ports {
		d := port.Description
		if name := p.value("Name"); name != "" && !strings.EqualFold(name, d.Connection) {
			continue
		}
		t, err := p.call.target(d.Connection)
		if err != nil {
			return answer{}, err
		}
		if k, err := p.call.key(t, networkDirect); err == nil {
			rows = append(rows, rdmaRow{d.Connection, d.Device, !k.Effective.Exists() ||
				k.Effective.String() != "0"}) // on unless it says off
		}
	}
	for i := range p.view.HostAdapters {
		a := &p.view.HostAdapters[i]
		if name := p.value("Name"); name == "" || strings.EqualFold(name, a.Name) {
			rows = append(rows, rdmaRow{a.Name, "Hyper-V Virtual Ethernet Adapter", a.RdmaWeight > 0})
		}
	}
	return answer{
		result: struct {
			Adapters []rdmaRow `json:"adapters"`
		}{rows},
		text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "The host has no such adapter at a virtual switch.")
				return err
			}
			t := newTable(w, "Name", "InterfaceDescription", "Enabled")
			for _, r := range rows {
				t.row(r.Name, r.Description, title(r.Enabled))
			}
			return t.Flush()
		},
	}, nil
}

// switchFeature is a command of PowerShell that switches a feature of a connection on or off.
func switchFeature(feature driver.AdapterFeature, on bool) func(*cmdlet) (answer, error) {
	return func(p *cmdlet) (answer, error) {
		name, err := p.need("Name", "the name of a connection")
		if err != nil {
			return answer{}, err
		}
		if feature == driver.FeatureNetworkVirtualization {
			if _, err := oneOf(p.command, "ComponentID", p.values["ComponentID"], []string{string(feature)}); err != nil {
				return answer{}, err
			}
		}
		if feature == driver.FeatureRdma {
			var names []string
			for i := range p.view.HostAdapters {
				if a := &p.view.HostAdapters[i]; strings.EqualFold(a.Name, name) || strings.EqualFold("vEthernet ("+a.Name+")",
					name) {
					return p.call.one(driver.SetFeature{Connection: a.Name, Feature: feature, On: on})
				}
				names = append(names, p.view.HostAdapters[i].Name)
			}
			if name, err := connection(p.view, name); err == nil { // of a port it is a key
				value := map[bool]string{true: "1", false: "0"}[on]
				return p.call.one(driver.SetValue{Connection: name, Key: networkDirect, Value: value})
			}
			return answer{}, fmt.Errorf("the host has no adapter %q at a virtual switch%s", name, perhaps(name, names,
				"Get-NetAdapterRdma lists them"))
		}
		if name, err = connection(p.view, name); err != nil {
			return answer{}, err
		}
		return p.call.one(driver.SetFeature{Connection: name, Feature: feature, On: on})
	}
}

// resourceRow is what a function of a card uses of its resources, as JSON.
type resourceRow struct {
	Adapter  string `json:"adapter"`
	Function *int   `json:"virtual_function"`
	Resource string `json:"resource"`
	Quota    int    `json:"quota"`
	Used     int    `json:"used"`
	Managed  bool   `json:"managed_by_pf,omitempty"`
}

// trackedResource is a resource of the cards of WinOF: how many the hardware has, how many of them the firmware keeps,
// and how many a function uses for each queue pair. The manual shows the tracker in a figure only, without numbers.
type trackedResource struct {
	name                  string
	hardware, kept, basic int
	perPair               int
	managed               bool
}

func trackedResources() []trackedResource {
	return []trackedResource{
		{"QPs", 1 << 18, 256, 2, 1, false}, {"CQs", 1 << 16, 128, 2, 2, false}, {"SRQs", 1 << 16, 64, 0, 0, false},
		{"MPTs", 1 << 19, 256, 1, 1, false}, {"MTTs", 1 << 20, 4096, 8, 16, false}, {"FS_RULEs", 1 << 12, 32, 0, 1, true},
	}
}

// dbgResources is mlxtool dbg resources: what each virtual function of a card may use, and uses.
func dbgResources(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	at := ""
	switch len(c.arguments) {
	case 0:
	case 3:
		for i, word := range c.arguments {
			if _, err := wholeNumber(word, []string{"PCI bus", "PCI device", "PCI function"}[i]); err != nil {
				return answer{}, err
			}
		}
		at = strings.Join(c.arguments, " ")
	default:
		return answer{}, mistake("mlxtool dbg resources takes bus, device and function of a card, or nothing")
	}
	rows, found := []resourceRow{}, false
	for i := range view.Adapters {
		a := &view.Adapters[i]
		pci := a.Description.PCI
		if a.Description.Family != device.WinOF || at != "" && at != fmt.Sprintf("%d %d %d", pci.Bus, pci.Device,
			pci.Function) {
			continue
		}
		found = true
		rows = append(rows, resourcesOf(a)...)
	}
	if !found {
		return answer{}, fmt.Errorf("no card of WinOF is there; adapter show says where a card is plugged in")
	}
	return answer{
		result: struct {
			Resources []resourceRow `json:"resources"`
		}{rows},
		text: func(w io.Writer) error {
			t := newTable(w, "CARD", "FUNCTION", "RESOURCE", "QUOTA", "USED")
			for _, r := range rows {
				function, quota := "PF", strconv.Itoa(r.Quota)
				if r.Function != nil {
					function = fmt.Sprintf("VF%d", *r.Function)
				}
				if r.Managed {
					quota = "Managed by PF"
				}
				t.row(r.Adapter, function, r.Resource, quota, strconv.Itoa(r.Used))
			}
			return t.Flush()
		},
	}, nil
}

// resourcesOf is what the functions of a card may use and use. The physical function keeps half of what the firmware
// leaves, the virtual ones share the other half evenly.
func resourcesOf(a *driver.AdapterView) (rows []resourceRow) {
	var functions []driver.VFView
	for i := range a.Ports {
		functions = append(functions, a.Ports[i].SRIOV.VFs...)
	}
	for _, r := range trackedResources() {
		left := r.hardware - r.kept
		rows = append(rows, resourceRow{a.Description.Name, nil, r.name, left - left/2, r.basic + 16*len(a.Ports)*r.perPair,
			false})
		for number := range functions {
			row := resourceRow{Adapter: a.Description.Name, Function: new(number), Resource: r.name, Managed: r.managed}
			if !r.managed {
				row.Quota = left / 2 / len(functions)
			}
			if functions[number].State != driver.VFFree {
				row.Used = r.basic + functions[number].QueuePairs*r.perPair
			}
			rows = append(rows, row)
		}
	}
	number := func(f *int) int {
		if f == nil {
			return -1
		}
		return *f
	}
	slices.SortStableFunc(rows, func(a, b resourceRow) int { return number(a.Function) - number(b.Function) })
	return rows
}
