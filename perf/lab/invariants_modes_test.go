package lab

import (
	"strings"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/rss"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/perf"
)

// The tests of the counter model's invariants. Names in lower case are methods in TestTheCounterModelHolds.
//
//	T1, T8, T9, T10       times
//	T2                    times, TestResets
//	T3                    counting, TestResets
//	T4                    times, TestOnlyTheToolClearsRingStatistics
//	T5, T6                tests of rate.go
//	T7                    tests of lab_sets.go: a KBytes counter takes 1000
//	T11                   the lab reads its counters as they are: TestColumnsDoNotDependOnTheInterval
//	A1, A2, A3, A9        totals; A3 by the one cell that counter and rate have
//	A4                    tests of device/wire and the vectors
//	A5, A6                limits
//	A7, A8, E1 to E5      losses
//	E6                    classes; TestCountersOfCauses, row 10 and frames of wrong sizes
//	E7                    pauses
//	E8                    losses, with datagrams that find no receive posted; TestCountersOfCauses, rows 1 and 17
//	Q1, Q2                priorities
//	Q3                    TestPrioritiesOfReceivedPackets, the vectors of DSCP
//	Q4                    priorities, TestBarePrioritiesCount
//	Q5, Q6, Q7, Q8        pauses
//	Q9, Q10               held
//	Q11                   ends
//	R1, R2, R3, R4, R7    spread
//	R5                    counting, TestTheSchemaGrows
//	R6                    TestTheLabFillsItsSets; with machines TestVirtualPortsCountEachPacketOnce
//	R8                    unhashed
//	R9                    captured; TestTheCaptureBuffer of device
//	D1, D3, D4, D6        rdma
//	D2                    connections; TestCountersOfCauses, row 17
//	D5                    connections
//	D7                    ends; TestCountersOfCauses, rows 16 and 19
//	D8, D9, D11           diagnostics, transport
//	D10                   overflows
//	D12                   still, links
//	D13, D14, D15         diagnostics
//	D16                   as T6
//	B1                    TestCardsCountForThemselves
//	B2, B4, B5, B7, B8    cards
//	B3                    TestCountersOfThePro
//	B6                    cards
//	B9                    TestQueuesTakeEntriesOfTables; TestCountersOfCauses, row 15
//	V1 to V3              TestWatchesOverSeeds and TestVirtualFunctionsAreWatched of driver; TestCountersOfCauses, row 25
//	V4                    TestResourceDump of views/exec
//	P1, P2, P4            rings; TestRangesOfIndications of device
//	P3                    TestStatisticsOverATime of views/exec
//	P5                    rings, TestCompletionMethods

// held: Q9 while a priority is held back all the time nothing of it is sent; Q10 what shares a traffic class has one
// count of discards.
func (c *labCheck) held(p *labPort) {
	if c.restarted(p) {
		return
	}
	counters := func(priority int, cell counter.Priority) uint64 {
		return c.moved(counter.PriorityCell(p.port, priority, cell))
	}
	all := counters(counter.Untagged, counter.SelfPaused) >= uint64(c.span.Microseconds())
	for priority := range counter.Priorities {
		if all || counters(priority, counter.SelfPaused) >= uint64(c.span.Microseconds()) {
			sent := counters(priority, counter.PrioritySentPackets)
			c.need(sent == 0, "Q9", "%s: %d packets of priority %d, which was held back", p.Connection, sent, priority)
		}
	}
	settings, sum := c.lab.Host().Lab().Settings(p.port), uint64(0)
	for priority := range counter.Priorities {
		leader := settings.Class(priority % counter.Untagged) // untagged frames belong to the class of priority 0
		own, ofClass := counters(priority, counter.PrioritySentDiscards), counters(leader, counter.PrioritySentDiscards)
		c.need(own == ofClass, "Q10", "%s: %d discards of priority %d and %d of its class", p.Connection, own, priority, ofClass)
		if priority == leader {
			sum += own
		}
	}
	c.need(sum == c.hardware(p.port, counter.HeadOfQueueDrops), "Q10", "%s: %d discards in classes", p.Connection, sum)
}

// unhashed: R8 packets that are not hashed are not counted as hashed, and without receive side scaling one processor handles
// all.
func (c *labCheck) unhashed(p *labPort) {
	before, after := &c.began.settings[p.port], c.lab.Host().Lab().Settings(p.port)
	if !after.CountRSS || c.restarted(p) || p.Link == description.InfiniBand {
		return
	}
	lab, taking := c.lab.Host().Lab(), 0
	for processor := range lab.Processors() {
		takes := false
		for kind := range rss.Counters {
			moved := c.moved(lab.KindCell(p.port, processor, kind))
			if moved == 0 {
				continue
			}
			takes = true
			name := strings.TrimPrefix(rss.Counter(kind).String(), "Encapsulated ")
			udp := name == "Rss IPv4/Udp" || name == "Rss IPv6/Udp"
			raw := name == "Rss IPv4 Only" || name == "Rss IPv6 Only"
			c.need(!udp || before.RSSUDP || after.RSSUDP, "R8", "%s: %d of %s", p.Connection, moved, name)
			c.need(!raw || before.RSSRawIP || after.RSSRawIP, "R8", "%s: %d of %s", p.Connection, moved, name)
		}
		if takes {
			taking++
		}
	}
	c.need(before.RSS || after.RSS || taking <= 1, "R8", "%s: %d processors take packets without RSS", p.Connection, taking)
}

