package device

import (
	"math/rand/v2"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/wire"
)

// TestWhatGoesInComesOut holds that nothing is lost uncounted and no limit is passed, over many seeds with changes of
// all kinds in between.
func TestWhatGoesInComesOut(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		l := newLab(t, seed)
		// Into the middle of a day, where there are incasts and migrations.
		l.Advance(time.Duration(r.Int64N(int64(4 * time.Second))))
		before := append([]uint64(nil), l.Counters()...)
		for range 3 {
			slots := append([]Slot(nil), l.slots...)
			switches := append([]SwitchSettings(nil), l.switches...)
			from := append([]uint64(nil), l.Counters()...)
			l.Advance(time.Second)
			holdsLimits(t, seed, l, from, slots, switches)
			disturb(t, l, r)
		}
		holdsSums(t, seed, l)
		for c, now := range l.Counters()[:Cell(l.Ports(), 0)] {
			switch Counter(c % portStride) {
			case RDMAActive, LimitedFlows, ErrorQueuePairs: // these go both ways
			default:
				if now < before[c] {
					t.Fatalf("seed %d: counter %d of port %d fell", seed, c%portStride, c/portStride)
				}
			}
		}
		if t.Failed() {
			return
		}
	}
}

// holdsSums holds that the parts of what a port counts make the whole.
func holdsSums(t *testing.T, seed uint64, l *Lab) {
	t.Helper()
	for port := range l.Ports() {
		at := func(c Counter) uint64 { return l.Counters()[Cell(port, c)] }
		rings, sends := func(c ReceiveRingCounter) uint64 { return ofRings(c)(l, port) }, func(c SendRingCounter) uint64 {
			return ofSends(c)(l, port)
		}
		classes := func(c PriorityCounter) uint64 { return ofPriorities(c)(l, port) }
		kinds := uint64(0)
		for processor := range l.Processors() {
			for kind := range ReceiveKinds {
				kinds += l.Counters()[l.KindCell(port, processor, kind)]
			}
		}
		for _, c := range []struct {
			what        string
			whole, part uint64
		}{
			{"arrived", at(ArrivedPackets), at(ReceivedPackets) + at(Discarded) + at(NoDescriptor) + at(ReceiveErrors)},
			{"errors", at(ReceiveErrors), at(BadCRC) + at(SymbolErrors) + at(FrameTooLong) + at(FrameTooShort) + at(FrameFragments) + at(FrameJabbers)},
			{"received by priority", at(ReceivedPackets), classes(PriorityReceivedPackets) + at(ReceivedControl)},
			{"sent by priority", at(SentPackets), classes(PrioritySentPackets) + at(SentControl)},
			{"sent bytes by priority", at(SentBytes), classes(PrioritySentBytes) + at(SentControl)*controlFrame},
			{"rings", at(HostInPackets), rings(RingPackets)},
			{"bytes of rings", at(HostInBytes), rings(RingBytes)},
			{"ring drops", at(NoDescriptor), rings(RingDropped)},
			{"completions", rings(RingPackets), rings(RingInterruptPackets) + rings(RingPollingPackets)},
			{"send rings", at(HostOutPackets), sends(SendRingPackets)},
			{"send completions", sends(SendRingPosted), sends(SendRingInterruptPackets) + sends(SendRingPollingPackets)},
			{"full send rings", at(SendRingFullDrops), sends(SendRingFull)},
			{"discards by priority", at(Discarded), classes(PriorityDiscarded)},
			{"marks by priority", at(ECNMarked), classes(PriorityECNMarked)},
			{"pause frames", at(SentControl), classes(PauseSent)},
			{"host and RDMA", at(ReceivedPackets), at(HostInPackets) + at(RDMAInFrames) + at(ReceivedControl)},
		} {
			if c.whole != c.part {
				t.Errorf("seed %d, port %d: %s are %d, their parts %d", seed, port, c.what, c.whole, c.part)
			}
		}
		if kinds > at(HostInPackets) || at(CoalescedPackets) < 2*at(CoalescedEvents) || at(ECNMarked) > at(RDMAInFrames) ||
			at(RDMAActive) > at(RDMAAccepted)+at(RDMAInitiated) || at(CNPsSent) > at(ECNMarked) {
			t.Errorf("seed %d, port %d: more parts than the whole", seed, port)
		}
	}
}

// holdsLimits holds that a second moved no more than lines and slots carry.
func holdsLimits(t *testing.T, seed uint64, l *Lab, from []uint64, slots []Slot, switches []SwitchSettings) {
	t.Helper()
	moved := make([][2]uint64, len(slots))
	for port := range l.Ports() {
		d, adapter, _ := l.Port(port)
		rise := func(c Counter) uint64 { return l.Counters()[Cell(port, c)] - from[Cell(port, c)] }
		moved[adapter][receive] += rise(ReceivedBytes)
		moved[adapter][send] += rise(SentBytes)
		rate := float64(min(d.SpeedGbps, switches[port].SpeedGbps)) * 1e9
		overhead := uint64(wire.PreambleGap)
		if d.Link == description.InfiniBand {
			rate, overhead = wire.InfiniBandRate(d.SpeedGbps), 0
		}
		if bits := float64(rise(SentBytes)+overhead*rise(SentPackets)) * 8; bits > rate {
			t.Errorf("seed %d, port %d: sent %.0f bits in a second of a line for %.0f", seed, port, bits, rate)
		}
		if bits := float64(rise(WireBytesReceived)+overhead*rise(ArrivedPackets)) * 8; bits > rate {
			t.Errorf("seed %d, port %d: %.0f bits came in a second over a line for %.0f", seed, port, bits, rate)
		}
		for priority := range Priorities {
			for _, c := range []PriorityCounter{FarEndPaused, SelfPaused} {
				if at := PriorityCell(port, priority, c); l.Counters()[at]-from[at] > 1e6 {
					t.Errorf("seed %d, port %d: a pause of more than all the time", seed, port)
				}
			}
		}
	}
	for adapter, bytes := range moved {
		a := &l.Description().Adapters[adapter]
		usable := wire.PCIeUsable(slots[adapter].Generation, slots[adapter].Lanes, a.PCIeMaxPayload)
		for direction, n := range bytes {
			if float64(n) > usable {
				t.Errorf("seed %d, adapter %d: %d bytes in direction %d through a slot for %.0f", seed, adapter, n, direction, usable)
			}
		}
	}
	for processor := range l.Processors() {
		if at := l.ProcessorCell(processor, ProcessorBusy); l.Counters()[at]-from[at] > 1e6 {
			t.Errorf("seed %d: processor %d was busy for more than all the time", seed, processor)
		}
	}
}
