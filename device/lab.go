package device

import (
	"slices"
	"time"

	"cxdeck/device/capture"
	"cxdeck/device/description"
)

// Step is the lab's inner step. All amounts move in whole steps, so numbers depend only on the total time, not on its
// division into calls of Advance.
const Step = 50 * time.Millisecond

// Lab is the hardware: adapters, the fabric they are cabled to, and the traffic, with its clock. One goroutine owns it.
type Lab struct {
	plant   *Plant
	plan    *plan
	seed    uint64
	elapsed time.Duration
	steps   int64

	// The setup of the lab; a change makes new slices, so that clones keep theirs.
	settings []Settings
	switches []SwitchSettings
	slots    []Slot
	speeds   []float64
	faults   []faultShares
	scales   []float64
	bindings []Binding
	// guests are the virtual machines of each port, with the leases of their addresses.
	guests         [][]Guest
	leases         []leases
	shareBases     []shareBase
	virtual        []virtualPorts
	functionFaults []FunctionFault

	moving
	scratch
	changes []LinkChange
}

// moving is the state that a step changes for the next one.
type moving struct {
	counters  []uint64
	links     []link
	schedules []schedule
	rhythms   []rhythm
	streams   []amount
	lanes     []laneRest
	rings     []ringState
	pauses    []pauseRest
	controls  []control
	queues    []float64 // of the switches, in bytes: towards each port, and on the way from it
	cardRests []cardRest
	// lastFrames is what each port had received and sent at the end of the last step.
	lastFrames [][2]uint64
	// delivered counts the data frames of each flow that got through in the last step, by direction: the other side
	// acknowledges them in this one. flowBytes counts their bytes.
	delivered, flowBytes []uint64
	farEnds              []farEnd
	// captures are the buffers of ports that capture packets, nil for the others.
	captures []*capture.Buffer
}

// scratch are the sums of one step; they are kept to save their memory.
type scratch struct {
	moved     []uint64
	loads     []load
	cards     []cardLoad
	works     []work
	pollers   []int
	cardDrops []uint64
	extras    []extra
	renewals  []renewal
	// filled is the step of the counters of virtual functions and of virtual ports that are shown.
	filled int64
	shown  []shownPorts
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
	l := &Lab{plant: p, plan: p.plan, seed: seed}
	l.applyDescription()
	l.moving = l.newMoving()
	l.scratch = l.newScratch()
	for i := range l.links {
		l.links[i].linkState = linkState{
			Cabled: true, Enabled: true, Up: true, Counting: l.settings[i].CountRSS && l.settings[i].CountFromStart,
		}
		if l.switches[i].SubnetManager != description.SubnetManaged {
			l.links[i].Up, l.links[i].Ready = false, training
		}
	}
	for i := range l.schedules {
		l.schedules[i].start(&l.plant.schedules[i], newDice(seed, scheduleDice, i))
	}
	for i := range l.rhythms {
		l.rhythms[i].start(newDice(seed, rhythmDice, i))
	}
	for i := range l.controls {
		l.controls[i].Allowed = 1
	}
	for port := range l.plan.ports {
		l.connect(port)
		l.refresh(port)
	}
	for adapter := range l.cards {
		l.showCard(adapter)
	}
	return l
}

// Plant returns the plant of the lab.
func (l *Lab) Plant() *Plant { return l.plant }

func (l *Lab) newMoving() moving {
	d, p, flows := l.plant.description, l.plan, len(l.plant.traffic)
	return moving{
		counters:   make([]uint64, l.plant.layout.cells),
		links:      make([]link, len(p.ports)),
		schedules:  make([]schedule, len(d.Schedules)),
		rhythms:    make([]rhythm, flows),
		streams:    make([]amount, len(p.streams)),
		lanes:      make([]laneRest, len(p.lanes)),
		rings:      make([]ringState, l.plant.layout.rings),
		pauses:     make([]pauseRest, len(p.ports)*Priorities),
		controls:   make([]control, 2*flows),
		queues:     make([]float64, 2*len(p.ports)),
		cardRests:  make([]cardRest, len(d.Adapters)),
		lastFrames: make([][2]uint64, len(p.ports)),
		delivered:  make([]uint64, 2*flows),
		flowBytes:  make([]uint64, 2*flows),
		farEnds:    make([]farEnd, len(p.ports)),
		captures:   make([]*capture.Buffer, len(p.ports)),
	}
}

