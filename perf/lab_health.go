package perf

import (
	"fmt"
	"math"
	"time"

	"cxdeck/device"
	"cxdeck/driver"
)

// labWatch is a counter that says something about a port's health when it rises.
type labWatch struct {
	counter device.Counter
	// text has the rate in packets a second.
	text string
}

var labWatches = [...]labWatch{
	{device.NoDescriptor, "no receive buffers: %s packets/s"},
	{device.Discarded, "receive buffer full: %s packets/s"},
	{device.ReceiveErrors, "damaged frames: %s packets/s; check the cable"},
}

// look finds what happened to each port since it was last called.
func (v *labInventory) look(host *driver.Host) [][]Finding {
	lab := host.Lab()
	counters, now := lab.Counters(), host.Now()
	elapsed := now.Sub(v.at)
	health := make([][]Finding, lab.Ports())
	for port := range health {
		d, _, _ := lab.Port(port)
		if v.before != nil && elapsed > 0 {
			health[port] = v.findings(counters, port, elapsed)
		}
		switch s := lab.State(port); {
		case host.State(port) == driver.Stopped:
			health[port] = append(health[port], Finding{driver.Warning, "disabled"})
		case !s.Cabled:
			health[port] = append(health[port], Finding{driver.Warning, "cable out of " + d.Switch.Name})
		case !s.Up:
			health[port] = append(health[port], Finding{driver.Warning, "no link"})
		}
		if len(health[port]) == 0 {
			health[port] = []Finding{{driver.Information, "sensors quiet"}}
		}
	}
	if elapsed > 0 || v.before == nil {
		v.before, v.at = append(v.before[:0], counters...), now
	}
	return health
}

func (v *labInventory) findings(counters []uint64, port int, elapsed time.Duration) (list []Finding) {
	rise := func(cell int) float64 { return float64(counters[cell]-v.before[cell]) / elapsed.Seconds() }
	for _, w := range labWatches {
		if rate := rise(device.Cell(port, w.counter)); rate > 0 {
			list = append(list, Finding{driver.Warning, fmt.Sprintf(w.text, rounded(rate))})
		}
	}
	for priority := range device.Priorities {
		held := rise(device.PriorityCell(port, priority, device.SelfPaused))
		asked := rise(device.PriorityCell(port, priority, device.FarEndPaused))
		name := priorityName(priority)
		if held > 0 {
			list = append(list, Finding{driver.Information, fmt.Sprintf("far end pauses %s, %.0f%% of the time", name, held/1e4)})
		}
		if asked > 0 {
			list = append(list, Finding{driver.Information, fmt.Sprintf("pauses the far end on %s, %.0f%% of the time", name, asked/1e4)})
		}
	}
	return list
}

// rounded is a rate with at most three digits that mean something.
func rounded(rate float64) string {
	if rate >= 1000 {
		unit := math.Pow(10, math.Floor(math.Log10(rate))-2)
		rate = math.Round(rate/unit) * unit
	}
	if rate < 10 {
		return fmt.Sprintf("%.1f", rate)
	}
	return fmt.Sprintf("%.0f", rate)
}
