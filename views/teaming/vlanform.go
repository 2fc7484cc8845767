package teaming

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/teams"
	"cxdeck/perf/labstate"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/change"
)

// addVLAN opens the wizard that adds a VLAN; on is the proposed team or port.
func (v *View) addVLAN(on owner) opening {
	target := func(values wizard.Values) owner {
		if id := values.Text(fieldOn); id != "" {
			return ownerOfID(id)
		}
		return on
	}
	return v.opening("add-vlan", on.name(), change.Form{
		Field: func(f *wizard.Field, _ wizard.Values) bool {
			if f.ID == fieldOn {
				v.offerOwners(f, on)
			}
			return true
		},
		Check: func(values wizard.Values) []wizard.Message {
			return v.checkVLAN(target(values), values, "")
		},
		Plan: func(values wizard.Values) driver.Plan {
			o := target(values)
			name, id, priority := readVLAN(values)
			add := teams.AddVLAN{Team: o.team, Connection: o.connection, Name: name, ID: id, Priority: priority}
			return driver.Plan{Title: fmt.Sprintf("Add the VLAN %s to %s", name, o.name()), Operations: []driver.Operation{add}}
		},
	}, func(values wizard.Values) (row, team string) {
		o := target(values)
		name, _, _ := readVLAN(values)
		return vlanID(o.team, o.connection, name), o.team
	})
}

// offerOwners completes the field for the team or port that carries a VLAN.
func (v *View) offerOwners(f *wizard.Field, on owner) {
	f.Initial.Text = on.id()
	inTeam := map[string]string{}
	for i := range v.state.Teams {
		t := &v.state.Teams[i]
		for _, name := range connections(t) {
			inTeam[name] = t.Name
		}
		c := wizard.Choice{ID: owner{team: t.Name}.id(), Label: t.Name, Text: "team, " + t.Type.String()}
		if t.IPoIB {
			c.Disabled = noVLANs
		}
		f.Choices = append(f.Choices, c)
	}
	for i := range v.state.Ports {
		p := &v.state.Ports[i]
		name := p.Description.Connection
		c := wizard.Choice{ID: owner{connection: name}.id(), Label: name, Text: "port of " + p.Adapter.Name}
		if c.Disabled = vlanRefusal(p); inTeam[name] != "" {
			c.Disabled = "it is a member of " + inTeam[name] + ": choose the team"
		}
		f.Choices = append(f.Choices, c)
	}
}

// vlanRefusal returns why a port without a team can't have VLANs of its own; empty if it can.
func vlanRefusal(p *labstate.Port) string {
	switch {
	case p.Description.Link == description.InfiniBand:
		return noVLANs
	case p.Adapter.Family == description.WinOF2:
		return "a WinOF-2 port has one VLAN ID, which e sets"
	default:
		return ""
	}
}

// vlansOn returns the VLANs on a team or port.
func (v *View) vlansOn(o owner) []teams.VLANView {
	if t := v.teamNamed(o.team); t != nil {
		return t.VLANs
	}
	if p := v.port(o.connection); p != nil {
		return p.VLANs
	}
	return nil
}

// checkVLAN reports a VLAN that conflicts with another VLAN of its owner; but is the VLAN being changed, which it ignores.
func (v *View) checkVLAN(o owner, values wizard.Values, but string) (list []wizard.Message) {
	name, id, priority := readVLAN(values)
	if t := v.teamNamed(o.team); t != nil && t.Family == description.WinOF2 && priority != 0 {
		list = append(list, wizard.Message{Field: fieldPriority, Severity: wizard.Info, Text: noPriority})
	}
	for _, w := range v.vlansOn(o) {
		if w.Name == but {
			continue
		}
		if w.ID == id {
			list = append(list, wizard.Message{Field: fieldID,
				Text: fmt.Sprintf("%s has the id %d already, as %s", o.name(), id, w.Name)})
		}
		if strings.EqualFold(w.Name, name) {
			list = append(list, wizard.Message{Field: fieldVLAN, Text: o.name() + " has a VLAN called " + w.Name +
				" already"})
		}
	}
	return list
}

// noPriority warns that a VLAN on a Windows team has no priority (TEAM-15).
const noPriority = "VLANs of a Windows team have no priority: it is saved, but sent frames keep their own"

