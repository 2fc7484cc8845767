package registry

import (
	"fmt"
	"slices"

	"cxdeck/driver/registry"
	"cxdeck/driver/wording"
	"cxdeck/ui"
	"cxdeck/views/change"
	"cxdeck/views/deck"
	"cxdeck/views/registry/keyset"
)

// Actions returns the possible actions of the screen.
func (v *View) Actions() []ui.Action {
	if v.snapshot == nil && v.sheets.Shown() { // keys of this machine, which the keys scroll
		actions := append(deck.ListActions("registry", &v.sheets.Scroll, nil), v.deck.ReplayActions("registry")...)
		return append(actions, v.machineAction(), v.deck.CloseReplayAction("registry", "X"))
	}
	var actions []ui.Action
	switch v.focus {
	case treePart:
		actions = append(deck.ListActions("registry", &v.treeList, v.moveToBranch), v.treeActions()...)
	case pagePart:
		actions = append(deck.ListActions("registry", &v.detail.Scroll, nil), v.openAction(), v.leaveAction())
	default:
		actions = append(v.tableMoves(), v.editAction(), v.toggleAction(), v.allAction())
	}
	actions = append(actions, v.reviewAction(), change.UndoAction(v.deck, "registry"))
	actions = append(actions, v.keyActions()...)
	actions = append(actions, v.compareAction(), v.profilesAction(), v.importAction(), v.exportAction(),
		v.restartAction(), v.journalAction())
	actions = append(actions, v.whyAction())
	actions = append(actions, v.viewActions()...)
	actions = append(actions, v.deck.ReplayActions("registry")...)
	return append(actions, v.deck.CloseReplayAction("registry", "X"))
}

// machineAction edits the registry of this machine.
func (v *View) machineAction() ui.Action {
	a := ui.Action{ID: "registry.edit", Keys: []string{"e"}, Name: "edit keys", Help: "Edit the keys of this machine's adapters and drivers, with a review", Run: func() ui.Cmd { return v.deck.OpenSettings(deck.SettingsFocus{}) }}
	if !v.deck.HasSettings() {
		a.Disabled = "the source is not this machine"
	}
	return a
}

// whyAction asks the Diagnose screen about the key under the cursor.
func (v *View) whyAction() ui.Action {
	e := v.current()
	if e == nil || v.snapshot == nil {
		return v.deck.WhyAction("registry", deck.Why{})
	}
	about := deck.Why{Object: e.Connection, Row: e.Row.Name + " of " + e.Owner, Key: e.Row.Name, Value: e.EffectiveText()}
	if about.Object == "" && e.Port >= 0 && e.Port < len(v.snapshot.Ports) {
		about.Object = v.snapshot.Ports[e.Port].Connection
	}
	switch {
	case !e.Stored.Exists():
		about.From = "No value is stored: the driver uses its default, " + keyset.FormatWithMeaning(e.Row, e.Default) + "."
	case e.Pending:
		about.From = keyset.FormatWithMeaning(e.Row, e.Stored) + " is stored, and takes effect after the next " + keyset.MomentWords[e.Row.Applies] + "."
	default:
		about.From = "The stored value is " + keyset.FormatWithMeaning(e.Row, e.Stored) + "; the default is " + keyset.FormatWithMeaning(e.Row, e.Default) + "."
	}
	for _, reason := range v.reasons(e) {
		about.From += " " + wording.UpperFirst(reason.Why) + "."
	}
	return v.deck.WhyAction("registry", about)
}

// tableMoves returns the actions that move the cursor of the table; it skips headings.
func (v *View) tableMoves() []ui.Action {
	actions := deck.ListActions("registry", &v.table.List, nil)
	for i := range actions {
		name := actions[i].Keys[0]
		actions[i].Run = func() ui.Cmd { v.move(name); return nil }
	}
	return actions
}

