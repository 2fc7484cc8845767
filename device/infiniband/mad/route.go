package mad

import (
	"fmt"
	"strings"

	"cxdeck/device/infiniband"
)

// Route is the way of a datagram: to a LID, along the ports of a directed route, or along a directed route that begins at a LID.
type Route struct {
	LID    uint16
	Direct bool
	Ports  []uint8 // the ports to leave nodes by
	from   uint16  // the LID to which the answer of a combined route goes
}

// MaxHops is the greatest number of links of a directed route.
const MaxHops = 63

// ByLID returns the route to a LID.
func ByLID(lid uint16) Route { return Route{LID: lid} }

// Directed returns a directed route.
func Directed(ports ...uint8) Route { return Route{Direct: true, Ports: ports} }

// Extend returns the route that goes one link further, out of a port.
func (r Route) Extend(port int, from uint16) Route {
	r.Ports = append(r.Ports[:len(r.Ports):len(r.Ports)], uint8(port))
	if !r.Direct {
		r.Direct, r.from = true, from
	}
	return r
}

// Path writes the ports of a directed route: "0,1,8".
func (r Route) Path() string {
	var b strings.Builder
	b.WriteString("0")
	for _, port := range r.Ports {
		fmt.Fprintf(&b, ",%d", port)
	}
	return b.String()
}

// String writes the route as the programs do.
func (r Route) String() string {
	from := r.from
	if r.LID == 0 {
		from = 0xffff
	}
	switch {
	case !r.Direct:
		return fmt.Sprintf("Lid %d", r.LID)
	case r.LID == 0:
		return fmt.Sprintf("DR path slid %d; dlid 65535; %s", from, r.Path())
	}
	return fmt.Sprintf("Lid %d DR path slid %d; dlid 65535; %s", r.LID, from, r.Path())
}

// Arrive returns the port at which a datagram from a port arrives. It reports false when the datagram, or the answer to it, is lost.
func (n *Network) Arrive(from infiniband.Place, r Route) (infiniband.Place, bool) {
	at := from
	if r.LID != 0 {
		reached, ok := n.byLID(from, r.LID)
		if !ok {
			return infiniband.Nowhere, false
		}
		if _, back := n.byLID(reached, n.End(from).LID); !back {
			return infiniband.Nowhere, false
		}
		at = reached
	} else if !r.Direct {
		return infiniband.Nowhere, false
	}
	if len(r.Ports) > MaxHops {
		return infiniband.Nowhere, false
	}
	for i, port := range r.Ports {
		node := n.Of(at)
		if int(port) > node.External() || port == 0 {
			return infiniband.Nowhere, false
		}
		// An adapter sends out of the port that the program uses, and passes nothing on.
		if node.Kind != infiniband.Switch && (i > 0 || int(port) != at.Port) {
			return infiniband.Nowhere, false
		}
		far, up := n.Far(infiniband.Place{Node: at.Node, Port: int(port)})
		if !up {
			return infiniband.Nowhere, false
		}
		at = far
	}
	return at, true
}

// byLID follows the forwarding tables to a LID.
func (n *Network) byLID(from infiniband.Place, lid uint16) (infiniband.Place, bool) {
	owns := func(p *infiniband.Port) bool { return p.LID != 0 && lid >= p.LID && int(lid) < int(p.LID)+1<<p.LMC }
	at := from
	if owns(n.End(from)) {
		return from, true
	}
	if n.Of(from).Kind != infiniband.Switch {
		far, up := n.Far(from)
		if !up || n.At(from).State < infiniband.Armed {
			return infiniband.Nowhere, false
		}
		at = far
	}
	for range MaxHops {
		node := n.Of(at)
		if owns(n.End(at)) {
			if node.Kind == infiniband.Switch {
				at.Port = 0
			}
			return at, true
		}
		if node.Kind != infiniband.Switch || int(lid) >= len(node.Routes) {
			return infiniband.Nowhere, false
		}
		out := int(node.Routes[lid])
		if out == 0 || out > node.External() {
			return infiniband.Nowhere, false
		}
		far, up := n.Far(infiniband.Place{Node: at.Node, Port: out})
		if !up || n.At(far).State < infiniband.Armed {
			return infiniband.Nowhere, false
		}
		at = far
	}
	return infiniband.Nowhere, false
}

// Ask sends a request of subnet management and returns the answer.
func (n *Network) Ask(from infiniband.Place, r Route, attribute Attribute, modifier uint32) ([]byte, Status) {
	at, ok := n.Arrive(from, r)
	if !ok {
		return make([]byte, Size), NoAnswer
	}
	return n.Get(at, attribute, modifier)
}
