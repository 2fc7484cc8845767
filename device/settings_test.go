package device

import (
	"testing"
	"time"

	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/device/rss"
)

// portOf is the number of a connection of the default lab.
func portOf(t testing.TB, l *Lab, connection string) int {
	t.Helper()
	for port := range l.Ports() {
		if d, _, _ := l.Port(port); d.Connection == connection {
			return port
		}
	}
	t.Fatalf("no port is called %s", connection)
	return -1
}

// reader takes one figure of a port.
type reader func(l *Lab, port int) uint64

func ofPort(c Counter) reader {
	return func(l *Lab, port int) uint64 { return l.Counters()[Cell(port, c)] }
}

func ofRings(c ReceiveRingCounter) reader {
	return func(l *Lab, port int) (sum uint64) {
		for ring := range l.RingSlots(port) {
			sum += l.Counters()[l.ReceiveRingCell(port, ring, c)]
		}
		return sum
	}
}

func ofSends(c SendRingCounter) reader {
	return func(l *Lab, port int) (sum uint64) {
		for ring := range l.RingSlots(port) {
			sum += l.Counters()[l.SendRingCell(port, ring, c)]
		}
		return sum
	}
}

func ofPriorities(c PriorityCounter) reader {
	return func(l *Lab, port int) (sum uint64) {
		for priority := range Priorities {
			sum += l.Counters()[PriorityCell(port, priority, c)]
		}
		return sum
	}
}

func ofKind(name string) reader {
	return func(l *Lab, port int) (sum uint64) {
		for processor := range l.Processors() {
			for kind := range rss.Counters {
				if rss.Counter(kind).String() == name {
					sum += l.Counters()[l.KindCell(port, processor, kind)]
				}
			}
		}
		return sum
	}
}

func busy(processor int) reader {
	return func(l *Lab, _ int) uint64 { return l.Counters()[l.ProcessorCell(processor, ProcessorBusy)] }
}

// change is what a setting does to a figure.
type change uint8

const (
	rises   change = iota // by a fiftieth at least
	falls                 // likewise
	appears               // from 0
	ends                  // at 0
)

func (c change) holds(before, after uint64) bool {
	switch c {
	case rises:
		return float64(after) > 1.02*float64(before)
	case falls:
		return float64(after) < 0.98*float64(before)
	case appears:
		return before == 0 && after > 0
	case ends:
		return before > 0 && after == 0
	}
	return false
}

