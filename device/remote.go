package device

import (
	"fmt"
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/farend"
	"cxdeck/device/pause"
	"cxdeck/device/setup"
)

// xoff is the queue of a switch, in bytes, from which on it asks senders to wait.
const xoff = pause.HighMark * maxQueueDepth

// remotePlan is the far end of a port's path. A slow peer takes takes of the line in a step, in bytes on the wire, or all for 0;
// its frames have priorities at the switch and at the peer, and slowHeld reports that the switch waits for it.
type remotePlan struct {
	setup.Remote
	takes              float64
	slowAt, slowAtPeer int
	slowHeld           bool
	dropsCNPs          bool
}

// Remote returns the operational far end of a port, and Path what is counted there.
func (l *Lab) Remote(port int) setup.Remote { return l.plan.ports[port].remote.Remote }

// RemotePath returns the counters of the second cable of a port's path.
func (l *Lab) RemotePath(port int) farend.Path { return l.remotes[port].Path }

// FarEndSettings returns the settings of the far end of a port's path.
func (l *Lab) FarEndSettings(port int) setup.FarEnd { return l.setup.FarEnd(port) }

// SetFarEnd applies the settings of the far end of a port's path. It takes effect at once.
func (l *Lab) SetFarEnd(port int, f setup.FarEnd) error {
	if _, err := l.link(port); err != nil {
		return err
	}
	if err := f.Check(l.plant.ports[port].description.Link); err != nil {
		return err
	}
	if err := l.checkShares(port, f.Shares); err != nil {
		return err
	}
	l.setup.SetFarEnd(port, f)
	l.replanRDMA()
	return nil
}

// holdSend returns the fraction of a stream's frames that the host holds back because the switch pauses it, and the fraction that
// is dropped beyond the host because nothing holds it back.
func (l *Lab) holdSend(s *stream) (held, beyondLoss float64) {
	state, p := &l.links[s.port], &l.plan.ports[s.port]
	c := &p.flowControl
	asked, excess := l.pausedShare(int(s.port)), l.remotes[s.port].Excess
	switch {
	case asked > 0 && !state.silent && c.Stops(state.pausePriority, int(s.priority)):
		held = asked
	case asked > 0 && c.Asks(state.pausePriority) && (c.FarGlobal || int(s.atSwitch)%counter.Untagged == state.pausePriority):
		beyondLoss = asked
	}
	if s.slow && held == 0 && beyondLoss == 0 {
		beyondLoss = excess
	}
	return held, beyondLoss
}

// loseBeyond counts frames of a stream that are dropped beyond the host, which has sent them.
func (l *Lab) loseBeyond(s *stream, lost uint64) {
	far, remote, p := &l.farEnds[s.port], &l.remotes[s.port], &l.plan.ports[s.port]
	if s.slow && !p.remote.slowHeld && remote.Excess > 0 {
		remote.PeerDrops[p.remote.slowAtPeer] += lost
	} else {
		far.NoBuffer += lost
		remote.SwitchDrops[s.atSwitch] += lost
	}
	if f := &l.plan.flows[s.flow]; f.rdma && !s.ack && f.transport == description.Reliable {
		far.PeerResponderOutOfOrder += lost
		l.counters[counter.Cell(int(s.port), counter.RequesterOutOfOrder)] += l.arriveAtHost(int(s.port), lost)
	}
}

// overflow returns the received frames that the switch drops, because the host holds it and it can't hold the peers.
func (l *Lab) overflow(s *stream, a *amount) uint64 {
	sum, state := &l.loads[s.port], &l.links[s.port]
	drains := 1.0
	if !state.silent {
		if drains = sum.slotReceiveShare; s.ring {
			drains *= 1 - state.Waiting
		}
	}
	lost := counter.Whole(&a.LostRest, a.Want*(1-sum.lineShare[receive]*drains))
	l.farEnds[s.port].NoBuffer += lost
	l.remotes[s.port].SwitchDrops[s.atSwitch] += lost
	return lost
}

