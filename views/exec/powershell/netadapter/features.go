package netadapter

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/request"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
	"cxdeck/views/exec/registrykey"
)

// rdmaRow is the RDMA state of an adapter as JSON.
type rdmaRow struct {
	Name        string `json:"name"`
	Description string `json:"interface_description"`
	Enabled     bool   `json:"enabled"`
}

// networkDirect is the key that enables RDMA for the kernel on a port.
const networkDirect = "*NetworkDirect"

// getNetAdapterRdma lists RDMA of the ports, and of the host's adapters at virtual switches.
func getNetAdapterRdma(p *powershell.Invocation) (exec.Answer, error) {
	rows := []rdmaRow{}
	ports, err := exec.PortViews(p.View, "")
	if err != nil {
		return exec.Answer{}, err
	}
	for _, port := range ports {
		d := port.Description
		t, err := registrykey.FindTarget(p.Call, d.Connection)
		if err != nil {
			return exec.Answer{}, err
		}
		if k, err := registrykey.Find(p.Call, t, networkDirect); err == nil { // on by default
			rows = append(rows, rdmaRow{d.Connection, d.Device, !k.Effective.Exists() || k.Effective.String() != "0"})
		}
	}
	for i := range p.View.HostAdapters {
		a := &p.View.HostAdapters[i]
		rows = append(rows, rdmaRow{a.Name, "Hyper-V Virtual Ethernet Adapter", a.RdmaWeight > 0})
	}
	if p.Has("Name") {
		var names []string
		for _, r := range rows {
			names = append(names, r.Name)
		}
		selected, err := p.SelectNames("Name", names, func(typed string) error {
			return request.Errorf("there is no adapter with RDMA %q%s", typed, exec.Suggest(typed, names, "Get-NetAdapterRdma lists "+
				"them"))
		})
		if err != nil {
			return exec.Answer{}, err
		}
		rows = slices.DeleteFunc(rows, func(r rdmaRow) bool { return !slices.Contains(selected, r.Name) })
	}
	return exec.Answer{
		Result: struct {
			Adapters []rdmaRow `json:"adapters"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "No adapter with RDMA matches.")
				return err
			}
			t := exec.NewTextTable(w, "Name", "InterfaceDescription", "Enabled")
			for _, r := range rows {
				t.Row(r.Name, r.Description, powershell.BoolText(r.Enabled))
			}
			return t.Flush()
		},
	}, nil
}

// switchFeature returns a cmdlet that turns a feature of connections on or off.
func switchFeature(feature virtualization.AdapterFeature, on bool) func(*powershell.Invocation) (exec.Answer, error) {
	return func(p *powershell.Invocation) (exec.Answer, error) {
		if feature == virtualization.FeatureNetworkVirtualization {
			components := []string{string(feature)}
			for _, binding := range virtualization.StackBindings() {
				components = append(components, string(binding))
			}
			word, err := powershell.ChooseWord(p.Command, "ComponentID", p.Values["ComponentID"], components)
			if err != nil {
				return exec.Answer{}, err
			}
			feature := virtualization.AdapterFeature(word)
			names, err := p.Connections()
			if err != nil {
				return exec.Answer{}, err
			}
			return p.ApplyToConnections(names, func(name string) driver.Operation {
				return virtualization.SetFeature{Connection: name, Feature: feature, On: on}
			})
		}
		if feature == virtualization.FeatureRdma {
			return switchRdma(p, on)
		}
		names, err := p.Connections()
		if err != nil {
			return exec.Answer{}, err
		}
		return p.ApplyToConnections(names, func(name string) driver.Operation {
			return virtualization.SetFeature{Connection: name, Feature: feature, On: on}
		})
	}
}

// switchRdma turns RDMA on or off: for the host's adapters at virtual switches as a feature, for connections by the key
// *NetworkDirect.
func switchRdma(p *powershell.Invocation, on bool) (exec.Answer, error) {
	if _, err := p.Required("Name", "the name of a connection"); err != nil {
		return exec.Answer{}, err
	}
	ofHost := map[string]bool{}
	var names []string
	for i := range p.View.HostAdapters {
		name := p.View.HostAdapters[i].Name
		ofHost[name] = true
		names = append(names, name)
	}
	ports, err := exec.PortViews(p.View, "")
	if err != nil {
		return exec.Answer{}, err
	}
	for _, port := range ports {
		names = append(names, port.Description.Connection)
	}
	for i, typed := range p.Values["Name"] { // Windows names a host adapter "vEthernet (NAME)"
		if inner, ok := strings.CutPrefix(typed, "vEthernet ("); ok && strings.HasSuffix(inner, ")") {
			p.Values["Name"][i] = strings.TrimSuffix(inner, ")")
		}
	}
	selected, err := p.SelectNames("Name", names, func(typed string) error {
		return request.Errorf("there is no adapter %q%s", typed, exec.Suggest(typed, names, "Get-NetAdapterRdma lists them"))
	})
	switch {
	case err != nil:
		return exec.Answer{}, err
	case len(selected) == 0:
		return exec.Answer{}, exec.Mistake("no adapter matches %q; Get-NetAdapterRdma lists them", p.Value("Name"))
	}
	selected, err = withoutDefaultRdma(p, selected, on)
	switch {
	case err != nil:
		return exec.Answer{}, err
	case len(selected) == 0:
		return exec.PrintLines([]string{fmt.Sprintf("Nothing changes: RDMA of %s is on.", strings.Join(p.Values["Name"], ", "))},
			struct{}{}), nil
	}
	return p.ApplyToConnections(selected, func(name string) driver.Operation {
		if ofHost[name] {
			return virtualization.SetFeature{Connection: name, Feature: virtualization.FeatureRdma, On: on}
		}
		value := map[bool]string{true: "1", false: "0"}[on]
		return edit.SetValue{Connection: name, Key: networkDirect, Value: value}
	})
}

// withoutDefaultRdma removes connections on which RDMA is on by default if on is true: there is nothing to store for them.
func withoutDefaultRdma(p *powershell.Invocation, names []string, on bool) (remaining []string, err error) {
	if !on {
		return names, nil
	}
	err = p.Call.Host.ReadHost(p.Call.Ctx, func(h *driver.Host) error {
		for _, name := range names {
			if k, err := h.Key(name, networkDirect); err != nil || k.Stored.Exists() || k.Pending {
				remaining = append(remaining, name)
			}
		}
		return nil
	})
	return remaining, err
}

// vmqRow is VMQ on a connection as JSON.
type vmqRow struct {
	Name        string `json:"name"`
	Description string `json:"interface_description"`
	Enabled     bool   `json:"enabled"`
	Base        uint32 `json:"base_vmq_processor"`
	Processors  uint32 `json:"max_processors"`
	Queues      uint32 `json:"number_of_receive_queues"`
}

// keyVMQ switches VMQ on a port; PowerShell sets it, as the virtual switch sets *RssOrVmqPreference (seed 002, line 8833).
const keyVMQ = "*VMQ"

// getNetAdapterVmq lists VMQ on the ports with the values in effect.
func getNetAdapterVmq(p *powershell.Invocation) (exec.Answer, error) {
	ports, err := p.Ports()
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []vmqRow{}
	err = p.Call.Host.ReadHost(p.Call.Ctx, func(h *driver.Host) error {
		for _, port := range ports {
			d := port.Description
			number := func(key string) uint32 {
				k, err := h.Key(d.Connection, key)
				if err != nil || !k.Effective.Exists() {
					return 0
				}
				return k.Effective.Number()
			}
			if _, err := h.Key(d.Connection, keyVMQ); err != nil {
				continue
			}
			row := vmqRow{d.Connection, d.Device, number(keyVMQ) != 0 && number("*RssOrVmqPreference") != 0,
				number("*RssBaseProcNumber"), number("*MaxRSSProcessors"), number("MaxNumVmqs")}
			rows = append(rows, row)
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			Adapters []vmqRow `json:"adapters"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "Name", "InterfaceDescription", "Enabled", "BaseVmqProcessor", "MaxProcessors",
				"NumberOfReceiveQueues")
			for _, r := range rows {
				t.Row(r.Name, r.Description, powershell.BoolText(r.Enabled), fmt.Sprint(r.Base), fmt.Sprint(r.Processors), fmt.Sprint(r.Queues))
			}
			return t.Flush()
		},
	}, err
}

