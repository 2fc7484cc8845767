package train

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/device/counter"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/health/findings"
	"cxdeck/driver/wording"
	"cxdeck/perf/diagnosis/observe"
)

// Result is the state of a course at a moment.
type Result struct {
	// Solved reports that nothing is wrong any more that is not wrong with the healthy host; Remaining says what is, as sentences
	// that name objects and not causes.
	Solved    bool
	Remaining []string
	// Problems is the number of objects with findings that the healthy host does not have, Slow are the workloads that get less than there.
	Problems int
	Slow     []string
	// Took is the host's time since the start.
	Took time.Duration
	// Changes describe the applied plans, in order: what was changed, and from which value where the plan has it.
	Changes []string
	// Interruptions are the losses of a link or a driver since the start that neither the healthy host has nor the broken one without the
	// operator, oldest first.
	Interruptions []string
	// Lost is the traffic that the healthy host carried during these interruptions, in bytes, at the ports that they cut off.
	Lost float64
}

const (
	// judgedFor is the time over which throughput is compared, and enough is the part of the healthy host's throughput that a workload
	// must have; workloads below smallFlow, in bits per second, are not compared.
	judgedFor = 10 * time.Second
	enough    = 0.75
	smallFlow = 20e6
	// maxHealthy bounds the time for which the healthy host is run to compute the lost traffic.
	maxHealthy = 4 * time.Hour
	// maxRemaining is the number of sentences about what remains.
	maxRemaining = 4
	// Within settling of a change the host is judged as it will be after that time: drivers start, senders speed up, and findings end.
	settling = 30 * time.Second
	// oneInterruption is the time within which events at one connection are one interruption.
	oneInterruption = 5 * time.Second
)

// Check judges a host, which must be a copy: time passes on it.
func (c *Course) Check(ctx context.Context, host *driver.Host) (*Result, error) {
	r := &Result{Took: host.Now().Sub(c.Began)}
	if r.Took > maxHealthy {
		return nil, fmt.Errorf("the exercise has gone on for more than %s of the lab's time: begin it again", maxHealthy)
	}
	if r.Took < 0 || c.isReplaced(host) {
		return nil, errors.New("this is not the host of the exercise any more: begin the exercise again")
	}
	for _, entry := range host.Journal() {
		if entry.Err == "" {
			r.Changes = append(r.Changes, describe(&entry))
		}
	}
	later, unsettled := host.Clone(), isSettling(host)
	if err := c.judgeAt(ctx, host, r); err != nil {
		return nil, err
	}
	if len(r.Remaining) == 0 || !unsettled {
		return r.ended(), nil
	}
	settled := &Result{Took: r.Took, Changes: r.Changes}
	later.Advance(settling)
	if err := c.judgeAt(ctx, later, settled); err != nil {
		return nil, err
	}
	if len(settled.Remaining) == 0 {
		r = settled
	}
	return r.ended(), nil
}

// ended fills what follows from the findings and workloads that remain.
func (r *Result) ended() *Result {
	r.Solved = len(r.Remaining) == 0
	r.Remaining = r.Remaining[:min(len(r.Remaining), maxRemaining)]
	return r
}

// isSettling reports whether the operator changed a host so recently that the change may not have its full effect yet.
func isSettling(host *driver.Host) bool {
	return slices.ContainsFunc(host.Journal(), func(e driver.Entry) bool { return e.Err == "" && host.Now().Sub(e.Time) < settling })
}

// judgeAt compares a host with the healthy one at its time; the host advances.
func (c *Course) judgeAt(ctx context.Context, host *driver.Host, r *Result) error {
	healthy := c.healthy.Clone()
	healthy.Advance(host.Now().Sub(healthy.Now()))
	outages := c.outages(host, healthy)
	for _, o := range outages {
		r.Interruptions = append(r.Interruptions, o.from.Format(time.TimeOnly)+" "+o.connection)
	}
	r.Lost = c.carriedDuring(outages)
	return c.compareWithHealthy(ctx, host, healthy, r)
}

