package labstate

import (
	"math"
	"slices"
	"time"

	"cxdeck/device/counter"
	"cxdeck/driver"
)

// Load is the traffic and the cost per second of a virtual function, or of a virtual machine's network adapter.
type Load struct {
	// Receive and Send are bytes, Drops received packets without a descriptor, Spoofed sent packets that were dropped for their
	// address or type (IOV-9, IOV-11).
	Receive, Send, Drops, Spoofed float64
	// Use is the increase of the counter FwCpuUsage in percent, Errors the increase of Errors2FW (IOV-14).
	Use, Errors float64
}

// UnknownLoad returns a load with NaN for each value.
func UnknownLoad() Load {
	n := math.NaN()
	return Load{n, n, n, n, n, n}
}

// Loads are the loads in one column: of functions by port and number, of guests by port and slot.
type Loads struct {
	Time              time.Time
	functions, guests [][]Load
}

// Function returns the load of a virtual function of a port.
func (l *Loads) Function(port, function int) Load { return loadAt(l.functions, port, function) }

// Guest returns the load of the guest in a slot of a port.
func (l *Loads) Guest(port, slot int) Load { return loadAt(l.guests, port, slot) }

func loadAt(all [][]Load, port, at int) Load {
	if port < 0 || port >= len(all) || at < 0 || at >= len(all[port]) {
		return Load{}
	}
	return all[port][at]
}

// maxLoads is the number of newest columns whose loads are kept. For ten minutes before, maxAverages averages over averagedSpan
// are kept.
const (
	maxLoads     = 60
	averagedSpan = 10 * time.Second
	maxAverages  = 60
)

// loadTracker computes the loads of columns from the counters of functions and guests.
type loadTracker struct {
	recent, older     []*Loads
	sum               loadSum
	at                time.Time
	functions, guests [][]uint64 // the counts at that time, by port
}

// The counters behind loads, in the order of loadsSince.
var (
	functionLoad = [...]counter.Function{
		counter.FunctionReceivedBytes, counter.FunctionSentBytes, counter.FunctionDropped, counter.FunctionWrongAddressPackets,
		counter.FunctionBarredTypePackets, counter.FunctionFirmwareUse, counter.FunctionFirmwareErrors,
	}
	guestLoad = [...]counter.Guest{counter.GuestReceivedBytes, counter.GuestSentBytes, counter.GuestDropped}
)

// column computes the loads of a new column.
func (w *loadTracker) column(host *driver.Host) {
	lab, now := host.Lab(), host.Now()
	counters := lab.Counters()
	seconds := now.Sub(w.at).Seconds()
	first := w.functions == nil
	if first {
		w.functions, w.guests = make([][]uint64, lab.Ports()), make([][]uint64, lab.Ports())
	} else if seconds <= 0 {
		return
	}
	w.at = now
	loads := &Loads{Time: now, functions: make([][]Load, lab.Ports()), guests: make([][]Load, lab.Ports())}
	for port := range lab.Ports() {
		n := lab.VirtualFunctions(port)
		loads.functions[port] = loadsSince(&w.functions[port], n, len(functionLoad), seconds, func(function, c int) uint64 {
			return counters[lab.FunctionCell(port, function, functionLoad[c])]
		})
		n = 0
		for _, g := range lab.Guests(port) {
			n = max(n, g.Slot+1)
		}
		loads.guests[port] = loadsSince(&w.guests[port], n, len(guestLoad), seconds, func(slot, c int) uint64 {
			return counters[lab.GuestCell(port, slot, guestLoad[c])]
		})
	}
	if first {
		return
	}
	// Published slices keep their part of the array: append copies the kept loads to a new array from time to time.
	w.recent = append(w.recent, loads)
	w.recent = w.recent[max(len(w.recent)-maxLoads, 0):]
	if average := w.sum.add(loads); average != nil {
		w.older = append(w.older, average)
		w.older = w.older[max(len(w.older)-maxAverages, 0):]
	}
}

// loadSum is the sum of the loads in a period.
type loadSum struct {
	loads   *Loads
	columns float64
	until   time.Time
}

// add adds the loads of a column. If the column begins a new period, it returns the average of the previous period, with the
// time of its last column; nil otherwise.
func (s *loadSum) add(column *Loads) (average *Loads) {
	if s.loads != nil && !column.Time.Before(s.until) {
		average = s.loads
		for _, all := range [][][]Load{average.functions, average.guests} {
			for _, port := range all {
				for i := range port {
					port[i] = port[i].times(1 / s.columns)
				}
			}
		}
		s.loads = nil
	}
	if s.loads == nil {
		*s = loadSum{loads: &Loads{}, until: column.Time.Truncate(averagedSpan).Add(averagedSpan)}
	}
	s.columns++
	s.loads.Time = column.Time
	s.loads.functions = addLoads(s.loads.functions, column.functions)
	s.loads.guests = addLoads(s.loads.guests, column.guests)
	return average
}

// addLoads adds loads to a sum, and extends the sum if necessary.
func addLoads(sum, loads [][]Load) [][]Load {
	for len(sum) < len(loads) {
		sum = append(sum, nil)
	}
	for port, list := range loads {
		if more := len(list) - len(sum[port]); more > 0 {
			sum[port] = append(sum[port], make([]Load, more)...)
		}
		for i, l := range list {
			sum[port][i] = sum[port][i].plus(l)
		}
	}
	return sum
}

func (l Load) plus(o Load) Load {
	return Load{l.Receive + o.Receive, l.Send + o.Send, l.Drops + o.Drops, l.Spoofed + o.Spoofed, l.Use + o.Use, l.Errors + o.Errors}
}

func (l Load) times(n float64) Load {
	return Load{l.Receive * n, l.Send * n, l.Drops * n, l.Spoofed * n, l.Use * n, l.Errors * n}
}

// loadsSince returns the loads of n objects with each counters since before, and updates before. An object that is new, or
// whose counters restarted, has a load of 0.
func loadsSince(before *[]uint64, n, each int, seconds float64, count func(object, counter int) uint64) []Load {
	known := len(*before) / each
	*before = slices.Grow(*before, max(n*each-len(*before), 0))[:n*each]
	loads := make([]Load, n)
	for i := range loads {
		var since [len(functionLoad)]float64
		for c := range each {
			now := count(i, c)
			if was := (*before)[i*each+c]; i < known && now >= was {
				since[c] = float64(now-was) / seconds
			}
			(*before)[i*each+c] = now
		}
		loads[i] = Load{
			Receive: since[0], Send: since[1], Drops: since[2], Spoofed: since[3] + since[4], Use: since[5], Errors: since[6],
		}
	}
	return loads
}
