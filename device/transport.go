package device

import (
	"cxdeck/device/counter"
	"cxdeck/device/description"
)

const (
	// answerTime is the time that a queue pair waits for an answer before it retries, in steps.
	answerTime = 10.0
	// maxRetries is the maximum number of retries.
	maxRetries = 7
)

// transport counts the effects of lost frames on the queue pairs of a flow in this step.
func (l *Lab) transport(flow int, arrived, lost uint64) {
	f := &l.plan.flows[flow]
	if f.transport != description.Reliable {
		return
	}
	cells := l.portCells(f.port)
	if lost*2 <= arrived { // gaps: the receiver requests the missing frames
		cells[counter.ResponderOutOfOrder] += lost
		l.farEnds[f.port].PeerRequesterOutOfOrder += l.arriveAtPeers(f.port, lost)
		return
	}
	c := &l.controls[2*flow+send]
	timeouts := counter.Whole(&c.Timeouts, float64(f.pairs)/answerTime)
	cells[counter.RequesterTimeouts] += timeouts
	exceeded := (cells[counter.RequesterTimeouts] / (maxRetries + 1)) - cells[counter.RetriesExceeded]
	cells[counter.RetriesExceeded] += exceeded
	cells[counter.RequesterCQEErrors] += exceeded
	if broken := min(exceeded, cells[counter.RDMAActive]); broken > 0 && !f.ndspi { // they reconnect after one failure
		cells[counter.RDMAErrors] += broken
		cells[counter.RDMAClosed] += broken
		cells[counter.RDMAInitiated] += broken
		cells[counter.RDMAFailed] += broken
	}
	cells[counter.ErrorQueuePairs] = uint64(f.pairs)
	l.counters[l.CardCell(l.plan.ports[f.port].adapter, counter.CardLastRetransmitted)] = uint64(firstPair + flow)
}

// firstPair is the number of the first queue pair that does not belong to the driver.
const firstPair = 0x40

// requestFrames is the length of an RDMA request, in frames.
const requestFrames = 32

// withoutCredit is the factor by which more requests find no posted receive when their sender does not use credits; the manuals
// give no figure.
const withoutCredit = 4

// requestFaults are the faults of RDMA requests, with the counters of the requester and of the responder; 0 where an end has no
// counter.
var requestFaults = [...]struct {
	kind                 description.FaultKind
	requester, responder counter.Port
	fatal                bool // the request completes with an error at once, and breaks its connection
}{
	{description.FewReceives, counter.RequesterRNR, counter.ResponderRNR, false},
	{description.WrongKey, counter.RequesterAccess, counter.ResponderAccess, true},
	{description.BadRequest, counter.RequesterInvalid, counter.ResponderInvalid, true},
	{description.RemoteFailure, counter.RequesterOperation, none, true},
}

// failRequests counts the failed requests of a flow in a direction in a step.
func (l *Lab) failRequests(flow, direction int, requests float64) {
	f := &l.plan.flows[flow]
	cells, s := l.portCells(f.port), &l.links[f.port]
	broken := uint64(0)
	for i := range requestFaults {
		fault := &requestFaults[i]
		share := s.faults[fault.kind]
		if share == 0 {
			continue
		}
		failed := fault.requester
		if direction == receive {
			failed = fault.responder
		}
		if failed == none {
			continue
		}
		if fault.kind == description.FewReceives && direction == send && l.setup.Ports[f.port].SendsWithoutCredit {
			share = min(1, share*withoutCredit)
		}
		n := counter.Whole(&l.controls[2*flow+direction].Errors[i], requests*share)
		reported := l.countFailures(f.port, failed, n)
		cells[failed] += reported
		if failed == counter.RequesterRNR && f.ndspi {
			cells[counter.OwnRNR] += reported
		}
		switch {
		case direction == receive:
		case fault.fatal:
			broken += n
		default: // the requester retries before it gives up
			exceeded := cells[counter.RequesterRNR]/(maxRetries+1) - cells[counter.RNRRetriesExceeded]
			cells[counter.RNRRetriesExceeded] += exceeded
			broken += exceeded
		}
	}
	l.breakPairs(flow, broken)
}

// postedSends is the number of requests that an application keeps posted on each queue pair.
const postedSends = 16

// breakPairs sets a number of queue pairs of a flow to the error state. New connections replace them.
func (l *Lab) breakPairs(flow int, broken uint64) {
	if broken == 0 {
		return
	}
	f := &l.plan.flows[flow]
	cells := l.portCells(f.port)
	cells[counter.RequesterCQEErrors] += broken
	cells[counter.RequesterFlushed] += broken * postedSends
	if again := min(broken, cells[counter.RDMAActive]); again > 0 && !f.ndspi {
		cells[counter.RDMAErrors] += again
		cells[counter.RDMAClosed] += again
		cells[counter.RDMAInitiated] += again
		l.countCommands(f.port, again*commandsOfPair)
	}
	cells[counter.ErrorQueuePairs] = min(uint64(f.pairs), cells[counter.ErrorQueuePairs]+broken)
}

// flushRequests completes the pending sends of all RDMA connections of a port with an error, as its driver stops (ND-1).
func (l *Lab) flushRequests(port int) {
	if l.links[port].Exited {
		return
	}
	cells := l.portCells(port)
	for _, flow := range l.plan.ports[port].rdma {
		if f := &l.plan.flows[flow]; l.runs(flow) && f.transport == description.Reliable {
			cells[counter.RequesterFlushed] += uint64(f.pairs) * postedSends
		}
	}
}

// retryRequests counts the peers' retries of a flow, after frames that a bad cable damaged on the way to them.
func (l *Lab) retryRequests(flow int) {
	f := &l.plan.flows[flow]
	damaged := l.links[f.port].faults[description.BadCable]
	if damaged == 0 || f.transport != description.Reliable {
		return
	}
	n := counter.Whole(&l.controls[2*flow+send].Gaps, float64(l.delivered[2*flow+send])*damaged)
	l.farEnds[f.port].PeerResponderOutOfOrder += n
	l.counters[counter.Cell(f.port, counter.RequesterOutOfOrder)] += l.arriveAtHost(f.port, n)
	if n > 0 {
		l.counters[l.CardCell(l.plan.ports[f.port].adapter, counter.CardLastRetransmitted)] = uint64(firstPair + flow)
	}
}

// countRequests counts the requests of peers on the flows that they opened: reads of sent data, writes of received data.
func (l *Lab) countRequests() {
	for i := range l.plan.flows {
		f := &l.plan.flows[i]
		if !f.rdma {
			continue
		}
		for direction := range 2 {
			if n := l.delivered[2*i+direction]; n > 0 {
				switch {
				case f.transport == description.Reliable:
					l.failRequests(i, direction, float64(n)/requestFrames)
				case direction == receive:
					l.discardWithoutReceive(i, float64(n))
				}
			}
		}
		l.retryRequests(i)
		cells := l.portCells(f.port)
		if l.controls[2*i+send].Allowed < 1 {
			cells[counter.ShapedFrames] += l.delivered[2*i+send]
		} else {
			cells[counter.FreeFrames] += l.delivered[2*i+send]
		}
		if !f.accepted || f.transport != description.Reliable {
			continue
		}
		cells[counter.ReceivedRDMAReads] += counter.Whole(&l.controls[2*i+send].Requests, float64(l.delivered[2*i+send])/requestFrames)
		cells[counter.ReceivedRDMAWrites] += counter.Whole(&l.controls[2*i+receive].Requests, float64(l.delivered[2*i+receive])/requestFrames)
	}
}
