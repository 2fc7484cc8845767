package dcqcn

// Interval is the minimum time between two CNPs of one flow, in microseconds. No key sets it (DCQ-20).
const Interval = 50

// Notifier is the notification point of one flow: it limits the rate of a receiver's CNPs (DCQ-20). The zero value has sent no
// CNP, and its times start at 0.
type Notifier struct {
	next int64 // the earliest time of the next CNP
	owed bool  // a packet was marked since the last CNP
}

// Due returns the time, up to now, at which a delayed CNP was sent, if there is one.
func (n *Notifier) Due(now, interval int64) (at int64, due bool) {
	if !n.owed || n.next > now {
		return 0, false
	}
	at = n.next
	n.owed, n.next = false, at+interval
	return at, true
}

// Marked handles a marked packet and returns the number of CNPs sent for the flow up to now: a delayed CNP, and a CNP for this
// packet if the interval has passed; otherwise the CNP is delayed to the end of the interval.
func (n *Notifier) Marked(now, interval int64) (sent int) {
	if _, due := n.Due(now, interval); due {
		sent = 1
	}
	if now < n.next {
		n.owed = true
		return sent
	}
	n.next = now + interval
	return sent + 1
}

// Header returns priority and DSCP of the CNP for a marked packet of a priority (DCQ-21; WinOF-2 manual, "CNP Priority").
func (values *Parameters) Header(received uint8) (priority, dscp uint8) {
	priority = received
	if values[NotificationPriorityMode] == 0 {
		priority = uint8(values[NotificationPriority])
	}
	return priority, uint8(values[NotificationDSCP])
}

// rocev2 is the only version of RoCE with congestion control.
const rocev2 = 2

// Loop reports which parts of congestion control are active for a flow between physical adapters: whether the receiver answers
// marked packets of a priority with CNPs, and whether the sender slows down for them (DCQ-1).
func Loop(sender, receiver *Parameters, priority uint8, roceVersion int) (notified, limited bool) {
	notified = roceVersion == rocev2 && receiver.Notifies(priority)
	return notified, notified && sender.Reacts(priority)
}

// Marking holds the marking thresholds of a switch queue: no packet is marked up to Min bytes, a fraction that grows to
// Probability at Max bytes, and all packets above (DCQ-22).
type Marking struct {
	Min         float64 `json:"Least"` // the name in saved labs
	Max         float64 `json:"Most"`
	Probability float64
}

// DefaultMarking returns the thresholds of the DCQCN paper.
func DefaultMarking() Marking { return Marking{Min: 5_000, Max: 200_000, Probability: 0.01} }

// Share returns the fraction of packets that is marked at a queue length in bytes.
func (m Marking) Share(queue float64) float64 {
	switch {
	case queue <= m.Min:
		return 0
	case queue <= m.Max:
		return m.Probability * (queue - m.Min) / (m.Max - m.Min)
	}
	return 1
}

// Mean returns the mean fraction of packets that is marked while a queue grows or shrinks steadily from a length to another, in
// bytes.
func (m Marking) Mean(from, to float64) float64 {
	if from == to {
		return m.Share(to)
	}
	return min(1, max(0, (m.sum(to)-m.sum(from))/(to-from)))
}

// sum is the integral of Share from an empty queue to a length.
func (m Marking) sum(queue float64) float64 {
	over, width := max(0, min(queue, m.Max)-m.Min), m.Max-m.Min
	if width > 0 {
		over = m.Probability * over * over / (2 * width)
	} else {
		over = 0
	}
	return over + max(0, queue-m.Max)
}
