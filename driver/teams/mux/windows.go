package mux

import (
	"fmt"
	"slices"
	"strings"
)

// Windows Server has two settings where the model has a type of team: the teaming mode, which says how the switch takes
// part, and the load balancing algorithm, which says how frames are spread (TEAM-15). What is here is the one mapping
// between both.

// The teaming modes of Windows.
const (
	SwitchIndependent = "SwitchIndependent"
	StaticMode        = "Static"
	LacpMode          = "Lacp"
)

// The load balancing algorithms of Windows. Dynamic and HyperVPort also spread what is received.
const (
	Dynamic        = "Dynamic"
	HyperVPort     = "HyperVPort"
	TransportPorts = "TransportPorts"
	IPAddresses    = "IPAddresses"
	MacAddresses   = "MacAddresses"
)

// Modes returns all teaming modes of Windows; the first is its default.
func Modes() []string { return []string{SwitchIndependent, StaticMode, LacpMode} }

// Algorithms returns all load balancing algorithms of Windows; the first is its default.
func Algorithms() []string {
	return []string{Dynamic, HyperVPort, TransportPorts, IPAddresses, MacAddresses}
}

// WindowsType returns the type of a team without a standby adapter that has two settings of Windows.
func WindowsType(mode, algorithm string) Type {
	switch {
	case mode == StaticMode:
		return SLA
	case mode == LacpMode:
		return LACP
	case algorithm == Dynamic || algorithm == HyperVPort:
		return ALB
	}
	return SLB
}

// Mode returns the teaming mode of Windows for a type.
func (t Type) Mode() string {
	switch t {
	case SLA:
		return StaticMode
	case LACP:
		return LacpMode
	default:
		return SwitchIndependent
	}
}

// Algorithm returns the load balancing algorithm of a team of Windows of a type for which none was chosen.
func (t Type) Algorithm() string {
	if t == ALB {
		return Dynamic
	}
	return TransportPorts
}

// Allows reports whether a team of Windows of a type can have a load balancing algorithm. A team with a standby adapter can
// have any, which counts again when none stands by.
func (t Type) Allows(algorithm string) bool {
	return slices.Contains(Algorithms(), algorithm) && (t.FaultTolerant() || WindowsType(t.Mode(), algorithm) == t)
}

// ParseAlgorithm reads a load balancing algorithm in any case. An example of Microsoft's has HyperVPorts for HyperVPort.
func ParseAlgorithm(s string) (string, error) {
	for _, word := range Algorithms() {
		if strings.EqualFold(s, word) || word == HyperVPort && strings.EqualFold(s, word+"s") {
			return word, nil
		}
	}
	return "", fmt.Errorf("the load balancing algorithm must be one of %s, not %q", strings.Join(Algorithms(), ", "), s)
}
