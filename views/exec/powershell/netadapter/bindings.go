package netadapter

import (
	"io"
	"slices"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
	"cxdeck/views/exec/registrykey"
)

// bindingRow is a component that is bound to a connection or not, as JSON.
type bindingRow struct {
	Name      string `json:"name"`
	Display   string `json:"display_name"`
	Component string `json:"component_id"`
	Enabled   bool   `json:"enabled"`
}

// bindingNames has Windows' names of the components.
var bindingNames = map[virtualization.AdapterFeature]string{
	virtualization.FeatureTCPIPv4: "Internet Protocol Version 4 (TCP/IPv4)", virtualization.FeatureTCPIPv6: "Internet Protocol Version 6 (TCP/IPv6)",
	virtualization.FeatureClient: "Client for Microsoft Networks", virtualization.FeatureNetworkVirtualization: "Windows Network Virtualization Filter driver",
}

// getNetAdapterBinding lists the components that Enable-NetAdapterBinding and Disable-NetAdapterBinding switch.
func getNetAdapterBinding(p *powershell.Invocation) (exec.Answer, error) {
	components := append(virtualization.StackBindings(), virtualization.FeatureNetworkVirtualization)
	if p.Has("ComponentID") {
		var words []string
		for _, component := range components {
			words = append(words, string(component))
		}
		var chosen []virtualization.AdapterFeature
		for _, typed := range p.Values["ComponentID"] {
			word, err := powershell.ChooseWord(p.Command, "ComponentID", []string{typed}, words)
			if err != nil {
				return exec.Answer{}, err
			}
			chosen = append(chosen, virtualization.AdapterFeature(word))
		}
		components = chosen
	}
	ports, err := p.Ports()
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []bindingRow{}
	err = p.Call.Host.ReadHost(p.Call.Ctx, func(h *driver.Host) error {
		for port := range h.Lab().Ports() {
			d, _, _ := h.Lab().Port(port)
			i := slices.IndexFunc(ports, func(v *driver.PortView) bool { return v.Description.Connection == d.Connection })
			if i < 0 {
				continue
			}
			for _, component := range components {
				on := ports[i].NetworkVirtualization
				if component != virtualization.FeatureNetworkVirtualization {
					on = h.Bound(port, string(component))
				}
				rows = append(rows, bindingRow{d.Connection, bindingNames[component], string(component), on})
			}
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			Bindings []bindingRow `json:"bindings"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "Name", "DisplayName", "ComponentID", "Enabled")
			for _, r := range rows {
				t.Row(r.Name, r.Display, r.Component, powershell.BoolText(r.Enabled))
			}
			return t.Flush()
		},
	}, err
}

// getNetAdapterPacketDirect lists PacketDirect of the ports.
func getNetAdapterPacketDirect(p *powershell.Invocation) (exec.Answer, error) {
	ports, err := p.Ports()
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []rdmaRow{}
	for _, port := range ports {
		rows = append(rows, rdmaRow{port.Description.Connection, port.Description.Device, port.PacketDirect})
	}
	return exec.Answer{
		Result: struct {
			Adapters []rdmaRow `json:"adapters"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "Name", "InterfaceDescription", "Enabled")
			for _, r := range rows {
				t.Row(r.Name, r.Description, powershell.BoolText(r.Enabled))
			}
			return t.Flush()
		},
	}, err
}

// noteUnusedValues adds a note for each connection whose driver does not use the value that was stored.
func noteUnusedValues(p *powershell.Invocation) {
	names, err := p.Connections()
	if err != nil {
		return
	}
	for _, name := range names {
		if k, err := registrykey.Find(p.Call, registrykey.Target{Connection: name}, p.Value("RegistryKeyword")); err == nil && k.Reason != "" {
			p.Call.Note(k.Row.Name + " of " + name + ": " + k.Reason)
		}
	}
}
