package deck

import (
	"slices"

	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/perf/labstate"
)

// TeamsLose describes the effect on teams when the links of ports are lost together: a sentence for each team of the ports,
// with a blank before it; empty without a lab or a team.
func TeamsLose(state *labstate.State, connections ...string) (text string) {
	if state == nil {
		return ""
	}
	for i := range state.Teams {
		t := &state.Teams[i]
		if slices.ContainsFunc(t.Members, func(m teams.MemberView) bool { return slices.Contains(connections, m.Connection) }) {
			text += " " + TeamEffect(t, connections...)
		}
	}
	return text
}

// TeamEffect describes the effect on a team, in a sentence, when the links of some of its members are lost together.
func TeamEffect(t *teams.View, connections ...string) string {
	var others []string
	active := false
	for i := range t.Members {
		m := &t.Members[i]
		switch lost := slices.Contains(connections, m.Connection); {
		case lost:
			active = active || m.Role == mux.Active
		case m.Status == mux.Connected:
			others = append(others, m.Connection)
		}
	}
	switch {
	case !t.Connected:
		return "Team " + t.Name + " is down already."
	case len(others) == 0:
		return "Team " + t.Name + " goes down: no other member is connected."
	case !active:
		return "The traffic of team " + t.Name + " continues: only a standby member is lost."
	case len(others) == 1 && t.Type.FaultTolerant():
		return "Team " + t.Name + " fails over to " + others[0] + "."
	case t.Type.FaultTolerant():
		return "Team " + t.Name + " fails over to another member."
	case len(others) == 1:
		return "Team " + t.Name + " continues over " + others[0] + "."
	}
	return "Team " + t.Name + " continues over its other members."
}
