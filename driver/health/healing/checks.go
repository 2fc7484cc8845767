package healing

import (
	"fmt"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/health"
)

// Due returns the next time at which self-healing of a running port has something to do, counted from the lab's start; 0 for
// never.
func (s Set) Due(port int) (due time.Duration) {
	p := &s.Ports[port]
	if !s.Lab().LimitsQueueHead(port) {
		due = s.nextCheck(port, p.Seen)
	}
	for i := range p.Faults {
		a := &p.Faults[i]
		at, after := time.Duration(0), max(a.Since, p.Seen)
		switch f := Find(a.Name); {
		case a.Tier == 2 || f.Once && a.Count > 0:
		case f.When == AtCheck:
			at = s.nextCheck(port, after)
		case f.When == AtPoll:
			every := time.Duration(f.Every) * time.Second
			at = nextOf(a.Since, every, after)
		}
		if at > 0 && (due == 0 || at < due) {
			due = at
		}
	}
	return due
}

// Act does what is due at a port: checks, and repeated faults. The time is the time that Due returned.
func (s Set) Act(port int) {
	p, now := &s.Ports[port], s.Lab().Elapsed()
	p.Seen = now
	isCheck := s.isCheck(port, now)
	if isCheck && s.checkHeldSends(port) {
		return
	}
	for i := range p.Faults { // reports don't remove faults
		a := p.Faults[i]
		f := Find(a.Name)
		switch {
		case a.Tier == 2 || f.Once && a.Count > 0:
			continue
		case f.When == AtCheck && isCheck:
			if a.Since > s.lastCheck(port, now) { // it began after the check before (SH-4)
				continue
			}
			limit := int(s.limit(port, f))
			p.change(i, func(a *Active) { a.Count++ })
			if p.Faults[i].Count < limit {
				continue
			}
			p.change(i, func(a *Active) { a.Count = 0 })
		case f.When == AtPoll && now > a.Since && (now-a.Since)%(time.Duration(f.Every)*time.Second) == 0:
			p.change(i, func(a *Active) { a.Count++ })
		default:
			continue
		}
		if s.report(port, i) { // the driver stops: the checks begin again with its start
			return
		}
	}
}

// checkHeldSends is the check of the hardware-send sensor for sends that a pause holds. With the head-of-queue limit they are dropped;
// without it the sensor reports them (HQ-1, SH-8). It reports whether the driver of the port stops.
func (s Set) checkHeldSends(port int) (stops bool) {
	p, lab := &s.Ports[port], s.Lab()
	f := Find(sendHang)
	var held uint16
	if !lab.LimitsQueueHead(port) && !p.Has(sendHang) {
		held = lab.HeldSends(port)
	}
	if held&p.Held == 0 || lab.SentFrames(port, p.Held) != p.HeldAt {
		p.HeldChecks = 0
	} else {
		p.HeldChecks++
	}
	p.Held, p.HeldAt = held, lab.SentFrames(port, held)
	if p.HeldChecks < int(s.limit(port, f)) {
		return false
	}
	p.HeldChecks = 0
	return s.respond(port, &Active{Name: sendHang}, f)
}

// isCheck reports whether a moment is one of the checks of a port.
func (s Set) isCheck(port int, now time.Duration) bool {
	return now > 0 && s.nextCheck(port, now-1) == now
}

// limit returns the number of checks without progress after which a sensor reports (SH-2).
func (s Set) limit(port int, f *Fault) int64 {
	return int64(health.StuckAfter(sensors[f.Sensor], 1, int64(s.checks(port))) / time.Second)
}

// note logs the event of a fault with its values.
func (s Set) note(port int, a *Active, f *Fault) {
	key, templates := f.Event(s.family(port))
	if key == "" {
		return
	}
	facts, values := s.facts(port, a), make([]string, len(templates))
	for i, t := range templates {
		values[i] = facts.fill(t)
	}
	s.Note(port, key, values...)
}

// report has a sensor or the driver report a fault, and the manager apply the policy (SH-5). It reports whether the driver of the
// port stops.
func (s Set) report(port, at int) (stops bool) {
	a := s.Ports[port].Faults[at]
	f := Find(a.Name)
	if a.Function == nil {
		return s.respond(port, &a, f)
	}
	s.log(port, &a, f)
	if f.action(s.family(port)) == FunctionReset {
		s.healFunction(port, at, sensors[f.Sensor])
	}
	return false
}

// log logs a fault and writes its state dump.
func (s Set) log(port int, a *Active, f *Fault) {
	s.note(port, a, f)
	if f.Command {
		s.Ports[port].Failures++
	}
	if s.family(port) != description.WinOF && f.Dump != "" {
		s.DumpFault(port, f.Dump)
	}
}

