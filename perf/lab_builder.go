package perf

import (
	"encoding/binary"
	"fmt"
	"slices"

	"cxdeck/device"
)

// labBuilder makes the series of a lab and the blocks that fill their cells. What has come since it was last asked is
// added: series and cells that were there stay as they are. Series that are made of the same counters share a cell.
type labBuilder struct {
	lab    *device.Lab
	series []Series
	blocks []labBlock
	cells  int
	names  *labNames
	// known are the gates that have a block.
	known map[labGate]bool
	// taken are the sets and instances that have their series.
	taken map[[2]string]bool
	// rings and spread are what of each port has its series.
	rings  []int
	spread []bool
}

func newLabBuilder(lab *device.Lab) *labBuilder {
	return &labBuilder{
		lab: lab, names: newLabNames(lab), known: map[labGate]bool{}, taken: map[[2]string]bool{},
		rings: make([]int, lab.Ports()), spread: make([]bool, lab.Ports()),
	}
}

// behind says whether the lab has something that has no series.
func (b *labBuilder) behind() bool {
	for port := range b.rings {
		if b.lab.Rings(port) > b.rings[port] || !b.spread[port] && (labGate{kind: spreadGate, port: port}).open(b.lab) {
			return true
		}
	}
	return len(b.blocks) == 0
}

// grow adds what has come.
func (b *labBuilder) grow() error {
	layouts, order := map[labGate]*labLayout{}, []*labLayout(nil)
	first := len(b.series)
	var owners []*labLayout
	parts, count, err := b.parts()
	if err != nil {
		return err
	}
	b.series, owners = slices.Grow(b.series, count), make([]*labLayout, 0, count)
	for _, part := range parts {
		for i := range part.instances {
			instance := &part.instances[i]
			name := [2]string{part.set.name, foldPath(instance.name)}
			if b.taken[name] {
				return fmt.Errorf("two things of %s are named %s", part.set.name, instance.name)
			}
			b.taken[name] = true
			b.names.note(part.set, instance)
			layout := layouts[instance.gate]
			if layout == nil {
				layout = newLabLayout(b.lab, instance.gate)
				layouts[instance.gate] = layout
				order = append(order, layout)
			}
			for j := range part.counters {
				c := &part.counters[j]
				if !b.has(instance, c) {
					continue
				}
				s := c.series
				s.Instance, s.Line, s.Sum = instance.name, instance.line, instance.sum
				s.Cell = layout.need(instance, &c.bind)
				b.series = append(b.series, s)
				owners = append(owners, layout)
			}
		}
	}
	for _, layout := range order {
		b.blocks = append(b.blocks, layout.block(b.cells))
		b.cells = b.blocks[len(b.blocks)-1].end
		b.known[layout.gate] = true
	}
	for i, layout := range owners {
		b.series[first+i].Cell = layout.cell(b.series[first+i].Cell)
	}
	for port := range b.rings {
		b.rings[port] = max(b.rings[port], b.lab.Rings(port))
		b.spread[port] = b.known[labGate{kind: spreadGate, port: port}]
	}
	return nil
}

// labPart is what of a set has come.
type labPart struct {
	set       *labSet
	counters  []labCounter
	instances []labInstance
}

// parts are the parts of all sets that have come, and how many series they make.
func (b *labBuilder) parts() (parts []labPart, count int, err error) {
	for _, set := range labSets() {
		described, ok := Catalogue().Set(set.name)
		if !ok {
			return nil, 0, fmt.Errorf("there is no set %s", set.name)
		}
		counters, err := labCounters(&set, described)
		if err != nil {
			return nil, 0, err
		}
		instances := slices.DeleteFunc(b.instances(&set), func(i labInstance) bool { return b.known[i.gate] })
		parts = append(parts, labPart{&set, counters, instances})
		count += len(counters) * len(instances)
	}
	return parts, count, nil
}

