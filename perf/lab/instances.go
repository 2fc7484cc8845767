package lab

import (
	"fmt"
	"slices"
	"strconv"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
)

// instance is an instance of a set: its name, and the hardware that it covers.
type instance struct {
	name   string
	places []place
	line   uint64
	sum    string
	gate   gate
}

// place is one hardware object of an instance: a port, or a part of a port.
type place struct {
	port, adapter int
	// at is the priority, ring, processor or function, or ownCounters.
	at int
}

// ownCounters marks a place with separate counters, of which a term is the index.
const ownCounters = -1

// cell returns the index of a counter of the place in the lab's counters.
func (p place) cell(lab *device.Lab, t term) int {
	switch t.of {
	case ofPriority:
		return counter.PriorityCell(p.port, p.at, counter.Priority(t.counter))
	case ofReceiveRing:
		return lab.ReceiveRingCell(p.port, p.at, counter.ReceiveRing(t.counter))
	case ofSendRing:
		return lab.SendRingCell(p.port, p.at, counter.SendRing(t.counter))
	case ofProcessor:
		if p.at == ownCounters {
			return t.counter
		}
		return lab.KindCell(p.port, p.at, t.counter)
	case ofCard:
		return lab.CardCell(p.adapter, counter.Card(t.counter))
	case ofFunction:
		return lab.FunctionCell(p.port, p.at, counter.Function(t.counter))
	case ofHost:
		return lab.ProcessorCell(p.at, counter.Processor(t.counter))
	case ofVirtual:
		return t.counter
	case ofPort:
	}
	return counter.Cell(p.port, counter.Port(t.counter))
}

// instanceNames are the names of the instances of each port, its virtual functions apart, and of each card.
type instanceNames struct{ ports, functions, cards [][]string }

func newInstanceNames(lab *device.Lab) *instanceNames {
	return &instanceNames{
		ports: make([][]string, lab.Ports()), functions: make([][]string, lab.Ports()),
		cards: make([][]string, len(lab.Description().Adapters)),
	}
}

// note adds the name of an instance of a set, without duplicates.
func (n *instanceNames) note(set *counterSet, i *instance) {
	into := &n.ports[i.places[0].port]
	switch set.scope {
	case perCard:
		into = &n.cards[i.places[0].adapter]
	case perFunction, perFunctions:
		into = &n.functions[i.places[0].port]
	case perHost, perVirtual:
		return
	case perPort, perInterface, perPriority, perReceiveRing, perSendRing, perProcessor:
		if i.name == set.total {
			return
		}
	}
	if !slices.Contains(*into, i.name) {
		*into = append(*into, i.name)
	}
}

// cells appends the indexes of the counters in a sum of terms. Counters of a card are added once, however many of its ports are
// in the instance.
func (i *instance) cells(lab *device.Lab, terms []term, cells []int32) []int32 {
	for n, place := range i.places {
		for _, t := range terms {
			if t.of == ofCard && n > 0 && i.places[n-1].adapter == place.adapter {
				continue
			}
			cells = append(cells, int32(place.cell(lab, t)))
		}
	}
	return cells
}

// instances lists the current instances of a set.
func (b *Builder) instances(set *counterSet) (list []instance) {
	total := instance{name: set.total, sum: set.sum}
	description := b.lab.Description()
	if set.scope == perHost {
		for i := range b.lab.Processors() {
			list = append(list, instance{name: strconv.Itoa(i), places: []place{{at: i}}})
		}
		return list
	}
	for port := range b.lab.Ports() {
		d, a, _ := b.lab.Port(port)
		if !set.has(&description.Adapters[a], d) {
			continue
		}
		added := instance{
			name: d.Connection, line: uint64(d.SpeedGbps) * 1e9, places: []place{{port: port, adapter: a}},
		}
		switch set.scope {
		case perPort:
			total.places = append(total.places, added.places...)
			list = append(list, added)
		case perInterface:
			added.name = d.Device
			list = append(list, added)
		case perCard:
			if n := len(list); n > 0 && list[n-1].places[0].adapter == a {
				list[n-1].places = append(list[n-1].places, added.places...)
				continue
			}
			added.name, added.line = cardName(description, a), 0
			list = append(list, added)
		case perFunctions:
			if b.functionsOf(port) > 0 {
				added.name += " " + set.suffix
				added.gate = gate{kind: functionGate, port: port}
				list = append(list, added)
			}
		case perPriority, perReceiveRing, perSendRing, perProcessor, perFunction, perHost, perVirtual:
			list = b.appendNumbered(list, set, added)
		}
	}
	if set.scope == perPort && set.total != "" && len(list) > 0 {
		list = append(list, total)
	}
	return list
}

// appendNumbered appends an instance for each ring, priority, processor or function of a port, and their total if the set has
// one.
func (b *Builder) appendNumbered(list []instance, set *counterSet, added instance) []instance {
	port := added.places[0].port
	total := added
	total.name, total.sum, total.places = added.name+" "+set.total, set.sum, nil
	count, gate := b.numbers(set.scope, port)
	for at := range count {
		next := added
		next.name = added.name + " " + set.suffix + strconv.Itoa(at)
		if set.scope == perPriority {
			next.name = added.name + " " + priorityName(at)
		}
		next.places = []place{{port: port, adapter: added.places[0].adapter, at: at}}
		next.gate = gate(at)
		total.gate = next.gate
		total.places = append(total.places, next.places...)
		list = append(list, next)
	}
	if set.total != "" && count > 0 {
		list = append(list, total)
	}
	return list
}

// numbers returns how many objects of a scope a port has now, and the gate of each.
func (b *Builder) numbers(of scope, port int) (count int, gateAt func(at int) gate) {
	always := func(int) gate { return gate{} }
	switch of {
	case perPriority:
		return counter.Priorities, always
	case perReceiveRing, perSendRing:
		return b.lab.Rings(port), func(at int) gate { return gate{ringGate, port, at} }
	case perProcessor:
		if (gate{kind: spreadGate, port: port}).open(b.lab, nil) {
			return b.lab.Processors(), func(int) gate { return gate{kind: spreadGate, port: port} }
		}
	case perFunction:
		return b.functionsOf(port), func(at int) gate { return gate{functionGate, port, at} }
	case perPort, perInterface, perCard, perFunctions, perHost, perVirtual:
	}
	return 0, always
}

// cardName returns the instance name of a card: its name, with its address if several cards have the same name.
func cardName(d *description.Description, adapter int) string {
	name, alike := d.Adapters[adapter].Name, 0
	for i := range d.Adapters {
		if d.Adapters[i].Name == name {
			alike++
		}
	}
	if alike > 1 {
		return name + " " + d.Adapters[adapter].PCI.String()
	}
	return name
}

// priorityName returns the name of a priority in instances: "Priority 3".
func priorityName(priority int) string {
	if priority == counter.Untagged {
		return "Untagged"
	}
	return fmt.Sprintf("Priority %d", priority)
}
