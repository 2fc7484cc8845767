package lab

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device"
	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf"
)

// scope says what a set has an instance for.
type scope uint8

const (
	perPort scope = iota
	perInterface
	perPriority
	perReceiveRing
	perSendRing
	perProcessor
	perCard
	perFunction
	perFunctions // all virtual functions of a port as one
	perHost      // for each processor of the host, whatever the port
	perVirtual   // for each virtual miniport
)

// counterSet binds a set of the catalogue to the counters that the lab's hardware keeps. A counter of the set that is not
// bound has no cause in the lab and stays 0. A rate that the catalogue derives from a cumulative counter takes its
// cell.
type counterSet struct {
	name  string
	scope scope
	// suffix goes between the port and the number in the name of an instance: "RqNum_".
	suffix string
	// has says whether a port is in the set; a card is when one of its ports is.
	has func(a *description.Adapter, port *description.Port) bool
	// total is the name of an instance that adds up the others, sum says what it contains; empty for a set without.
	total, sum string
	bind       []binding
	// virtual is what the set calls a virtual miniport, unless something else is called so.
	virtual func(*driver.VirtualMiniport) string
}

// binding makes a counter out of hardware counters: the sum of those in plus, less that of those in minus.
type binding struct {
	counter     string
	plus, minus []term
	// reading is set for what no counter holds.
	reading reading
	// scale times the cell is the value; 0 counts as 1.
	scale float64
	// own is set when kind and unit are these, and not those of the catalogue.
	own  bool
	kind perf.Kind
	unit perf.Unit
}

// term is one of the hardware's counters, whatever it belongs to.
type term struct {
	of      owner
	counter int
}

// owner is what a hardware counter belongs to.
type owner uint8

const (
	ofPort owner = iota
	ofPriority
	ofReceiveRing
	ofSendRing
	ofProcessor
	ofCard
	ofFunction
	ofHost
	ofVirtual // counted from the first of a virtual miniport
)

// receiveKind is a kind of received packets that a processor counts; see package rss.
type receiveKind int

// countable are the enumerations of the hardware's counters.
type countable interface {
	device.Counter | device.PriorityCounter | device.ReceiveRingCounter | device.SendRingCounter |
		device.CardCounter | device.FunctionCounter | device.ProcessorCounter | device.VirtualCounter | receiveKind
}

func termsOf[C countable](counters []C) (terms []term) {
	for _, c := range counters {
		of := ofPort
		switch any(c).(type) {
		case device.PriorityCounter:
			of = ofPriority
		case device.ReceiveRingCounter:
			of = ofReceiveRing
		case device.SendRingCounter:
			of = ofSendRing
		case device.CardCounter:
			of = ofCard
		case device.FunctionCounter:
			of = ofFunction
		case device.ProcessorCounter:
			of = ofHost
		case device.VirtualCounter:
			of = ofVirtual
		case receiveKind:
			of = ofProcessor
		}
		terms = append(terms, term{of, int(c)})
	}
	return terms
}

// sumOf binds a counter to the sum of hardware counters.
func sumOf[C countable](counter string, plus ...C) binding {
	return binding{counter: counter, plus: termsOf(plus)}
}

// less takes others off the sum, which are parts of it.
func less[C countable](b binding, minus ...C) binding {
	b.minus = termsOf(minus)
	return b
}

// times shows the sum in another unit.
func (b binding) times(scale float64) binding {
	b.scale = scale
	return b
}

// asRate makes it a rate in a unit of its own.
func (b binding) asRate(unit perf.Unit) binding {
	b.own, b.kind, b.unit = true, perf.Rate, unit
	return b
}

// reading is a number of the lab that is no counter.
type reading uint8

const (
	noReading       reading = iota
	lineRate                // of a port with a link, bits a second
	additiveRate            // of congestion control, Mbit/s
	alphaGain               // of congestion control, 1/1024
	alphaWindow             // of congestion control, microseconds
	coalescedLength         // mean of what receive coalescing made, bytes
	queuePages              // of memory that the rings and connections of a port have, 4 KB each
	virtualRate             // of the links that carry a virtual miniport, bits a second
)

