package driver

import (
	"errors"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
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
		e, err := h.Apply(Plan{Title: "Pull " + name, Operations: []Operation{PullCable{name}}})
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
	if _, err := h.Undo(); !errors.Is(err, ErrNothingToUndo) {
		t.Errorf("there is still something to undo: %v", err)
	}
}
