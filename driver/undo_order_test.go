package driver

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"cxdeck/driver/fabric"
	"cxdeck/driver/registry/edit"
)

// TestUndoOrder: later changes of the same objects are undone first, also changes that only conflict with them.
func TestUndoOrder(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	before := h.Clone()
	value := func(key, value string) Operation {
		return edit.SetValue{Connection: "Ethernet 7", Key: key, Value: value}
	}
	for _, plan := range [][]Operation{
		{value("*JumboPacket", "4000"), value("*RSS", "0")},
		{value("*ReceiveBuffers", "1024")},
		{value("*JumboPacket", "5000"), fabric.ScaleFlow{Flow: "Web front end", Scale: 2}},
		{fabric.ScaleFlow{Flow: "Web front end", Scale: 3}},
	} {
		applyAll(t, h, plan...)
	}
	order, err := h.UndoOrder(1)
	if err != nil || !slices.Equal(order, []uint64{4, 3, 1}) {
		t.Fatalf("the order is %v, %v", order, err)
	}
	if h.Changes() != 4 {
		t.Error("looking for the order changes the host")
	}
	for _, sequence := range order {
		if _, err := h.UndoEntry(sequence); err != nil {
			t.Fatal(err)
		}
	}
	if flow, _ := h.fabricSet().Flow("Web front end"); h.lab.Flows()[flow].Scale != 1 {
		t.Error("the scale was not restored")
	}
	if left, err := h.Undo(); err != nil || left.Undoes != 2 { // the change of another object stays
		t.Errorf("after it change %d is the newest, %v", left.Undoes, err)
	}
	if got, want := h.hive.All(), before.hive.All(); !reflect.DeepEqual(got, want) {
		t.Error("the undo left values in the registry")
	}
	if _, err := h.UndoOrder(1); err == nil {
		t.Error("an undone change is undone again")
	}
	if _, err := h.UndoOrder(99); err == nil || errors.As(err, new(*ConflictError)) {
		t.Errorf("an unknown change: %v", err)
	}
}