// has says whether an adapter has a counter: some are of ConnectX-3 Pro alone (B3).
func (b *labBuilder) has(instance *labInstance, c *labCounter) bool {
	const pro = 0x1007
	return c.limit != "ConnectX-3 Pro only" || b.lab.Description().Adapters[instance.places[0].adapter].DeviceID == pro
}

// labLayout gathers what a block must hold. A need is numbered as it comes; once all are known, the block is laid out
// and the needs have their cells.
type labLayout struct {
	lab  *device.Lab
	gate labGate
	// copies are the hardware's counters that are copied, by number of the need; sums those that are added up.
	needs []labNeed
	// copied, summed and read find a need that is there already.
	copied map[int32]int
	summed map[string]int
	read   map[labReadingAt]int
	cells  []int

	plus, minus []int32
	key         []byte
}

// labNeed is a cell to come: a copy of one counter, a sum, a reading, or, without any, 0.
type labNeed struct {
	terms   []int32
	reading labReadingAt
}

func newLabLayout(lab *device.Lab, gate labGate) *labLayout {
	return &labLayout{
		lab: lab, gate: gate, copied: map[int32]int{}, summed: map[string]int{}, read: map[labReadingAt]int{},
		needs: []labNeed{{}}, // 0
	}
}

// need is the number of the need that a counter of an instance has.
func (l *labLayout) need(instance *labInstance, bind *labBinding) int {
	if bind.reading != noReading {
		return entry(l, l.read, labReadingAt{bind.reading, instance.places[0].port}, nil)
	}
	l.plus = instance.cells(l.lab, bind.plus, l.plus[:0])
	l.minus = instance.cells(l.lab, bind.minus, l.minus[:0])
	switch {
	case len(l.plus) == 0:
		return 0
	case len(l.plus) == 1 && len(l.minus) == 0:
		return entry(l, l.copied, l.plus[0], l.plus)
	}
	for _, cell := range l.minus {
		l.plus = append(l.plus, ^cell)
	}
	l.key = l.key[:0]
	for _, term := range l.plus {
		l.key = binary.LittleEndian.AppendUint32(l.key, uint32(term))
	}
	return entry(l, l.summed, string(l.key), l.plus)
}

// entry is the need with a key, made when it is not there yet.
func entry[K comparable](l *labLayout, among map[K]int, key K, terms []int32) int {
	if at, ok := among[key]; ok {
		return at
	}
	need := labNeed{terms: slices.Clone(terms)}
	if reading, ok := any(key).(labReadingAt); ok {
		need.reading = reading
	}
	l.needs = append(l.needs, need)
	among[key] = len(l.needs) - 1
	return among[key]
}

// block lays the needs out from a cell on.
func (l *labLayout) block(first int) labBlock {
	b := labBlock{gate: l.gate, first: first, end: first, starts: []int32{0}}
	l.cells = make([]int, len(l.needs))
	place := func(need int) {
		l.cells[need] = b.end
		b.end++
	}
	counters := make([]int32, 0, len(l.copied))
	for counter := range l.copied {
		counters = append(counters, counter)
	}
	slices.Sort(counters)
	for _, counter := range counters {
		if n := len(b.runs); n > 0 && b.runs[n-1].counter+b.runs[n-1].length == counter {
			b.runs[n-1].length++
		} else {
			b.runs = append(b.runs, labRun{counter, 1})
		}
		place(l.copied[counter])
	}
	place(0)
	for need := range l.needs {
		if terms := l.needs[need].terms; len(terms) > 1 {
			b.terms = append(b.terms, terms...)
			b.starts = append(b.starts, int32(len(b.terms)))
			place(need)
		}
	}
	for need := range l.needs {
		if l.needs[need].reading.reading != noReading {
			b.readings = append(b.readings, l.needs[need].reading)
			place(need)
		}
	}
	return b
}

// cell is the cell of a need; the block must have been laid out.
func (l *labLayout) cell(need int) int { return l.cells[need] }
