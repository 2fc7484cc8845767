package mux

import (
	"slices"
	"strings"

	"cxdeck/driver/request"
)

// Windows Server has two settings where the model has a type of team: the teaming mode, which defines the part of the switch,
// and the load balancing algorithm, which distributes frames over the members (TEAM-15). This file maps between both.

// The teaming modes of Windows.
const (
	SwitchIndependent = "SwitchIndependent"
	StaticMode        = "Static"
	LacpMode          = "Lacp"
)

// The load balancing algorithms of Windows. Dynamic and HyperVPort also distribute received frames.
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

// WindowsType returns the type of a Windows team with a mode and an algorithm, and without a standby adapter.
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

// Algorithm returns the default load balancing algorithm of a Windows team of a type.
func (t Type) Algorithm() string {
	if t == ALB {
		return Dynamic
	}
	return TransportPorts
}

// Allows reports whether a Windows team of a type can have a load balancing algorithm. A team with a standby adapter can have
// any; it takes effect when no adapter is on standby any more.
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
	return "", request.Errorf("the load balancing algorithm must be one of %s, not %q", strings.Join(Algorithms(), ", "), s)
}