// transport: D8 retries end with a negative answer each, D11 what the firmware does not count
// is 0, D9 an error is a completion with an error.
func (c *labCheck) transport(p *labPort) {
	now := func(cell counter.Port) uint64 {
		return c.lab.Host().Lab().Counters()[counter.Cell(p.port, cell)]
	}
	c.need(now(counter.RNRRetriesExceeded) <= now(counter.RequesterRNR), "D8", "%s: %d given up after %d answers",
		p.Connection, now(counter.RNRRetriesExceeded), now(counter.RequesterRNR))
	c.need(now(counter.RNRRetriesExceeded)+now(counter.RetriesExceeded) <= now(counter.RequesterCQEErrors), "D9", "%s: errors", p.Connection)
	c.need(now(counter.RNRRetriesExceeded) == 0 || now(counter.ErrorQueuePairs) > 0 || c.hardware(p.port, counter.LinkUps) > 0 ||
		c.hardware(p.port, counter.RNRRetriesExceeded) == 0, "D9", "%s: no queue pair in error", p.Connection)
	set := "Mellanox WinOF-2 Diagnostics"
	for _, counter := range []string{"Responder Duplicate Request Received"} {
		if p.adapter.Family == description.WinOF {
			set, counter = "Mellanox Adapter Diagnostics Counters", "Responder duplicate request received"
		}
		if cell, ok := c.find(set, p.Connection, counter); ok && p.adapter.Family == description.WinOF {
			c.need(c.after.Cells[cell] == 0, "D11", "%s: %d", counter, c.after.Cells[cell])
		}
	}
}

// TestOnlyTheToolClearsRingStatistics: T4 a start of the driver leaves the ring statistics, the tool clears them, and
// nothing else.
func TestOnlyTheToolClearsRingStatistics(t *testing.T) {
	t.Parallel()
	l := newLab(t, 4)
	var before, after perf.Column
	next(t, l, 0, &before)
	next(t, l, 10*time.Second, &before)
	apply := func(o driver.Operation) {
		if _, err := l.Host().Apply(driver.Plan{Title: "x", Operations: []driver.Operation{o}}); err != nil {
			t.Fatal(err)
		}
	}
	falls := func() (sets map[string]int) {
		sets = map[string]int{}
		for _, s := range l.Schema().Series {
			if s.Kind != perf.Gauge && after.Cells[s.Cell] < before.Cells[s.Cell] {
				sets[s.Set]++
			}
		}
		return sets
	}
	apply(restart("Ethernet 3"))
	next(t, l, 5*time.Second, &after)
	if n := falls()[ringStatistics]; n > 0 {
		t.Errorf("a start of the driver cleared %d ring statistics", n)
	}
	before, after = after, before
	apply(hardware.ResetStatistics{Connection: "Ethernet 3", Which: hardware.ReceiveStatistics})
	next(t, l, 0, &after)
	if sets := falls(); sets[ringStatistics] == 0 || len(sets) != 1 {
		t.Errorf("the tool cleared counters of %v", sets)
	}
	for _, o := range []driver.Operation{
		hardware.ResetStatistics{Connection: "Ethernet 7", Which: hardware.AllStatistics},
		hardware.ResetStatistics{Connection: "Ethernet 3", Which: "some"},
	} {
		if _, err := l.Host().Apply(driver.Plan{Title: "x", Operations: []driver.Operation{o}}); err == nil {
			t.Errorf("%s was done", o.Describe())
		}
	}
}

// TestCompletionMethods: P5 with polling only the polled count grows; adaptive completion has both, and counts its
// changes.
func TestCompletionMethods(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 10"
	counters := []counter.ReceiveRing{counter.RingInterruptPackets, counter.RingPollingPackets, counter.RingTransitions}
	for method, want := range map[string][]bool{"0": {false, true}, "1": {true, true, true}} {
		l := newLab(t, 6)
		host, lab := l.Host(), l.Host().Lab()
		port := portOf(t, lab, connection)
		do := func(operations ...driver.Operation) {
			if _, err := host.Apply(driver.Plan{Title: "x", Operations: operations}); err != nil {
				t.Fatal(err)
			}
			host.Advance(5 * time.Second)
		}
		sums := func() (sums [3]uint64) {
			for ring := range lab.RingSlots(port) {
				for i, c := range counters {
					sums[i] += lab.Counters()[lab.ReceiveRingCell(port, ring, c)]
				}
			}
			return sums
		}
		do(set(connection, "RecvCompletionMethod", method), restart(connection))
		before := sums()
		do(fabric.ScaleFlow{Flow: "Market data", Scale: 10})
		do(fabric.ScaleFlow{Flow: "Market data", Scale: 0.1})
		after := sums()
		for i := range want {
			if moves := after[i] > before[i]; moves != want[i] {
				t.Errorf("method %s: counter %d went from %d to %d", method, counters[i], before[i], after[i])
			}
		}
	}
}
