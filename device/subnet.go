package device

import (
	"time"

	"cxdeck/device/description"
	"cxdeck/device/subnet"
)

// subnetState returns the current state of a port.
func (l *Lab) subnetState(port int) subnet.State {
	s := &l.links[port]
	switch {
	case l.plan.ports[port].ethernet:
		return subnet.None
	case s.Up:
		return subnet.Active
	case s.Ready >= training:
		return subnet.Init
	}
	return subnet.Down
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
	*silent = l.queryPolicy(port).Silence(*silent, l.setup.Manager(port) == description.SubnetManaged, Step)
}

// pathless reports whether a port has no paths to its IPoIB peers: its driver asks for them (EnableQPR), and gave up after
// queries without an answer.
func (l *Lab) pathless(port int) bool {
	return l.silence[port] > 0 && l.links[port].Up && time.Duration(l.silence[port])*Step > l.queryPolicy(port).MaxWait()
}
