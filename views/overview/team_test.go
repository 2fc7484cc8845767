package overview

import (
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
	"cxdeck/ui"
	"cxdeck/views/viewtest"
)

// TestMembersShowWhichIsActive checks that the circle of a member is visible at every width, also with a long team name.
func TestMembersShowWhichIsActive(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	for _, c := range []struct {
		team      string
		width     int
		lost, has string // the rows of the member without a cable, and of the other one
	}{
		{"A", 80, "Ethernet 7 ○ ", "Ethernet 8 ● "},
		{"A", 120, "Ethernet 7   team A ○ ", "Ethernet 8   team A ● "},
		{"A", 200, "Ethernet 7   port 1  team A ○ ", "Ethernet 8   port 2  team A ● "},
		{"Storage of the cluster", 80, "Ethernet 7 ○ ", "Ethernet 8 ● "},
		{"Storage of the cluster", 120, "… ○ ", "… ● "},
		{"Storage of the cluster", 200, "port 1  team Storage o… ○ ", "port 2  team Storage o… ● "},
	} {
		v := shown(viewtest.WatchLab(t, 60, map[int]driver.Operation{
			4:  virtualization.RemoveSwitch{Switch: "Switch Ethernet 7"},
			5:  teams.Create{Name: c.team, Type: "AFT", Family: description.WinOF2},
			6:  teams.Attach{Team: c.team, Connection: "Ethernet 7", Primary: true},
			7:  teams.Attach{Team: c.team, Connection: "Ethernet 8"},
			40: hardware.PullCable{Connection: "Ethernet 7"},
		}))
		for line := range strings.SplitSeq(viewtest.Body(v, c.width, 40).Text(), "\n") {
			words, want := strings.Join(strings.Fields(line), " "), ""
			switch {
			case strings.HasPrefix(words, "Ethernet 7 r "): // the title of its curve
			case strings.HasPrefix(words, "Ethernet 7 "):
				want = c.lost
			case strings.HasPrefix(words, "Ethernet 8 "):
				want = c.has
			case strings.HasPrefix(words, "Ethernet 5 ") && strings.Contains(words[:20], "○"):
				t.Errorf("%q is no member", line)
			}
			if !strings.Contains(words+" ", strings.Join(strings.Fields(want), " ")+" ") {
				t.Errorf("%d columns, team %s: %q lacks %q", c.width, c.team, line, want)
			}
		}
	}
}

// TestQuestionsNameTheTeam checks that the question before a restart describes the effect on the team.
func TestQuestionsNameTheTeam(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 60, map[int]driver.Operation{
		4: virtualization.RemoveSwitch{Switch: "Switch Ethernet 7"},
		5: teams.Create{Name: "A", Type: "AFT", Family: description.WinOF2},
		6: teams.Attach{Team: "A", Connection: "Ethernet 7", Primary: true},
		7: teams.Attach{Team: "A", Connection: "Ethernet 8"},
	})
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v})
	s.Press("home")
	for name, want := range map[string]string{
		"ConnectX-5 Ex": "Team A goes down", "Ethernet 7": "Team A fails over to Ethernet 8.", "Ethernet 8": "of team A continues",
		"Ethernet 5": "Ethernet 5 is down for about",
	} {
		for i, r := range v.rows {
			if v.inventory.Nodes[r.node].Name == name {
				v.table.List.Select(i)
			}
		}
		s.Press("R")
		s.Want("Restart "+name+"?", want, "Do it anyway?")
		if name == "Ethernet 5" {
			s.WantNot("Team A goes", "Team A fails")
		}
		s.Press("enter") // the button Back
		s.WantNot("Do it anyway?")
	}
}
