package driver

import (
	"slices"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/hardware"
)

// TestEveryEntryHasAnActor goes every way by which an entry comes into the journal.
func TestEveryEntryHasAnActor(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	pull := Plan{Title: "Pull", Operations: []Operation{hardware.PullCable{Connection: "Ethernet 7"}}}
	var want []string
	as := func(by string, do func() (Entry, error)) {
		t.Helper()
		h.SetActor(Actor{By: by, Run: "run of " + by})
		want = append(want, by)
		if entry, _ := do(); entry.By != by || entry.Run != "run of "+by { // whether it is applied does not matter
			t.Errorf("change %d, %s, is by %q in %q", entry.Sequence, entry.Plan.Title, entry.By, entry.Run)
		}
	}
	as("first", func() (Entry, error) { return h.Apply(pull) })
	as("refused", func() (Entry, error) { return h.Apply(pull) })
	as("undo", h.Undo)
	as("guarded", func() (Entry, error) { return h.ApplyGuarded(pull, time.Time{}) })
	as("revert", h.Revert)

	back, err := RestoreHost(description.Default(), mustSave(t, h))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range back.Journal() {
		if e.Run != "run of "+e.By {
			t.Errorf("change %d is by %q in %q", e.Sequence, e.By, e.Run)
		}
		got = append(got, e.By)
	}
	if !slices.Equal(got, want) {
		t.Errorf("after a save they are by %q, want %q", got, want)
	}
}

func TestOlderEntryHasNoActor(t *testing.T) {
	t.Parallel()
	var e Entry
	const text = `{"sequence":1,"time":"2026-03-02T14:00:01Z","plan":{"title":"x","operations":[]},"inverse":{"title":"","operations":[]}}`
	if err := e.UnmarshalJSON([]byte(text)); err != nil || e.Sequence != 1 || e.By != "" || e.Run != "" {
		t.Errorf("%+v, %v", e, err)
	}
}
