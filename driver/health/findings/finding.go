package findings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"cxdeck/driver/eventlog"
)

// Finding is one thing that is wrong, or was.
type Finding struct {
	Rule     *Rule
	Severity eventlog.Severity
	// Subject is what it is about, with its facts when the finding was last found.
	Subject *Subject
	// Item is the item of a rule with items; nil for none.
	Item *Item
	// Title is the sentence, without a full stop.
	Title string
	// Since is when it began; Started reports that it held when observation began. Until is when it ended, zero while it lasts.
	Since   time.Time
	Started bool
	Until   time.Time
	// Follows is the id of the rule whose finding at the same port causes it; empty for none.
	Follows string
	// Events are the events of the rule, oldest first.
	Events []eventlog.Event
	// Evidence are the facts that show it.
	Evidence []Evidence
	Fixes    []Fix

	key string
}

// Evidence is a fact with its value.
type Evidence struct {
	Fact  *Fact
	Value float64
}

// Text returns the value with its unit.
func (e Evidence) Text() string { return format(e.Value, e.Fact.Unit) }

// Key identifies the finding as long as it lasts.
func (f *Finding) Key() string { return f.key }

// At reports whether a finding is about an object: a connection, a card, a team, a machine or its host.
func (f *Finding) At(name string) bool {
	s := f.Subject
	return strings.EqualFold(s.Name, name) || strings.EqualFold(s.Connection, name) || strings.EqualFold(s.Texts["adapter"], name) ||
		strings.EqualFold(s.Texts["vm"], name) || slices.ContainsFunc(s.Aliases, func(a string) bool { return strings.EqualFold(a, name) })
}

// find evaluates all rules over facts, in the order of the rules and the subjects.
func find(facts *Facts) (list []*Finding) {
	for _, r := range Rules() {
		for _, s := range facts.Subjects {
			if s.Kind != r.Of {
				continue
			}
			var events []eventlog.Event
			if len(r.Events) > 0 || r.Text != "" {
				if events = r.eventsOf(s, facts); len(events) < max(r.Count, 1) {
					continue
				}
			}
			if r.when != nil && !r.when.Holds(s) {
				continue
			}
			if r.Each == "" {
				list = append(list, r.finding(s, nil, events))
				continue
			}
			for i := range s.Items[r.Each] {
				list = append(list, r.finding(s, &s.Items[r.Each][i], events))
			}
		}
	}
	return list
}

// eventsOf returns the events of a rule at a subject that no later event has cleared.
func (r *Rule) eventsOf(s *Subject, facts *Facts) (list []eventlog.Event) {
	within := time.Duration(r.Within)
	if within == 0 {
		within = time.Hour
	}
	from := facts.Time.Add(-within)
	for i := range facts.Events {
		e := &facts.Events[i]
		switch {
		case e.Time.Before(from) || e.Time.After(facts.Time) || !s.named(e.Adapter):
		case slices.Contains(r.ClearedBy, e.Key):
			list = list[:0]
		case slices.Contains(r.Events, e.Key), r.Text != "" && strings.Contains(strings.ToLower(e.Message), strings.ToLower(r.Text)):
			list = append(list, *e)
		}
	}
	return list
}

func (r *Rule) finding(s *Subject, item *Item, events []eventlog.Event) *Finding {
	f := &Finding{Rule: r, Severity: r.Severity, Subject: s, Item: item, Events: events, key: r.ID + "\x00" + s.Name}
	if item != nil {
		f.key += "\x00" + item.Key
		if len(item.Fix) > 0 {
			f.Fixes = append(f.Fixes, Fix{Title: item.Title, Steps: item.Fix})
		}
	}
	if r.worse != nil && r.worse.Holds(s) {
		f.Severity = eventlog.Error
	}
	f.Title = f.fill(r.Title)
	for _, name := range r.Evidence {
		if i, ok := Catalogue().Find(name); ok && !math.IsNaN(s.numbers[i]) {
			f.Evidence = append(f.Evidence, Evidence{&Catalogue().Facts[i], s.numbers[i]})
		}
	}
	for _, fix := range r.Fixes {
		fix.Title = f.fill(fix.Title)
		f.Fixes = append(f.Fixes, fix)
	}
	return f
}

// fill puts names, texts and facts in place of the braces of a sentence.
func (f *Finding) fill(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, _ := strings.Cut(rest, "}")
		b.WriteString(f.Value(name))
		text = after
	}
}

