package lab

import (
	"cxdeck/device"
	"cxdeck/perf"
)

// gate is the condition under which a counter of the hardware exists; the zero value is always true.
type gate struct {
	kind     gateKind
	port, at int
}

type gateKind uint8

const (
	openGate        gateKind = iota
	ringGate                 // as long as the port has so many rings
	spreadGate               // as long as the port counts by processor and kind (R4), and not by virtual port (R6)
	functionGate             // as long as the port has so many virtual functions open
	virtualGate              // as long as the virtual miniport of the number is there
	virtualPortGate          // as long as the processor serves the virtual port
)

func (g gate) open(lab *device.Lab, virtuals []virtualPlace) bool {
	switch g.kind {
	case ringGate:
		return g.at < lab.Rings(g.port)
	case spreadGate:
		return lab.Settings(g.port).CountRSS && !lab.HasVirtualPorts(g.port)
	case functionGate:
		return g.at < lab.VirtualFunctions(g.port)
	case virtualGate:
		return g.at < len(virtuals) && virtuals[g.at].there
	case virtualPortGate:
		return g.virtualCount(lab) != nil
	case openGate:
	}
	return true
}

// block makes a period of a column's cells out of the hardware's counters, for series that come and go
// together. Most cells are copies, in runs of counters that are neighbours; they are followed by one cell that is 0, by
// sums, and by readings.
type block struct {
	gate gate
	// first and end are the cells of the block.
	first, end int
	runs       []cellRun
	// sum i is made of the terms from starts[i] to starts[i+1], of which a term below 0 is the counter ^term, taken
	// off.
	starts   []int32
	terms    []int32
	readings []portReading
}

// cellRun copies length counters.
type cellRun struct{ counter, length int32 }

type portReading struct {
	reading reading
	port    int
}

// run fills the cells of a block. virtuals are the virtual miniports by their numbers: the counters of such a block are
// counted from the first one of the place where its miniport is now, as for a virtual port.
func (b *block) run(lab *device.Lab, counters []uint64, virtuals []virtualPlace, cells []int64) {
	cells = cells[b.first:b.end]
	if !b.gate.open(lab, virtuals) {
		for i := range cells {
			cells[i] = perf.Missing
		}
		return
	}
	var virtual virtualPlace
	switch b.gate.kind {
	case virtualGate:
		virtual = virtuals[b.gate.at]
		counters = virtual.counters(lab, counters)
	case virtualPortGate:
		counters = b.gate.virtualCount(lab).Kinds[:]
	case openGate, ringGate, spreadGate, functionGate:
	}
	at := 0
	for _, run := range b.runs {
		from := counters[run.counter : run.counter+run.length]
		into := cells[at : at+len(from)]
		for i, n := range from {
			into[i] = int64(n)
		}
		at += len(from)
	}
	cells[at] = 0
	at++
	for i := range len(b.starts) - 1 {
		var sum uint64
		for _, term := range b.terms[b.starts[i]:b.starts[i+1]] {
			if term >= 0 {
				sum += counters[term]
			} else {
				sum -= counters[^term]
			}
		}
		cells[at] = int64(sum)
		at++
	}
	for _, r := range b.readings {
		if r.reading == virtualRate {
			cells[at] = virtual.rate
		} else {
			cells[at] = r.reading.read(lab, r.port)
		}
		at++
	}
}
