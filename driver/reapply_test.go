package driver

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/hardware"
)

// TestAJournalIsAppliedAgain leads a saved host through the journal that another one wrote from there: applied, failed and
// undone plans give the same host, to the last counter.
func TestAJournalIsAppliedAgain(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 31))
		h := newHost(t, seed)
		h.Advance(3 * time.Second)
		if _, err := h.ApplyGuarded(Plan{Title: "Guarded", Operations: []Operation{hardware.PullCable{Connection: "Ethernet 7"}}}, time.Unix(1e9, 0)); err != nil {
			t.Fatal(err)
		}
		saved, now := mustSave(t, h), h.Now()
		if err := h.Confirm(); err != nil {
			t.Fatal(err)
		}
		undone, failed := 0, 0
		for range 14 {
			h.Advance(time.Duration(random.IntN(2500)) * time.Millisecond)
			if random.IntN(4) == 0 {
				if _, err := h.Undo(); err == nil {
					undone++
					continue
				}
			}
			if _, err := h.Apply(randomPlan(h, random)); err != nil {
				failed++
			}
		}
		h.Advance(10 * time.Second)
		back, err := RestoreHost(description.Default(), saved)
		if err != nil {
			t.Fatal(err)
		}
		back.SetNow(now)
		for _, e := range h.Journal()[1:] {
			data, err := json.Marshal(&e)
			if err != nil {
				t.Fatal(err)
			}
			var stored Entry
			if err := json.Unmarshal(data, &stored); err != nil {
				t.Fatal(err)
			}
			back.Advance(stored.Time.Sub(back.Now()))
			if err := back.Reapply(stored); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		back.Advance(h.Now().Sub(back.Now()))
		if !bytes.Equal(mustSave(t, h), mustSave(t, back)) {
			t.Errorf("seed %d: the journal gave another host", seed)
		}
		if undone == 0 || failed == 0 {
			t.Errorf("seed %d: %d plans failed and %d were undone", seed, failed, undone)
		}
	}
}

func TestOnlyTheNextChangeIsAppliedAgain(t *testing.T) {
	t.Parallel()
	pull := Plan{Title: "Pull", Operations: []Operation{hardware.PullCable{Connection: "Ethernet 7"}}}
	for name, c := range map[string]struct {
		entry Entry
		want  string
	}{
		"missing":    {Entry{Sequence: 3, Plan: pull}, "change 3 does not follow change 1"},
		"applied":    {Entry{Sequence: 1, Plan: pull}, "change 1 does not follow change 1"},
		"unreadable": {Entry{Sequence: 2, Unread: "it is torn"}, "change 2 can't be read: it is torn"},
		"impossible": {Entry{Sequence: 2, Plan: pull}, "change 2 can't be applied again: can't pull the cable of Ethernet 7: "},
	} {
		h := newHost(t, 1)
		mustApply(t, h, pull.Operations[0])
		before := mustSave(t, h)
		if err := h.Reapply(c.entry); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if !bytes.Equal(before, mustSave(t, h)) {
			t.Errorf("%s: the host has changed", name)
		}
	}
}
