package healing

import (
	"fmt"
	"time"

	"cxdeck/device/description"
)

// scheduleStep is the time between two looks at the schedules of driver faults.
const scheduleStep = time.Second

// CheckSchedules returns why a description has a driver fault that no schedule can set.
func CheckSchedules(d *description.Description) error {
	for _, fault := range d.DriverFaults {
		switch f := Find(fault.Fault); {
		case f == nil:
			return fmt.Errorf("driver_fault: there is no fault %q of a driver; fault list --all lists them", fault.Fault)
		case f.Own || f.OfFunction():
			return fmt.Errorf("driver_fault: %s is not a fault of a port's driver", fault.Fault)
		}
	}
	return nil
}

// NextLook returns the next time at which FollowSchedules is due, at most a limit.
func (s Set) NextLook(limit time.Duration) time.Duration {
	if len(s.Lab().Description().DriverFaults) == 0 {
		return limit
	}
	now := s.Lab().Elapsed()
	return min(limit, now-now%scheduleStep+scheduleStep)
}

// FollowSchedules injects the driver faults whose schedules have begun, and clears the ones whose schedules have ended. A fault that a
// restart or an operator has ended stays ended until its schedule begins again.
func (s Set) FollowSchedules() {
	list := s.Lab().Description().DriverFaults
	if len(list) == 0 {
		return
	}
	if len(s.Scheduled) != len(list) {
		s.Scheduled = make([]bool, len(list))
	}
	for i, fault := range list {
		on := s.Lab().ScheduleOn(fault.Schedule)
		if on == s.Scheduled[i] {
			continue
		}
		s.Scheduled[i] = on
		change := InjectFault{Connection: fault.Port, Fault: fault.Fault, On: on}
		if _, err := change.Inverse(s); err != nil { // the driver has no such fault, does not run, or the fault is there or gone already
			continue
		}
		_ = change.Apply(s) // Inverse has found the port and the fault
	}
}
