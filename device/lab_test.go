package device

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/wire"
)

func newLab(t testing.TB, seed uint64) *Lab {
	t.Helper()
	l, err := New(description.Default(), seed)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestOneAdvanceEqualsManyOddOnes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		whole, cut, cloned := newLab(t, seed), newLab(t, seed), newLab(t, seed)
		random := rand.New(rand.NewPCG(seed, 1))
		whole.Advance(time.Minute)
		for left := time.Minute; left > 0; {
			d := min(left, time.Duration(random.Int64N(int64(300*time.Millisecond))))
			cut.Advance(d)
			left -= d
			if random.IntN(50) == 0 {
				cloned = cut.Clone()
			}
		}
		cloned.Advance(time.Minute - cloned.Elapsed())
		for what, other := range map[string]*Lab{"cut": cut, "cloned": cloned} {
			if !slices.Equal(whole.Counters(), other.Counters()) || !whole.Now().Equal(other.Now()) {
				t.Errorf("seed %d: %s differs", seed, what)
			}
		}
	}
}

// TestAPlanLeavesThePlantAlone: a lab and its clones are set up in goroutines of their own, and share the plant.
func TestAPlanLeavesThePlantAlone(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	before := *l.plant
	before.flows = slices.Clone(before.flows)
	for i := range before.flows {
		before.flows[i].tuples = slices.Clone(before.flows[i].tuples)
	}
	for port := range l.Ports() {
		s := l.Settings(port)
		s.MaxFrame = 2048
		if err := l.Clone().Configure(port, s); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(&before, l.plant) {
		t.Error("a clone that was set up changed what all share")
	}
}

func TestAnotherSeedGivesOtherNumbers(t *testing.T) {
	t.Parallel()
	a, b := newLab(t, 1), newLab(t, 2)
	a.Advance(time.Second)
	b.Advance(time.Second)
	if slices.Equal(a.Counters(), b.Counters()) {
		t.Error("seeds 1 and 2 give the same numbers")
	}
}

// oneFlow is a lab of one 100 GbE port with one flow, changed by the caller.
func oneFlow(change func(d *description.Description)) *description.Description {
	all := description.Default()
	d := &description.Description{
		Name: "one flow", Epoch: all.Epoch, Host: all.Host, Adapters: all.Adapters[:1], Schedules: all.Schedules,
		Flows: []description.Flow{{
			Name: "flow", Port: "Ethernet 7", Protocol: description.UDP, Flows: 4096, Priority: new(int),
			Packets: []description.PacketSize{{IP: 1000, Share: 1}},
		}},
	}
	*d.Flows[0].Priority = 3
	d.Adapters[0].Ports[0].HostPacketsPerSecond = 100e6
	change(d)
	return d
}

// run advances a lab of one port and gives a counter of it.
func run(t *testing.T, d *description.Description, span time.Duration) func(c counter.Port) uint64 {
	t.Helper()
	l, err := New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	l.Advance(span)
	return func(c counter.Port) uint64 { return l.Counters()[counter.Cell(0, c)] }
}

func TestAFlowHasItsRate(t *testing.T) {
	t.Parallel()
	get := run(t, oneFlow(func(d *description.Description) { d.Flows[0].ReceiveGbps = 8 }), 10*time.Second)
	if bytes, want := get(counter.ReceivedBytes), uint64(10e9); bytes < want-8*1022 || bytes > want {
		t.Errorf("8 Gb/s for 10 s are %d bytes", bytes)
	}
	if get(counter.ReceivedBytes) != get(counter.ReceivedPackets)*uint64(wire.FrameBytes(1000, 1)) {
		t.Errorf("%d bytes in %d packets", get(counter.ReceivedBytes), get(counter.ReceivedPackets))
	}
}

func TestTheLineLimitsAFlow(t *testing.T) {
	t.Parallel()
	get := run(t, oneFlow(func(d *description.Description) {
		d.Flows[0].SendGbps = 300
		d.Adapters[0].PCIeGeneration = 4
	}), 10*time.Second)
	line := float64(get(counter.SentBytes)+wire.PreambleGap*get(counter.SentPackets)) * 8 / 10
	if line > 100e9 || line < 99.6e9 {
		t.Errorf("a 100 GbE port sent %.2f Gb/s on the wire", line/1e9)
	}
}

func TestTheSlotLimitsALossyFlowByDrops(t *testing.T) {
	t.Parallel()
	get := run(t, oneFlow(func(d *description.Description) {
		d.Flows[0].ReceiveGbps = 80
		*d.Flows[0].Priority = 1
		d.Adapters[0].PCIeLanes = 8
	}), 10*time.Second)
	taken := float64(get(counter.ReceivedBytes)) / 10
	if usable := wire.PCIeUsable(3, 8, 256); taken > usable || taken < usable*0.99 {
		t.Errorf("%.0f bytes a second came through a slot for %.0f", taken, usable)
	}
	if get(counter.Discarded) == 0 || get(counter.ReceivedPackets)+get(counter.Discarded)+get(counter.NoDescriptor) != get(counter.ArrivedPackets) {
		t.Errorf("%d arrived, %d delivered, %d discarded", get(counter.ArrivedPackets), get(counter.ReceivedPackets), get(counter.Discarded))
	}
	if get(counter.SentControl) != 0 {
		t.Error("a lossy priority was paused")
	}
}

func TestTheSlotLimitsALosslessFlowByPause(t *testing.T) {
	t.Parallel()
	d := oneFlow(func(d *description.Description) {
		d.Flows[0].ReceiveGbps = 80
		d.Adapters[0].PCIeLanes = 8
	})
	l, err := New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	l.Advance(10 * time.Second)
	at := func(c counter.Port) uint64 { return l.Counters()[counter.Cell(0, c)] }
	frames, held := l.Counters()[counter.PriorityCell(0, 3, counter.PauseSent)], l.Counters()[counter.PriorityCell(0, 3, counter.FarEndPaused)]
	if at(counter.Discarded) != 0 || frames == 0 || frames != at(counter.SentControl) {
		t.Errorf("%d discarded, %d pause frames, %d control frames", at(counter.Discarded), frames, at(counter.SentControl))
	}
	offered, usable := 80e9/8, wire.PCIeUsable(3, 8, 256)*headroom
	if want := (1 - usable/offered) * 1e7; float64(held) < want*0.98 || float64(held) > want*1.02 {
		t.Errorf("the far end was held back for %d us of 10 s, and should be for %.0f", held, want)
	}
}

func TestAHostThatIsTooSlowHasNoDescriptors(t *testing.T) {
	t.Parallel()
	get := run(t, oneFlow(func(d *description.Description) {
		d.Flows[0].ReceiveGbps = 80 // 9.8 million packets per second
		d.Adapters[0].Ports[0].HostPacketsPerSecond = 4e6
	}), 10*time.Second)
	if n := get(counter.ReceivedPackets); n > 40_000_000 || n < 37_000_000 {
		t.Errorf("a host for 4 Mp/s took %d packets in 10 s", n)
	}
	if get(counter.Discarded) != 0 || get(counter.NoDescriptor) == 0 {
		t.Errorf("%d discarded, %d without descriptor", get(counter.Discarded), get(counter.NoDescriptor))
	}
}

// TestPermanentPauseStopsAPriority is Q9 of docs/model.md.
func TestPermanentPauseStopsAPriority(t *testing.T) {
	t.Parallel()
	d := oneFlow(func(d *description.Description) {
		d.Flows[0].SendGbps = 10
		d.Schedules = []description.Schedule{{
			Name: "pause", First: []description.Duration{description.Duration(5 * time.Second), description.Duration(5 * time.Second)},
			Every:   []description.Duration{description.Duration(time.Second), description.Duration(time.Second)},
			Lasting: []description.Duration{description.Duration(time.Hour), description.Duration(time.Hour)},
		}}
		d.Faults = []description.Fault{{Port: "Ethernet 7", Kind: description.FarEndPause, Schedule: "pause", Share: 1, Priority: 3}}
	})
	l, err := New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	l.Advance(6 * time.Second)
	sent := l.Counters()[counter.PriorityCell(0, 3, counter.PrioritySentPackets)]
	held := l.Counters()[counter.PriorityCell(0, 3, counter.SelfPaused)]
	l.Advance(10 * time.Second)
	if now := l.Counters()[counter.PriorityCell(0, 3, counter.PrioritySentPackets)]; now != sent || sent == 0 {
		t.Errorf("%d packets were sent under a pause", now-sent)
	}
	if rise := l.Counters()[counter.PriorityCell(0, 3, counter.SelfPaused)] - held; rise != 10e6 {
		t.Errorf("10 s of pause are %d us", rise)
	}
}

// TestNoPauseWithoutAFrame is Q8 of docs/model.md: a short pause is over before a whole frame has come together.
func TestNoPauseWithoutAFrame(t *testing.T) {
	t.Parallel()
	d := oneFlow(func(d *description.Description) {
		d.Flows[0].SendGbps = 10
		d.Schedules = []description.Schedule{{
			Name: "always", First: []description.Duration{0, 0}, Every: []description.Duration{0, 0},
			Lasting: []description.Duration{description.Duration(time.Hour), description.Duration(time.Hour)},
		}}
		d.Faults = []description.Fault{{Port: "Ethernet 7", Kind: description.FarEndPause, Schedule: "always", Share: 0.0005, Priority: 3}}
	})
	l, err := New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		l.Advance(Step)
		frames, held := l.Counters()[counter.PriorityCell(0, 3, counter.PauseReceived)], l.Counters()[counter.PriorityCell(0, 3, counter.SelfPaused)]
		if frames == 0 && held > 0 {
			t.Errorf("held back for %d us without a frame", held)
		}
	}
}

