// Package congestion runs the loop of a switch queue that marks, receivers that notify and senders that react, for the RDMA flows
// of a port in a direction. It counts nothing.
package congestion

import (
	"math"
	"time"

	"cxdeck/device/dcqcn"
)

// Control is the congestion control of the RDMA data of a flow in one direction. One queue pair represents all its equal queue
// pairs.
type Control struct {
	Pair dcqcn.Flow
	State
	Observation
}

// requestFaults is the number of kinds of failed requests.
const requestFaults = 4

// State is the state of congestion control outside the queue pairs.
type State struct {
	// Allowed is the fraction of the demand that the limiters allow in this step.
	Allowed float64
	// Noticed is the time of the last notification of a pair, in microseconds.
	Noticed int64
	// Remainders of whole marks, notifications and so on.
	Marks, Notices, Timeouts, Requests float64
	// Errors are remainders of whole failed requests, by fault.
	Errors [requestFaults]float64
	// Gaps is the remainder of whole frames damaged on the path to the other end.
	Gaps float64
	// Pending is the number of notifications that the line carries in the next step, Cuts the number of rate cuts that are not
	// counted yet.
	Pending, Cuts uint64
}

// maxPending limits the counts of a saved state.
const maxPending = 1 << 32

// Valid reports whether a saved state is possible.
func (s *State) Valid() bool {
	return s.Allowed >= 0 && s.Allowed <= 1 && s.Pending <= maxPending && s.Cuts <= maxPending
}

// Observation is the congestion found in a step.
type Observation struct {
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
	// Tick is the interval at which the queue of a congested switch is computed. In 100 us a queue grows past both marking
	// thresholds at once, where all frames are marked and senders never reach equal shares; in 25 us they do.
	Tick = 25 * time.Microsecond
	// cnpsPerTick is the maximum number of notifications of a pair in a tick, which can be less than one.
	cnpsPerTick = float64(Tick/time.Microsecond) / dcqcn.Interval
	// MaxQueue is the capacity of a switch queue, in bytes.
	MaxQueue = 2e6
)

// Queue is a queue of a switch with the flows that feed it.
type Queue struct {
	// Bytes is its length, Room its capacity in bits per second. Line is the rate at which all flows together can reach it, in
	// bits per second: the line of their one sender, or 0 where they have many.
	Bytes, Room, Line float64
	Marking           dcqcn.Marking
	Senders           *dcqcn.Control
	Flows             []*Control
}

// budget is the number of ticks of single flows that a queue computes in a step of the lab.
const budget = 2000

// parts returns the number of parts of so many ticks of which one fits the budget. A loop of queue and senders settles within a few
// milliseconds, less than a part of the lab's step.
func (q *Queue) parts(ticks int) int {
	active := 0
	for _, c := range q.Flows {
		if c.On {
			active++
		}
	}
	parts := 1
	for parts < 8 && ticks*active > budget*parts && ticks%(2*parts) == 0 {
		parts *= 2
	}
	return parts
}

// Advance advances the queue and the pairs that feed it by so many ticks from a time in microseconds. Where a queue that was not empty
// marks frames in the first part of the time, the queue and the pairs stand still for the rest, and counts and rates are those
// of the first part. Otherwise all ticks are computed: a loop that begins or ends changes with time.
func (q *Queue) Advance(ticks int, from int64) {
	const tick = int64(Tick / time.Microsecond)
	computed, repeated := ticks, false
	parts := q.parts(ticks)
	if part := ticks / parts; q.Bytes > 0 && parts > 1 {
		marks := false
		for k := range part {
			marks = q.tick(from+int64(k+1)*tick) || marks
		}
		if repeated = marks; repeated {
			computed = part
		} else {
			q.run(part, ticks, from)
		}
	} else {
		q.run(0, ticks, from)
	}
	still := int64(ticks-computed) * tick
	for _, c := range q.Flows {
		if !c.On {
			c.Pair.Advance(q.Senders, from+int64(ticks)*tick)
			continue
		}
		c.Rate /= float64(computed)
		if repeated {
			c.Marked, c.Notified, c.NewCuts = c.Marked*float64(parts), c.Notified*float64(parts), c.NewCuts*parts
			c.Noticed += still
			c.Pair.Pause(still)
		}
	}
}

// run computes the ticks from one to another of a time that begins at from.
func (q *Queue) run(first, last int, from int64) {
	for k := first; k < last; k++ {
		q.tick(from + int64(k+1)*int64(Tick/time.Microsecond))
	}
}

// tick advances the queue by a tick that ends at a time, and reports whether it marked frames. The rates of flows are summed up.
func (q *Queue) tick(now int64) (marks bool) {
	const seconds = float64(Tick) / float64(time.Second)
	total := 0.0
	for _, c := range q.Flows {
		if c.On {
			total += min(c.Offered, c.Pair.Rate(q.Senders)*1e6*float64(c.Pairs))
		}
	}
	reaches := 1.0
	if q.Line > 0 && total > q.Line {
		reaches, total = q.Line/total, q.Line
	}
	before := q.Bytes
	q.Bytes = max(0, min(MaxQueue, q.Bytes+(total-q.Room)/8*seconds))
	marked := q.Marking.Mean(before, q.Bytes)
	passes := min(1, q.Room/max(total, 1)) / 8 * seconds
	for i, c := range q.Flows {
		if !c.On {
			continue
		}
		before := c.Pair.Rate(q.Senders)
		rate := min(c.Offered, before*1e6*float64(c.Pairs)) * reaches
		c.Rate += rate
		bytes := rate * passes
		perPair := bytes
		if c.Pairs > 1 {
			perPair /= float64(c.Pairs)
		}
		if marked > 0 && bytes > 0 {
			marks = true
			q.mark(i, now, bytes/c.Frame*marked)
		}
		c.Pair.Sent(q.Senders, now, int64(perPair))
		if c.Pair.Rate(q.Senders) < before {
			c.NewCuts += c.Pairs
		}
	}
	return marks
}

// mark counts the marked frames of a flow in a tick that ends at a time, and notifies its sender.
func (q *Queue) mark(flow int, now int64, marked float64) {
	c := q.Flows[flow]
	c.Marked += marked
	if !c.Notifies {
		return
	}
	pairs := float64(c.Pairs)
	c.Notified += min(cnpsPerTick*pairs, marked)
	if now-c.Noticed >= dcqcn.Interval && arrives(marked/pairs, randomFraction(now, flow)) {
		c.Noticed = now
		if c.Reacts {
			c.Pair.Notify(q.Senders, now)
		}
	}
}

// arrives reports whether at least one marked frame arrives where so many are expected, for a number from 0 to 1 at random.
func arrives(expected, chance float64) bool {
	if chance >= expected { // the probability is less than the expected number
		return false
	}
	// The first terms of the series of the exponential give a lower bound, which decides most cases without computing it.
	if (1-chance)*(1+expected*(1+expected*(0.5+expected/6))) > 1 {
		return true
	}
	return chance < 1-math.Exp(-expected)
}

// randomFraction returns a number from 0 to 1 for a flow at a time. Switches mark frames at random: senders that are marked by a fixed
// pattern stay in step with the queue, and some of them never get their share.
func randomFraction(now int64, flow int) float64 {
	x := uint64(now)*0x9e3779b97f4a7c15 + uint64(flow+1)*0xbf58476d1ce4e5b9 // splitmix64
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return float64((x^x>>31)>>11) / (1 << 53)
}
