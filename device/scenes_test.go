package device

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
)

// scene is something that an operator does to the default lab, and what must move because of it.
type scene struct {
	name, port   string
	do           func(l *Lab, port int) error
	moves, still map[string]reader
}

func flowNamed(l *Lab, name string) int {
	return slices.IndexFunc(l.Flows(), func(f FlowState) bool { return f.Name == name })
}

func ofCard(c counter.Card) reader {
	return func(l *Lab, port int) uint64 {
		_, adapter, _ := l.Port(port)
		return l.Counters()[l.CardCell(adapter, c)]
	}
}

// TestScenesHaveTheirCauses runs quiet labs, without bursts and faults, beside labs in which something was done.
func TestScenesHaveTheirCauses(t *testing.T) {
	t.Parallel()
	for _, s := range []scene{
		{
			"incast", "Ethernet 5",
			func(l *Lab, _ int) error { return l.SetFlowScale(flowNamed(l, "Web, short requests"), 10) },
			map[string]reader{"no descriptor": ofPort(counter.NoDescriptor), "ring drops": ofRings(counter.RingDropped), "of the card": ofCard(counter.CardNoDescriptor)},
			map[string]reader{"layer 2 discards": ofPort(counter.Discarded)},
		},
		{
			"receiver too slow", "Ethernet 10",
			func(l *Lab, port int) error { return l.SetProcessorSpeed(port, 0.1) },
			map[string]reader{"no descriptor": ofPort(counter.NoDescriptor), "starved passes": ofRings(counter.RingTotalStarvations), "low resource": ofRings(counter.RingLowResource)},
			map[string]reader{"layer 2 discards": ofPort(counter.Discarded), "errors": ofPort(counter.ReceiveErrors)},
		},
		{
			"our frames are too long for the switch", "Ethernet 7",
			func(l *Lab, port int) error {
				far := l.SwitchPort(port)
				far.MaxFrame = 1514
				return l.SetSwitchPort(port, far)
			},
			map[string]reader{"retries exceeded": ofPort(counter.RetriesExceeded), "broken connections": ofPort(counter.RDMAErrors), "timeouts": ofPort(counter.RequesterTimeouts)},
			map[string]reader{"too long here": ofPort(counter.FrameTooLong)},
		},
		{
			"peers' frames are too long for us", "Ethernet 7",
			func(l *Lab, port int) error {
				ours := l.Settings(port)
				ours.MaxFrame = 1514
				return l.Configure(port, ours)
			},
			map[string]reader{"too long": ofPort(counter.FrameTooLong), "errors": ofPort(counter.ReceiveErrors)},
			map[string]reader{"retries exceeded": ofPort(counter.RetriesExceeded)},
		},
		{
			"pause storm", "Ethernet 7",
			func(l *Lab, port int) error {
				far := l.SwitchPort(port)
				far.PauseShare, far.PausePriority = 0.99, 3
				return l.SetSwitchPort(port, far)
			},
			map[string]reader{"received pause": ofPriorities(counter.PauseReceived), "held back": ofPriorities(counter.SelfPaused), "head of queue": ofPort(counter.HeadOfQueueDrops)},
			map[string]reader{"sent pause": ofPriorities(counter.PauseSent)},
		},
		{
			"pause storm of a port with TCP", "Ethernet 6",
			func(l *Lab, port int) error {
				far := l.SwitchPort(port)
				far.PauseShare = 0.9
				return l.SetSwitchPort(port, far)
			},
			map[string]reader{"held back": ofPriorities(counter.SelfPaused), "send ring full": ofPort(counter.SendRingFullDrops)},
			nil,
		},
		{
			"slot too narrow, lossless", "Ethernet 7",
			func(l *Lab, _ int) error { return l.SetSlot(0, 1, 4) },
			map[string]reader{"pause sent": ofPriorities(counter.PauseSent), "far end held": ofPriorities(counter.FarEndPaused), "back-pressure": ofCard(counter.CardWriteBackPressure), "discards": ofPort(counter.Discarded)},
			nil,
		},
		{
			"slot too narrow, marked", "Ethernet 7",
			func(l *Lab, _ int) error { return l.SetSlot(0, 1, 4) },
			map[string]reader{"marks": ofPort(counter.ECNMarked), "notifications": ofPort(counter.CNPsSent)},
			nil,
		},
		{
			"flow control of the two ends differs", "Ethernet 7",
			func(l *Lab, port int) error {
				far := l.SwitchPort(port)
				far.FlowControl = description.NoFlowControl
				if err := l.SetSwitchPort(port, far); err != nil {
					return err
				}
				return l.SetSlot(0, 1, 4)
			},
			map[string]reader{
				"pause sent": ofPriorities(counter.PauseSent), "discards": ofPort(counter.Discarded), "out of order": ofPort(counter.ResponderOutOfOrder),
			},
			map[string]reader{"pause received": ofPriorities(counter.PauseReceived)},
		},
		{
			"cable pulled", "Ethernet 9",
			func(l *Lab, port int) error { return l.SetCable(port, false) },
			map[string]reader{"link downs": ofPort(counter.LinkDowns), "broken connections": ofPort(counter.RDMAErrors)},
			map[string]reader{"received": ofPort(counter.ReceivedPackets), "sent": ofPort(counter.SentPackets)},
		},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			quiet, disturbed := quietLab(t), quietLab(t)
			port := portOf(t, quiet, s.port)
			if err := s.do(disturbed, port); err != nil {
				t.Fatal(err)
			}
			starts := map[string]uint64{}
			for what, read := range s.still {
				starts[what] = read(disturbed, port)
			}
			quiet.Advance(8 * time.Second)
			disturbed.Advance(8 * time.Second)
			for what, read := range s.moves {
				if before, after := read(quiet, port), read(disturbed, port); after <= before {
					t.Errorf("%s: %d without, %d with", what, before, after)
				}
			}
			for what, read := range s.still {
				if n := read(disturbed, port); n != starts[what] {
					t.Errorf("%s moved from %d to %d", what, starts[what], n)
				}
			}
		})
	}
}

