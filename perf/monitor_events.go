package perf

import "cxdeck/driver"

// mostEvents is how many events a monitor keeps.
const mostEvents = 10_000

// eventLog keeps the newest events, numbered without holes.
type eventLog struct {
	// ring holds event number n at place n modulo its length, once it is full.
	ring []driver.Event
	// last is the number of the newest event, 0 while there are none; kept is how many are there.
	last uint64
	kept int
}

// add numbers events and keeps them. What it gives is a copy.
func (l *eventLog) add(events []driver.Event) []driver.Event {
	numbered := append([]driver.Event(nil), events...)
	for i := range numbered {
		l.last++
		numbered[i].Sequence = l.last
		if len(l.ring) < mostEvents {
			// Numbers begin at 1: the place of number n is n-1.
			l.ring = append(l.ring, numbered[i])
		} else {
			l.ring[(l.last-1)%mostEvents] = numbered[i]
		}
		l.kept = min(l.kept+1, mostEvents)
	}
	return numbered
}

// newest gives at most limit of the newest events with a number above after, oldest first.
func (l *eventLog) newest(after uint64, limit int) []driver.Event {
	if limit <= 0 {
		return nil
	}
	oldest := max(after, l.last-uint64(l.kept))
	if l.last > uint64(limit) {
		oldest = max(oldest, l.last-uint64(limit))
	}
	if oldest >= l.last {
		return nil
	}
	events := make([]driver.Event, 0, l.last-oldest)
	for number := oldest + 1; number <= l.last; number++ {
		events = append(events, l.ring[(number-1)%mostEvents])
	}
	return events
}

// forget drops the events and goes on with their numbers.
func (l *eventLog) forget() { l.kept = 0 }
