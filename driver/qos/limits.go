package qos

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/ets"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/request"
)

// SetLimits limits the send rates of traffic classes of a WinOF adapter.
type SetLimits struct {
	Connection string  `json:"connection"`
	Limits     []Limit `json:"limits"`
}

// Limit is the maximum rate of a traffic class.
type Limit struct {
	// Class is the number of the class: 0 is the default class. Without classes the classes are the priorities.
	Class int `json:"class"`
	// Mbps is the rate in Mbit/s, which the adapter rounds down to a rate that it can store; 0 removes the limit.
	Mbps int `json:"mbps"`
}

func (SetLimits) Kind() string { return "set-class-limits" }

func (o SetLimits) Target() string { return o.Connection }

func (o SetLimits) Describe() string {
	words := make([]string, len(o.Limits))
	for i, l := range o.Limits {
		words[i] = fmt.Sprintf("%d to %d Mbit/s", l.Class, l.Mbps)
		if l.Mbps == 0 {
			words[i] = fmt.Sprintf("%d to the line rate", l.Class)
		}
	}
	return fmt.Sprintf("limit traffic classes of %s: %s", o.Connection, strings.Join(words, ", "))
}

// Commands returns the command of the vendor's tool, which can't remove a limit.
func (o SetLimits) Commands() []string {
	line := "mlxtool modify tc-bw " + cmdlet.Word(o.Connection)
	limited := false
	for _, l := range o.Limits {
		if l.Mbps > 0 {
			line += " " + strconv.Itoa(l.Class) + " " + strconv.Itoa(l.Mbps)
			limited = true
		}
	}
	if !limited {
		return nil
	}
	return []string{line}
}

// limits returns the limits of the port with the changes of an Operation.
func (o SetLimits) limits(s Set) (port int, limits ets.Limits, err error) {
	if port, err = s.ethernet(o.Connection); err != nil {
		return port, limits, err
	}
	if s.Lab().Family(port) != description.WinOF {
		return port, limits, fmt.Errorf("%s is a WinOF-2 adapter; only WinOF adapters limit traffic classes", o.Connection)
	}
	if len(o.Limits) == 0 {
		return port, limits, errors.New("a traffic class and a limit are required, such as 3 100")
	}
	limits = s.State.Ports[port].Limits
	for _, l := range o.Limits {
		if l.Class < 0 || l.Class >= len(limits) {
			return port, limits, fmt.Errorf("a traffic class must be 0 to %d, not %d", len(limits)-1, l.Class)
		}
		if l.Mbps < 0 || l.Mbps > maxMbps {
			return port, limits, fmt.Errorf("a limit must be 0 to %d Mbit/s, not %d", maxMbps, l.Mbps)
		}
		limits[l.Class] = 0
		if l.Mbps > 0 {
			limits[l.Class], _ = ets.RoundLimit(l.Mbps) // QOS-8
		}
	}
	return port, limits, nil
}

// maxMbps is above any line rate.
const maxMbps = 1_000_000

// Inverse restores the previous limits.
func (o SetLimits) Inverse(s Set) (Operation, error) {
	port, limits, err := o.limits(s)
	if err != nil {
		return nil, err
	}
	now := s.State.Ports[port].Limits
	if limits == now {
		return nil, request.Unchanged("the traffic classes have these limits already")
	}
	inverse := SetLimits{Connection: o.Connection}
	for class, limit := range now {
		if slices.ContainsFunc(o.Limits, func(l Limit) bool { return l.Class == class }) {
			inverse.Limits = append(inverse.Limits, Limit{class, limit})
		}
	}
	return inverse, nil
}

func (o SetLimits) Apply(s Set) error {
	port, limits, err := o.limits(s)
	if err != nil {
		return err
	}
	p := s.State.Ports[port]
	p.Limits = limits
	s.State.Ports = replaceAt(s.State.Ports, port, p)
	return s.Reclassify()
}
