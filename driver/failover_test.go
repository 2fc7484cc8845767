package driver

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/teams"
)

// TestEveryFailoverIsRecorded: whatever made the active member another one, the team remembers it and the event log has
// it; what was handed over lost nothing.
func TestEveryFailoverIsRecorded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		kind string
		do   []Operation
		// want are the failovers, and the events of the team, by their severity and how they begin.
		want, events []string
	}{
		{"lost and back", "AFT", []Operation{hardware.PullCable{Connection: "Ethernet 7"}, hardware.PlugCable{Connection: "Ethernet 7"}},
			[]string{"7 > 8 lossy", "8 > 7"},
			[]string{"warning traffic flows through Ethernet 8, no longer through Ethernet 7", "information traffic flows through Ethernet 7, no longer through Ethernet 8"}},
		{"set primary", "AFT", []Operation{teams.SetPrimary{Team: "T", Connection: "Ethernet 8"}}, []string{"7 > 8"},
			[]string{"information traffic flows through Ethernet 8, no longer through Ethernet 7"}},
		{"attach as primary", "AFT", []Operation{teams.Detach{Team: "T", Connection: "Ethernet 8"}, teams.Attach{Team: "T", Connection: "Ethernet 8", Primary: true, SetMAC: false}}, []string{"7 > 8"},
			[]string{"information traffic flows through Ethernet 8, no longer through Ethernet 7"}},
		{"detach", "AFT", []Operation{teams.Detach{Team: "T", Connection: "Ethernet 7"}}, []string{"7 > 8"},
			[]string{"information traffic flows through Ethernet 8, no longer through Ethernet 7"}},
		{"down and up", "AFT", []Operation{adapters.DisableAdapter{Connection: "Ethernet 8"}, adapters.DisableAdapter{Connection: "Ethernet 7"}, adapters.EnableAdapter{Connection: "Ethernet 8"}},
			[]string{"7 > 8 down"}, []string{"error is disconnected: none of its members is connected", "information is connected: traffic flows through Ethernet 8"}},
		{"load balancing", "SLB", []Operation{hardware.PullCable{Connection: "Ethernet 7"}, hardware.PlugCable{Connection: "Ethernet 7"}}, []string{"7,8 > 8 lossy"},
			[]string{"warning traffic flows through Ethernet 8, no longer through Ethernet 7", "information traffic now flows through Ethernet 7, Ethernet 8"}},
		{"nothing new", "AFT", []Operation{teams.SetPrimary{Team: "T", Connection: "Ethernet 7"}, teams.Modify{Team: "T", Type: "SFT"}, hardware.PullCable{Connection: "Ethernet 8"}}, nil, nil},
	} {
		h := teamed(t, 1, c.kind, "Ethernet 7", "Ethernet 8")
		after := h.events.Last()
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
			if e.Source == teams.Source && e.Adapter == "T" && e.Key == "" {
				words := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(e.Message, "Team T"), ":"), " ")
				events = append(events, e.Severity.String()+" "+words)
			}
		}
		if !slices.Equal(got, c.want) || !slices.Equal(events, c.events) {
			t.Errorf("%s: %q, %q", c.name, got, events)
		}
	}
}

// TestTheMeasureOfADrill: failovers count from a given time on, included.
func TestTheMeasureOfADrill(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	team := teams.View{Failovers: []teams.Failover{
		{At: began.Add(-time.Second), Outage: time.Minute, LostReceived: 100, LostSent: 100},
		{At: began, Outage: 50 * time.Millisecond, LostReceived: 3, LostSent: 4},
		{At: began.Add(time.Second), Outage: 2 * time.Second, LostSent: 5},
	}}
	list, cost := team.FailoversSince(began)
	if want := (teams.FailoverCost{Outage: 2050 * time.Millisecond, LostReceived: 3, LostSent: 9}); len(list) != 2 || cost != want {
		t.Errorf("%d failovers cost %+v, want 2 and %+v", len(list), cost, want)
	}
}

// TestFailoverMatchesTheEventLog loses a member at any moment of a step: the failover begins when the event log says
// that the link went down, ends when the log says that another member took over, and is one of a drill that began then.
func TestFailoverMatchesTheEventLog(t *testing.T) {
	t.Parallel()
	for offset := time.Duration(0); offset < 2*device.Step; offset += 7 * time.Millisecond {
		h := teamed(t, 1, "AFT", "Ethernet 7", "Ethernet 8")
		h.Advance(offset)
		after, pulled := h.events.Last(), h.Now()
		mustApply(t, h, hardware.PullCable{Connection: "Ethernet 7"})
		h.Advance(offset % (3 * time.Millisecond)) // before the team looks: it is saved meanwhile
		h, err := RestoreHost(h.lab.Description(), mustSave(t, h))
		if err != nil {
			t.Fatal(err)
		}
		h.Advance(time.Second)
		var down, over time.Time
		for _, e := range h.EventsAfter(after) {
			switch {
			case e.Key == "mlx5.link-down" && e.Adapter == "Ethernet 7":
				down = e.Time
			case e.Source == teams.Source:
				over = e.Time
			}
		}
		list, cost := h.Teams()[0].FailoversSince(pulled)
		if len(list) != 1 || !list[0].At.Equal(pulled) || !list[0].At.Equal(down) || !list[0].At.Add(list[0].Outage).Equal(over) ||
			cost.Outage <= 0 || cost.Outage > teams.Reaction || !list[0].TookOver() {
			t.Errorf("%s into a step: pulled %s, the log has %s and %s, the failovers %+v", offset, pulled, down, over, list)
		}
		mustApply(t, h, hardware.PlugCable{Connection: "Ethernet 7"})
		plugged := h.Now()
		if _, ok := h.LinkUpSince("Ethernet 7", plugged); ok {
			t.Error("the link is up at once")
		}
		h.Advance(5 * time.Second)
		if up, ok := h.LinkUpSince("Ethernet 7", plugged); !ok || !up.After(plugged) || up.Sub(plugged) > 2*time.Second {
			t.Errorf("the link came up %s after the cable was in: %t", up.Sub(plugged), ok)
		}
		if _, ok := h.LinkUpSince("Ethernet 7", h.Now()); ok {
			t.Error("the link came up once more")
		}
	}
}

