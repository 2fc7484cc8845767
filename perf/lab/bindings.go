package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/dcqcn"
	"cxdeck/device/rss"
	"cxdeck/perf"
)

// binding computes a counter from hardware counters: the sum of plus, minus the sum of minus.
//
// In the catalogue it is a line of text: "ReceivedBytes + SentBytes" adds up two counters of the hardware, "A - B" subtracts
// one, "A * 4" converts it to another unit, "A as rate in packets" shows it as a rate in a unit other than the catalogue's.
// "kind" is the kind of received packets with the counter's name, "@lineRate" a reading. "A | B" are alternatives for the
// scopes of a set with several.
//
// Where the manuals give only a name, the lab makes these assumptions. The fast path of an engine is for RDMA, the slow path
// for the host's stack; contexts, translations (MTT) and protections (MPT) are looked up in a first cache and then in a second;
// a packet, a completion and an interrupt each take a fixed number of clocks. A buffer is posted for every received packet. A
// request of SMB Direct is a message of 128 bytes, and so is its response; a connection has four memory regions. A queue pair
// takes 4 pages of 4 KB, a completion or event queue 2, a memory region 256. InfiniBand counts data in words of four bytes, and
// a slot's speed is in tenths of GT/s.
type binding struct {
	plus, minus []term
	// reading is set for a counter that is computed instead of counted.
	reading reading
	// scale is the factor from the cell to the value; 0 means 1.
	scale float64
	// rateIn is set when the counter is a rate in this unit, regardless of the catalogue.
	rateIn perf.Unit
}

// term is a hardware counter, with the kind of object that it belongs to.
type term struct {
	of      owner
	counter int
}

// owner is the kind of part that a hardware counter belongs to.
type owner uint8

const (
	ofPort owner = iota
	ofPriority
	ofReceiveRing
	ofSendRing
	ofCard
	ofFunction
	ofHost
	ofVirtual   // an index among the counters of a virtual miniport
	ofProcessor // a kind of received packets; see package rss
)

// owners maps the hardware's classes of counters.
var owners = [...]owner{
	counter.PortCounters: ofPort, counter.PriorityCounters: ofPriority, counter.ReceiveRingCounters: ofReceiveRing,
	counter.SendRingCounters: ofSendRing, counter.CardCounters: ofCard, counter.FunctionCounters: ofFunction,
	counter.ProcessorCounters: ofHost, counter.VirtualCounters: ofVirtual,
}

// parseBinding reads the binding of a counter from its row in the catalogue.
func parseBinding(text, counter string, alternative int) (b binding, err error) {
	for ; alternative > 0; alternative-- {
		_, text, _ = strings.Cut(text, " | ")
	}
	text, _, _ = strings.Cut(text, " | ")
	text, unit, _ := strings.Cut(text, " as rate in ")
	b.rateIn = perf.Unit(unit)
	text, scale, scaled := strings.Cut(text, " * ")
	if scaled {
		if b.scale, err = strconv.ParseFloat(scale, 64); err != nil {
			return b, fmt.Errorf("%s: %w", counter, err)
		}
	}
	if name, ok := strings.CutPrefix(text, "@"); ok {
		if b.reading = reading(slices.Index(readingNames[:], name)); b.reading == 0 || int(b.reading) >= len(readingNames) {
			return b, fmt.Errorf("%s: there is no reading %s", counter, name)
		}
		return b, nil
	}
	terms := &b.plus
	for word := range strings.FieldsSeq(text) {
		switch word {
		case "+":
			terms = &b.plus
		case "-":
			terms = &b.minus
		default:
			term, err := findTerm(word, counter)
			if err != nil {
				return b, err
			}
			*terms = append(*terms, term)
		}
	}
	return b, nil
}

// findTerm finds a counter of the hardware by its name.
func findTerm(name, set string) (term, error) {
	if name == "kind" {
		for kind := range rss.Counters {
			if rss.Counter(kind).String() == set {
				return term{ofProcessor, kind}, nil
			}
		}
		return term{}, fmt.Errorf("invalid kind of received packets %s", set)
	}
	found, ok := counter.Find(name)
	if !ok {
		return term{}, fmt.Errorf("%s: the hardware has no counter %s", set, name)
	}
	return term{owners[found.Class], found.Counter}, nil
}