func TestABadCableDamagesFrames(t *testing.T) {
	t.Parallel()
	get := run(t, oneFlow(func(d *description.Description) {
		d.Flows[0].ReceiveGbps = 8
		d.Schedules = []description.Schedule{{
			Name: "always", First: []description.Duration{0, 0}, Every: []description.Duration{0, 0},
			Lasting: []description.Duration{description.Duration(time.Hour), description.Duration(time.Hour)},
		}}
		d.Faults = []description.Fault{{Port: "Ethernet 7", Kind: description.BadCable, Schedule: "always", Share: 0.01}}
	}), 10*time.Second)
	share := float64(get(counter.ReceiveErrors)) / float64(get(counter.ArrivedPackets))
	if share < 0.0099 || share > 0.0101 || get(counter.BadCRC)+get(counter.SymbolErrors) != get(counter.ReceiveErrors) {
		t.Errorf("%.4f damaged, %d CRC, %d symbol", share, get(counter.BadCRC), get(counter.SymbolErrors))
	}
}

func BenchmarkAdvance(b *testing.B) {
	l := newLab(b, 1)
	b.ReportAllocs()
	for b.Loop() {
		l.Advance(time.Second)
		l.changes = l.changes[:0]
	}
}

func BenchmarkClone(b *testing.B) {
	l := newLab(b, 1)
	b.ReportAllocs()
	for b.Loop() {
		l.Clone()
	}
}

func BenchmarkAdvanceLarge(b *testing.B) {
	l, err := New(description.Large(), 1)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		l.Advance(time.Second)
		l.changes = l.changes[:0]
	}
}

func BenchmarkCountersLarge(b *testing.B) {
	l, err := New(description.Large(), 1)
	if err != nil {
		b.Fatal(err)
	}
	l.Advance(time.Second)
	b.ReportAllocs()
	for b.Loop() {
		l.filled = -1
		l.Counters()
	}
}

// TestAStepAllocatesNothing holds that a lab makes no garbage while it runs.
func TestAStepAllocatesNothing(t *testing.T) {
	l := newLab(t, 1)
	l.Advance(time.Minute)
	if n := testing.AllocsPerRun(20, func() { l.Advance(Step); l.changes = l.changes[:0] }); n > 0 {
		t.Errorf("%v allocations in a step", n)
	}
}
