package device

import (
	"testing"
	"time"

	"cxdeck/device/description"
)

// TestFDREthernet is FAM-7: the switch alone is set to 56 Gb/s, and the link comes up with it where the card can.
func TestFDREthernet(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		family   description.Family
		firmware string
		link     description.LinkType
		card     int
		far      int
		want     int
	}{
		{"a 40 GbE port", description.WinOF, "2.42.5000", description.Ethernet, 40, 56, 56},
		{"the first firmware that can", description.WinOF, "2.31.5050", description.Ethernet, 40, 56, 56},
		{"older firmware", description.WinOF, "2.31.5000", description.Ethernet, 40, 56, 40},
		{"a switch port of 40", description.WinOF, "2.42.5000", description.Ethernet, 40, 40, 40},
		{"a switch port of 100", description.WinOF, "2.42.5000", description.Ethernet, 40, 100, 40},
		{"a 10 GbE port", description.WinOF, "2.42.5000", description.Ethernet, 10, 56, 10},
		{"another family", description.WinOF2, "16.35.3502", description.Ethernet, 100, 56, 56},
		{"a 56 GbE port with a switch port of 56", description.WinOF, "2.42.5000", description.Ethernet, 56, 56, 56},
		{"a 56 GbE port with a switch port of 40", description.WinOF, "2.42.5000", description.Ethernet, 56, 40, 40},
		{"a 56 GbE port with a switch port of 100", description.WinOF, "2.42.5000", description.Ethernet, 56, 100, 40},
		{"InfiniBand FDR", description.WinOF, "2.42.5000", description.InfiniBand, 56, 56, 56},
		{"a firmware that is no version", description.WinOF, "unknown", description.Ethernet, 40, 56, 56},
	} {
		if got := description.AgreedSpeed(&description.Adapter{Family: c.family, Firmware: c.firmware}, &description.Port{Link: c.link, SpeedGbps: c.card}, c.far); got != c.want {
			t.Errorf("%s: %d Gb/s, want %d", c.name, got, c.want)
		}
	}
}

// TestFDREthernetComesUp sets the switch port of a 40 GbE port to 56 Gb/s: the link has that rate.
func TestFDREthernetComesUp(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	port := portOf(t, l, "Ethernet 3")
	s := l.SwitchPort(port)
	s.SpeedGbps = description.FDREthernet
	if err := l.SetSwitchPort(port, s); err != nil {
		t.Fatal(err)
	}
	l.Advance(5 * time.Second)
	if state := l.State(port); !state.Up || state.Rate != 56e9 {
		t.Errorf("the link is up: %v, with %.0f Gb/s", state.Up, state.Rate/1e9)
	}
}
