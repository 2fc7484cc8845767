package monitor

import (
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/health/findings"
	"cxdeck/perf/diagnosis"
	"cxdeck/perf/labstate"
)

// The rules run when the source's time has moved by checkEvery, or after a change by checkChanged, and at most once in checkPause of
// the wall clock.
const (
	checkEvery   = 5 * time.Second
	checkChanged = time.Second
	checkPause   = time.Second
)

// checker runs the rules of driver/health/findings; only Run's goroutine uses it.
type checker struct {
	observer diagnosis.Observer
	at       time.Time // of the newest round, by the source's clock
	wall     time.Time
	changes  uint64
}

// Health returns what is wrong with the source, as the newest round of rules found it; nil before the first round.
func (m *Monitor) Health() *findings.Report {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.health
}

// checkHealth runs a round of rules when one is due.
func (o *owner) checkHealth(now time.Time) {
	if o.count == 0 {
		return
	}
	column := &o.pair[(o.count+1)%2]
	c, changes := &o.checks, uint64(0)
	if o.host != nil {
		changes = o.host.LastChange()
	}
	passed := column.Time.Sub(c.at)
	due := passed < 0 || passed >= checkEvery || changes != c.changes && passed >= checkChanged
	if !due || now.Sub(c.wall) < checkPause {
		return
	}
	c.at, c.wall, c.changes = column.Time, now, changes
	o.mutex.RLock()
	look := diagnosis.Input{Schema: o.schema, Inventory: o.inventory, Column: column, Lab: o.lab}
	look.Events = o.events.After(0, eventlog.Kept)
	o.mutex.RUnlock()
	switch {
	case look.Lab != nil && o.host != nil:
		look.Facts = labstate.Facts(o.host, look.Lab)
	case look.Lab != nil:
		look.Facts, look.Shared = look.Lab.Facts, true
	}
	report := c.observer.Evaluate(look)
	o.mutex.Lock()
	o.health = report
	o.mutex.Unlock()
}
