package twin

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/journal"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/regfile"
)

// Difference is a value or a setting of the real host: as it was exported when the twin was made, as the twin has it now, and as a later
// export has it. An empty text means that it does not exist.
type Difference struct {
	Area    string `json:"area"`
	What    string `json:"what"`
	Was     string `json:"was"`
	Planned string `json:"planned"`
	Is      string `json:"is"`
}

// Comparison says what a later export of a host has of the changes that were made on its twin.
type Comparison struct {
	// Arrived are the changes of the twin that the host has, Missing the changes that it lacks, Other all further changes on the host.
	Arrived []Difference `json:"arrived"`
	Missing []Difference `json:"missing"`
	Other   []Difference `json:"other"`
	// Compared are the areas that the later export has, NotCompared the others.
	Compared    []string `json:"compared"`
	NotCompared []string `json:"not_compared"`
}

// Whole reports that every change arrived and nothing else changed.
func (c *Comparison) Whole() bool { return len(c.Missing)+len(c.Other) == 0 }

// areas are the parts of a host that can be compared.
var areas = []string{"registry", "adapters", "firmware settings", "teams", "quality of service", "virtual switches", "virtual machines"}

// Compare compares a later export with the twin of a description, whose host is wanted now.
func Compare(d *description.Description, wanted *driver.Host, later *Facts) (*Comparison, error) {
	plant, err := device.NewPlant(d)
	if err != nil {
		return nil, err
	}
	was := driver.NewHost(plant.New(1))
	is, err := later.laterHost(d)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Arrived: []Difference{}, Missing: []Difference{}, Other: []Difference{}, Compared: []string{}, NotCompared: []string{}}
	has := later.areas()
	for _, area := range areas {
		if !has[area] {
			c.NotCompared = append(c.NotCompared, area)
			continue
		}
		c.Compared = append(c.Compared, area)
		switch area {
		case "registry":
			c.compareRegistry(was, wanted, is, later.roots)
		case "adapters":
			before, planned := adaptersOf(was), adaptersOf(wanted)
			c.compare(area, before, planned, later.laterAdapters(d, before))
		case "firmware settings":
			c.compare(area, later.firmwareSettings(was, false), later.firmwareSettings(wanted, true), later.laterFirmware(was))
		default:
			c.compare(area, settingsOf(was, area), settingsOf(wanted, area), settingsOf(is, area))
		}
	}
	return c, nil
}

// areas returns the areas that the exports have.
func (f *Facts) areas() map[string]bool {
	return map[string]bool{
		"registry": len(f.keys) > 0, "adapters": len(f.cards) > 0 || f.listsAdapters(), "firmware settings": len(f.queried) > 0,
		"teams":              len(f.teams) > 0 || f.empty["teams"],
		"quality of service": len(f.policies)+len(f.classes)+len(f.flowControl) > 0 || f.empty["policies"],
		"virtual switches":   len(f.switches) > 0 || f.empty["switches"], "virtual machines": len(f.machines) > 0 || f.empty["machines"],
	}
}

// laterHost returns a host with the exported registry and settings, with the adapters of a twin where the exports do not name them.
func (f *Facts) laterHost(d *description.Description) (*driver.Host, error) {
	later := *d
	made, err := New(f, "later", time.Unix(0, 0).AddDate(30, 0, 0))
	if err == nil && len(f.keys) > 0 && sameClasses(made, d) && len(f.adapters) > 0 {
		later = *made
	} else {
		var classes, buses []string
		for i := range d.Adapters {
			buses = append(buses, d.Adapters[i].BusClass)
			for j := range d.Adapters[i].Ports {
				classes = append(classes, d.Adapters[i].Ports[j].Class)
			}
		}
		twin := description.Twin{Host: d.Host.Name, Roots: f.roots}
		if twin.Registry, err = f.lines(classes, buses); err != nil {
			return nil, err
		}
		ports := map[string]*description.Port{}
		for i := range d.Adapters {
			for j := range d.Adapters[i].Ports {
				ports[d.Adapters[i].Ports[j].Connection] = &d.Adapters[i].Ports[j]
			}
		}
		copied := *f
		for _, o := range copied.operations(ports) {
			if text, err := journal.MarshalOperation(o); err == nil {
				twin.Setup = append(twin.Setup, string(text))
			}
		}
		later.Twin = &twin
	}
	plant, err := device.NewPlant(&later)
	if err != nil {
		return nil, err
	}
	return driver.NewHost(plant.New(1)), nil
}