// allVLANs returns the VLANs of all teams and ports.
func (v *View) allVLANs() (list []teams.VLANView) {
	for i := range v.state.Teams {
		list = append(list, v.state.Teams[i].VLANs...)
	}
	for i := range v.state.Ports {
		list = append(list, v.state.Ports[i].VLANs...)
	}
	return list
}

// offerVLANs completes the field for a VLAN.
func (v *View) offerVLANs(f *wizard.Field, is *teams.VLANView) {
	if is.Name != "" {
		f.Initial.Text = vlanID(is.Team, is.Connection, is.Name)
	}
	for _, w := range v.allVLANs() {
		f.Choices = append(f.Choices, wizard.Choice{
			ID: vlanID(w.Team, w.Connection, w.Name), Label: w.Name, Text: fmt.Sprintf("id %d on %s", w.ID, w.Team+w.Connection),
		})
	}
}

// chosenVLAN returns the VLAN chosen in a wizard; nil if it is gone.
func (v *View) chosenVLAN(is *teams.VLANView, values wizard.Values) *teams.VLANView {
	id := values.Text(fieldOn)
	if id == "" {
		id = vlanID(is.Team, is.Connection, is.Name)
	}
	all := v.allVLANs()
	at := slices.IndexFunc(all, func(w teams.VLANView) bool { return vlanID(w.Team, w.Connection, w.Name) == id })
	if at < 0 {
		return nil
	}
	return &all[at]
}

// modifyVLAN opens the wizard that changes a VLAN.
func (v *View) modifyVLAN(is *teams.VLANView) opening {
	return v.opening("modify-vlan", is.Name, change.Form{
		Field: func(f *wizard.Field, values wizard.Values) bool {
			if f.ID == fieldOn {
				v.offerVLANs(f, is)
				return true
			}
			w := v.chosenVLAN(is, values)
			if w != nil {
				fillVLAN(f, w)
			}
			return w != nil
		},
		Check: func(values wizard.Values) []wizard.Message {
			w := v.chosenVLAN(is, values)
			if w == nil {
				return []wizard.Message{{Field: fieldOn, Text: "the VLAN no longer exists"}}
			}
			return v.checkVLAN(owner{w.Team, w.Connection}, values, w.Name)
		},
		Plan: func(values wizard.Values) driver.Plan {
			w := v.chosenVLAN(is, values)
			if w == nil {
				return driver.Plan{}
			}
			plan := driver.Plan{Title: "Modify the VLAN " + w.Name}
			name, id, priority := readVLAN(values)
			if name != w.Name || id != w.ID || priority != w.Priority {
				plan.Operations = []driver.Operation{teams.ModifyVLAN{
					Team: w.Team, Connection: w.Connection, VLAN: w.Name, Name: name, ID: id, Priority: priority,
				}}
			}
			return plan
		},
	}, func(values wizard.Values) (row, team string) {
		name, _, _ := readVLAN(values)
		if w := v.chosenVLAN(is, values); w != nil {
			return vlanID(w.Team, w.Connection, name), ""
		}
		return vlanID(is.Team, is.Connection, name), ""
	})
}

// removeVLAN opens the wizard that removes a VLAN.
func (v *View) removeVLAN(is *teams.VLANView) opening {
	return v.opening("remove-vlan", is.Name, change.Form{
		Field: func(f *wizard.Field, values wizard.Values) bool {
			if f.ID == fieldOn {
				v.offerVLANs(f, is)
				return true
			}
			w := v.chosenVLAN(is, values)
			if w == nil {
				return false
			}
			receive, send := v.vlanRates(w)
			f.Facts = []wizard.Fact{{Label: "Traffic", Text: "none now"}}
			if receive+send > 0 {
				f.Facts[0].Mark, f.Facts[0].Text = wizard.Warn, v.deck.ByteRate(receive)+" received, "+v.deck.ByteRate(send)+" sent now"
			}
			return true
		},
		Plan: func(values wizard.Values) driver.Plan {
			w := v.chosenVLAN(is, values)
			if w == nil {
				return driver.Plan{}
			}
			remove := teams.RemoveVLAN{Team: w.Team, Connection: w.Connection, VLAN: w.Name}
			return driver.Plan{Title: "Remove the VLAN " + w.Name, Operations: []driver.Operation{remove}}
		},
	}, nil)
}
