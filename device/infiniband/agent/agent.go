package agent

import (
	"encoding/binary"
	"errors"
	"strings"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
)

// Size is the number of bytes of a datagram.
const Size = 256

// The classes of datagrams.
const (
	classLID         = 0x01 // subnet management, routed by LID
	classSA          = 0x03 // subnet administration
	classPerformance = 0x04
	classPing        = 0x32 // of the vendor OpenIB: ibping
	classDirected    = 0x81 // subnet management along a directed route
)

// The methods. An answer has the bit response.
const (
	methodGet = 0x01
	methodSet = 0x02
	getTable  = 0x12
	response  = 0x80
)

// Offsets in a datagram.
const (
	statusAt    = 4
	hopAt       = 6
	attributeAt = 16
	modifierAt  = 20
	sourceAt    = 32 // the LID at which a directed route begins, and the one at which it ends
	targetAt    = 34
	dataAt      = 64
	pathAt      = 128
	returnAt    = 192
)

// permissive is the LID of a datagram that only a directed route leads on.
const permissive = 0xffff

// Statuses of answers that no attribute gives.
const (
	unsupportedVersion mad.Status = 0x04
	unsupportedMethod  mad.Status = 0x08
)

var (
	// ErrMalformed reports a datagram that no node takes: it is dropped.
	ErrMalformed = errors.New("invalid datagram")
	// ErrLost reports a datagram to which nothing comes back: the sender's time runs out.
	ErrLost = errors.New("no answer")
)

// Agent answers the datagrams that a program sends from a port.
type Agent struct {
	*mad.Network
	From infiniband.Place
}

// Clear is a reset of counters that a datagram asked for.
type Clear struct {
	Place infiniband.Place // port 255: all ports of the switch
	// Mask has the bits of PortCounters; Extended is a reset of PortCountersExtended.
	Mask     uint32
	Extended bool
}

// Answer returns the answer to a datagram that was sent to a LID: Size bytes, or fewer for a list of records. A change is returned for the
// caller to make: the network stays as it is.
func (a *Agent) Answer(lid uint16, packet []byte) ([]byte, *Change, error) {
	if len(packet) != Size || packet[0] != 1 || packet[3]&response != 0 || packet[2] > 2 {
		return nil, nil, ErrMalformed
	}
	r, err := route(lid, packet)
	if err != nil {
		return nil, nil, err
	}
	at, ok := a.Arrive(a.From, r)
	if !ok {
		return nil, nil, ErrLost
	}
	answer := append(make([]byte, 0, Size), packet...)
	answer[3] = methodGet | response
	var status mad.Status
	var change *Change
	switch packet[1] {
	case classLID, classDirected:
		status, change = a.subnet(at, packet, answer)
	case classPerformance:
		var reset *Clear
		if status, reset = a.performance(at, packet, answer); reset != nil {
			change = &Change{Clear: reset}
		}
	case classSA:
		answer, status = a.administration(at, packet, answer)
	case classPing:
		status = a.ping(at, packet, answer)
	default:
		return nil, nil, ErrLost // no program on the node takes the class
	}
	if status == mad.NoAnswer {
		return nil, nil, ErrLost
	}
	if packet[1] == classDirected {
		status |= 1 << 15 // the direction: back
		a.returnPath(r, answer)
	}
	binary.BigEndian.PutUint16(answer[statusAt:], uint16(status))
	return answer, change, nil
}

// route reads the way of a datagram.
func route(lid uint16, packet []byte) (mad.Route, error) {
	if packet[1] != classDirected {
		if lid == 0 || lid > infiniband.MaxLID {
			return mad.Route{}, ErrLost
		}
		return mad.ByLID(lid), nil
	}
	hops := int(packet[hopAt+1])
	backward := packet[statusAt]&0x80 != 0
	if packet[hopAt] != 0 || hops > mad.MaxHops || backward || binary.BigEndian.Uint16(packet[targetAt:]) != permissive {
		return mad.Route{}, ErrMalformed
	}
	r := mad.Directed(packet[pathAt+1 : pathAt+1+hops]...)
	if binary.BigEndian.Uint16(packet[sourceAt:]) != permissive {
		if lid == 0 || lid > infiniband.MaxLID {
			return mad.Route{}, ErrLost
		}
		r.LID = lid
	}
	return r, nil
}

// returnPath writes the ports at which the datagram arrived, hop by hop.
func (a *Agent) returnPath(r mad.Route, answer []byte) {
	clear(answer[returnAt:])
	for hop := range r.Ports {
		part := r
		part.Ports = r.Ports[:hop+1]
		if at, ok := a.Arrive(a.From, part); ok {
			answer[returnAt+hop+1] = byte(at.Port)
		}
	}
}

// subnet answers a request of subnet management.
func (a *Agent) subnet(at infiniband.Place, packet, answer []byte) (mad.Status, *Change) {
	switch {
	case packet[2] != 1:
		return unsupportedVersion, nil
	case packet[3] == methodSet:
		return a.set(at, packet, answer)
	case packet[3] != methodGet:
		return unsupportedMethod, nil
	}
	data, status := a.Get(at, mad.Attribute(binary.BigEndian.Uint16(packet[attributeAt:])), binary.BigEndian.Uint32(packet[modifierAt:]))
	copy(answer[dataAt:dataAt+mad.Size], data)
	return status, nil
}

// The vendor of ibping's datagrams and its place, and the one of the data.
const (
	openIB       = 0x001405
	vendorAt     = 36
	vendorDataAt = 40
)

// ping answers ibping with the name of the host, as its server does, which each host runs; switches and routers have none.
func (a *Agent) ping(at infiniband.Place, packet, answer []byte) mad.Status {
	if a.Of(at).Kind != infiniband.Adapter || packet[3] != methodGet || binary.BigEndian.Uint32(packet[vendorAt:])&0xffffff != openIB {
		return mad.NoAnswer
	}
	host, _, _ := strings.Cut(a.Of(at).Name, " ")
	clear(answer[vendorDataAt:])
	copy(answer[vendorDataAt:], host)
	return mad.OK
}

// performance answers a request of performance management.
func (a *Agent) performance(at infiniband.Place, packet, answer []byte) (mad.Status, *Clear) {
	attribute := mad.Attribute(binary.BigEndian.Uint16(packet[attributeAt:]))
	data := packet[dataAt:]
	port := int(mad.PortCounterFields[0].Get(data))
	if packet[2] != 1 {
		return unsupportedVersion, nil
	}
	switch packet[3] {
	case methodGet:
		counters, status := a.GetCounters(at, attribute, port)
		copy(answer[dataAt:], counters)
		return status, nil
	case methodSet:
		if attribute != mad.PortCounters && attribute != mad.ExtendedCounters {
			return mad.Unsupported, nil
		}
		mask := uint32(binary.BigEndian.Uint16(data[2:])) | uint32(data[18]&1)<<16
		status := a.Selects(at, port)
		if status != mad.OK {
			return status, nil
		}
		return status, &Clear{Place: infiniband.Place{Node: at.Node, Port: port}, Mask: mask, Extended: attribute == mad.ExtendedCounters}
	}
	return unsupportedMethod, nil
}