// sameClasses reports whether two descriptions have the same class keys.
func sameClasses(a, b *description.Description) bool {
	classes := func(d *description.Description) (list []string) {
		for i := range d.Adapters {
			for j := range d.Adapters[i].Ports {
				list = append(list, d.Adapters[i].Ports[j].Class)
			}
		}
		slices.Sort(list)
		return list
	}
	return slices.Equal(classes(a), classes(b))
}

// compareRegistry compares the values below exported keys.
func (c *Comparison) compareRegistry(was, wanted, is *driver.Host, roots []string) {
	values := func(h *driver.Host) map[string]string {
		all := map[string]string{}
		file, err := h.ExportRegistry()
		if err != nil {
			return all
		}
		for i := range file.Keys {
			path, err := registry.NormalPath(file.Keys[i].Path)
			inside := func(root string) bool { _, ok := registry.BelowPath(path, root); return ok }
			if err != nil || !slices.ContainsFunc(roots, inside) {
				continue
			}
			for j := range file.Keys[i].Values {
				v := &file.Keys[i].Values[j]
				all[path+`\`+v.Name] = valueText(v)
			}
		}
		return all
	}
	c.compare("registry", values(was), values(wanted), values(is))
}

// valueText returns a value of a registry file with its type, where that is not a text or a number.
func valueText(v *regfile.Value) string {
	if n, ok := v.Number(); ok && (v.Type == regfile.DWord || v.Type == regfile.QWord) {
		return fmt.Sprintf("%d", n)
	}
	if text, ok := v.Text(); ok && v.Type == regfile.Text {
		return cleanTo(text, 200)
	}
	return fmt.Sprintf("%s %s", v.Type, cleanTo(fmt.Sprintf("%x", v.Data), 200))
}

// compare compares the values of an area.
func (c *Comparison) compare(area string, was, wanted, is map[string]string) {
	names := map[string]bool{}
	for _, list := range []map[string]string{was, wanted, is} {
		for name := range list {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		d := Difference{area, name, was[name], wanted[name], is[name]}
		switch {
		case d.Was != d.Planned && d.Is == d.Planned:
			c.Arrived = append(c.Arrived, d)
		case d.Was != d.Planned:
			c.Missing = append(c.Missing, d)
		case d.Is != d.Was:
			c.Other = append(c.Other, d)
		}
	}
}

// settingsOf returns the settings of an area by what they are.
func settingsOf(h *driver.Host, area string) map[string]string {
	all, view := map[string]string{}, h.View()
	switch area {
	case "teams":
		for _, t := range view.Teams {
			var members []string
			for _, m := range t.Members {
				members = append(members, m.Connection)
			}
			for _, v := range t.VLANs {
				all[fmt.Sprintf("the VLAN %s of the team %s", v.Name, t.Name)] = strconv.Itoa(v.ID)
			}
			slices.Sort(members)
			all["the team "+t.Name] = fmt.Sprintf("%s, %s, members %s", t.Mode, t.Algorithm, strings.Join(members, " "))
		}
	case "quality of service":
		q := h.QoS()
		for _, p := range q.Policies {
			all["the policy "+p.Name] = p.Summary()
		}
		for _, k := range q.Classes {
			all["the class "+k.Name] = fmt.Sprintf("%s %d %%, priorities %s", k.Algorithm, k.Bandwidth, k.Priorities)
		}
		all["flow control"] = "priorities " + q.FlowControl.String()
	case "virtual switches":
		for _, s := range view.Switches {
			all["the virtual switch "+s.Name] = fmt.Sprintf("%v, IOV %v", s.Members, s.IOV)
		}
	case "virtual machines":
		for _, m := range view.VMs {
			var adapters []string
			for _, a := range m.Adapters {
				adapters = append(adapters, fmt.Sprintf("%s at %s", a.Name, a.Switch))
			}
			all["the machine "+m.Name] = fmt.Sprintf("%v, adapters %s", m.State, strings.Join(adapters, "; "))
		}
	}
	return all
}
