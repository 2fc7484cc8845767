package healing

import (
	"errors"
	"fmt"

	"cxdeck/device/description"
	"cxdeck/driver/request"
)

// InjectFault injects a fault of the driver or the firmware, or clears it.
type InjectFault struct {
	// Connection is the connection: "Ethernet 7".
	Connection string `json:"connection"`
	// Function is the number of a virtual function, nil for the port itself.
	Function *int `json:"function,omitempty"`
	// Fault is the name of the fault: "cq-error".
	Fault string `json:"fault"`
	// On injects it, otherwise it is cleared.
	On bool `json:"on"`
}

// ResetDevice asks the driver for a software reset of a card, as mlxtool dbg sw-reset does. It can't be undone.
type ResetDevice struct {
	// Adapter is the card's name: "ConnectX-3 Pro".
	Adapter string `json:"adapter"`
}

func (InjectFault) Kind() string { return "inject-fault" }
func (ResetDevice) Kind() string { return "reset-device" }

func (o InjectFault) Target() string { return o.Connection }
func (o ResetDevice) Target() string { return o.Adapter }

// where names the object of the fault.
func (o InjectFault) where() string {
	if o.Function != nil {
		return fmt.Sprintf("VF %d of %s", *o.Function, o.Connection)
	}
	return o.Connection
}

func (o InjectFault) Describe() string {
	what := o.Fault
	if f := Find(o.Fault); f != nil {
		what = f.What
	}
	if o.On {
		return fmt.Sprintf("inject a fault at %s: %s", o.where(), what)
	}
	return fmt.Sprintf("clear the fault at %s: %s", o.where(), what)
}

func (o ResetDevice) Describe() string {
	return "reset the device of " + o.Adapter + " with all its ports"
}

// Commands is empty: a fault has no command on a real host.
func (InjectFault) Commands() []string { return nil }

// Commands is empty: the command names the card by its place on the bus, which CommandsAt knows.
func (ResetDevice) Commands() []string { return nil }

// CommandsAt returns the command of the driver's tool.
func (o ResetDevice) CommandsAt(s Set) []string {
	card, err := s.Card(o.Adapter)
	if err != nil {
		return nil
	}
	pci := s.Lab().Description().Adapters[card].PCI
	return []string{fmt.Sprintf("mlxtool dbg sw-reset %d %d %d", pci.Bus, pci.Device, pci.Function)}
}

// Touches returns what it changes.
func (o InjectFault) Touches() []string {
	return []string{fmt.Sprintf("the fault %s of %s", o.Fault, o.where())}
}

// Touches is empty: a reset leaves the host as it was.
func (ResetDevice) Touches() []string { return nil }

func (o InjectFault) Inverse(s Set) (Operation, error) {
	port, err := s.Port(o.Connection)
	if err != nil {
		return nil, err
	}
	f := Find(o.Fault)
	switch {
	case f == nil || f.Own:
		return nil, request.Errorf("there is no fault %q of a driver", o.Fault)
	case f.OfFunction() != (o.Function != nil):
		return nil, fmt.Errorf("%s is a fault of %s", o.Fault, map[bool]string{true: "a virtual function", false: "a port"}[f.OfFunction()])
	}
	has := s.Ports[port].find(o.Fault, o.Function) >= 0
	switch {
	case has && o.On:
		return nil, request.Unchanged("the fault is set already")
	case !has && !o.On:
		return nil, request.Unchanged("the fault is not set")
	case o.On:
		if err := s.canInject(port, f, &o); err != nil {
			return nil, err
		}
	}
	return InjectFault{o.Connection, o.Function, o.Fault, !o.On}, nil
}

// canInject returns why a port can't have a fault.
func (s Set) canInject(port int, f *Fault, o *InjectFault) error {
	d, _, _ := s.Lab().Port(port)
	switch {
	case !f.appliesTo(s.family(port)):
		other := map[description.Family]string{description.WinOF: "WinOF-2", description.WinOF2: "WinOF"}[s.family(port)]
		return fmt.Errorf("%s is a fault of %s, and %s has another driver", f.Name, other, d.Connection)
	case f.Link == "infiniband" && d.Link != description.InfiniBand:
		return fmt.Errorf("%s is a fault of InfiniBand ports", f.Name)
	case f.When != AtStart && f.When != AtReset && f.When != InState && !s.Running(port):
		return request.ErrNotRunning
	}
	if o.Function != nil {
		open := s.Lab().VirtualFunctions(port)
		switch {
		case open == 0:
			return errors.New("the port has no virtual functions")
		case *o.Function < 0 || *o.Function >= open:
			return fmt.Errorf("the port has the virtual functions 0 to %d, not %d", open-1, *o.Function)
		}
	}
	if f.Lab != "" {
		var kind description.FaultKind
		if err := kind.UnmarshalText([]byte(f.Lab)); err == nil && s.Lab().Fault(port, kind) > 0 {
			return fmt.Errorf("the port has the fault %s, which %s includes: clear it first", f.Lab, f.Name)
		}
	}
	return nil
}

