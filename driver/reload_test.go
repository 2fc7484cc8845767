package driver

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry"
	"cxdeck/driver/teams"
)

func TestAReloadTakesAllAdaptersOfADriver(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	h.Advance(3 * time.Second)
	mustApply(t, h, adapters.DisableAdapter{Connection: "Ethernet 6"})
	from := h.events.Last()
	received := h.lab.Counters()[counter.Cell(portOf(t, h, "Ethernet 7"), counter.ReceivedBytes)]
	mustApply(t, h, adapters.ReloadDriver{Driver: "mlx5"})
	for _, c := range []struct {
		name string
		want AdapterState
	}{{"Ethernet 7", Restarting}, {"Ethernet 10", Restarting}, {"Ethernet 6", Stopped}, {"Ethernet 3", Running}} {
		if got := h.State(portOf(t, h, c.name)); got != c.want {
			t.Errorf("%s is %s, want %s", c.name, got, c.want)
		}
	}
	h.Advance(3 * time.Second)
	if h.State(portOf(t, h, "Ethernet 7")) != Restarting {
		t.Error("a reload takes no longer than a restart")
	}
	h.Advance(4 * time.Second)
	port := portOf(t, h, "Ethernet 7")
	if h.State(port) != Running || !h.lab.State(port).Up || h.State(portOf(t, h, "Ethernet 6")) != Stopped {
		t.Error("the adapters did not come back as they were")
	}
	want := []string{"mlx5.link-down", "mlx5.stopped", "mlx5.identity", "mlx5.link-up"}
	if keys := newest(h, from, "Ethernet 7"); !slices.Equal(keys, want) {
		t.Errorf("the events are %v", keys)
	}
	if h.lab.Counters()[counter.Cell(port, counter.ReceivedBytes)] <= received {
		t.Error("the reload cleared a counter of the adapter")
	}
	var unknown *UnknownDriverError
	if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{adapters.ReloadDriver{Driver: "e1000"}}}); !errors.As(err, &unknown) {
		t.Errorf("an unknown driver gives %v", err)
	}
}

func TestARebootResetsTheCards(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	h.Advance(20 * time.Second)
	mustApply(t, h, adapters.DisableAdapter{Connection: "Ethernet 6"})
	if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{adapters.Reboot{Host: "OTHER"}}}); err == nil {
		t.Error("another host was rebooted")
	}
	cell := counter.Cell(portOf(t, h, "Ethernet 7"), counter.ReceivedBytes)
	before := h.lab.Counters()[cell]
	mustApply(t, h, adapters.Reboot{Host: "LAB-N4"})
	h.Advance(30 * time.Second)
	for port := range h.miniports {
		if h.lab.State(port).Up {
			t.Errorf("port %d is up while the host starts", port)
		}
	}
	h.Advance(40 * time.Second)
	for port := range h.miniports {
		d, _, _ := h.lab.Port(port)
		if up := h.State(port) == Running && h.lab.State(port).Up; up != (d.Connection != "Ethernet 6") {
			t.Errorf("%s is %s after the reboot", d.Connection, h.State(port))
		}
	}
	if after := h.lab.Counters()[cell]; after == 0 || after >= before {
		t.Errorf("received bytes went from %d to %d", before, after)
	}
}

// A host that is saved while it reboots reads all of its registry when it comes back.
func TestARebootOutlivesASave(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	mustApply(t, h, set("Ethernet 7", "RequireSecuritySignature", "1"), adapters.Reboot{Host: "LAB-N4"})
	h.Advance(10 * time.Second)
	back, err := RestoreHost(description.Default(), mustSave(t, h))
	if err != nil {
		t.Fatal(err)
	}
	back.Advance(70 * time.Second)
	if k := mustKey(t, back, "Ethernet 7", "RequireSecuritySignature"); k.Pending || k.Effective.String() != "1" {
		t.Errorf("after the reboot: %+v", k)
	}
}

func TestPendingValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, key, value string
		until            registry.EffectTime
		// ends are starts that don't make it count, but for the last, which does.
		ends []Operation
		wait time.Duration
	}{
		{"Ethernet 3", "*JumboPacket", "4000", registry.AtRestart, []Operation{adapters.RestartAdapter{Connection: "Ethernet 3"}}, 5 * time.Second},
		{"Ethernet 7", "DcqcnRpgThreshold", "6", "", nil, 0},
		{"Ethernet 7", "NetworkAddress", "020304050607", registry.AtRestart, []Operation{adapters.RestartAdapter{Connection: "Ethernet 7"}}, 5 * time.Second},
		{"Ethernet 3", "bus-driver/LogNumQP", "20", registry.AtReload, []Operation{adapters.RestartAdapter{Connection: "Ethernet 3"}, adapters.ReloadDriver{Driver: "mlx4"}}, 8 * time.Second},
		{"Ethernet 3", "RequireSecuritySignature", "1", registry.AtReboot, []Operation{adapters.RestartAdapter{Connection: "Ethernet 3"}, adapters.ReloadDriver{Driver: "mlx4"}, adapters.Reboot{Host: "LAB-N4"}}, 70 * time.Second},
	} {
		h := newHost(t, 1)
		mustApply(t, h, set(c.name, c.key, c.value))
		if k := mustKey(t, h, c.name, c.key); k.TakesEffect != c.until || k.Pending != (c.until != "") {
			t.Errorf("%s waits for %q (%v), want %q", c.key, k.TakesEffect, k.Pending, c.until)
		}
		for i, o := range c.ends {
			mustApply(t, h, o)
			h.Advance(c.wait)
			if k := mustKey(t, h, c.name, c.key); k.Pending != (i < len(c.ends)-1) {
				t.Errorf("%s after %s: pending is %v", c.key, o.Kind(), k.Pending)
			}
		}
	}
}

func TestPendingKeysAreCountedOnce(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	if len(h.Pending()) != 0 || h.View().Waits != 0 {
		t.Error("something waits on a fresh host")
	}
	mustApply(t, h, set("Ethernet 3", "bus-driver/LogNumQP", "20"), set("Ethernet 4", "*JumboPacket", "2044"))
	list := h.Pending()
	if len(list) != 2 || list[0].Target != "mlx4" || !slices.Equal(list[0].Connections, []string{"Ethernet 3", "Ethernet 4"}) ||
		list[1].Target != "Ethernet 4" || list[1].TakesEffect != registry.AtRestart {
		t.Errorf("what waits: %+v", list)
	}
	v := h.View()
	if a := v.Adapters[2]; v.Waits != 2 || a.Waits != 2 || a.Ports[0].Waits != 1 || a.Ports[1].Waits != 2 || v.Adapters[0].Waits != 0 {
		t.Errorf("%d wait: %+v", v.Waits, a)
	}
}

// TestARestartIsNoLossWhileAnotherRuns reviews a restart of the management port at all times of a restart of it: its link
// comes back.
func TestARestartIsNoLossWhileAnotherRuns(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	restart := Plan{Title: "x", Operations: []Operation{adapters.RestartAdapter{Connection: h.Management()}}}
	mustApply(t, h, restart.Operations[0])
	team := Plan{Title: "y", Operations: []Operation{
		teams.Create{Name: "T", Type: "SFT", Family: description.WinOF2}, teams.Attach{Team: "T", Connection: h.Management(), Primary: true},
	}}
	for at := time.Duration(0); at < 8*time.Second; at += 250 * time.Millisecond {
		for _, plan := range []Plan{restart, team} {
			r := h.Review(plan)
			if r.Management.Lost || strings.Contains(r.Management.Why, "stays down") {
				t.Errorf("%v after the first restart: %s", at, r.Management.Why)
			}
			for _, stop := range r.Restarts {
				if !stop.Back {
					t.Errorf("%v after the first restart: %s does not come back", at, stop.Connections)
				}
			}
		}
		h.Advance(250 * time.Millisecond)
	}
}

func TestTheMarkOfTheManagementPath(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	if h.Management() != "Ethernet 5" {
		t.Errorf("it is %q", h.Management())
	}
	mustApply(t, h, adapters.MarkManagement{Connection: "Ethernet 8", Carries: true})
	mustApply(t, h, adapters.MarkManagement{Connection: "Ethernet 8", Carries: false})
	back, err := RestoreHost(description.Default(), mustSave(t, h))
	if err != nil || back.Management() != "" {
		t.Fatalf("restored as %q, %v", back.Management(), err)
	}
	for range 2 {
		if _, err := back.Undo(); err != nil {
			t.Fatal(err)
		}
	}
	if v := back.View(); back.Management() != "Ethernet 5" || !v.Adapters[1].Ports[0].Management {
		t.Errorf("after the undo it is %q", back.Management())
	}
	for _, o := range []adapters.MarkManagement{{Connection: "Ethernet 5", Carries: true}, {Connection: "Ethernet 6", Carries: false}, {Connection: "Ethernet 99", Carries: true}} {
		if _, err := back.Apply(Plan{Title: "x", Operations: []Operation{o}}); err == nil {
			t.Errorf("%+v was applied", o)
		}
	}
}
