package lab

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/driver"
	"cxdeck/perf"
)

// Builder makes the series of a lab and the blocks that fill their cells. Grow adds series and cells for new objects; existing
// ones do not change. Series with the same binding and objects share a cell.
type Builder struct {
	lab    *device.Lab
	series []perf.Series
	blocks []block
	cells  int
	names  *instanceNames
	// known has the gates with a block.
	known map[gate]bool
	// taken has the names of instances with series, by set.
	taken map[[2]string]bool
	// rings and functions are the number of each port's rings and virtual functions with series; spread reports series for
	// counting by processor.
	rings, functions []int
	spread           []bool
	// virtuals are the virtual miniports with series.
	virtuals virtualNames
}

// NewBuilder makes a builder without series; Grow adds them.
func NewBuilder(lab *device.Lab) *Builder {
	return &Builder{
		lab: lab, names: newInstanceNames(lab), known: map[gate]bool{}, taken: map[[2]string]bool{},
		rings: make([]int, lab.Ports()), functions: make([]int, lab.Ports()), spread: make([]bool, lab.Ports()),
	}
}

// lacksSeries reports whether an object of the lab has no series. virtuals are the virtual miniports of its host.
func (b *Builder) lacksSeries(virtuals []driver.VirtualMiniport) bool {
	return b.hardwareLacksSeries() || b.virtuals.lacksSeries(virtuals) || b.virtualPortsLackSeries()
}

// hardwareLacksSeries is lacksSeries without virtual miniports and virtual ports.
func (b *Builder) hardwareLacksSeries() bool {
	for port := range b.rings {
		if b.lab.Rings(port) > b.rings[port] || b.lab.VirtualFunctions(port) > b.functions[port] ||
			!b.spread[port] && (gate{kind: spreadGate, port: port}).open(b.lab, nil) {
			return true
		}
	}
	return len(b.blocks) == 0
}

// functionsOf returns the number of virtual functions of a port with series: the maximum of the number in its description and
// the highest number that was ever open.
func (b *Builder) functionsOf(port int) int {
	d, _, _ := b.lab.Port(port)
	return max(d.VirtualFunctions, b.functions[port], b.lab.VirtualFunctions(port))
}

// Series returns all series so far; the caller must not change them.
func (b *Builder) Series() []perf.Series { return b.series }

// Cells returns the length of a column.
func (b *Builder) Cells() int { return b.cells }

// gateOf returns the condition under which the series of a cell exist.
func (b *Builder) gateOf(cell int) gate {
	at, _ := slices.BinarySearchFunc(b.blocks, cell, func(block block, cell int) int { return block.end - cell - 1 })
	return b.blocks[at].gate
}

// Grow adds the series of new objects. Virtual miniports are added one at a time while the operator watches, so they do not
// cause a check of all hardware.
func (b *Builder) Grow(virtuals []driver.VirtualMiniport) error {
	hardware := b.hardwareLacksSeries()
	var parts []setPart
	if hardware {
		come, err := b.parts()
		if err != nil {
			return err
		}
		parts = come
	}
	for _, more := range []func() ([]setPart, error){
		func() ([]setPart, error) { return b.virtualParts(virtuals) }, b.virtualPortParts,
	} {
		come, err := more()
		if err != nil {
			return err
		}
		parts = append(parts, come...)
	}
	b.add(parts)
	if hardware {
		for port := range b.rings {
			b.rings[port] = max(b.rings[port], b.lab.Rings(port))
			b.functions[port] = b.functionsOf(port)
			b.spread[port] = b.known[gate{kind: spreadGate, port: port}]
		}
	}
	return nil
}