// quietLab is the default lab without what happens now and then, after two seconds.
func quietLab(t testing.TB) *Lab {
	t.Helper()
	d := description.Default()
	d.Faults = nil
	for i := range d.Schedules {
		d.Schedules[i].First = []description.Duration{description.Duration(time.Hour), description.Duration(time.Hour)}
	}
	l, err := New(d, 3)
	if err != nil {
		t.Fatal(err)
	}
	l.Advance(2 * time.Second)
	return l
}

// TestFlowsCanBeScaled stops a flow, doubles another and reads their states.
func TestFlowsCanBeScaled(t *testing.T) {
	t.Parallel()
	l := quietLab(t)
	stopped, doubled := flowNamed(l, "Telemetry"), flowNamed(l, "Market data")
	before := l.Flows()
	if before[stopped].ReceiveRate == 0 || before[doubled].Priority != 6 || before[stopped].Priority != counter.Untagged {
		t.Errorf("at first: %+v, %+v", before[stopped], before[doubled])
	}
	if l.SetFlowScale(stopped, 0) != nil || l.SetFlowScale(doubled, 2) != nil {
		t.Fatal("a flow can't be scaled")
	}
	l.Advance(Step)
	after := l.Flows()
	if after[stopped].ReceiveRate != 0 || after[stopped].ReceiveDemand != 0 || after[stopped].Scale != 0 {
		t.Errorf("a stopped flow: %+v", after[stopped])
	}
	if now, was := after[doubled].ReceiveRate, before[doubled].ReceiveRate; now < 1.4*was || now > 2.6*was {
		t.Errorf("a doubled flow went from %.0f to %.0f b/s", was, now)
	}
}

// TestChangesDoNotDependOnTheCut makes the same changes at the same times, whatever the calls of Advance in between.
func TestChangesDoNotDependOnTheCut(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		whole, cut := newLab(t, seed), newLab(t, seed)
		changes, again := rand.New(rand.NewPCG(seed, 9)), rand.New(rand.NewPCG(seed, 9))
		random := rand.New(rand.NewPCG(seed, 10))
		for range 6 {
			whole.Advance(1730 * time.Millisecond)
			for left := 1730 * time.Millisecond; left > 0; {
				d := min(left, time.Duration(random.Int64N(int64(200*time.Millisecond))))
				cut.Advance(d)
				left -= d
			}
			disturb(t, whole, changes)
			disturb(t, cut, again)
			clone := cut.Clone()
			disturb(t, clone, random) // what a clone does is its own business
			clone.Advance(time.Second)
		}
		if !slices.Equal(whole.Counters(), cut.Counters()) {
			t.Errorf("seed %d: the numbers depend on the cut", seed)
		}
	}
}
