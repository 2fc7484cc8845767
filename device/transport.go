package device

import "cxdeck/device/description"

const (
	// answerTime is how long a queue pair waits for an answer before it sends again, in steps.
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
	cells := l.counters[f.port*portStride : (f.port+1)*portStride]
	if lost*2 <= arrived { // gaps: the receiver asks for what is missing
		cells[ResponderOutOfOrder] += lost
		l.farEnds[f.port].PeerRequesterOutOfOrder += l.arriveAtPeers(f.port, lost)
		return
	}
	c := &l.controls[2*flow+send]
	timeouts := whole(&c.Timeouts, float64(f.pairs)/answerTime)
	cells[RequesterTimeouts] += timeouts
	exceeded := (cells[RequesterTimeouts] / (maxRetries + 1)) - cells[RetriesExceeded]
	cells[RetriesExceeded] += exceeded
	cells[RequesterCQEErrors] += exceeded
	if broken := min(exceeded, cells[RDMAActive]); broken > 0 && !f.own { // they connect again, once in vain
		cells[RDMAErrors] += broken
		cells[RDMAClosed] += broken
		cells[RDMAInitiated] += broken
		cells[RDMAFailed] += broken
	}
	cells[ErrorQueuePairs] = uint64(f.pairs)
	l.counters[l.CardCell(l.plan.ports[f.port].adapter, CardLastRetransmitted)] = uint64(firstPair + flow)
}

// firstPair is the number of the first queue pair that is not the driver's own.
const firstPair = 0x40

// requestFrames is the length of an RDMA request, in frames.
const requestFrames = 32

// withoutCredit is how many times as many requests find no receive posted when their sender does not ask first; the
// manuals give no number.
const withoutCredit = 4

// requestFaults are the faults of RDMA requests, with what counts them at the end that asked and at the end that was
// asked; none where it has no counter.
var requestFaults = [...]struct {
	kind                 description.FaultKind
	requester, responder Counter
	fatal                bool // the request completes with an error at once, and breaks its connection
}{
	{description.FewReceives, RequesterRNR, ResponderRNR, false},
	{description.WrongKey, RequesterAccess, ResponderAccess, true},
	{description.BadRequest, RequesterInvalid, ResponderInvalid, true},
	{description.RemoteFailure, RequesterOperation, none, true},
}

// failRequests counts the requests of a flow in a direction that failed in a step.
func (l *Lab) failRequests(flow, direction int, requests float64) {
	f := &l.plan.flows[flow]
	cells, s := l.counters[f.port*portStride:(f.port+1)*portStride], &l.links[f.port]
	broken := uint64(0)
	for i := range requestFaults {
		fault := &requestFaults[i]
		share := s.faults[fault.kind]
		if share == 0 {
			continue
		}
		counter := fault.requester
		if direction == receive {
			counter = fault.responder
		}
		if counter == none {
			continue
		}
		if fault.kind == description.FewReceives && direction == send && l.settings[f.port].SendsWithoutCredit {
			share = min(1, share*withoutCredit)
		}
		n := whole(&l.controls[2*flow+direction].Errors[i], requests*share)
		reported := l.countFailures(f.port, counter, n)
		cells[counter] += reported
		if counter == RequesterRNR && f.own {
			cells[OwnRNR] += reported
		}
		switch {
		case direction == receive:
		case fault.fatal:
			broken += n
		default: // the requester tries again before it gives up
			exceeded := cells[RequesterRNR]/(maxRetries+1) - cells[RNRRetriesExceeded]
			cells[RNRRetriesExceeded] += exceeded
			broken += exceeded
		}
	}
	l.breakPairs(flow, broken)
}

// postedSends is how many requests an application keeps posted on each of its queue pairs.
const postedSends = 16

// breakPairs puts a number of queue pairs of a flow into the error state. New connections replace theirs.
func (l *Lab) breakPairs(flow int, broken uint64) {
	if broken == 0 {
		return
	}
	f := &l.plan.flows[flow]
	cells := l.counters[f.port*portStride : (f.port+1)*portStride]
	cells[RequesterCQEErrors] += broken
	cells[RequesterFlushed] += broken * postedSends
	if again := min(broken, cells[RDMAActive]); again > 0 && !f.own {
		cells[RDMAErrors] += again
		cells[RDMAClosed] += again
		cells[RDMAInitiated] += again
		l.countCommands(f.port, again*commandsOfPair)
	}
	cells[ErrorQueuePairs] = min(uint64(f.pairs), cells[ErrorQueuePairs]+broken)
}

// retryRequests counts the peers' retries of a flow, after frames that a bad cable damaged on the way to them.
func (l *Lab) retryRequests(flow int) {
	f := &l.plan.flows[flow]
	damaged := l.links[f.port].faults[description.BadCable]
	if damaged == 0 || f.transport != description.Reliable {
		return
	}
	n := whole(&l.controls[2*flow+send].Gaps, float64(l.delivered[2*flow+send])*damaged)
	l.farEnds[f.port].PeerResponderOutOfOrder += n
	l.counters[Cell(f.port, RequesterOutOfOrder)] += l.arriveAtHost(f.port, n)
	if n > 0 {
		l.counters[l.CardCell(l.plan.ports[f.port].adapter, CardLastRetransmitted)] = uint64(firstPair + flow)
	}
}

// requests counts the requests that peers made of the flows that they opened: reads of what is sent, writes of what is
// received.
func (l *Lab) requests() {
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
		cells := l.counters[f.port*portStride : (f.port+1)*portStride]
		if l.controls[2*i+send].Allowed < 1 {
			cells[ShapedFrames] += l.delivered[2*i+send]
		} else {
			cells[FreeFrames] += l.delivered[2*i+send]
		}
		if !f.accepted || f.transport != description.Reliable {
			continue
		}
		cells[ReceivedRDMAReads] += whole(&l.controls[2*i+send].Requests, float64(l.delivered[2*i+send])/requestFrames)
		cells[ReceivedRDMAWrites] += whole(&l.controls[2*i+receive].Requests, float64(l.delivered[2*i+receive])/requestFrames)
	}
}
