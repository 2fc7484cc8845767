package lab

import (
	"encoding/binary"
	"math"

	"cxdeck/device"
)

// blockLayout collects the cells that a block needs. Needs are numbered in order; once all are known, block assigns their
// cells.
type blockLayout struct {
	lab   *device.Lab
	gate  gate
	needs []cellNeed
	// terms are the terms of all needs; readings are the readings of needs.
	terms    []int32
	readings []portReading
	// copied, summed and read find an existing need. copied is by counter, 0 for none; the layouts share it, because a counter has
	// the same gate in all sets.
	copied []int32
	// lowest and highest are the first and the last copied counter.
	lowest, highest int32
	summed          map[string]int32
	read            map[portReading]int32
	// cells are the cells of the needs, set by block.
	cells []int32

	minus []int32
	key   []byte
}

// cellNeed is a needed cell: a copy of one counter (its only term), a sum of several, a reading, or otherwise 0. A term below 0
// subtracts the counter ^term.
type cellNeed struct {
	first, last int32
	// reading is the number of its reading plus one.
	reading int32
}

// newBlockLayout makes a layout for a number of series, most of which need a cell each.
func newBlockLayout(lab *device.Lab, gate gate, copied []int32, series int) *blockLayout {
	return &blockLayout{
		lab: lab, gate: gate, copied: copied, summed: map[string]int32{}, read: map[portReading]int32{},
		needs:  make([]cellNeed, 1, series+1), // need 0 is the cell with 0
		terms:  make([]int32, 0, series+1),
		lowest: math.MaxInt32, highest: -1,
	}
}

// need returns the number of the need for a counter of an instance.
func (l *blockLayout) need(instance *instance, bind *binding) int {
	if bind.reading != noReading {
		return l.needReading(portReading{bind.reading, instance.places[0].port})
	}
	first := len(l.terms)
	l.terms = instance.cells(l.lab, bind.plus, l.terms)
	plus := len(l.terms) - first
	for _, cell := range instance.cells(l.lab, bind.minus, l.minus[:0]) {
		l.terms = append(l.terms, ^cell)
	}
	switch terms := l.terms[first:]; {
	case plus == 0:
		l.terms = l.terms[:first]
		return 0
	case len(terms) == 1:
		copied := &l.copied[terms[0]]
		if *copied == 0 {
			*copied = l.add(first)
			l.lowest, l.highest = min(l.lowest, terms[0]), max(l.highest, terms[0])
		} else {
			l.terms = l.terms[:first]
		}
		return int(*copied)
	default:
		l.key = l.key[:0]
		for _, term := range terms {
			l.key = binary.LittleEndian.AppendUint32(l.key, uint32(term))
		}
		need, known := l.summed[string(l.key)]
		if !known {
			need = l.add(first)
			l.summed[string(l.key)] = need
		} else {
			l.terms = l.terms[:first]
		}
		return int(need)
	}
}

func (l *blockLayout) needReading(reading portReading) int {
	need, known := l.read[reading]
	if !known {
		l.readings = append(l.readings, reading)
		need = l.add(len(l.terms))
		l.needs[need].reading = int32(len(l.readings))
		l.read[reading] = need
	}
	return int(need)
}

// add adds a need of the terms from first on.
func (l *blockLayout) add(first int) int32 {
	l.needs = append(l.needs, cellNeed{first: int32(first), last: int32(len(l.terms))})
	return int32(len(l.needs) - 1)
}

// block assigns cells to the needs, from cell first on, and returns the block that fills them.
func (l *blockLayout) block(first int) block {
	b := block{gate: l.gate, first: first, end: first, starts: []int32{0}}
	l.cells = make([]int32, len(l.needs))
	place := func(need int32) {
		l.cells[need] = int32(b.end)
		b.end++
	}
	var sums, reads []int32
	for i, need := range l.needs {
		switch {
		case need.reading > 0:
			reads = append(reads, int32(i))
		case need.last-need.first > 1:
			sums = append(sums, int32(i))
		}
	}
	for counter := l.lowest; counter <= l.highest; counter++ {
		need := l.copied[counter]
		if need == 0 || !l.copies(need, counter) {
			continue
		}
		if n := len(b.runs); n > 0 && b.runs[n-1].counter+b.runs[n-1].length == counter {
			b.runs[n-1].length++
		} else {
			b.runs = append(b.runs, cellRun{counter, 1})
		}
		place(need)
	}
	place(0)
	for _, need := range sums {
		b.terms = append(b.terms, l.terms[l.needs[need].first:l.needs[need].last]...)
		b.starts = append(b.starts, int32(len(b.terms)))
		place(need)
	}
	for _, need := range reads {
		b.readings = append(b.readings, l.readings[l.needs[need].reading-1])
		place(need)
	}
	return b
}

// copies reports whether a need of this layout, or of another one, is a copy of a counter in this layout.
func (l *blockLayout) copies(need, counter int32) bool {
	if int(need) >= len(l.needs) {
		return false
	}
	n := l.needs[need]
	return n.last-n.first == 1 && l.terms[n.first] == counter
}

// cell returns the cell of a need; call it after block.
func (l *blockLayout) cell(need int) int { return int(l.cells[need]) }
