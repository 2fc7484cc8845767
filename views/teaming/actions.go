package teaming

import (
	"fmt"

	"cxdeck/perf/labstate"
	"cxdeck/ui"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// Actions returns the possible actions of the screen.
func (v *View) Actions() []ui.Action {
	if m := v.deck.Monitor(); m != nil && m.Lab() != v.state {
		v.refresh() // a key typed right after a change applies to the changed state
	}
	if v.state == nil && (v.sheets.Shown() || v.deck.HasSettings()) { // settings of this machine, which the keys scroll
		actions := append(deck.ListActions("teams", &v.sheets.Scroll, nil), v.deck.ReplayActions("teams")...)
		return append(actions, v.deck.SettingsAction("teams", deck.SettingsFocus{Filter: "bond|master|link"}), v.deck.CloseReplayAction("teams", "X"))
	}
	// If two actions share a key, the first one in the list gets it: the one for the selected row.
	modify, other := v.modifyAction(), v.portVLANAction()
	remove, detach := v.removeAction(), v.detachAction()
	if r := v.row(); r != nil && r.kind == memberRow {
		remove, detach = detach, remove
	} else if r != nil && r.port != nil && r.kind != vlanRow {
		modify, other = other, modify
	}
	other.Hidden, detach.Hidden = true, true
	actions := append(v.MoveActions(),
		v.createAction(), modify, v.addVLANAction(), remove, v.drillAction(),
		v.primaryAction(), v.attachAction(), detach, v.cableAction(), v.enableAction(), other,
		v.countersAction(), v.whyAction())
	if !v.InPage {
		actions = append(actions, v.Filter.AllAction("teams", v.arrange), v.PageAction())
	}
	actions = append(append(actions, change.UndoAction(v.deck, "teams")), v.PartActions("teams, VLANs and ports")...)
	actions = append(actions, v.deck.ReplayActions("teams")...)
	return append(actions, v.deck.CloseReplayAction("teams", "X"),
		ui.Action{ID: "teams.shorter", Keys: []string{"["}, Name: "shorter time", Hidden: true,
			Help: "Shorten the time span of the curves", Run: func() ui.Cmd { v.zoom(-1); return nil }},
		ui.Action{ID: "teams.longer", Keys: []string{"]"}, Name: "longer time", Hidden: true,
			Help: "Lengthen the time span of the curves", Run: func() ui.Cmd { v.zoom(1); return nil }},
		v.deck.BytesAction("teams", func() { v.Page.Stale = true }),
	)
}

// changing returns an action that changes the host; it is disabled while the source is read-only.
func (v *View) changing(id, key, name, help string) ui.Action {
	a := ui.Action{ID: "teams." + id, Keys: []string{key}, Name: name, Help: help, Changes: true,
		Disabled: v.deck.CannotChange()}
	if a.Disabled == "" && v.state == nil {
		a.Disabled = "there is no host yet"
	}
	return a
}

// createAction opens the wizard that creates a team.
func (v *View) createAction() ui.Action {
	a := v.changing("create", "n", "new team", "Create a team step by step: type, members, roles, VLANs, review and apply")
	if a.Disabled == "" {
		a.Disabled = v.whyNoneFree()
	}
	a.Run = func() ui.Cmd { return v.createTeam().show() }
	return a
}

// modifyAction opens the wizard for the selected team or VLAN, or for the VLAN ID of the selected port.
func (v *View) modifyAction() ui.Action {
	a := v.changing("modify", "e", "modify", "Change the selected team or VLAN step by step")
	if a.Disabled != "" {
		return a
	}
	switch r := v.row(); {
	case r != nil && r.kind == vlanRow:
		a.Object = r.vlan.Name
		a.Run = func() ui.Cmd { return v.modifyVLAN(r.vlan).show() }
	case r != nil && r.team != nil:
		a.Object = r.team.Name
		a.Run = func() ui.Cmd { return v.modifyTeam(r.team.Name).show() }
	default:
		a.Disabled = "select a team or a VLAN to change; n creates a team"
	}
	return a
}

// addVLANAction opens the wizard that adds a VLAN to the selected team or port.
func (v *View) addVLANAction() ui.Action {
	a := v.changing("add-vlan", "N", "add VLAN", "Add a VLAN to the selected team or port step by step")
	a.FormerKeys = []string{"v"}
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
		if a.Disabled = vlanRefusal(r.port); a.Disabled != "" {
			return a
		}
	} else if r.team.IPoIB {
		a.Disabled = noVLANs
		return a
	}
	a.Run = func() ui.Cmd { return v.addVLAN(on).show() }
	return a
}

