package device

import (
	"math/rand/v2"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/device/wire"
)

// TestConservationOfFrames holds that nothing is lost uncounted and no limit is passed, over many seeds with changes of
// all kinds in between.
func TestConservationOfFrames(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		l := newLab(t, seed)
		// Into the middle of a day, where there are incasts and migrations.
		l.Advance(time.Duration(r.Int64N(int64(4 * time.Second))))
		before := append([]uint64(nil), l.Counters()...)
		for range 3 {
			slots := append([]setup.Slot(nil), l.setup.Slots...)
			switches := append([]setup.SwitchPort(nil), l.setup.Switches...)
			from := append([]uint64(nil), l.Counters()...)
			l.Advance(time.Second)
			holdsLimits(t, seed, l, from, slots, switches)
			disturb(t, l, r)
		}
		holdsSums(t, seed, l)
		for c, now := range l.Counters()[:counter.Cell(l.Ports(), 0)] {
			switch counter.Port(c % counter.Cell(1, 0)) {
			case counter.RDMAActive, counter.LimitedFlows, counter.ErrorQueuePairs: // these go both ways
			default:
				if now < before[c] {
					t.Fatalf("seed %d: counter %d of port %d fell", seed, c%counter.Cell(1, 0), c/counter.Cell(1, 0))
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
		at := func(c counter.Port) uint64 { return l.Counters()[counter.Cell(port, c)] }
		rings, sends := func(c counter.ReceiveRing) uint64 { return ofRings(c)(l, port) }, func(c counter.SendRing) uint64 {
			return ofSends(c)(l, port)
		}
		classes := func(c counter.Priority) uint64 { return ofPriorities(c)(l, port) }
		kinds := uint64(0)
		for processor := range l.Processors() {
			for kind := range counter.ReceiveKinds {
				kinds += l.Counters()[l.KindCell(port, processor, kind)]
			}
		}
		for _, c := range []struct {
			what        string
			whole, part uint64
		}{
			{"arrived", at(counter.ArrivedPackets), at(counter.ReceivedPackets) + at(counter.Discarded) + at(counter.NoDescriptor) + at(counter.ReceiveErrors)},
			{"errors", at(counter.ReceiveErrors), at(counter.BadCRC) + at(counter.SymbolErrors) + at(counter.FrameTooLong) + at(counter.FrameTooShort) + at(counter.FrameFragments) + at(counter.FrameJabbers)},
			{"received by priority", at(counter.ReceivedPackets), classes(counter.PriorityReceivedPackets) + at(counter.ReceivedControl)},
			{"sent by priority", at(counter.SentPackets), classes(counter.PrioritySentPackets) + at(counter.SentControl)},
			{"sent bytes by priority", at(counter.SentBytes), classes(counter.PrioritySentBytes) + at(counter.SentControl)*controlFrame},
			{"received bytes by priority", at(counter.ReceivedBytes), classes(counter.PriorityReceivedBytes) + at(counter.ReceivedControl)*controlFrame},
			{"sent by host and RDMA", at(counter.SentPackets), at(counter.HostOutPackets) + at(counter.RDMAOutFrames) + at(counter.SentControl)},
			{"rings", at(counter.HostInPackets), rings(counter.RingPackets)},
			{"bytes of rings", at(counter.HostInBytes), rings(counter.RingBytes)},
			{"ring drops", at(counter.NoDescriptor), rings(counter.RingDropped)},
			{"completions", rings(counter.RingPackets), rings(counter.RingInterruptPackets) + rings(counter.RingPollingPackets)},
			{"send rings", at(counter.HostOutPackets), sends(counter.SendRingPackets)},
			{"send completions", sends(counter.SendRingPosted), sends(counter.SendRingInterruptPackets) + sends(counter.SendRingPollingPackets)},
			{"full send rings", at(counter.SendRingFullDrops), sends(counter.SendRingFull)},
			{"discards by priority", at(counter.Discarded), classes(counter.PriorityDiscarded)},
			{"marks by priority", at(counter.ECNMarked), classes(counter.PriorityECNMarked)},
			{"pause frames", at(counter.SentControl), classes(counter.PauseSent)},
			{"host and RDMA", at(counter.ReceivedPackets), at(counter.HostInPackets) + at(counter.RDMAInFrames) + at(counter.ReceivedControl)},
		} {
			if c.whole != c.part {
				t.Errorf("seed %d, port %d: %s are %d, their parts %d", seed, port, c.what, c.whole, c.part)
			}
		}
		if kinds > at(counter.HostInPackets) || at(counter.CoalescedPackets) < 2*at(counter.CoalescedEvents) || at(counter.ECNMarked) > at(counter.RDMAInFrames) ||
			at(counter.RDMAActive) > at(counter.RDMAAccepted)+at(counter.RDMAInitiated) || at(counter.CNPsSent) > at(counter.ECNMarked) {
			t.Errorf("seed %d, port %d: more parts than the whole", seed, port)
		}
	}
}

// holdsLimits holds that a second moved no more than lines and slots carry.
func holdsLimits(t *testing.T, seed uint64, l *Lab, from []uint64, slots []setup.Slot, switches []setup.SwitchPort) {
	t.Helper()
	moved := make([][2]uint64, len(slots))
	for port := range l.Ports() {
		d, adapter, _ := l.Port(port)
		rise := func(c counter.Port) uint64 { return l.Counters()[counter.Cell(port, c)] - from[counter.Cell(port, c)] }
		moved[adapter][receive] += rise(counter.ReceivedBytes)
		moved[adapter][send] += rise(counter.SentBytes)
		rate := float64(min(d.SpeedGbps, switches[port].SpeedGbps)) * 1e9
		overhead := uint64(wire.PreambleGap)
		if d.Link == description.InfiniBand {
			rate, overhead = wire.InfiniBandRate(d.SpeedGbps), 0
		}
		if bits := float64(rise(counter.SentBytes)+overhead*rise(counter.SentPackets)) * 8; bits > rate {
			t.Errorf("seed %d, port %d: sent %.0f bits in a second of a line for %.0f", seed, port, bits, rate)
		}
		if bits := float64(rise(counter.WireBytesReceived)+overhead*rise(counter.ArrivedPackets)) * 8; bits > rate {
			t.Errorf("seed %d, port %d: %.0f bits came in a second over a line for %.0f", seed, port, bits, rate)
		}
		for priority := range counter.Priorities {
			for _, c := range []counter.Priority{counter.FarEndPaused, counter.SelfPaused} {
				if at := counter.PriorityCell(port, priority, c); l.Counters()[at]-from[at] > 1e6 {
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
		if at := l.ProcessorCell(processor, counter.ProcessorBusy); l.Counters()[at]-from[at] > 1e6 {
			t.Errorf("seed %d: processor %d was busy for more than all the time", seed, processor)
		}
	}
}
