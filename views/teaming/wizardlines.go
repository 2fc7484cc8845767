package teaming

import (
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// lines are one Operation of the plan as differences, with what it interrupts.
func (d *wizard) lines(o driver.Operation) []widget.WizardLine {
	l := widget.WizardLine{Text: deck.Sentence(o.Describe())}
	switch o := o.(type) {
	case driver.CreateTeam, driver.AttachMember, driver.AddVLAN:
		l.Change = widget.WizardAdds
	case driver.DeleteTeam, driver.DetachMember, driver.RemoveVLAN:
		l.Change = widget.WizardRemoves
	case driver.SetPrimary:
		if t := d.view.teamNamed(o.Team); t != nil {
			l = changed("Primary member of "+o.Team, none(t.Primary), none(o.Connection))
		}
	case driver.SetValue:
		for i := range d.review.Changes {
			if c := &d.review.Changes[i]; strings.EqualFold(c.Row.Name, o.Key) {
				l = changed(c.Row.Name+" of "+c.Target, none(c.From.String()), c.To.String())
			}
		}
	case driver.ModifyTeam:
		if t := d.view.teamNamed(o.Team); t != nil {
			return teamChanges(t, o)
		}
	case driver.ModifyVLAN:
		for _, w := range d.view.vlansOn(owner{o.Team, o.Connection}) {
			if w.Name == o.VLAN {
				return vlanChanges(&w, o)
			}
		}
	}
	if name, joins := d.joins(o); joins {
		if p := d.view.port(name); p != nil {
			l.Note = "its adapter is disabled and enabled again. " + d.view.interrupts(p)
		}
	}
	for i := range d.review.Restarts {
		if r := &d.review.Restarts[i]; r.Operation.Describe() == o.Describe() {
			l.Note = d.interruptionNote(r)
		}
	}
	return []widget.WizardLine{l}
}

// changed is something that is another afterwards.
func changed(what, from, to string) widget.WizardLine {
	return widget.WizardLine{Change: widget.WizardChanges, Text: what, From: from, To: to}
}

// teamChanges are what differs of a team itself.
func teamChanges(t *driver.TeamView, o driver.ModifyTeam) (list []widget.WizardLine) {
	if o.Name != "" {
		list = append(list, changed("Name of the team", t.Name, o.Name))
	}
	if o.Type != "" {
		list = append(list, changed("Type of "+t.Name, t.Type.String(), o.Type))
	}
	if o.Failback != nil {
		words := map[bool]string{true: "on", false: "off"}
		list = append(list, changed("Failback of "+t.Name, words[t.Failback], words[*o.Failback]))
	}
	return list
}

// vlanChanges are what differs of a VLAN.
func vlanChanges(w *driver.VLANView, o driver.ModifyVLAN) (list []widget.WizardLine) {
	if o.Name != w.Name {
		list = append(list, changed("Name of the VLAN", w.Name, o.Name))
	}
	if o.ID != w.ID {
		list = append(list, changed("Id of "+w.Name, strconv.Itoa(w.ID), strconv.Itoa(o.ID)))
	}
	if o.Priority != w.Priority {
		list = append(list, changed("Priority of "+w.Name, strconv.Itoa(w.Priority), strconv.Itoa(o.Priority)))
	}
	return list
}

func none(name string) string {
	if name == "" {
		return "none"
	}
	return name
}

// interruptionNote says what an Operation interrupts.
func (d *wizard) interruptionNote(r *driver.Restart) string {
	note := "down about " + lengthWord(r.Down)
	if !r.Back {
		note = "does not come back"
	}
	if r.Rate > 0 {
		tuples := 0
		for _, f := range r.Flows {
			tuples += f.Tuples
		}
		note += fmt.Sprintf("; interrupts %s in %s", d.view.rate(r.Rate/8), count(tuples, "flow"))
	}
	if r.Management {
		note += "; your own session goes through it"
	}
	return note
}
