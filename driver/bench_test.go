package driver

import (
	"testing"

	"cxdeck/device/description"
	"cxdeck/driver/hardware"
)

func BenchmarkView(b *testing.B) {
	h := newHost(b, 1)
	for b.Loop() {
		h.View()
	}
}

func BenchmarkApplyAndUndoOfAValue(b *testing.B) {
	h := newHost(b, 1)
	plan := Plan{Title: "x", Operations: []Operation{set("Ethernet 5", "*JumboPacket", "9014")}}
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
	d := description.Default()
	for b.Loop() {
		if _, err := RestoreHost(d, saved); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLongJournal applies, checks and undoes on a host that was changed 5,000 times before.
func BenchmarkLongJournal(b *testing.B) {
	h := newHost(b, 1)
	plan := Plan{Title: "x", Operations: []Operation{set("Ethernet 5", "*JumboPacket", "9014")}}
	for len(h.journal) < 5000 {
		h.journal = append(h.journal, Entry{Sequence: h.journal.Last() + 1, Time: h.Now(), Plan: plan})
	}
	b.Run("check", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := h.Check(plan); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("refused", func(b *testing.B) {
		b.ReportAllocs()
		refused := Plan{Title: "x", Operations: []Operation{hardware.PlugCable{Connection: "Ethernet 5"}}}
		for b.Loop() {
			if _, err := h.Apply(refused); err == nil {
				b.Fatal("it was applied")
			}
			h.journal = h.journal[:5000]
		}
	})
	b.Run("apply", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := h.Apply(plan); err != nil {
				b.Fatal(err)
			}
			h.journal = h.journal[:5000]
		}
	})
	b.Run("save", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			mustSave(b, h)
		}
	})
}
