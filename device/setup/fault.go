package setup

import (
	"fmt"
	"math"

	"cxdeck/device/counter"
	"cxdeck/device/description"
)

// FaultShares is the share of each fault of a port, 0 for an absent one; FaultKind says what it is a share of.
type FaultShares [description.FaultCount]float64

func (f *FaultShares) check() error {
	for kind, share := range f {
		if err := CheckFault(description.FaultKind(kind), share); err != nil {
			return err
		}
	}
	return nil
}

// CheckFault rejects a share that a kind of faults can't have.
func CheckFault(kind description.FaultKind, share float64) error {
	if !kind.Known() {
		return fmt.Errorf("the lab has no fault %d", kind)
	}
	if !(share >= 0 && share <= 1) {
		return fmt.Errorf("the share of a fault must be 0 to 1, not %v", share)
	}
	if kind.Entire() && share != math.Trunc(share) {
		return fmt.Errorf("%s: the share must be 0 or 1, not %v", kind, share)
	}
	return nil
}

// FunctionFault is a misbehaviour of a virtual function.
type FunctionFault struct {
	Port, Function int
	Kind           description.FaultKind
	Share          float64
}

func (l *Lab) checkFunctionFaults(list []FunctionFault) error {
	if len(list) > len(l.Ports)*counter.MaxFunctions*int(description.FaultCount) {
		return errLengths
	}
	for _, f := range list {
		if f.Port < 0 || f.Port >= len(l.Ports) || f.Function < 0 || f.Function >= counter.MaxFunctions || !f.Kind.ByFunction() {
			return fmt.Errorf("port %d has no virtual function %d with the fault %v", f.Port, f.Function, f.Kind)
		}
		if err := CheckFault(f.Kind, f.Share); err != nil {
			return err
		}
	}
	return nil
}
