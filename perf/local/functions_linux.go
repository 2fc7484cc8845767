package local

import (
	"strconv"

	"github.com/vishvananda/netlink"

	"cxdeck/perf"
)

// functionReading is what the kernel says of a virtual function at its physical one.
type functionReading struct {
	number     int
	statistics [functionCount]uint64
}

// The statistics of a virtual function, in the order of functionCounters.
const (
	functionReceived = iota
	functionSent
	functionReceivedPackets
	functionSentPackets
	functionMulticast
	functionBroadcast
	functionReceivedDropped
	functionSentDropped
	functionCount
)

// functionCounters are the counters of a virtual function in the set of WinOF-2.
var functionCounters = []struct {
	counter   string
	kind      perf.Kind
	unit      perf.Unit
	statistic int
}{
	{"Bytes Received/Sec", perf.Rate, perf.Bytes, functionReceived},
	{"Bytes Sent/Sec", perf.Rate, perf.Bytes, functionSent},
	{"Packets Received Multicast/Sec", perf.Rate, perf.Packets, functionMulticast},
	{"Packets Received Broadcast/Sec", perf.Rate, perf.Packets, functionBroadcast},
	{"Packets Received Discarded", perf.Cumulative, perf.Packets, functionReceivedDropped},
	{"Packets Outbound Discarded", perf.Cumulative, perf.Packets, functionSentDropped},
}

// functionSet is the set of a virtual function's traffic, as the physical function sees it.
const functionSet = "Mellanox WinOF-2 VF Port Traffic"

// functionLimit is the maximum number of virtual functions of a port that are watched.
const functionLimit = 256

func readFunctions(list []netlink.VfInfo) []functionReading {
	if len(list) == 0 {
		return nil
	}
	all := make([]functionReading, 0, min(len(list), functionLimit))
	for _, vf := range list[:min(len(list), functionLimit)] {
		all = append(all, functionReading{vf.ID, [functionCount]uint64{
			vf.RxBytes, vf.TxBytes, vf.RxPackets, vf.TxPackets, vf.Multicast, vf.Broadcast, vf.RxDropped, vf.TxDropped}})
	}
	return all
}

// addFunctions adds the series of virtual functions that are new, and reports whether there were any.
func (s *source) addFunctions(i *netInterface) bool {
	added := false
	for n := range i.reading.functions {
		number := i.reading.functions[n].number
		if _, known := i.functions[number]; known {
			continue
		}
		if i.functions == nil {
			i.functions = map[int]int{}
		}
		i.functions[number] = s.cells
		instance := i.instance + " VF " + strconv.Itoa(number)
		for _, c := range functionCounters {
			series := perf.Series{Set: functionSet, Instance: instance, Counter: c.counter, Kind: c.kind, Unit: c.unit, Cell: s.cells + c.statistic}
			if path := perf.FoldPath(series.Path()); !s.paths[path] {
				if s.paths == nil {
					s.paths = map[string]bool{}
				}
				s.paths[path] = true
				s.series = append(s.series, series)
			}
		}
		i.instances = append(i.instances, instance)
		s.cells += functionCount
		added = true
	}
	return added
}

// fillFunctions writes the cells of the virtual functions.
func (i *netInterface) fillFunctions(cells []int64) {
	for n := range i.reading.functions {
		f := &i.reading.functions[n]
		if cell, ok := i.functions[f.number]; ok {
			for k, value := range f.statistics {
				cells[cell+k] = int64(value)
			}
		}
	}
}
