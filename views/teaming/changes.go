package teaming

import (
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
	"cxdeck/driver/request"
	"cxdeck/driver/teams"
	"cxdeck/perf/labstate"
	"cxdeck/ui"
	"cxdeck/views/change"
)

// apply applies one Operation, after a confirmation if it interrupts something; verb is the label of the button.
func (v *View) apply(verb string, o driver.Operation) ui.Cmd { return change.DoOne(v.deck, verb, o) }

// selectedMember returns the member under the cursor; without one it sets the action's reason.
func (v *View) selectedMember(a *ui.Action) *row {
	if a.Disabled != "" {
		return nil
	}
	r := v.row()
	if r == nil || r.kind != memberRow {
		a.Disabled = "select a member of a team"
		return nil
	}
	a.Object = r.member.Connection
	return r
}

// selectedPort returns the row of a member or of a port without a team; for any other row it sets the action's reason.
func (v *View) selectedPort(a *ui.Action) *row {
	if a.Disabled != "" {
		return nil
	}
	r := v.row()
	if r == nil || r.port == nil || r.kind == vlanRow {
		a.Disabled = "select a member of a team, or a port"
		return nil
	}
	a.Object = r.port.Description.Connection
	return r
}

// primaryAction makes the selected member the primary one.
func (v *View) primaryAction() ui.Action {
	a := v.changing("primary", "*", "primary",
		"Make the selected member primary; with failback it takes over at once")
	a.FormerKeys = []string{"P"}
	r := v.selectedMember(&a)
	if r == nil {
		return a
	}
	if r.team.Primary == r.member.Connection {
		a.Disabled = r.member.Connection + " is the primary member already"
		return a
	}
	o := teams.SetPrimary{Team: r.team.Name, Connection: r.member.Connection}
	a.Run = func() ui.Cmd { return v.apply("Make primary", o) }
	return a
}

// detachAction takes the selected member out of its team.
func (v *View) detachAction() ui.Action {
	a := v.changing("detach", "d", "detach",
		"Detach the selected member from its team; its adapter is disabled and enabled again")
	a.Keys, a.AsksFirst = []string{"d", "delete"}, true
	r := v.selectedMember(&a)
	if r == nil {
		return a
	}
	o := teams.Detach{Team: r.team.Name, Connection: r.member.Connection}
	a.Run = func() ui.Cmd { return v.apply("Detach", o) }
	return a
}

// attachAction attaches a port to a team. One of them is selected; the action asks for the other.
func (v *View) attachAction() ui.Action {
	a := v.changing("attach", "a", "attach",
		"Attach the selected port to a team, or a port to the selected team; its adapter is disabled and enabled again")
	if a.Disabled != "" {
		return a
	}
	r := v.row()
	switch {
	case r == nil:
		a.Disabled = "select a port or a team"
	case r.team != nil:
		v.attachTo(&a, r.team)
	case len(v.state.Teams) == 0:
		a.Disabled = "there is no team yet; n creates one"
	case r.port.JoinRefusal != "":
		a.Object, a.Disabled = r.port.Description.Connection, r.port.JoinRefusal
	default:
		v.attachPort(&a, r.port)
	}
	return a
}

// attachPort asks for the team to which the port is attached.
func (v *View) attachPort(a *ui.Action, p *labstate.Port) {
	name := p.Description.Connection
	a.Object = name
	var fits []string
	for i := range v.state.Teams {
		if t := &v.state.Teams[i]; portKindOf(p) == teamKind(t) && noRoom(t) == nil {
			fits = append(fits, t.Name)
		}
	}
	if len(fits) == 0 {
		a.Disabled = "no team has room for a " + portsText(p) + " port; n creates one"
		return
	}
	label := fmt.Sprintf("Team (%s). %s", strings.Join(fits, ", "), v.interrupts(p))
	a.Run = func() ui.Cmd {
		return ui.Prompt("Attach "+name+" to a team", label, fits[0], v.checkNameIn("team", fits), func(team string) ui.Cmd {
			return v.apply("Attach", teams.Attach{Team: strings.TrimSpace(team), Connection: name})
		})
	}
}

// noRoom returns an error if a team has the maximum number of members.
func noRoom(t *teams.View) error { return teams.CheckCount(t.Type, t.Family, len(t.Members)+1) }

// attachTo asks for the port to attach to a team.
func (v *View) attachTo(a *ui.Action, t *teams.View) {
	a.Object = t.Name
	if err := noRoom(t); err != nil {
		a.Disabled = err.Error()
		return
	}
	var fits []string
	for i := range v.state.Ports {
		if p := &v.state.Ports[i]; p.JoinRefusal == "" && portKindOf(p) == teamKind(t) {
			fits = append(fits, p.Description.Connection)
		}
	}
	if len(fits) == 0 {
		a.Disabled = "no other " + teamKind(t).label() + " port can join " + t.Name
		return
	}
	a.Run = func() ui.Cmd {
		return ui.Prompt("Attach a port to "+t.Name, "Port ("+strings.Join(fits, ", ")+")", fits[0], v.checkNameIn("port", fits),
			func(name string) ui.Cmd {
				name = strings.TrimSpace(name)
				return v.apply("Attach", teams.Attach{Team: t.Name, Connection: name})
			})
	}
}

// checkNameIn returns a function that reports an error for a name that is not in the list.
func (v *View) checkNameIn(noun string, names []string) func(string) string {
	return func(typed string) string {
		for _, name := range names {
			if strings.EqualFold(name, strings.TrimSpace(typed)) {
				return ""
			}
		}
		if near := request.Nearest(strings.TrimSpace(typed), names); near != "" {
			return fmt.Sprintf("no suitable %s has this name; did you mean %s?", noun, near)
		}
		return fmt.Sprintf("write the name of a %s: %s", noun, strings.Join(names, ", "))
	}
}

// cableAction pulls the cable of the selected port, or plugs it in again.
func (v *View) cableAction() ui.Action {
	a := v.changing("cable", "p", "pull cable", "Pull the cable of the selected member or port, or plug it in again")
	a.Keys, a.AsksFirst = []string{"p", " "}, true
	r := v.selectedPort(&a)
	if r == nil {
		return a
	}
	name := a.Object
	if !r.port.Cabled {
		a.Name = "plug cable"
		a.Run = func() ui.Cmd { return v.apply("Plug", hardware.PlugCable{Connection: name}) }
		return a
	}
	a.Run = func() ui.Cmd { return v.apply("Pull", hardware.PullCable{Connection: name}) }
	return a
}

// enableAction disables the adapter of the selected port, or enables a disabled one.
func (v *View) enableAction() ui.Action {
	a := v.changing("enable", "z", "disable", "Disable the adapter of the selected member or port, or enable it again")
	a.Hidden, a.AsksFirst, a.FormerKeys = true, true, []string{"o"}
	r := v.selectedPort(&a)
	if r == nil {
		return a
	}
	name := a.Object
	if r.port.State == driver.Stopped {
		a.Name = "enable"
		a.Run = func() ui.Cmd { return v.apply("Enable", adapters.EnableAdapter{Connection: name}) }
		return a
	}
	a.Run = func() ui.Cmd { return v.apply("Disable", adapters.DisableAdapter{Connection: name}) }
	return a
}
