package setup

import (
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/dscp"
)

// Header holds the QoS header fields of a flow's frames on the cable in one direction, and the priority that each end of the
// cable reads from them (model rules QOS-9 to QOS-14).
type Header struct {
	// Tagged frames have an 802.1Q tag with the priority PCP. DSCP is -1 for frames other than IP.
	Tagged    bool
	PCP, DSCP int
	// Adapter and Switch are the priorities at the two ends of the cable, counter.Untagged for frames without one. Class is
	// the priority whose traffic class sends them.
	Adapter, Switch, Class int
	// Peer is the priority of the frames at the far adapter: the one that it reads from sent frames, or by which it sends received
	// ones.
	Peer int
}

// NoDSCP is the DSCP of frames other than IP.
const NoDSCP = -1

// Header returns what frames of a flow carry at a port in a direction, 0 for received and 1 for sent frames, with the tags
// that they have there. Peers are set up as the port, unless the far end has settings of its own: their RDMA carries the DSCP of
// the same table. The switch takes the priority of frames at the port where they come in.
func (l *Lab) Header(f *description.Flow, port, direction int, t *Tagging) Header {
	s := &l.Ports[port]
	own := counter.Untagged
	switch {
	case f.Priority != nil:
		own = *f.Priority
	case s.UntaggedPriority > 0:
		own = s.UntaggedPriority
	}
	if direction == send && t.SendPriority >= 0 {
		own = int(t.SendPriority)
	}
	far, codes, trust := l.FarEnd(port), s.DSCP, l.Switches[port].Trust
	if direction == receive {
		codes, trust = value(far.DSCP, codes), value(far.Trust, trust)
	}
	h := Header{Tagged: t.Tags[direction] > 0, PCP: own % counter.Untagged, DSCP: s.code(f, own, codes), Adapter: own, Peer: own}
	if direction == receive {
		h.Adapter = s.reads(&h)
	} else {
		if h.Peer = trusting(value(far.AdapterTrust, Trust(s.TrustDSCP)), &h); h.Peer == counter.Untagged && s.UntaggedPriority > 0 {
			h.Peer = s.UntaggedPriority
		}
	}
	h.Switch = trusting(trust, &h)
	if h.Class = h.Adapter; s.DSCPClasses && h.DSCP != NoDSCP {
		h.Class = int(dscp.FromDSCP(uint8(h.DSCP)))
	}
	return h
}

// receive is the direction of received frames.
const receive = 0

// code returns the DSCP of a flow's frames of a priority (QOS-12): the network stack's own, and for RDMA without one the
// DSCP of the sender's table, or of global pause.
func (s *Port) code(f *description.Flow, priority int, codes dscp.Map) int {
	switch {
	case f.Protocol == description.NotIP || f.Protocol == description.IPoIB:
		return NoDSCP
	case f.Protocol != description.RDMA || f.DSCP != 0:
		return f.DSCP
	}
	sender := dscp.Sender{Map: codes, GlobalPause: s.AsksPause || s.ObeysPause, Global: uint8(s.GlobalDSCP)}
	code, _ := sender.RDMA(uint8(priority%counter.Untagged), 0)
	return int(code)
}

// reads returns the priority that the adapter reads from received frames. Frames without DSCP and tag have the priority of
// untagged frames; if it is 0, they are counted separately.
func (s *Port) reads(h *Header) int {
	if s.TrustDSCP && h.DSCP != NoDSCP {
		return int(dscp.FromDSCP(uint8(h.DSCP)))
	}
	if h.Tagged {
		return h.PCP
	}
	if s.UntaggedPriority > 0 {
		return s.UntaggedPriority
	}
	return counter.Untagged
}

// trusting returns the priority that an end with a trust reads from frames.
func trusting(t Trust, h *Header) int {
	switch {
	case t == TrustDSCP && h.DSCP != NoDSCP:
		return int(dscp.FromDSCP(uint8(h.DSCP)))
	case h.Tagged:
		return h.PCP
	}
	return counter.Untagged
}

// Agree reports whether both ends put the frames into the same queue: untagged frames use the queue of priority 0.
func (h *Header) Agree() bool {
	return h.Adapter%counter.Untagged == h.Switch%counter.Untagged
}