// Value returns the text of a placeholder of the finding's sentences: a name, a text or a fact of its subject.
func (f *Finding) Value(name string) string {
	s := f.Subject
	switch {
	case name == "name":
		return s.Name
	case name == "item" && f.Item != nil:
		return f.Item.Text
	case name == "key" && f.Item != nil:
		return f.Item.Key
	case name == "connection":
		return s.Connection
	case name == "events":
		return fmt.Sprint(len(f.Events))
	case name == "event" && len(f.Events) > 0:
		return f.Events[len(f.Events)-1].Message
	}
	if text, ok := s.Texts[name]; ok {
		return text
	}
	if i, ok := Catalogue().Find(name); ok {
		return format(s.numbers[i], Catalogue().Facts[i].Unit)
	}
	return name
}

// format returns a number with its unit.
func format(value float64, unit string) string {
	if math.IsNaN(value) {
		return "unknown"
	}
	if unit == "share" {
		return percent(value)
	}
	var text string
	switch magnitude := math.Abs(value); {
	case magnitude == 0:
		text = "0"
	case magnitude >= 1e9 && unit != "":
		text = fmt.Sprintf("%.3g G", value/1e9)
	case magnitude >= 1e6 && unit != "":
		text = fmt.Sprintf("%.3g M", value/1e6)
	case magnitude >= 1e4 && unit != "" && unit != "bytes" && unit != "MB/s":
		text = fmt.Sprintf("%.3g k", value/1e3)
	case magnitude >= 100 || value == math.Trunc(value):
		text = fmt.Sprintf("%.0f", value)
	default:
		text = fmt.Sprintf("%.2g", value)
	}
	if unit == "" {
		return text
	}
	if last := text[len(text)-1]; last < '0' || last > '9' { // "1.5 M", and a unit as a word follows
		text = strings.TrimSuffix(text[:len(text)-1], " ") + " " + prefixWords[last]
	}
	return text + " " + unit
}

var prefixWords = map[byte]string{'k': "thousand", 'M': "million", 'G': "billion"}

func percent(share float64) string {
	switch p := share * 100; {
	case p == 0:
		return "0%"
	case p < 0.001:
		return "less than 0.001%"
	case p < 1:
		return fmt.Sprintf("%.2g%%", p)
	default:
		return fmt.Sprintf("%.0f%%", p)
	}
}

// relate marks the findings that follow from others at the same port, and gives a cause the severity of its worst consequence.
func relate(list []*Finding) {
	for _, cause := range list {
		for _, id := range cause.Rule.LeadsTo {
			for _, f := range list {
				if f == cause || f.Rule.ID != id || f.Follows != "" || cause.Follows != "" && slices.Contains(f.Rule.LeadsTo, cause.Rule.ID) || !cause.Subject.touches(f.Subject) {
					continue
				}
				if slices.Contains(f.Rule.LeadsTo, cause.Rule.ID) && f.Rule.Weight > cause.Rule.Weight {
					continue // each can cause the other: the heavier one does
				}
				f.Follows = cause.Rule.ID
				cause.Severity = max(cause.Severity, f.Severity)
			}
		}
	}
}

// touches reports whether a subject concerns another one: the same object, one port, or the whole host.
func (s *Subject) touches(other *Subject) bool {
	if s.Kind == Host || other.Kind == Host || s == other {
		return true
	}
	ports := func(s *Subject) []int {
		if s.Port >= 0 {
			return append([]int{s.Port}, s.Ports...)
		}
		return s.Ports
	}
	if s.Connection != "" && s.Connection == other.Connection {
		return true
	}
	theirs := ports(other)
	return slices.ContainsFunc(ports(s), func(p int) bool { return slices.Contains(theirs, p) })
}

// order sorts findings: the worst first, causes before consequences, the heaviest first.
func order(list []*Finding) {
	rank := func(f *Finding) int {
		n := int(f.Severity) * 2
		if f.Follows == "" {
			n++
		}
		return n
	}
	slices.SortStableFunc(list, func(a, b *Finding) int {
		return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(b.Rule.Weight, a.Rule.Weight))
	})
}

// Why returns the explanation of the rule, with the finding's values.
func (f *Finding) Why() string { return f.fill(f.Rule.Why) }