func (o InjectFault) Apply(s Set) error {
	port, err := s.Port(o.Connection)
	if err != nil {
		return err
	}
	f, p := Find(o.Fault), &s.Ports[port]
	s.setLab(port, f, o.On)
	if !o.On {
		p.remove(func(a *Active) bool { return a.matches(o.Fault, o.Function) })
	} else {
		p.add(Active{Name: o.Fault, Function: o.Function, Since: s.Lab().Elapsed()})
	}
	switch o.Fault {
	case queueHeadOff:
		s.Configure(port)
	case functionHang:
		s.FunctionsChanged()
	}
	if !o.On {
		return nil
	}
	if f.When == AtOnce {
		s.report(port, p.find(o.Fault, o.Function))
	}
	return nil
}

// Inverse is nil: a reset leaves the host as it was.
func (o ResetDevice) Inverse(s Set) (Operation, error) {
	card, err := s.Card(o.Adapter)
	if err != nil {
		return nil, err
	}
	ports := s.portsOf(card)
	if s.family(ports[0]) != description.WinOF {
		return nil, errors.New("its driver is WinOF-2, which has no software reset")
	}
	if v, ok := s.Effective(ports[0], "AllowResetOnError", "bus-driver"); ok && v.Exists() && v.Number() == 0 {
		return nil, errors.New("AllowResetOnError is 0: the driver does not reset the device")
	}
	running := false
	for _, port := range ports {
		running = running || s.Running(port)
		if program := s.userProgram(port); program != "" {
			return nil, fmt.Errorf("a program uses the device: %s; a software reset needs a device that no program uses", program)
		}
	}
	if !running {
		return nil, request.ErrNotRunning
	}
	return nil, nil
}

// portsOf returns the ports of a card.
func (s Set) portsOf(card int) (ports []int) {
	for port := range s.Ports {
		if _, a, _ := s.Lab().Port(port); a == card {
			ports = append(ports, port)
		}
	}
	return ports
}

// userProgram returns a workload whose program uses the RDMA of a port from user space, empty for none: SMB runs in the kernel.
func (s Set) userProgram(port int) string {
	if s.Lab().Fault(port, description.ApplicationExit) > 0 {
		return ""
	}
	flows := s.Lab().Description().Flows
	for i, state := range s.Lab().Flows() {
		f := &flows[i]
		if state.Port == port && state.Protocol == description.RDMA && !f.Virtual && !f.Application.SMB() && state.ReceiveRate+state.SendRate > 0 {
			return f.Name
		}
	}
	return ""
}

func (o ResetDevice) Apply(s Set) error {
	card, err := s.Card(o.Adapter)
	if err != nil {
		return err
	}
	for _, port := range s.portsOf(card) {
		if s.Running(port) {
			s.resetBySoftware(port)
		}
	}
	return nil
}

// resetBySoftware resets a port whose reset a program requested: no sensor reported, and the count stays.
func (s Set) resetBySoftware(port int) {
	p := &s.Ports[port]
	d, _, _ := s.Lab().Port(port)
	if p.Has(resetFails) {
		s.Note(port, "mlx4.sh-flow-failed", d.Device, resetError, bits(0))
		s.Note(port, "mlx4.eth-reset-failed")
		return
	}
	p.Resetting = true
	s.Restart(port)
	s.Note(port, "mlx4.eth-reset")
}

// InjectAt injects a fault at some ports.
func (s Set) InjectAt(ports []int, fault string) error {
	for _, port := range ports {
		d, _, _ := s.Lab().Port(port)
		if err := (InjectFault{Connection: d.Connection, Fault: fault, On: true}).Apply(s); err != nil {
			return err
		}
	}
	return nil
}
