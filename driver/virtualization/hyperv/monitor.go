package hyperv

import (
	"errors"
	"fmt"
)

// Cost is the load of a virtual function on the firmware: FwCpuUsage and Errors2FW.
type Cost struct {
	Use    uint64 `json:"use"`
	Errors uint64 `json:"errors"`
}

// Thresholds limit the increase of each counter from one reading to the next (VfCpuMonFwCpuUsageMax,
// VfCpuMonErrors2FwMax); nil means no limit.
type Thresholds struct{ Use, Errors *uint64 }

// Rise returns the increase of a virtual function's cost since a reading, and whether it exceeds a threshold (IOV-14). A counter
// that was reset has not risen.
func (t Thresholds) Rise(before, now Cost) (rise Cost, exceeded bool) {
	rise = Cost{now.Use - min(now.Use, before.Use), now.Errors - min(now.Errors, before.Errors)}
	above := func(n uint64, limit *uint64) bool { return limit != nil && n > *limit }
	return rise, above(rise.Use, t.Use) || above(rise.Errors, t.Errors)
}

// CostCounter is one of the two counters.
type CostCounter int

// The counters, by their second index in a resource dump.
const (
	FwCPUUsage CostCounter = 1
	Errors2FW  CostCounter = 2
)

// ResourceDump returns the command that reads a counter of the virtual functions from first to last at once (IOV-14).
func ResourceDump(first, last int, counter CostCounter) (string, error) {
	const segment, refused = "0x5000", 0xfffe // 0xfffe and 0xffff have another meaning for the tool
	n := last - first + 1
	if first < 0 || n < 1 || n >= refused {
		return "", errors.New("a dump reads a range of fewer than 65,534 virtual functions, from the first to the last")
	}
	if counter != FwCPUUsage && counter != Errors2FW {
		return "", fmt.Errorf("a virtual function has no counter %d; 1 is FwCpuUsage and 2 is Errors2FW", counter)
	}
	return fmt.Sprintf("mlx5cmd.exe -dbg -ResourceDump -Dump -Segment %s -Index1 %d -NumOfObj1 %d -Index2 %d -Depth 1",
		segment, first+1, n, counter), nil
}
