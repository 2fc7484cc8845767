package teaming

import (
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/driver/wording"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/change"
)

// modifyTeam opens the wizard that changes a team.
func (v *View) modifyTeam(name string) opening {
	return v.opening("modify-team", name, change.Form{
		Field: func(f *wizard.Field, values wizard.Values) bool { return v.modifyField(f, name, values) },
		Check: func(values wizard.Values) []wizard.Message { return v.checkModify(name, values) },
		Plan:  func(values wizard.Values) driver.Plan { return v.modifyPlan(name, values) },
	}, func(values wizard.Values) (row, team string) {
		return teamID(values.Text(fieldName)), values.Text(fieldName)
	})
}

// chosenTeam returns the team chosen in a wizard; nil if it is gone.
func (v *View) chosenTeam(name string, values wizard.Values) *teams.View {
	if chosen := values.Text(fieldTeam); chosen != "" {
		name = chosen
	}
	return v.teamNamed(name)
}

// offerTeams completes the field for a team.
func (v *View) offerTeams(f *wizard.Field, name string) {
	f.Initial.Text = name
	for i := range v.state.Teams {
		t := &v.state.Teams[i]
		c := wizard.Choice{ID: t.Name, Label: t.Name, Mark: wizard.Good, Word: "up", Text: t.Type.String() +
			"  " + wording.Count(len(t.Members), "member")}
		if !t.Connected {
			c.Mark, c.Word = wizard.Down, "down"
		}
		f.Choices = append(f.Choices, c)
	}
}

func (v *View) modifyField(f *wizard.Field, name string, values wizard.Values) bool {
	if f.ID == fieldTeam {
		v.offerTeams(f, name)
		return true
	}
	t := v.chosenTeam(name, values)
	if t == nil {
		return false
	}
	switch f.ID {
	case fieldName:
		f.Initial.Text = t.Name
	case fieldType:
		f.Initial.Text, f.Choices = t.Type.String(), typeChoices(teamKind(t))
	case fieldMembers:
		f.Initial.IDs, f.Choices = connections(t), v.memberChoices(teamKind(t), t)
	case fieldPrimary:
		members := values.IDs(fieldMembers)
		if members == nil {
			members = connections(t)
		}
		offerPrimary(f, members, t.Primary)
	case fieldFailback:
		f.Initial.On = t.Failback
		checkFailback(f, teamKind(t))
	}
	return true
}

// connections returns the members of a team in the order of their attachment.
func connections(t *teams.View) (list []string) {
	for i := range t.Members {
		list = append(list, t.Members[i].Connection)
	}
	return list
}

func (v *View) checkModify(name string, values wizard.Values) (list []wizard.Message) {
	t := v.chosenTeam(name, values)
	if t == nil {
		return []wizard.Message{{Field: fieldTeam, Text: "the team no longer exists"}}
	}
	if wanted := values.Text(fieldName); v.nameTaken(wanted, t.Name) {
		list = append(list, wizard.Message{Field: fieldName, Text: "there is a team " + wanted + " already"})
	}
	kind, _ := mux.ParseType(values.Text(fieldType))
	if members := values.IDs(fieldMembers); len(members) == 0 {
		list = append(list, wizard.Message{Field: fieldMembers, Severity: wizard.Warning,
			Text: "without a member the team carries no traffic"})
	} else if !slices.Equal(members, connections(t)) || kind != t.Type {
		list = append(list, v.checkMembers(kind, teamKind(t), members)...)
	}
	if values.On(fieldFailback) != t.Failback {
		list = append(list, wizard.Message{Field: fieldFailback, Severity: wizard.Info,
			Text: "vlan_config sets failback only when a team is created: on a real host the team must be recreated"})
	}
	return list
}

// modifyPlan returns the plan for the differences from the team's current settings.
func (v *View) modifyPlan(name string, values wizard.Values) driver.Plan {
	t := v.chosenTeam(name, values)
	if t == nil {
		return driver.Plan{}
	}
	plan := driver.Plan{Title: "Modify the team " + t.Name}
	modify := teams.Modify{Team: t.Name}
	called := values.Text(fieldName)
	if called != t.Name {
		modify.Name = called
	}
	if kind := values.Text(fieldType); kind != t.Type.String() {
		modify.Type = kind
	}
	if on := values.On(fieldFailback); on != t.Failback {
		modify.Failback = &on
	}
	if modify != (teams.Modify{Team: t.Name}) {
		plan.Operations = append(plan.Operations, modify)
	}
	wanted, have := values.IDs(fieldMembers), connections(t)
	var joining, leaving []driver.Operation
	for _, connection := range wanted {
		if !slices.Contains(have, connection) {
			joining = append(joining, teams.Attach{Team: called, Connection: connection})
		}
	}
	for _, connection := range have {
		if !slices.Contains(wanted, connection) {
			leaving = append(leaving, teams.Detach{Team: called, Connection: connection})
		}
	}
	// Ports join before others leave, so that the team stays up, unless that exceeds the maximum number of members.
	kind, _ := mux.ParseType(values.Text(fieldType))
	if teams.CheckCount(kind, t.Family, len(have)+len(joining)) == nil {
		plan.Operations = append(append(plan.Operations, joining...), leaving...)
	} else {
		plan.Operations = append(append(plan.Operations, leaving...), joining...)
	}
	primary := strings.TrimPrefix(values.Text(fieldPrimary), noPrimary)
	if primary != t.Primary && (primary != "" || slices.Contains(wanted,
		t.Primary)) { // a primary that has left the team
		plan.Operations = append(plan.Operations, teams.SetPrimary{Team: called, Connection: primary})
	}
	return plan
}

// removeTeam opens the wizard that removes a team.
func (v *View) removeTeam(name string) opening {
	return v.opening("remove-team", name, change.Form{
		Field: func(f *wizard.Field, values wizard.Values) bool {
			if f.ID == fieldTeam {
				v.offerTeams(f, name)
				return true
			}
			t := v.chosenTeam(name, values)
			if t != nil {
				f.Facts = v.removedWith(t)
			}
			return t != nil
		},
		Plan: func(values wizard.Values) driver.Plan {
			t := v.chosenTeam(name, values)
			if t == nil {
				return driver.Plan{}
			}
			return driver.Plan{Title: "Remove the team " + t.Name,
				Operations: []driver.Operation{teams.Delete{Team: t.Name}}}
		},
	}, nil)
}

// removedWith lists the VLANs and addresses that are removed together with a team.
func (v *View) removedWith(t *teams.View) (facts []wizard.Fact) {
	receive, send := v.teamRates(t)
	if receive+send > 0 {
		facts = append(facts, wizard.Fact{Mark: wizard.Warn, Label: "Traffic", Text: v.deck.ByteRate(receive) +
			" received, " + v.deck.ByteRate(send) + " sent now"})
	}
	for i := range t.Members {
		f := memberFact(&t.Members[i])
		f.Text = "a port of its own again"
		facts = append(facts, f)
	}
	for i := range t.VLANs {
		w := &t.VLANs[i]
		facts = append(facts, wizard.Fact{Mark: wizard.Warn, Label: w.Name, Word: "removed",
			Text: "the VLAN and its addresses"})
	}
	return facts
}
