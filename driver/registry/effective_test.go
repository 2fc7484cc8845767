package registry

import (
	"math/rand/v2"
	"strings"
	"testing"

	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

func facts(link description.LinkType) Facts {
	return Facts{Link: link, LineRate: 25_000, Processors: 32, Nodes: 2}
}

// reading reads a port with some values stored and the rest absent.
func reading(family description.Family, link description.LinkType, stored map[string]Value) *Effective {
	return Read(Keys(family), facts(link), func(r *Row) Value { return stored[r.Name] })
}

func TestInvalidValues(t *testing.T) {
	t.Parallel()
	n := NumberValue
	none := Value{}
	for _, c := range []struct {
		name   string
		family description.Family
		link   description.LinkType
		stored Value
		want   Value
		why    string // a part of the reason; empty when the value is good
	}{
		// A range whose ends are used.
		{"*JumboPacket", description.WinOF2, description.Ethernet, n(9014), n(9014), ""},
		{"*JumboPacket", description.WinOF2, description.Ethernet, n(614), n(614), ""},
		{"*JumboPacket", description.WinOF2, description.Ethernet, n(613), n(614), "below the limit of 614"},
		{"*JumboPacket", description.WinOF2, description.Ethernet, n(1 << 31), n(9614), "above the limit of 9614"},
		{"*JumboPacket", description.WinOF, description.InfiniBand, n(9614), n(4092), "above the limit of 4092"},
		{"*JumboPacket", description.WinOF, description.InfiniBand, n(614), n(1500), "below the limit of 1500"},
		{"*NumRSSQueues", description.WinOF2, description.Ethernet, n(64), n(16), "above the limit of 16"},
		{"*NumRSSQueues", description.WinOF, description.Ethernet, n(64), n(64), ""},
		// A range outside of which the default is used.
		{"*ReceiveBuffers", description.WinOF2, description.Ethernet, n(255), n(512), "default of 512"},
		{"*ReceiveBuffers", description.WinOF, description.Ethernet, n(4097), n(4096), "default of 4096"},
		{"*ReceiveBuffers", description.WinOF2, description.Ethernet, none, n(512), ""},
		{"DelayDropTimeout", description.WinOF2, description.Ethernet, n(101), n(50), "default of 50"},
		{"DefaultUntaggedPriority", description.WinOF2, description.Ethernet, n(8), n(0), "default of 0"},
		// Listed values only.
		{"*RSS", description.WinOF, description.Ethernet, n(2), n(1), "not one of its values"},
		{"RecvCompletionMethod", description.WinOF, description.Ethernet, n(2), n(2), ""},
		{"RecvCompletionMethod", description.WinOF2, description.Ethernet, n(3), n(1), "above the limit"},
		{"RoceMaxFrameSize", description.WinOF2, description.Ethernet, n(1000), n(1024), "not one of its values"},
		{"*SpeedDuplex", description.WinOF2, description.Ethernet, n(9), n(7), "above the limit of 7"}, // other codes exist and are not given
		// What a bad value turns off, by the size of the frame.
		{"LSOSize", description.WinOF2, description.Ethernet, n(2523), n(0), "feature is off"},
		{"LSOSize", description.WinOF2, description.Ethernet, n(2524), n(2524), ""},
		{"LSOSize", description.WinOF, description.Ethernet, n(64001), n(0), "feature is off"},
		// Limits that the host has.
		{"*RssBaseProcNumber", description.WinOF2, description.Ethernet, n(31), n(31), ""},
		{"*RssBaseProcNumber", description.WinOF2, description.Ethernet, n(32), none, "above the limit of 31"},
		{"*NumaNodeID", description.WinOF, description.Ethernet, n(2), none, "above the limit of 1"},
		{"DefaultRecvRingProcessor", description.WinOF, description.Ethernet, n(Automatic), n(Automatic), ""},
		{"DefaultRecvRingProcessor", description.WinOF, description.Ethernet, n(32), n(Automatic), "above the limit of 31"},
		// Values with a rule of their own.
		{"GUIDMask", description.WinOF, description.InfiniBand, n(0xFC), n(0xFC), ""},
		{"GUIDMask", description.WinOF, description.InfiniBand, n(0xFF), n(0xE7), "six bits"},
		{"DumpMeNowTotalCount", description.WinOF, description.Ethernet, TextValue("200"), TextValue("200"), ""},
		{"DumpMeNowTotalCount", description.WinOF, description.Ethernet, TextValue("many"), TextValue("128"), "invalid number"},
		{"DcqcnRpgAiRate", description.WinOF2, description.Ethernet, n(30_000), n(25_000), "above the limit of 25000"},
		// Without the value the driver does without.
		{"MaxNumRssCpus", description.WinOF, description.Ethernet, none, none, ""},
		{"MaxNumRssCpus", description.WinOF, description.Ethernet, n(33), n(4), "above the limit of 32"},
	} {
		e := reading(c.family, c.link, map[string]Value{c.name: c.stored})
		r, ok := Keys(c.family).Find(c.name, Miniport, Congestion, BusDriver)
		if !ok {
			t.Fatalf("no key %s", c.name)
		}
		got := e.Reading(r)
		if got.Value != c.want || (got.Why == "") != (c.why == "") || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s of %v is read as %v (%q), want %v (%q)", c.name, c.stored, got.Value, got.Why, c.want, c.why)
		}
	}
}