// TestEachSettingMovesItsCounters sets a port up in another way and runs the default lab over an incast.
func TestEachSettingMovesItsCounters(t *testing.T) {
	t.Parallel()
	const web, storage, copies, flat = "Ethernet 5", "Ethernet 7", "Ethernet 6", "Ethernet 10"
	silent := func(s *Settings) { s.CountRSS = false }
	counting := func(s *Settings) { s.CountRSS, s.CountFromStart = true, true }
	narrow := func(l *Lab, _ int) error { return l.SetSlot(1, 1, 1) }
	pausing := func(l *Lab, port int) error {
		s := l.SwitchPort(port)
		s.PauseShare = 0.5
		return l.SetSwitchPort(port, s)
	}
	for _, c := range []struct {
		name, port string
		around     func(l *Lab, port int) error // what both labs are like
		base       func(s *Settings)
		set        func(s *Settings)
		read       reader
		want       change
	}{
		{"larger frames", web, nil, nil, func(s *Settings) { s.MaxFrame = 9014 }, ofPort(SentPackets), falls},
		{"smaller frames", storage, nil, nil, func(s *Settings) { s.MaxFrame = 1514 }, ofPort(FrameTooLong), appears},
		{"more buffers", web, nil, nil, func(s *Settings) { s.ReceiveBuffers = 4096 }, ofPort(NoDescriptor), falls},
		{"fewer send buffers", flat, nil, func(s *Settings) { s.TransmitBuffers = 4096 }, func(s *Settings) { s.TransmitBuffers = 16 }, ofPort(SendRingFullDrops), rises},
		{"RSS off", web, nil, nil, func(s *Settings) { s.RSS = false }, ofPort(NoDescriptor), rises},
		{"fewer queues", web, nil, nil, func(s *Settings) { s.Queues = 2 }, ofPort(NoDescriptor), rises},
		{"fewer processors", web, nil, nil, func(s *Settings) { s.MaxProcessors = 1 }, ofPort(NoDescriptor), rises},
		{"other processors", web, nil, nil, func(s *Settings) { s.BaseProcessor = 0 }, busy(0), rises},
		{"another node", web, nil, nil, func(s *Settings) { s.Node = 1 }, busy(20), rises},
		{"UDP without RSS", web, nil, counting, func(s *Settings) { s.RSSUDP = false }, ofKind("NonRss IPv4/Udp"), appears},
		{"raw IP without RSS", web, nil, counting, func(s *Settings) { s.RSSRawIP = false }, ofKind("NonRss IPv4 Only"), appears},
		{"counts by processor", web, nil, silent, counting, ofKind("Rss IPv4/Tcp"), appears},
		{"counts of IPv6", web, nil, silent, counting, ofKind("Rss IPv6/Tcp"), appears},
		{"counts of other frames", web, nil, silent, counting, ofKind("NonRss Misc"), appears},
		{"counts of tunnels", "Ethernet 9", nil, silent, counting, ofKind("Encapsulated Rss IPv4/Tcp"), appears},
		{"counts only from a look", web, nil, counting, func(s *Settings) { s.CountFromStart = false }, ofKind("Rss IPv4/Tcp"), ends},
		{"no moderation", web, nil, func(s *Settings) { s.AdaptiveModeration = false }, func(s *Settings) { s.Moderation = false }, ofRings(RingInterrupts), rises},
		{"static aggressive moderation", web, nil, nil, func(s *Settings) { s.AdaptiveModeration = false }, ofRings(RingInterrupts), falls},
		{"static low latency", web, nil, func(s *Settings) { s.AdaptiveModeration = false }, func(s *Settings) { s.ReceiveProfile = 0 }, ofRings(RingInterrupts), rises},
		{"aggressive sends", web, nil, nil, func(s *Settings) { s.SendProfile = 2 }, ofSends(SendRingInterrupts), falls},
		{"lower rate bounds", web, nil, nil, func(s *Settings) { s.RateLow, s.RateHigh = 1000, 2000 }, ofRings(RingInterrupts), falls},
		{"polling", web, nil, nil, func(s *Settings) { s.Completion = Polling }, ofRings(RingInterrupts), ends},
		{"polling keeps processors busy", web, nil, nil, func(s *Settings) { s.Completion = Polling }, busy(8), rises},
		{"pause asked for", copies, narrow, func(s *Settings) { s.AsksPause = false }, func(s *Settings) { s.AsksPause = true }, ofPriorities(PauseSent), appears},
		{"pause not asked for", copies, narrow, nil, func(s *Settings) { s.AsksPause = false }, ofPort(Discarded), appears},
		{"pause not obeyed", copies, pausing, nil, func(s *Settings) { s.ObeysPause = false }, ofPriorities(SelfPaused), ends},
		{"no PFC", storage, nil, nil, func(s *Settings) { s.Lossless = 0 }, ofPriorities(PauseSent), ends},
		{"no QoS", storage, nil, nil, func(s *Settings) { s.QoS = false }, ofPriorities(PauseSent), ends},
		{"no large sends", web, nil, nil, func(s *Settings) { s.LargeSendIPv4 = false }, ofSends(SendRingPosted), rises},
		{"no large sends over IPv6", web, nil, nil, func(s *Settings) { s.LargeSendIPv6 = false }, ofSends(SendRingPosted), rises},
		{"smaller large sends", web, nil, nil, func(s *Settings) { s.LargeSendBytes = 3000 }, ofSends(SendRingPosted), rises},
		{"TCP checksums by the processor", web, nil, nil, func(s *Settings) { s.ChecksumTCPIPv4 = 1 }, ofPort(SlowChecksums), appears},
		{"TCP checksums over IPv6", web, nil, nil, func(s *Settings) { s.ChecksumTCPIPv6 = 0 }, ofPort(SlowChecksums), appears},
		{"UDP checksums", web, nil, nil, func(s *Settings) { s.ChecksumUDPIPv4 = 0 }, ofPort(SlowChecksums), appears},
		{"UDP checksums over IPv6", web, nil, nil, func(s *Settings) { s.ChecksumUDPIPv6 = 1 }, ofPort(SlowChecksums), appears},
		{"joined segments", "Ethernet 8", nil, nil, func(s *Settings) { s.CoalesceIPv4 = true }, ofPort(CoalescedPackets), appears},
		{"trust in DSCP", storage, nil, nil, func(s *Settings) { s.TrustDSCP = true }, func(l *Lab, port int) uint64 {
			return l.Counters()[PriorityCell(port, 3, PriorityReceivedPackets)]
		}, falls},
		{"no notifications", storage, nil, nil, func(s *Settings) { s.Congestion[dcqcn.NPEnable+3] = 0 }, ofPort(CNPsSent), ends},
		{"no reaction", "Ethernet 9", nil, nil, func(s *Settings) { s.Congestion[dcqcn.RPEnable+3] = 0 }, ofPort(CNPsIgnored), appears},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			figure := func(set func(s *Settings)) uint64 {
				l := newLab(t, 7)
				port := portOf(t, l, c.port)
				s := l.Settings(port)
				if c.base != nil {
					c.base(&s)
				}
				if set != nil {
					set(&s)
				}
				if c.around != nil {
					if err := c.around(l, port); err != nil {
						t.Fatal(err)
					}
				}
				if err := l.Configure(port, s); err != nil {
					t.Fatal(err)
				}
				l.Advance(30 * time.Second)
				return c.read(l, port)
			}
			if before, after := figure(nil), figure(c.set); !c.want.holds(before, after) {
				t.Errorf("the figure was %d and is %d", before, after)
			}
		})
	}
}

