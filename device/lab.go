package device

import (
	"slices"
	"time"

	"cxdeck/device/capture"
	"cxdeck/device/congestion"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/infiniband/site"
	"cxdeck/device/measurement"
	"cxdeck/device/moving"
	"cxdeck/device/setup"
	"cxdeck/device/tap"
	"cxdeck/device/traffic"
)

// Step is the lab's inner step. Traffic advances in whole steps, so counters depend only on the total time, not on how
// it is divided into calls of Advance.
const Step = 50 * time.Millisecond

// Lab is the hardware: adapters, the fabric they are cabled to, and the traffic, with its clock. One goroutine owns it.
type Lab struct {
	*counter.Layout // of Counters

	plant   *Plant
	plan    *plan
	seed    uint64
	elapsed time.Duration
	steps   int64

	setup setup.Lab
	movingState
	scratch
	changes []LinkChange
	tests   measurement.Tests
	tap     *tap.Tap   // nil without a capture
	site    *site.Site // nil without InfiniBand
}

// scratch holds the sums of one step; their memory is reused.
type scratch struct {
	moved     []uint64
	loads     []load
	cards     []cardLoad
	works     []processorTime
	pollers   []int
	cardDrops []uint64
	queued    []*congestion.Control
	extras    []extraFrames
	renewals  []renewal
	// filled is the step for which the counters of virtual functions and virtual ports were last computed; -1 for never.
	filled int64
	shown  []setup.VirtualCounts
}

// New builds a lab from a description. Every random choice comes from the seed.
func New(d *description.Description, seed uint64) (*Lab, error) {
	p, err := NewPlant(d)
	if err != nil {
		return nil, err
	}
	return p.New(seed), nil
}

// New returns a new lab. Every random choice comes from the seed.
func (p *Plant) New(seed uint64) *Lab {
	l := &Lab{Layout: p.layout, plant: p, plan: p.plan, seed: seed}
	l.setup = setup.New(p.description, p.traffic)
	l.allocate()
	l.scratch = l.newScratch()
	if p.site != nil {
		l.site = p.site.Clone()
		l.site.Tell(l.setup.Switches)
		l.setup.Switches = l.site.Ask(l.setup.Switches)
	}
	for i := range l.links {
		l.links[i].linkState = linkState{
			Cabled: true, Enabled: true, Up: true, Counting: l.setup.Ports[i].CountRSS && l.setup.Ports[i].CountFromStart,
		}
		if l.setup.Switches[i].SubnetManager != description.SubnetManaged {
			l.links[i].Up, l.links[i].Ready = false, training
		}
	}
	for i := range l.schedules {
		l.schedules[i].Start(&l.plant.schedules[i], traffic.NewDice(seed, traffic.ScheduleDice, i))
	}
	for i := range l.rhythms {
		l.rhythms[i].Start(traffic.NewDice(seed, traffic.RhythmDice, i))
	}
	for i := range l.controls {
		l.controls[i].Allowed = 1
	}
	for port := range l.plan.ports {
		l.connect(port)
		l.resetRings(port)
	}
	for adapter := range l.cards {
		l.showCard(adapter)
	}
	return l
}

// Plant returns the plant of the lab, without its performance tests.
func (l *Lab) Plant() *Plant {
	if l.plant.tests > 0 {
		return l.plant.with(nil, nil)
	}
	return l.plant
}

func (l *Lab) newScratch() scratch {
	return scratch{
		moved:     make([]uint64, len(l.delivered)),
		loads:     make([]load, len(l.plan.ports)),
		cards:     make([]cardLoad, len(l.plan.cards)),
		works:     make([]processorTime, l.Processors()),
		pollers:   make([]int, l.Processors()),
		cardDrops: make([]uint64, len(l.plan.cards)),
		filled:    -1,
		shown:     make([]setup.VirtualCounts, len(l.plan.ports)),
	}
}

// replan rebuilds the plan after a change of the setup.
func (l *Lab) replan() { l.replanFrom(moving.Places(len(l.plant.traffic))) }

// replanFrom rebuilds the plan. It has the former number of each flow. A flow whose lanes are unchanged keeps its remainders of whole
// frames.
func (l *Lab) replanFrom(before []int) {
	old, streams, lanes := l.plan, l.streams, l.lanes
	l.plan = l.newPlan()
	l.streams, l.lanes = make([]amount, len(l.plan.streams)), make([]laneRemainders, len(l.plan.lanes))
	for i := range l.plan.flows {
		if before[i] == moving.New {
			continue
		}
		from, to := &old.flows[before[i]], &l.plan.flows[i]
		if to.last-to.first != from.last-from.first {
			continue
		}
		copy(l.streams[to.first:to.last], streams[from.first:from.last])
		for j := range to.last - to.first {
			s, t := &old.streams[from.first+j], &l.plan.streams[to.first+j]
			if s.last-s.first == t.last-t.first {
				copy(l.lanes[t.first:t.last], lanes[s.first:s.last])
			}
		}
	}
}

// Advance runs the lab for d. A negative d does nothing.
func (l *Lab) Advance(d time.Duration) {
	l.elapsed += max(0, d)
	for due := int64(l.elapsed / Step); l.steps < due; {
		l.steps++
		l.step()
	}
}

// AdvanceToLink is Advance that ends with the step in which a link came up or went down, or a port left dropless mode: the
// host's reaction must not depend on how the time is divided.
func (l *Lab) AdvanceToLink(d time.Duration) {
	end, changes := l.elapsed+max(0, d), len(l.changes)
	for due := int64(end / Step); l.steps < due && len(l.changes) == changes; {
		l.steps++
		l.elapsed = max(l.elapsed, l.stepTime())
		l.step()
	}
	if len(l.changes) == changes {
		l.elapsed = end
	}
}

// Now returns the lab's time: the epoch of its description plus the elapsed time.
func (l *Lab) Now() time.Time { return l.plant.description.Epoch.Add(l.elapsed) }

// SetNow sets the lab's clock. Other labs of its plant keep theirs.
func (l *Lab) SetNow(now time.Time) {
	d := *l.plant.description
	d.Epoch = now.Add(-l.elapsed)
	l.redescribe(&d)
}

// SetVersions sets the versions of the cards, in the order of the description, and of the firmware tools. Other labs of its plant
// keep theirs.
func (l *Lab) SetVersions(cards []description.Versions, tools string) {
	l.redescribe(l.plant.description.WithVersions(cards, tools))
	l.replan()
}

func (l *Lab) redescribe(d *description.Description) {
	plant := *l.plant
	plant.description, l.plant = d, &plant
}

// Elapsed returns the time since the start.
func (l *Lab) Elapsed() time.Duration { return l.elapsed }

// Seed returns the seed of all random choices.
func (l *Lab) Seed() uint64 { return l.seed }

// Description returns the lab's description. It must not be changed.
func (l *Lab) Description() *description.Description { return l.plant.description }

// Clone returns an independent copy; the same Advances and actions give the same numbers.
func (l *Lab) Clone() *Lab {
	c := *l
	c.counters, c.captures = slices.Clone(l.counters), capture.CloneAll(l.captures)
	c.silence = slices.Clone(l.silence)
	for _, list := range c.movingLists() {
		list.Clone()
	}
	c.scratch = c.newScratch()
	c.changes, c.tests = slices.Clone(l.changes), l.tests.Clone()
	c.tap = nil
	if l.site != nil {
		c.site = l.site.Clone()
	}
	return &c
}
