package healing

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"cxdeck/device/counter"
	"cxdeck/driver/health"
)

// State is the state of self-healing at all ports. It is saved as JSON.
type State struct {
	Ports []Port `json:"ports"`
	// Scheduled reports which driver faults of the lab's description were on when they were last looked at.
	Scheduled []bool `json:"scheduled,omitempty"`
}

// Port is the state of a port.
type Port struct {
	// Check is a time of a health check: the start of the driver, or the end of the wait during which the interval changed.
	// Interval is the interval from then on, in seconds, 0 for the default; Wait is the wait that ends at Check.
	Check    time.Duration `json:"check_ns,omitempty"`
	Interval uint32        `json:"interval_s,omitempty"`
	Wait     time.Duration `json:"wait_ns,omitempty"`
	// Seen is when self-healing last did what was due.
	Seen time.Duration `json:"seen_ns,omitempty"`
	// Restarts counts the restarts by self-healing since the driver was loaded, Failures the firmware commands that failed.
	Restarts int `json:"restarts,omitempty"`
	Failures int `json:"failures,omitempty"`
	// Reported are the sensors that have reported since the driver was loaded.
	Reported health.Sensor `json:"reported,omitempty"`
	// Resetting reports that the driver starts after a reset.
	Resetting bool `json:"resetting,omitempty"`
	// Held are the priorities of the sends that a pause held at the last check, while the head-of-queue limit is off; HeldAt is the number of
	// frames sent at them, and HeldChecks the number of checks without progress.
	Held       uint16 `json:"held,omitempty"`
	HeldAt     uint64 `json:"held_at,omitempty"`
	HeldChecks int    `json:"held_checks,omitempty"`
	// Faults are the present faults, ordered by name and function. The list is replaced and never changed.
	Faults []Active `json:"faults,omitempty"`
}

// Active is a present fault.
type Active struct {
	Name string `json:"name"`
	// Function is the virtual function, nil for the port itself.
	Function *int `json:"function,omitempty"`
	// Since is when it began, counted from the lab's start.
	Since time.Duration `json:"since_ns"`
	// Count is the number of checks without progress, or of repetitions.
	Count int `json:"count,omitempty"`
	// Tier is 1 when self-healing has restarted the driver of a virtual function, 2 when that needs a restart by hand.
	Tier int `json:"tier,omitempty"`
}

// New returns the state of a host with some ports.
func New(ports int) State { return State{Ports: make([]Port, ports)} }

// Clone returns an independent copy.
func (s *State) Clone() State { return State{slices.Clone(s.Ports), slices.Clone(s.Scheduled)} }

// matches reports whether a fault has a name, and is of the port (nil) or of a virtual function.
func (a *Active) matches(name string, function *int) bool {
	return a.Name == name && (a.Function == nil) == (function == nil) && (function == nil || *function == *a.Function)
}

func (p *Port) find(name string, function *int) int {
	return slices.IndexFunc(p.Faults, func(a Active) bool { return a.matches(name, function) })
}

// Has reports whether the port itself has a fault.
func (p *Port) Has(name string) bool { return p.find(name, nil) >= 0 }

// add adds a fault; remove removes it.
func (p *Port) add(a Active) {
	list := append(slices.Clone(p.Faults), a)
	slices.SortFunc(list, func(a, b Active) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(functionNumber(a.Function), functionNumber(b.Function)))
	})
	p.Faults = list
}

func (p *Port) remove(gone func(a *Active) bool) {
	var list []Active
	for i := range p.Faults {
		if a := &p.Faults[i]; !gone(a) {
			list = append(list, *a)
		}
	}
	p.Faults = list
}

// change changes the fault at an index.
func (p *Port) change(at int, do func(a *Active)) {
	list := slices.Clone(p.Faults)
	do(&list[at])
	p.Faults = list
}

func functionNumber(function *int) int {
	if function == nil {
		return -1
	}
	return *function
}

var errDamaged = errors.New("the saved state of self-healing is damaged")

// Validate returns why a saved state does not fit a lab of some ports at a moment.
func (s *State) Validate(ports int, now time.Duration) error {
	if len(s.Ports) != ports {
		return errDamaged
	}
	for i := range s.Ports {
		p := &s.Ports[i]
		if p.Check < 0 || p.Wait < 0 || p.Seen < 0 || p.Seen > now || p.Restarts < 0 || p.Failures < 0 || p.HeldChecks < 0 || len(p.Faults) > len(All())*(counter.MaxFunctions+1) {
			return errDamaged
		}
		for j := range p.Faults {
			a := &p.Faults[j]
			f := Find(a.Name)
			if f == nil || a.Since < 0 || a.Since > now || a.Count < 0 || a.Tier < 0 || a.Tier > 2 || f.OfFunction() != (a.Function != nil) ||
				a.Function != nil && (*a.Function < 0 || *a.Function >= counter.MaxFunctions) {
				return errDamaged
			}
		}
	}
	return nil
}

// sendHang is the lab's fault of send queues without progress.
const sendHang = "send-hang"

// functionHang is the fault of a virtual function whose send queues make no progress.
const functionHang = "vf-send-hang"

// queueHeadOff is the fault that turns the head-of-queue limit off.
const queueHeadOff = "head-of-queue-off"

// QueueHeadOff reports that the head-of-queue limit of a port is off by a fault: a pause holds packets without limit (SH-8).
func (s *State) QueueHeadOff(port int) bool { return s.Ports[port].Has(queueHeadOff) }

// KeepHang adds the hang of a port that a version without self-healing has saved; due is the time of its detection.
func (s *State) KeepHang(port int, due time.Duration) {
	a := Active{Name: sendHang, Since: max(due-health.StuckAfter(health.HardwareSend, 0, 0), 0)}
	if !s.Ports[port].Has(a.Name) {
		s.Ports[port].add(a)
	}
}