func (l *Lab) newScratch() scratch {
	return scratch{
		moved:     make([]uint64, len(l.delivered)),
		loads:     make([]load, len(l.plan.ports)),
		cards:     make([]cardLoad, len(l.plan.cards)),
		works:     make([]work, l.plant.layout.processors),
		pollers:   make([]int, l.plant.layout.processors),
		cardDrops: make([]uint64, len(l.plan.cards)),
		filled:    -1,
		shown:     make([]shownPorts, len(l.plan.ports)),
	}
}

// applyDescription sets everything up as the description has it.
func (l *Lab) applyDescription() {
	d := l.plant.description
	for i := range d.Adapters {
		a := &d.Adapters[i]
		l.slots = append(l.slots, Slot{a.PCIeGeneration, a.PCIeLanes})
		for j := range a.Ports {
			l.settings = append(l.settings, DefaultSettings(a.Family, &a.Ports[j]))
			l.switches = append(l.switches, defaultSwitch(&a.Ports[j].Switch))
			l.speeds = append(l.speeds, 1)
			l.faults = append(l.faults, faultShares{})
			l.guests = append(l.guests, nil)
			l.leases = append(l.leases, leases{})
			l.shareBases = append(l.shareBases, shareBase{})
			l.virtual = append(l.virtual, virtualPorts{})
		}
	}
	for i := range l.plant.traffic {
		scale := 1.0
		if l.plant.traffic[i].Idle {
			scale = 0
		}
		l.scales = append(l.scales, scale)
	}
}

// replan plans the lab again after a change of its settings. Remainders of whole frames stay where a flow's lanes are
// unchanged.
func (l *Lab) replan() {
	old, streams, lanes := l.plan, l.streams, l.lanes
	l.plan = l.newPlan()
	l.streams, l.lanes = make([]amount, len(l.plan.streams)), make([]laneRest, len(l.plan.lanes))
	for i := range l.plan.flows {
		from, to := &old.flows[i], &l.plan.flows[i]
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

// Advance moves the lab's time by d. Time does not go back: a negative d does nothing.
func (l *Lab) Advance(d time.Duration) {
	l.elapsed += max(0, d)
	for due := int64(l.elapsed / Step); l.steps < due; {
		l.steps++
		l.step()
	}
}

// Now is the lab's time: the epoch of its description and what has been advanced.
func (l *Lab) Now() time.Time { return l.plant.description.Epoch.Add(l.elapsed) }

// Elapsed is the time since the start.
func (l *Lab) Elapsed() time.Duration { return l.elapsed }

// Seed is the seed of all random choices.
func (l *Lab) Seed() uint64 { return l.seed }

// Description returns the lab's description. It must not be changed.
func (l *Lab) Description() *description.Description { return l.plant.description }

// Clone returns an independent copy; the same Advances and actions give the same numbers.
func (l *Lab) Clone() *Lab {
	c := *l
	c.counters = slices.Clone(l.counters)
	c.links = slices.Clone(l.links)
	c.schedules = slices.Clone(l.schedules)
	c.rhythms = slices.Clone(l.rhythms)
	c.streams = slices.Clone(l.streams)
	c.lanes = slices.Clone(l.lanes)
	c.rings = slices.Clone(l.rings)
	c.pauses = slices.Clone(l.pauses)
	c.controls = slices.Clone(l.controls)
	c.queues = slices.Clone(l.queues)
	c.cardRests = slices.Clone(l.cardRests)
	c.lastFrames = slices.Clone(l.lastFrames)
	c.delivered = slices.Clone(l.delivered)
	c.flowBytes = slices.Clone(l.flowBytes)
	c.farEnds = slices.Clone(l.farEnds)
	c.captures = cloneCaptures(l.captures)
	c.scratch = c.newScratch()
	c.changes = slices.Clone(l.changes)
	return &c
}
