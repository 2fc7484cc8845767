package driver

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
)

// otherValue is a value of a key that the driver of a port takes as it is, and that is not the one it works with; ok is
// false for a key that has none, or where it would keep the adapter from starting.
func otherValue(h *Host, port int, r *registry.Row) (string, bool) {
	switch r.Name {
	case "EnableRSS", "*RSS", "CheckFwVersion": // adapters don't start, or one of two has another mode
		return "", false
	case "NetworkAddress":
		return "02AABBCCDDEE", true
	}
	now := h.miniports[port].effective.Reading(r).Value.String()
	outlook := h.readRegistry(port)
	candidates := []string{"1", "0", "2", "3", "16", "100", "700", "1600", "2000", "4000", "65000", `\??\D:\Dumps`}
	if least, most := outlook.Bounds(r); least != nil && most != nil {
		candidates = append(candidates, fmt.Sprint(*most), fmt.Sprint(*least))
	}
	for _, c := range candidates {
		v, err := r.Parse(c)
		if err != nil || c == now {
			continue
		}
		if got := outlook.Judge(r, v); got.Why == "" && got.Value.Exists() && got.Value.String() != now {
			return c, true
		}
	}
	return "", false
}

// TestEveryKeyTakesEffectAtItsMoment: what is in effect for a key changes at the moment that the catalogue names and not
// before, and the hardware is always set up as what is in effect says.
func TestEveryKeyTakesEffectAtItsMoment(t *testing.T) {
	t.Parallel()
	counted := map[registry.EffectTime]int{}
	for _, connection := range []string{"Ethernet 7", "Ethernet 3", "Ethernet 4"} {
		h := newHost(t, 1)
		port := portOf(t, h, connection)
		type change struct {
			name, before, after string
			r                   *registry.Row
		}
		var changes []change
		for i := range h.catalogue(port).Rows {
			r := &h.catalogue(port).Rows[i]
			value, ok := "", false
			if d, _, _ := h.lab.Port(port); slices.Contains(registry.ConnectionScopes(), r.Scope) && r.Fits(d.Link) {
				value, ok = otherValue(h, port, r)
			}
			if !ok {
				continue
			}
			name := string(r.Scope) + "/" + r.Name
			before := mustKey(t, h, connection, name).Effective.String()
			mustApply(t, h, edit.SetValue{Connection: connection, Key: name, Value: value})
			changes = append(changes, change{name, before, "", r})
		}
		for i := range changes { // they depend on each other: what they come to together
			changes[i].after = h.readRegistry(port).Reading(changes[i].r).Value.String()
		}
		for _, now := range []struct {
			moment registry.EffectTime
			start  Operation
			wait   time.Duration
		}{
			{registry.AtOnce, nil, 0},
			{registry.AtRestart, adapters.RestartAdapter{Connection: connection}, 5 * time.Second},
			{registry.AtReload, adapters.ReloadDriver{Driver: h.family(port).Driver()}, 8 * time.Second},
			{registry.AtReboot, adapters.Reboot{Host: "LAB-N4"}, 70 * time.Second},
		} {
			if now.start != nil {
				mustApply(t, h, now.start)
				h.Advance(now.wait)
			}
			if h.State(port) != Running {
				t.Fatalf("%s: %s after %v", connection, h.State(port), now.start)
			}
			for _, c := range changes {
				k := mustKey(t, h, connection, c.name)
				want := c.before
				if now.moment.Covers(c.r.Applies) {
					want = c.after
					if now.moment == c.r.Applies {
						counted[now.moment]++
					}
				}
				waits := want != c.after && c.r.Applies != registry.AtNewVM
				if c.r.Applies == registry.AtNewVM {
					continue // see TestWhatMachinesWaitFor
				}
				if got := k.Effective.String(); got != want || k.Pending != waits || waits && k.TakesEffect != c.r.Applies {
					t.Errorf("%s %s %s counts %s: in effect is %q, want %q; it waits: %v %s", connection, c.name, now.moment, c.r.Applies, got, want,
						k.Pending, k.TakesEffect)
				}
			}
			d, a, _ := h.lab.Port(port)
			base := setup.DefaultPort(h.lab.Description().Adapters[a].Family, d)
			if s := h.miniports[port].effective.Settings(base); s.MaxFrame != h.lab.Settings(port).MaxFrame || s.RSS != h.lab.Settings(port).RSS ||
				s.Address != h.lab.Settings(port).Address || s.DropTimeout != h.lab.Settings(port).DropTimeout || s.Congestion != h.lab.Settings(port).Congestion {
				t.Errorf("%s %s: the hardware is set up otherwise than what is in effect", connection, now.moment)
			}
		}
	}
	for moment, least := range map[registry.EffectTime]int{registry.AtOnce: 30, registry.AtRestart: 150, registry.AtReload: 5, registry.AtReboot: 1} {
		if counted[moment] < least {
			t.Errorf("only %d keys count %s", counted[moment], moment)
		}
	}
}

