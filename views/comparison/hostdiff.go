package comparison

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/wording"
	"cxdeck/perf"
)

// HostDifference lists the differences between two states of a host.
type HostDifference struct {
	Keys  []KeyDifference
	Parts []PartDifference
}

// KeyDifference is a registry key of a connection whose stored or effective value differs; "-" is not a value.
type KeyDifference struct {
	Connection, Key string
	// Stored and Effective are the values of the first host and of the second one.
	Stored, Effective [2]string
}

// PartDifference is an adapter, a port, a team, a machine or another part that differs between the hosts: First and Second
// describe it on each. A host without the part has an empty description.
type PartDifference struct{ Kind, Name, First, Second string }

// compareHosts compares the registries and the parts of two hosts.
func compareHosts(first, second *driver.Host) (*HostDifference, error) {
	views := [2]*driver.View{first.View(), second.View()}
	d := &HostDifference{Parts: compareParts(partsOf(views[0]), partsOf(views[1]))}
	connections := connectionsOf(views[1])
	for _, connection := range connectionsOf(views[0]) {
		if !slices.Contains(connections, connection) {
			continue // a part that is missing
		}
		if err := d.addKeys(first, second, connection); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func connectionsOf(view *driver.View) (list []string) {
	for i := range view.Adapters {
		for j := range view.Adapters[i].Ports {
			list = append(list, view.Adapters[i].Ports[j].Description.Connection)
		}
	}
	return list
}

// addKeys compares the keys of a connection; "-" is the value of a key that a host does not have.
func (d *HostDifference) addKeys(first, second *driver.Host, connection string) error {
	values := map[string]*KeyDifference{}
	var order []string
	for side, host := range []*driver.Host{first, second} {
		keys, err := host.Keys(connection)
		if err != nil {
			return err
		}
		for i := range keys {
			name := keys[i].Row.Name
			if values[name] == nil {
				values[name] = &KeyDifference{Connection: connection, Key: name, Stored: [2]string{"-", "-"}, Effective: [2]string{"-", "-"}}
				order = append(order, name)
			}
			values[name].Stored[side], values[name].Effective[side] = wording.OrDash(keys[i].Stored.String()), wording.OrDash(keys[i].Effective.String())
		}
	}
	for _, name := range order {
		if difference := values[name]; difference.Stored[0] != difference.Stored[1] || difference.Effective[0] != difference.Effective[1] {
			d.Keys = append(d.Keys, *difference)
		}
	}
	return nil
}

// part is a part of a host, with its description.
type part struct{ kind, name, text string }

// compareParts finds the parts that differ, by kind and name: first the parts of the first host, then the parts that only
// the second host has.
func compareParts(first, second []part) (list []PartDifference) {
	type key struct{ kind, name string }
	texts := map[key]string{}
	for _, p := range second {
		texts[key{p.kind, p.name}] = p.text
	}
	known := map[key]bool{}
	for _, p := range first {
		k := key{p.kind, p.name}
		known[k] = true
		if text := texts[k]; text != p.text {
			list = append(list, PartDifference{p.kind, p.name, p.text, text})
		}
	}
	for _, p := range second {
		if !known[key{p.kind, p.name}] {
			list = append(list, PartDifference{p.kind, p.name, "", p.text})
		}
	}
	return list
}

// partsOf lists the parts of a host.
func partsOf(view *driver.View) []part {
	list := adapterParts(view)
	for i := range view.Teams {
		t := &view.Teams[i]
		words := []string{t.Type.String()}
		if t.Mode != "" {
			words = []string{t.Mode, t.Algorithm}
		}
		if t.Primary != "" {
			words = append(words, "primary "+t.Primary)
		}
		for j := range t.Members {
			words = append(words, fmt.Sprintf("%s %s", t.Members[j].Connection, t.Members[j].Role))
		}
		list = append(list, part{"team", t.Name, strings.Join(words, ", ")})
		for j := range t.VLANs {
			list = append(list, part{"VLAN", t.Name + " - " + t.VLANs[j].Name, vlanText(t.VLANs[j].ID, t.VLANs[j].Priority)})
		}
	}
	for i := range view.Partitions {
		p := &view.Partitions[i]
		list = append(list, part{"virtual port", p.Connection, fmt.Sprintf("partition key %v on %s", p.PKey, p.On)})
	}
	return append(list, virtualParts(view)...)
}

func vlanText(id, priority int) string { return fmt.Sprintf("VLAN %d, priority %d", id, priority) }

// adapterParts lists the adapters with their firmware settings, ports and virtual functions.
func adapterParts(view *driver.View) (list []part) {
	for i := range view.Adapters {
		a := &view.Adapters[i]
		name := a.Description.Name
		list = append(list, part{"adapter", name, fmt.Sprintf("%s, firmware %s", a.Driver, a.Description.Firmware)})
		for _, setting := range a.Firmware {
			text := setting.Current
			if setting.Next != setting.Current {
				text += ", " + setting.Next + " after a reset"
			}
			list = append(list, part{"firmware", name + " " + setting.Name, text})
		}
		for j := range a.Ports {
			list = append(list, portParts(&a.Ports[j])...)
		}
	}
	return list
}

func portParts(p *driver.PortView) []part {
	name := p.Description.Connection
	words := []string{p.State.String()}
	switch {
	case p.State != driver.Running:
	case p.Up:
		words = append(words, "up at "+perf.Number(p.Rate/8, perf.Bytes, true, false))
	case p.Cabled:
		words = append(words, "down")
	default:
		words = append(words, "cable pulled")
	}
	if p.Team != "" {
		words = append(words, fmt.Sprintf("%s of team %s", p.Role, p.Team))
	}
	if p.SRIOV.FirmwareVFs > 0 || p.VirtualFunctions > 0 {
		words = append(words, fmt.Sprintf("%d virtual functions, %d attached", p.VirtualFunctions, p.SRIOV.Attached))
	}
	if p.SRIOV.Enabled {
		words = append(words, "SR-IOV enabled")
	}
	list := []part{{"port", name, strings.Join(words, ", ")}}
	for i := range p.VLANs {
		list = append(list, part{"VLAN", name + " - " + p.VLANs[i].Name, vlanText(p.VLANs[i].ID, p.VLANs[i].Priority)})
	}
	return list
}

// virtualParts lists the virtual switches, and the machines with their adapters.
func virtualParts(view *driver.View) (list []part) {
	for i := range view.Switches {
		s := &view.Switches[i]
		kind, bound := "synthetic", s.Connection
		if s.IOV {
			kind = "SR-IOV"
		}
		if s.Team != "" {
			bound = "team " + s.Team
		}
		list = append(list, part{"switch", s.Name, kind + ", on " + bound})
	}
	for i := range view.VMs {
		vm := &view.VMs[i]
		list = append(list, part{"machine", vm.Name, string(vm.State)})
		for j := range vm.Adapters {
			a := &vm.Adapters[j]
			text := fmt.Sprintf("on %s: %s", wording.OrDash(a.Switch), a.Path)
			if a.Function >= 0 {
				text += fmt.Sprintf(" %d", a.Function)
			}
			list = append(list, part{"VM adapter", vm.Name + " " + a.Name, text})
		}
	}
	return list
}
