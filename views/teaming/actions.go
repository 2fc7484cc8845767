package teaming

import (
	"fmt"

	"cxdeck/perf"
	"cxdeck/ui"
	"cxdeck/views/deck"
)

// Actions are what can be done here now.
func (v *View) Actions() []ui.Action {
	if m := v.deck.Monitor(); m != nil && m.Lab() != v.state {
		v.refresh() // a key typed right behind a change means what the change has made
	}
	var actions []ui.Action
	if v.inPage {
		actions = deck.ListActions("teams", &v.scroll, nil)
		actions = append(actions, v.backAction())
	} else {
		actions = deck.ListActions("teams", &v.table.List, v.turned)
		actions = append(actions,
			v.createAction(), v.modifyAction(), v.addVLANAction(), v.removeAction(), v.drillAction(),
			v.primaryAction(), v.attachAction(), v.detachAction(), v.cableAction(), v.enableAction(), v.portVLANAction(),
			v.countersAction(), v.allAction(),
			ui.Action{ID: "teams.page", Keys: []string{"right", "l"}, Name: "page", Hidden: true,
				Help: "Go into the page about the selected row", Run: func() ui.Cmd { v.inPage = true; return nil }})
	}
	return append(actions, v.deck.UndoAction("teams", v.undoable),
		ui.Action{ID: "teams.next", Keys: []string{"tab", "shift+tab"}, Name: "page", Help: "Move between the table and the page about the selected row",
			Run: func() ui.Cmd { v.inPage = !v.inPage; return nil }},
		ui.Action{ID: "teams.filter", Keys: []string{"/"}, Name: "filter",
			Help: "Show only teams, VLANs and ports that match a text; | divides alternatives", Run: v.openFilter},
		v.deck.CloseReplayAction("teams", "X"),
		ui.Action{ID: "teams.shorter", Keys: []string{"["}, Name: "shorter time", Hidden: true,
			Help: "Show a shorter time in the curves", Run: func() ui.Cmd { v.zoom(-1); return nil }},
		ui.Action{ID: "teams.longer", Keys: []string{"]"}, Name: "longer time", Hidden: true,
			Help: "Show a longer time in the curves", Run: func() ui.Cmd { v.zoom(1); return nil }},
		ui.Action{ID: "teams.bytes", Keys: []string{"b"}, Name: "bits or bytes", Hidden: true,
			Help: "Show rates in bits or in bytes a second", Run: func() ui.Cmd {
				v.deck.InBytes = !v.deck.InBytes
				v.page.stale = true
				return nil
			}},
	)
}

// changing is an action that changes the host; it can't while the source takes no changes.
func (v *View) changing(id, key, name, help string) ui.Action {
	a := ui.Action{ID: "teams." + id, Keys: []string{key}, Name: name, Help: help, Changes: true, Disabled: v.deck.CannotChange()}
	if a.Disabled == "" && v.state == nil {
		a.Disabled = "there is no host yet"
	}
	return a
}

// createAction leads through making a team.
func (v *View) createAction() ui.Action {
	a := v.changing("create", "n", "new team", "Lead through making a team: type, members, roles, VLANs, review and apply")
	a.Run = v.createTeam
	return a
}

// modifyAction leads through changing the selected team or VLAN, or the VLAN id of the selected port.
func (v *View) modifyAction() ui.Action {
	a := v.changing("modify", "e", "modify", "Lead through changing the selected team or VLAN")
	if a.Disabled != "" {
		return a
	}
	switch r := v.row(); {
	case r != nil && r.kind == vlanRow:
		a.Object = r.vlan.Name
		a.Run = func() ui.Cmd { return v.modifyVLAN(r.vlan) }
	case r != nil && r.team != nil:
		a.Object = r.team.Name
		a.Run = func() ui.Cmd { return v.modifyTeam(r.team.Name) }
	default:
		a.Disabled = "select a team or a VLAN to change; n makes a new team, i sets the VLAN id of a port"
	}
	return a
}

// addVLANAction leads through adding a VLAN to the selected team or port.
func (v *View) addVLANAction() ui.Action {
	a := v.changing("add-vlan", "v", "add VLAN", "Lead through adding a VLAN to the selected team or port")
	if a.Disabled != "" {
		return a
	}
	r := v.row()
	if r == nil {
		a.Disabled = "select the team or the port that carries the VLAN"
		return a
	}
	on := ownerOf(r)
	a.Object = on.name()
	if r.team == nil {
		if a.Disabled = portTakesNoVLAN(r.port); a.Disabled != "" {
			return a
		}
	} else if r.team.IPoIB {
		a.Disabled = noVLANs
		return a
	}
	a.Run = func() ui.Cmd { return v.addVLAN(on) }
	return a
}

