package exec

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/measurement"
	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/stack"
)

// Path is a way to an address: the connection and its address from which programs reach it. Both addresses are the same for an address of
// this host.
type Path struct {
	Connection  string
	Port        int
	Local, Peer netip.Addr
}

// FindPath finds the way to an address of this host, or of a peer of a workload.
func FindPath(h *driver.Host, address netip.Addr) (Path, error) {
	lab, stack := h.Lab(), h.Stack()
	var near *Path // whose network has the address
	for port := range lab.Ports() {
		for _, a := range stack.IP(lab.Connection(port)).Addresses {
			p := Path{lab.Connection(port), port, a.Addr(), address}
			switch {
			case a.Addr() == address:
				return p, nil
			case a.Contains(address) && near == nil:
				near = &p
			}
		}
	}
	flows, states := lab.Description().Flows, lab.Flows()
	for i := range flows {
		if f := &flows[i]; !f.Virtual && isPeer(f, address) {
			return Path{f.Port, states[i].Port, f.Local, address}, nil
		}
	}
	if near == nil {
		return Path{}, request.Errorf("no connection of this host has a route to %s", address)
	}
	known := ""
	if peer, err := FirstPeer(h, near.Connection, near.Local); err == nil {
		known = fmt.Sprintf("; %s has one", peer)
	}
	return Path{}, request.Errorf("%s does not answer: no peer of %s has this address%s", address, near.Connection, known)
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

// FirstPeer returns the peer whose client connects to a server of this host.
func FirstPeer(h *driver.Host, connection string, local netip.Addr) (netip.Addr, error) {
	flows := h.Lab().Description().Flows
	for i := range flows {
		if f := &flows[i]; f.Port == connection && !f.Virtual && f.Peer.IsValid() && f.Peer.Is4() == local.Is4() {
			return f.Peer, nil
		}
	}
	return netip.Addr{}, request.Errorf("no peer of %s runs a client", connection)
}

// RunTest runs a test for its time, and returns it with its results.
func RunTest(c *Call, start *stack.StartTest) (test measurement.Test, err error) {
	plan := driver.Plan{Title: fmt.Sprintf("Run %s on %s", start.Tool, start.Connection), Operations: []driver.Operation{*start}}
	if _, err := c.Host.Apply(c.Ctx, plan); err != nil {
		return test, err
	}
	waited := Wait(c.Ctx, c.Host, time.Duration(start.Seconds*float64(len(start.Sizes))*float64(time.Second)))
	read := c.Host.ReadHost(context.WithoutCancel(c.Ctx), func(h *driver.Host) error {
		test, _ = h.Lab().Test(stack.TestName(start.Tool, start.Connection))
		return nil
	})
	_, ended := c.Host.Apply(context.WithoutCancel(c.Ctx), driver.Plan{Title: fmt.Sprintf("End %s on %s", start.Tool, start.Connection),
		Operations: []driver.Operation{stack.EndTest{Tool: start.Tool, Connection: start.Connection}}})
	return test, errors.Join(waited, read, ended)
}