// reading is a number of the lab that is not a counter.
type reading uint8

const (
	noReading       reading = iota
	lineRate                // of a port with a link, bits per second
	additiveRate            // of congestion control, Mbit/s
	alphaGain               // of congestion control, 1/1024
	alphaWindow             // of congestion control, microseconds
	coalescedLength         // mean size of coalesced packets, bytes
	queuePages              // of memory that the rings and connections of a port have, 4 KB each
	virtualRate             // of the links that carry a virtual miniport, bits per second
)

var readingNames = [...]string{
	lineRate: "lineRate", additiveRate: "additiveRate", alphaGain: "alphaGain", alphaWindow: "alphaWindow",
	coalescedLength: "coalescedLength", queuePages: "queuePages", virtualRate: "virtualRate",
}

// The memory of queues in pages of 4 KB; an assumption, as the manuals don't give it.
const (
	pagesOfQueuePair       = 4
	pagesOfCompletionQueue = 2
	descriptorsOfPage      = 64
)

// read returns a number of a port. A reading is a cell like any other: it does not depend on the column before.
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
		if n := counters[counter.Cell(port, counter.CoalescedEvents)]; n > 0 {
			return int64(counters[counter.Cell(port, counter.CoalescedBytes)] / n)
		}
	case queuePages:
		pairs := lab.Counters()[counter.Cell(port, counter.RDMAActive)]
		buffers := lab.Settings(port).ReceiveBuffers*lab.Rings(port) + lab.Settings(port).TransmitBuffers*lab.Rings(port)
		return int64(buffers/descriptorsOfPage+lab.Rings(port)*2*pagesOfCompletionQueue) +
			int64(pairs*(pagesOfQueuePair+pagesOfCompletionQueue))
	case noReading, virtualRate: // block.run fills virtualRate from the miniport's place
	}
	return 0
}

// addedCounters are the console's own counters in sets of Windows; they follow the counters of the catalogue.
var addedCounters = []struct{ set, name, binding string }{
	{"Network Interface", "Packets Received Errors/sec", "ReceiveErrors as rate in packets"},
	{
		"Network Interface", "Packets Received Discarded/sec",
		"Discarded + NoDescriptor as rate in packets | VirtualReceivedDiscards as rate in packets",
	},
}

// kilobyte is the number of bytes in the unit of KBytes counters; an assumption, as the manuals don't give it.
const kilobyte = 1000

// boundCounter is a counter of a set with its binding, and a series without an instance.
type boundCounter struct {
	bind   binding
	series perf.Series
	// limit is the catalogue's SupportedOn.
	limit string
}

// describedCounters returns the counters of a set: all counters of the catalogue, and the console's own after them.
func describedCounters(set *counterSet) ([]boundCounter, error) {
	described, ok := perf.Catalogue().Set(set.name)
	if !ok {
		return nil, fmt.Errorf("there is no set %s", set.name)
	}
	list := make([]boundCounter, 0, len(described.Counters)+len(addedCounters))
	for _, c := range described.Counters {
		text := c.Lab
		if from, derived := described.Counter(c.DerivedFrom); derived && text == "" {
			text = from.Lab
		}
		series := perf.Series{Set: set.name, Counter: c.Name, Kind: c.Kind, Unit: c.Unit, Width: c.Width}
		bind, err := parseBinding(text, c.Name, set.alternative)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", set.name, err)
		}
		if series.Scale = bind.scale; strings.HasPrefix(c.Name, "KBytes ") {
			series.Scale = 1.0 / kilobyte
		}
		if bind.rateIn != "" {
			series.Kind, series.Unit = perf.Rate, bind.rateIn
		}
		list = append(list, boundCounter{bind, series, c.SupportedOn})
	}
	for _, c := range addedCounters {
		if c.set != set.name {
			continue
		}
		bind, err := parseBinding(c.binding, c.name, set.alternative)
		if err != nil {
			return nil, err
		}
		if bind.plus != nil {
			list = append(list, boundCounter{bind: bind, series: perf.Series{Set: set.name, Counter: c.name, Kind: perf.Rate, Unit: bind.rateIn}})
		}
	}
	return list, nil
}
