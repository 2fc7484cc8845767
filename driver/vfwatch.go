package driver

import (
	"fmt"
	"time"

	"cxdeck/device"
	"cxdeck/driver/registry"
)

// functionWatch is how the driver watches what virtual functions cost the firmware (IOV-14): two counters, read every
// so often and compared with what they were.
type functionWatch struct {
	// Due is the next reading, counted from the lab's start; 0 when nothing is watched.
	Due time.Duration `json:"due_ns,omitempty"`
	// Period is the time between two readings, in seconds.
	Period uint32 `json:"period_s,omitempty"`
	// Use and Errors are what was read last, of the first virtual function: the only one that misbehaves in the lab.
	Use    uint64 `json:"use,omitempty"`
	Errors uint64 `json:"errors,omitempty"`
}

// longestPeriod bounds the time between two readings, in seconds.
const longestPeriod = 1_000_000

// watchFunctions begins to watch the virtual functions of a port, or ends it, as its keys say. A first reading has
// nothing to be compared with. Without a period, for which the manual gives no default, nothing is watched.
func (h *Host) watchFunctions(port int) {
	w := &h.miniports[port].watch
	period, ok := h.number(port, "VfCpuMonBatchPeriodSec", registry.Miniport)
	period = min(period, longestPeriod)
	if !ok || period == 0 || h.lab.VirtualFunctions(port) == 0 || !h.is(port, "VfCpuMonEnable", 1) {
		*w = functionWatch{}
		return
	}
	if w.Due > 0 && w.Period == period {
		return
	}
	use, errors := h.firmwareCost(port)
	*w = functionWatch{h.lab.Elapsed() + time.Duration(period)*time.Second, period, use, errors}
}

func (h *Host) firmwareCost(port int) (use, errors uint64) {
	counters := h.lab.Counters()
	return counters[h.lab.FunctionCell(port, 0, device.FunctionFirmwareUse)],
		counters[h.lab.FunctionCell(port, 0, device.FunctionFirmwareErrors)]
}

// readFunctions makes the reading that is due, and warns when a figure rose by more than its key allows. A key that is
// not there allows anything.
func (h *Host) readFunctions(port int) {
	w := &h.miniports[port].watch
	use, errors := h.firmwareCost(port)
	above := func(rise uint64, key string) bool {
		most, ok := h.number(port, key, registry.Miniport)
		return ok && rise > uint64(most)
	}
	moreUse, moreErrors := use-min(use, w.Use), errors-min(errors, w.Errors) // a restart of the card clears both
	if above(moreUse, "VfCpuMonFwCpuUsageMax") || above(moreErrors, "VfCpuMonErrors2FwMax") {
		h.note(h.lab.Elapsed(), port, "mlx5.vf-cpu-monitor",
			"0", fmt.Sprint(w.Period), fmt.Sprint(moreUse), fmt.Sprint(moreErrors))
	}
	w.Due += time.Duration(w.Period) * time.Second
	w.Use, w.Errors = use, errors
}
