package lab

import (
	"cxdeck/device"
	"cxdeck/perf"
)

// gate is the condition under which a hardware counter exists; the zero value is always open.
type gate struct {
	kind     gateKind
	port, at int
}

type gateKind uint8

const (
	openGate        gateKind = iota
	ringGate                 // the port has more than at rings
	spreadGate               // the port counts by processor and kind (R4), and not by virtual port (R6)
	functionGate             // the port has more than at virtual functions open
	virtualGate              // the virtual miniport with number at exists
	virtualPortGate          // the processor serves the virtual port
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
		return g.at < len(virtuals) && virtuals[g.at].exists
	case virtualPortGate:
		return g.virtualCount(lab) != nil
	case openGate:
	}
	return true
}

// block fills a range of a column's cells from hardware counters, for series with the same gate. Most cells are copies, in runs
// of adjacent counters; they are followed by one cell that is 0, by sums, and by readings.
type block struct {
	gate gate
	// The block fills the cells [first, end).
	first, end int
	runs       []cellRun
	// Sum i has the terms [starts[i], starts[i+1]). A term below 0 subtracts the counter ^term.
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

// run fills the cells of a block. virtuals are the places of virtual miniports by number: the terms of a virtual block are
// relative to the first counter of its miniport's current place, or of its virtual port.
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