// pauseRemote counts the pauses on the second cables of all paths, and what slow peers don't take in the next step.
func (l *Lab) pauseRemote() {
	for i := range l.remotes {
		r, sum, p := &l.remotes[i], &l.loads[i], &l.plan.ports[i]
		hold := 1 - sum.lineShare[receive]
		if !l.links[i].silent {
			hold = 1 - sum.lineShare[receive]*sum.slotReceiveShare
		}
		for priority, arriving := range sum.held {
			part := 0.0
			if arriving > 0 && (sum.hasNonRDMA || l.queues[2*i+receive] >= xoff) {
				part = hold
			}
			if part > 0 || r.Holds[priority] > 0 {
				r.CountPausesToPeers(priority, arriving, part, maxQueueDepth, stepMicroseconds, stepMicroseconds/pause.Duration(pause.MaxQuanta, p.rate))
			}
		}
		before := r.Excess
		if r.Excess = 0; p.remote.takes > 0 && sum.slow > p.remote.takes && l.queues[2*i+send] >= xoff {
			r.Excess = 1 - p.remote.takes/sum.slow
		}
		if before > 0 && p.remote.slowHeld {
			r.CountPausesToSwitch(p.remote.slowAtPeer, 2*before*stepMicroseconds/farEndHold, before*stepMicroseconds)
		}
	}
}

// goesToSlowPeer reports whether a flow's first peer is the slow one of a port.
func (l *Lab) goesToSlowPeer(f *description.Flow, port int) bool {
	slow := l.setup.FarEnd(port).SlowPeer
	return slow != "" && f.Peer.String() == slow
}

// planRemote sets what a stream has to do with the far end.
func (b *streamBuilder) planRemote(s *stream, h *setup.Header) {
	r := &b.port.remote
	h.QueueUntagged()
	s.atSwitch = int32(h.Switch)
	s.spills = s.direction == receive && s.lossless && !r.HoldsPeers(h)
	if s.slow = s.direction == send && s.rdma && b.lab.goesToSlowPeer(b.flow, b.at); s.slow && !s.ack {
		r.slowAt, r.slowAtPeer, r.slowHeld = h.Switch%counter.Untagged, h.Peer, r.HoldsSwitch(h)
	}
}

// heldElsewhere returns the part of a received stream that its peer holds back for other ports of the same switch port.
func (l *Lab) heldElsewhere(s *stream, f *flowPlan) (held float64) {
	for _, port := range f.shared {
		held = max(held, l.remotes[port].Holds[s.atSwitch])
	}
	return held
}

// sharedPorts returns the other ports for which the peers of a flow are held, too: ports to which its peer also sends, and ports whose
// peers share a switch port with its own.
func (l *Lab) sharedPorts(flow int) []int {
	list, port := l.plant.shared[flow], l.plant.flows[flow].port
	if f := &l.plant.traffic[flow]; len(l.setup.FarEnds) == 0 || f.ReceiveGbps == 0 || l.plant.ports[port].description.Link != description.Ethernet {
		return list
	}
	shares := func(a, b int) bool {
		return l.setup.FarEnds[a].Shares == l.plant.ports[b].description.Connection
	}
	for other := range l.plant.ports {
		if other != port && (shares(other, port) || shares(port, other)) && !slices.Contains(list, other) {
			list = append(slices.Clip(list), other)
		}
	}
	return list
}

// checkShares rejects a connection that can't share a switch port of peers with a port.
func (l *Lab) checkShares(port int, connection string) error {
	if connection == "" {
		return nil
	}
	other := slices.IndexFunc(l.plant.ports, func(s portSite) bool { return s.description.Connection == connection })
	switch {
	case other < 0:
		return fmt.Errorf("there is no connection %q whose peers could share a switch port", connection)
	case other == port:
		return fmt.Errorf("%s can't share the switch port of its peers with itself", connection)
	case l.plant.ports[other].description.Link != description.Ethernet:
		return fmt.Errorf("%s is an InfiniBand port: its peers are not on the Ethernet switch", connection)
	}
	return nil
}
