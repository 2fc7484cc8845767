package netdirect

import (
	"fmt"
	"net/netip"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/qos"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
)

// ends are the two ends of a test.
type ends struct {
	connection  string
	port        int
	local, peer netip.Addr
	// priority is the priority of the frames, -1 for untagged ones, and dscp their code point.
	priority, dscp int
}

func (e *ends) loopback() bool { return e.local == e.peer }

// findEnds finds the port from which a tool reaches an address, which for its server is an address of this host.
func findEnds(c *exec.Call, tool string, address netip.Addr, serves bool, netDirectPort int) (e ends, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		if e, err = locate(h, address); err != nil {
			return err
		}
		if serves && !e.loopback() {
			return request.Errorf("%s is no address of this host: a server waits at an address of its own", address)
		}
		if serves {
			if e.peer, err = firstPeer(h, &e); err != nil {
				return err
			}
		}
		if why := h.Stack().WhyNoTest(e.port, e.local, e.loopback()); why != "" {
			return request.Errorf("%s can't connect: %s", tool, why)
		}
		e.priority, e.dscp = h.Classify(e.port, qos.Program{Name: tool + ".exe", NetDirectPort: netDirectPort})
		return nil
	})
	return e, err
}

// locate finds the connection that has an address, or whose peers have it.
func locate(h *driver.Host, address netip.Addr) (ends, error) {
	lab, stack := h.Lab(), h.Stack()
	var near *ends // whose network has the address
	for port := range lab.Ports() {
		for _, a := range stack.IP(lab.Connection(port)).Addresses {
			e := ends{connection: lab.Connection(port), port: port, local: a.Addr(), peer: address}
			switch {
			case a.Addr() == address:
				return e, nil
			case a.Contains(address) && near == nil:
				near = &e
			}
		}
	}
	flows, states := lab.Description().Flows, lab.Flows()
	for i := range flows {
		if f := &flows[i]; !f.Virtual && isPeer(f, address) {
			return ends{connection: f.Port, port: states[i].Port, local: f.Local, peer: address}, nil
		}
	}
	if near == nil {
		return ends{}, request.Errorf("no connection of this host has a route to %s", address)
	}
	known := ""
	if peer, err := firstPeer(h, near); err == nil {
		known = fmt.Sprintf("; %s has one", peer)
	}
	return ends{}, request.Errorf("%s does not answer: no peer of %s has this address%s", address, near.connection, known)
}

// isPeer reports whether one of the peers of a flow has an address.
func isPeer(f *description.Flow, address netip.Addr) bool {
	peer := f.Peer
	for range min(f.Flows, maxPeers) {
		if peer == address {
			return true
		}
		if peer = peer.Next(); !peer.IsValid() {
			break
		}
	}
	return false
}

// maxPeers limits the peers of a flow that answer.
const maxPeers = 256

// firstPeer returns the peer whose client connects to a server of this host.
func firstPeer(h *driver.Host, e *ends) (netip.Addr, error) {
	flows := h.Lab().Description().Flows
	for i := range flows {
		if f := &flows[i]; f.Port == e.connection && !f.Virtual && f.Peer.IsValid() && f.Peer.Is4() == e.local.Is4() {
			return f.Peer, nil
		}
	}
	return netip.Addr{}, request.Errorf("no peer of %s runs a client", e.connection)
}

// describe names the ends for the head of a report.
func (e *ends) describe() string {
	class := "untagged"
	if e.priority >= 0 {
		class = fmt.Sprintf("priority %d", e.priority)
	}
	if e.loopback() {
		return fmt.Sprintf("loopback at %s (%s)", e.local, e.connection)
	}
	return fmt.Sprintf("%s (%s) and %s, %s", e.local, e.connection, e.peer, class)
}
