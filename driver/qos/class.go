package qos

import (
	"errors"
	"fmt"
	"strings"

	"cxdeck/device/setup"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/request"
)

// Class is a traffic class: priorities that share a percentage of the bandwidth, or have strict precedence.
type Class struct {
	Name      string    `json:"name"`
	Algorithm Algorithm `json:"algorithm"`
	// Bandwidth is the percentage of an ETS class, 1 to 100; a strict class has none.
	Bandwidth  int        `json:"bandwidth,omitempty"`
	Priorities Priorities `json:"priorities"`
}

// Algorithm is the transmission selection algorithm of a class.
type Algorithm string

// The algorithms.
const (
	ETS    Algorithm = "ETS"
	Strict Algorithm = "Strict"
)

// DefaultClass is the name of the class of all priorities that no other class has. It always exists and can't be removed.
const DefaultClass = "[Default]"

// maxClasses is the maximum number of classes of a host besides the default class: adapters have eight classes.
const maxClasses = 7

// UnknownClassError is a traffic class that the host does not have.
type UnknownClassError struct{ Name string }

// Error names the class and the remedy.
func (e *UnknownClassError) Error() string {
	return fmt.Sprintf("there is no traffic class %q; %s lists them", e.Name, cmdlet.New("Get-NetQosTrafficClass"))
}

// ShareError is a class whose share would make the total exceed 100%.
type ShareError struct{ Asked, Left int }

// Error returns the remaining percentage.
func (e *ShareError) Error() string {
	return fmt.Sprintf("the shares of the ETS classes must not exceed 100%%: %d%% was requested, and %d%% is left", e.Asked, e.Left)
}

func (s *State) findClass(name string) (int, error) {
	for i := range s.Classes {
		if strings.EqualFold(s.Classes[i].Name, name) {
			return i, nil
		}
	}
	return 0, &UnknownClassError{name}
}

// rest returns the share and the priorities of the default class.
func (s *State) rest() (percent int, priorities Priorities) {
	percent, priorities = 100, AllPriorities
	for _, c := range s.Classes {
		percent, priorities = percent-c.Bandwidth, priorities&^c.Priorities
	}
	return percent, priorities
}

// checkClass returns why a class can't replace the named class, or can't be added when the name is empty.
func (s *State) checkClass(c Class, replaced string) error {
	if err := request.CheckName("traffic class", c.Name); err != nil {
		return err
	}
	if strings.EqualFold(c.Name, DefaultClass) {
		return errors.New(DefaultClass + " is the class of all priorities that no other class has; choose another name")
	}
	others := State{Classes: make([]Class, 0, len(s.Classes))}
	for _, other := range s.Classes {
		if replaced == "" || !strings.EqualFold(other.Name, replaced) {
			others.Classes = append(others.Classes, other)
		}
	}
	if _, err := others.findClass(c.Name); err == nil {
		return request.Errorf("there is a traffic class %q already", c.Name)
	}
	if len(others.Classes) >= maxClasses {
		return fmt.Errorf("the host already has the maximum of %d traffic classes besides %s", maxClasses, DefaultClass)
	}
	switch {
	case c.Algorithm != ETS && c.Algorithm != Strict:
		return request.Errorf("the algorithm of a traffic class must be %s or %s, not %q", ETS, Strict, c.Algorithm)
	case c.Algorithm == Strict && c.Bandwidth != 0:
		return errors.New("a strict class has no share: it has precedence over all other classes")
	case c.Algorithm == ETS && (c.Bandwidth < 1 || c.Bandwidth > 100):
		return fmt.Errorf("the share of an ETS class must be 1 to 100 percent, not %d", c.Bandwidth)
	case c.Priorities == 0:
		return errors.New("a priority is required for a traffic class")
	}
	for _, other := range others.Classes {
		if both := other.Priorities & c.Priorities; both != 0 {
			return request.Errorf("%s is in the traffic class %q already; a priority has one class", both.Words(), other.Name)
		}
	}
	if left, _ := others.rest(); c.Bandwidth > left {
		return &ShareError{c.Bandwidth, left}
	}
	return nil
}

// Configure sets PFC and the traffic classes in the setup of a port, as Windows passes them to its driver. A port whose adapter
// has QoS off gets neither; without classes every priority has its own share (QOS-5).
func (s *State) Configure(port int, p *setup.Port) {
	limits := s.Ports[port].Limits
	p.Limits = limits
	if p.Lossless = s.Lossless(port); !s.requestsDCB(port) || len(s.Classes) == 0 {
		return
	}
	p.Shares, p.StrictPriorities, p.Joined, p.Limits = [8]float64{}, 0, [8]uint8{}, [8]int{}
	join := func(number int, c Class) {
		list := c.Priorities.List()
		if len(list) == 0 {
			return
		}
		leader := list[len(list)-1] // strict classes go by their highest priority (QOS-6)
		p.Shares[leader], p.Limits[leader] = float64(c.Bandwidth), limits[number]
		for _, priority := range list {
			p.Joined[priority] = uint8(leader) + 1
			if c.Algorithm == Strict {
				p.StrictPriorities |= 1 << priority
			}
		}
	}
	for i, c := range s.Classes {
		join(i+1, c)
	}
	percent, priorities := s.rest()
	join(0, Class{Algorithm: ETS, Bandwidth: percent, Priorities: priorities})
}

// requestsDCB reports whether Windows requests PFC and traffic classes from the adapter of a port; a driver without *QOS ignores it.
func (s *State) requestsDCB(port int) bool { return s.Installed && s.Ports[port].Enabled }

// Lossless returns the priorities for which Windows requests PFC from the adapter of a port.
func (s *State) Lossless(port int) uint8 {
	if !s.requestsDCB(port) {
		return 0
	}
	return uint8(s.flowControl(port))
}
