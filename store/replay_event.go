package store

import (
	"context"

	"cxdeck/driver/eventlog"
	"cxdeck/store/sqlite"
)

// readAhead is how many events a replay reads at a time.
const readAhead = 256

// Events gives the events up to the time of the newest column, oldest first. An error ends them: unreadable events
// don't stop the samples.
func (p *replay) Events() []eventlog.Event {
	if !p.began {
		return nil
	}
	var due []eventlog.Event
	for p.fetchEvents(context.Background()) {
		if p.events[0].Time.After(p.last) {
			break
		}
		due = append(due, p.events[0])
		p.events = p.events[1:]
	}
	return due
}

// fetchEvents loads the next event; it is false when there is none.
func (p *replay) fetchEvents(ctx context.Context) bool {
	if len(p.events) > 0 {
		return true
	}
	if p.eventsRead && p.eventsAt == p.listedSamples() {
		return false
	}
	events, last, err := p.db.eventsAfter(ctx, p.id, p.lastEvent, readAhead)
	if err != nil {
		p.eventsRead, p.eventsAt = true, p.listedSamples()
		return false
	}
	p.events, p.lastEvent = events, last
	p.eventsRead, p.eventsAt = len(events) < readAhead, p.listedSamples()
	return len(events) > 0
}

// skipEvents skips the events before a time. A session may have very many, so the database looks for the first one that
// stays.
func (p *replay) skipEvents(ctx context.Context, before int64) {
	p.events, p.lastEvent, p.eventsRead = nil, 0, false
	next, err := sqlite.Integers(ctx, p.db.reader, "SELECT id FROM event WHERE session = ? AND time >= ? ORDER BY id LIMIT 1", p.id, before)
	switch {
	case err != nil:
		p.eventsRead, p.eventsAt = true, p.listedSamples()
	case len(next) > 0:
		p.lastEvent = next[0] - 1
	default:
		newest, err := sqlite.Integers(ctx, p.db.reader, "SELECT COALESCE(MAX(id), 0) FROM event WHERE session = ?", p.id)
		if err == nil {
			p.lastEvent = sqlite.First(newest)
		}
	}
}
