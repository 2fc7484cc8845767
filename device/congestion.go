package device

import (
	"time"

	"cxdeck/device/congestion"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/dscp"
	"cxdeck/device/setup"
	"cxdeck/device/wire"
)

// maxQueueDepth is the capacity of a switch queue, in bytes.
const maxQueueDepth = congestion.MaxQueue

// noticeIP is the length of a notification as an IP packet.
const noticeIP = 60

// control advances congestion control to the end of the step. A switch queue to this host grows with the frames that exceed its
// capacity; a queue on the send path grows when a fault takes capacity away. Both mark the frames that they forward, and the
// peers react as the description of the port says.
func (l *Lab) control() {
	for i := range l.plan.ports {
		p := &l.plan.ports[i]
		if len(p.rdma) == 0 {
			continue
		}
		for direction := range 2 {
			l.congest(i, direction, p)
		}
		limited := uint64(0)
		for _, f := range p.rdma {
			if l.controls[2*f+send].Pair.Limited() {
				limited += uint64(l.plan.flows[f].pairs)
			}
		}
		if before := &l.counters[counter.Cell(i, counter.LimitedFlows)]; limited > 0 || *before > 0 {
			*before = limited
			l.countRateLimiters(i)
		}
	}
}

// congest runs the loop of switch, notification point and reaction point for the RDMA flows of a port in a direction.
func (l *Lab) congest(port, direction int, p *portPlan) {
	queue := &l.queues[2*port+direction]
	if !l.links[port].Up {
		*queue = 0
		for _, f := range p.rdma {
			l.controls[2*f+direction] = congestion.Control{State: congestion.State{Allowed: 1}}
		}
		return
	}
	offered, limited := 0.0, false
	for _, f := range p.rdma {
		flow, c := &l.plan.flows[f], &l.controls[2*f+direction]
		c.Offered = flow.demand[direction] * l.level(f)
		c.Rate, c.Marked, c.Notified, c.NewCuts, c.Pairs, c.Frame = 0, 0, 0, 0, flow.pairs, flow.frame
		c.On = c.Offered > 0
		if direction == receive {
			c.Notifies, c.Reacts = p.notifies(flow.arrives), p.remote.Reacts>>flow.arrives&1 == 1 && !p.remote.dropsCNPs
		} else {
			c.Notifies, c.Reacts = p.remote.Notifies>>flow.priority&1 == 1 && !p.remote.dropsCNPs, p.reactsToMarks(flow.priority)
			if c.On = c.On && (p.remote.takes == 0 || flow.slow); !c.On { // no queue that grows
				c.Offered = 0
			}
		}
		offered += c.Offered * c.Allowed
		limited = limited || c.Pair.Limited()
	}
	room := l.rdmaCapacity(port, direction, offered)
	if offered <= room && *queue == 0 && !limited {
		for _, f := range p.rdma {
			l.controls[2*f+direction].Allowed = 1
		}
		return
	}
	from := (l.steps - 1) * int64(Step/time.Microsecond)
	q := congestion.Queue{Bytes: *queue, Room: room, Marking: p.marking, Senders: &p.control, Flows: l.queued[:0]}
	if direction == send { // the port's own line is not congestion: its frames wait in the host
		q.Line = p.rate
	}
	for _, f := range p.rdma {
		q.Flows = append(q.Flows, &l.controls[2*f+direction])
	}
	q.Advance(int(Step/congestion.Tick), from)
	*queue, l.queued = q.Bytes, q.Flows
	for _, f := range p.rdma {
		l.finishControl(port, f, direction)
	}
}

// rdmaCapacity returns a switch's capacity for the RDMA data of a port in a direction, in bits per second: the data that passed, and
// the free capacity of line and slot.
func (l *Lab) rdmaCapacity(port, direction int, offered float64) float64 {
	p, sum := &l.plan.ports[port], &l.loads[port]
	if direction == send {
		if share := l.links[port].faults[description.Congestion]; share > 0 {
			return p.rate * (1 - share)
		}
		if p.remote.takes > 0 {
			return p.remote.takes * 8 / stepSeconds
		}
		return p.rate
	}
	if sum.slotReceiveShare == 0 {
		return 0
	}
	line := max(0, p.line-sum.wire[receive]-sum.control[receive])
	slot := max(0, l.plan.cards[p.adapter].slot-l.cards[p.adapter].bytes[receive])
	return offered*sum.lineShare[receive]*sum.slotReceiveShare + min(line, slot)*8/stepSeconds
}

