package device

import (
	"fmt"
	"slices"

	"cxdeck/device/congestion"
	"cxdeck/device/description"
	"cxdeck/device/measurement"
	"cxdeck/device/moving"
	"cxdeck/device/rss"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
)

// StartTest starts a performance test, which begins now: Begin and Results are set. It takes effect with the next step, and holds its place
// among the flows until EndTest.
func (l *Lab) StartTest(t measurement.Test) error {
	tests, err := l.tests.Start(t, len(l.plan.ports), l.steps)
	if err != nil {
		return err
	}
	l.tests = tests
	l.exchangeFlows(append(moving.Places(len(l.plant.traffic)), moving.New))
	return nil
}

// EndTest ends a performance test, and returns it with its results. It fails when no test has the name.
func (l *Lab) EndTest(name string) (measurement.Test, error) {
	at := l.tests.Find(name)
	if at < 0 {
		return measurement.Test{}, fmt.Errorf("no performance test %q runs", name)
	}
	ended := l.tests[at].Clone()
	flow := l.plant.described() + at
	l.tests = slices.Delete(l.tests.Clone(), at, at+1)
	l.exchangeFlows(slices.Delete(moving.Places(len(l.plant.traffic)), flow, flow+1))
	return ended, nil
}

// Test returns a running performance test with its results so far.
func (l *Lab) Test(name string) (measurement.Test, bool) {
	if at := l.tests.Find(name); at >= 0 {
		return l.tests[at].Clone(), true
	}
	return measurement.Test{}, false
}

// TestPath returns the capacity of the path of a performance test at a port, with or without a tag in its frames.
func (l *Lab) TestPath(port int, tagged bool) measurement.Path {
	site, s := &l.plant.ports[port], &l.setup.Ports[port]
	slot := l.setup.Slots[site.adapter]
	return measurement.NewPath(&measurement.Card{
		Generation: slot.Generation, Lanes: slot.Lanes, MaxPayload: l.plant.description.Adapters[site.adapter].PCIeMaxPayload,
		Line: l.plan.ports[port].rate * headroom, MaxFrame: s.MaxFrame, RDMAPayload: s.RDMAPayload,
		InfiniBand: l.plant.links[port] == description.InfiniBand,
	}, tagged)
}

// described returns the number of flows that do not belong to performance tests.
func (p *Plant) described() int { return len(p.traffic) - p.tests }

// with returns the plant with the flows of performance tests in place of the ones that it has.
func (p *Plant) with(flows []description.Flow, sites []flowSite) *Plant {
	c, n := *p, p.described()
	c.tests = len(flows)
	c.traffic, c.flows = append(slices.Clip(p.traffic[:n]), flows...), append(slices.Clip(p.flows[:n]), sites...)
	c.shared = append(slices.Clip(p.shared[:n]), make([][]int, len(flows))...)
	return &c
}

// exchangeFlows gives the lab the flows of its tests. It has the former number of each flow.
func (l *Lab) exchangeFlows(from []int) {
	hasher, err := rss.NewHasher(rss.DefaultKey)
	if err != nil {
		panic("device: the default RSS key is damaged: " + err.Error()) // a test hashes with it
	}
	var flows []description.Flow
	var sites []flowSite
	for i := range l.tests {
		t := &l.tests[i]
		path := l.TestPath(t.Port, t.Priority >= 0)
		f := t.Flow(l.plant.ports[t.Port].description.Connection, t.Stage(l.steps), &path)
		flows = append(flows, f)
		sites = append(sites, flowSite{port: t.Port, tuples: traffic.NewTuples(&f, hasher, max(1, t.Streams)), loopback: t.Loopback()})
	}
	l.plant = l.plant.with(flows, sites)
	l.resizeFlows(from)
	l.replanFrom(from)
	l.scratch = l.newScratch()
}

// resizeFlows gives the lists with a place for each flow their new length.
func (l *Lab) resizeFlows(from []int) {
	l.setup.Scales = moving.Reorder(l.setup.Scales, from, 1, 1)
	if l.setup.Marks != nil {
		l.setup.Marks = moving.Reorder(l.setup.Marks, from, 1, setup.Mark{Priority: setup.AsDescribed, DSCP: setup.AsDescribed})
	}
	if l.setup.Bursts != nil {
		l.setup.Bursts = moving.Reorder(l.setup.Bursts, from, 1, 0)
	}
	l.rhythms = moving.Reorder(l.rhythms, from, 1, traffic.Rhythm{})
	for i, before := range from {
		if before == moving.New {
			l.rhythms[i].Start(traffic.NewDice(l.seed, traffic.RhythmDice, i))
		}
	}
	l.controls = moving.Reorder(l.controls, from, 2, congestion.Control{State: congestion.State{Allowed: 1}})
	l.delivered, l.flowBytes = moving.Reorder(l.delivered, from, 2, 0), moving.Reorder(l.flowBytes, from, 2, 0)
}

// moveTests goes on to the next size of the tests whose time for a size has passed.
func (l *Lab) moveTests() {
	if l.tests.Move(l.steps) {
		l.exchangeFlows(moving.Places(len(l.plant.traffic)))
	}
}

// measureTests adds what arrived in the step to the results of the tests.
func (l *Lab) measureTests() {
	first := l.plant.described()
	for i := range l.tests {
		t, direction := &l.tests[i], send
		if t.Receives || t.Loopback() {
			direction = receive
		}
		path, wait := l.TestPath(t.Port, t.Priority >= 0), l.queues[2*t.Port+direction]*8/l.plan.ports[t.Port].rate
		if direction == send {
			wait += measurement.PauseWait(l.pausedShare(t.Port))
		}
		l.rhythms[first+i].Window = t.Add(l.steps, &path, l.delivered[2*(first+i)+direction], wait)
	}
}

// restoreTests gives a new lab the saved tests at a step.
func (l *Lab) restoreTests(tests measurement.Tests, steps int64) error {
	if len(tests) == 0 {
		return nil
	}
	if err := tests.Check(len(l.plan.ports), steps); err != nil {
		return err
	}
	from := moving.Places(len(l.plant.traffic))
	for range tests {
		from = append(from, moving.New)
	}
	l.steps, l.tests = steps, tests.Clone()
	l.exchangeFlows(from)
	return nil
}
