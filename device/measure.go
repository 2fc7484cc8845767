package device

import (
	"errors"
	"fmt"
	"slices"

	"cxdeck/device/congestion"
	"cxdeck/device/description"
	"cxdeck/device/measurement"
	"cxdeck/device/offload"
	"cxdeck/device/rss"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
	"cxdeck/device/wire"
)

// maxTests is the maximum number of performance tests at the same time.
const maxTests = 16

// StartTest starts a performance test, which begins now: Begin and Results are set. It takes effect with the next step, and holds its place
// among the flows until EndTest.
func (l *Lab) StartTest(t measurement.Test) error {
	t.Begin, t.Results = l.steps, make([]measurement.Result, len(t.Sizes))
	if err := t.Check(len(l.plan.ports), l.steps); err != nil {
		return err
	}
	switch {
	case len(l.tests) >= maxTests:
		return fmt.Errorf("%d performance tests run already: end one first", maxTests)
	case l.testAt(t.Name) >= 0:
		return fmt.Errorf("a performance test %q runs already", t.Name)
	}
	flows := l.unchangedFlows()
	l.tests = append(slices.Clone(l.tests), t)
	l.exchangeFlows(append(flows, newFlow))
	return nil
}

// EndTest ends a performance test, and returns it with its results. Its error is that there is none of that name.
func (l *Lab) EndTest(name string) (measurement.Test, error) {
	at := l.testAt(name)
	if at < 0 {
		return measurement.Test{}, fmt.Errorf("no performance test %q runs", name)
	}
	ended := l.tests[at].Clone()
	flow := l.plant.described() + at
	l.tests = slices.Delete(cloneTests(l.tests), at, at+1)
	l.exchangeFlows(slices.Delete(l.unchangedFlows(), flow, flow+1))
	return ended, nil
}

// Test returns a running performance test with its results so far.
func (l *Lab) Test(name string) (measurement.Test, bool) {
	if at := l.testAt(name); at >= 0 {
		return l.tests[at].Clone(), true
	}
	return measurement.Test{}, false
}

// Tests returns the running performance tests.
func (l *Lab) Tests() []measurement.Test { return cloneTests(l.tests) }

func cloneTests(tests []measurement.Test) (list []measurement.Test) {
	for i := range tests {
		list = append(list, tests[i].Clone())
	}
	return list
}

func (l *Lab) testAt(name string) int {
	return slices.IndexFunc(l.tests, func(t measurement.Test) bool { return t.Name == name })
}

// TestPath returns the capacity of the path of a performance test at a port, with or without a tag in its frames.
func (l *Lab) TestPath(port int, tagged bool) measurement.Path {
	d, site := l.plant.description, &l.plant.ports[port]
	slot, card := l.setup.Slots[site.adapter], &d.Adapters[site.adapter]
	p := measurement.Path{
		Line: l.plan.ports[port].rate * headroom, Slot: wire.PCIeUsable(slot.Generation, slot.Lanes, card.PCIeMaxPayload),
		Around: wire.RoCEPacket(0, 2), Frame: wire.EthernetHeader + wire.FrameCheck, Gap: wire.PreambleGap,
		Payload: max(256, offload.RoCEMTU(l.setup.Ports[port].MaxFrame-wire.EthernetHeader)),
	}
	if tagged {
		p.Frame += wire.VLANTag
	}
	if limit := l.setup.Ports[port].RDMAPayload; limit > 0 {
		p.Payload = min(p.Payload, limit)
	}
	p.Card = wire.LoopbackRate(slot.Generation, slot.Lanes)
	if p.Card == 0 {
		p.Card = p.Slot
	}
	return p
}

// testFlow returns the flow of a test in a step.
func (l *Lab) testFlow(t *measurement.Test, step int64) description.Flow {
	path := l.TestPath(t.Port, t.Priority >= 0)
	return t.Flow(l.plant.ports[t.Port].description.Connection, t.Stage(step), &path)
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

// newFlow is the former number of a new flow.
const newFlow = -1

// unchangedFlows returns the numbers of all flows.
func (l *Lab) unchangedFlows() []int {
	from := make([]int, len(l.plant.traffic))
	for i := range from {
		from[i] = i
	}
	return from
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
		f := l.testFlow(t, l.steps)
		flows = append(flows, f)
		sites = append(sites, flowSite{port: t.Port, tuples: traffic.NewTuples(&f, hasher, 1), loopback: t.Loopback()})
	}
	l.plant = l.plant.with(flows, sites)
	l.resizeFlows(from)
	l.replanFrom(from)
	l.scratch = l.newScratch()
}

