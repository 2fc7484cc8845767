package netadapter

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// propertyRow is an advanced property of a connection as JSON.
type propertyRow struct {
	Name    string `json:"name"`
	Keyword string `json:"registry_keyword"`
	Value   string `json:"registry_value"`
	Display string `json:"display_value"`
	Stored  bool   `json:"stored"`
}

// getProperties implements Get-NetAdapterAdvancedProperty: the stored values, and the defaults of the other standard keywords,
// which begin with an asterisk. With -AllProperties it lists all keys, and with -RegistryKeyword the matching keys.
func getProperties(p *powershell.Invocation) (exec.Answer, error) {
	ports, err := p.Ports()
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []propertyRow{}
	err = p.Call.Host.ReadHost(p.Call.Ctx, func(h *driver.Host) error {
		for _, port := range ports {
			name := port.Description.Connection
			keys, err := h.Keys(name)
			if err != nil {
				return err
			}
			for i := range keys {
				if k := &keys[i]; wantsProperty(p, k) {
					rows = append(rows, propertyOf(name, k))
				}
			}
		}
		return nil
	})
	if err != nil {
		return exec.Answer{}, err
	}
	if len(rows) == 0 && p.Has("RegistryKeyword") {
		return exec.Answer{}, request.Errorf("no adapter here has a property %q; reg search finds keys", strings.Join(p.Values["RegistryKeyword"], ", "))
	}
	return exec.Answer{
		Result: struct {
			Properties []propertyRow `json:"properties"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "Name", "DisplayName", "DisplayValue", "RegistryKeyword", "RegistryValue")
			t.Row("----", "-----------", "------------", "---------------", "-------------")
			for i := range rows {
				r := &rows[i]
				t.Row(r.Name, strings.TrimPrefix(r.Keyword, "*"), r.Display, r.Keyword, "{"+r.Value+"}")
			}
			return t.Flush()
		},
	}, nil
}

// wantsProperty reports whether a key is to be listed; keys of the driver or the host are not properties of an adapter.
func wantsProperty(p *powershell.Invocation, k *registry.Key) bool {
	if k.Row.Scope != registry.Miniport || !k.Stored.Exists() && !k.Default.Exists() {
		return false
	}
	if words := p.Values["RegistryKeyword"]; len(words) > 0 {
		// The asterisk of a standard keyword is also a pattern, which its own name matches.
		return slices.ContainsFunc(words, func(word string) bool {
			return strings.EqualFold(word, k.Row.Name) || powershell.IsPattern(word) && !strings.HasPrefix(word, "*") && powershell.Matches(word, k.Row.Name)
		})
	}
	return k.Stored.Exists() || p.Flag("AllProperties") || strings.HasPrefix(k.Row.Name, "*")
}

func propertyOf(connection string, k *registry.Key) propertyRow {
	value := k.Default
	if k.Stored.Exists() {
		value = k.Stored
	}
	r := propertyRow{connection, k.Row.Name, value.String(), value.String(), k.Stored.Exists()}
	if n, ok := value.Integer(); ok {
		for _, choice := range k.Row.Choices {
			if choice.Value == n {
				r.Display = choice.Label
			}
		}
	}
	return r
}

// hardwareRow is the place of a connection's card as JSON.
type hardwareRow struct {
	Name     string `json:"name"`
	Bus      int    `json:"bus"`
	Device   int    `json:"device"`
	Function int    `json:"function"`
	Node     int    `json:"numa_node"`
	Speed    string `json:"pcie_link_speed"`
	Width    int    `json:"pcie_link_width"`
	Version  string `json:"version"`
}

// pcieSpeeds are the speeds of a lane by PCI Express generation, as Windows writes them.
var pcieSpeeds = map[int]string{1: "2.5 GT/s", 2: "5.0 GT/s", 3: "8.0 GT/s", 4: "16.0 GT/s"}

// getHardwareInfo implements Get-NetAdapterHardwareInfo.
func getHardwareInfo(p *powershell.Invocation) (exec.Answer, error) {
	ports, err := p.Ports()
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []hardwareRow{}
	err = p.Call.Host.ReadHost(p.Call.Ctx, func(h *driver.Host) error {
		for _, port := range ports {
			_, card, index := h.Lab().Port(port.Port)
			a := &h.Lab().Description().Adapters[card]
			function := int(a.PCI.Function)
			if len(a.Ports) > 1 && a.Family.Driver() != "mlx4" { // a WinOF card has one function for both ports
				function += index
			}
			rows = append(rows, hardwareRow{port.Description.Connection, int(a.PCI.Bus), int(a.PCI.Device), function, a.NUMANode,
				pcieSpeeds[a.PCIeGeneration], a.PCIeLanes, "1.1"})
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			Adapters []hardwareRow `json:"adapters"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "Name", "Segment", "Bus", "Device", "Function", "Slot", "NumaNode", "PcieLinkSpeed", "PcieLinkWidth", "Version")
			t.Row("----", "-------", "---", "------", "--------", "----", "--------", "-------------", "-------------", "-------")
			for i := range rows {
				r := &rows[i]
				t.Row(r.Name, "0", strconv.Itoa(r.Bus), strconv.Itoa(r.Device), strconv.Itoa(r.Function), "", strconv.Itoa(r.Node), r.Speed, strconv.Itoa(r.Width), r.Version)
			}
			return t.Flush()
		},
	}, err
}
