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
	headRow // the heading above the ports without a team
	portRow
)

// row is a line of the table. It points into the state from which it was built, which never changes.
type row struct {
	kind kind
	// id identifies the row across states.
	id string
	// team is the team of the row, member the member of that team; nil if there is none.
	team   *teams.View
	member *teams.MemberView
	// vlan is the VLAN of a VLAN row, nil in others.
	vlan *teams.VLANView
	// port is the port of a member, of a port without a team, or of a VLAN on a port.
	port *labstate.Port
	// place is the position of a member in its team.
	place int
}

// arrange returns the rows of a state: teams with their members and VLANs, then ports without a team with their VLANs. A
// filter keeps a row if the row, its team or its port matches.
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

// why returns the fault of a row or why a port can't join a team, empty if there is no reason; bad reports a fault.
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