// resizeFlows gives the lists with a place for each flow their new length.
func (l *Lab) resizeFlows(from []int) {
	l.setup.Scales = moveFlows(l.setup.Scales, from, 1, 1)
	if l.setup.Marks != nil {
		l.setup.Marks = moveFlows(l.setup.Marks, from, 1, setup.Mark{Priority: setup.AsDescribed, DSCP: setup.AsDescribed})
	}
	if l.setup.Bursts != nil {
		l.setup.Bursts = moveFlows(l.setup.Bursts, from, 1, 0)
	}
	l.rhythms = moveFlows(l.rhythms, from, 1, traffic.Rhythm{})
	for i, before := range from {
		if before == newFlow {
			l.rhythms[i].Start(traffic.NewDice(l.seed, traffic.RhythmDice, i))
		}
	}
	l.controls = moveFlows(l.controls, from, 2, congestion.Control{State: congestion.State{Allowed: 1}})
	l.delivered, l.flowBytes = moveFlows(l.delivered, from, 2, 0), moveFlows(l.flowBytes, from, 2, 0)
}

// moveFlows returns a list with a number of elements for each flow in a new order; a new flow gets the initial value.
func moveFlows[T any](list []T, from []int, each int, initial T) []T {
	moved := make([]T, 0, each*len(from))
	for _, before := range from {
		for i := range each {
			if before == newFlow {
				moved = append(moved, initial)
			} else {
				moved = append(moved, list[each*before+i])
			}
		}
	}
	return moved
}

// moveTests goes on to the next size of the tests whose time for a size has passed.
func (l *Lab) moveTests() {
	for i := range l.tests {
		if t := &l.tests[i]; t.Stage(l.steps) != t.Stage(l.steps-1) {
			l.exchangeFlows(l.unchangedFlows())
			return
		}
	}
}

// measureTests adds what arrived in the step to the results of the tests.
func (l *Lab) measureTests() {
	if len(l.tests) == 0 {
		return
	}
	first := l.plant.described()
	for i := range l.tests {
		t := &l.tests[i]
		stage := t.Stage(l.steps)
		if stage >= len(t.Sizes) {
			continue
		}
		path := l.TestPath(t.Port, t.Priority >= 0)
		direction := send
		if t.Receives || t.Loopback() {
			direction = receive
		}
		r := &t.Results[stage]
		r.Steps++
		r.Messages += float64(l.delivered[2*(first+i)+direction]) / float64(path.Frames(t.Sizes[stage]))
		r.Delay += t.Time(&path, t.Sizes[stage])
		if !t.Loopback() {
			r.Delay += l.queueing(t.Port, direction)
		}
	}
}

// queueing returns the time that a frame waits in the switch and for the end of a pause, in seconds.
func (l *Lab) queueing(port, direction int) float64 {
	wait := l.queues[2*port+direction] * 8 / l.plan.ports[port].rate
	if paused := min(l.pausedShare(port), 0.99); direction == send && paused > 0 {
		wait += paused / (1 - paused) * pauseWait
	}
	return wait
}

// pauseWait is the mean time that a frame waits for the end of a pause, in seconds, when half of the time is paused (ours).
const pauseWait = 20e-6

// errTests reports saved tests that no lab has.
var errTests = errors.New("too many performance tests")

// restoreTests gives a new lab the saved tests at a step.
func (l *Lab) restoreTests(tests []measurement.Test, steps int64) error {
	if len(tests) == 0 {
		return nil
	}
	if len(tests) > maxTests {
		return errTests
	}
	names := map[string]bool{}
	for i := range tests {
		if err := tests[i].Check(len(l.plan.ports), steps); err != nil || names[tests[i].Name] {
			return errors.Join(err, errTests)
		}
		names[tests[i].Name] = true
	}
	from := l.unchangedFlows()
	for range tests {
		from = append(from, newFlow)
	}
	l.steps, l.tests = steps, cloneTests(tests)
	l.exchangeFlows(from)
	return nil
}
