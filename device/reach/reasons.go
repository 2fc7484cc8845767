package reach

// Unreached is a reason why traffic finds no receiver.
type Unreached uint8

// The reasons; a reason precedes the reasons that it hides.
const (
	Reached      Unreached = iota
	NoTransport            // its programs use only RDMA, and the port has no RDMA, or another kind than its peers
	NoMachine              // its virtual machines are removed, stopped or blocked
	NoCarrier              // no member of its team carries traffic
	NoLink                 // the link is down
	NotForwarded           // the switch does not forward its VLAN
	NoMiniport             // no adapter of the host has its VLAN
	TeamBroken             // its team drops it
	FrameBarred            // virtual functions may not send frames of this type
	OverLength             // its frames exceed the maximum frame size of the port or of the switch
)

// Reasons is a set of reasons.
type Reasons uint16

// Add adds a reason.
func (r *Reasons) Add(why Unreached) { *r |= 1 << why }

// First returns the first reason of the set that others lacks; if others has them all, the first reason of the set; Reached for an
// empty set.
func (r Reasons) First(others Reasons) Unreached {
	for _, set := range [...]Reasons{r &^ others, r} {
		for why := NoTransport; why <= OverLength; why++ {
			if set>>why&1 == 1 {
				return why
			}
		}
	}
	return Reached
}
