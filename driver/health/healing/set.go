package healing

import (
	"fmt"
	"slices"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/health"
	"cxdeck/driver/operation"
	"cxdeck/driver/registry"
)

// Host is the part of the host that self-healing uses.
type Host interface {
	Lab() *device.Lab
	// Port returns the port of a connection, Card a card by its name.
	Port(connection string) (int, error)
	Card(adapter string) (int, error)
	// Running reports whether the driver of a port runs.
	Running(port int) bool
	// Effective returns the value of a key that the driver of a port uses.
	Effective(port int, key string, scopes ...registry.Scope) (registry.Value, bool)
	// Note logs an event of the catalogue.
	Note(port int, event string, values ...string)
	// Configure has the hardware follow the state of self-healing.
	Configure(port int)
	// FunctionsChanged has the traffic of virtual machines follow the faults of their functions.
	FunctionsChanged()
	// Restart stops and starts the driver of a port, Halt stops it as one that reported problems.
	Restart(port int)
	Halt(port int)
	// DumpByHealing writes a dump that a sensor requests.
	DumpByHealing(port int)
	// DumpFault writes the state dump that a fault causes with WinOF-2.
	DumpFault(port int, what string)
	// RestartFunction restarts the driver of a virtual function.
	RestartFunction(port, function int, why string)
}

// Set is self-healing of a host.
type Set struct {
	Host
	*State
}

// Operation is a change of self-healing.
type Operation = operation.Of[Set]

func (s Set) family(port int) description.Family { return s.Lab().Family(port) }

// key returns the number of a key of a port's own class, or a default.
func (s Set) key(port int, name string, otherwise uint32) uint32 {
	if v, ok := s.Effective(port, name, registry.Miniport); ok && v.Type() == registry.Number {
		return v.Number()
	}
	return otherwise
}

// The keys of self-healing.
const (
	IntervalKey  = "SHCheckForHangTimeInSeconds"
	ChecksKey    = "CheckForHangCQMaxNoProgress"
	ResetMaskKey = "SHMPResetActiveSensorsMask"
	DumpMaskKey  = "SHSensorsDumpMask"
)

// interval returns the interval that the registry has, checks the number of checks without progress, of a port.
func (s Set) interval(port int) uint32 { return s.key(port, IntervalKey, health.DefaultInterval) }
func (s Set) checks(port int) uint32   { return s.key(port, ChecksKey, health.DefaultChecks) }

// masks returns the sensors that may restart a port, and the sensors that may write a dump. WinOF-2 has no such keys: its driver
// always restarts.
func (s Set) masks(port int) (reset, dump uint32) {
	return s.key(port, ResetMaskKey, health.DefaultResetMask), s.key(port, DumpMaskKey, health.DefaultDumpMask)
}

// wait returns an interval as a time.
func wait(seconds uint32) time.Duration {
	return health.StuckAfter(health.HardwareSend, int64(seconds), 1)
}

// running returns the interval in use from the port's last known check on.
func (s Set) running(port int) time.Duration {
	seconds := s.Ports[port].Interval
	if seconds == 0 {
		seconds = health.DefaultInterval
	}
	return wait(seconds)
}

// nextCheck returns the time of the first health check of a port after a moment.
func (s Set) nextCheck(port int, after time.Duration) time.Duration {
	p, every := &s.Ports[port], s.running(port)
	if after < p.Check {
		return p.Check
	}
	return nextOf(p.Check, every, after)
}

// nextOf returns the first time after a moment in a series that begins at a time.
func nextOf(first, every, after time.Duration) time.Duration {
	return after + every - (after-first)%every
}

// lastCheck returns the time of the health check before one.
func (s Set) lastCheck(port int, check time.Duration) time.Duration {
	if p := &s.Ports[port]; check == p.Check {
		return check - p.Wait
	}
	return check - s.running(port)
}

