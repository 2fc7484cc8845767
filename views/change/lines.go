package change

import (
	"cmp"
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/operation"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/wording"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/deck"
)

// lines returns the changed values of one Operation, or its description if it changes none, with its interruption.
func (d *dialog) lines(o driver.Operation, differences []operation.Difference) (list []wizard.Line) {
	for _, difference := range differences {
		list = append(list, Changed(difference.Name, difference.From, difference.To))
	}
	if o, ok := o.(edit.Writer); ok {
		list = d.valueLines(o.Writes())
	}
	if list == nil {
		list = []wizard.Line{{Text: wording.UpperFirst(o.Describe())}}
		if o, ok := o.(driver.Adder); ok {
			if list[0].Change = wizard.Removes; o.Adds() {
				list[0].Change = wizard.Adds
			}
		}
	}
	if o, ok := o.(driver.Restarter); ok && d.form.Restarts != nil {
		list[len(list)-1].Note = d.form.Restarts(o.Restarts())
	}
	if o, ok := o.(driver.Final); ok {
		list[len(list)-1].Note = o.Consequence()
	}
	for i := range d.review.Restarts {
		if r := &d.review.Restarts[i]; r.Operation.Describe() == o.Describe() {
			list[len(list)-1].Note = interruption(d.forms.Deck, r)
		}
	}
	return list
}

// valueLines returns the change of a registry value.
func (d *dialog) valueLines(connection, _, key string) (list []wizard.Line) {
	for i := range d.review.Changes {
		c := &d.review.Changes[i]
		if !strings.EqualFold(c.Row.Name, key) || !strings.EqualFold(c.Connection, connection) {
			continue
		}
		if d.form.Value != nil {
			if line, ok := d.form.Value(c); ok {
				return []wizard.Line{line}
			}
		}
		if c.To.Exists() {
			list = []wizard.Line{Changed(c.Row.Name+" of "+c.Target, c.Row.WithType(c.From), c.Row.WithType(c.To))}
		}
	}
	return list
}

// Changed returns the line of a value that a plan changes; an empty value shows as "none".
func Changed(what, from, to string) wizard.Line {
	return wizard.Line{Change: wizard.Changes, Text: what, From: cmp.Or(from, "none"), To: cmp.Or(to, "none")}
}

// interruption describes a restart: its length, the traffic that it interrupts, and whether the operator's session uses it.
func interruption(d *deck.Deck, r *driver.Restart) string {
	note := "down about " + deck.Length(r.Down)
	switch {
	case !r.Back:
		note = "stays down"
	case r.Down == 0:
		note = "restarts; its link is down already"
	}
	if r.Rate > 0 {
		tuples := 0
		for _, f := range r.Flows {
			tuples += f.Tuples
		}
		note += fmt.Sprintf("; interrupts %s in %s", d.BitRate(r.Rate),
			wording.Count(tuples, "flow"))
	}
	if r.Management {
		note += "; your own session uses it"
	}
	return note
}