// treeActions returns the actions for the tree only.
func (v *View) treeActions() []ui.Action {
	return []ui.Action{
		{ID: "registry.open-keys", Keys: []string{"enter"}, Name: "keys", Help: "Go to the keys of the selected adapter or group",
			Run: func() ui.Cmd { v.focus = tablePart; return nil }},
		{ID: "registry.fold", Keys: []string{"left", "h"}, Name: "fold", Hidden: true, Help: "Collapse the branch, or go to its parent",
			Run: func() ui.Cmd { v.foldSelected(true); return nil }},
		{ID: "registry.unfold", Keys: []string{"right", "l", " "}, Name: "unfold", Help: "Expand the branch",
			Run: func() ui.Cmd { v.foldSelected(false); return nil }},
		{ID: "registry.leave-tree", Keys: []string{"esc"}, Name: "back", Hidden: true, Help: "Go back to the keys",
			Run: func() ui.Cmd { v.focus = tablePart; return nil }},
	}
}

// foldSelected folds or unfolds the selected branch; for a leaf or a folded branch, fold selects the parent.
func (v *View) foldSelected(folded bool) {
	if v.snapshot == nil {
		return
	}
	n := v.node()
	if folded && (!n.Branch || v.folded[n.ID]) {
		if n.Parent >= 0 {
			v.treeList.Select(slices.Index(v.shown, n.Parent))
			v.moveToBranch()
		}
		return
	}
	v.folded[n.ID], v.unfolded[n.ID] = folded, !folded
	v.fold()
}

// openAction follows the link of the page's line under the cursor.
func (v *View) openAction() ui.Action {
	a := ui.Action{ID: "registry.open", Keys: []string{"enter"}, Name: "open", Help: "Go to the key under the cursor, or open its counter"}
	if l := v.detail.Current(); l != nil && l.Open != nil {
		a.Object, a.Run = l.Opens, l.Open
		return a
	}
	a.Disabled = "this line has no link to a key or a counter"
	return a
}

// leaveAction leaves the page.
func (v *View) leaveAction() ui.Action {
	return ui.Action{ID: "registry.leave-page", Keys: []string{"esc", "left", "h"}, Name: "back", Help: "Go back from the page to the keys",
		Run: func() ui.Cmd { v.focus = tablePart; return nil }}
}

// allAction clears the search and the filters; without any, it returns to the key from which a link was followed.
func (v *View) allAction() ui.Action {
	a := ui.Action{ID: "registry.all", Keys: []string{"esc"}, Name: "show all", Hidden: true,
		Help: "Clear the search and the filters, or go back to the key that a link was followed from"}
	switch {
	case v.filter.Active() || v.show != showAll || v.group != "":
		a.Hidden = false
		a.Run = func() ui.Cmd {
			v.filter.Set("")
			v.scores, v.show, v.group = nil, showAll, ""
			v.arrange()
			return nil
		}
	case len(v.back) > 0:
		a.Name, a.Hidden = "back", false
		a.Run = func() ui.Cmd {
			last := len(v.back) - 1
			to := v.snapshot.Find(v.back[last])
			v.back = v.back[:last]
			if to >= 0 {
				v.reveal(to)
			}
			return nil
		}
	default:
		a.Disabled = "nothing is filtered"
	}
	return a
}

// cannotEdit returns why the key under the cursor can't be edited; empty if it can.
func (v *View) cannotEdit() string {
	if why := v.deck.CannotChange(); why != "" {
		return why
	}
	if v.snapshot == nil || v.elsewhere {
		return "the registry is still being read"
	}
	e := v.current()
	if e == nil {
		return "select a key first"
	}
	return e.CannotStore()
}

// editAction opens the editor of the key under the cursor.
func (v *View) editAction() ui.Action {
	a := ui.Action{ID: "registry.edit", Keys: []string{"enter", "e"}, Name: "edit", Changes: true,
		Help: "Edit the key under the cursor, on several adapters at once if you like; the edit waits in the draft"}
	if a.Disabled = v.cannotEdit(); a.Disabled == "" {
		e := v.current()
		a.Object = e.Row.Name
		a.Run = func() ui.Cmd { return ui.OpenDialog(newEditor(v, e)) }
	}
	return a
}

