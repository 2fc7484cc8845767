package perf

import (
	"fmt"
	"strings"

	"cxdeck/device"
)

// labProgram makes cells out of the hardware's counters: cell i is the sum of the terms from starts[i] to starts[i+1],
// of which a term below 0 is the counter ^term, taken off. The cells after these are the line rates of ports.
type labProgram struct {
	starts []int32
	terms  []int32
	rates  []int
}

func (p *labProgram) cells() int { return len(p.starts) - 1 + len(p.rates) }

// run fills the cells of a column.
func (p *labProgram) run(lab *device.Lab, cells []int64) {
	counters := lab.Counters()
	sums := len(p.starts) - 1
	for i := range sums {
		var sum uint64
		for _, term := range p.terms[p.starts[i]:p.starts[i+1]] {
			if term >= 0 {
				sum += counters[term]
			} else {
				sum -= counters[^term]
			}
		}
		cells[i] = int64(sum)
	}
	for i, port := range p.rates {
		cells[sums+i] = 0
		if s := lab.State(port); s.Up {
			cells[sums+i] = int64(s.Rate)
		}
	}
}

// labBuilder makes the series of a lab and the program that fills their cells. Series that are made of the same
// counters share a cell.
type labBuilder struct {
	lab     *device.Lab
	program labProgram
	series  []Series
	shared  map[string]int
	// rated are the series that show a line rate, with the port of each; their cells follow the sums.
	rated map[int]int
}

func newLabBuilder(lab *device.Lab) *labBuilder {
	return &labBuilder{
		lab: lab, program: labProgram{starts: []int32{0}}, shared: map[string]int{}, rated: map[int]int{},
	}
}

func (b *labBuilder) build() error {
	for _, set := range labSets() {
		if err := b.set(&set); err != nil {
			return err
		}
	}
	sums := len(b.program.starts) - 1
	for i := range b.series {
		if port, ok := b.rated[i]; ok {
			b.series[i].Cell = sums + len(b.program.rates)
			b.program.rates = append(b.program.rates, port)
		}
	}
	return nil
}

// labInstance is an instance of a set: its name, and for each port in it the place of its counters.
type labInstance struct {
	name  string
	bases []int
	port  int // -1 for a total
	line  uint64
	sum   string
}

func (b *labBuilder) instances(set *labSet) (list []labInstance) {
	total := labInstance{name: "_Total", port: -1, sum: set.sum}
	for port := range b.lab.Ports() {
		d, a, _ := b.lab.Port(port)
		if !set.has(b.lab.Description().Adapters[a].Family, d) {
			continue
		}
		one := labInstance{name: d.Connection, port: port, line: uint64(d.SpeedGbps) * 1e9}
		base := device.Cell(port, 0)
		switch set.scope {
		case perPriority:
			for priority := range device.Priorities {
				one.name = d.Connection + " " + priorityName(priority)
				one.bases = []int{device.PriorityCell(port, priority, 0)}
				list = append(list, one)
			}
			continue
		case perInterface:
			one.name = d.Device
		case perPort:
		}
		one.bases = []int{base}
		total.bases = append(total.bases, base)
		list = append(list, one)
	}
	if set.sum != "" && len(list) > 0 {
		list = append(list, total)
	}
	return list
}

// priorityName is how an instance names a priority.
func priorityName(priority int) string {
	if priority == device.Untagged {
		return "Untagged"
	}
	return fmt.Sprintf("Priority %d", priority)
}

func (b *labBuilder) set(set *labSet) error {
	counters, err := labCounters(set)
	if err != nil {
		return err
	}
	for _, instance := range b.instances(set) {
		for _, c := range counters {
			if c.bind.bandwidth {
				b.rated[len(b.series)] = instance.port
			}
			c.series.Set, c.series.Instance = set.name, instance.name
			c.series.Line, c.series.Sum = instance.line, instance.sum
			c.series.Cell = b.cell(&c.bind, instance.bases)
			b.series = append(b.series, c.series)
		}
	}
	return nil
}

// cell is the place of a sum, made when it is not there yet.
func (b *labBuilder) cell(bind *labBinding, bases []int) int {
	var terms []int32
	for _, base := range bases {
		for _, c := range bind.plus {
			terms = append(terms, int32(base+c))
		}
		for _, c := range bind.minus {
			terms = append(terms, ^int32(base+c))
		}
	}
	key := fmt.Sprint(terms)
	if at, ok := b.shared[key]; ok {
		return at
	}
	b.program.terms = append(b.program.terms, terms...)
	b.program.starts = append(b.program.starts, int32(len(b.program.terms)))
	b.shared[key] = len(b.program.starts) - 2
	return b.shared[key]
}

// labCounter is a counter of a set with what fills it, and a series that lacks only its instance.
type labCounter struct {
	bind   labBinding
	series Series
}

// labCounters are the counters of a set: all that the catalogue has, and the console's own after them.
func labCounters(set *labSet) (list []labCounter, err error) {
	bound := map[string]labBinding{}
	for _, bind := range set.bind {
		bound[strings.ToLower(bind.counter)] = bind
	}
	described, _ := Catalogue().Set(set.name)
	if described != nil {
		for _, c := range described.Counters {
			bind, ok := bound[strings.ToLower(c.Name)]
			delete(bound, strings.ToLower(c.Name))
			if !ok && c.DerivedFrom != "" {
				bind = bindingOf(set, c.DerivedFrom)
			}
			list = append(list, labCounter{bind, Series{
				Counter: c.Name, Kind: c.Kind, Unit: c.Unit, Width: c.Width, Scale: scaleOf(c),
			}})
		}
	}
	for _, bind := range set.bind {
		if _, left := bound[strings.ToLower(bind.counter)]; !left {
			continue
		}
		if bind.unit == NoUnit {
			return nil, fmt.Errorf("the set %s has no counter %s", set.name, bind.counter)
		}
		list = append(list, labCounter{bind, Series{Counter: bind.counter, Kind: bind.extra, Unit: bind.unit}})
	}
	return list, nil
}

func bindingOf(set *labSet, counter string) labBinding {
	for _, bind := range set.bind {
		if strings.EqualFold(bind.counter, counter) {
			return bind
		}
	}
	return labBinding{}
}