func TestDamagedFramesAreTakenWithIgnoreFCS(t *testing.T) {
	t.Parallel()
	d := oneFlow(func(d *description.Description) {
		d.Flows[0].ReceiveGbps = 8
		d.Schedules = []description.Schedule{always}
		d.Faults = []description.Fault{{Port: "Ethernet 7", Kind: description.BadCable, Schedule: always.Name, Share: 0.01}}
	})
	l, err := New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	s := l.Settings(0)
	s.IgnoreFCS = true
	if err := l.Configure(0, s); err != nil {
		t.Fatal(err)
	}
	l.Advance(5 * time.Second)
	if c := l.Counters(); c[Cell(0, ReceiveErrors)] != 0 || c[Cell(0, ReceivedPackets)] != c[Cell(0, ArrivedPackets)] {
		t.Errorf("%d errors, %d of %d taken", c[Cell(0, ReceiveErrors)], c[Cell(0, ReceivedPackets)], c[Cell(0, ArrivedPackets)])
	}
}

// always is a schedule that is on from the start.
var always = description.Schedule{
	Name: "always", First: []description.Duration{0, 0}, Every: []description.Duration{0, 0},
	Lasting: []description.Duration{description.Duration(time.Hour), description.Duration(time.Hour)},
}

// TestSharesOfPriorities is QOS-7: two priorities that both want the line get what their weights say.
func TestSharesOfPriorities(t *testing.T) {
	t.Parallel()
	d := oneFlow(func(d *description.Description) {
		d.Flows[0].SendGbps = 120
		second := d.Flows[0]
		second.Name, second.Priority = "second", new(int)
		*second.Priority = 5
		d.Flows = append(d.Flows, second)
		d.Adapters[0].PCIeGeneration = 4
		d.Adapters[0].Ports[0].HostPacketsPerSecond = 1e9
	})
	for name, c := range map[string]struct {
		set   func(s *Settings)
		share float64 // of priority 3
	}{
		"alike":  {func(*Settings) {}, 0.5},
		"by ETS": {func(s *Settings) { s.Shares = [8]float64{3: 80, 5: 20} }, 0.8},
		"strict": {func(s *Settings) { s.StrictPriorities = 1 << 3 }, 1},
		"no QoS": {func(s *Settings) { s.Shares, s.QoS = [8]float64{3: 80, 5: 20}, false }, 0.5},
	} {
		l, err := New(d, 1)
		if err != nil {
			t.Fatal(err)
		}
		s := l.Settings(0)
		c.set(&s)
		if err := l.Configure(0, s); err != nil {
			t.Fatal(err)
		}
		l.Advance(2 * time.Second)
		three := float64(l.Counters()[PriorityCell(0, 3, PrioritySentBytes)])
		if got := three / float64(l.Counters()[Cell(0, SentBytes)]); got < c.share-0.01 || got > c.share+0.01 {
			t.Errorf("%s: priority 3 has %.3f of the line", name, got)
		}
	}
}

func TestSettingsThatMakeNoSenseAreRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	for name, set := range map[string]func(s *Settings){
		"frame": func(s *Settings) { s.MaxFrame = 100 }, "buffers": func(s *Settings) { s.ReceiveBuffers = 0 },
		"profile": func(s *Settings) { s.ReceiveProfile = 3 }, "checksum": func(s *Settings) { s.ChecksumTCPIPv4 = 4 },
		"share": func(s *Settings) { s.Shares[2] = -1 }, "method": func(s *Settings) { s.Completion = 2 },
	} {
		s := l.Settings(0)
		set(&s)
		if l.Configure(0, s) == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if l.Configure(99, l.Settings(0)) == nil || l.SetSlot(9, 3, 8) == nil || l.SetSlot(0, 3, 5) == nil ||
		l.SetProcessorSpeed(0, 0) == nil || l.SetFlowScale(0, 101) == nil || l.SetSwitchPort(0, SwitchSettings{}) == nil {
		t.Error("something that isn't there was changed")
	}
}