// read gives a number of a port. A reading is a cell like any other: it does not depend on the column before.
func (r reading) read(lab *device.Lab, port int) int64 {
	switch r {
	case lineRate:
		if s := lab.State(port); s.Up {
			return int64(s.Rate)
		}
	case additiveRate:
		return int64(lab.Settings(port).Congestion[dcqcn.AdditiveRate])
	case alphaGain:
		return int64(lab.Settings(port).Congestion[dcqcn.AlphaGain])
	case alphaWindow:
		return int64(lab.Settings(port).Congestion[dcqcn.AlphaWindow])
	case coalescedLength:
		counters := lab.Counters()
		if n := counters[device.Cell(port, device.CoalescedEvents)]; n > 0 {
			return int64(counters[device.Cell(port, device.CoalescedBytes)] / n)
		}
	case queuePages:
		pairs := lab.Counters()[device.Cell(port, device.RDMAActive)]
		buffers := lab.Settings(port).ReceiveBuffers*lab.Rings(port) + lab.Settings(port).TransmitBuffers*lab.Rings(port)
		return int64(buffers/descriptorsOfPage+lab.Rings(port)*2*pagesOfCompletionQueue) +
			int64(pairs*(pagesOfQueuePair+pagesOfCompletionQueue))
	case noReading, virtualRate: // the second is known with the place of the miniport
	}
	return 0
}

// filledSets are the sets that the lab fills, in the order in which they are shown.
func filledSets() []counterSet {
	return slices.Concat(
		[]counterSet{summary()}, winOFSets(), winOF2Sets(), functionSets(), windowsSets(), workSets(), innerSets(),
	)
}

func isWinOF(a *description.Adapter, _ *description.Port) bool { return a.Family == description.WinOF }
func isWinOF2(a *description.Adapter, _ *description.Port) bool {
	return a.Family == description.WinOF2
}
func isAny(*description.Adapter, *description.Port) bool { return true }

func isWinOFEthernet(a *description.Adapter, p *description.Port) bool {
	return a.Family == description.WinOF && p.Link == description.Ethernet
}

func isWinOF2Ethernet(a *description.Adapter, p *description.Port) bool {
	return a.Family == description.WinOF2 && p.Link == description.Ethernet
}

func isWinOFInfiniBand(a *description.Adapter, p *description.Port) bool {
	return a.Family == description.WinOF && p.Link == description.InfiniBand
}

func isWinOF2InfiniBand(a *description.Adapter, p *description.Port) bool {
	return a.Family == description.WinOF2 && p.Link == description.InfiniBand
}

// hasRDMA leaves out IPoIB, where the set does not work.
func hasRDMA(_ *description.Adapter, p *description.Port) bool {
	return p.Link == description.Ethernet && p.RoCE != description.NoRoCE
}

// kilobyte is how many bytes a KBytes counter takes for one; the manuals leave it open.
const kilobyte = 1000

// boundCounter is a counter of a set with what fills it, and a series that lacks only its instance.
type boundCounter struct {
	bind   binding
	series perf.Series
	// limit is what the catalogue says of the adapters that have it.
	limit string
}

// describedCounters are the counters of a set, which the catalogue has.
func describedCounters(set *counterSet) ([]boundCounter, error) {
	described, ok := perf.Catalogue().Set(set.name)
	if !ok {
		return nil, fmt.Errorf("there is no set %s", set.name)
	}
	return boundCounters(set, described)
}

// boundCounters are the counters of a set: all that the catalogue has, and the console's own after them.
func boundCounters(set *counterSet, described *perf.CounterSet) ([]boundCounter, error) {
	list, used := make([]boundCounter, 0, len(described.Counters)+len(set.bind)), make([]bool, len(set.bind))
	for _, c := range described.Counters {
		one := boundCounter{limit: c.SupportedOn}
		if at := set.bound(c.Name); at >= 0 {
			one.bind, used[at] = set.bind[at], true
		} else if at := set.bound(c.DerivedFrom); at >= 0 {
			one.bind = set.bind[at]
		}
		one.series = perf.Series{
			Set: set.name, Counter: c.Name, Kind: c.Kind, Unit: c.Unit, Width: c.Width, Scale: one.bind.scale,
		}
		if strings.HasPrefix(c.Name, "KBytes ") {
			one.series.Scale = 1.0 / kilobyte
		}
		if one.bind.own {
			one.series.Kind, one.series.Unit = one.bind.kind, one.bind.unit
		}
		list = append(list, one)
	}
	for i := range set.bind {
		bind := &set.bind[i]
		if used[i] {
			continue
		}
		if !bind.own {
			return nil, fmt.Errorf("the set %s has no counter %s", set.name, bind.counter)
		}
		list = append(list, boundCounter{bind: *bind, series: perf.Series{
			Set: set.name, Counter: bind.counter, Kind: bind.kind, Unit: bind.unit,
		}})
	}
	return list, nil
}

// bound is the place of what fills a counter, which is spelt as in the catalogue; -1 for nothing.
func (s *counterSet) bound(counter string) int {
	for i := range s.bind {
		if s.bind[i].counter == counter {
			return i
		}
	}
	return -1
}
