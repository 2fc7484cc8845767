package device

const (
	// answerTime is how long a queue pair waits for an answer before it sends again, in steps.
	answerTime = 10.0
	// mostRetries is how often it does that.
	mostRetries = 7
)

// transport counts what the queue pairs of a flow see of frames that were lost in this step.
func (l *Lab) transport(flow int, arrived, lost uint64) {
	f := &l.plan.flows[flow]
	cells := l.counters[f.port*portStride : (f.port+1)*portStride]
	if lost*2 <= arrived { // gaps: the receiver asks for what is missing
		cells[ResponderOutOfOrder] += lost
		return
	}
	c := &l.controls[2*flow+send]
	timeouts := whole(&c.Timeouts, float64(f.pairs)/answerTime)
	cells[RequesterTimeouts] += timeouts
	exceeded := (cells[RequesterTimeouts] / (mostRetries + 1)) - cells[RetriesExceeded]
	cells[RetriesExceeded] += exceeded
	cells[RequesterCQEErrors] += exceeded
	if broken := min(exceeded, cells[RDMAActive]); broken > 0 { // they connect again, and fail again
		cells[RDMAErrors] += broken
		cells[RDMAInitiated] += broken
	}
	cells[ErrorQueuePairs] = uint64(f.pairs)
	l.counters[l.CardCell(l.plan.ports[f.port].adapter, CardLastRetransmitted)] = uint64(firstPair + flow)
}

// firstPair is the number of the first queue pair that is not the driver's own.
const firstPair = 0x40

// requestFrames is the length of an RDMA request, in frames.
const requestFrames = 32

// requests counts the requests that peers made of the flows that they opened: reads of what is sent, writes of what is
// received.
func (l *Lab) requests() {
	for i := range l.plan.flows {
		f := &l.plan.flows[i]
		if !f.rdma || !f.accepted {
			continue
		}
		cells := l.counters[f.port*portStride : (f.port+1)*portStride]
		cells[ReceivedRDMAReads] += whole(&l.controls[2*i+send].Requests, float64(l.delivered[2*i+send])/requestFrames)
		cells[ReceivedRDMAWrites] += whole(&l.controls[2*i+receive].Requests, float64(l.delivered[2*i+receive])/requestFrames)
	}
}
