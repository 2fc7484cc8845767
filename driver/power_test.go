package driver

import (
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/power"
	"cxdeck/driver/virtualization"
)

// TestWakeOnLAN: a sleeping host keeps the links of the ports that wake it, refuses changes, and wakes by a packet for such a port alone; after a
// shutdown it boots.
func TestWakeOnLAN(t *testing.T) {
	t.Parallel()
	const host, first, second, winOF, disabled = "LAB-N4", "Ethernet 7", "Ethernet 8", "Ethernet 3", "Ethernet 5"
	h := newHost(t, 7)
	h.Advance(time.Second)
	address := func(connection string) *description.MAC { return new(h.lab.Address(must(h.port(connection)))) }
	refused := func(o Operation, why string) {
		t.Helper()
		if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{o}}); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %q", o.Describe(), err, why)
		}
	}
	refused(power.Up{Host: host}, "runs already")
	refused(power.Down{Host: host, Mode: "standby"}, "standby")
	refused(power.Down{Host: "other", Mode: power.Sleep}, "name")
	mustApply(t, h, virtualization.SetFirmware{Adapter: "ConnectX-5 Ex", Values: []virtualization.FirmwareValue{{Name: "WOL_MAGIC_EN_P2", Value: "0"}}}, adapters.DisableAdapter{Connection: disabled})
	for _, mode := range []power.Mode{power.Sleep, power.Hibernate, power.Off} {
		mustApply(t, h, power.Down{Host: host, Mode: mode})
		h.Advance(time.Hour)
		for port := range h.miniports {
			if h.State(port) != Stopped || h.lab.State(port).Up {
				t.Errorf("%s: %s is %s", mode, h.connection(port), h.State(port))
			}
		}
		if s := h.Power(); !s.Holds(must(h.port(first))) || s.Holds(must(h.port(winOF))) {
			t.Errorf("%s: the links that the ports keep are wrong", mode)
		}
		refused(adapters.EnableAdapter{Connection: first}, "host wake")
		refused(adapters.Reboot{Host: host}, "host wake")
		refused(power.Up{Host: host, MAC: address(winOF)}, "5.50 and later")
		refused(power.Up{Host: host, MAC: address(disabled)}, "did not run")
		refused(power.Up{Host: host, MAC: &description.MAC{2}}, "no port has")
		mustApply(t, h, fabric.SetSwitchPort{Connection: first, MaxFrame: new(1600)}, hardware.PullCable{Connection: first})
		refused(power.Up{Host: host, MAC: address(first)}, "cable")
		mustApply(t, h, hardware.PlugCable{Connection: first})
		back, err := RestoreHost(h.lab.Description(), mustSave(t, h))
		if err != nil {
			t.Fatal(err)
		}
		h = back
		mustApply(t, h, power.Up{Host: host, MAC: address(first)})
		h.Advance(longestStart)
		for port := range h.miniports {
			if want := map[bool]AdapterState{true: Stopped, false: Running}[h.connection(port) == disabled]; h.State(port) != want {
				t.Errorf("after %s, %s is %s", mode, h.connection(port), h.State(port))
			}
		}
	}
	if records := h.Power().Records; len(records) != 6 || records[5].Source != first || records[5].From != power.Off {
		t.Errorf("the records are %+v", records)
	}
	mustApply(t, h, power.Down{Host: host, Mode: power.Sleep}) // the boot has brought the setting into effect
	refused(power.Up{Host: host, MAC: address(second)}, "WOL_MAGIC_EN_P2 is 0")
	lab, err := device.New(h.lab.Description(), 7)
	if err != nil {
		t.Fatal(err)
	}
	renewed, err := RenewHost(lab, mustSave(t, h))
	if err != nil || renewed.Power().Mode != power.Running {
		t.Errorf("renewed: %v", err)
	}
	mustApply(t, h, power.Up{Host: host})
	if source := h.Power().Records[7].Source; source != power.Button {
		t.Errorf("the source is %s", source)
	}
}

// TestDamagedPowerState: a saved power state that no host has is refused.
func TestDamagedPowerState(t *testing.T) {
	t.Parallel()
	for _, s := range []power.State{
		{Mode: "standby"}, {Ports: []int{1}}, {Mode: power.Off, Ports: []int{8}}, {Mode: power.Off, Ports: []int{1, 1}}, {Records: make([]power.Record, 33)},
		{Records: []power.Record{{To: "x"}}}, {Records: []power.Record{{Source: "\x1b"}}},
	} {
		if s.Check(8) == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
}
