package device

import (
	"slices"
	"time"
)

// Step is the lab's inner step. All amounts move in whole steps, so numbers depend on the total time alone, and not on
// how it was cut into calls of Advance.
const Step = 50 * time.Millisecond

// Lab is the hardware: adapters, the fabric they are cabled to, and the traffic, with its clock. One goroutine owns it.
type Lab struct {
	plant   *plant
	seed    uint64
	elapsed time.Duration
	steps   int64

	counters  []uint64
	links     []link
	schedules []schedule
	rhythms   []rhythm
	streams   []amount
	pauses    []pauseRest
	// delivered is how many data frames each flow got through in the last step, in each direction: what the other
	// side acknowledges in this one. moved is the same of the present step.
	delivered, moved []uint64
	// loads and cards are the sums of one step; they are kept to save their memory.
	loads   []load
	cards   []cardLoad
	changes []LinkChange
}

// New builds a lab from a description. Every random choice comes from the seed.
func New(d *Description, seed uint64) (*Lab, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	p := newPlant(d)
	l := &Lab{
		plant:     p,
		seed:      seed,
		counters:  make([]uint64, len(p.ports)*portStride),
		links:     make([]link, len(p.ports)),
		schedules: make([]schedule, len(d.Schedules)),
		rhythms:   make([]rhythm, len(d.Flows)),
		streams:   make([]amount, len(p.streams)),
		pauses:    make([]pauseRest, len(p.ports)*Priorities),
		delivered: make([]uint64, 2*len(d.Flows)),
		moved:     make([]uint64, 2*len(d.Flows)),
		loads:     make([]load, len(p.ports)),
		cards:     make([]cardLoad, len(d.Adapters)),
	}
	for i := range l.links {
		l.links[i] = link{cabled: true, enabled: true, up: true}
	}
	for i := range l.schedules {
		l.schedules[i].start(&p.schedules[i], newDice(seed, scheduleDice, i))
	}
	for i := range l.rhythms {
		l.rhythms[i].start(newDice(seed, rhythmDice, i))
	}
	for port := range p.ports {
		l.connect(port)
	}
	return l, nil
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

// Elapsed is what has been advanced since the start.
func (l *Lab) Elapsed() time.Duration { return l.elapsed }

// Seed is the seed of all random choices.
func (l *Lab) Seed() uint64 { return l.seed }

// Description is what the lab was built from. It must not be changed.
func (l *Lab) Description() *Description { return l.plant.description }

// Clone is a copy that goes its own way; from the same Advances and actions it gets the same numbers.
func (l *Lab) Clone() *Lab {
	c := *l
	c.counters = slices.Clone(l.counters)
	c.links = slices.Clone(l.links)
	c.schedules = slices.Clone(l.schedules)
	c.rhythms = slices.Clone(l.rhythms)
	c.streams = slices.Clone(l.streams)
	c.pauses = slices.Clone(l.pauses)
	c.delivered = slices.Clone(l.delivered)
	c.moved = slices.Clone(l.moved)
	c.loads = slices.Clone(l.loads)
	c.cards = slices.Clone(l.cards)
	c.changes = slices.Clone(l.changes)
	return &c
}
