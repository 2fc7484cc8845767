package driver

import (
	"errors"
	"reflect"
	"testing"

	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/journal"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/registry/profile"
)

func TestAProfileIsAppliedAsAPlan(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	mustApply(t, h, set("Ethernet 7", "*JumboPacket", "4000"), edit.DeleteValue{Connection: "Ethernet 7", Key: "*ReceiveBuffers"})
	p, err := h.ProfileOf("Ethernet 7", "Mine", "*JumboPacket", "*ReceiveBuffers", "*RSS")
	want := profile.Profile{Name: "Mine", About: "as stored for Ethernet 7", Values: []profile.Value{
		{Key: "miniport/*JumboPacket", Value: "4000"}, {Key: "miniport/*ReceiveBuffers", Delete: true}, {Key: "miniport/*RSS", Value: "1"},
	}}
	if err != nil || !reflect.DeepEqual(p, want) {
		t.Fatalf("%+v, %v", p, err)
	}
	p.Values = append(p.Values, profile.Value{Key: "DcqcnRpgThreshold", Value: "6"})
	plan, absent, err := h.ApplyProfile(p, "Ethernet 8", "Ethernet 4")
	if err != nil || len(absent) != 1 || absent[0] != "DcqcnRpgThreshold of Ethernet 4" || len(plan.Operations) != 5 {
		t.Fatalf("%+v, %q, %v", plan, absent, err)
	}
	mustApply(t, h, plan.Operations...)
	if _, _, err := h.ApplyProfile(p, "Ethernet 8"); !errors.Is(err, profile.ErrStored) {
		t.Errorf("a second time: %v", err)
	}
	all, err := h.ProfileOf("Ethernet 7", "All")
	if err != nil || len(all.Values) < 2 {
		t.Errorf("%+v, %v", all, err)
	}
	for _, bad := range []profile.Profile{{Name: "x", About: "", Values: []profile.Value{{Key: "None", Value: "1"}}}, {Name: "x", About: "", Values: []profile.Value{{Key: "*RSS", Value: "on"}}}} {
		if plan, _, err := h.ApplyProfile(bad, "Ethernet 7"); err == nil {
			t.Errorf("%+v becomes %+v", bad, plan)
		}
	}
}

// What became of a plan that was begun is in the journal; one that does not exist is put there as one that was not done.
func TestOutcomeOfABegunPlan(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	plan := Plan{Title: "x", Operations: []Operation{hardware.PullCable{Connection: "Ethernet 7"}}}
	if entry, applied, err := h.ResolveInterrupted(plan, 0, h.Now()); err != nil || applied || entry.Err != journal.ErrInterrupted.Error() || len(h.journal) != 1 {
		t.Errorf("%+v, %v, %v", entry, applied, err)
	}
	mustApply(t, h, adapters.DisableAdapter{Connection: "Ethernet 8"})
	if _, err := h.Apply(plan); err != nil {
		t.Fatal(err)
	}
	if entry, applied, err := h.ResolveInterrupted(plan, 1, h.Now()); err != nil || !applied || entry.Sequence != 3 || len(h.journal) != 3 {
		t.Errorf("%+v, %v, %v", entry, applied, err)
	}
	if _, err := h.Apply(plan); err == nil {
		t.Fatal("the cable was pulled twice")
	}
	if entry, applied, err := h.ResolveInterrupted(plan, 3, h.Now()); err != nil || applied || entry.Sequence != 4 || len(h.journal) != 4 {
		t.Errorf("one that failed: %+v, %v, %v", entry, applied, err)
	}
}
