package driver

import (
	"testing"

	"cxdeck/device"
)

func BenchmarkView(b *testing.B) {
	h := newHost(b, 1)
	for b.Loop() {
		h.View()
	}
}

func BenchmarkApplyAndUndoOfAValue(b *testing.B) {
	h := newHost(b, 1)
	plan := Plan{"x", []Operation{set("Ethernet 5", "*JumboPacket", "9014")}}
	for b.Loop() {
		if _, err := h.Apply(plan); err != nil {
			b.Fatal(err)
		}
		if _, err := h.Undo(); err != nil {
			b.Fatal(err)
		}
		h.journal = nil
	}
}

func BenchmarkSave(b *testing.B) {
	h := newHost(b, 1)
	for b.Loop() {
		b.SetBytes(int64(len(mustSave(b, h))))
	}
}

func BenchmarkRestoreHost(b *testing.B) {
	saved := mustSave(b, newHost(b, 1))
	d := device.Default()
	for b.Loop() {
		if _, err := RestoreHost(d, saved); err != nil {
			b.Fatal(err)
		}
	}
}
