package lab

import (
	"fmt"
	"math"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
)

// watchedCounters are the counters that say something about a port's health when they rise.
var watchedCounters = [...]struct {
	counter counter.Port
	// text has the rate, as it is written everywhere.
	text string
}{
	{counter.NoDescriptor, "no receive buffers: %s"},
	{counter.Discarded, "receive buffer full: %s"}, // less the next one
	{counter.UnownedVLAN, "frames of a VLAN that no adapter of this host has: %s"},
	{counter.OutboundDiscarded, "frames discarded before sending: %s"},
	{counter.ReceiveErrors, "damaged frames: %s; check the cable"},
}

// portSnapshot is the variable state in a port's part of the inventory: equal ones give the same text.
type portSnapshot struct {
	cabled, up bool
	subnet     device.SubnetState
	state      driver.AdapterState
	// functions counts its virtual functions, attached the ones that carry a guest's traffic.
	functions, attached int
	// changes is the newest entry of the host's journal: a change may show in what waits and in how a port is set up.
	changes uint64
	// rises are how much watchedCounters rose; paused and pausing are microseconds of pause of each priority.
	rises           [len(watchedCounters)]uint64
	paused, pausing [counter.Priorities]uint64
	elapsed         time.Duration // since the previous reading; 0 when nothing rose
}

// readPort reads the state of a port; before are the counters of the previous reading, nil the first time.
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
	counters, moved := lab.Counters(), false
	rise := func(cell int) uint64 {
		n := counters[cell]
		if n >= before[cell] { // else the card was reset
			n -= before[cell]
		}
		moved = moved || n > 0
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
	if moved {
		g.elapsed = elapsed
	}
	return g
}

// findings describes a reading in words.
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
	case g.subnet == device.PortInit:
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
	return fmt.Sprintf("%.0f%%", math.Min(100, percent))
}
