package device

import (
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/device/rss"
	"cxdeck/device/setup"
	"cxdeck/device/wire"
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

func ofPort(c counter.Port) reader {
	return func(l *Lab, port int) uint64 { return l.Counters()[counter.Cell(port, c)] }
}

func ofRings(c counter.ReceiveRing) reader {
	return func(l *Lab, port int) (sum uint64) {
		for ring := range l.RingSlots(port) {
			sum += l.Counters()[l.ReceiveRingCell(port, ring, c)]
		}
		return sum
	}
}

func ofSends(c counter.SendRing) reader {
	return func(l *Lab, port int) (sum uint64) {
		for ring := range l.RingSlots(port) {
			sum += l.Counters()[l.SendRingCell(port, ring, c)]
		}
		return sum
	}
}

func ofPriorities(c counter.Priority) reader {
	return func(l *Lab, port int) (sum uint64) {
		for priority := range counter.Priorities {
			sum += l.Counters()[counter.PriorityCell(port, priority, c)]
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
	return func(l *Lab, _ int) uint64 { return l.Counters()[l.ProcessorCell(processor, counter.ProcessorBusy)] }
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
	silent := func(s *setup.Port) { s.CountRSS = false }
	counting := func(s *setup.Port) { s.CountRSS, s.CountFromStart = true, true }
	narrow := func(l *Lab, _ int) error { return l.SetSlot(1, 1, 1) }
	pausing := func(l *Lab, port int) error {
		s := l.SwitchPort(port)
		s.PauseShare = 0.5
		return l.SetSwitchPort(port, s)
	}
	for _, c := range []struct {
		name, port string
		around     func(l *Lab, port int) error // what both labs are like
		base       func(s *setup.Port)
		set        func(s *setup.Port)
		read       reader
		want       change
	}{
		{"larger frames", web, nil, nil, func(s *setup.Port) { s.MaxFrame = 9014 }, ofPort(counter.SentPackets), falls},
		{"smaller frames", storage, nil, nil, func(s *setup.Port) { s.MaxFrame = 1514 }, ofPort(counter.FrameTooLong), appears},
		{"more buffers", web, nil, nil, func(s *setup.Port) { s.ReceiveBuffers = 4096 }, ofPort(counter.NoDescriptor), falls},
		{"fewer send buffers", flat, nil, func(s *setup.Port) { s.TransmitBuffers = 4096 }, func(s *setup.Port) { s.TransmitBuffers = 16 }, ofPort(counter.SendRingFullDrops), rises},
		{"RSS off", web, nil, nil, func(s *setup.Port) { s.RSS = false }, ofPort(counter.NoDescriptor), rises},
		{"fewer queues", web, nil, nil, func(s *setup.Port) { s.Queues = 2 }, ofPort(counter.NoDescriptor), rises},
		{"fewer processors", web, nil, nil, func(s *setup.Port) { s.MaxProcessors = 1 }, ofPort(counter.NoDescriptor), rises},
		{"other processors", web, nil, nil, func(s *setup.Port) { s.BaseProcessor = 0 }, busy(0), rises},
		{"another node", web, nil, nil, func(s *setup.Port) { s.Node = 1 }, busy(20), rises},
		{"UDP without RSS", web, nil, counting, func(s *setup.Port) { s.RSSUDP = false }, ofKind("NonRss IPv4/Udp"), appears},
		{"raw IP without RSS", web, nil, counting, func(s *setup.Port) { s.RSSRawIP = false }, ofKind("NonRss IPv4 Only"), appears},
		{"counts by processor", web, nil, silent, counting, ofKind("Rss IPv4/Tcp"), appears},
		{"counts of IPv6", web, nil, silent, counting, ofKind("Rss IPv6/Tcp"), appears},
		{"counts of other frames", web, nil, silent, counting, ofKind("NonRss Misc"), appears},
		{"counts of tunnels", "Ethernet 9", nil, silent, counting, ofKind("Encapsulated Rss IPv4/Tcp"), appears},
		{"counts only from a look", web, nil, counting, func(s *setup.Port) { s.CountFromStart = false }, ofKind("Rss IPv4/Tcp"), ends},
		{"no moderation", web, nil, func(s *setup.Port) { s.AdaptiveModeration = false }, func(s *setup.Port) { s.Moderation = false }, ofRings(counter.RingInterrupts), rises},
		{"static aggressive moderation", web, nil, nil, func(s *setup.Port) { s.AdaptiveModeration = false }, ofRings(counter.RingInterrupts), falls},
		{"static low latency", web, nil, func(s *setup.Port) { s.AdaptiveModeration = false }, func(s *setup.Port) { s.ReceiveProfile = 0 }, ofRings(counter.RingInterrupts), rises},
		{"aggressive sends", web, nil, nil, func(s *setup.Port) { s.SendProfile = 2 }, ofSends(counter.SendRingInterrupts), falls},
		{"lower rate bounds", web, nil, nil, func(s *setup.Port) { s.RateLow, s.RateHigh = 1000, 2000 }, ofRings(counter.RingInterrupts), falls},
		{"polling", web, nil, nil, func(s *setup.Port) { s.Completion = setup.Polling }, ofRings(counter.RingInterrupts), ends},
		{"polling keeps processors busy", web, nil, nil, func(s *setup.Port) { s.Completion = setup.Polling }, busy(8), rises},
		{"pause asked for", copies, narrow, func(s *setup.Port) { s.AsksPause = false }, func(s *setup.Port) { s.AsksPause = true }, ofPriorities(counter.PauseSent), appears},
		{"pause not asked for", copies, narrow, nil, func(s *setup.Port) { s.AsksPause = false }, ofPort(counter.Discarded), appears},
		{"pause not obeyed", copies, pausing, nil, func(s *setup.Port) { s.ObeysPause = false }, ofPriorities(counter.SelfPaused), ends},
		{"no PFC", storage, nil, nil, func(s *setup.Port) { s.Lossless = 0 }, ofPriorities(counter.PauseSent), ends},
		{"no QoS", storage, nil, nil, func(s *setup.Port) { s.QoS = false }, ofPriorities(counter.PauseSent), ends},
		{"no large sends", web, nil, nil, func(s *setup.Port) { s.LargeSendIPv4 = false }, ofSends(counter.SendRingPosted), rises},
		{"no large sends over IPv6", web, nil, nil, func(s *setup.Port) { s.LargeSendIPv6 = false }, ofSends(counter.SendRingPosted), rises},
		{"smaller large sends", web, nil, nil, func(s *setup.Port) { s.LargeSendBytes = 3000 }, ofSends(counter.SendRingPosted), rises},
		{"TCP checksums by the processor", web, nil, nil, func(s *setup.Port) { s.ChecksumTCPIPv4 = 1 }, ofPort(counter.SlowChecksums), appears},
		{"TCP checksums over IPv6", web, nil, nil, func(s *setup.Port) { s.ChecksumTCPIPv6 = 0 }, ofPort(counter.SlowChecksums), appears},
		{"UDP checksums", web, nil, nil, func(s *setup.Port) { s.ChecksumUDPIPv4 = 0 }, ofPort(counter.SlowChecksums), appears},
		{"UDP checksums over IPv6", web, nil, nil, func(s *setup.Port) { s.ChecksumUDPIPv6 = 1 }, ofPort(counter.SlowChecksums), appears},
		{"joined segments", "Ethernet 8", nil, nil, func(s *setup.Port) { s.CoalesceIPv4 = true }, ofPort(counter.CoalescedPackets), appears},
		{"trust in DSCP", storage, nil, nil, func(s *setup.Port) { s.TrustDSCP = true }, func(l *Lab, port int) uint64 {
			return l.Counters()[counter.PriorityCell(port, 3, counter.PriorityReceivedPackets)]
		}, falls},
		{"no notifications", storage, nil, nil, func(s *setup.Port) { s.Congestion[dcqcn.NPEnable+3] = 0 }, ofPort(counter.CNPsSent), ends},
		{"no reaction", "Ethernet 9", nil, nil, func(s *setup.Port) { s.Congestion[dcqcn.RPEnable+3] = 0 }, ofPort(counter.CNPsIgnored), appears},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			figure := func(set func(s *setup.Port)) uint64 {
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
	if c := l.Counters(); c[counter.Cell(0, counter.ReceiveErrors)] != 0 || c[counter.Cell(0, counter.ReceivedPackets)] != c[counter.Cell(0, counter.ArrivedPackets)] {
		t.Errorf("%d errors, %d of %d taken", c[counter.Cell(0, counter.ReceiveErrors)], c[counter.Cell(0, counter.ReceivedPackets)], c[counter.Cell(0, counter.ArrivedPackets)])
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
		set   func(s *setup.Port)
		share float64 // of priority 3
	}{
		"alike":        {func(*setup.Port) {}, 0.5},
		"by ETS":       {func(s *setup.Port) { s.Shares = [8]float64{3: 80, 5: 20} }, 0.8},
		"in one class": {func(s *setup.Port) { s.Shares, s.Joined = [8]float64{5: 80}, [8]uint8{3: 6, 5: 6} }, 0.5},
		"in two classes": {func(s *setup.Port) {
			s.Shares, s.Joined = [8]float64{4: 70, 7: 30}, [8]uint8{3: 5, 4: 5, 5: 8, 6: 8, 7: 8}
		}, 0.7},
		"with a limit":            {func(s *setup.Port) { s.Shares, s.Limits = [8]float64{3: 80, 5: 20}, [8]int{3: 10_000} }, 0.1},
		"with a limit and no QoS": {func(s *setup.Port) { s.QoS, s.Limits = false, [8]int{3: 10_000} }, 0.1},
		"in a strict class": {func(s *setup.Port) {
			s.Shares, s.Joined, s.StrictPriorities = [8]float64{7: 100}, [8]uint8{3: 5, 4: 5, 5: 8, 7: 8}, 1<<3|1<<4
		}, 1},
		"strict": {func(s *setup.Port) { s.StrictPriorities = 1 << 3 }, 1},
		"no QoS": {func(s *setup.Port) { s.Shares, s.QoS = [8]float64{3: 80, 5: 20}, false }, 0.5},
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
		three := float64(l.Counters()[counter.PriorityCell(0, 3, counter.PrioritySentBytes)])
		if got := three / float64(l.Counters()[counter.Cell(0, counter.SentBytes)]); got < c.share-0.01 || got > c.share+0.01 {
			t.Errorf("%s: priority 3 has %.3f of the line", name, got)
		}
	}
}

func TestSettingsThatMakeNoSenseAreRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	for name, set := range map[string]func(s *setup.Port){
		"frame": func(s *setup.Port) { s.MaxFrame = 100 }, "buffers": func(s *setup.Port) { s.ReceiveBuffers = 0 },
		"profile": func(s *setup.Port) { s.ReceiveProfile = 3 }, "checksum": func(s *setup.Port) { s.ChecksumTCPIPv4 = 4 },
		"share": func(s *setup.Port) { s.Shares[2] = -1 }, "method": func(s *setup.Port) { s.Completion = 2 }, "limit": func(s *setup.Port) { s.Limits[7] = -1 },
		"class": func(s *setup.Port) { s.Joined[2] = 9 }, "class of a member": func(s *setup.Port) { s.Joined = [8]uint8{1: 3, 2: 4, 3: 4} },
	} {
		s := l.Settings(0)
		set(&s)
		if l.Configure(0, s) == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if l.Configure(99, l.Settings(0)) == nil || l.SetSlot(9, 3, 8) == nil || l.SetSlot(0, 3, 5) == nil ||
		l.SetProcessorSpeed(0, 0) == nil || l.SetFlowScale(0, 101) == nil || l.SetSwitchPort(0, setup.SwitchPort{}) == nil {
		t.Error("something that isn't there was changed")
	}
}

// TestPauseIsAsTheDescriptionSays: a port asks for pause and obeys it where its description has global pause.
func TestPauseIsAsTheDescriptionSays(t *testing.T) {
	t.Parallel()
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		for _, way := range []description.FlowControl{description.NoFlowControl, description.GlobalPause, description.PriorityPause} {
			s := setup.DefaultPort(family, &description.Port{FlowControl: way, Lossless: []int{3, 4}})
			lossless := uint8(0)
			if way == description.PriorityPause {
				lossless = 1<<3 | 1<<4
			}
			if global := way == description.GlobalPause; s.AsksPause != global || s.ObeysPause != global || s.Lossless != lossless {
				t.Errorf("flow control %d: asks %v, obeys %v, lossless %b", way, s.AsksPause, s.ObeysPause, s.Lossless)
			}
		}
	}
}

// TestChangesOfCongestionControlAreCounted: up and down each for themselves, and none for a value that stays.
func TestChangesOfCongestionControlAreCounted(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	port := portOf(t, l, "Ethernet 7")
	var raised, lowered uint64
	for _, parameter := range []dcqcn.Parameter{dcqcn.AdditiveRate, dcqcn.AlphaGain} {
		up, down := counter.StepRaised, counter.StepLowered
		if parameter == dcqcn.AlphaGain {
			up, down = counter.GainRaised, counter.GainLowered
		}
		raised, lowered = 0, 0
		value := l.Settings(port).Congestion[parameter]
		for _, change := range []int{1, 1, 0, -1, 0, -1, -1, 1} {
			s := l.Settings(port)
			value = uint32(int(value) + change)
			s.Congestion[parameter] = value
			if err := l.Configure(port, s); err != nil {
				t.Fatal(err)
			}
			switch change {
			case 1:
				raised++
			case -1:
				lowered++
			}
			if got := [2]uint64{l.Counters()[counter.Cell(port, up)], l.Counters()[counter.Cell(port, down)]}; got != [2]uint64{raised, lowered} {
				t.Errorf("parameter %d: raised and lowered %v times, want %d and %d", parameter, got, raised, lowered)
			}
		}
	}
}

// TestRingsStayInTheirGroup: rings of a port are on processors of the group that its settings name.
func TestRingsStayInTheirGroup(t *testing.T) {
	t.Parallel()
	d := description.Default()
	d.Host.ProcessorsPerNode = 48 // two nodes, and groups of up to 64
	l, err := New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	port := portOf(t, l, "Ethernet 7")
	seen := map[int]map[int]bool{}
	for group := range 2 {
		s := l.Settings(port)
		s.ProcessorGroup, s.BaseProcessor = group, 0
		if err := l.Configure(port, s); err != nil {
			t.Fatal(err)
		}
		seen[group] = map[int]bool{}
		for ring := range l.Rings(port) {
			processor := l.RingProcessor(port, ring)
			if processor < 0 || processor >= l.Processors() {
				t.Errorf("group %d: ring %d is on processor %d of %d", group, ring, processor, l.Processors())
			}
			if seen[group][processor] {
				t.Errorf("group %d: two rings are on processor %d", group, processor)
			}
			seen[group][processor] = true
		}
	}
	for processor := range seen[1] {
		if seen[0][processor] {
			t.Errorf("processor %d is in both groups", processor)
		}
	}
}

// TestWithoutModerationEachPacketInterrupts: from the first step on, of receives and of sends.
func TestWithoutModerationEachPacketInterrupts(t *testing.T) {
	t.Parallel()
	for _, moderation := range []bool{false, true} {
		l, err := New(oneFlow(func(d *description.Description) { d.Flows[0].ReceiveGbps, d.Flows[0].SendGbps = 4, 4 }), 1)
		if err != nil {
			t.Fatal(err)
		}
		s := l.Settings(0)
		s.Moderation = moderation
		if err := l.Configure(0, s); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			l.Advance(Step)
			received, receives := ofRings(counter.RingInterrupts)(l, 0), ofRings(counter.RingInterruptPackets)(l, 0)
			sent, sends := ofSends(counter.SendRingInterrupts)(l, 0), ofSends(counter.SendRingInterruptPackets)(l, 0)
			if received > receives || sent > sends || !moderation && (received != receives || sent != sends) {
				t.Fatalf("moderation %v: %d interrupts of %d receives, %d of %d sends", moderation, received, receives, sent, sends)
			}
		}
	}
}

// TestFramesWithoutPriorityTags: without the tag of the priority a frame of no VLAN has none and counts for no priority, and
// one of a VLAN has priority 0.
func TestFramesWithoutPriorityTags(t *testing.T) {
	t.Parallel()
	for _, tagged := range []bool{true, false} {
		l, err := New(oneFlow(func(d *description.Description) { d.Flows[0].SendGbps = 8 }), 1)
		if err != nil {
			t.Fatal(err)
		}
		s := l.Settings(0)
		priority, tags := 3, 1
		if !tagged {
			s.Tags &^= setup.TagPriority
			priority, tags = counter.Untagged, 0
		}
		if err := l.Configure(0, s); err != nil {
			t.Fatal(err)
		}
		l.Advance(time.Second)
		packets, bytes := l.Counters()[counter.Cell(0, counter.SentPackets)], l.Counters()[counter.Cell(0, counter.SentBytes)]
		if of := l.Counters()[counter.PriorityCell(0, priority, counter.PrioritySentPackets)]; of != packets || packets == 0 {
			t.Errorf("tags of priorities %v: %d of %d frames count for priority %d", tagged, of, packets, priority)
		}
		if want := packets * uint64(wire.FrameBytes(1000, tags)); bytes != want {
			t.Errorf("tags of priorities %v: %d frames have %d bytes, want %d", tagged, packets, bytes, want)
		}
	}
}

// TestOnlyTCPTakesLongerFrames: where this end and the peer take jumbo frames, full segments of TCP grow; datagrams stay as
// the application made them.
func TestOnlyTCPTakesLongerFrames(t *testing.T) {
	t.Parallel()
	for _, protocol := range []description.Protocol{description.TCP, description.UDP} {
		mean := map[int]float64{}
		for _, limit := range []int{1514, 9014} {
			l, err := New(oneFlow(func(d *description.Description) {
				d.Adapters[0].Ports[0].MaxFrame = 1514
				d.Flows[0].Protocol, d.Flows[0].SendGbps = protocol, 4
				d.Flows[0].Packets[0].IP = 1496
				*d.Flows[0].Priority = 0
			}), 1)
			if err != nil {
				t.Fatal(err)
			}
			s := l.Settings(0)
			s.MaxFrame = limit
			if err := l.Configure(0, s); err != nil {
				t.Fatal(err)
			}
			l.Advance(time.Second)
			mean[limit] = float64(l.Counters()[counter.Cell(0, counter.SentBytes)]) / float64(l.Counters()[counter.Cell(0, counter.SentPackets)])
		}
		if grows := mean[9014] > 3*mean[1514]; grows != (protocol == description.TCP) || mean[1514] > 1522 || mean[9014] > 9022 {
			t.Errorf("protocol %v: frames of %v bytes on average", protocol, mean)
		}
	}
}