// maxDescribed is the number of Operations of a change that are described.
const maxDescribed = 4

// describe returns what a change did: "Set the switch port of Ethernet 7 to VLANs 70,71 (was VLANs 70)".
func describe(entry *driver.Entry) string {
	operations, back := entry.Plan.Operations, entry.Inverse.Operations
	var parts []string
	for i, o := range operations[:min(len(operations), maxDescribed)] {
		text := o.Describe()
		if len(back) == len(operations) { // the inverse goes backwards
			text += previous(text, back[len(back)-1-i].Describe())
		}
		parts = append(parts, text)
	}
	if more := len(operations) - len(parts); more > 0 {
		parts = append(parts, wording.Count(more, "further change"))
	}
	text := strings.Join(parts, "; ")
	if len(parts) == 0 {
		return entry.Plan.Title
	}
	return wording.UpperFirst(text)
}

// previous returns the former value in parentheses, when a change and its inverse differ in the value alone; empty otherwise.
func previous(change, inverse string) string {
	for _, separator := range []string{" to ", ": "} {
		what, _, found := strings.Cut(change, separator)
		if was, same := strings.CutPrefix(inverse, what+separator); found && same {
			return " (was " + was + ")"
		}
	}
	return ""
}

// isReplaced reports whether a host is another one: all of its ports have carried less than at the start, and no reboot or reload of a
// driver has cleared their counters.
func (c *Course) isReplaced(host *driver.Host) bool {
	for _, entry := range host.Journal() {
		for _, o := range entry.Plan.Operations {
			switch o.(type) {
			case adapters.Reboot, adapters.ReloadDriver:
				return false
			}
		}
	}
	for port, carried := range traffic(host) {
		if carried >= c.carried[port] {
			return false
		}
	}
	return true
}

// compareWithHealthy compares findings and throughput of a host with the healthy one.
func (c *Course) compareWithHealthy(ctx context.Context, host, healthy *driver.Host, r *Result) error {
	slow := slowFlows(host.Clone(), healthy.Clone())
	theirs, err := observe.OfHost(ctx, healthy)
	if err != nil {
		return err
	}
	ours, err := observe.OfHost(ctx, host)
	if err != nil {
		return err
	}
	objects := map[string]bool{}
	for _, f := range ours.Findings {
		counts := f.Severity == eventlog.Error || f.Severity == eventlog.Warning && slices.Contains(c.Exercise.Rules, f.Rule.ID)
		same := func(o *findings.Finding) bool { return o.Key() == f.Key() && o.Severity >= f.Severity }
		if !counts || f.Follows != "" || slices.ContainsFunc(theirs.Findings, same) || objects[f.Subject.Name] {
			continue
		}
		if len(f.Events) > 0 && !f.Events[len(f.Events)-1].Time.After(c.Began) && f.Rule.When == "" {
			continue // what was logged before the operator came stays in the log
		}
		objects[f.Subject.Name] = true
		r.Problems++
		r.Remaining = append(r.Remaining, f.Subject.Name+" still has a problem")
	}
	for _, name := range slow {
		if slices.Contains(c.Exercise.Accepts, name) {
			continue
		}
		r.Slow = append(r.Slow, name)
		r.Remaining = append(r.Remaining, "the workload "+name+" does not get what it got before")
	}
	return nil
}

