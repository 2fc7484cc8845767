package catalog

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"cxdeck/views/exec"
)

// stoppingHost is a host whose Advance fails after a number of calls.
type stoppingHost struct {
	exec.Host
	left int
}

func (h *stoppingHost) Advance(ctx context.Context, d time.Duration) error {
	if h.left--; h.left < 0 {
		return errors.New("its time passes automatically")
	}
	return h.Host.Advance(ctx, d)
}

// TestDrillPlugsTheCableIn: a drill pulls no cable if it can't advance the time, and plugs the cable in if it can't continue.
func TestDrillPlugsTheCableIn(t *testing.T) {
	t.Parallel()
	for left, changes := range map[int]string{0: "Create the team T", 1: "Drill: plug in the cable of Ethernet 7",
		2: "Drill: plug in the cable of Ethernet 7"} {
		b := newBench(t, nil)
		stopping := &stoppingHost{b.host, 1000}
		b.host = stopping
		if status := b.script(`vswitch remove "Switch Ethernet 7"`, `team create T AFT "Ethernet 7" "Ethernet 8"`, "advance 4s"); status != exec.Done {
			t.Fatal(b.errs.String())
		}
		stopping.left = left
		if status := b.script("team drill T"); status != exec.Failed || !strings.Contains(b.errs.String(),
			"its time passes automatically") {
			t.Errorf("status %d, %q", status, b.errs.String())
		}
		b.out.Reset()
		b.script(`adapter show "Ethernet 7"`, "journal --last 1")
		if said := b.out.String(); strings.Contains(said, "no cable") || !strings.Contains(said, changes) {
			t.Errorf("after %d it says %s", left, said)
		}
	}
}
