package driver

import (
	"time"

	"cxdeck/device"
	"cxdeck/driver/adapters"
	"cxdeck/driver/wording"
)

// Wait is an operation in progress that ends by itself: a reboot, a start of drivers, a link that comes up.
type Wait struct {
	// What is a clause: "LAB-N4 reboots". Return is the clause for its end, "LAB-N4 comes back", and Done for the time after it,
	// "LAB-N4 is back".
	What, Return, Done string
	// Connections are without traffic until then, in the order of the lab.
	Connections []string
	// Link reports that only links come up, and no driver starts.
	Link bool
	// Until is the time at which it ends, with the links that come up then.
	Until time.Time
}

// waitWords are the verbs of a wait's clauses, for one subject and for several.
type waitWords struct {
	subject                          string // empty for the connections themselves
	what, ends, is                   string
	pluralWhat, pluralEnd, pluralAre string
}

var (
	restartWords = waitWords{"", "restarts", "comes back", "is back", "restart", "come back", "are back"}
	startWords   = waitWords{"", "starts", "comes up", "is up", "start", "come up", "are up"}
	linkWords    = waitWords{"", "link comes up", "link is up", "link is up", "links come up", "links are up", "links are up"}
)

// withSubject returns the words for another subject.
func (w waitWords) withSubject(subject, what string) waitWords {
	w.subject, w.what = subject, what
	return w
}

// startedBy returns the words for a port that an Operation starts, and the time that the start takes; ok is false for any other
// port.
func (h *Host) startedBy(o Operation, port int) (words waitWords, length time.Duration, ok bool) {
	switch o := o.(type) {
	case adapters.EnableAdapter:
		return startWords, startTime, h.connection(port) == o.Connection
	case adapters.ReloadDriver:
		return restartWords.withSubject("driver "+o.Driver, "reloads"), stopTime + loadTime + startTime, h.family(port).Driver() == o.Driver
	case adapters.Reboot:
		return restartWords.withSubject(o.Host, "reboots"), stopTime + bootTime + startTime, true
	case adapters.ResetCard:
		return restartWords.withSubject(o.Adapter, "resets"), stopTime + startTime, h.lab.Description().Adapters[h.cardOf(port)].Name == o.Adapter
	}
	return waitWords{}, 0, false
}

// Waits returns the operations in progress that end by themselves, ordered by their ends. It leaves out links that can't
// come up by themselves, such as a link without its cable or without a subnet manager.
func (h *Host) Waits() []Wait {
	type group struct {
		words        waitWords
		start, until time.Duration
		ports        []string
	}
	var groups []group
	for port := range h.miniports {
		words, start, until, ok := h.waitOf(port)
		if !ok {
			continue
		}
		at := 0
		for at < len(groups) && (groups[at].words != words || groups[at].start != start) {
			at++
		}
		if at == len(groups) {
			groups = append(groups, group{words: words, start: start})
		}
		groups[at].until = max(groups[at].until, until) // a port without a cable ends before the others
		groups[at].ports = append(groups[at].ports, h.connection(port))
	}
	var list []Wait
	for _, g := range groups {
		subject, what, ends, is := g.words.subject, g.words.what, g.words.ends, g.words.is
		if subject == "" {
			subject = wording.Names(g.ports)
			if len(g.ports) > 1 {
				what, ends, is = g.words.pluralWhat, g.words.pluralEnd, g.words.pluralAre
			}
		}
		w := Wait{subject + " " + what, subject + " " + ends, subject + " " + is, g.ports, g.words == linkWords, h.lab.Now().Add(g.until - h.lab.Elapsed())}
		at := 0
		for at < len(list) && !w.Until.Before(list[at].Until) {
			at++
		}
		list = append(list[:at], append([]Wait{w}, list[at:]...)...)
	}
	return list
}

// waitOf returns the wait of a port, with its start and end, counted from the lab's start. Ports with the same words share one
// wait if their drivers start at the same time, or if they wait only for their links.
func (h *Host) waitOf(port int) (words waitWords, start, until time.Duration, ok bool) {
	m := &h.miniports[port]
	left, trains := h.lab.Training(port)
	switch {
	case m.state == Restarting:
		if until = m.due; trains {
			until += left
		}
		return h.startWords(port), m.due, until, true
	case m.state == Running && trains:
		until = h.lab.Elapsed() + left
		if began := until - device.TrainingTime; m.due > 0 && (began-m.due).Abs() <= device.Step {
			return h.startWords(port), m.due, until, true // its driver has just started
		}
		return linkWords, until, until, true
	}
	return waitWords{}, 0, 0, false
}

// startWords returns the words for the start of a port that is in progress, or has just ended: the words of the change that
// caused it, if it has any.
func (h *Host) startWords(port int) waitWords {
	due := h.lab.Now().Add(h.miniports[port].due - h.lab.Elapsed())
	for i := len(h.journal) - 1; i >= 0; i-- {
		e := &h.journal[i]
		if due.Sub(e.Time) > stopTime+bootTime+startTime {
			break // no start takes longer
		}
		for _, o := range e.Plan.Operations {
			if e.Err == "" {
				if words, length, ok := h.startedBy(o, port); ok && e.Time.Add(length).Equal(due) {
					return words
				}
			}
		}
	}
	return restartWords
}
