package catalog

import (
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/views/exec"
	"cxdeck/views/exec/hosts"
)

// TestUnconfirmedPlanIsReverted: an unconfirmed plan is reverted when its time is over, not before, and only once.
func TestUnconfirmedPlanIsReverted(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	if status := b.script(`reg set "Ethernet 7" *RSS 0 --draft`,
		"plan apply --no-restart --confirm-within 30s"); status != exec.Done {
		t.Fatal(b.errs.String())
	}
	lab := b.host.(*hosts.Lab)
	if _, taken, err := lab.RevertExpired(time.Now()); taken || err != nil {
		t.Fatalf("undone at once: %v, %v", taken, err)
	}
	guard, taken, err := lab.RevertExpired(time.Now().Add(time.Minute))
	if !taken || err != nil || guard.Sequence != 1 {
		t.Fatalf("%+v, %v, %v", guard, taken, err)
	}
	if _, taken, _ := lab.RevertExpired(time.Now().Add(time.Minute)); taken {
		t.Error("undone twice")
	}
	b.out.Reset()
	if b.script(`reg get "Ethernet 7" *RSS`, "plan confirm") != exec.Failed || !strings.Contains(b.out.String(), "1 (enable)") {
		t.Errorf("%s%s", b.out.String(), b.errs.String())
	}
}

// TestEmptyPlanNeedsNoConfirmation: a plan with nothing to undo does not wait for a confirmation.
func TestEmptyPlanNeedsNoConfirmation(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	entry, err := b.host.ApplyGuarded(t.Context(),
		driver.Plan{Title: "x", Operations: []driver.Operation{adapters.RestartAdapter{Connection: "Ethernet 7"}}}, time.Second)
	if err != nil || entry.Sequence != 1 {
		t.Fatal(err)
	}
	if status := b.script("plan confirm", "plan revert"); status != exec.Failed {
		t.Errorf("status %d", status)
	}
}
