package driver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device"
	"cxdeck/driver/impact"
	"cxdeck/driver/virtualization"
)

// impact computes the impact of a plan. done is a copy on which the plan was run and everything that it stops has started
// again; downs are the downtimes of the links there.
func (h *Host) impact(done *Host, review *Review, downs []downtime) (i impact.Impact) {
	stops := make([]bool, len(h.miniports)) // the ports that go down
	for port := range stops {
		stops[port] = h.lab.State(port).Up && (downs[port].down > 0 || !downs[port].back) || h.comesUp(port) && !done.comesUp(port)
	}
	for n := range review.Restarts {
		for _, connection := range review.Restarts[n].Connections {
			if port, err := h.port(connection); err == nil && h.comesUp(port) {
				stops[port] = true
			}
		}
	}
	for port, stop := range stops {
		if !stop {
			continue
		}
		d, _, _ := h.lab.Port(port)
		i.Connections = append(i.Connections, d.Connection)
		if !downs[port].back || !done.comesUp(port) {
			i.Lost = append(i.Lost, d.Connection)
		} else {
			i.Down = max(i.Down, downs[port].down)
		}
		if t := h.team.TeamOf(port); t != nil && !slices.Contains(i.Teams, t.Name) {
			i.Teams = append(i.Teams, t.Name)
		}
	}
	if review.Management.Lost || review.Management.Down > 0 {
		i.Session = review.Management.Why
	}
	i.Removes = removed(h.namedObjects(), done.namedObjects())
	h.impactOnMachines(done, review.Plan, stops, &i)
	h.impactOnFlows(done, review, stops, &i)
	return i
}

// comesUp reports whether the link of a port is up, or is to come up.
func (h *Host) comesUp(port int) bool {
	link, state := h.lab.State(port), h.miniports[port].state
	return link.Up || link.Cabled && (state == Running || state == Restarting)
}

// impactOnFlows adds the flows that stop. Flows of a team continue as long as another member takes them over.
func (h *Host) impactOnFlows(done *Host, review *Review, stops []bool, i *impact.Impact) {
	listed := map[string]bool{} // by the restarts of the review
	for n := range review.Restarts {
		for _, f := range review.Restarts[n].Flows {
			listed[f.Name] = true
		}
	}
	done.Advance(device.Step) // the change of traffic is known a step later
	after := done.lab.Flows()
	var without []device.FlowState // without the plan, computed when needed: some flows pause now and then
	for n, f := range h.lab.Flows() {
		rate := f.ReceiveRate + f.SendRate
		if rate == 0 {
			continue
		}
		falls := stops[f.Port] && h.team.TeamOf(f.Port) == nil || listed[f.Name]
		ends := !falls && after[n].ReceiveRate+after[n].SendRate == 0
		if ends && without == nil {
			control := h.Clone()
			control.Advance(done.lab.Elapsed() - h.lab.Elapsed())
			without = control.lab.Flows()
		}
		if ends = ends && without[n].ReceiveRate+without[n].SendRate > 0; !ends && !falls {
			continue
		}
		i.Flows += f.Tuples
		i.Rate += rate
		if ends {
			i.Workloads = append(i.Workloads, f.Name)
		}
	}
}

// impactOnMachines adds the machines that stop, and the machines whose network does.
func (h *Host) impactOnMachines(done *Host, plan Plan, stops []bool, i *impact.Impact) {
	before, after := h.View(), done.View()
	var stopped []string
	for _, o := range plan.Operations {
		if o, ok := o.(virtualization.ResetVF); ok { // a comparison of the host before and after it does not show it
			stopped = append(stopped, o.StoppedGuest(h.hypervisor()))
		}
	}
	for n := range before.VMs {
		vm := &before.VMs[n]
		if vm.State != virtualization.VMRunning {
			continue
		}
		at := slices.IndexFunc(after.VMs, func(w virtualization.VMView) bool { return w.Name == vm.Name })
		if at < 0 || after.VMs[at].State != virtualization.VMRunning {
			i.Stops = append(i.Stops, vm.Name)
			continue
		}
		if slices.Contains(stopped, vm.Name) {
			i.VMs = append(i.VMs, vm.Name)
			continue
		}
		for k := range vm.Adapters {
			if a := &vm.Adapters[k]; a.Path != virtualization.NoPath && a.Path != "" && (a.Port >= 0 && stops[a.Port] || !hasPath(&after.VMs[at], a.Name)) {
				i.VMs = append(i.VMs, vm.Name)
				break
			}
		}
	}
}

// hasPath reports whether the traffic of a machine's adapter has a path.
func hasPath(vm *virtualization.VMView, adapter string) bool {
	return slices.ContainsFunc(vm.Adapters, func(a virtualization.VMAdapterView) bool {
		return a.Name == adapter && a.Path != virtualization.NoPath && a.Path != ""
	})
}

// namedObject is an object that an operator created on the host: a team, a VLAN, a switch, a machine. An object that is part of
// another is removed with it.
type namedObject struct{ id, name, partOf string }

// namedObjects returns all named objects of a host. A rename keeps the id where Windows gives the object one.
func (h *Host) namedObjects() (list []namedObject) {
	v := h.View()
	add := func(id, name, partOf string) { list = append(list, namedObject{id, name, partOf}) }
	for i := range v.Teams {
		t := &v.Teams[i]
		add(t.GUID, "the team "+t.Name, "")
		for j := range t.VLANs {
			add(cmp.Or(t.VLANs[j].GUID, t.GUID+t.VLANs[j].Name), fmt.Sprintf("the VLAN %s of %s", t.VLANs[j].Name, t.Name), t.GUID)
		}
		for j := range t.Members {
			add(t.GUID+t.Members[j].Connection, fmt.Sprintf("the member %s of %s", t.Members[j].Connection, t.Name), t.GUID)
		}
	}
	for i := range v.Adapters {
		for j := range v.Adapters[i].Ports {
			p := &v.Adapters[i].Ports[j]
			for k := range p.VLANs {
				add(cmp.Or(p.VLANs[k].GUID, p.Description.Connection+p.VLANs[k].Name),
					fmt.Sprintf("the VLAN %s of %s", p.VLANs[k].Name, p.Description.Connection), "")
			}
		}
	}
	for i := range v.Partitions {
		add(v.Partitions[i].GUID, "the IPoIB port "+v.Partitions[i].Connection, "")
	}
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
	for i := range h.qos.Policies {
		p := &h.qos.Policies[i]
		add(fmt.Sprintf("policy %s/%s", p.Store, strings.ToLower(p.Name)), "the QoS policy "+p.Name, "")
	}
	for i := range h.qos.Classes {
		add("class "+strings.ToLower(h.qos.Classes[i].Name), "the traffic class "+h.qos.Classes[i].Name, "")
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
	return list
}

// removed returns the names of the objects that no longer exist afterwards. An object that is removed with another one, and
// duplicates, are named once.
func removed(before, after []namedObject) (names []string) {
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
