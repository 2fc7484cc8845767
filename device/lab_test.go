package device

import (
	"testing"
	"time"
)

func BenchmarkAdvance(b *testing.B) {
	l, err := New(Default(), 1)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		l.Advance(time.Second)
		l.changes = l.changes[:0]
	}
}

func TestLook(t *testing.T) {
	l, err := New(Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for s := range 60 {
		before := append([]uint64(nil), l.counters...)
		l.Advance(time.Second)
		for _, c := range l.TakeLinkChanges() {
			t.Log(s, c)
		}
		for p := range l.Ports() {
			d := func(c Counter) uint64 { return l.counters[Cell(p, c)] - before[Cell(p, c)] }
			if s%6 == 0 || d(Discarded)+d(NoDescriptor) > 0 {
				name, _, _ := l.Port(p)
				t.Logf("%2d %-11s rx %6.2f tx %6.2f Gb/s disc %d nowqe %d ctl %d/%d", s, name.Connection, float64(d(ReceivedBytes))*8e-9, float64(d(SentBytes))*8e-9, d(Discarded), d(NoDescriptor), d(ReceivedControl), d(SentControl))
			}
		}
	}
}
