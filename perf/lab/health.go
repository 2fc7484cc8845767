package lab

import (
	"fmt"
	"math"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
)

// watchedCounters are the counters that say something about a port's health when they rise.
var watchedCounters = [...]struct {
	counter device.Counter
	// text has the rate, as it is written everywhere.
	text string
}{
	{device.NoDescriptor, "no receive buffers: %s"},
	{device.Discarded, "receive buffer full: %s"}, // less the next one
	{device.UnownedVLAN, "frames of a VLAN that nothing on this host has: %s"},
	{device.OutboundDiscarded, "frames thrown away before they were sent: %s"},
	{device.ReceiveErrors, "damaged frames: %s; check the cable"},
}

// portGlance is all that can change in a port's part of the inventory: two equal ones give the same words.
type portGlance struct {
	cabled, up bool
	subnet     device.SubnetState
	state      driver.AdapterState
	// functions counts its virtual functions, attached the ones that carry a guest's traffic.
	functions, attached int
	// changes is the newest entry of the host's journal: a change may show in what waits and in how a port is set up.
	changes uint64
	// rises are how much watchedCounters rose; held and asked are microseconds of pause of each priority.
	rises       [len(watchedCounters)]uint64
	held, asked [device.Priorities]uint64
	elapsed     time.Duration // since the glance before; 0 when nothing rose
}

// glance looks at a port; before are the counters that it was last looked at with, nil the first time.
func glance(host *driver.Host, port int, before []uint64, elapsed time.Duration) (g portGlance) {
	lab := host.Lab()
	s := lab.State(port)
	g.cabled, g.up, g.subnet, g.state, g.changes = s.Cabled, s.Up, s.Subnet, host.State(port), host.Changes()
	g.functions = lab.VirtualFunctions(port)
	for _, guest := range lab.Guests(port) {
		if guest.Function != device.NoFunction {
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
		g.rises[i] = rise(device.Cell(port, w.counter))
		if w.counter == device.UnownedVLAN && g.rises[i] <= g.rises[i-1] {
			g.rises[i-1] -= g.rises[i]
		}
	}
	for priority := range device.Priorities {
		g.held[priority] = rise(device.PriorityCell(port, priority, device.SelfPaused))
		g.asked[priority] = rise(device.PriorityCell(port, priority, device.FarEndPaused))
	}
	if moved {
		g.elapsed = elapsed
	}
	return g
}

// findings puts a glance into words.
func (g *portGlance) findings(p *description.Port) (list []perf.Finding) {
	for i, w := range watchedCounters {
		if g.rises[i] > 0 {
			list = append(list, perf.Finding{Severity: eventlog.Warning, Text: fmt.Sprintf(w.text, perf.Number(float64(g.rises[i])/g.elapsed.Seconds(), perf.Packets, true, false))})
		}
	}
	switch {
	case g.state == driver.Stopped:
		list = append(list, perf.Finding{Severity: eventlog.Warning, Text: "disabled"})
	case g.state == driver.Restarting:
		list = append(list, perf.Finding{Severity: eventlog.Information, Text: "the driver starts"})
	case !g.cabled:
		list = append(list, perf.Finding{Severity: eventlog.Warning, Text: "cable out of " + p.Switch.Name})
	case g.subnet == device.PortInit:
		list = append(list, perf.Finding{Severity: eventlog.Warning, Text: "in the state INIT: no subnet manager answers"})
	case !g.up:
		list = append(list, perf.Finding{Severity: eventlog.Warning, Text: "no link"})
	}
	for priority := range device.Priorities {
		name := priorityName(priority)
		if held := g.held[priority]; held > 0 {
			list = append(list, perf.Finding{Severity: eventlog.Information, Text: fmt.Sprintf("%s held back by the far end %s of the time", name, g.part(held))})
		}
		if asked := g.asked[priority]; asked > 0 {
			list = append(list, perf.Finding{Severity: eventlog.Information, Text: fmt.Sprintf("%s of the far end held back %s of the time", name, g.part(asked))})
		}
	}
	if len(list) == 0 {
		list = []perf.Finding{{Severity: eventlog.Information, Text: "sensors quiet"}}
	}
	return list
}

// part is what part of the time so many microseconds are.
func (g *portGlance) part(microseconds uint64) string {
	percent := float64(microseconds) / float64(g.elapsed.Microseconds()) * 100
	if percent < 1 {
		return "less than 1%"
	}
	return fmt.Sprintf("%.0f%%", math.Min(100, percent))
}
