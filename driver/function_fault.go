package driver

import (
	"fmt"

	"cxdeck/device/description"
)

// SetFunctionFault makes a virtual function misbehave, or behave again.
type SetFunctionFault struct {
	Connection string `json:"connection"`
	// Function is its number.
	Function int `json:"function"`
	// Fault is one of device.FunctionFaults.
	Fault description.FaultKind `json:"fault"`
	// Share is how bad it is: 0 is not at all, 1 the most.
	Share float64 `json:"share"`
}

func (SetFunctionFault) Kind() string { return "set-function-fault" }

func (o SetFunctionFault) Target() string { return o.Connection }

func (o SetFunctionFault) Describe() string {
	return SetFault{fmt.Sprintf("VF %d of %s", o.Function, o.Connection), o.Fault, o.Share}.Describe()
}

// Commands is empty: nobody types a fault.
func (SetFunctionFault) Commands() []string { return nil }

func (o SetFunctionFault) inverse(h *Host) (Operation, error) {
	port, err := h.port(o.Connection)
	if err != nil {
		return nil, err
	}
	return SetFunctionFault{o.Connection, o.Function, o.Fault, h.lab.FunctionFault(port, o.Function, o.Fault)}, nil
}

func (o SetFunctionFault) apply(h *Host) error {
	port, err := h.port(o.Connection)
	if err != nil {
		return err
	}
	return h.lab.SetFunctionFault(port, o.Function, o.Fault, o.Share)
}