// removeAction leads through removing the selected team or VLAN.
func (v *View) removeAction() ui.Action {
	a := v.changing("remove", "delete", "remove", "Lead through removing the selected team or VLAN")
	a.Keys = []string{"delete", "x"}
	if a.Disabled != "" {
		return a
	}
	switch r := v.row(); {
	case r != nil && r.kind == vlanRow:
		a.Object = r.vlan.Name
		a.Run = func() ui.Cmd { return v.removeVLAN(r.vlan) }
	case r != nil && r.kind == teamRow:
		a.Object = r.team.Name
		a.Run = func() ui.Cmd { return v.removeTeam(r.team.Name) }
	case r != nil && r.kind == memberRow:
		a.Disabled = "this removes teams and VLANs; d detaches the member"
	default:
		a.Disabled = "select a team or a VLAN to remove"
	}
	return a
}

// portVLANAction leads through setting the VLAN id of a port itself.
func (v *View) portVLANAction() ui.Action {
	a := v.changing("vlan-id", "i", "VLAN id", "Lead through setting the VLAN id of the selected port itself, which tags all that it sends")
	a.Hidden = true
	if a.Disabled != "" {
		return a
	}
	r := v.row()
	if r == nil || r.port == nil || r.kind == memberRow {
		a.Disabled = "select a port that is in no team: a team has VLANs of its own (v)"
		return a
	}
	a.Object = r.port.Description.Connection
	a.Run = func() ui.Cmd { return v.portVLANID(a.Object) }
	return a
}

// countersAction opens the counters of what is selected.
func (v *View) countersAction() ui.Action {
	a := ui.Action{ID: "teams.counters", Keys: []string{"enter"}, Name: "counters",
		Help: "Show the counters of the selected team's members, or of the selected port"}
	names, title := v.curves()
	focus := deck.Focus{Title: title}
	for _, name := range names {
		if r := v.row(); r.kind == memberRow && r.member.Connection != name {
			continue
		}
		if n := v.nodes[name]; n != nil {
			focus.Instances = append(focus.Instances, n.Instances...)
		}
	}
	if r := v.row(); r != nil && r.kind == memberRow {
		focus.Title = r.member.Connection
	}
	if len(focus.Instances) == 0 {
		a.Disabled = "select a team or a port whose counters are there"
		return a
	}
	a.Object = focus.Title
	a.Run = func() ui.Cmd { return ui.Go("counters", focus) }
	return a
}

// allAction drops the filter.
func (v *View) allAction() ui.Action {
	a := ui.Action{ID: "teams.all", Keys: []string{"esc"}, Name: "show all", Hidden: !v.filter.Active(), Help: "Drop the filter",
		Run: func() ui.Cmd {
			v.filter.Set("")
			v.arrange()
			return nil
		}}
	if !v.filter.Active() {
		a.Disabled = "nothing is filtered"
	}
	return a
}

// backAction leaves the page.
func (v *View) backAction() ui.Action {
	return ui.Action{ID: "teams.back", Keys: []string{"esc", "left", "h"}, Name: "back", Help: "Go back from the page to the table",
		Run: func() ui.Cmd { v.inPage = false; return nil }}
}

func (v *View) openFilter() ui.Cmd {
	v.inPage = false
	v.filter.Open()
	return nil
}

// The zones of the screen.
const (
	zoneTable  = "teams.table"
	zonePage   = "teams.page"
	zoneFilter = "teams.filter"
	zoneGraph  = "teams.graph"
	zoneDrill  = "teams.drill"
)

// hit takes the mouse: every zone does what a key does.
func (v *View) hit(msg ui.HitMsg) ui.Cmd {
	if step := msg.Button.Wheel(); step != 0 {
		switch msg.ID {
		case zonePage:
			v.scroll.Scroll(step)
		case zoneGraph:
			v.zoom(step / 3)
		default:
			v.table.List.Scroll(step)
			v.turned()
		}
		return nil
	}
	if msg.ID == zoneTable+".scroll" && (msg.Button == ui.Press || msg.Button == ui.Drag) {
		v.table.ScrollHit(msg.Hit)
		v.turned()
		return nil
	}
	if msg.Button != ui.Press {
		return nil
	}
	v.inPage = msg.ID == zonePage
	switch msg.ID {
	case zoneTable:
		v.table.List.Select(msg.Index)
		v.turned()
		if a := v.countersAction(); msg.Double && a.Disabled == "" {
			return a.Run()
		}
	case zoneFilter:
		return v.openFilter()
	case zoneDrill:
		return v.endDrill()
	}
	return nil
}

// interrupts says what stops when ports lose their links.
func (v *View) interrupts(ports ...*perf.LabPort) string {
	rate, session := 0.0, ""
	for _, p := range ports {
		if p == nil {
			continue
		}
		if n := v.nodes[p.Description.Connection]; n != nil {
			rate += deck.Known(deck.Newest(v.window, n.Receive)) + deck.Known(deck.Newest(v.window, n.Send))
		}
		if p.Management {
			session = " " + p.Description.Connection + " carries your session: the change is taken back unless you confirm it."
		}
	}
	if rate == 0 {
		return "No traffic passes it just now." + session
	}
	return fmt.Sprintf("%s pass it just now.%s", v.rate(rate), session)
}
