package mux

import (
	"fmt"
	"strings"

	"cxdeck/driver/request"
)

// Type is the type of a team, with the number that vlan_config prints (TEAM-2).
type Type uint8

// The types of teams.
const (
	AFT  Type = iota + 1 // adapter fault tolerance
	SFT                  // switch fault tolerance
	SLB                  // send load balancing
	RLB                  // send and receive load balancing
	ALB                  // adaptive load balancing
	LACP                 // 802.3ad dynamic link aggregation; its name is 3AD
	SLA                  // static link aggregation
)

// Row describes a team type.
type Row struct {
	Type Type
	// Name is the word of vlan_config: "3AD"; Title is the name in full.
	Name, Title string
	// Benefit is the benefit to an operator, and Requirements are the requirements on members and switches; sentences without
	// their full stops.
	Benefit, Requirements string
}

// Types returns all types with their rows, in the order of their numbers.
func Types() []Row {
	return []Row{
		{AFT, "AFT", "adapter fault tolerance",
			"One member carries all traffic and the others are on standby; when it fails, the next one takes over",
			"Two members or more; any switch"},
		{SFT, "SFT", "switch fault tolerance",
			"As AFT, and a whole switch may fail",
			"Members that are cabled to different switches"},
		{SLB, "SLB", "send load balancing",
			"Sent traffic is distributed over all members; received traffic comes through the primary member",
			"Two members or more; any switch"},
		{RLB, "RLB", "send and receive load balancing",
			"Both directions are distributed over all members; each pair of addresses stays with its member",
			"Two members or more; any switch; peers that accept the MAC address in an ARP reply"},
		{ALB, "ALB", "adaptive load balancing",
			"As RLB, and pairs move away from an overloaded member",
			"Two members or more; any switch; peers that accept the MAC address in an ARP reply"},
		{LACP, "3AD", "dynamic link aggregation (802.3ad)",
			"Both directions are distributed over all members, as negotiated by LACP",
			"An aggregation group with LACP on the switch ports of all members"},
		{SLA, "SLA", "static link aggregation",
			"Both directions are distributed over all members, as configured on host and switch",
			"A static aggregation group on the switch ports of all members"},
	}
}

// String returns the word of vlan_config: "AFT", "3AD".
func (t Type) String() string {
	if rows := Types(); t >= AFT && t <= SLA {
		return rows[t-AFT].Name
	}
	return fmt.Sprintf("type %d", uint8(t))
}

// FaultTolerant reports whether exactly one member carries everything.
func (t Type) FaultTolerant() bool { return t == AFT || t == SFT }

// Aggregates reports whether the switch ports of the members must be an aggregation group.
func (t Type) Aggregates() bool { return t == LACP || t == SLA }

// misprinted is the word for SFT in an example of the manual.
const misprinted = "SFT2"

// ParseType reads the word of a type in any case (TEAM-2).
func ParseType(s string) (Type, error) {
	for _, row := range Types() {
		if strings.EqualFold(s, row.Name) {
			return row.Type, nil
		}
	}
	if strings.EqualFold(s, misprinted) {
		return SFT, nil
	}
	return 0, request.Errorf("invalid team type %q; use AFT, SFT, SLB, RLB, ALB, 3AD or SLA", s)
}
