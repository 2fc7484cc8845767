package reach

import "fmt"

// Reason is the reason why traffic finds no receiver; the zero value is NoReason, for traffic that finds one.
type Reason uint8

// The reasons; a reason precedes the reasons that it hides.
const (
	NoReason        Reason = iota
	NoTransport            // its programs use only RDMA, and the port has no RDMA, or another kind than its peers
	NoGID                  // its port has no GID for its address
	NoConnections          // the port has no room for all its RDMA connections
	NoMachine              // its virtual machines are removed, stopped or blocked
	NoCarrier              // no member of its team carries traffic
	NoLink                 // the link is down
	NoPath                 // the subnet administrator does not answer the queries for its path
	NotForwarded           // the switch does not forward its VLAN
	NoMiniport             // no adapter of the host has its VLAN
	TeamBroken             // its team drops it
	FrameDisallowed        // virtual functions may not send frames of this type
	OverLength             // its frames exceed the maximum frame size of the port or of the switch
)

// Reasons is a set of reasons.
type Reasons uint16

// Add adds a reason.
func (r *Reasons) Add(why Reason) { *r |= 1 << why }

// First returns the first reason of the set that others lacks; if others has them all, the first reason of the set; NoReason for
// an empty set.
func (r Reasons) First(others Reasons) Reason {
	for _, set := range [...]Reasons{r &^ others, r} {
		for why := NoTransport; why <= OverLength; why++ {
			if set>>why&1 == 1 {
				return why
			}
		}
	}
	return NoReason
}

// Clause returns the reason as a clause about traffic at a place, a connection or, for a team, "the team X", with the VLAN of its
// frames; vlan reports that the VLAN is the reason. It is empty for reasons that depend on the machines: NoReason and NoMachine.
func (why Reason) Clause(on string, team bool, id int) (clause string, vlan bool) {
	switch why {
	case NoTransport:
		if team {
			return "its programs use only RDMA, which teams do not support", false
		}
		return "its programs use only RDMA, which " + on + " does not support, or not in the mode of its peers", false
	case NoGID:
		return on + " has no GID for its address", false
	case NoConnections:
		return on + " has no room for all its RDMA connections; raise LogNumRdmaRc and LogNumQP", false
	case NoCarrier:
		return "no member of " + on + " carries traffic", false
	case NoLink:
		return "the link of " + on + " is not up", false
	case NoPath:
		return "the subnet administrator does not answer the path queries of " + on, false
	case NotForwarded:
		if id == 0 {
			return "the switch does not forward its VLAN to " + on, true
		}
		return fmt.Sprintf("the switch does not forward VLAN %d to %s", id, on), true
	case NoMiniport:
		return fmt.Sprintf("%s has no adapter for VLAN %d; add the VLAN there", on, id), true
	case TeamBroken:
		return on + " drops it", false
	case FrameDisallowed:
		return "virtual functions may not send frames of this type", false
	case OverLength:
		return "its frames are longer than " + on + " accepts or the switch forwards", false
	case NoReason, NoMachine:
	}
	return "", false
}
