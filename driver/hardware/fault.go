package hardware

import (
	"errors"
	"fmt"

	"cxdeck/device/description"
	"cxdeck/driver/request"
)

// SetFault injects a fault at a port, or clears it.
type SetFault struct {
	// Connection is the connection: "Ethernet 7".
	Connection string `json:"connection"`
	// Fault is the kind of fault: "bad-cable", "few-receives" and so on; see description.FaultKind.
	Fault description.FaultKind `json:"fault"`
	// Share is the severity of the fault: 0 for none, at most 1.
	Share float64 `json:"share"`
}

// SetDropless enters or leaves dropless mode, in which packets that find no receive descriptor wait for one.
type SetDropless struct {
	Connection string `json:"connection"`
	On         bool   `json:"on"`
}

func (SetFault) Kind() string    { return "set-fault" }
func (SetDropless) Kind() string { return "set-dropless" }

func (o SetFault) Target() string    { return o.Connection }
func (o SetDropless) Target() string { return o.Connection }

func (o SetFault) Describe() string {
	switch o.Share {
	case 0:
		return fmt.Sprintf("clear the fault at %s: %s", o.Connection, o.Fault)
	case 1:
		return fmt.Sprintf("inject a fault at %s: %s", o.Connection, o.Fault)
	}
	return fmt.Sprintf("inject a fault at %s: %s, at %g%%", o.Connection, o.Fault, o.Share*100)
}

func (o SetDropless) Describe() string {
	if o.On {
		return "enter dropless mode on " + o.Connection
	}
	return "leave dropless mode on " + o.Connection
}

// Commands is empty: a fault has no command on a real host.
func (SetFault) Commands() []string { return nil }

// Commands is empty: only programs can send the drivers the request for it (OID_MLX_DROPLESS_MODE).
func (SetDropless) Commands() []string { return nil }

func (o SetFault) Inverse(h Host) (Operation, error) {
	port, err := h.Port(o.Connection)
	if err != nil {
		return nil, err
	}
	switch {
	case o.Share == 0:
	case o.Fault == description.SendHang && !h.Running(port):
		return nil, request.ErrNotRunning
	case o.Fault == description.LinkFlap && h.CarriesSession(port):
		return nil, errors.New("it carries your session: mark another connection for your session first")
	}
	return SetFault{o.Connection, o.Fault, h.Lab().Fault(port, o.Fault)}, nil
}

func (o SetFault) Apply(h Host) error {
	port, err := h.Port(o.Connection)
	if err != nil {
		return err
	}
	if err := h.Lab().SetFault(port, o.Fault, o.Share); err != nil {
		return err
	}
	h.FaultChanged(port, o.Fault, o.Share > 0)
	return nil
}

func (o SetDropless) Inverse(h Host) (Operation, error) {
	port, err := h.Port(o.Connection)
	if err != nil {
		return nil, err
	}
	switch {
	case !h.Running(port):
		return nil, request.ErrNotRunning
	case h.Lab().Dropless(port) == o.On && o.On:
		return nil, request.Unchanged("it is in dropless mode already")
	case h.Lab().Dropless(port) == o.On:
		return nil, request.Unchanged("it is not in dropless mode")
	}
	return SetDropless{o.Connection, !o.On}, nil
}

func (o SetDropless) Apply(h Host) error {
	port, err := h.Port(o.Connection)
	if err != nil {
		return err
	}
	if err := h.Lab().SetDropless(port, o.On); err != nil {
		return err
	}
	h.DroplessChanged(port, o.On)
	return nil
}

// SetFunctionFault injects a fault into a virtual function, or clears it.
type SetFunctionFault struct {
	Connection string `json:"connection"`
	// Function is its number.
	Function int `json:"function"`
	// Fault is one of device.FunctionFaults.
	Fault description.FaultKind `json:"fault"`
	// Share is the severity of the fault: 0 for none, at most 1.
	Share float64 `json:"share"`
}

func (SetFunctionFault) Kind() string { return "set-function-fault" }

func (o SetFunctionFault) Target() string { return o.Connection }

func (o SetFunctionFault) Describe() string {
	return SetFault{fmt.Sprintf("VF %d of %s", o.Function, o.Connection), o.Fault, o.Share}.Describe()
}

// Commands is empty: a fault has no command on a real host.
func (SetFunctionFault) Commands() []string { return nil }

func (o SetFunctionFault) Inverse(h Host) (Operation, error) {
	port, err := h.Port(o.Connection)
	if err != nil {
		return nil, err
	}
	return SetFunctionFault{o.Connection, o.Function, o.Fault, h.Lab().FunctionFault(port, o.Function, o.Fault)}, nil
}

func (o SetFunctionFault) Apply(h Host) error {
	port, err := h.Port(o.Connection)
	if err != nil {
		return err
	}
	return h.Lab().SetFunctionFault(port, o.Function, o.Fault, o.Share)
}

func (o SetFunctionFault) OnFunction() (connection string, function int) {
	return o.Connection, o.Function
}
