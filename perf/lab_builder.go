package perf

import (
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

// gateOf says with what the series of a cell come and go.
func (b *labBuilder) gateOf(cell int) labGate {
	at, _ := slices.BinarySearchFunc(b.blocks, cell, func(block labBlock, cell int) int { return block.end - cell - 1 })
	return b.blocks[at].gate
}

// grow adds what has come.
func (b *labBuilder) grow() error {
	layouts, order := map[labGate]*labLayout{}, []*labLayout(nil)
	copied := make([]labCopied, len(b.lab.Counters()))
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
				layout = newLabLayout(b.lab, instance.gate, copied)
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