// slowFlows returns the workloads that get clearly less on a host than on the healthy one.
func slowFlows(host, healthy *driver.Host) (names []string) {
	type load struct{ rate, demand float64 }
	sum := func(h *driver.Host) map[string]load {
		loads := map[string]load{}
		for range int(judgedFor / time.Second) {
			h.Advance(time.Second)
			for _, f := range h.Lab().Flows() {
				l := loads[f.Name]
				loads[f.Name] = load{l.rate + (f.ReceiveRate+f.SendRate)/judgedFor.Seconds(), l.demand + (f.ReceiveDemand+f.SendDemand)/judgedFor.Seconds()}
			}
		}
		return loads
	}
	ours, theirs := sum(host), sum(healthy)
	for _, f := range healthy.Lab().Description().Flows {
		own, wanted := ours[f.Name], theirs[f.Name]
		// A restart moves the rhythm of a workload: its throughput is compared relative to its demand.
		if wanted.rate >= smallFlow && own.rate < enough*wanted.rate && own.rate*wanted.demand <= enough*wanted.rate*own.demand {
			names = append(names, f.Name)
		}
	}
	return names
}

// traffic returns the bytes that each port of a host has received and sent.
func traffic(h *driver.Host) []uint64 {
	counters := h.Lab().Counters()
	list := make([]uint64, h.Lab().Ports())
	for port := range list {
		list[port] = counters[counter.Cell(port, counter.ReceivedBytes)] + counters[counter.Cell(port, counter.SentBytes)]
	}
	return list
}

// outage is an interruption that the operator caused: a connection is cut off from a loss to the next link-up.
type outage struct {
	connection string
	from, to   time.Time
}

// outages lists the losses of links and drivers of a host since the start, without the ones of the healthy host and of the broken one
// without the operator, which the fault causes.
func (c *Course) outages(host, healthy *driver.Host) (list []outage) {
	losses := func(h *driver.Host) (found []outage) {
		down := map[string]bool{}
		for _, e := range h.EventsAfter(0) {
			loss, gain := strings.HasSuffix(e.Key, "link-down") || strings.HasSuffix(e.Key, "stopped"), strings.HasSuffix(e.Key, "link-up")
			if !loss && !gain || down[e.Adapter] == loss {
				continue
			}
			down[e.Adapter] = loss
			last := -1
			for i := range found {
				if found[i].connection == e.Adapter {
					last = i
				}
			}
			switch {
			case loss && !e.Time.Before(c.Began) && (last < 0 || e.Time.Sub(found[last].from) >= oneInterruption):
				found = append(found, outage{e.Adapter, e.Time, h.Now()})
			case loss && last >= 0: // the same one
				found[last].to = h.Now()
			case last >= 0:
				found[last].to = e.Time
			}
		}
		return found
	}
	own := losses(host)
	if len(own) == 0 {
		return nil
	}
	alone := c.broken.Clone()
	alone.Advance(host.Now().Sub(alone.Now()))
	others := append(losses(healthy), losses(alone)...)
	for _, o := range own {
		same := func(t outage) bool {
			return t.connection == o.connection && t.from.Sub(o.from).Abs() < oneInterruption
		}
		if !slices.ContainsFunc(others, same) {
			list = append(list, o)
		}
	}
	return list
}

// carriedDuring returns the bytes that the healthy host carried during outages at their ports.
func (c *Course) carriedDuring(outages []outage) (lost float64) {
	var moments []time.Time
	for _, o := range outages {
		moments = append(moments, o.from, o.to)
	}
	slices.SortFunc(moments, time.Time.Compare)
	healthy, carried := c.healthy.Clone(), map[time.Time][]uint64{}
	for _, m := range slices.Compact(moments) {
		if d := m.Sub(healthy.Now()); d > 0 {
			healthy.Advance(d)
		}
		carried[m] = traffic(healthy)
	}
	for _, o := range outages {
		if port, err := healthy.Healing().Port(o.connection); err == nil {
			lost += float64(carried[o.to][port] - carried[o.from][port])
		}
	}
	return lost
}

// shows reports whether one of the first findings is of a rule in the list.
func shows(r *findings.Report, rules []string) bool {
	return slices.ContainsFunc(r.Findings, func(f *findings.Finding) bool { return slices.Contains(rules, f.Rule.ID) })
}
