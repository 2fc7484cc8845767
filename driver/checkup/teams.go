package checkup

import (
	"fmt"
	"slices"

	"cxdeck/driver/health/findings"
	"cxdeck/driver/teams"
)

// teamOf returns the name of the team of a port; empty for none.
func (g *gatherer) teamOf(port int) string {
	for i := range g.View.Teams {
		for _, m := range g.View.Teams[i].Members {
			if m.Port == port {
				return g.View.Teams[i].Name
			}
		}
	}
	return ""
}

// team returns the team with a name, nil for none.
func (g *gatherer) team(name string) *teams.View {
	i := slices.IndexFunc(g.View.Teams, func(t teams.View) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return &g.View.Teams[i]
}

// membersOf returns the ports of the members of a team.
func (g *gatherer) membersOf(name string) (ports []int) {
	if t := g.team(name); t != nil {
		for _, m := range t.Members {
			ports = append(ports, m.Port)
		}
	}
	return ports
}

// teams adds the teams, and the VLANs that carry nothing.
func (g *gatherer) teams() {
	for i := range g.View.Teams {
		t := &g.View.Teams[i]
		s := findings.NewSubject(findings.Team, t.Name)
		up, slowest, fastest := 0.0, 0.0, 0.0
		for _, m := range t.Members {
			s.Ports = append(s.Ports, m.Port)
			s.Connection = m.Connection
			s.Aliases = append(s.Aliases, m.Connection)
			p, _, _ := g.lab.Port(m.Port)
			speed := float64(p.SpeedGbps)
			if slowest == 0 || speed < slowest {
				slowest = speed
			}
			fastest = max(fastest, speed)
			if g.lab.State(m.Port).Up {
				up++
			} else {
				s.Texts["member"] = m.Connection
			}
			if m.Why != "" && g.lab.State(m.Port).Up {
				s.Add("member", findings.Item{Key: m.Connection, Text: fmt.Sprintf("%s does not carry traffic: %s", m.Connection, m.Why)})
			}
		}
		s.Set("members", float64(len(t.Members)))
		s.Set("members_up", up)
		s.Set("slowest", slowest)
		s.Set("fastest", fastest)
		s.Flag("connected", t.Connected)
		s.Set("team_discards", float64(t.Discarded[0]+t.Discarded[1]))
		if t.Why != "" {
			s.Add("why", findings.Item{Key: "why", Text: t.Why})
		}
		for _, v := range t.VLANs {
			if v.Why != "" {
				s.Add("vlan", findings.Item{Key: v.Name, Text: fmt.Sprintf("VLAN %d (%s) carries nothing: %s", v.ID, v.Name, v.Why)})
			}
		}
		g.add(s)
	}
	for port, s := range g.ports {
		for _, v := range g.Host.VLANsOf(port) {
			if v.Why != "" {
				s.Add("vlan", findings.Item{Key: v.Name, Text: fmt.Sprintf("VLAN %d (%s) carries nothing: %s", v.ID, v.Name, v.Why)})
			}
		}
	}
}
