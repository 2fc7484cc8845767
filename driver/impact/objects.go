package impact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/fabric"
	"cxdeck/driver/qos"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
)

// Host has the parts of a host that an operator creates on it.
type Host struct {
	Teams      []teams.View
	Partitions []fabric.PartitionView
	// VLANs are the VLANs of connections without a team, in the order of the ports.
	VLANs   []ConnectionVLAN
	Virtual *virtualization.View
	QoS     *qos.State
}

// ConnectionVLAN is a VLAN of a connection.
type ConnectionVLAN struct {
	Connection string
	teams.VLANView
}

// Object is an object that an operator created on the host: a team, a VLAN, a switch, a machine. An object that is part of
// another is removed with it.
type Object struct{ id, name, partOf string }

// Objects returns all named objects of a host. A rename keeps the id where Windows gives the object one.
func (h *Host) Objects() (list []Object) {
	add := func(id, name, partOf string) { list = append(list, Object{id, name, partOf}) }
	for i := range h.Teams {
		t := &h.Teams[i]
		add(t.GUID, "the team "+t.Name, "")
		for j := range t.VLANs {
			add(cmp.Or(t.VLANs[j].GUID, t.GUID+t.VLANs[j].Name), fmt.Sprintf("the VLAN %s of %s", t.VLANs[j].Name, t.Name), t.GUID)
		}
		for j := range t.Members {
			add(t.GUID+t.Members[j].Connection, fmt.Sprintf("the member %s of %s", t.Members[j].Connection, t.Name), t.GUID)
		}
	}
	for i := range h.VLANs {
		vlan := &h.VLANs[i]
		add(cmp.Or(vlan.GUID, vlan.Connection+vlan.Name), fmt.Sprintf("the VLAN %s of %s", vlan.Name, vlan.Connection), "")
	}
	for i := range h.Partitions {
		add(h.Partitions[i].GUID, "the IPoIB port "+h.Partitions[i].Connection, "")
	}
	h.addVirtual(add)
	for i := range h.QoS.Policies {
		p := &h.QoS.Policies[i]
		add(fmt.Sprintf("policy %s/%s", p.Store, strings.ToLower(p.Name)), "the QoS policy "+p.Name, "")
	}
	for i := range h.QoS.Classes {
		add("class "+strings.ToLower(h.QoS.Classes[i].Name), "the traffic class "+h.QoS.Classes[i].Name, "")
	}
	return list
}

// addVirtual adds switches, machines and the records of NVGRE.
func (h *Host) addVirtual(add func(id, name, partOf string)) {
	v := h.Virtual
	for i := range v.Switches {
		add("switch "+strings.ToLower(v.Switches[i].Name), "the virtual switch "+v.Switches[i].Name, "")
	}
	for i := range v.HostAdapters {
		a := &v.HostAdapters[i]
		add("host adapter "+strings.ToLower(a.Name), "the host's adapter "+a.Name, "switch "+strings.ToLower(a.Switch))
	}
	for i := range v.VMs {
		vm := &v.VMs[i]
		id := "machine " + strings.ToLower(vm.Name)
		add(id, "the machine "+vm.Name, "")
		for j := range vm.Adapters {
			add(id+"/"+strings.ToLower(vm.Adapters[j].Name), fmt.Sprintf("the adapter %s of %s", vm.Adapters[j].Name, vm.Name), id)
		}
	}
	n := &v.Net
	for _, records := range []struct {
		kind  string
		count int
	}{{"lookup records", len(n.Lookups)}, {"customer routes", len(n.CustomerRoutes)},
		{"provider addresses", len(n.ProviderAddresses)}, {"provider routes", len(n.ProviderRoutes)}} {
		for k := range records.count {
			add(fmt.Sprint(records.kind, k), "NVGRE "+records.kind, "")
		}
	}
}

// Removed returns the names of the objects that no longer exist afterwards. An object that is removed with another one, and
// duplicates, are named once.
func Removed(before, after []Object) (names []string) {
	remaining, lost := map[string]bool{}, map[string]bool{}
	for i := range after {
		remaining[after[i].id] = true
	}
	for i := range before {
		lost[before[i].id] = !remaining[before[i].id]
	}
	for i := range before {
		t := &before[i]
		if lost[t.id] && !lost[t.partOf] && !slices.Contains(names, t.name) {
			names = append(names, t.name)
		}
	}
	return names
}