// TestNetworkAddress: the address of a port changes with the start that the key waits for, everywhere, and with the
// members of teams; without the key it is the card's own again.
func TestNetworkAddress(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	port := portOf(t, h, "Ethernet 7")
	d, _, _ := h.lab.Port(port)
	mustApply(t, h, set("Ethernet 7", "NetworkAddress", "02-AA-BB-CC-DD-EE"))
	mac := func() string {
		for _, a := range h.View().Adapters {
			for _, p := range a.Ports {
				if p.Port == port {
					return p.Description.MAC.String()
				}
			}
		}
		return ""
	}
	if k := mustKey(t, h, "Ethernet 7", "NetworkAddress"); mac() != d.MAC.String() || !k.Pending || k.Effective.Exists() {
		t.Errorf("before the restart the address is %s, in effect is %v", mac(), k.Effective)
	}
	mustApply(t, h, adapters.RestartAdapter{Connection: "Ethernet 7"})
	h.Advance(5 * time.Second)
	if k := mustKey(t, h, "Ethernet 7", "NetworkAddress"); mac() != "02:AA:BB:CC:DD:EE" || k.Pending || k.Effective != k.Stored {
		t.Errorf("after the restart the address is %s, in effect is %v", mac(), k.Effective)
	}
	back, err := RestoreHost(h.lab.Description(), mustSave(t, h))
	if err != nil || back.mac(port) != h.mac(port) {
		t.Errorf("the restored host has %s: %v", back.mac(port), err)
	}
	mustApply(t, h, set("Ethernet 7", "NetworkAddress", "no address"), adapters.RestartAdapter{Connection: "Ethernet 7"})
	h.Advance(5 * time.Second)
	if k := mustKey(t, h, "Ethernet 7", "NetworkAddress"); mac() != d.MAC.String() || k.Effective.Exists() {
		t.Errorf("with a key that is no address it is %s, in effect is %v", mac(), k.Effective)
	}
	mustApply(t, h, edit.DeleteValue{Connection: "Ethernet 7", Key: "NetworkAddress"}, adapters.RestartAdapter{Connection: "Ethernet 7"})
	h.Advance(5 * time.Second)
	if mac() != d.MAC.String() {
		t.Errorf("without the key the address is %s", mac())
	}
}

// TestRoCEBesideInfiniBand is FAM-6: key, hardware and event agree that the driver sets v1.5.
func TestRoCEBesideInfiniBand(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	port, from := portOf(t, h, "Ethernet 3"), h.events.Last()
	mustApply(t, h, edit.SetValue{Connection: "Ethernet 3", Key: "driver-roce/roce_mode", Value: "4"}, adapters.RestartAdapter{Connection: "Ethernet 3"})
	h.Advance(5 * time.Second)
	k := mustKey(t, h, "Ethernet 3", "driver-roce/roce_mode")
	if k.Stored.Number() != 4 || k.Effective.Number() != registry.RoCEIP || !strings.Contains(k.Reason, "v1.5") || k.Pending {
		t.Errorf("the key has %v in effect: %s", k.Effective, k.Reason)
	}
	if mode := h.lab.Settings(port).RoCE; mode != description.RoCEv1 {
		t.Errorf("the hardware has the mode %v", mode)
	}
	if keys := newest(h, from, "Ethernet 3"); !slices.Contains(keys, "mlx4.illegal-port-mix-manual") {
		t.Errorf("the events are %v", keys)
	}
	from = h.events.Last()
	mustApply(t, h, edit.SetValue{Connection: "Ethernet 3", Key: "driver-roce/roce_mode", Value: "0"}, adapters.RestartAdapter{Connection: "Ethernet 3"})
	h.Advance(5 * time.Second)
	if keys := newest(h, from, "Ethernet 3"); slices.Contains(keys, "mlx4.illegal-port-mix-manual") {
		t.Error("a mode that goes with InfiniBand brings the event, too")
	}
}

