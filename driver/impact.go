package driver

import (
	"slices"

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
	i.Removes = impact.Removed(h.namedObjects(), done.namedObjects())
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
			if a := &vm.Adapters[k]; a.Path != virtualization.NoPath && a.Path != "" && (a.Port >= 0 && stops[a.Port] || !after.VMs[at].HasPath(a.Name)) {
				i.VMs = append(i.VMs, vm.Name)
				break
			}
		}
	}
}

// namedObjects returns the objects that an operator created on the host.
func (h *Host) namedObjects() []impact.Object {
	v := h.View()
	named := impact.Host{Teams: v.Teams, Partitions: v.Partitions, Virtual: &v.View, QoS: &h.qos}
	for i := range v.Adapters {
		for j := range v.Adapters[i].Ports {
			p := &v.Adapters[i].Ports[j]
			for k := range p.VLANs {
				named.VLANs = append(named.VLANs, impact.ConnectionVLAN{Connection: p.Description.Connection, VLANView: p.VLANs[k]})
			}
		}
	}
	return named.Objects()
}
