package driver

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
)

// TestEverySwitchIsWrittenDown: whatever made the active member another one, the team remembers it and the event log has
// it; what was handed over lost nothing.
func TestEverySwitchIsWrittenDown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		kind string
		do   []Operation
		// want are the failovers, and the events of the team, by their severity and how they begin.
		want, events []string
	}{
		{"lost and back", "AFT", []Operation{PullCable{"Ethernet 7"}, PlugCable{"Ethernet 7"}},
			[]string{"7 > 8 lossy", "8 > 7"},
			[]string{"warning traffic goes by Ethernet 8, and no longer by Ethernet 7", "information traffic goes by Ethernet 7, and no longer by Ethernet 8"}},
		{"set primary", "AFT", []Operation{SetPrimary{"T", "Ethernet 8"}}, []string{"7 > 8"},
			[]string{"information traffic goes by Ethernet 8, and no longer by Ethernet 7"}},
		{"attach as primary", "AFT", []Operation{DetachMember{"T", "Ethernet 8"}, AttachMember{"T", "Ethernet 8", true, false}}, []string{"7 > 8"},
			[]string{"information traffic goes by Ethernet 8, and no longer by Ethernet 7"}},
		{"detach", "AFT", []Operation{DetachMember{"T", "Ethernet 7"}}, []string{"7 > 8"},
			[]string{"information traffic goes by Ethernet 8, and no longer by Ethernet 7"}},
		{"down and up", "AFT", []Operation{DisableAdapter{"Ethernet 8"}, DisableAdapter{"Ethernet 7"}, EnableAdapter{"Ethernet 8"}},
			[]string{"7 > 8 down"}, []string{"error is disconnected: none of its members is connected", "information is connected: traffic goes by Ethernet 8"}},
		{"load balancing", "SLB", []Operation{PullCable{"Ethernet 7"}, PlugCable{"Ethernet 7"}}, []string{"7,8 > 8 lossy"},
			[]string{"warning traffic goes by Ethernet 8, and no longer by Ethernet 7", "information traffic goes by Ethernet 7, Ethernet 8 now"}},
		{"nothing new", "AFT", []Operation{SetPrimary{"T", "Ethernet 7"}, ModifyTeam{Team: "T", Type: "SFT"}, PullCable{"Ethernet 8"}}, nil, nil},
	} {
		h := teamed(t, 1, c.kind, "Ethernet 7", "Ethernet 8")
		after := h.sequence
		for _, o := range c.do {
			mustApply(t, h, o)
			h.Advance(longestRefresh)
		}
		h, err := RestoreHost(h.lab.Description(), mustSave(t, h))
		if err != nil {
			t.Fatal(err)
		}
		var got, events []string
		for _, f := range h.Teams()[0].Failovers {
			text := strings.ReplaceAll(strings.Join(f.From, ",")+" > "+strings.Join(f.To, ","), "Ethernet ", "")
			switch lost := f.LostReceived + f.LostSent; {
			case f.Outage == device.Step && lost > 0:
				text += " lossy"
			case f.Outage > 2*time.Second:
				text += " down"
			case f.Outage != 0 || lost != 0:
				text += fmt.Sprintf(" %+v", f)
			}
			got = append(got, text)
		}
		for _, e := range h.EventsAfter(after) {
			if e.Source == teamSource && e.Adapter == "T" && e.Key == "" {
				words := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(e.Message, "Team T"), ":"), " ")
				events = append(events, e.Severity.String()+" "+words)
			}
		}
		if !slices.Equal(got, c.want) || !slices.Equal(events, c.events) {
			t.Errorf("%s: %q, %q", c.name, got, events)
		}
	}
}

// TestTheMeasureOfADrill: failovers from a moment on count, that moment's too, and those before don't.
func TestTheMeasureOfADrill(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	team := TeamView{Failovers: []Failover{
		{At: began.Add(-time.Second), Outage: time.Minute, LostReceived: 100, LostSent: 100},
		{At: began, Outage: 50 * time.Millisecond, LostReceived: 3, LostSent: 4},
		{At: began.Add(time.Second), Outage: 2 * time.Second, LostSent: 5},
	}}
	list, cost := team.FailoversSince(began)
	if want := (FailoverCost{2050 * time.Millisecond, 3, 9}); len(list) != 2 || cost != want {
		t.Errorf("%d failovers cost %+v, want 2 and %+v", len(list), cost, want)
	}
}