// toggleAction selects the next value of a key with few values.
func (v *View) toggleAction() ui.Action {
	a := ui.Action{ID: "registry.toggle", Keys: []string{" "}, Name: "toggle", Changes: true,
		Help: "Toggle the key under the cursor, or select its next value, in the draft"}
	if a.Disabled = v.cannotEdit(); a.Disabled != "" {
		return a
	}
	e := v.current()
	a.Object = e.Row.Name
	list := keyset.Choices(e.Row)
	if e.Row.Form != registry.Toggle && e.Row.Form != registry.List || len(list) == 0 {
		a.Disabled = e.Row.Name + " has too many values to toggle: Enter edits it"
		return a
	}
	a.Run = func() ui.Cmd {
		at := slices.IndexFunc(list, func(c registry.Choice) bool { return registry.NumberValue(c.Value) == asNumber(v.stored(e)) })
		next := list[(at+1)%len(list)]
		value, err := e.Row.Parse(fmt.Sprint(next.Value))
		if err != nil {
			return ui.Toast(ui.Failure, wording.UpperFirst(err.Error()))
		}
		return v.edit(e, value)
	}
	return a
}

// asNumber returns a value as a number, also if the registry stores it as text.
func asNumber(v registry.Value) registry.Value {
	var n uint32
	if v.Type() == registry.Text {
		if _, err := fmt.Sscan(v.String(), &n); err == nil {
			return registry.NumberValue(n)
		}
	}
	return v
}

// edit puts a value in the draft.
func (v *View) edit(e *keyset.Entry, value registry.Value) ui.Cmd {
	v.draft.Set(e, value)
	v.draftChanged()
	return v.keepDraft()
}

// keyActions returns the actions that change the draft, for the key under the cursor or as a whole.
func (v *View) keyActions() []ui.Action {
	why := v.cannotEdit()
	e := v.current()
	one := func(id, key, name, help string, run func() ui.Cmd) ui.Action {
		a := ui.Action{ID: "registry." + id, Keys: []string{key}, Name: name, Help: help, Changes: true, Disabled: why, Run: run}
		if e != nil {
			a.Object = e.Row.Name
		}
		return a
	}
	reset := one("default", "D", "default", "Set the key under the cursor to its default, in the draft",
		func() ui.Cmd { return v.edit(e, e.Default) })
	remove := one("delete", "delete", "delete value", "Delete the value of the key under the cursor from the registry, in the draft",
		func() ui.Cmd { return v.edit(e, registry.Value{}) })
	drop := one("drop", "backspace", "drop edit", "Remove the edit of the key under the cursor from the draft", func() ui.Cmd {
		v.draft.Drop(e.ID)
		v.draftChanged()
		return v.keepDraft()
	})
	remove.Hidden, drop.Hidden = true, true
	if why == "" {
		switch {
		case !e.Default.Exists():
			reset.Disabled = "the manuals give no default of " + e.Row.Name
		case v.stored(e) == e.Default:
			reset.Disabled = e.Row.Name + " has its default"
		}
		if !v.stored(e).Exists() {
			remove.Disabled = e.Row.Name + " has no value in the registry"
		}
		if _, ok := v.draft.EditOf(e.ID); !ok {
			drop.Disabled = e.Row.Name + " has no edit in the draft"
		}
	}
	discard := ui.Action{ID: "registry.discard", Keys: []string{"E"}, FormerKeys: []string{"W"}, Name: "discard draft", Hidden: true, Changes: true, Dangerous: true,
		Help: "Discard the whole draft", Question: fmt.Sprintf("Discard the draft with %s? None of it was applied.",
			count(v.draft.Len(), "change")), Run: func() ui.Cmd {
			v.draft.Clear()
			v.draftChanged()
			return v.keepDraft()
		}}
	if v.draft.Len() == 0 {
		discard.Disabled = "the draft is empty"
	}
	return []ui.Action{reset, remove, drop, discard}
}

