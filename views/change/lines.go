package change

import (
	"cmp"
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// lines are one Operation of the plan as differences, with what it interrupts.
func (d *wizard) lines(o driver.Operation) (list []widget.WizardLine) {
	if d.form.Lines != nil {
		list = d.form.Lines(o)
	}
	if o, ok := o.(driver.SetValue); ok && list == nil {
		for i := range d.review.Changes {
			if c := &d.review.Changes[i]; strings.EqualFold(c.Row.Name, o.Key) && strings.EqualFold(c.Connection, o.Connection) {
				list = []widget.WizardLine{Changed(c.Row.Name+" of "+c.Target, c.Row.Typed(c.From), c.Row.Typed(c.To))}
			}
		}
	}
	if list == nil {
		list = []widget.WizardLine{{Text: deck.Sentence(o.Describe())}}
	}
	for i := range d.review.Restarts {
		if r := &d.review.Restarts[i]; r.Operation.Describe() == o.Describe() {
			list[len(list)-1].Note = interruption(d.guide.Deck, r)
		}
	}
	return list
}

// Changed is something that is another after a plan; an empty value is none.
func Changed(what, from, to string) widget.WizardLine {
	return widget.WizardLine{Change: widget.WizardChanges, Text: what, From: cmp.Or(from, "none"), To: cmp.Or(to, "none")}
}

// interruption says what an Operation interrupts.
func interruption(d *deck.Deck, r *driver.Restart) string {
	note := "down about " + deck.Length(r.Down)
	if !r.Back {
		note = "does not come back"
	}
	if r.Rate > 0 {
		tuples := 0
		for _, f := range r.Flows {
			tuples += f.Tuples
		}
		note += fmt.Sprintf("; interrupts %s in %s", perf.Number(r.Rate/8, perf.Bytes, true, d.InBytes),
			deck.Count(tuples, "flow"))
	}
	if r.Management {
		note += "; your own session uses it"
	}
	return note
}
