package mux

import (
	"fmt"

	"cxdeck/device/description"
)

// local is the bit of the first byte of a MAC address that marks it as locally administered.
const local = 0x02

// Address returns the MAC address of a team (TEAM-11) from a member's: the same address if it was set from that member,
// otherwise one marked as locally administered.
func Address(member description.MAC, set bool) description.MAC {
	if !set {
		member[0] |= local
	}
	return member
}

// The ids and priorities that a VLAN can have (TEAM-13).
const (
	MinID       = 1
	MaxID       = 4094
	MaxPriority = 7
)

// CheckVLAN returns why an id or a priority of a VLAN is invalid.
func CheckVLAN(id, priority int) error {
	switch {
	case id < MinID || id > MaxID:
		return fmt.Errorf("the id of a VLAN must be %d to %d, not %d", MinID, MaxID, id)
	case priority < 0 || priority > MaxPriority:
		return fmt.Errorf("the priority of a VLAN must be 0 to %d, not %d", MaxPriority, priority)
	}
	return nil
}