// count returns the number of series in parts for each gate, and in all.
func (b *Builder) count(parts []setPart) (gates map[gate]int, all int) {
	gates = map[gate]int{}
	for i := range parts {
		part := &parts[i]
		limited := slices.ContainsFunc(part.counters, func(c boundCounter) bool { return c.limit != "" })
		for j := range part.instances {
			instance, n := &part.instances[j], len(part.counters)
			if limited {
				n = 0
				for k := range part.counters {
					if b.hasCounter(instance, &part.counters[k]) {
						n++
					}
				}
			}
			gates[instance.gate] += n
			all += n
		}
	}
	return gates, all
}

// add adds the series of parts, and the blocks that fill their cells.
func (b *Builder) add(parts []setPart) {
	gates, count := b.count(parts)
	layouts, order := make(map[gate]*blockLayout, len(gates)), make([]*blockLayout, 0, len(gates))
	// copied has an entry for each hardware counter; the counters of a virtual miniport or port have separate indexes, from 0.
	var copied []int32
	at, runs := len(b.series), []seriesRun(nil)
	if b.series == nil {
		b.series = make([]perf.Series, 0, count) // with the exact capacity, because it is kept permanently
	}
	b.series = slices.Grow(b.series, count)
	for _, part := range parts {
		for i := range part.instances {
			instance := &part.instances[i]
			b.names.note(part.set, instance)
			layout := layouts[instance.gate]
			if layout == nil {
				own := copied
				switch {
				case instance.gate.kind == virtualGate:
					own = make([]int32, virtualCounters(b.lab))
				case instance.gate.kind == virtualPortGate:
					own = make([]int32, counter.ReceiveKinds)
				case copied == nil:
					copied = make([]int32, len(b.lab.Counters()))
					own = copied
				}
				layout = newBlockLayout(b.lab, instance.gate, own, gates[instance.gate])
				layouts[instance.gate] = layout
				order = append(order, layout)
			}
			for j := range part.counters {
				c := &part.counters[j]
				if !b.hasCounter(instance, c) {
					continue
				}
				s := c.series
				s.Instance, s.Line, s.Sum = instance.name, instance.line, instance.sum
				s.Cell = layout.need(instance, &c.bind)
				b.series = append(b.series, s)
			}
			runs = append(runs, seriesRun{layout, len(b.series)})
		}
	}
	for _, layout := range order {
		b.blocks = append(b.blocks, layout.block(b.cells))
		b.cells = b.blocks[len(b.blocks)-1].end
		b.known[layout.gate] = true
	}
	for _, run := range runs {
		for ; at < run.end; at++ {
			b.series[at].Cell = run.layout.cell(b.series[at].Cell)
		}
	}
}

// seriesRun is a run of series with the same layout, up to the series before end.
type seriesRun struct {
	layout *blockLayout
	end    int
}

// setPart is the new instances of a set.
type setPart struct {
	set       *counterSet
	counters  []boundCounter
	instances []instance
}

// parts returns the new instances of all sets.
func (b *Builder) parts() (parts []setPart, err error) {
	sets := filledSets()
	parts = make([]setPart, len(sets))
	var problem error
	var describing sync.WaitGroup
	describing.Go(func() {
		for i := range sets {
			var err error
			parts[i].counters, err = describedCounters(&sets[i])
			problem = errors.Join(problem, err)
		}
	})
	for i := range sets {
		set := &sets[i]
		parts[i].set, parts[i].instances = set, slices.DeleteFunc(b.instances(set), func(i instance) bool { return b.known[i.gate] })
		for _, instance := range parts[i].instances {
			name := [2]string{set.name, perf.FoldPath(instance.name)}
			if b.taken[name] {
				err = fmt.Errorf("two instances of %s are named %s", set.name, instance.name)
			}
			b.taken[name] = true
		}
	}
	describing.Wait()
	return parts, errors.Join(problem, err)
}

// hasCounter reports whether an adapter has a counter: some exist only on ConnectX-3 Pro (B3).
func (b *Builder) hasCounter(instance *instance, c *boundCounter) bool {
	const pro = 0x1007
	return c.limit != "ConnectX-3 Pro only" || b.lab.Description().Adapters[instance.places[0].adapter].DeviceID == pro
}
