package lab

import (
	"fmt"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/device/subnet"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
)

// watchedCounters are counters whose increase is a problem of a port's health.
var watchedCounters = [...]struct {
	counter counter.Port
	// text is a format for the rate.
	text string
}{
	{counter.NoDescriptor, "no receive buffers: %s"},
	{counter.Discarded, "receive buffer full: %s"}, // without UnownedVLAN
	{counter.UnownedVLAN, "frames of a VLAN that no adapter of this host has: %s"},
	{counter.OutboundDiscarded, "frames discarded before sending: %s"},
	{counter.ReceiveErrors, "damaged frames: %s; check the cable"},
}

// portSnapshot is the variable state behind a port's row of the inventory: equal snapshots give the same row.
type portSnapshot struct {
	cabled, up bool
	subnet     subnet.State
	state      driver.AdapterState
	// functions counts its virtual functions, attached the ones that carry a guest's traffic.
	functions, attached int
	// changes is the newest entry of the host's journal: a change may alter pending values and settings of the port.
	changes uint64
	// rises are the increases of watchedCounters; paused and pausing are microseconds of pause of each priority.
	rises           [len(watchedCounters)]uint64
	paused, pausing [counter.Priorities]uint64
	elapsed         time.Duration // since the previous reading; 0 without an increase
}

// readPort reads the state of a port; before are the counters of the previous reading, nil for the first.
func readPort(host *driver.Host, port int, before []uint64, elapsed time.Duration) (g portSnapshot) {
	lab := host.Lab()
	s := lab.State(port)
	g.cabled, g.up, g.subnet, g.state, g.changes = s.Cabled, s.Up, s.Subnet, host.State(port), host.Changes()
	g.functions = lab.VirtualFunctions(port)
	for _, guest := range lab.Guests(port) {
		if guest.Function != setup.NoFunction {
			g.attached++
		}
	}
	if before == nil || elapsed <= 0 {
		return g
	}
	counters, risen := lab.Counters(), false
	rise := func(cell int) uint64 {
		n := counters[cell]
		if n >= before[cell] { // otherwise the card was reset
			n -= before[cell]
		}
		risen = risen || n > 0
		return n
	}
	for i, w := range watchedCounters {
		g.rises[i] = rise(counter.Cell(port, w.counter))
		if w.counter == counter.UnownedVLAN && g.rises[i] <= g.rises[i-1] {
			g.rises[i-1] -= g.rises[i]
		}
	}
	for priority := range counter.Priorities {
		g.paused[priority] = rise(counter.PriorityCell(port, priority, counter.SelfPaused))
		g.pausing[priority] = rise(counter.PriorityCell(port, priority, counter.FarEndPaused))
	}
	if risen {
		g.elapsed = elapsed
	}
	return g
}

// findings returns the health remarks of a snapshot.
func (g *portSnapshot) findings(p *description.Port) (list []perf.Finding) {
	for i, w := range watchedCounters {
		if g.rises[i] > 0 {
			list = append(list, perf.Finding{Severity: eventlog.Warning, Text: fmt.Sprintf(w.text, perf.Number(float64(g.rises[i])/g.elapsed.Seconds(), perf.Packets, true, false))})
		}
	}
	switch {
	case g.state == driver.Stopped:
		list = append(list, perf.Finding{Severity: eventlog.Warning, Text: "disabled"})
	case g.state == driver.Restarting:
		list = append(list, perf.Finding{Severity: eventlog.Information, Text: "the driver is starting"})
	case !g.cabled:
		list = append(list, perf.Finding{Severity: eventlog.Warning, Text: "cable unplugged from " + p.Switch.Name})
	case g.subnet == subnet.Init:
		list = append(list, perf.Finding{Severity: eventlog.Warning, Text: "in the state INIT: no subnet manager answers"})
	case !g.up:
		list = append(list, perf.Finding{Severity: eventlog.Warning, Text: "no link"})
	}
	for priority := range counter.Priorities {
		name := priorityName(priority)
		if held := g.paused[priority]; held > 0 {
			list = append(list, perf.Finding{Severity: eventlog.Information, Text: fmt.Sprintf("%s held back by the far end %s of the time", name, g.part(held))})
		}
		if asked := g.pausing[priority]; asked > 0 {
			list = append(list, perf.Finding{Severity: eventlog.Information, Text: fmt.Sprintf("%s of the far end held back %s of the time", name, g.part(asked))})
		}
	}
	if len(list) == 0 {
		list = []perf.Finding{{Severity: eventlog.Information, Text: "no sensor alarms"}}
	}
	return list
}

// part writes microseconds as a share of the time.
func (g *portSnapshot) part(microseconds uint64) string {
	percent := float64(microseconds) / float64(g.elapsed.Microseconds()) * 100
	if percent < 1 {
		return "less than 1%"
	}
	return fmt.Sprintf("%.0f%%", min(100, percent))
}
