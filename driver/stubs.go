package driver

import (
	"cmp"
	"errors"
)

var errNotYet = errors.New("this is not there yet")

// Kind is "set-value".
func (SetValue) Kind() string { return "set-value" }

// Target is what it changes.
func (o SetValue) Target() string { return cmp.Or(o.Connection, o.Adapter) }

// Describe says what it does.
func (o SetValue) Describe() string { return o.Kind() + " on " + o.Target() }

// Commands are what an operator would type.
func (SetValue) Commands() []string { return nil }

func (o SetValue) inverse(*Host) (Operation, error) { return nil, errNotYet }

func (o SetValue) apply(*Host) error { return errNotYet }

// Kind is "delete-value".
func (DeleteValue) Kind() string { return "delete-value" }

// Target is what it changes.
func (o DeleteValue) Target() string { return cmp.Or(o.Connection, o.Adapter) }

// Describe says what it does.
func (o DeleteValue) Describe() string { return o.Kind() + " on " + o.Target() }

// Commands are what an operator would type.
func (DeleteValue) Commands() []string { return nil }

func (o DeleteValue) inverse(*Host) (Operation, error) { return nil, errNotYet }

func (o DeleteValue) apply(*Host) error { return errNotYet }

// Kind is "scale-flow".
func (ScaleFlow) Kind() string { return "scale-flow" }

// Target is what it changes.
func (o ScaleFlow) Target() string { return o.Flow }

// Describe says what it does.
func (o ScaleFlow) Describe() string { return o.Kind() + " on " + o.Target() }

// Commands are what an operator would type.
func (ScaleFlow) Commands() []string { return nil }

func (o ScaleFlow) inverse(*Host) (Operation, error) { return nil, errNotYet }

func (o ScaleFlow) apply(*Host) error { return errNotYet }

// Kind is "set-switch-port".
func (SetSwitchPort) Kind() string { return "set-switch-port" }

// Target is what it changes.
func (o SetSwitchPort) Target() string { return o.Connection }

// Describe says what it does.
func (o SetSwitchPort) Describe() string { return o.Kind() + " on " + o.Target() }

// Commands are what an operator would type.
func (SetSwitchPort) Commands() []string { return nil }

func (o SetSwitchPort) inverse(*Host) (Operation, error) { return nil, errNotYet }

func (o SetSwitchPort) apply(*Host) error { return errNotYet }

// Kind is "set-slot".
func (SetSlot) Kind() string { return "set-slot" }

// Target is what it changes.
func (o SetSlot) Target() string { return o.Adapter }

// Describe says what it does.
func (o SetSlot) Describe() string { return o.Kind() + " on " + o.Target() }

// Commands are what an operator would type.
func (SetSlot) Commands() []string { return nil }

func (o SetSlot) inverse(*Host) (Operation, error) { return nil, errNotYet }

func (o SetSlot) apply(*Host) error { return errNotYet }

// Kind is "set-processor-speed".
func (SetProcessorSpeed) Kind() string { return "set-processor-speed" }

// Target is what it changes.
func (o SetProcessorSpeed) Target() string { return o.Connection }

// Describe says what it does.
func (o SetProcessorSpeed) Describe() string { return o.Kind() + " on " + o.Target() }

// Commands are what an operator would type.
func (SetProcessorSpeed) Commands() []string { return nil }

func (o SetProcessorSpeed) inverse(*Host) (Operation, error) { return nil, errNotYet }

func (o SetProcessorSpeed) apply(*Host) error { return errNotYet }
