package twin

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/regfile"
	"cxdeck/driver/request"
)

// Export returns the registry of a lab's host at a key and below it, as reg export of Windows writes it: the stored values, and the values that
// Windows writes when it installs an adapter. It fails for a key that the host does not have.
func Export(h *driver.Host, key string) (*regfile.File, error) {
	path, err := registry.NormalPath(strings.TrimSuffix(strings.ReplaceAll(key, `HKLM:\`, `HKLM\`), `\`))
	if err != nil {
		return nil, request.Errorf("%v", err)
	}
	file, err := h.ExportRegistry()
	if err != nil {
		return nil, err
	}
	e := &exporter{file: file}
	e.installed(h)
	whole := &regfile.File{Keys: []regfile.Key{{Path: registry.FullPath(path)}}}
	for _, k := range file.Keys {
		normal, err := registry.NormalPath(k.Path)
		if err != nil {
			continue
		}
		if below, ok := registry.BelowPath(normal, path); ok {
			if below == "" {
				whole.Keys[0].Values = k.Values
				continue
			}
			whole.Keys = append(whole.Keys, k)
		}
	}
	if len(whole.Keys) == 1 && len(whole.Keys[0].Values) == 0 {
		return nil, request.Errorf("the registry of the host has no key %s", cleanTo(path, 200))
	}
	return whole, nil
}

// exporter adds keys to a file.
type exporter struct{ file *regfile.File }

func (e *exporter) add(path string, values ...regfile.Value) {
	full := registry.FullPath(path)
	at := slices.IndexFunc(e.file.Keys, func(k regfile.Key) bool { return strings.EqualFold(k.Path, full) })
	if at < 0 {
		at = len(e.file.Keys)
		e.file.Keys = append(e.file.Keys, regfile.Key{Path: full})
	}
	for _, v := range values {
		if !slices.ContainsFunc(e.file.Keys[at].Values, func(o regfile.Value) bool { return strings.EqualFold(o.Name, v.Name) }) {
			e.file.Keys[at].Values = append(e.file.Keys[at].Values, v)
		}
	}
}

// installed adds what Windows writes when it installs adapters: their class keys, devices and connections.
func (e *exporter) installed(h *driver.Host) {
	d, view := h.Lab().Description(), h.View()
	layout := registry.NewLayout(d)
	for card := range view.Adapters {
		a := d.Adapters[card]
		for _, f := range view.Adapters[card].Functions {
			class, service := networkGUID+`\`+a.Ports[f.Ports[0]].Class, "mlx5"
			if a.Family == description.WinOF {
				class, service = systemGUID+`\`+layout.BusClass(card), "mlx4_bus"
				e.add(control+`\Class\`+class, regfile.TextValue("DriverDesc", a.Name), regfile.TextValue("ProviderName", "Mellanox Technologies Ltd."), regfile.TextValue("DriverVersion", a.DriverVersion))
			}
			address := f.PCI
			e.add(devices+`\`+f.InstanceID,
				regfile.TextValue("Driver", class), regfile.TextValue("Service", service), regfile.TextValue("Mfg", "Mellanox Technologies Ltd."),
				regfile.TextValue("LocationInformation", fmt.Sprintf(`@System32\drivers\pci.sys,#65536;PCI bus %%1, device %%2, function %%3;(%d,%d,%d)`, address.Bus, address.Device, address.Function)))
			for _, number := range f.Ports {
				p := &a.Ports[number]
				match := fmt.Sprintf(`pci\ven_%04x&dev_%04x`, a.VendorID, a.DeviceID)
				if a.Family == description.WinOF {
					match = `mlx4\connectx-3_` + map[description.LinkType]string{description.Ethernet: "eth", description.InfiniBand: "ipoib"}[p.Link]
				}
				e.add(networkClass+`\`+p.Class, regfile.TextValue("DriverDesc", p.Device), regfile.TextValue("ProviderName", "Mellanox Technologies Ltd."),
					regfile.TextValue("DriverVersion", a.DriverVersion), regfile.TextValue("MatchingDeviceId", match), regfile.TextValue("NetCfgInstanceId", p.Interface))
				e.add(networkControl+`\`+p.Interface+`\Connection`, regfile.TextValue("Name", p.Connection))
			}
		}
	}
	slices.SortStableFunc(e.file.Keys, func(a, z regfile.Key) int { return cmp.Compare(strings.ToLower(a.Path), strings.ToLower(z.Path)) })
}
