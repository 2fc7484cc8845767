package counters

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/teams"
	"cxdeck/views/counters/preset"
	"cxdeck/views/viewtest"
)

// TestFailoverPresetShowsTeamsAndMembers checks that the preset shows the counters of a team and its members, and no others.
func TestFailoverPresetShowsTeamsAndMembers(t *testing.T) {
	t.Parallel()
	n := slices.IndexFunc(preset.All(), func(p preset.Preset) bool { return p.Teams })
	noTeam, noTeamStage := staged(t, viewtest.WatchLab(t, 5, nil))
	noTeam.usePreset(n)
	noTeamStage.Want("This source has no counters for the preset Team failover", "which the Teams screen makes")

	s, stage := staged(t, viewtest.WatchLab(t, 90, map[int]driver.Operation{
		20: teams.Create{Name: "Storage", Type: "AFT", Family: description.WinOF2},
		21: teams.Attach{Team: "Storage", Connection: "Ethernet 9", Primary: true},
		22: teams.Attach{Team: "Storage", Connection: "Ethernet 10"},
		24: teams.AddVLAN{Team: "Storage", Name: "tenant", ID: 42},
		70: hardware.PullCable{Connection: "Ethernet 9"},
	}))
	stage.Press("P")
	stage.Want("one line falls")
	stage.Press("end", "enter")
	stage.Want("Team failover", "Team Storage")
	var shown []string
	for i := range s.curves {
		if s.curves[i].missing() {
			t.Errorf("%s is missing", s.curves[i].path)
		}
		shown = append(shown, s.curves[i].path)
	}
	var want []string
	for _, instance := range []string{"Ethernet 9", "Ethernet 10", "Team Storage"} {
		for _, counter := range []string{"Bytes Sent/sec", "Bytes Received/sec"} {
			want = append(want, `\cxdeck Port(`+instance+`)\`+counter)
		}
	}
	if !slices.Equal(shown, want) {
		t.Errorf("the preset shows %s", strings.Join(shown, "\n"))
	}
}
