package driver

import (
	"fmt"
	"time"

	"cxdeck/device"
	"cxdeck/driver/hyperv"
	"cxdeck/driver/registry"
)

// functionWatch is how the driver watches what virtual functions cost the firmware (IOV-14): two counters of each, read
// every so often and compared with what they were.
type functionWatch struct {
	// Due is the next reading, counted from the lab's start; 0 when nothing is watched.
	Due time.Duration `json:"due_ns,omitempty"`
	// Period is the time between two readings, in seconds.
	Period uint32 `json:"period_s,omitempty"`
	// Read is what was read last of each function. It is replaced and never changed.
	Read []hyperv.Cost `json:"read,omitempty"`
}

// LongestMonitorPeriod bounds the time between two readings of what virtual functions cost the firmware, in seconds
// (IOV-14): a longer one that is stored counts as this one. The manual gives no bound.
const LongestMonitorPeriod = 1_000_000

// watchFunctions begins to watch the virtual functions of a port, or ends it, as its keys say. A first reading has
// nothing to be compared with. Without a period, for which the manual gives no default, nothing is watched.
func (h *Host) watchFunctions(port int) {
	w := &h.miniports[port].watch
	if h.family(port) == device.WinOF {
		h.watchCommands(port)
		return
	}
	period, ok := h.number(port, "VfCpuMonBatchPeriodSec", registry.Miniport)
	period = min(period, LongestMonitorPeriod)
	if !ok || period == 0 || h.lab.VirtualFunctions(port) == 0 || !h.is(port, "VfCpuMonEnable", 1) {
		*w = functionWatch{}
		return
	}
	if w.Due > 0 && w.Period == period {
		return
	}
	*w = functionWatch{h.lab.Elapsed() + time.Duration(period)*time.Second, period, h.functionCosts(port)}
}

// startWatch begins to compare anew, after a virtual function has become a new one.
func (h *Host) startWatch(port int) {
	if w := &h.miniports[port].watch; w.Due > 0 {
		w.Read = h.functionCosts(port)
	}
}

// functionCosts reads the two counters of all virtual functions of a port.
func (h *Host) functionCosts(port int) []hyperv.Cost {
	counters, list := h.lab.Counters(), make([]hyperv.Cost, h.lab.VirtualFunctions(port))
	for f := range list {
		list[f] = hyperv.Cost{
			Use:    counters[h.lab.FunctionCell(port, f, device.FunctionFirmwareUse)],
			Errors: counters[h.lab.FunctionCell(port, f, device.FunctionFirmwareErrors)],
		}
	}
	return list
}

// commandPeriod is how often the driver of WinOF looks for commands that it blocked, in seconds: the lab's assumption.
const commandPeriod = 10

// watchCommands begins to look for bad commands of virtual functions.
func (h *Host) watchCommands(port int) {
	w := &h.miniports[port].watch
	switch {
	case h.lab.VirtualFunctions(port) == 0:
		*w = functionWatch{}
	case w.Due == 0:
		*w = functionWatch{h.lab.Elapsed() + commandPeriod*time.Second, commandPeriod, h.functionCosts(port)}
	}
}

// What a virtual function sends that floods its channel: a command that there is none of, which the firmware answers
// with the status for a bad operation.
const (
	badCommand  = "0x0"
	badFragment = "0"
	badStatus   = "0x2"
)

// readCommands writes down each virtual function that sent bad commands since the last look. The channel is that of the
// function: the physical one has the first.
func (h *Host) readCommands(port int) {
	w := &h.miniports[port].watch
	d, _, _ := h.lab.Port(port)
	now := h.functionCosts(port)
	for f := range min(len(now), len(w.Read)) {
		if now[f].Errors > w.Read[f].Errors {
			h.note(h.lab.Elapsed(), port, "mlx4.vf-bad-command", d.Device, fmt.Sprint(f), fmt.Sprint(f+1), badFragment, badCommand, badStatus)
		}
	}
	w.Due += time.Duration(w.Period) * time.Second
	w.Read = now
}

// readFunctions makes the reading that is due, and warns of each function of which a figure rose by more than its key
// allows. A key that is not there allows anything.
func (h *Host) readFunctions(port int) {
	if h.family(port) == device.WinOF {
		h.readCommands(port)
		return
	}
	w := &h.miniports[port].watch
	most := func(key string) *uint64 {
		if n, ok := h.number(port, key, registry.Miniport); ok {
			return new(uint64(n))
		}
		return nil
	}
	limits := hyperv.Thresholds{Use: most("VfCpuMonFwCpuUsageMax"), Errors: most("VfCpuMonErrors2FwMax")}
	now := h.functionCosts(port)
	for f := range now {
		if f >= len(w.Read) {
			break
		}
		if rise, told := limits.Rise(w.Read[f], now[f]); told {
			h.note(h.lab.Elapsed(), port, "mlx5.vf-cpu-monitor", fmt.Sprint(f), fmt.Sprint(w.Period), fmt.Sprint(rise.Use), fmt.Sprint(rise.Errors))
		}
	}
	w.Due += time.Duration(w.Period) * time.Second
	w.Read = now
}
