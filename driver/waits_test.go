package driver

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
)

// TestWaits holds what is said of each kind of start, for how long, and that all is over then.
func TestWaits(t *testing.T) {
	t.Parallel()
	const link = 1200 * time.Millisecond
	for _, c := range []struct {
		name       string
		operations []Operation
		want       []string
		first      time.Duration
	}{
		{"a restart", []Operation{adapters.RestartAdapter{Connection: "Ethernet 7"}}, []string{"Ethernet 7 restarts | Ethernet 7 comes back | Ethernet 7 is back"}, stopTime + startTime + link},
		{"two restarts", []Operation{adapters.RestartAdapter{Connection: "Ethernet 7"}, adapters.RestartAdapter{Connection: "Ethernet 8"}},
			[]string{"Ethernet 7 and Ethernet 8 restart | Ethernet 7 and Ethernet 8 come back | Ethernet 7 and Ethernet 8 are back"}, stopTime + startTime + link},
		{"a restart without a cable", []Operation{hardware.PullCable{Connection: "Ethernet 7"}, adapters.RestartAdapter{Connection: "Ethernet 7"}},
			[]string{"Ethernet 7 restarts | Ethernet 7 comes back | Ethernet 7 is back"}, stopTime + startTime},
		{"a start", []Operation{adapters.DisableAdapter{Connection: "Ethernet 7"}, adapters.EnableAdapter{Connection: "Ethernet 7"}},
			[]string{"Ethernet 7 starts | Ethernet 7 comes up | Ethernet 7 is up"}, startTime + link},
		{"a cable", []Operation{hardware.PullCable{Connection: "Ethernet 7"}, hardware.PlugCable{Connection: "Ethernet 7"}},
			[]string{"Ethernet 7 link comes up | Ethernet 7 link is up | Ethernet 7 link is up"}, link},
		{"a card", []Operation{adapters.ResetCard{Adapter: "ConnectX-5 Ex"}},
			[]string{"ConnectX-5 Ex resets | ConnectX-5 Ex comes back | ConnectX-5 Ex is back"}, stopTime + startTime + link},
		{"a driver", []Operation{adapters.ReloadDriver{Driver: "mlx4"}},
			[]string{"driver mlx4 reloads | driver mlx4 comes back | driver mlx4 is back"}, stopTime + loadTime + startTime + link},
		{"a reboot", []Operation{adapters.Reboot{Host: "LAB-N4"}}, []string{"LAB-N4 reboots | LAB-N4 comes back | LAB-N4 is back"}, stopTime + bootTime + startTime + link},
		{"a reboot without a cable", []Operation{hardware.PullCable{Connection: "Ethernet 7"}, adapters.Reboot{Host: "LAB-N4"}},
			[]string{"LAB-N4 reboots | LAB-N4 comes back | LAB-N4 is back"}, stopTime + bootTime + startTime + link},
		{"a restart and a cable", []Operation{hardware.PullCable{Connection: "Ethernet 8"}, adapters.RestartAdapter{Connection: "Ethernet 7"}, hardware.PlugCable{Connection: "Ethernet 8"}},
			[]string{"Ethernet 8 link comes up | Ethernet 8 link is up | Ethernet 8 link is up", "Ethernet 7 restarts | Ethernet 7 comes back | Ethernet 7 is back"}, link},
		{"nothing", []Operation{hardware.PullCable{Connection: "Ethernet 7"}}, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, 1)
			h.Advance(time.Second)
			mustApply(t, h, c.operations...)
			var got []string
			for _, w := range h.Waits() {
				got = append(got, fmt.Sprintf("%s | %s | %s", w.What, w.Return, w.Done))
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Fatalf("got %q, want %q", got, c.want)
			}
			if len(got) == 0 {
				return
			}
			waits := h.Waits()
			if left := waits[0].Until.Sub(h.Now()); left < c.first || left > c.first+100*time.Millisecond {
				t.Errorf("it takes %s, want %s", left, c.first)
			}
			end, last := waits[len(waits)-1], waits[len(waits)-1].What
			for h.Now().Before(end.Until) {
				if now := h.Waits(); len(now) == 0 || now[len(now)-1].What != last {
					t.Fatalf("%s before its end: %v", end.Until.Sub(h.Now()), now)
				}
				h.Advance(50 * time.Millisecond)
			}
			h.Advance(50 * time.Millisecond)
			if left := h.Waits(); len(left) > 0 {
				t.Errorf("waits still: %v", left)
			}
		})
	}
}
