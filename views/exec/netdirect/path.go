package netdirect

import (
	"fmt"
	"net/netip"

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
			if e.peer, err = exec.FirstPeer(h, e.connection, e.local); err != nil {
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

// locate finds the ends of a test with an address of this host or of a peer.
func locate(h *driver.Host, address netip.Addr) (ends, error) {
	p, err := exec.FindPath(h, address)
	return ends{connection: p.Connection, port: p.Port, local: p.Local, peer: p.Peer}, err
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
