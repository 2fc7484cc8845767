package teaming

import (
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/driver/wording"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/change"
)

// createTeam opens the wizard that creates a team. It proposes the selected port as the first member.
func (v *View) createTeam() opening {
	first := ""
	if r := v.row(); r != nil && v.chosen && r.kind == portRow && r.port.JoinRefusal == "" {
		first = r.port.Description.Connection
	}
	return v.opening("create-team", "", change.Form{
		Field: func(f *wizard.Field, values wizard.Values) bool {
			v.createField(f, first, values)
			return true
		},
		Skip: func(step string, values wizard.Values) string {
			if step == "vlans" && v.chosenKind(first, values).ipoib {
				return noVLANs
			}
			return ""
		},
		Check: v.checkCreate,
		Plan:  v.createPlan,
	}, func(values wizard.Values) (row, team string) {
		return teamID(values.Text(fieldName)), values.Text(fieldName)
	})
}

func (v *View) createField(f *wizard.Field, first string, values wizard.Values) {
	kind := v.chosenKind(first, values)
	switch f.ID {
	case fieldPorts:
		f.Initial.Text, f.Choices = v.defaultKind(first), v.kindChoices()
	case fieldName:
		f.Initial.Text = v.freeName()
	case fieldType:
		f.Initial.Text, f.Choices = mux.AFT.String(), typeChoices(kind)
	case fieldMembers:
		f.Choices = v.memberChoices(kind, nil)
		if slices.ContainsFunc(f.Choices, func(c wizard.Choice) bool { return c.ID == first && c.Disabled == "" }) {
			f.Initial.IDs = []string{first}
		}
	case fieldPrimary:
		offerPrimary(f, values.IDs(fieldMembers), "")
	case fieldFailback:
		checkFailback(f, kind)
	}
}

// chosenKind returns the chosen kind of member ports, or else the proposed kind.
func (v *View) chosenKind(first string, values wizard.Values) portKind {
	if id := values.Text(fieldPorts); id != "" {
		return kindOfID(id)
	}
	return kindOfID(v.defaultKind(first))
}

// defaultKind returns the proposed kind of ports: the kind of the given port, or else the commonest kind of the free ports.
func (v *View) defaultKind(connection string) string {
	best, maxFree := portKinds[0].id, 0
	for _, offered := range portKinds {
		free := 0
		for i := range v.state.Ports {
			p := &v.state.Ports[i]
			if portKindOf(p) != offered.kind {
				continue
			}
			if p.Description.Connection == connection {
				return offered.id
			}
			if p.JoinRefusal == "" {
				free++
			}
		}
		if free > maxFree {
			best, maxFree = offered.id, free
		}
	}
	return best
}

// whyNoneFree returns why no port can join a team, with the reason of the first port; empty if a port can join.
func (v *View) whyNoneFree() string {
	why := ""
	for i := range v.state.Ports {
		switch p := &v.state.Ports[i]; {
		case p.JoinRefusal == "":
			return ""
		case why == "":
			why = p.JoinRefusal
		}
	}
	if why == "" {
		return "the host has no ports"
	}
	return "no port is free to join a team: " + why
}

// kindChoices returns the kinds of ports that can form a team.
func (v *View) kindChoices() (list []wizard.Choice) {
	for _, offered := range portKinds {
		all, free, why := 0, 0, ""
		for i := range v.state.Ports {
			if p := &v.state.Ports[i]; portKindOf(p) == offered.kind {
				all++
				if p.JoinRefusal == "" {
					free++
				} else if why == "" {
					why = p.JoinRefusal
				}
			}
		}
		c := wizard.Choice{ID: offered.id, Label: offered.kind.label(), Text: wording.Count(free, "free port"),
			Help: "The team is created by " + offered.kind.maker() + "."}
		switch {
		case all == 0:
			c.Disabled = "this host has no such port"
		case free == 0:
			c.Disabled = "no port is free: " + why
		}
		list = append(list, c)
	}
	return list
}

// typeChoices returns the team types with the benefit and the requirements of each.
func typeChoices(kind portKind) (list []wizard.Choice) {
	for _, t := range mux.Types() {
		c := wizard.Choice{ID: t.Name, Label: t.Name, Text: t.Title,
			Help: t.Benefit + ". It needs: " + lowerFirst(t.Requirements) + "."}
		if err := teams.CheckType(t.Type, kind.ipoib, kind.family); err != nil {
			c.Disabled = err.Error()
		}
		list = append(list, c)
	}
	return list
}

// lowerFirst returns a text with its first letter in lower case, for the middle of a sentence.
func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// freeName returns an unused name for a team: "Team1".
func (v *View) freeName() string {
	for n := 1; ; n++ {
		name := "Team" + strconv.Itoa(n)
		if !v.nameTaken(name, "") {
			return name
		}
	}
}

// nameTaken reports whether another team has the name; Windows ignores case.
func (v *View) nameTaken(name, but string) bool {
	return slices.ContainsFunc(v.state.Teams, func(t teams.View) bool {
		return strings.EqualFold(t.Name, name) && t.Name != but
	})
}

// checkCreate returns the errors and warnings about the answers.
func (v *View) checkCreate(values wizard.Values) (list []wizard.Message) {
	if name := values.Text(fieldName); v.nameTaken(name, "") {
		list = append(list, wizard.Message{Field: fieldName, Text: "there is a team " + name + " already"})
	}
	t, _ := mux.ParseType(values.Text(fieldType))
	list = append(list, v.checkMembers(t, kindOfID(values.Text(fieldPorts)), values.IDs(fieldMembers))...)
	return append(list, checkRows(values.Rows(fieldVLANs))...)
}

// createPlan creates the team, attaches the primary member and then the others, and adds the VLANs.
func (v *View) createPlan(values wizard.Values) driver.Plan {
	name, kind := values.Text(fieldName), kindOfID(values.Text(fieldPorts))
	plan := driver.Plan{Title: "Create the team " + name}
	plan.Operations = append(plan.Operations, teams.Create{
		Name: name, Type: values.Text(fieldType), IPoIB: kind.ipoib, NoFailback: !values.On(fieldFailback), Family: kind.family,
	})
	members := slices.Clone(values.IDs(fieldMembers))
	primary := values.Text(fieldPrimary)
	if at := slices.Index(members, primary); at > 0 {
		members = append([]string{primary}, slices.Delete(members, at, at+1)...)
	}
	for i, connection := range members {
		plan.Operations = append(plan.Operations, teams.Attach{
			Team: name, Connection: connection, Primary: connection == primary, SetMAC: i == 0 && values.On(fieldMAC),
		})
	}
	for _, row := range values.Rows(fieldVLANs) {
		vlan, id, priority := readVLAN(row)
		plan.Operations = append(plan.Operations, teams.AddVLAN{Team: name, Name: vlan, ID: id, Priority: priority})
	}
	return plan
}
