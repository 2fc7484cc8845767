package sriov

import (
	"fmt"
	"slices"

	"cxdeck/ui"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// The zones of the screen, in addition to its browser's.
const (
	zoneGraph = "sriov.graph"
	zoneCheck = "sriov.check"
)

// wizardsHelp explains the list of wizards.
const wizardsHelp = "List the wizards: VMQ, VMMQ, RDMA, NDK, PacketDirect, NVGRE, Ethertypes, DHCP, limits of firmware and memory"

// Actions returns the possible actions of the screen.
func (v *View) Actions() []ui.Action {
	if m := v.deck.Monitor(); m != nil && m.Lab() != v.state {
		v.refresh() // a key right after a change applies to the new state
	}
	if v.state == nil && (v.sheets.Shown() || v.deck.HasSettings()) { // settings of this machine, which the keys scroll
		actions := append(deck.ListActions("sriov", &v.sheets.Scroll, nil), v.deck.ReplayActions("sriov")...)
		return append(actions, v.deck.SettingsAction("sriov", deck.SettingsFocus{Filter: "vf|eswitch"}), v.deck.CloseReplayAction("sriov", "X"))
	}
	actions := append(v.MoveActions(), v.enableAction(), v.changeAction("wizards", "Z", "wizards",
		wizardsHelp, v.listWizards))
	actions[len(actions)-1].FormerKeys = []string{"y", "D", "m"}
	actions = append(append(actions, v.changeActions()...), v.countersAction(), v.whyAction(), v.compareAction())
	if !v.InPage {
		actions = append(actions, v.tableActions()...)
	}
	actions = append(actions, change.UndoAction(v.deck, "sriov"),
		ui.Action{ID: "sriov.shorter", Keys: []string{"["}, Name: "shorter time", Hidden: true,
			Help: "Shorten the time span of the curves: down to one minute",
			Run:  func() ui.Cmd { v.zoom(-1); return nil }},
		ui.Action{ID: "sriov.longer", Keys: []string{"]"}, Name: "longer time", Hidden: true,
			Help: "Lengthen the time span of the curves: up to ten minutes", Run: func() ui.Cmd { v.zoom(1); return nil }})
	actions = append(actions, v.PartActions("functions and adapters")...)
	actions = append(actions, v.deck.ReplayActions("sriov")...)
	return append(actions, v.deck.CloseReplayAction("sriov", "X"),
		v.deck.BytesAction("sriov", func() { v.Page.Stale = true }))
}

// changeAction returns an action that changes the host; it is disabled if the source can't be changed.
func (v *View) changeAction(id, key, name, help string, run func() ui.Cmd) ui.Action {
	a := ui.Action{ID: "sriov." + id, Keys: []string{key}, Name: name, Help: help, Changes: true,
		Disabled: v.deck.CannotChange(), Run: run}
	if a.Disabled == "" && v.scene.host == nil {
		a.Disabled = "there is no host yet"
	}
	return a
}

// enableAction returns the action that starts or resumes the SR-IOV wizard.
func (v *View) enableAction() ui.Action {
	a := v.changeAction("enable", "n", "enable SR-IOV",
		"Set up SR-IOV step by step: checks, firmware, driver, switch, virtual machine", v.enable)
	if !v.guide.Drafts.Draft(enableID + " ").Empty() {
		a.Name = "resume SR-IOV setup"
	}
	return a
}

// changeActions returns the actions that change the marked or selected rows.
func (v *View) changeActions() []ui.Action {
	rowAction := func(id, key, name, help string, run func([]*row) opening) ui.Action {
		a := v.changeAction(id, key, name, help, nil)
		rows := v.targetRows()
		if a.Disabled == "" && len(rows) == 0 {
			a.Disabled = "select a virtual function or an adapter, or mark some with Space"
		}
		a.Object = v.objectOf(rows)
		a.Run = func() ui.Cmd { return run(rows).show() }
		return a
	}
	quarantineName := "quarantine"
	if rows := v.targetRows(); len(rows) > 0 && allQuarantined(rows) {
		quarantineName = "release"
	}
	list := []ui.Action{
		rowAction("attach", "a", "attach", "Attach virtual functions to the marked adapters, or a free function to an adapter",
			v.attach),
		rowAction("detach", "d", "detach",
			"Detach the virtual functions of the marked adapters; their traffic moves to the synthetic path", v.detach),
		rowAction("edit", "e", "edit", "Change MAC address, VLAN, weights and queue pairs of the marked adapters", v.edit),
		rowAction("reset", "R", "restart", "Restart the marked virtual functions (a function reset): their counters are reset to 0", v.reset),
		rowAction("quarantine", "z", quarantineName, "Take the marked adapters off the network, with a reason, or release them",
			v.quarantine),
	}
	for _, wizard := range []struct{ id, name, help string }{
		{ethertypesID, "types", "Choose the Ethertypes that virtual functions may send"},
		{dhcpID, "DHCP", "Send the DHCP packets of virtual functions to the physical function"},
		{monitorID, "monitor", "Set the thresholds for the firmware load of virtual functions"},
		{memoryID, "memory", "Limit the host memory that a virtual function may use"},
	} {
		a := v.changeAction(wizard.id, "", wizard.name, wizard.help, func() ui.Cmd { return v.openWizard(wizard.id) })
		a.Hidden, a.Keys = true, nil // the list of wizards has them
		list = append(list, a)
	}
	return list
}

// objectOf names rows for a question.
func (v *View) objectOf(rows []*row) string {
	switch len(rows) {
	case 0:
		return ""
	case 1:
		return v.name(rows[0])
	default:
		return fmt.Sprintf("%d rows", len(rows))
	}
}

// tableActions returns the actions that mark, group and sort rows.
func (v *View) tableActions() []ui.Action {
	return []ui.Action{
		{ID: "sriov.mark", Keys: []string{" "}, Name: "mark",
			Help: "Mark the selected row, or all rows of a group, and go to the next", Run: v.mark},
		{ID: "sriov.range", Keys: []string{"V"}, Name: "mark to here", Hidden: true,
			Help: "Mark all rows from the last marked row to the selected row", Run: v.markRange},
		{ID: "sriov.mark-all", Keys: []string{"A", "ctrl+a"}, FormerKeys: []string{"*"}, Name: "mark all", Hidden: true,
			Help: "Mark all visible rows, or clear the marks", Run: v.markAll},
		{ID: "sriov.group", Keys: []string{"o"}, Name: "group",
			Help: "Group by port, by virtual machine, or not at all", Run: func() ui.Cmd {
				v.group = (v.group + 1) % groupings
				v.arrange()
				return nil
			}},
		{ID: "sriov.sort", Keys: []string{"s"}, Name: "sort", Help: "Sort by the next column",
			Run: func() ui.Cmd { return v.sortBy(v.nextColumn()) }},
		{ID: "sriov.reverse", Keys: []string{"S"}, Name: "reverse", Hidden: true, Help: "Reverse the order",
			Run: func() ui.Cmd {
				v.descending = !v.descending
				v.arrange()
				return nil
			}},
		v.clearAction(),
		v.PageAction(),
	}
}

// nextColumn returns the next column to sort by, including columns for which there is no room: the sorting column is shown.
func (v *View) nextColumn() column {
	for c := column(v.Table.SortColumn); ; {
		c = (c + 1) % column(len(columns))
		if c >= idColumn && c != heatColumn {
			return c
		}
	}
}

// sortBy sorts by a column, numbers in descending order; if it is sorted already, sortBy reverses the order.
func (v *View) sortBy(c column) ui.Cmd {
	_, descending := (&row{}).value(c)
	if int(c) == v.Table.SortColumn {
		descending = !v.descending
	}
	v.Table.SortColumn, v.descending = int(c), descending
	v.arrange()
	return nil
}

// mark marks the selected row, or all rows of a group; if they are marked, it unmarks them.
func (v *View) mark() ui.Cmd {
	r := v.row()
	if r == nil {
		return nil
	}
	if r.group {
		rows, all := v.rowsUnder(r), true
		for _, row := range rows {
			all = all && v.marked[row.id]
		}
		for _, row := range rows {
			v.setMark(row.id, !all)
		}
	} else {
		v.setMark(r.id, !v.marked[r.id])
		v.anchor = r.id
	}
	v.Table.List.Move(1)
	v.resetPage()
	return nil
}

func (v *View) setMark(id string, on bool) {
	if on {
		v.marked[id] = true
	} else {
		delete(v.marked, id)
	}
}

// markRange marks all rows between the last marked row and the selected one.
func (v *View) markRange() ui.Cmd {
	from, ok := v.places[v.anchor]
	to := v.Table.List.Cursor()
	if !ok || to < 0 {
		return v.mark()
	}
	for at := min(from, to); at <= max(from, to); at++ {
		if r := &v.rows[at]; !r.group {
			v.marked[r.id] = true
		}
	}
	return nil
}

func (v *View) markAll() ui.Cmd {
	all := true
	for i := range v.rows {
		all = all && (v.rows[i].group || v.marked[v.rows[i].id])
	}
	for i := range v.rows {
		if r := &v.rows[i]; !r.group {
			v.setMark(r.id, !all)
		}
	}
	return nil
}

// countersAction opens the counters of the selected row.
func (v *View) countersAction() ui.Action {
	a := ui.Action{ID: "sriov.counters", Keys: []string{"enter", "C"}, Name: "counters",
		Help: "Show the counters of the selected virtual function or port"}
	r := v.row()
	if r == nil || r.port == nil {
		a.Disabled = "select a virtual function or a port"
		return a
	}
	focus := deck.Focus{Title: v.name(r), Instances: []string{r.port.Description.Connection}}
	if own := v.instance(r); own != "" {
		focus.Instances = []string{own}
	}
	a.Object = focus.Title
	a.Run = func() ui.Cmd { return ui.Go("counters", focus) }
	return a
}

// whyAction asks the Diagnose screen about the selected function, machine or port.
func (v *View) whyAction() ui.Action {
	about, r := deck.Why{}, v.row()
	switch {
	case r == nil:
	case r.vf != nil && !r.group:
		about.Object = vfName(r)
	case r.vm != nil:
		about.Object = r.vm.Name
	case r.port != nil:
		about.Object = r.port.Description.Connection
	}
	return v.deck.WhyAction("sriov", about)
}

// instance returns the perfmon instance of a function; empty if it has no counters.
func (v *View) instance(r *row) string {
	inventory := v.deck.Monitor().Inventory()
	if r.vf == nil || inventory == nil {
		return ""
	}
	name := vfName(r)
	for i := range inventory.Nodes {
		if slices.Contains(inventory.Nodes[i].Instances, name) {
			return name
		}
	}
	return ""
}

// clearAction returns the action that clears the marks, then the filter.
func (v *View) clearAction() ui.Action {
	a := ui.Action{ID: "sriov.clear", Keys: []string{"esc"}, Name: "clear", Hidden: true,
		Help: "Clear the marks, then the filter",
		Run: func() ui.Cmd {
			if len(v.marked) > 0 {
				clear(v.marked)
				return nil
			}
			v.Filter.Set("")
			v.arrange()
			return nil
		}}
	if !v.Filter.Active() && len(v.marked) == 0 {
		a.Disabled = "nothing is filtered or marked"
	}
	return a
}

// hit handles the mouse; each zone does the same as a key.
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
		if msg.X == 0 {
			return v.mark()
		}
		if a := v.countersAction(); msg.Double && a.Disabled == "" {
			return a.Run()
		}
	case v.Table.ID + ".head":
		if column(msg.Index) >= idColumn {
			return v.sortBy(column(msg.Index))
		}
	case zoneCheck:
		if a := v.enableAction(); a.Disabled == "" && !v.deck.ReadOnly {
			return a.Run()
		}
	}
	return nil
}
