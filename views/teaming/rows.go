package teaming

import (
	"fmt"

	"cxdeck/driver/teams"
	"cxdeck/perf/labstate"
	"cxdeck/views/browse"
)

// kind is the kind of a row in the table.
type kind uint8

const (
	teamRow kind = iota
	memberRow
	vlanRow
	headRow // the title above the ports that are in no team, with a port below it
	portRow
)

// row is a line of the table. What it points to belongs to the state that it was made of, and never changes.
type row struct {
	kind kind
	// id identifies the row, also in the next state.
	id string
	// team is the team that it is of or belongs to, member its member; nil for none.
	team   *teams.View
	member *teams.MemberView
	// vlan is the VLAN of a team or of a port.
	vlan *teams.VLANView
	// port is the port of a member, of a port in no team, or of one with a VLAN.
	port *labstate.Port
	// place is the number of a member in its team.
	place int
}

// arrange makes the rows of a state: teams with their members and VLANs, then the ports without a team with theirs. With a
// filter, a row stays when it, its team or its port matches.
func arrange(state *labstate.State, filter *browse.Filter) (rows []row) {
	if state == nil {
		return nil
	}
	ports, taken := map[string]*labstate.Port{}, map[string]bool{}
	for i := range state.Ports {
		ports[state.Ports[i].Description.Connection] = &state.Ports[i]
	}
	for i := range state.Teams {
		t := &state.Teams[i]
		under := []row{}
		all := filter.Match(t.Name, t.Type.String())
		for j := range t.Members {
			m := &t.Members[j]
			taken[m.Connection] = true
			if all || filter.Match(m.Connection, m.Why, m.Role.String()) {
				under = append(under, row{kind: memberRow, id: memberID(t.Name, m.Connection), team: t, member: m,
					port: ports[m.Connection], place: j})
			}
		}
		for j := range t.VLANs {
			if w := &t.VLANs[j]; all || matchVLAN(filter, w) {
				under = append(under, row{kind: vlanRow, id: vlanID(t.Name, "", w.Name), team: t, vlan: w})
			}
		}
		if all || len(under) > 0 {
			rows = append(rows, row{kind: teamRow, id: teamID(t.Name), team: t})
			rows = append(rows, under...)
		}
	}
	free := []row{}
	for i := range state.Ports {
		p := &state.Ports[i]
		name := p.Description.Connection
		if taken[name] {
			continue
		}
		all := filter.Match(name, p.Adapter.Name, p.JoinRefusal)
		under := []row{}
		for j := range p.VLANs {
			if w := &p.VLANs[j]; all || matchVLAN(filter, w) {
				under = append(under, row{kind: vlanRow, id: vlanID("", name, w.Name), vlan: w, port: p})
			}
		}
		if all || len(under) > 0 {
			free = append(free, row{kind: portRow, id: portID(name), port: p})
			free = append(free, under...)
		}
	}
	if len(free) > 0 {
		rows = append(rows, row{kind: headRow, id: "ports"})
	}
	return append(rows, free...)
}

func matchVLAN(filter *browse.Filter, w *teams.VLANView) bool {
	return filter.Match(w.Name, fmt.Sprintf("VLAN %d", w.ID), w.Why)
}

func teamID(team string) string               { return "team " + team }
func memberID(team, connection string) string { return "member " + connection + " of " + team }
func portID(connection string) string         { return "port " + connection }
func vlanID(team, connection, name string) string {
	return "vlan " + name + " of " + team + "/" + connection
}

// why returns why a row is not as it should be, empty for nothing; bad says that it is in trouble rather than just not
// in use.
func (r *row) why() (text string, bad bool) {
	switch r.kind {
	case teamRow:
		return r.team.Why, r.team.Why != ""
	case memberRow:
		return r.member.Why, r.member.Why != "" && r.port != nil && !(r.port.Up)
	case vlanRow:
		return r.vlan.Why, r.vlan.Why != ""
	case portRow:
		return r.port.JoinRefusal, false
	default:
		return "", false
	}
}