// switchVmq implements Enable-NetAdapterVmq and Disable-NetAdapterVmq: it sets the key, and restarts the adapter so that the
// value takes effect. VMQ requires a virtual switch without SR-IOV (seed 002, line 8816).
func switchVmq(on bool) func(*powershell.Invocation) (exec.Answer, error) {
	return func(p *powershell.Invocation) (exec.Answer, error) {
		names, err := p.Connections()
		if err != nil {
			return exec.Answer{}, err
		}
		plan := driver.Plan{Title: p.Command + " " + strings.Join(names, ", ")}
		value := map[bool]string{true: "1", false: "0"}[on]
		for _, name := range names {
			at := slices.IndexFunc(p.View.Switches, func(s virtualization.SwitchView) bool { return s.Connection == name })
			switch {
			case !on:
			case at < 0:
				return exec.Answer{}, fmt.Errorf("VMQ of %s requires a virtual switch without SR-IOV; New-VMSwitch "+
					"creates one", name)
			case p.View.Switches[at].IOV:
				return exec.Answer{}, fmt.Errorf("VMQ of %s requires a virtual switch without SR-IOV, and %s was created with "+
					"SR-IOV", name, p.View.Switches[at].Name)
			}
			keys, err := vmqKeys(p, name)
			if err != nil {
				return exec.Answer{}, err
			}
			ports, err := exec.PortViews(p.View, name)
			if err != nil {
				return exec.Answer{}, err
			}
			restarting := len(ports) == 1 && ports[0].State == driver.Restarting // the driver will read the stored value
			if keys.stored == value && (!keys.pending || restarting) {
				continue
			}
			if keys.stored != value {
				plan.Operations = append(plan.Operations, edit.SetValue{Connection: name, Key: keyVMQ, Value: value})
			}
			if !p.Flag("NoRestart") {
				plan.Operations = append(plan.Operations, adapters.RestartAdapter{Connection: name})
			}
		}
		if len(plan.Operations) == 0 {
			return exec.PrintLines([]string{fmt.Sprintf("Nothing changes: VMQ of %s is %s.", strings.Join(names, ", "), wording.OnOff(on))},
				struct{}{}), nil
		}
		return p.Call.Apply(plan)
	}
}

// vmqState holds the VMQ keys of a port.
type vmqState struct {
	stored string
	// pending reports that the stored value of a key is not in effect yet.
	pending bool
}

func vmqKeys(p *powershell.Invocation, name string) (state vmqState, err error) {
	err = p.Call.Host.ReadHost(p.Call.Ctx, func(h *driver.Host) error {
		k, err := h.Key(name, keyVMQ)
		if err != nil {
			return err
		}
		state.stored, state.pending = k.Stored.String(), k.Pending
		if preference, err := h.Key(name, "*RssOrVmqPreference"); err == nil {
			state.pending = state.pending || preference.Pending
		}
		return nil
	})
	return state, err
}
