package virtualization

import (
	"fmt"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/driver/virtualization/hyperv"
)

// FunctionWatch is the state of the driver's monitoring of the firmware load of virtual functions (IOV-14): two counters of
// each function, read periodically and compared with the previous values.
type FunctionWatch struct {
	// Due is the time of the next reading, counted from the lab's start; 0 when there is no monitoring.
	Due time.Duration `json:"due_ns,omitempty"`
	// Period is the time between two readings, in seconds.
	Period uint32 `json:"period_s,omitempty"`
	// Read holds the last reading of each function. It is replaced and never changed.
	Read []hyperv.Cost `json:"read,omitempty"`
}

// MaxMonitorPeriod bounds the period of the monitoring, in seconds (IOV-14): the driver uses it for longer stored periods. The
// manual gives no bound.
const MaxMonitorPeriod = 1_000_000

// CommandPeriod is the period at which the WinOF driver looks for commands that it blocked, in seconds: an assumption of the
// lab.
const CommandPeriod = 10

// WatchFunctions starts or stops the monitoring of a port's virtual functions, as its keys request. The first reading has no
// previous values. Without a period, for which the manual gives no default, WinOF-2 monitors nothing.
func (v Hypervisor) WatchFunctions(port int) {
	w := v.Watch(port)
	period, on := uint32(CommandPeriod), true
	if v.family(port) == description.WinOF2 {
		period, on = v.number(port, "VfCpuMonBatchPeriodSec", registry.Miniport)
		period = min(period, MaxMonitorPeriod)
		on = on && period > 0 && v.enabled(port, "VfCpuMonEnable")
	}
	switch {
	case !on || v.Lab().VirtualFunctions(port) == 0:
		*w = FunctionWatch{}
	case w.Due == 0 || w.Period != period:
		*w = FunctionWatch{v.Lab().Elapsed() + time.Duration(period)*time.Second, period, FunctionCosts(v.Lab(), port)}
	}
}

// FunctionCosts reads the two counters of all virtual functions of a port.
func FunctionCosts(lab *device.Lab, port int) []hyperv.Cost {
	counters, list := lab.Counters(), make([]hyperv.Cost, lab.VirtualFunctions(port))
	for f := range list {
		list[f] = hyperv.Cost{
			Use:    counters[lab.FunctionCell(port, f, counter.FunctionFirmwareUse)],
			Errors: counters[lab.FunctionCell(port, f, counter.FunctionFirmwareErrors)],
		}
	}
	return list
}

// The command of a virtual function that floods its channel: an undefined one, which the firmware answers with the status for a bad
// operation.
const (
	badCommand  = "0x0"
	badFragment = "0"
	badStatus   = "0x2"
)

// ReadFunctions takes the reading that is due. WinOF-2 logs each function of which a counter rose by more than its key allows;
// a missing key allows any rise. WinOF logs each function that sent bad commands, with its channel: the physical function has
// channel 0.
func (v Hypervisor) ReadFunctions(port int) {
	w := v.Watch(port)
	now := FunctionCosts(v.Lab(), port)
	limit := func(key string) *uint64 {
		if n, ok := v.number(port, key, registry.Miniport); ok {
			return new(uint64(n))
		}
		return nil
	}
	thresholds := hyperv.Thresholds{Use: limit("VfCpuMonFwCpuUsageMax"), Errors: limit("VfCpuMonErrors2FwMax")}
	d, _, _ := v.Lab().Port(port)
	for f := range min(len(now), len(w.Read)) {
		if v.family(port) == description.WinOF {
			if now[f].Errors > w.Read[f].Errors {
				v.Note(port, "mlx4.vf-bad-command", d.Device, fmt.Sprint(f), fmt.Sprint(f+1), badFragment, badCommand, badStatus)
			}
		} else if rise, above := thresholds.Rise(w.Read[f], now[f]); above {
			v.Note(port, "mlx5.vf-cpu-monitor", fmt.Sprint(f), fmt.Sprint(w.Period), fmt.Sprint(rise.Use), fmt.Sprint(rise.Errors))
		}
	}
	w.Due += time.Duration(w.Period) * time.Second
	w.Read = now
}
