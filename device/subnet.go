package device

import (
	"time"

	"cxdeck/device/description"
	"cxdeck/device/subnet"
)

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

// subnetState returns the current state of a port.
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

// queryPolicy returns how the driver of an InfiniBand port queries the subnet administrator.
func (l *Lab) queryPolicy(port int) subnet.Policy {
	s := &l.setup.Ports[port]
	return subnet.Policy{Timeout: time.Duration(s.SubnetTimeout) * time.Millisecond, Retries: s.SubnetRetries}
}

// waitForSubnet counts for how long the subnet administrator of a port has been silent: while its manager does not run and the
// port waits for it, or asks it for paths. It ends with the first query that is answered.
func (l *Lab) waitForSubnet(port int) {
	silent, s := &l.silence[port], &l.links[port]
	if l.plan.ports[port].ethernet || s.Ready < training && !s.Up || s.Up && !l.setup.Ports[port].PathQueries {
		*silent = 0
		return
	}
	if l.setup.Manager(port) != description.SubnetManaged {
		*silent++
		return
	}
	if now := time.Duration(*silent) * Step; *silent > 0 && l.queryPolicy(port).Next(now-Step+1) > now {
		*silent++
	} else {
		*silent = 0
	}
}

// pathless reports whether a port has no paths to its IPoIB peers: its driver asks for them (EnableQPR), and gave up after
// queries without an answer.
func (l *Lab) pathless(port int) bool {
	return l.silence[port] > 0 && l.links[port].Up && time.Duration(l.silence[port])*Step > l.queryPolicy(port).MaxWait()
}
