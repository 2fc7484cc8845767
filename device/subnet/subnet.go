// Package subnet models how the driver of an IPoIB port queries the subnet administrator: when it repeats a query without an
// answer, and when it gives up (WinOF manual, "IPoIB Registry Keys"). What the queries are for belongs to the lab.
package subnet

import "time"

// Round is the period at which a driver that gave up starts again: a run of its multicast monitor. A longer round of queries
// takes several runs.
const Round = 30 * time.Second

// Policy is the retry policy of queries.
type Policy struct {
	// Timeout is the time between two queries (SaTimeout), Retries how often a query is repeated (SaRetries).
	Timeout time.Duration
	Retries int
}

// MaxWait returns the time after which the driver gives up.
func (p Policy) MaxWait() time.Duration { return p.Timeout * time.Duration(p.Retries+1) }

// Next returns the time of the first query at or after a time; both count from the first query. A policy without a timeout
// queries at any time.
func (p Policy) Next(at time.Duration) time.Duration {
	if p.Timeout <= 0 || at <= 0 {
		return max(0, at)
	}
	// The time between two rounds is a whole number of them.
	round := max(Round, (p.MaxWait() + Round - 1).Truncate(Round))
	start := at.Truncate(round)
	wait := (at - start + p.Timeout - 1).Truncate(p.Timeout)
	if wait >= p.MaxWait() {
		return start + round
	}
	return start + wait
}

// Silence returns for how many steps a driver that asks has had no answer, after one more step. An administrator that runs answers the next
// query.
func (p Policy) Silence(steps int64, runs bool, step time.Duration) int64 {
	now := time.Duration(steps) * step
	if !runs || steps > 0 && p.Next(now-step+1) > now {
		return steps + 1
	}
	return 0
}