// viewActions returns the actions that change which keys are shown, and how.
func (v *View) viewActions() []ui.Action {
	next := func(step part) func() ui.Cmd {
		return func() ui.Cmd { v.focus = (v.focus + step) % partCount; return nil }
	}
	actions := []ui.Action{
		{ID: "registry.search", Keys: []string{"/"}, Name: "search",
			Help: "Search names, summaries and effects; the best match comes first, and | divides alternatives",
			Run:  func() ui.Cmd { v.focus = tablePart; v.filter.Open(); return nil }},
		{ID: "registry.next", Keys: []string{"tab"}, Name: "next part", Help: "Move to the next part: the keys, the page about the key under the cursor, the tree",
			Run: next(1)},
		{ID: "registry.previous", Keys: []string{"shift+tab"}, Name: "part before", Hidden: true, Help: "Move to the previous part",
			Run: next(partCount - 1)},
		{ID: "registry.show", Keys: []string{"v"}, Name: "show", Help: "Show all keys, or only keys in the draft, changed, pending, not default, invalid, or favourites",
			Run: func() ui.Cmd { v.show = (v.show + 1) % showCount; v.arrange(); return nil }},
		{ID: "registry.group", Keys: []string{"."}, FormerKeys: []string{"a"}, Name: "group", Hidden: true, Help: "Show the next group of keys",
			Run: func() ui.Cmd { v.showGroup(1); return nil }},
		{ID: "registry.group-before", Keys: []string{","}, Name: "group before", Hidden: true, Help: "Show the previous group of keys",
			Run: func() ui.Cmd { v.showGroup(-1); return nil }},
		{ID: "registry.sort", Keys: []string{"s"}, Name: "sort", Hidden: true, Help: "Sort the keys by the next column",
			Run: func() ui.Cmd { v.sortBy(v.nextColumn()); return nil }},
		{ID: "registry.reverse", Keys: []string{"S"}, Name: "reverse", Hidden: true, Help: "Reverse the order of the keys",
			Run: func() ui.Cmd { v.descending = !v.descending; v.arrange(); return nil }},
		{ID: "registry.arrange", Keys: []string{"o"}, Name: "arrange", Hidden: true, Help: "Arrange the tree by adapter, by group or by registry path",
			Run: func() ui.Cmd {
				v.arrangement = (v.arrangement + 1) % keyset.ArrangementCount
				v.place = ""
				v.rebuildTree()
				return nil
			}},
		v.favouriteAction(),
		v.deck.BytesAction("registry", func() { v.detail.Stale = true }),
	}
	for i := range actions {
		if v.deck.Recorded() && (actions[i].ID == "registry.group" || actions[i].ID == "registry.group-before") {
			actions[i].Keys, actions[i].FormerKeys = nil, nil // in a recording these keys step; the tree also lists the groups
		}
	}
	return actions
}

// nextColumn returns the column after the sorted one; noSorting after the last.
func (v *View) nextColumn() int {
	next := v.sorting + 1
	if next == ownerColumn && v.table.Columns[ownerColumn].Width == 0 {
		next++
	}
	if next == len(columns) {
		return noSorting
	}
	return next
}

// sortBy sorts by a column; if it is sorted already, sortBy reverses the order.
func (v *View) sortBy(column int) {
	if column == v.sorting {
		v.descending = !v.descending
	} else {
		v.sorting, v.descending = column, false
	}
	v.arrange()
}

// showGroup shows another group of the selected node, by groups after the current one. All groups follow the last one.
func (v *View) showGroup(by int) {
	if v.snapshot == nil {
		return
	}
	groups := []string{""}
	n := v.node()
	for _, i := range v.tree.Order[n.From:n.To] {
		if g := v.snapshot.Entries[i].Row.Group; !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	at := max(slices.Index(groups, v.group), 0) + by + len(groups)
	v.group = groups[at%len(groups)]
	v.arrange()
}
