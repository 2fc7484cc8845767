// Package congestion runs the loop of a switch queue that marks, receivers that notify and senders that react, for the RDMA flows
// of a port in a direction. It counts nothing.
package congestion

import (
	"time"

	"cxdeck/device/dcqcn"
)

// Control is the congestion control of the RDMA data of a flow in one direction. One queue pair represents all its equal queue
// pairs.
type Control struct {
	Pair dcqcn.Flow
	Rest
	Now
}

// requestFaults is the number of kinds of failed requests.
const requestFaults = 4

// Rest is the state of congestion control outside the queue pairs.
type Rest struct {
	// Allowed is the fraction of the demand that the limiters allow in this step.
	Allowed float64
	// Owed is the number of notifications due to a pair; the others are remainders of whole marks, notifications and so on.
	Owed, Marks, Notices, Timeouts, Requests float64
	// Errors are remainders of whole failed requests, by fault.
	Errors [requestFaults]float64
	// Gaps is the remainder of whole frames damaged on the path to the other end.
	Gaps float64
	// Pending is the number of notifications that the line carries in the next step, Cuts the number of rate cuts that are not
	// counted yet.
	Pending, Cuts uint64
}

// Now is the congestion found in a step.
type Now struct {
	// Offered and Rate belong to the computed step: demand and its mean rate under the limiters, in bits per second. Marked and
	// Notified are frames.
	Offered, Rate, Marked, Notified float64
	// NewCuts are the rate cuts.
	NewCuts int
	// On: it has demand. Reacts and Notifies: its sender and its receiver take part.
	On, Reacts, Notifies bool
	// Pairs are its queue pairs, Frame is its longest frame on the wire in bytes.
	Pairs int
	Frame float64
}

const (
	// Tick is the interval at which the queue of a congested switch is computed.
	Tick = 100 * time.Microsecond
	// noticesPerTick is the maximum number of notifications of a pair in a tick.
	noticesPerTick = float64(Tick/time.Microsecond) / dcqcn.Interval
	// MaxQueue is the capacity of a switch queue, in bytes.
	MaxQueue = 2e6
)

// Queue is a queue of a switch with the flows that feed it.
type Queue struct {
	// Bytes is its length, Room its capacity in bits per second.
	Bytes, Room float64
	Marking     dcqcn.Marking
	Senders     *dcqcn.Control
	Flows       []*Control
}

// Advance advances the queue and the pairs that feed it by so many ticks from a time in microseconds.
func (q *Queue) Advance(ticks int, from int64) {
	for k := range ticks {
		q.tick(ticks, from+int64(k+1)*int64(Tick/time.Microsecond))
	}
}

// tick advances the queue by one of so many ticks, which ends at a time.
func (q *Queue) tick(ticks int, now int64) {
	const seconds = float64(Tick) / float64(time.Second)
	total := 0.0
	for _, c := range q.Flows {
		if c.On {
			total += min(c.Offered, c.Pair.Rate(q.Senders)*1e6*float64(c.Pairs))
		}
	}
	q.Bytes = max(0, min(MaxQueue, q.Bytes+(total-q.Room)/8*seconds))
	marks := q.Marking.Share(q.Bytes)
	passes := min(1, q.Room/max(total, 1))
	for _, c := range q.Flows {
		pairs := float64(c.Pairs)
		if !c.On {
			c.Pair.Advance(q.Senders, now)
			continue
		}
		before := c.Pair.Rate(q.Senders)
		rate := min(c.Offered, before*1e6*pairs)
		c.Rate += rate / float64(ticks)
		bytes := rate * passes / 8 * seconds
		marked := bytes / c.Frame * marks
		c.Marked += marked
		if c.Notifies && marked > 0 {
			notices := min(noticesPerTick, marked/pairs)
			c.Notified += notices * pairs
			c.Owed = min(noticesPerTick, c.Owed+notices)
			if c.Owed >= 1 {
				c.Owed--
				if c.Reacts {
					c.Pair.Notify(q.Senders, now)
				}
			}
		}
		c.Pair.Sent(q.Senders, now, int64(bytes/pairs))
		if c.Pair.Rate(q.Senders) < before {
			c.NewCuts += c.Pairs
		}
	}
}