// TestCoalescingBySystem is NIC-17: on by default but for Windows Server 2019.
func TestCoalescingBySystem(t *testing.T) {
	t.Parallel()
	for system, want := range map[string]bool{
		"Windows Server 2012 R2": true, "Windows Server 2016 Datacenter, Hyper-V": true, "Windows Server 2019": false, "Windows 10": true,
	} {
		d := *description.Default()
		d.Host.System = system
		lab, err := device.New(&d, 1)
		if err != nil {
			t.Fatal(err)
		}
		h := NewHost(lab)
		port := portOf(t, h, "Ethernet 8")
		h.Advance(30 * time.Second)
		s := h.lab.Settings(port)
		joined := h.lab.Counters()[counter.Cell(port, counter.CoalescedPackets)] > 0
		if s.CoalesceIPv4 != want || s.CoalesceIPv6 != want || joined != want {
			t.Errorf("%s: on for IPv4 %v, for IPv6 %v; segments joined: %v", system, s.CoalesceIPv4, s.CoalesceIPv6, joined)
		}
	}
}

// TestCoalescingByDriver: WinOF has it from 5.50 on.
func TestCoalescingByDriver(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{"5.40.14643": false, "5.50.14688": true} {
		d := *description.Default()
		d.Adapters = slices.Clone(d.Adapters)
		d.Host.System, d.Adapters[2].DriverVersion = "Windows Server 2016", version
		lab, err := device.New(&d, 1)
		if err != nil {
			t.Fatal(err)
		}
		h := NewHost(lab)
		port := portOf(t, h, "Ethernet 3")
		h.Advance(30 * time.Second)
		if joined := h.lab.Counters()[counter.Cell(port, counter.CoalescedPackets)] > 0; joined != want {
			t.Errorf("WinOF %s: segments joined: %v", version, joined)
		}
	}
}

// TestDroplessByKey is RES-5 for WinOF-2: a DelayDropTimeout that is there enters dropless mode when the adapter starts, 0
// leaves it, and the timer ends it until the next start or OID.
func TestDroplessByKey(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	port := portOf(t, h, "Ethernet 6")
	mustApply(t, h, set("Ethernet 6", "DelayDropTimeout", "50")) // its default, which is in effect, and not the mode
	if k := mustKey(t, h, "Ethernet 6", "DelayDropTimeout"); !k.Pending || k.TakesEffect != registry.AtRestart {
		t.Errorf("the key does not wait for a restart: %+v", k)
	}
	mustApply(t, h, edit.DeleteValue{Connection: "Ethernet 6", Key: "DelayDropTimeout"})
	start := func(operations ...Operation) []string {
		from := h.events.Last()
		mustApply(t, h, append(operations, adapters.RestartAdapter{Connection: "Ethernet 6"})...)
		h.Advance(5 * time.Second)
		return newest(h, from, "Ethernet 6")
	}
	for _, c := range []struct {
		operation Operation
		on        bool
		event     string // of dropless mode; empty for none
	}{
		{set("Ethernet 6", "*ReceiveBuffers", "1024"), false, ""}, // without the key
		{set("Ethernet 6", "DelayDropTimeout", "50"), true, "mlx5.dropless-entered"},
		{set("Ethernet 6", "DelayDropTimeout", "101"), true, "mlx5.dropless-entered"}, // which becomes 50
		{set("Ethernet 6", "DelayDropTimeout", "0"), false, "mlx5.dropless-exited"},
		{set("Ethernet 6", "*ReceiveBuffers", "2048"), false, ""},
		{set("Ethernet 6", "DelayDropTimeout", "1"), true, "mlx5.dropless-entered"},
		{edit.DeleteValue{Connection: "Ethernet 6", Key: "DelayDropTimeout"}, false, "mlx5.dropless-exited"},
		{set("Ethernet 6", "DelayDropTimeout", "1"), true, "mlx5.dropless-entered"},
	} {
		keys := slices.DeleteFunc(start(c.operation), func(key string) bool { return !strings.Contains(key, "dropless") })
		if got := strings.Join(keys, " "); h.lab.Dropless(port) != c.on || got != c.event {
			t.Errorf("after %s: dropless mode is on: %v, the events are %q", c.operation.Describe(), h.lab.Dropless(port), got)
		}
	}
	from := h.events.Last()
	mustApply(t, h, fabric.ScaleFlow{Flow: "Telemetry", Scale: 10}, hardware.SetProcessorSpeed{Connection: "Ethernet 6", Speed: 0.01})
	h.Advance(5 * time.Second)
	if keys := newest(h, from, "Ethernet 6"); h.lab.Dropless(port) || !slices.Contains(keys, "mlx5.delay-drop-timeout") {
		t.Errorf("the timer does not end the mode: %v", keys)
	}
}
