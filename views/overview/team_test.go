package overview

import (
	"strings"
	"testing"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/views/viewtest"
)

func TestMembersSayWhoIsActive(t *testing.T) {
	t.Parallel()
	v := shown(viewtest.WatchLab(t, 60, map[int]driver.Operation{
		5:  driver.CreateTeam{Name: "A", Type: "AFT", Family: device.WinOF2},
		6:  driver.AttachMember{Team: "A", Connection: "Ethernet 7", Primary: true},
		7:  driver.AttachMember{Team: "A", Connection: "Ethernet 8"},
		40: driver.PullCable{Connection: "Ethernet 7"},
	}))
	for line := range strings.SplitSeq(viewtest.Body(v, 120, 40).Text(), "\n") {
		want := ""
		switch {
		case strings.Contains(line, "    Ethernet 7 "):
			want = "port 1  team A ○"
		case strings.Contains(line, "    Ethernet 8 "):
			want = "port 2  team A ●"
		case strings.Contains(line, "    Ethernet 5 "):
			want = "port 1"
		}
		if !strings.Contains(line, want) {
			t.Errorf("%q lacks %q", line, want)
		}
	}
}
