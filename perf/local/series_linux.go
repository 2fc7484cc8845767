package local

import (
	"maps"
	"slices"

	"cxdeck/perf"
)

// The sets of a machine's interfaces. The first has the names of Windows, for kernel statistics with the same meaning; the
// others have the kernel's and the driver's statistics under their own names.
const (
	interfaceSet = "Network Interface"
	kernelSet    = "Network Interface Kernel"
	driverSet    = perf.DriverSet
)

// The cells of an interface: the kernel's statistics first, then derived numbers.
const (
	cellBytesTotal = statisticCount + iota
	cellPacketsTotal
	// cellReceivedDiscarded counts good packets that were lost on receipt: the network stack did not need them or had no room
	// for them, or there was no free descriptor. Drivers count the latter as missed or as fifo errors, some as both, so the
	// larger of the two is used.
	cellReceivedDiscarded
	// cellDrops counts discards of both directions.
	cellDrops
	cellBandwidth
	cellRunning
	cellsPerInterface
)

// interfaceCounters are the counters that every interface has in the set of Windows. Counts of multicast and unicast are
// omitted: they mean different things in the kernel and in Windows. The rates of the four loss counters are additions of this
// program.
var interfaceCounters = []struct {
	counter string
	kind    perf.Kind
	unit    perf.Unit
	cell    int
}{
	{"Bytes Received/sec", perf.Rate, perf.Bytes, rxBytes},
	{"Bytes Sent/sec", perf.Rate, perf.Bytes, txBytes},
	{"Bytes Total/sec", perf.Rate, perf.Bytes, cellBytesTotal},
	{"Packets/sec", perf.Rate, perf.Packets, cellPacketsTotal},
	{"Packets Received/sec", perf.Rate, perf.Packets, rxPackets},
	{"Packets Sent/sec", perf.Rate, perf.Packets, txPackets},
	{"Packets Received Errors", perf.Cumulative, perf.Packets, rxErrors},
	{"Packets Received Discarded", perf.Cumulative, perf.Packets, cellReceivedDiscarded},
	{"Packets Outbound Errors", perf.Cumulative, perf.Packets, txErrors},
	{"Packets Outbound Discarded", perf.Cumulative, perf.Packets, txDropped},
	{"Packets Received Errors/sec", perf.Rate, perf.Packets, rxErrors},
	{"Packets Received Discarded/sec", perf.Rate, perf.Packets, cellReceivedDiscarded},
	{"Packets Outbound Errors/sec", perf.Rate, perf.Packets, txErrors},
	{"Packets Outbound Discarded/sec", perf.Rate, perf.Packets, txDropped},
	{"Packets Discarded/sec", perf.Rate, perf.Packets, cellDrops},
	{"Current Bandwidth", perf.Gauge, perf.Bits, cellBandwidth},
}

// The indexes in interfaceCounters of the series that the inventory adds up.
const (
	seriesReceive = 0
	seriesSend    = 1
	seriesDrops   = 14
)

// addInterface appends the series of a new interface.
func (s *source) addInterface(i *netInterface) {
	i.cell, i.series = s.cells, len(s.series)
	s.cells += cellsPerInterface
	for _, c := range interfaceCounters {
		s.series = append(s.series, perf.Series{Set: interfaceSet, Instance: i.instance, Counter: c.counter, Kind: c.kind, Unit: c.unit, Cell: i.cell + c.cell})
	}
	for n, name := range kernelStatistics {
		s.series = append(s.series, perf.Series{Set: kernelSet, Instance: i.instance, Counter: name, Kind: perf.Cumulative, Unit: statisticUnit(name), Cell: i.cell + n})
	}
	s.series = append(s.series, perf.Series{Set: kernelSet, Instance: i.instance, Counter: "running", Kind: perf.Gauge, Cell: i.cell + cellRunning})
}

// driverLimit is the maximum number of statistics of one driver: adapters with many queues have several thousand.
const driverLimit = 8192

// addStatistics appends the series of new statistics of an interface's driver, in the order of their names, each as a counter
// and as a rate. It reports whether there were any.
func (s *source) addStatistics(i *netInterface, statistics map[string]uint64) bool {
	fresh := 0
	for name := range statistics {
		if _, known := i.driver[name]; !known {
			fresh++
		}
	}
	if fresh == 0 || len(i.driver) >= driverLimit {
		return false
	}
	added := false
	for _, name := range slices.Sorted(maps.Keys(statistics)) {
		if _, known := i.driver[name]; known || len(i.driver) >= driverLimit {
			continue
		}
		counter := counterName(name)
		if counter == "" || i.taken[perf.FoldPath(counter)] || i.taken[perf.FoldPath(counter+"/sec")] {
			i.driver[name] = -1 // a second name that is equal after cleaning
			continue
		}
		i.taken[perf.FoldPath(counter)], i.taken[perf.FoldPath(counter+"/sec")] = true, true
		cell := s.cells
		i.driver[name] = cell
		s.cells++
		s.addStatistic(i, name, counter, cell)
		added = true
	}
	if i.hardware.family() != "" {
		s.addSums(i)
	}
	return added
}

// addStatistic appends the series of one statistic. What measures has no rate; what the table of statistics lacks is a count whose
// unit is guessed from its name.
func (s *source) addStatistic(i *netInterface, name, counter string, cell int) {
	series := perf.Series{Set: driverSet, Instance: i.instance, Counter: counter, Kind: perf.Cumulative, Unit: statisticUnit(name), Cell: cell}
	var meaning *perf.Statistic
	if i.hardware.family() != "" {
		meaning = s.addMeaning(i, name, cell)
	}
	if meaning != nil {
		series.Kind, series.Unit, series.Width = meaning.Kind, meaning.Unit, meaning.Width
	}
	s.series = append(s.series, series)
	if series.Kind == perf.Cumulative {
		series.Counter, series.Kind = counter+"/sec", perf.Rate
		s.series = append(s.series, series)
	}
}

// fill writes the cells of an interface.
func (i *netInterface) fill(cells []int64, r *linkReading) {
	own := cells[i.cell : i.cell+cellsPerInterface]
	for n, value := range r.statistics {
		own[n] = int64(value)
	}
	s := &r.statistics
	received := s[rxDropped] + max(s[rxMissedErrors], s[rxFifoErrors])
	own[cellBytesTotal] = int64(s[rxBytes] + s[txBytes])
	own[cellPacketsTotal] = int64(s[rxPackets] + s[txPackets])
	own[cellReceivedDiscarded] = int64(received)
	own[cellDrops] = int64(received + s[txDropped])
	own[cellBandwidth] = int64(i.speed)
	own[cellRunning] = 0
	if i.running {
		own[cellRunning] = 1
	}
}