// removeAction opens the wizard that removes the selected team or VLAN.
func (v *View) removeAction() ui.Action {
	a := v.changing("remove", "delete", "remove", "Remove the selected team or VLAN step by step")
	a.Keys, a.FormerKeys = []string{"d", "delete"}, []string{"x"}
	if a.Disabled != "" {
		return a
	}
	switch r := v.row(); {
	case r != nil && r.kind == vlanRow:
		a.Object = r.vlan.Name
		a.Run = func() ui.Cmd { return v.removeVLAN(r.vlan).show() }
	case r != nil && r.kind == teamRow:
		a.Object = r.team.Name
		a.Run = func() ui.Cmd { return v.removeTeam(r.team.Name).show() }
	case r != nil && r.kind == memberRow:
		a.Disabled = "this removes teams and VLANs; d detaches the member"
	default:
		a.Disabled = "select a team or a VLAN to remove"
	}
	return a
}

// portVLANAction opens the wizard for the VLAN ID of the port itself.
func (v *View) portVLANAction() ui.Action {
	a := v.changing("vlan-id", "e", "VLAN ID",
		"Set the VLAN ID of the selected port itself, which tags every frame it sends")
	a.FormerKeys = []string{"i"}
	if a.Disabled != "" {
		return a
	}
	r := v.row()
	if r == nil || r.port == nil || r.kind == memberRow {
		a.Disabled = "select a port without a team; a team has VLANs of its own (N)"
		return a
	}
	a.Object = r.port.Description.Connection
	a.Run = func() ui.Cmd { return v.portVLANID(a.Object) }
	return a
}

// countersAction opens the counters of the selected row.
func (v *View) countersAction() ui.Action {
	a := ui.Action{ID: "teams.counters", Keys: []string{"enter", "C"}, Name: "counters",
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
		a.Disabled = "select a team or a port that has counters"
		return a
	}
	a.Object = focus.Title
	a.Run = func() ui.Cmd { return ui.Go("counters", focus) }
	return a
}

// whyAction asks the Diagnose screen about the selected team, VLAN, member or port.
func (v *View) whyAction() ui.Action {
	about, r := deck.Why{}, v.row()
	switch {
	case r == nil:
	case r.port != nil:
		about.Object = r.port.Description.Connection
	case r.team != nil:
		about.Object = r.team.Name
	}
	if r != nil && r.vlan != nil {
		about.Row, about.Value = "VLAN "+r.vlan.Name, r.vlan.Why
	}
	return v.deck.WhyAction("teams", about)
}

// The zones of the screen, in addition to its browser's.
const (
	zoneGraph = "teams.graph"
	zoneDrill = "teams.drill"
)

// hit handles the mouse; every zone has the effect of a key.
func (v *View) hit(msg ui.HitMsg) ui.Cmd {
	if step := msg.Button.WheelRows(); step != 0 && msg.ID == zoneGraph {
		v.zoom(step / 3)
		return nil
	}
	if v.Hit(msg) {
		return nil
	}
	switch msg.ID {
	case v.Table.ID:
		if a := v.countersAction(); msg.Double && a.Disabled == "" {
			return a.Run()
		}
	case zoneDrill:
		return v.endDrill()
	}
	return nil
}

// rejoinText returns the effect on a port that joins or leaves a team.
func (v *View) rejoinText(connection string) string {
	if p := v.port(connection); p != nil {
		return "its adapter is disabled and enabled again. " + v.interrupts(p)
	}
	return ""
}

// interrupts returns the workloads and sessions that stop when ports lose their links.
func (v *View) interrupts(ports ...*labstate.Port) string {
	rate, session := 0.0, ""
	for _, p := range ports {
		if p == nil {
			continue
		}
		if n := v.nodes[p.Description.Connection]; n != nil {
			rate += deck.Known(deck.Newest(v.window, n.Receive)) + deck.Known(deck.Newest(v.window, n.Send))
		}
		if p.Management {
			session = " " + p.Description.Connection + " carries your session: the change is reverted unless you confirm it."
		}
	}
	if rate == 0 {
		return "It carries no traffic now." + session
	}
	return fmt.Sprintf("It carries %s now.%s", v.deck.ByteRate(rate), session)
}
