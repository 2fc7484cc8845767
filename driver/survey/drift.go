package survey

import (
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/intent"
)

// Drift is what fails now of the intent that a host keeps. It never changes.
type Drift struct {
	// File is the name of the intent's file, Kept the host's time when it was stored.
	File string
	Kept time.Time
	// Passed is the number of checks that passed.
	Passed int
	Failed []Failure
}

// Failure is a failed check.
type Failure struct {
	intent.Result
	// Ports are the ports that the checked object uses; nil for a check of the whole host.
	Ports []int
}

// At returns the failed checks of a port: its own first, then the host's.
func (d *Drift) At(port int) (own, host []Failure) {
	for _, f := range d.Failed {
		switch {
		case f.Ports == nil:
			host = append(host, f)
		case slices.Contains(f.Ports, port):
			own = append(own, f)
		}
	}
	return own, host
}

// The host is checked when it has changed, and at most every checkEvery of its time; traffic is judged over at least minPeriod.
const (
	checkEvery = 5 * time.Second
	minPeriod  = time.Second
)

// Watch follows the drift of a host from its stored intent.
type Watch struct {
	host    *driver.Host
	kept    *intent.Kept
	change  uint64
	checked time.Time
	drift   *Drift
	// before is the newest reading of the traffic, shown the traffic in the period that ended then; nil before the first period.
	before, shown *traffic
}

// Drift returns the current drift; nil for a host without a stored intent. Unlike Check it copies no host: drops and pauses are judged by
// the traffic since the check before.
func (w *Watch) Drift(s HostViews) *Drift {
	h := s.Host
	kept := h.Intent()
	if kept == nil {
		*w = Watch{}
		return nil
	}
	if kept != w.kept || h != w.host {
		*w = Watch{host: h, kept: kept}
	}
	now, change := h.Now(), h.LastChange()
	if w.drift != nil && change == w.change && now.Sub(w.checked) < checkEvery {
		return w.drift
	}
	w.change, w.checked = change, now
	in := kept.Declared()
	facts := s.facts(in, func(priority int, list []intent.Path) {
		read := readTraffic(h, priority)
		if w.before == nil {
			w.before = read
		} else if read.at.Sub(w.before.at) >= minPeriod {
			w.shown, w.before = read.since(w.before), read
		}
		if w.shown != nil {
			w.shown.fillPaths(list)
		}
	})
	w.drift = &Drift{File: kept.File, Kept: kept.Kept}
	report := in.Check(in.NodeOf(facts.Name), facts)
	for _, r := range report.Results {
		switch r.Outcome {
		case intent.Passed:
			w.drift.Passed++
		case intent.Failed:
			w.drift.Failed = append(w.drift.Failed, Failure{r, portsOf(facts, r.Object)})
		case intent.NotApplicable:
		}
	}
	return w.drift
}

// portsOf returns the ports of an object of a check: of an adapter, a virtual switch, or an adapter of the host on a switch; nil for
// other objects.
func portsOf(f *intent.Facts, object string) (ports []int) {
	if object == "" {
		return nil
	}
	same := func(name string) bool { return strings.EqualFold(name, object) }
	connections := []string{}
	add := func(name string) { connections = append(connections, strings.ToLower(name)) }
	onSwitch := func(name string) {
		for i := range f.Switches {
			if strings.EqualFold(f.Switches[i].Name, name) {
				for _, connection := range f.Switches[i].Adapters {
					add(connection)
				}
			}
		}
	}
	add(object)
	onSwitch(object)
	for i := range f.Hosts {
		if same(f.Hosts[i].Name) {
			onSwitch(f.Hosts[i].Switch)
		}
	}
	for i := range f.NICs {
		if slices.Contains(connections, strings.ToLower(f.NICs[i].Name)) {
			ports = append(ports, f.NICs[i].Port)
		}
	}
	return ports
}
