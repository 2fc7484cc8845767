package qos

import (
	"fmt"
	"time"

	"cxdeck/driver/lossless"
	"cxdeck/perf/labstate"
)

// proofs are the last two readings of counts of the shown port that no counter has: the counts that prove mismatches, and congestion
// control by priority.
type proofs struct {
	port        string
	now, before map[string]uint64
	at, since   time.Time
}

// read takes the counts of a port at a moment.
func (p *proofs) read(port *labstate.Port, list []lossless.Mismatch, at time.Time) {
	name := port.Description.Connection
	if name != p.port {
		*p = proofs{port: name}
	}
	if p.now != nil && !at.After(p.at) {
		return
	}
	p.before, p.since = p.now, p.at
	p.now, p.at = map[string]uint64{}, at
	for i := range list {
		for _, e := range list[i].Evidence {
			p.now[e.Name] = e.Count
		}
	}
	for priority, c := range port.Congestion {
		p.now[congestionName(priority, marked)], p.now[congestionName(priority, notified)] = c.Marked, c.NoticesSent+c.NoticesHandled
	}
}

// congestionName is the name of a figure of congestion control of a priority among the counts.
func congestionName(priority int, f figure) string {
	return fmt.Sprintf("%s of row %d", figureLabels[f], priority)
}

// rate returns the rate of a count per second between the last two readings; false without two of them.
func (p *proofs) rate(name string, now time.Time) (float64, bool) {
	before, had := p.before[name]
	count, has := p.now[name]
	seconds := p.at.Sub(p.since).Seconds()
	if !had || !has || seconds <= 0 || now.Before(p.at) {
		return 0, false
	}
	return float64(count-min(before, count)) / seconds, true
}
