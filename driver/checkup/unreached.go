package checkup

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/reach"
	"cxdeck/device/setup"
	"cxdeck/driver/fabric"
	"cxdeck/driver/health/findings"
)

// unreachedKinds are the kinds of items of the reasons.
var unreachedKinds = map[reach.Reason]string{
	reach.NoTransport: "unreached-transport", reach.NoGID: "unreached-gid", reach.NoConnections: "unreached-connections",
	reach.NoMachine: "unreached-machine", reach.NoCarrier: "unreached-team", reach.NoLink: "unreached-link", reach.NoPath: "unreached-path",
	reach.NotForwarded: "unreached-vlan", reach.NoMiniport: "unreached-miniport", reach.TeamBroken: "unreached-team",
	reach.FrameDisallowed: "unreached-barred", reach.OverLength: "unreached-length",
}

// addUnreached adds the workloads that find no receiver, by the port and the reason.
func (g *gatherer) addUnreached(states []device.FlowState) {
	vlans := map[int][]int{} // the VLANs that the switch does not forward, by port
	for i, r := range g.lab.Reaches() {
		why := r.Reasons.First(0)
		if i >= len(g.lab.Description().Flows) {
			break // traffic that machines make themselves
		}
		if why == reach.NoReason || i < len(states) && states[i].Scale == 0 {
			continue
		}
		s := g.ports[r.Port]
		on, team := s.Name, false
		if name := g.teamOf(r.Port); name != "" {
			on, team = "the team "+name, true
		}
		clause, _ := why.Clause(on, team, r.VLAN)
		if why == reach.NoMachine {
			clause = "its virtual machines are removed, stopped or blocked"
		}
		if why == reach.NotForwarded && r.VLAN != 0 && !slices.Contains(vlans[r.Port], r.VLAN) {
			vlans[r.Port] = append(vlans[r.Port], r.VLAN)
		}
		s.Add(unreachedKinds[why], findings.Item{
			Key: r.Name, Text: fmt.Sprintf("the workload %q finds no receiver: %s", r.Name, clause), Shown: g.shown(why, r.Port),
		})
	}
	for port, ids := range vlans {
		title, fix := g.forwarding(port, ids)
		items := g.ports[port].Items[unreachedKinds[reach.NotForwarded]]
		for i := range items {
			items[i].Title, items[i].Fix = title, fix
		}
	}
}

// shown returns the settings and states that show why traffic of a port finds no receiver; empty if the reason says it all.
func (g *gatherer) shown(why reach.Reason, port int) string {
	s, own, far := g.ports[port], g.lab.Settings(port), g.lab.SwitchPort(port)
	switch why {
	case reach.NotForwarded:
		return fmt.Sprintf("the switch port %s forwards %s", s.Texts["switch"], forwarded(&far))
	case reach.NoMiniport:
		return "VLANs with an adapter of the host: " + g.vlansAt(port)
	case reach.OverLength:
		return fmt.Sprintf("longest frame that %s accepts: %d bytes; that the switch port %s forwards: %d bytes", s.Name, own.MaxFrame, s.Texts["switch"], far.MaxFrame)
	case reach.NoTransport:
		mode, _ := own.RoCE.MarshalText()
		return fmt.Sprintf("RoCE mode of %s: %s", s.Name, mode)
	case reach.NoGID:
		return fmt.Sprintf("GIDs of %s: %d", s.Name, len(g.Host.GIDs(port)))
	case reach.NoPath:
		return fmt.Sprintf("subnet manager: %s", managerWords[g.lab.Manager(port)])
	case reach.NoLink:
		if g.lab.State(port).Up {
			return "" // another member of the team has none
		}
		return fmt.Sprintf("link of %s: down", s.Name)
	case reach.NoReason, reach.NoConnections, reach.NoMachine, reach.NoCarrier, reach.TeamBroken, reach.FrameDisallowed:
	}
	return ""
}

// managerWords say what the subnet manager does.
var managerWords = map[description.SubnetManager]string{
	description.SubnetManaged: "running", description.SubnetDown: "stopped", description.SubnetAbsent: "absent since the switch restarted",
}

// forwarded describes the VLANs that a switch port forwards.
func forwarded(s *setup.SwitchPort) string {
	switch {
	case !s.Trunk:
		return "untagged frames only (access port)"
	case s.VLANs == "":
		return "all VLANs"
	}
	return "VLANs " + s.VLANs
}

// vlansAt returns the ids of the VLANs for which the host has an adapter at a port or at its team, as text.
func (g *gatherer) vlansAt(port int) string {
	list := g.Host.VLANsOf(port)
	if t := g.team(g.teamOf(port)); t != nil {
		list = append(slices.Clone(list), t.VLANs...)
	}
	var words []string
	for _, v := range list {
		words = append(words, strconv.Itoa(v.ID))
	}
	return cmp.Or(strings.Join(words, ", "), "none")
}

// forwarding returns the fix for VLANs that the switch does not forward: the switch ports of the port, or of its team's members, forward
// them in addition to the VLANs that they forward now.
func (g *gatherer) forwarding(port int, ids []int) (title string, fix []findings.Operation) {
	slices.Sort(ids)
	where, ports := "the switch port "+g.ports[port].Texts["switch"], []int{port}
	if name := g.teamOf(port); name != "" {
		where, ports = "the switch ports of the team "+name, g.membersOf(name)
	}
	for _, port := range ports {
		s := g.lab.SwitchPort(port)
		before := s.VLANs
		if s.ForwardVLANs(ids...); s.VLANs != before {
			fix = append(fix, fabric.SetSwitchPort{Connection: g.lab.Connection(port), Trunk: &s.Trunk, VLANs: &s.VLANs})
		}
	}
	if len(fix) == 0 {
		return "", nil
	}
	var words []string
	for _, id := range ids {
		words = append(words, strconv.Itoa(id))
	}
	return fmt.Sprintf("Let %s forward VLAN %s, too", where, strings.Join(words, ", ")), fix
}
