package teams

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/teams/mux"
)

// removesMembers reports whether an Operation removes the ports that it stops from their team.
func removesMembers(o Operation) bool {
	switch o.(type) {
	case Detach, Delete, Restore:
		return true
	}
	return false
}

// TakesOver reports whether a team continues without ports that carry its traffic now.
func (s Set) TakesOver(t *Team, o Operation, ports []int) bool {
	set := t.Machine.ActiveSet()
	stops := slices.ContainsFunc(set, func(port int) bool { return slices.Contains(ports, port) })
	if _, deletes := o.(Delete); deletes && strings.EqualFold(o.Target(), t.Name) {
		return false
	}
	return stops && slices.ContainsFunc(t.Machine.Members, func(m mux.Member) bool {
		return m.Status == mux.Connected && !slices.Contains(ports, m.Key)
	})
}

// Interrupts reports whether an Operation that stops ports interrupts a flow that belongs to a port: the flow of a team
// continues as long as one of its members carries it.
func (s Set) Interrupts(o Operation, ports []int, flow, port int) bool {
	t := s.TeamOf(port)
	if t == nil || removesMembers(o) || s.Lab().Description().Flows[flow].Virtual {
		return slices.Contains(ports, port)
	}
	set := t.Machine.ActiveSet()
	stops := slices.ContainsFunc(set, func(port int) bool { return slices.Contains(ports, port) })
	return stops && !s.TakesOver(t, o, ports)
}

// Finding is the effect of a plan on a team.
type Finding struct {
	Severity   eventlog.Severity
	Team, Text string
}

// Findings lists the failovers of the teams in before since a moment, and the teams that have lost their aggregation group.
func (s Set) Findings(before *State, moment time.Time) (list []Finding) {
	for i := range s.Teams {
		t := &s.Teams[i]
		at := slices.IndexFunc(before.Teams, func(was Team) bool { return was.guid == t.guid })
		if t.Machine.Ungrouped && (at < 0 || !before.Teams[at].Machine.Ungrouped) {
			list = append(list, Finding{eventlog.Warning, t.Name, "it will carry no traffic: " + s.aggregationFault(t)})
		}
		if at < 0 {
			continue
		}
		for _, f := range t.Failovers {
			known := func(was Failover) bool { return was.At.Equal(f.At) }
			nothingLost := f.Outage == 0 && f.To != nil
			if nothingLost || f.At.Add(Reaction).Before(moment) || slices.ContainsFunc(before.Teams[at].Failovers, known) {
				continue
			}
			text := fmt.Sprintf("it fails over from %s to %s, and loses the traffic on the way at that moment",
				strings.Join(f.From, ", "), strings.Join(f.To, ", "))
			severity := eventlog.Warning
			switch {
			case f.To == nil:
				severity, text = eventlog.Error, "it goes down with "+strings.Join(f.From, ", ")+", and stays down"
			case f.Outage > Reaction:
				text = fmt.Sprintf("it is down for about %.0f s, until %s is up again", f.Outage.Seconds(), strings.Join(f.To, ", "))
			}
			list = append(list, Finding{severity, t.Name, text})
		}
	}
	return list
}

// Touches returns the teams that an Operation changes, and the ports whose team or VLANs it changes.
func (s Set) Touches(o Operation) (list []string) {
	team := func(name string) {
		if i, err := s.Find(name); err == nil { // with the team's own capitals
			name = s.Teams[i].Name
		}
		if name != "" {
			list = append(list, "the team "+name)
		}
	}
	name, connection := names(o)
	team(name)
	connections := []string{connection}
	switch o := o.(type) {
	case Modify:
		team(o.Name)
	case Restore:
		connections = o.Team.Members
	case SetPrimary, SetAddress: // they keep the members
		connections = nil
	}
	for _, c := range connections {
		if c != "" {
			list = append(list, "the team and the VLANs of "+c)
		}
	}
	return list
}
