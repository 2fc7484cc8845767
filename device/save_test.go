package device

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// disturb does something random to a lab, so that what is saved is not only what was described.
func disturb(t testing.TB, l *Lab, r *rand.Rand) {
	t.Helper()
	port := r.IntN(l.Ports())
	var err error
	switch r.IntN(11) {
	case 0:
		err = l.SetCable(port, r.IntN(2) == 0)
	case 1:
		err = l.SetFlowScale(r.IntN(len(l.Flows())), 3*r.Float64())
	case 2:
		s := l.Settings(port)
		s.ReceiveBuffers, s.Queues, s.RSS, s.CountRSS, s.CountFromStart = 256<<r.IntN(4), 1+r.IntN(16), r.IntN(3) > 0, true, true
		s.CoalesceIPv4, s.Completion = r.IntN(2) == 0, setup.CompletionMethod(r.IntN(2))
		err = l.Configure(port, s)
	case 3:
		s := l.SwitchPort(port)
		s.PauseShare, s.PausePriority = r.Float64(), 3
		err = l.SetSwitchPort(port, s)
	case 4:
		s := l.SwitchPort(port)
		s.MaxFrame = []int{1514, 9014, 9216}[r.IntN(3)]
		err = l.SetSwitchPort(port, s)
	case 5:
		err = l.SetSlot(r.IntN(len(l.setup.Slots)), 1+r.IntN(4), 1<<r.IntN(5))
	case 6:
		err = l.SetProcessorSpeed(port, 0.05+0.95*r.Float64())
	case 7:
		err = l.SetEnabled(port, r.IntN(4) > 0)
	case 8:
		if l.Settings(port).DropTimeout > 0 {
			err = l.SetDropless(port, r.IntN(4) > 0)
		}
	case 10:
		if err = l.Bind(randomBindings(l, r)); err != nil {
			break
		}
		s, far := l.Settings(port), l.SwitchPort(port)
		s.VLAN, s.Promiscuous, s.Tags = []int{0, 0, 70}[r.IntN(3)], r.IntN(2) == 0, r.IntN(4)
		far.Trunk, far.VLANs = r.IntN(4) > 0, []string{"", "31,70"}[r.IntN(2)]
		if err = l.Configure(port, s); err == nil {
			err = l.SetSwitchPort(port, far)
		}
	case 9: // all but a link that flaps, which not every port may have
		kind := description.FaultKind(1 + r.IntN(int(description.FaultCount)-1))
		if share := float64(r.IntN(2)); !kind.ByFunction() || l.VirtualFunctions(port) > 0 {
			err = l.SetFault(port, kind, share)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestRestoredLabContinues(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 3))
		l := newLab(t, seed)
		for range 12 {
			l.Advance(time.Duration(r.Int64N(int64(2 * time.Second))))
			disturb(t, l, r)
		}
		saved, err := l.Save()
		if err != nil {
			t.Fatal(err)
		}
		other, err := Restore(description.Default(), saved)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		again, err := other.Save()
		if err != nil || !bytes.Equal(saved, again) {
			t.Fatalf("seed %d: a restored lab saves something else (%v)", seed, err)
		}
		for range 4 {
			l.Advance(1500 * time.Millisecond)
			other.Advance(1500 * time.Millisecond)
			if !slices.Equal(l.Counters(), other.Counters()) || !l.Now().Equal(other.Now()) {
				t.Fatalf("seed %d: the numbers part after the restoration", seed)
			}
		}
		if !slices.Equal(l.TakeLinkChanges(), other.TakeLinkChanges()) {
			t.Errorf("seed %d: link changes differ", seed)
		}
	}
}

func TestInvalidSavedLabIsRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	l.Advance(time.Second)
	saved, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	other := description.Default()
	other.Name = "another lab"
	for name, try := range map[string]func() error{
		"nothing":             func() error { _, err := Restore(description.Default(), nil); return err },
		"cut short":           func() error { _, err := Restore(description.Default(), saved[:len(saved)-1]); return err },
		"too long":            func() error { _, err := Restore(description.Default(), append(slices.Clone(saved), 0)); return err },
		"another description": func() error { _, err := Restore(other, saved); return err },
	} {
		if try() == nil {
			t.Errorf("%s was restored", name)
		}
	}
}

// TestZeroesBeyondTheCountersAreRefused: a run of zeroes that is longer than what is left.
func TestZeroesBeyondTheCountersAreRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	for _, at := range []int{0, 1, 100} {
		for _, more := range []int{len(l.counters) - at - 1, len(l.counters) - at, len(l.counters), math.MaxInt} {
			saved := bytes.Repeat([]byte{1}, at)
			saved = binary.AppendUvarint(append(saved, 0), uint64(more))
			if err := l.Clone().readMoving(saved); err == nil {
				t.Errorf("%d zeroes from counter %d on are taken", more, at)
			}
		}
	}
}

func FuzzRestore(f *testing.F) {
	d := oneFlow(func(d *description.Description) { d.Flows[0].ReceiveGbps, d.Flows[0].Flows = 8, 64 })
	l, err := New(d, 1)
	if err != nil {
		f.Fatal(err)
	}
	l.Advance(time.Second)
	saved, err := l.Save()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(saved)
	f.Add(saved[:len(saved)/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Restore(d, data)
		if err != nil {
			return
		}
		l.Advance(time.Second)
		if _, err := l.Save(); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkSave(b *testing.B) {
	l := newLab(b, 1)
	l.Advance(time.Minute)
	b.ReportAllocs()
	for b.Loop() {
		saved, err := l.Save()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(saved)), "bytes")
	}
}
