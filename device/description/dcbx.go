package description

import (
	"errors"
	"fmt"
)

// DCBXMode is the version of Data Center Bridging Exchange that a switch port uses.
type DCBXMode uint8

// The versions. Adapters use IEEE 802.1Qaz; they ignore the TLVs of the earlier version, CEE.
const (
	NoDCBX DCBXMode = iota
	IEEE
	CEE
)

// Known reports whether it is a version of DCBX.
func (m DCBXMode) Known() bool { return int(m) < len(m.words()) }

// SwitchClass is a traffic class that a switch port recommends by DCBX: the ETS TLVs have its share and its priorities.
type SwitchClass struct {
	Priorities []int `toml:"priorities" json:"priorities" range:"1 8"`
	// Share is the percentage of the bandwidth, 0 for a strict class.
	Share int `toml:"share,omitempty" json:"share,omitempty" range:"0 100"`
}

// SwitchApplication is a row of the application priority TLV: the priority of a TCP, UDP or NetworkDirect port.
type SwitchApplication struct {
	// Port is the TCP or UDP port, or the NetworkDirect port of RDMA programs. 445 is for SMB and for SMB Direct.
	Port     int `toml:"port" json:"port" range:"1 65535"`
	Priority int `toml:"priority" json:"priority" range:"0 7"`
}

// The maximum numbers of traffic classes and application priorities of a switch port.
const (
	MaxSwitchClasses      = 8
	MaxSwitchApplications = 64
)

// CheckSwitchClasses rejects classes that no ETS TLV can have: a priority has one class, and the shares add up to 100 at most.
func CheckSwitchClasses(classes []SwitchClass) error {
	taken, left := uint16(0), 100
	if len(classes) > MaxSwitchClasses {
		return fmt.Errorf("a switch port has at most %d classes, not %d", MaxSwitchClasses, len(classes))
	}
	for _, c := range classes {
		if len(c.Priorities) == 0 {
			return errors.New("each class of a switch port requires a priority")
		}
		for _, p := range c.Priorities {
			if p < 0 || p > 7 {
				return fmt.Errorf("a priority must be 0 to 7, not %d", p)
			}
			if taken>>p&1 == 1 {
				return fmt.Errorf("priority %d is in two classes of a switch port", p)
			}
			taken |= 1 << p
		}
		if left -= c.Share; c.Share < 0 || left < 0 {
			return errors.New("the shares of a switch port's classes must be 0 to 100 percent, and at most 100 in total")
		}
	}
	return nil
}

// CheckSwitchApplications rejects rows that no application priority TLV can have: a port has one row.
func CheckSwitchApplications(rows []SwitchApplication) error {
	ports := map[int]bool{}
	for _, r := range rows {
		switch {
		case len(rows) > MaxSwitchApplications:
			return fmt.Errorf("a switch port has at most %d application priorities, not %d", MaxSwitchApplications, len(rows))
		case r.Port < 1 || r.Port > 65535:
			return fmt.Errorf("the port of an application priority must be 1 to 65535, not %d", r.Port)
		case r.Priority < 0 || r.Priority > 7:
			return fmt.Errorf("a priority must be 0 to 7, not %d", r.Priority)
		case ports[r.Port]:
			return fmt.Errorf("port %d has two application priorities", r.Port)
		}
		ports[r.Port] = true
	}
	return nil
}
