package driver

import (
	"errors"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/journal"
)

func TestUndoOneOfMany(t *testing.T) {
	t.Parallel()
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	h := NewHost(lab)
	pull := func(name string) Entry {
		t.Helper()
		e, err := h.Apply(Plan{Title: "Pull " + name, Operations: []Operation{hardware.PullCable{Connection: name}}})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	first, second := pull("Ethernet 7"), pull("Ethernet 8")
	back, err := h.UndoEntry(first.Sequence)
	if err != nil || back.Undoes != first.Sequence {
		t.Fatalf("undone as %+v, %v", back, err)
	}
	in := func(name string) bool {
		port, err := h.port(name)
		return err == nil && lab.State(port).Cabled
	}
	if !in("Ethernet 7") || in("Ethernet 8") {
		t.Error("the wrong cable is in")
	}
	for _, sequence := range []uint64{0, first.Sequence, back.Sequence, 99} {
		if e, err := h.UndoEntry(sequence); err == nil {
			t.Errorf("change %d is undone as %+v", sequence, e)
		}
	}
	if e, err := h.Undo(); err != nil || e.Undoes != second.Sequence {
		t.Errorf("undo reverted %+v, %v", e, err)
	}
	if _, err := h.UndoEntry(second.Sequence); err == nil {
		t.Error("what undo reverted is undone again")
	}
	if _, err := h.Undo(); !errors.Is(err, journal.ErrNothingToUndo) {
		t.Errorf("there is still something to undo: %v", err)
	}
}

// TestUndoSaysWhyAChangeStays: the error for a change that can't be undone names the reason.
func TestUndoSaysWhyAChangeStays(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	mustApply(t, h, hardware.PullCable{Connection: "Ethernet 7"})
	mustApply(t, h, adapters.RestartAdapter{Connection: "Ethernet 8"})
	if _, err := h.Apply(Plan{Title: "Pull", Operations: []Operation{hardware.PullCable{Connection: "Ethernet 7"}}}); err == nil {
		t.Fatal("a cable was pulled twice")
	}
	if _, err := h.UndoEntry(1); err != nil {
		t.Fatal(err)
	}
	h.journal = append(h.journal, Entry{Sequence: 5, Plan: Plan{Title: "Pull"}, Unread: "it is torn"})
	for sequence, want := range map[uint64]string{
		1: "change 1 is undone already",
		2: "change 2 can't be undone: test",
		3: "change 3 failed and changed nothing: there is nothing to undo",
		4: "change 4 undid change 1: make change 1 again",
		5: "change 5 can't be undone, because it can't be read: it is torn",
		6: "there is no change 6 to undo",
	} {
		if _, err := h.UndoEntry(sequence); err == nil || err.Error() != want {
			t.Errorf("change %d: %v, want %s", sequence, err, want)
		}
	}
}
