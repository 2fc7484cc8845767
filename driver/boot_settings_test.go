package driver

import (
	"testing"
	"time"

	"cxdeck/driver/adapters"
	"cxdeck/driver/virtualization"
)

// TestSettingsOfTheBootAct: a setting of mlxconfig is in effect for its port after a reset of the card, and the boot over the network
// reads it there (driver/boot, TestCauses).
func TestSettingsOfTheBootAct(t *testing.T) {
	t.Parallel()
	const card = "ConnectX-3 Pro"
	for _, c := range []struct {
		setting, value string
		port           int
		name           string
		want           uint32
	}{
		{"BOOT_OPTION_ROM_EN_P1", "0", 0, "BOOT_OPTION_ROM_EN", 0}, {"BOOT_OPTION_ROM_EN_P2", "0", 1, "BOOT_OPTION_ROM_EN", 0},
		{"BOOT_VLAN_EN_P1", "1", 0, "BOOT_VLAN_EN", 1}, {"BOOT_VLAN_EN_P2", "1", 1, "BOOT_VLAN_EN", 1},
		{"BOOT_VLAN_P1", "30", 0, "BOOT_VLAN", 30}, {"BOOT_VLAN_P2", "31", 1, "BOOT_VLAN", 31},
		{"LEGACY_BOOT_PROTOCOL_P1", "2", 0, "LEGACY_BOOT_PROTOCOL", 2}, {"LEGACY_BOOT_PROTOCOL_P2", "0", 1, "LEGACY_BOOT_PROTOCOL", 0},
	} {
		h := newHost(t, 1)
		port := -1
		for i := range h.lab.Ports() {
			if _, adapter, index := h.lab.Port(i); h.lab.Description().Adapters[adapter].Name == card && index == c.port {
				port = i
			}
		}
		before := partHost{h}.Flash(port, c.name)
		mustApply(t, h, virtualization.SetFirmware{Adapter: card, Values: []virtualization.FirmwareValue{{Name: c.setting, Value: c.value}}})
		if got := (partHost{h}).Flash(port, c.name); got != before {
			t.Errorf("%s is %d before a reset", c.setting, got)
		}
		mustApply(t, h, adapters.ResetCard{Adapter: card})
		h.Advance(time.Minute)
		if got := (partHost{h}).Flash(port, c.name); got != c.want {
			t.Errorf("%s is %d after a reset, expected %d", c.setting, got, c.want)
		}
	}
}