// IntervalChanged has a port use a new interval after the current wait (SH-15).
func (s Set) IntervalChanged(port int) {
	p, seconds := &s.Ports[port], s.interval(port)
	if p.Interval == seconds {
		return
	}
	next := s.nextCheck(port, s.Lab().Elapsed())
	p.Check, p.Wait, p.Interval = next, next-s.lastCheck(port, next), seconds
}

// Started begins the checks of a port whose driver has started, ends the faults that a start ends, and logs and reports the end
// of a reset. loaded reports that the whole driver was loaded: its counts restart at 0 (SH-14).
func (s Set) Started(port int, loaded bool) (wasReset bool) {
	p := &s.Ports[port]
	p.Check, p.Wait, p.Interval = s.Lab().Elapsed(), 0, s.interval(port)
	p.Held, p.HeldAt, p.HeldChecks = 0, 0, 0
	if loaded {
		p.Restarts, p.Failures, p.Reported = 0, 0, 0
	}
	p.remove(func(a *Active) bool {
		f := Find(a.Name)
		if gone := f.Healed || a.Function != nil; !gone {
			return false
		}
		s.setLab(port, f, false)
		return true
	})
	if !p.Resetting {
		return false
	}
	p.Resetting = false
	d, _, _ := s.Lab().Port(port)
	if s.family(port) == description.WinOF {
		s.Note(port, "mlx4.eth-started", d.Device)
	} else {
		s.Note(port, "mlx5.reset-finished", d.Device)
	}
	return true
}

// setLab sets or clears the fault of the lab that a fault implies.
func (s Set) setLab(port int, f *Fault, on bool) {
	if f.Lab == "" {
		return
	}
	var kind description.FaultKind
	if err := kind.UnmarshalText([]byte(f.Lab)); err != nil {
		panic("healing: " + err.Error()) // a test checks the table
	}
	share := 0.0
	if on {
		share = 1
	}
	if err := s.Lab().SetFault(port, kind, share); err != nil {
		panic("healing: " + err.Error())
	}
}

// Follow has self-healing notice a fault that the lab has itself, or its end.
func (s Set) Follow(port int, kind description.FaultKind, on bool) {
	word, err := kind.MarshalText()
	if err != nil {
		return
	}
	f := Find(string(word))
	if f == nil || !f.Own || !f.appliesTo(s.family(port)) {
		return
	}
	p := &s.Ports[port]
	switch had := p.Has(f.Name); {
	case on && !had:
		p.add(Active{Name: f.Name, Since: s.Lab().Elapsed()})
	case !on && had:
		p.remove(func(a *Active) bool { return a.matches(f.Name, nil) })
	}
}

// FunctionRestarted ends the faults of a virtual function whose driver was restarted by hand.
func (s Set) FunctionRestarted(port, function int) {
	s.Ports[port].remove(func(a *Active) bool { return a.Function != nil && *a.Function == function })
}

// FunctionHangs reports that the send queues of a virtual function make no progress: its guest has no traffic.
func (s *State) FunctionHangs(port, function int) bool {
	return slices.ContainsFunc(s.Ports[port].Faults, func(a Active) bool { return a.matches(functionHang, &function) })
}

// NeedsRestart reports that the driver of a virtual function needs a restart by hand (SH-18).
func (s Set) NeedsRestart(port, function int) bool {
	return slices.ContainsFunc(s.Ports[port].Faults, func(a Active) bool { return a.Function != nil && *a.Function == function && a.Tier == 2 })
}

// FunctionFaults returns the names of the faults of a virtual function.
func (s Set) FunctionFaults(port, function int) (names []string) {
	for _, a := range s.Ports[port].Faults {
		if a.Function != nil && *a.Function == function {
			names = append(names, a.Name)
		}
	}
	return names
}

// bits writes the mask of a sensor.
func bits(sensor health.Sensor) string { return fmt.Sprintf("0x%08X", uint32(sensor)) }
