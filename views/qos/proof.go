package qos

import (
	"time"

	"cxdeck/driver/lossless"
)

// proofs are the last two readings of the counts that prove mismatches of the shown port.
type proofs struct {
	port        string
	now, before map[string]uint64
	at, since   time.Time
}

// read takes the counts of a port at a moment.
func (p *proofs) read(port string, list []lossless.Mismatch, at time.Time) {
	if port != p.port {
		*p = proofs{port: port}
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
}

// rate returns the rate of a count per second between the last two readings; false without two of them.
func (p *proofs) rate(e lossless.Evidence, now time.Time) (float64, bool) {
	before, had := p.before[e.Name]
	seconds := p.at.Sub(p.since).Seconds()
	if !had || seconds <= 0 || p.now[e.Name] != e.Count || now.Before(p.at) {
		return 0, false
	}
	return float64(e.Count-min(before, e.Count)) / seconds, true
}
