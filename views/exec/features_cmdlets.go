package exec

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/driver"
)

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
		t, err := p.call.target(d.Connection)
		if err != nil {
			return answer{}, err
		}
		if k, err := p.call.key(t, networkDirect); err == nil { // on unless it says off
			rows = append(rows, rdmaRow{d.Connection, d.Device, !k.Effective.Exists() || k.Effective.String() != "0"})
		}
	}
	for i := range p.view.HostAdapters {
		a := &p.view.HostAdapters[i]
		rows = append(rows, rdmaRow{a.Name, "Hyper-V Virtual Ethernet Adapter", a.RdmaWeight > 0})
	}
	if p.has("Name") {
		var names []string
		for _, r := range rows {
			names = append(names, r.Name)
		}
		meant, err := p.chosen("Name", names, func(typed string) error {
			return fmt.Errorf("no adapter with RDMA is called %q%s", typed, perhaps(typed, names, "Get-NetAdapterRdma lists "+
				"them"))
		})
		if err != nil {
			return answer{}, err
		}
		rows = slices.DeleteFunc(rows, func(r rdmaRow) bool { return !slices.Contains(meant, r.Name) })
	}
	return answer{
		result: struct {
			Adapters []rdmaRow `json:"adapters"`
		}{rows},
		text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "There are no such adapters with RDMA.")
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

// switchFeature is a command of PowerShell that switches a feature of connections on or off.
func switchFeature(feature driver.AdapterFeature, on bool) func(*cmdlet) (answer, error) {
	return func(p *cmdlet) (answer, error) {
		if feature == driver.FeatureNetworkVirtualization {
			if _, err := oneOf(p.command, "ComponentID", p.values["ComponentID"], []string{string(feature)}); err != nil {
				return answer{}, err
			}
		}
		if feature == driver.FeatureRdma {
			return p.switchRdma(on)
		}
		names, err := p.connections()
		if err != nil {
			return answer{}, err
		}
		return p.onEach(names, func(name string) driver.Operation {
			return driver.SetFeature{Connection: name, Feature: feature, On: on}
		})
	}
}

// switchRdma switches RDMA of adapters of the host at virtual switches, or of connections, where a key has it.
func (p *cmdlet) switchRdma(on bool) (answer, error) {
	if _, err := p.need("Name", "the name of a connection"); err != nil {
		return answer{}, err
	}
	ofHost := map[string]bool{}
	var names []string
	for i := range p.view.HostAdapters {
		name := p.view.HostAdapters[i].Name
		ofHost[name] = true
		names = append(names, name)
	}
	ports, err := portViews(p.view, "")
	if err != nil {
		return answer{}, err
	}
	for _, port := range ports {
		names = append(names, port.Description.Connection)
	}
	for i, typed := range p.values["Name"] { // as Windows calls an adapter of the host
		if inner, ok := strings.CutPrefix(typed, "vEthernet ("); ok && strings.HasSuffix(inner, ")") {
			p.values["Name"][i] = strings.TrimSuffix(inner, ")")
		}
	}
	meant, err := p.chosen("Name", names, func(typed string) error {
		return fmt.Errorf("no adapter is called %q%s", typed, perhaps(typed, names, "Get-NetAdapterRdma lists them"))
	})
	switch {
	case err != nil:
		return answer{}, err
	case len(meant) == 0:
		return answer{}, mistake("no adapter fits into %q; Get-NetAdapterRdma lists them", p.value("Name"))
	}
	return p.onEach(meant, func(name string) driver.Operation {
		if ofHost[name] {
			return driver.SetFeature{Connection: name, Feature: driver.FeatureRdma, On: on}
		}
		value := map[bool]string{true: "1", false: "0"}[on]
		return driver.SetValue{Connection: name, Key: networkDirect, Value: value}
	})
}
