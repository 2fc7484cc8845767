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

// mismatchKey identifies a mismatch of a port.
type mismatchKey struct {
	port     string
	kind     lossless.Kind
	place    lossless.Place
	priority int
}

// beginnings are the times at which the mismatches of all ports appeared; zero for a mismatch that was there already.
type beginnings struct {
	at   map[mismatchKey]time.Time
	last time.Time
}

// maxGap is the longest time between two readings of which the second one knows when a mismatch appeared.
const maxGap = time.Minute

// read takes over the mismatches of all ports at a moment.
func (b *beginnings) read(ports []labstate.Port, paths []lossless.Path, now time.Time) {
	if now.Equal(b.last) {
		return
	}
	appeared := now
	if b.at == nil || now.Before(b.last) || now.Sub(b.last) > maxGap {
		b.at, appeared = nil, time.Time{}
	}
	was := b.at
	b.at, b.last = map[mismatchKey]time.Time{}, now
	for i := range paths {
		for j := range paths[i].Mismatches {
			key := keyOf(&ports[i], &paths[i].Mismatches[j])
			at, known := was[key]
			if !known {
				at = appeared
			}
			b.at[key] = at
		}
	}
}

// of returns when a mismatch of a port appeared; zero when that is unknown.
func (b *beginnings) of(port *labstate.Port, m *lossless.Mismatch) time.Time {
	return b.at[keyOf(port, m)]
}

func keyOf(port *labstate.Port, m *lossless.Mismatch) mismatchKey {
	return mismatchKey{port.Description.Connection, m.Kind, m.Place, m.Priority}
}
