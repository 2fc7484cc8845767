package qos

import (
	"cxdeck/device/description"
)

// Program is a program that sends through a port, as policies and the neighbour's application priorities see it.
type Program struct {
	// Name is the executable: "ntttcp.exe".
	Name string
	// NetDirectPort is the port of a program that uses RDMA; 0 for one that uses TCP.
	NetDirectPort int
	// LocalPort and PeerPort are the ports of TCP; the end that opens the connection has a dynamic port, which is 0 here.
	LocalPort, PeerPort int
}

// Classify returns the priority, -1 for none, and the DSCP of the packets that a program sends through a port.
func (s Set) Classify(port int, p Program) (priority, dscp int) {
	d, _, _ := s.Lab().Port(port)
	f := flow{Flow: &description.Flow{Port: d.Connection, Protocol: description.TCP}, marked: d.Link == description.Ethernet, program: p.Name}
	if p.NetDirectPort != 0 {
		f.Protocol, f.direct = description.RDMA, p.NetDirectPort
	} else {
		f.protocol, f.local, f.peer = TCP, p.LocalPort, p.PeerPort
	}
	m := s.markOf(&f, s.applications(d.Connection))
	return max(-1, m.Priority), max(0, m.DSCP)
}