func TestEveryKeyReadsEveryValue(t *testing.T) {
	t.Parallel()
	extremes := []uint32{0, 1, 2, 3, 7, 63, 64, 255, 256, 1514, 4096, 9614, 65535, 1 << 20, 1<<31 - 1, 1 << 31, Automatic}
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		for _, link := range []description.LinkType{description.Ethernet, description.InfiniBand} {
			for i := range Keys(family).Rows {
				r := &Keys(family).Rows[i]
				for _, n := range extremes {
					e := reading(family, link, map[string]Value{r.Name: NumberValue(n)})
					again := e.Judge(r, e.Reading(r).Value)
					if v := e.Reading(r).Value; v.Exists() && r.Bad != FeatureOff && again.Why != "" {
						t.Errorf("%s of %d is read as %v, which is itself bad: %s", r.Name, n, v, again.Why)
					}
				}
			}
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	port := &description.Port{MaxFrame: 1514, FlowControl: description.PriorityPause, Lossless: []int{3}}
	for _, c := range []struct {
		key   string
		value uint32
		got   func(s setup.Port) any
		want  any
	}{
		{"*JumboPacket", 9014, func(s setup.Port) any { return s.MaxFrame }, 9014},
		{"*ReceiveBuffers", 1024, func(s setup.Port) any { return s.ReceiveBuffers }, 1024},
		{"*TransmitBuffers", 512, func(s setup.Port) any { return s.TransmitBuffers }, 512},
		{"*RSS", 0, func(s setup.Port) any { return s.RSS }, false},
		{"UseRSSForUDP", 0, func(s setup.Port) any { return s.RSSUDP }, false},
		{"UseRSSForRawIP", 0, func(s setup.Port) any { return s.RSSRawIP }, false},
		{"*NumRSSQueues", 4, func(s setup.Port) any { return s.Queues }, 4},
		{"*MaxRSSProcessors", 2, func(s setup.Port) any { return s.MaxProcessors }, 2},
		{"*MaxRSSProcessors", Automatic, func(s setup.Port) any { return s.MaxProcessors }, maxProcessors},
		{"MaxNumRssCpus", 3, func(s setup.Port) any { return s.MaxProcessors }, 3},
		{"*RssBaseProcNumber", 6, func(s setup.Port) any { return s.BaseProcessor }, 6},
		{"*NumaNodeID", 1, func(s setup.Port) any { return s.Node }, 1},
		{"DefaultRecvRingProcessor", 5, func(s setup.Port) any { return s.DefaultProcessor }, 5},
		{"DefaultRecvRingProcessor", Automatic, func(s setup.Port) any { return s.DefaultProcessor }, -1},
		{"*InterruptModeration", 0, func(s setup.Port) any { return s.Moderation }, false},
		{"RxIntModeration", 1, func(s setup.Port) any { return s.AdaptiveModeration }, false},
		{"RxIntModerationProfile", 0, func(s setup.Port) any { return s.ReceiveProfile }, 0},
		{"TxIntModerationProfile", 2, func(s setup.Port) any { return s.SendProfile }, 2},
		{"pkt_rate_low", 1000, func(s setup.Port) any { return s.RateLow }, 1000},
		{"RecvCompletionMethod", 0, func(s setup.Port) any { return s.Completion }, setup.Polling},
		{"RecvCompletionMethod", 2, func(s setup.Port) any { return s.Completion }, setup.Adaptive},
		{"*LsoV2IPv4", 0, func(s setup.Port) any { return s.LargeSendIPv4 }, false},
		{"*LsoV2IPv6", 0, func(s setup.Port) any { return s.LargeSendIPv6 }, false},
		{"LSOSize", 32000, func(s setup.Port) any { return s.LargeSendBytes }, 32000},
		{"LSOSize", 1000, func(s setup.Port) any { return s.LargeSendIPv4 || s.LargeSendIPv6 }, false},
		{"*TCPUDPChecksumOffloadIPv4", 1, func(s setup.Port) any { return []int{s.ChecksumTCPIPv4, s.ChecksumUDPIPv4}[1] }, 1},
		{"*TCPUDPChecksumOffloadIPv6", 2, func(s setup.Port) any { return s.ChecksumTCPIPv6 }, 2},
		{"*QOS", 0, func(s setup.Port) any { return s.Lossless }, uint8(0)},
		{"*QOS", 0, func(s setup.Port) any { return s.AsksPause && s.ObeysPause }, true}, // global pause takes over
		{"*QOS", 1, func(s setup.Port) any { return s.AsksPause || s.ObeysPause }, false},
		{"IgnoreFCS", 1, func(s setup.Port) any { return s.IgnoreFCS }, true},
		{"RssMonitoringEnabled", 1, func(s setup.Port) any { return s.CountRSS }, true},
		{"RssCountersActivatedAtStartup", 1, func(s setup.Port) any { return s.CountFromStart }, true},
	} {
		e := reading(description.WinOF, description.Ethernet, map[string]Value{c.key: NumberValue(c.value)})
		if got := c.got(e.Settings(setup.DefaultPort(description.WinOF, port))); got != c.want {
			t.Errorf("%s of %d sets %v, want %v", c.key, c.value, got, c.want)
		}
	}
}

func TestSettingsOfTheLaterFamily(t *testing.T) {
	t.Parallel()
	port := &description.Port{MaxFrame: 1514}
	settings := func(stored map[string]Value) setup.Port {
		return reading(description.WinOF2, description.Ethernet, stored).Settings(setup.DefaultPort(description.WinOF2, port))
	}
	for value, want := range [][2]bool{{false, false}, {false, true}, {true, false}, {true, true}} {
		s := settings(map[string]Value{"*FlowControl": NumberValue(uint32(value))})
		if s.AsksPause != want[0] || s.ObeysPause != want[1] {
			t.Errorf("*FlowControl of %d asks %t, obeys %t", value, s.AsksPause, s.ObeysPause)
		}
	}
	s := settings(map[string]Value{
		"DcqcnRPEnablePrio3": NumberValue(1), "DcqcnEnablePrio5": NumberValue(1), "DcqcnRpgAiRate": NumberValue(40),
		"RxTrustedState": NumberValue(2),
	})
	if !s.Congestion.Reacts(3) || s.Congestion.Notifies(3) || !s.Congestion.Reacts(5) || !s.Congestion.Notifies(5) {
		t.Error("the flags of congestion control differ from the stored ones")
	}
	if s.Congestion[dcqcn.AdditiveRate] != 40 || !s.TrustDSCP {
		t.Errorf("%d, %t", s.Congestion[dcqcn.AdditiveRate], s.TrustDSCP)
	}
}

func TestRowsOfCongestionControlAreThoseOfTheModel(t *testing.T) {
	t.Parallel()
	for _, p := range dcqcn.All() {
		r, ok := Keys(description.WinOF2).Find(p.String(), Congestion)
		if !ok {
			t.Errorf("no key for %s", p)
			continue
		}
		want := p.Range()
		if r.Ethernet != NumberValue(want.Default) || r.Min != nil && *r.Min != want.Min || r.Max != nil && *r.Max != want.Max {
			t.Errorf("%s: the table says %v, %v to %v; the model %+v", p, r.Ethernet, r.Min, r.Max, want)
		}
	}
}

// TestRereadKeyChangesDependentKeys: after a value was set at once, what the driver works with is what it would
// read if it read everything again.
func TestRereadKeyChangesDependentKeys(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	changed := 0
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		rows := Keys(family).Rows
		for range 60 {
			stored := map[string]Value{}
			for i := range rows {
				if random.IntN(3) == 0 && rows[i].Type == Number {
					stored[rows[i].Name] = NumberValue(uint32(random.IntN(3)))
				}
			}
			before := reading(family, description.Ethernet, stored)
			for i := range rows {
				r := &rows[i]
				if r.Applies != AtOnce || !r.Scope.Stored() || !r.Fits(description.Ethernet) || r.Type != Number {
					continue
				}
				old, had := stored[r.Name]
				stored[r.Name] = NumberValue(uint32(random.IntN(3)))
				got, want := before.With(r, stored[r.Name]), reading(family, description.Ethernet, stored)
				for j := range rows {
					if other := &rows[j]; other == r || other.Scope == r.Scope && other.Applies == AtOnce && other.Name != r.Name {
						if got.Reading(other) != want.Reading(other) {
							t.Fatalf("after %s became %v, %s is read as %+v, want %+v", r.Name, stored[r.Name], other.Name, got.Reading(other), want.Reading(other))
						}
						if other != r && got.Reading(other) != before.Reading(other) {
							changed++
						}
					}
				}
				if delete(stored, r.Name); had {
					stored[r.Name] = old
				}
			}
		}
	}
	if changed == 0 {
		t.Error("no key depends on another: nothing is proved")
	}
}
