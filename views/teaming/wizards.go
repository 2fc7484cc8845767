package teaming

import (
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/teams"
	"cxdeck/perf/labstate"
	"cxdeck/ui"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/change"
	"cxdeck/views/form"
)

// opening is a form for a subject, the selected object, before it is shown.
type opening struct {
	guide       *change.Forms
	id, subject string
	form        change.Form
}

// show opens the guide of the form.
func (o opening) show() ui.Cmd { return o.guide.Open(o.id, o.subject, o.form) }

// opening returns a form for a subject: the selected team, VLAN or port. created returns the ID of the row to select after the
// plan and the team that the result describes; either may be empty, and created may be nil.
func (v *View) opening(id, subject string, f change.Form, created func(values wizard.Values) (row, team string)) opening {
	f.Waiting, f.Restarts = v.waiting, v.rejoinText
	if created != nil {
		f.Applied = func(values wizard.Values) {
			row, _ := created(values)
			v.choose(row)
		}
		f.Outcome = func(values wizard.Values) wizard.Result {
			_, team := created(values)
			return v.outcome(team)
		}
		f.Do = v.runOffered
	}
	return opening{v.guide, id, subject, f}
}

// firstTeam returns the first team, empty for none; firstOwner the first team or port that can have a VLAN; firstVLAN the first VLAN.
func (v *View) firstTeam() string {
	if len(v.state.Teams) == 0 {
		return ""
	}
	return v.state.Teams[0].Name
}

func (v *View) firstOwner() owner {
	for i := range v.state.Teams {
		if t := &v.state.Teams[i]; !t.IPoIB {
			return owner{team: t.Name}
		}
	}
	for i := range v.state.Ports {
		if p := &v.state.Ports[i]; vlanRefusal(p) == "" {
			return owner{connection: p.Description.Connection}
		}
	}
	return owner{}
}

func (v *View) firstVLAN() *teams.VLANView {
	if all := v.allVLANs(); len(all) > 0 {
		return &all[0]
	}
	return &teams.VLANView{}
}

// Makers returns the makers of the forms, for commands: with no selection, a form proposes the first object.
func Makers() form.Makers {
	makers := form.Makers{}
	add := func(id string, of func(v *View) opening) {
		makers[id] = func(h *driver.Host) (form.Form, error) {
			v := &View{state: new(labstate.Tracker).State(h)}
			o := of(v)
			return o.form.Core(), nil
		}
	}
	add("create-team", (*View).createTeam)
	add("modify-team", func(v *View) opening { return v.modifyTeam(v.firstTeam()) })
	add("remove-team", func(v *View) opening { return v.removeTeam(v.firstTeam()) })
	add("add-vlan", func(v *View) opening { return v.addVLAN(v.firstOwner()) })
	add("modify-vlan", func(v *View) opening { return v.modifyVLAN(v.firstVLAN()) })
	add("remove-vlan", func(v *View) opening { return v.removeVLAN(v.firstVLAN()) })
	makers["vlan-id"] = func(h *driver.Host) (form.Form, error) {
		v, msg := &View{state: new(labstate.Tracker).State(h)}, &portVLANMsg{}
		if err := msg.read(h, v.state); err != nil {
			return form.Form{}, err
		}
		for i := range v.state.Ports {
			if d := v.state.Ports[i].Description; d.Link == description.Ethernet {
				msg.connection = d.Connection
				break
			}
		}
		o := v.portVLAN(msg)
		return o.form.Core(), nil
	}
	return makers
}

// OpenForm opens a form for the selected object, or else for the first one; known is false for the form of another screen.
func (v *View) OpenForm(name string) (cmd ui.Cmd, known bool) {
	if _, known := Makers()[name]; !known || !v.guide.Refresh() {
		return nil, false
	}
	team, vlan, on := v.firstTeam(), v.firstVLAN(), v.firstOwner()
	if r := v.row(); r != nil {
		if r.team != nil {
			team, on = r.team.Name, owner{team: r.team.Name}
		}
		if r.vlan != nil {
			vlan = r.vlan
		}
	}
	switch name {
	case "create-team":
		return v.createTeam().show(), true
	case "modify-team":
		return v.modifyTeam(team).show(), true
	case "remove-team":
		return v.removeTeam(team).show(), true
	case "add-vlan":
		return v.addVLAN(on).show(), true
	case "modify-vlan":
		return v.modifyVLAN(vlan).show(), true
	case "remove-vlan":
		return v.removeVLAN(vlan).show(), true
	}
	connection := ""
	for i := range v.state.Ports {
		if d := v.state.Ports[i].Description; d.Link == description.Ethernet {
			connection = d.Connection
			break
		}
	}
	return v.portVLANID(connection), true
}
