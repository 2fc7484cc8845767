package driver

import (
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/teams"
)

func TestCommandsElsewhere(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	plan := Plan{Title: "x", Operations: []Operation{
		teams.Create{Name: "A", Type: "AFT", Family: description.WinOF2, NoFailback: true},
		teams.Attach{Team: "A", Connection: "Ethernet 7", Primary: true},
		teams.Attach{Team: "A", Connection: "Ethernet 8"}, teams.AddVLAN{Team: "A", Name: "v", ID: 5, Priority: 1},
	}}
	got := strings.Join(h.CommandsElsewhere(plan), "\n")
	for _, want := range []string{"vlan_config create team AFT A NoFailBackToPrimary", "vlan_config attach team A", "primary", "vlan_config addvlan A v 5 1"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "NetLbfo") {
		t.Errorf("there are commands of Windows in\n%s", got)
	}
	plan.Operations[0] = teams.Create{Name: "A", Type: "AFT", Family: description.WinOF}
	got = strings.Join(h.CommandsElsewhere(plan), "\n")
	for _, want := range []string{"New-NetLbfoTeam", "Add-NetLbfoTeamMember", "Add-NetLbfoTeamNic"} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%q is not there once in\n%s", want, got)
		}
	}
	for _, none := range []Operation{
		teams.Create{Name: "A", Type: "RLB", Family: description.WinOF}, teams.Create{Name: "A", Type: "AFT", IPoIB: true, Family: description.WinOF},
		edit.SetValue{Connection: "Ethernet 7", Key: "VlanId", Value: "5"}, teams.AddVLAN{Connection: "Ethernet 7", Name: "v", ID: 5},
	} {
		if got := h.CommandsElsewhere(Plan{Title: "x", Operations: []Operation{none}}); len(got) > 0 {
			t.Errorf("%s: %q", none.Describe(), got)
		}
	}
	if len(h.View().Teams) != 0 {
		t.Error("the host has a team now")
	}
}
