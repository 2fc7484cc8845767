package twin

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
)

// adaptersOf returns the ports of a host and the versions of its adapters, by what they are.
func adaptersOf(h *driver.Host) map[string]string {
	all, view := map[string]string{}, h.View()
	for i := range view.Adapters {
		d := view.Adapters[i].Description
		all[firmwareOf(d)], all[driverOf(d)] = d.Firmware, d.DriverVersion
		for j := range d.Ports {
			all[portName(&d.Ports[j])] = d.Ports[j].Device
		}
	}
	return all
}

func firmwareOf(a *description.Adapter) string { return a.PCI.String() + ", firmware" }
func driverOf(a *description.Adapter) string   { return a.PCI.String() + ", driver" }
func portName(p *description.Port) string      { return "the port " + p.Connection }

// listsAdapters reports whether the exports have all adapters of the host, so that a missing one is removed.
func (f *Facts) listsAdapters() bool {
	return len(f.adapters) > 0 || slices.ContainsFunc(f.roots, func(root string) bool {
		_, ok := registry.BelowPath(networkClass, root)
		return ok
	})
}

// laterAdapters returns the ports and versions of later exports. What they do not say is as it was.
func (f *Facts) laterAdapters(d *description.Description, was map[string]string) map[string]string {
	made, err := f.Make("later", time.Unix(0, 0).AddDate(30, 0, 0))
	if errors.Is(err, ErrNoAdapter) && f.listsAdapters() {
		return map[string]string{} // all were removed
	}
	if err != nil {
		return was
	}
	isAssumed := func(object, fact string) bool {
		return slices.ContainsFunc(made.Twin.Assumed, func(text string) bool { return strings.HasPrefix(text, clean(object)+": "+fact) })
	}
	all, matched := map[string]string{}, map[string]bool{}
	for i := range made.Adapters {
		a := &made.Adapters[i]
		place := *a
		for j := range a.Ports {
			p := &a.Ports[j]
			old, of := samePort(d, p, func(fact string) bool { return isAssumed(p.Connection, fact) })
			switch {
			case old == nil:
				all[portName(p)] = p.Device
			case old.Connection != p.Connection && !isAssumed(p.Connection, "its name"):
				matched[portName(old)], all[portName(old)] = true, p.Device+", named "+p.Connection
			default:
				matched[portName(old)], all[portName(old)] = true, p.Device
			}
			if of != nil && isAssumed(a.Name, "its PCI address") {
				place.PCI = of.PCI
			}
		}
		for name, version := range map[string]string{firmwareOf(&place): a.Firmware, driverOf(&place): a.DriverVersion} {
			fact := "its firmware is"
			if name == driverOf(&place) {
				fact = "its driver is"
			}
			if all[name] = version; isAssumed(a.Name, fact) {
				all[name] = was[name]
			}
		}
	}
	for i := range d.Adapters {
		a := &d.Adapters[i]
		remains := !f.listsAdapters()
		for j := range a.Ports {
			name := portName(&a.Ports[j])
			remains = remains || matched[name]
			if !f.listsAdapters() && !matched[name] {
				all[name] = was[name]
			}
		}
		for _, name := range []string{firmwareOf(a), driverOf(a)} {
			if all[name] == "" && remains {
				all[name] = was[name]
			}
		}
	}
	return all
}

// samePort returns the port of a twin that a later port is, with its adapter: the one with its MAC address, else with its class key or its name. It
// compares no assumed facts.
func samePort(d *description.Description, p *description.Port, isAssumed func(fact string) bool) (same *description.Port, of *description.Adapter) {
	for _, equal := range []func(o *description.Port) bool{
		func(o *description.Port) bool { return o.MAC == p.MAC && !isAssumed("its MAC address") },
		func(o *description.Port) bool {
			return strings.EqualFold(o.Interface, p.Interface) && !isAssumed("its interface GUID")
		},
		func(o *description.Port) bool { return o.Connection == p.Connection && !isAssumed("its name") },
	} {
		for i := range d.Adapters {
			for j := range d.Adapters[i].Ports {
				if equal(&d.Adapters[i].Ports[j]) {
					return &d.Adapters[i].Ports[j], &d.Adapters[i]
				}
			}
		}
	}
	return nil, nil
}

// notSet is the text of a firmware setting that is as delivered.
const notSet = "N/A"

// laterDevice returns the name by which later exports have the firmware settings of a card, empty for none.
func (f *Facts) laterDevice(a *driver.AdapterView) string {
	for _, name := range []string{a.DeviceName, description.PCIAddress{Bus: a.Description.PCI.Bus, Device: a.Description.PCI.Device}.String()} {
		if slices.Contains(f.queried, name) {
			return name
		}
	}
	return ""
}

// firmwareSettings returns the settings of a host's cards that later exports have too: the current ones, or the ones of the next start.
func (f *Facts) firmwareSettings(h *driver.Host, next bool) map[string]string {
	all, view := map[string]string{}, h.View()
	for i := range view.Adapters {
		a := &view.Adapters[i]
		if f.laterDevice(a) == "" {
			continue
		}
		for _, s := range a.Firmware {
			text := s.Current
			if next {
				text = s.Next
			}
			if n, ok := settingNumber(text); ok {
				text = strconv.Itoa(n)
			}
			all[a.DeviceName+", "+s.Name] = text
		}
	}
	return all
}

// laterFirmware returns the later firmware settings of the cards of a host, of the settings that the host has.
func (f *Facts) laterFirmware(h *driver.Host) map[string]string {
	all, view := map[string]string{}, h.View()
	for i := range view.Adapters {
		a := &view.Adapters[i]
		device := f.laterDevice(a)
		if device == "" {
			continue
		}
		for _, s := range a.Firmware {
			text := notSet
			if n, has := f.settings[device][s.Name]; has {
				text = strconv.Itoa(n)
			}
			all[a.DeviceName+", "+s.Name] = text
		}
	}
	return all
}
