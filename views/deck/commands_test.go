package deck_test

import (
	"slices"
	"testing"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/views/deck"
)

func TestCommandsListManualSteps(t *testing.T) {
	t.Parallel()
	plan := driver.Plan{Title: "Both", Operations: []driver.Operation{
		hardware.PullCable{Connection: "Ethernet 7"}, adapters.EnableAdapter{Connection: "Ethernet 7"},
	}}
	want := []string{"by hand: pull the cable of Ethernet 7", `Enable-NetAdapter -Name "Ethernet 7"`}
	if got := deck.Commands(&driver.Entry{Plan: plan}); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
