package driver

import (
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry/edit"
)

// TestKeysOfWindowsAct holds that the keys of Windows that the manuals don't name set up the hardware of both families.
func TestKeysOfWindowsAct(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		connection, key, value string
		acts                   func(before, after *setup.Port) bool
	}{
		{"Ethernet 3", "*NetworkDirect", "0", func(_, s *setup.Port) bool { return s.RoCE == description.NoRoCE }},
		{"Ethernet 7", "*NetworkDirectTechnology", "3", func(_, s *setup.Port) bool { return s.RoCE == description.RoCEv1 }},
		{"Ethernet 7", "*NetworkDirectTechnology", "4", func(_, s *setup.Port) bool { return s.RoCE == description.RoCEv2 }},
		{"Ethernet 3", "*RscIPv4", "1", func(_, s *setup.Port) bool { return s.CoalesceIPv4 }},
		{"Ethernet 7", "*RscIPv4", "1", func(_, s *setup.Port) bool { return s.CoalesceIPv4 }},
		{"Ethernet 3", "*RscIPv6", "1", func(_, s *setup.Port) bool { return s.CoalesceIPv6 }},
		{"Ethernet 7", "*RscIPv6", "0", func(_, s *setup.Port) bool { return !s.CoalesceIPv6 }},
		{"Ethernet 5", "*EncapOverhead", "160", func(before, s *setup.Port) bool { return s.MaxFrame == min(before.MaxFrame+160, 9614) }},
		{"Ethernet 3", "*EncapOverhead", "64", func(before, s *setup.Port) bool { return s.MaxFrame == min(before.MaxFrame+64, 9614) }},
	} {
		h := newHost(t, 1)
		port := portOf(t, h, c.connection)
		before := h.lab.Settings(port)
		mustApply(t, h, edit.SetValue{Connection: c.connection, Key: c.key, Value: c.value}, adapters.RestartAdapter{Connection: c.connection})
		h.Advance(5 * time.Second)
		if after := h.lab.Settings(port); !c.acts(&before, &after) {
			t.Errorf("%s of %s at %s: RoCE %v, RSC %v and %v, frames of %d", c.value, c.key, c.connection, after.RoCE, after.CoalesceIPv4, after.CoalesceIPv6, after.MaxFrame)
		}
	}
}