// finishControl counts the results of congestion control in the step, and sets the allowed fraction for the next step.
func (l *Lab) finishControl(port, f, direction int) {
	flow, c := &l.plan.flows[f], &l.controls[2*f+direction]
	before := c.Allowed < 1
	c.Allowed = 1
	if c.On && c.Rate < c.Offered {
		c.Allowed = c.Rate / c.Offered
	}
	cells := l.portCells(port)
	class := counter.PriorityCell(0, flow.priorityOf(direction), 0)
	cnps := counter.Whole(&c.Notices, c.Notified)
	if direction == receive {
		marked := min(counter.Whole(&c.Marks, c.Marked), l.delivered[2*f+receive])
		if l.tap != nil {
			l.tap.Mark(port, int32(f), marked)
		}
		cells[counter.ECNMarked] += marked
		cells[class+int(counter.PriorityECNMarked)] += marked
		cnps = min(cnps, marked)
		if c.Notifies {
			cells[class+int(counter.PriorityECNCoalesced)] += marked - cnps
		} else {
			cells[class+int(counter.PriorityECNIgnored)] += marked
		}
	}
	c.Pending += cnps
	if direction == send {
		handled, classHandled := counter.CNPsIgnored, counter.PriorityCNPsIgnored
		if c.Reacts {
			handled, classHandled = counter.CNPsHandled, counter.PriorityCNPsHandled
		}
		cells[handled] += cnps
		cells[class+int(classHandled)] += cnps
		l.counters[l.CardCell(l.plan.ports[port].adapter, counter.CardArrivedCNPs)] += cnps
		c.Cuts += uint64(c.NewCuts)
		if cnps > 0 { // a cut needs a whole notification
			cells[counter.RateCuts] += c.Cuts
			c.Cuts = 0
		}
	}
	if direction == send && (c.Allowed < 1) != before {
		pairs := uint64(flow.pairs)
		if before {
			cells[counter.LimitersRemoved] += pairs
		} else {
			cells[counter.LimitersAdded] += pairs
			cells[class+int(counter.PriorityLimiters)] += pairs
		}
	}
}

// deliverNotifications sends the pending notifications over the line.
func (l *Lab) deliverNotifications(port int, sum *load) {
	p := &l.plan.ports[port]
	for _, f := range p.rdma {
		for direction := range 2 {
			c := &l.controls[2*f+direction]
			if c.Pending == 0 {
				continue
			}
			// Notifications for received data are sent, and wait while their priority is paused.
			s, priority := &l.links[port], l.noticePriority(port, &l.plan.flows[f], 1-direction)
			if direction == receive && l.pausedShare(port) == 1 && !s.silent && p.flowControl.Stops(s.pausePriority, priority) {
				continue
			}
			n := c.Pending
			c.Pending = 0
			if !l.links[port].Up {
				continue
			}
			l.countNotices(port, priority, 1-direction, n)
			if l.tap != nil {
				l.tapNotifications(port, f, priority, 1-direction, n)
			}
			if direction == receive && p.remote.dropsCNPs {
				l.remotes[port].LostNotices += n
			}
			if l.plan.flows[f].ndspi {
				l.counters[counter.Cell(port, counter.OwnFrames)] += n
			}
			sum.control[1-direction] += float64(n) * float64(noticeFrame+wire.PreambleGap)
		}
	}
}

// noticeFrame is the length of a notification from header to FCS, with a tag.
const noticeFrame = noticeIP + wire.EthernetHeader + wire.VLANTag + wire.FrameCheck

// noticePriority returns the priority of the notifications of a flow in a direction (DCQ-21). Peers are set up as the port, and
// a port that trusts the DSCP reads the priority of received notifications from theirs.
func (l *Lab) noticePriority(port int, flow *flowPlan, direction int) int {
	s := &l.setup.Ports[port]
	switch {
	case direction == receive && s.TrustDSCP:
		return int(dscp.FromDSCP(uint8(s.CNPDSCP)))
	case s.NoticePriority != setup.PriorityOfMarked:
		return s.NoticePriority
	}
	return flow.priorityOf(1 - direction) // of the marked data
}

func (l *Lab) countNotices(port, priority, direction int, n uint64) {
	cells := l.portCells(port)
	class := counter.PriorityCell(0, priority, 0)
	total, classTotal, rdma := counter.ReceivedBytes, counter.PriorityReceivedBytes, counter.RDMAInBytes
	if direction == send {
		total, classTotal, rdma = counter.SentBytes, counter.PrioritySentBytes, counter.RDMAOutBytes
		cells[counter.CNPsSent] += n
		cells[class+int(counter.PriorityCNPsSent)] += n
	} else {
		cells[counter.ArrivedPackets] += n
		cells[counter.WireBytesReceived] += n * noticeFrame
	}
	cells[total] += n * noticeFrame
	cells[total+1] += n
	cells[class+int(classTotal)] += n * noticeFrame
	cells[class+int(classTotal)+1] += n
	cells[rdma] += n * noticeFrame
	cells[rdma+1] += n
}

func (p *portPlan) notifies(priority int) bool {
	return priority != counter.Untagged && p.congestion.Notifies(uint8(priority))
}

func (p *portPlan) reactsToMarks(priority int) bool {
	return priority != counter.Untagged && p.congestion.Reacts(uint8(priority))
}
