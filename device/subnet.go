package device

// SubnetState is the state of an InfiniBand port in its subnet.
type SubnetState uint8

// The states of a port in its subnet.
const (
	NoSubnet    SubnetState = iota // not an InfiniBand port
	PortDown                       // no link
	PortInit                       // the link is trained, and no subnet manager has configured the port
	PortActive                     // it carries traffic
	subnetPorts                    // the number of states
)

// String returns the state in the form of the InfiniBand tools: "DOWN", "INIT", "ACTIVE"; empty for Ethernet.
func (s SubnetState) String() string {
	return [subnetPorts]string{"", "DOWN", "INIT", "ACTIVE"}[s]
}

// subnetState returns the present state of a port.
func (l *Lab) subnetState(port int) SubnetState {
	s := &l.links[port]
	switch {
	case l.plan.ports[port].ethernet:
		return NoSubnet
	case s.Up:
		return PortActive
	case s.Ready >= training:
		return PortInit
	}
	return PortDown
}