// respond logs a fault of a port and does what follows. It reports whether the driver of the port stops.
func (s Set) respond(port int, a *Active, f *Fault) (stops bool) {
	p, sensor, winof := &s.Ports[port], sensors[f.Sensor], s.family(port) == description.WinOF
	s.log(port, a, f)
	p.Reported |= sensor
	resets, dumps := s.masks(port)
	if winof && sensor != 0 && health.Dumps(sensor, dumps) {
		s.DumpByHealing(port)
	}
	switch f.action(s.family(port)) {
	case Reset:
		if winof && sensor != 0 && !health.Resets(sensor, resets, false, !p.Has(queueHeadOff)) {
			return false // SH-6 and SH-8
		}
		return s.reset(port, sensor)
	case NDISReset:
		return s.resetByNDIS(port)
	case LogOnly, FailStart, FunctionReset, "":
	}
	return false
}

// resetError is the status of a reset that fails: STATUS_UNSUCCESSFUL.
const resetError = "0xC0000001"

// The faults that decide how a reset ends.
const (
	resetFails = "reset-fails"
	resetStops = "reset-stops"
)

// reset restarts the driver of a port for a sensor (SH-10 to SH-13), and reports whether it stops.
func (s Set) reset(port int, sensor health.Sensor) bool {
	p := &s.Ports[port]
	d, _, _ := s.Lab().Port(port)
	if s.family(port) == description.WinOF2 {
		if p.Has(resetFails) {
			return false
		}
		s.Note(port, "mlx5.reset-by-miniport", d.Device)
		s.restart(port)
		return true
	}
	switch {
	case p.Has(resetFails):
		s.Note(port, "mlx4.sh-flow-failed", d.Device, resetError, bits(sensor))
		s.Note(port, "mlx4.eth-reset-failed")
		return false
	case p.Has(resetStops):
		s.Note(port, "mlx4.sh-stopped", d.Connection, bits(sensor))
		s.Halt(port)
		return true
	}
	s.Note(port, "mlx4.sh-restarted", d.Connection, bits(sensor), fmt.Sprint(p.Restarts+1))
	s.restart(port)
	s.Note(port, "mlx4.eth-reset")
	return true
}

// restart restarts the driver of a port.
func (s Set) restart(port int) {
	p := &s.Ports[port]
	p.Restarts++
	p.Resetting = true
	s.Restart(port)
}

// resetByNDIS resets an adapter that does not answer NDIS.
func (s Set) resetByNDIS(port int) bool {
	p := &s.Ports[port]
	d, _, _ := s.Lab().Port(port)
	winof := s.family(port) == description.WinOF
	switch {
	case p.Has(resetFails) && winof:
		s.Note(port, "mlx4.eth-reset-failed")
		return false
	case p.Has(resetFails):
		s.Note(port, "mlx5.ndis-reset-failed", d.Device)
		return false
	case winof:
		s.Note(port, "mlx4.eth-reset")
	}
	p.Resetting = true
	s.Restart(port)
	return true
}

// healFunction restarts the driver of a virtual function, whatever the mask says (SH-9), and asks for a restart by hand when that
// did not help (SH-18).
func (s Set) healFunction(port, at int, sensor health.Sensor) {
	p := &s.Ports[port]
	a := &p.Faults[at]
	if a.Tier > 0 {
		p.change(at, func(a *Active) { a.Tier = 2 })
		s.Note(port, "mlx4.sh-vf-second-tier", fmt.Sprint(*a.Function), bits(sensor))
		return
	}
	p.change(at, func(a *Active) { a.Tier, a.Since = 1, s.Lab().Elapsed() })
	s.RestartFunction(port, *a.Function, "self-healing restarted the driver of the virtual function")
}

// StartFails logs the faults that a starting driver finds, and reports whether it fails.
func (s Set) StartFails(port int) (fails bool) {
	p := &s.Ports[port]
	for i := range p.Faults {
		a := &p.Faults[i]
		f := Find(a.Name)
		if key, _ := f.Event(s.family(port)); f.When != AtStart || f.action(s.family(port)) != FailStart || key == "" {
			continue
		}
		s.note(port, a, f)
		if f.Command {
			p.Failures++
		}
		return true
	}
	return false
}

// NoteStart logs the faults that a driver finds at its start in spite of which it starts.
func (s Set) NoteStart(port int) {
	for i := range s.Ports[port].Faults {
		a := &s.Ports[port].Faults[i]
		if f := Find(a.Name); f.When == AtStart && f.action(s.family(port)) != FailStart {
			s.note(port, a, f)
		}
	}
}
