package driver

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/mux"
)

// renewed are the ports whose adapters an Operation on a team stops and starts (TEAM-9).
func (h *Host) renewed(o Operation) []int {
	done := h.Clone()
	if err := o.apply(done); err != nil {
		return nil
	}
	var ports []int
	for port := range h.miniports {
		if h.miniports[port].state == Running && done.miniports[port].state == Restarting {
			ports = append(ports, port)
		}
	}
	return ports
}

// leaves says whether an Operation takes the ports that it stops out of their team.
func leaves(o Operation) bool {
	switch o.(type) {
	case DetachMember, DeleteTeam, RestoreTeam:
		return true
	}
	return false
}

// takesOver says whether a team carries on without ports that carry its traffic now.
func (h *Host) takesOver(t *team, o Operation, ports []int) bool {
	set := t.machine.ActiveSet()
	stops := slices.ContainsFunc(set, func(port int) bool { return slices.Contains(ports, port) })
	if _, gone := o.(DeleteTeam); gone && strings.EqualFold(o.Target(), t.name) {
		return false
	}
	return stops && slices.ContainsFunc(t.machine.Members, func(m mux.Member) bool {
		return m.Status == mux.Connected && !slices.Contains(ports, m.Key)
	})
}

// interrupts says whether an Operation that stops ports interrupts a flow that belongs to a port: that of a team goes on
// as long as one of its members does.
func (h *Host) interrupts(o Operation, ports []int, flow, port int) bool {
	t := h.teamOf(port)
	if t == nil || leaves(o) || h.lab.Description().Flows[flow].Virtual {
		return slices.Contains(ports, port)
	}
	set := t.machine.ActiveSet()
	stops := slices.ContainsFunc(set, func(port int) bool { return slices.Contains(ports, port) })
	return stops && !h.takesOver(t, o, ports)
}

// failovers are what a plan, which was run on a copy, does to the teams that there are, and which of all teams will miss
// their aggregation group.
func (h *Host) failovers(done *Host) (list []Caution) {
	for i := range done.teams {
		t := &done.teams[i]
		if t.machine.Apart && !h.isApart(t.guid) {
			list = append(list, Caution{eventlog.Warning, t.name, "", "it will carry nothing: " + done.apart(t)})
		}
		if !slices.ContainsFunc(h.teams, func(was team) bool { return was.guid == t.guid }) {
			continue
		}
		for _, f := range t.failovers {
			if f.Outage == 0 && f.To != nil { // nothing is lost
				continue
			}
			if f.At.Add(noticing).Before(h.Now()) || slices.ContainsFunc(h.failoversOf(t.guid), func(was Failover) bool { return was.At.Equal(f.At) }) {
				continue
			}
			text := fmt.Sprintf("it fails over from %s to %s, and loses what is on the way in that moment",
				strings.Join(f.From, ", "), strings.Join(f.To, ", "))
			severity := eventlog.Warning
			switch {
			case f.To == nil:
				severity, text = eventlog.Error, "it goes down with "+strings.Join(f.From, ", ")+", and stays down"
			case f.Outage > noticing:
				text = fmt.Sprintf("it is down for about %.0f s, until %s is up again", f.Outage.Seconds(), strings.Join(f.To, ", "))
			}
			list = append(list, Caution{severity, t.name, "", text})
		}
	}
	return list
}

// isApart says that a team misses its aggregation group already.
func (h *Host) isApart(guid string) bool {
	return slices.ContainsFunc(h.teams, func(t team) bool { return t.guid == guid && t.machine.Apart })
}

// failoversOf are those of a team by its GUID.
func (h *Host) failoversOf(guid string) []Failover {
	for i := range h.teams {
		if h.teams[i].guid == guid {
			return h.teams[i].failovers
		}
	}
	return nil
}

// touchesTeams are the teams that an Operation changes, and the ports whose team or VLANs it changes; nil for any other.
func (h *Host) touchesTeams(o Operation) (list []string) {
	team := func(name string) {
		if i, err := h.team(name); err == nil { // the name is the same in any case
			name = h.teams[i].name
		}
		if name != "" {
			list = append(list, "the team "+name)
		}
	}
	name, connection, ok := ofTeam(o)
	if !ok {
		return nil
	}
	team(name)
	connections := []string{connection}
	switch o := o.(type) {
	case ModifyTeam:
		team(o.Name)
	case RestoreTeam:
		connections = o.Team.Members
	case SetPrimary: // leaves its members in the team
		connections = nil
	}
	for _, c := range connections {
		if c != "" {
			list = append(list, "the team and the VLANs of "+c)
		}
	}
	return list
}