// TestChangesWithoutFailover: a team whose members were all stopped, or that came back as it went down, was interrupted, and no
// member took over.
func TestChangesWithoutFailover(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"AFT", "SLB"} {
		for name, c := range map[string]struct {
			do []Operation
			// wait is what passes after each.
			wait time.Duration
			took int
			// stopped and back are of the last record.
			stopped, back bool
		}{
			"a reboot":                 {[]Operation{adapters.Reboot{Host: "LAB-N4"}}, 2 * time.Minute, 0, true, true},
			"a reload":                 {[]Operation{adapters.ReloadDriver{Driver: "mlx5"}}, time.Minute, 0, true, true},
			"a restart of all":         {[]Operation{adapters.RestartAdapter{Connection: "Ethernet 7"}, adapters.RestartAdapter{Connection: "Ethernet 8"}}, 0, 0, true, true},
			"a reset of the card":      {[]Operation{adapters.ResetCard{Adapter: "ConnectX-5 Ex"}}, time.Minute, 0, true, true},
			"both disabled":            {[]Operation{adapters.DisableAdapter{Connection: "Ethernet 7"}, adapters.DisableAdapter{Connection: "Ethernet 8"}}, 0, 0, true, false},
			"both cables":              {[]Operation{hardware.PullCable{Connection: "Ethernet 7"}, hardware.PullCable{Connection: "Ethernet 8"}}, 0, 0, false, false},
			"both cables, and back":    {[]Operation{hardware.PullCable{Connection: "Ethernet 7"}, hardware.PullCable{Connection: "Ethernet 8"}, hardware.PlugCable{Connection: "Ethernet 7"}, hardware.PlugCable{Connection: "Ethernet 8"}}, 0, 0, false, true},
			"one after the other":      {[]Operation{hardware.PullCable{Connection: "Ethernet 7"}, hardware.PullCable{Connection: "Ethernet 8"}, hardware.PlugCable{Connection: "Ethernet 8"}}, time.Second, 1, false, false},
			"a restart of the primary": {[]Operation{adapters.RestartAdapter{Connection: "Ethernet 7"}}, time.Minute, 1, false, false},
		} {
			h := teamed(t, 1, kind, "Ethernet 7", "Ethernet 8")
			began := h.Now()
			for _, o := range c.do {
				mustApply(t, h, o)
				h.Advance(c.wait)
			}
			h.Advance(time.Minute)
			h, err := RestoreHost(h.lab.Description(), mustSave(t, h))
			if err != nil {
				t.Fatal(err)
			}
			list, _ := h.Teams()[0].FailoversSince(began)
			took := 0
			for i := range list {
				if list[i].TookOver() && list[i].Outage > 0 {
					took++
				}
			}
			if took != c.took || len(list) == 0 {
				t.Errorf("%s, %s: %d members took over, want %d: %+v", kind, name, took, c.took, list)
				continue
			}
			if f := list[len(list)-1]; c.took == 0 && (f.Stopped != c.stopped || !f.Down || (f.To != nil) != c.back) {
				t.Errorf("%s, %s: %+v", kind, name, f)
			}
		}
	}
}

func TestTookOver(t *testing.T) {
	t.Parallel()
	two, seven, eight := []string{"Ethernet 7", "Ethernet 8"}, []string{"Ethernet 7"}, []string{"Ethernet 8"}
	for _, c := range []struct {
		f    teams.Failover
		took bool
	}{
		{teams.Failover{From: seven, To: eight}, true}, {teams.Failover{From: two, To: eight}, true}, {teams.Failover{From: seven}, false},
		{teams.Failover{From: seven, To: seven}, false}, // of a host that was saved without Down
		{teams.Failover{From: seven, To: eight, Down: true}, true}, {teams.Failover{From: two, To: eight, Down: true}, false},
		{teams.Failover{From: eight, To: two, Down: true}, true}, {teams.Failover{From: seven, To: eight, Down: true, Stopped: true}, false},
	} {
		if c.f.TookOver() != c.took {
			t.Errorf("%+v: %t", c.f, !c.took)
		}
	}
}
