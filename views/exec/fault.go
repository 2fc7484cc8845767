package exec

import (
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/health/healing"
)

// Fault is a fault that an operator injects: of the lab, or of a driver and its firmware.
type Fault struct {
	// Kind is the fault of the lab, if Driver is nil.
	Kind description.FaultKind
	// Driver is the fault of the driver or the firmware.
	Driver *healing.Fault
}

// Faults returns all faults: the faults of the lab in their order, and then the faults of drivers.
func Faults() (list []Fault) {
	for _, kind := range description.FaultKinds() {
		list = append(list, Fault{Kind: kind})
	}
	for _, f := range healing.All() {
		if !f.Own {
			list = append(list, Fault{Driver: &f})
		}
	}
	return list
}

// FaultWord returns the name of a fault of the lab in commands, such as bad-cable.
func FaultWord(kind description.FaultKind) string {
	word, _ := kind.MarshalText() // no error for a kind of the table
	return string(word)
}

// Word returns the name in commands, What a phrase.
func (f Fault) Word() string {
	if f.Driver != nil {
		return f.Driver.Name
	}
	return FaultWord(f.Kind)
}

// What returns the fault as a phrase: "a bad cable".
func (f Fault) What() string {
	if f.Driver != nil {
		return f.Driver.What
	}
	return f.Kind.String()
}

// ByFunction reports whether a virtual function causes the fault.
func (f Fault) ByFunction() bool {
	if f.Driver != nil {
		return f.Driver.OfFunction()
	}
	return f.Kind.ByFunction()
}

// Share returns the share that an operator has set at a port.
func (f Fault) Share(h *driver.Host, port int) float64 {
	switch {
	case f.Driver == nil:
		return h.Lab().Fault(port, f.Kind)
	case h.HasFault(port, f.Driver.Name):
		return 1
	}
	return 0
}

// Set returns the Operation that sets the fault at a port, or at a virtual function if function is not nil; it clears the fault if
// share is 0.
func (f Fault) Set(connection string, function *int, share float64) driver.Operation {
	switch {
	case f.Driver != nil:
		return healing.InjectFault{Connection: connection, Function: function, Fault: f.Driver.Name, On: share > 0}
	case function != nil:
		return hardware.SetFunctionFault{Connection: connection, Function: *function, Fault: f.Kind, Share: share}
	}
	return hardware.SetFault{Connection: connection, Fault: f.Kind, Share: share}
}

// Read implements Argument: it finds a fault by its name, in any case.
func (f *Fault) Read(_ *Call, text, _ string) error {
	var words []string
	for _, fault := range Faults() {
		if strings.EqualFold(fault.Word(), text) {
			*f = fault
			return nil
		}
		words = append(words, fault.Word())
	}
	return Mistake("there is no fault %q%s", text, Suggest(text, words, "choose from "+strings.Join(words, ", ")))
}
