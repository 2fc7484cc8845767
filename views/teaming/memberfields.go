package teaming

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/perf/labstate"
	"cxdeck/ui/widget/wizard"
)

// memberChoices returns the ports of a kind with their state and, for a port that can't join, the reason. Members of team
// can always be chosen.
func (v *View) memberChoices(kind portKind, team *teams.View) (list []wizard.Choice) {
	for i := range v.state.Ports {
		p := &v.state.Ports[i]
		name := p.Description.Connection
		c := wizard.Choice{ID: name, Label: name, Text: p.Adapter.Name}
		c.Mark, c.Word = portMark(p)
		if n := v.nodes[name]; n != nil {
			c.Text = n.SpeedText + "  " + p.Adapter.Name
			if p.Management {
				c.Text = n.SpeedText + "  your session  " + p.Adapter.Name
			}
		}
		member := team != nil && slices.ContainsFunc(team.Members,
			func(m teams.MemberView) bool { return m.Connection == name })
		switch {
		case member:
		case portKindOf(p) != kind:
			c.Disabled = "can't join: a " + portKindOf(p).label() + " port"
		case p.JoinRefusal != "":
			c.Disabled = "can't join: " + p.JoinRefusal
		}
		list = append(list, c)
	}
	// Ports that can join come first.
	slices.SortStableFunc(list, func(a, b wizard.Choice) int {
		switch {
		case (a.Disabled == "") == (b.Disabled == ""):
			return 0
		case a.Disabled == "":
			return -1
		default:
			return 1
		}
	})
	return list
}

// portMark returns the state of a port as a mark and a word.
func portMark(p *labstate.Port) (wizard.Mark, string) {
	switch {
	case p.State == driver.Restarting:
		return wizard.Busy, "restarting"
	case p.State == driver.Stopped:
		return wizard.Down, "disabled"
	case p.State == driver.Failed:
		return wizard.Bad, "failed"
	case p.Up:
		return wizard.Good, "up"
	case !p.Cabled:
		return wizard.Down, "unplugged"
	default:
		return wizard.Down, "down"
	}
}

// checkFailback disables the failback field for kinds of ports whose teams don't support the setting.
func checkFailback(f *wizard.Field, kind portKind) {
	if err := teams.CheckFailback(false, kind.family); err != nil {
		f.Disabled = err.Error()
	}
}

// offerPrimary completes the field for the primary member; initial is empty for none.
func offerPrimary(f *wizard.Field, members []string, initial string) {
	f.Initial.Text = noPrimary
	f.Choices = []wizard.Choice{{ID: noPrimary, Label: "none", Text: "the first member is used"}}
	for _, name := range members {
		f.Choices = append(f.Choices, wizard.Choice{ID: name, Label: name})
		if name == initial {
			f.Initial.Text = name
		}
	}
}

// checkMembers returns the errors and warnings about the chosen members.
func (v *View) checkMembers(t mux.Type, kind portKind, members []string) (list []wizard.Message) {
	say := func(severity wizard.Severity, format string, values ...any) {
		list = append(list, wizard.Message{Field: fieldMembers, Severity: severity,
			Text: fmt.Sprintf(format, values...)})
	}
	if err := teams.CheckCount(t, kind.family, len(members)); err != nil {
		say(wizard.Error, "%s", err)
	}
	if len(members) == 1 {
		say(wizard.Info, "a single member gives no redundancy")
	}
	speeds, down := map[int]bool{}, []string{}
	cards := map[*description.Adapter]bool{}
	for _, name := range members {
		p := v.port(name)
		if p == nil {
			continue
		}
		speeds[p.Description.SpeedGbps] = true
		cards[p.Adapter] = true
		if !p.Up {
			down = append(down, name)
		}
		if p.Management {
			say(wizard.Warning, "%s carries your session, which is interrupted while it joins", name)
		}
	}
	switch {
	case len(speeds) > 1 && t.FaultTolerant():
		say(wizard.Warning, "the members have different speeds: a failover may leave too little bandwidth")
	case len(speeds) > 1:
		say(wizard.Warning, "the members have different speeds, but each gets an equal part of the flows")
	}
	if len(members) > 1 && len(cards) == 1 {
		say(wizard.Info, "all members are on one card: they fail together with it")
	}
	if len(down) > 0 {
		say(wizard.Info, "%s down now, and carries no traffic until its link is up",
			strings.Join(down, ", ")+map[bool]string{true: " is", false: " are"}[len(down) == 1])
	}
	if rdma := v.rdmaFlows(members); len(rdma) > 0 {
		say(wizard.Warning, "Teams do not support RDMA: %s over TCP from then on", nameSome(rdma))
	}
	if t.Aggregates() {
		say(wizard.Info, "%s needs an aggregation group on the switch ports of all members", t)
	}
	return list
}

// rdmaFlows returns the names of the workloads that lose RDMA when their ports join a team (TEAM-16). Ports that are in a
// team already have none to lose.
func (v *View) rdmaFlows(connections []string) (names []string) {
	for i := range v.state.Flows {
		if f := &v.state.Flows[i]; f.Protocol == description.RDMA && slices.Contains(connections, f.Connection) &&
			!v.joined(f.Connection) {
			names = append(names, f.Name)
		}
	}
	return names
}

// joined reports whether a port is a member of a team.
func (v *View) joined(connection string) bool {
	return slices.ContainsFunc(v.state.Teams, func(t teams.View) bool {
		return slices.ContainsFunc(t.Members, func(m teams.MemberView) bool { return m.Connection == connection })
	})
}

// nameSome returns the first names of a list, and the number of the others.
func nameSome(names []string) string {
	const named = 2
	if len(names) <= named {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:named], ", "), len(names)-named)
}
