package driver

import (
	"slices"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/driver/adapters"
)

// TestResetOfACard: only the counters of its ports restart at 0, and the ports that ran run again (T2).
func TestResetOfACard(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	h.Advance(5 * time.Second)
	first, other := portOf(t, h, "Ethernet 7"), portOf(t, h, "Ethernet 5")
	mustApply(t, h, adapters.DisableAdapter{Connection: "Ethernet 8"})
	received := func(port int) uint64 { return h.lab.Counters()[counter.Cell(port, counter.ReceivedBytes)] }
	kept := received(other)
	o := adapters.ResetCard{Adapter: "ConnectX-5 Ex"}
	mustApply(t, h, o)
	if received(first) != 0 || received(other) != kept || kept == 0 {
		t.Errorf("after the reset %d bytes are counted, and %d of %d at another card", received(first), received(other), kept)
	}
	h.Advance(6 * time.Second)
	if h.State(first) != Running || !h.lab.State(first).Up || received(first) == 0 {
		t.Errorf("after the reset Ethernet 7 is %s", h.State(first))
	}
	if s := h.State(portOf(t, h, "Ethernet 8")); s != Stopped {
		t.Errorf("a disabled port is %s after the reset", s)
	}
	if got := h.Commands(o); !slices.Equal(got, []string{"mlxfwreset -d mt4121_pciconf0 r --yes"}) {
		t.Errorf("the commands are %q", got)
	}
	if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{adapters.ResetCard{Adapter: "ConnectX-9"}}}); err == nil {
		t.Error("an unknown card is reset")
	}
}
