package teaming

import (
	"strconv"

	"cxdeck/driver"
	"cxdeck/driver/teams"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// lines are an Operation on teams or VLANs as differences; none for any other.
func (v *View) lines(o driver.Operation) []widget.WizardLine {
	l := widget.WizardLine{Text: deck.Sentence(o.Describe())}
	switch o := o.(type) {
	case teams.Create, teams.AddVLAN:
		l.Change = widget.WizardAdds
	case teams.Attach:
		l.Change, l.Note = widget.WizardAdds, v.rejoins(o.Connection)
	case teams.Detach:
		l.Change, l.Note = widget.WizardRemoves, v.rejoins(o.Connection)
	case teams.Delete, teams.RemoveVLAN:
		l.Change = widget.WizardRemoves
	case teams.SetPrimary:
		if t := v.teamNamed(o.Team); t != nil {
			l = change.Changed("Primary member of "+o.Team, t.Primary, o.Connection)
		}
	case teams.Modify:
		if t := v.teamNamed(o.Team); t != nil {
			return teamChanges(t, o)
		}
	case teams.ModifyVLAN:
		for _, w := range v.vlansOn(owner{o.Team, o.Connection}) {
			if w.Name == o.VLAN {
				return vlanChanges(&w, o)
			}
		}
	default:
		return nil
	}
	return []widget.WizardLine{l}
}

// rejoins says what becomes of a port that joins or leaves a team.
func (v *View) rejoins(connection string) string {
	if p := v.port(connection); p != nil {
		return "its adapter is disabled and enabled again. " + v.interrupts(p)
	}
	return ""
}

// teamChanges are what differs of a team itself.
func teamChanges(t *teams.View, o teams.Modify) (list []widget.WizardLine) {
	if o.Name != "" {
		list = append(list, change.Changed("Name of the team", t.Name, o.Name))
	}
	if o.Type != "" {
		list = append(list, change.Changed("Type of "+t.Name, t.Type.String(), o.Type))
	}
	if o.Failback != nil {
		words := map[bool]string{true: "on", false: "off"}
		list = append(list, change.Changed("Failback of "+t.Name, words[t.Failback], words[*o.Failback]))
	}
	return list
}

// vlanChanges are what differs of a VLAN.
func vlanChanges(w *teams.VLANView, o teams.ModifyVLAN) (list []widget.WizardLine) {
	if o.Name != w.Name {
		list = append(list, change.Changed("Name of the VLAN", w.Name, o.Name))
	}
	if o.ID != w.ID {
		list = append(list, change.Changed("Id of "+w.Name, strconv.Itoa(w.ID), strconv.Itoa(o.ID)))
	}
	if o.Priority != w.Priority {
		list = append(list, change.Changed("Priority of "+w.Name, strconv.Itoa(w.Priority), strconv.Itoa(o.Priority)))
	}
	return list
}
