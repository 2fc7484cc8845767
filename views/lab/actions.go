package lab

import (
	"cxdeck/ui"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// Actions returns the possible actions of the screen.
func (v *View) Actions() []ui.Action {
	if m := v.deck.Monitor(); m != nil && m.Lab() != v.state {
		v.refresh() // a key right after a change applies to the new state
	}
	if v.state == nil && (v.sheets.Shown() || v.deck.HasSettings()) { // settings of this machine, which the keys scroll
		actions := append(deck.ListActions("lab", &v.sheets.Scroll, nil), v.deck.ReplayActions("lab")...)
		return append(actions, v.deck.SettingsAction("lab", deck.SettingsFocus{}), v.deck.CloseReplayAction("lab", "X"))
	}
	var actions []ui.Action
	if v.inPage {
		actions = append(deck.ListActions("lab", &v.page.Scroll, nil), v.openAction(), v.backAction())
		actions = append(actions, v.changes()...) // the page lists their keys
	} else {
		actions = append(deck.ListActions("lab", &v.tables[v.list].List, v.resetPage), v.changes()...)
		actions = append(actions, v.countersAction(), v.whyAction(), v.filter.AllAction("lab", v.arrange), ui.Action{ID: "lab.page", Keys: []string{"right", "l"},
			Name: "page", Help: "Open the page about the selected row", Run: func() ui.Cmd { v.inPage = true; return nil }})
	}
	actions = append(actions, v.deck.ReplayActions("lab")...)
	return append(actions, change.UndoAction(v.deck, "lab"),
		ui.Action{ID: "lab.next", Keys: []string{"tab"}, Name: "next part",
			Help: "Move to the next part: scenes, workloads, cables and switch ports, and the page about the selected row", Run: v.nextPart(1)},
		ui.Action{ID: "lab.previous", Keys: []string{"shift+tab"}, Name: "part before", Hidden: true,
			Help: "Move to the previous part", Run: v.nextPart(pagePart)},
		ui.Action{ID: "lab.filter", Keys: []string{"/"}, Name: "filter",
			Help: "Show only scenes, workloads and ports that match a text; | divides alternatives", Run: v.openFilter},
		v.deck.CloseReplayAction("lab", "X"),
		v.deck.BytesAction("lab", func() { v.page.Stale = true }),
	)
}

// changes returns the actions that change the selected row. The list with the focus comes first; help also finds the
// actions of the other lists.
func (v *View) changes() []ui.Action {
	var actions []ui.Action
	for i := range listCount {
		list := (v.list + part(i)) % part(listCount)
		for _, a := range v.changesOf(list) {
			if list != v.list {
				a.Hidden, a.Object = true, ""
				if a.Disabled = v.deck.CannotChange(); a.Disabled == "" {
					a.Disabled = "select " + listWords[list] + " first (Tab)"
				}
			}
			actions = append(actions, a)
		}
	}
	return actions
}

func (v *View) changesOf(list part) []ui.Action {
	switch list {
	case scenesPart:
		return []ui.Action{v.runSceneAction(), v.fixAction(), v.placeAction()}
	case flowsPart:
		return []ui.Action{v.runAction(), v.moreAction(), v.lessAction()}
	default:
		return []ui.Action{v.cableAction(), v.editAction(), v.faultAction()}
	}
}

// listWords are the rows of each list in a sentence.
var listWords = [listCount]string{scenesPart: "a scene", flowsPart: "a workload", portsPart: "a cable or switch port"}

// nextPart moves the focus by a number of parts; the page describes the selected row of the last list.
func (v *View) nextPart(step part) func() ui.Cmd {
	return func() ui.Cmd {
		next := (v.focus() + step) % (pagePart + 1)
		v.inPage = next == pagePart
		if !v.inPage {
			v.focusList(next)
		}
		return nil
	}
}

// focusList moves the focus to a list.
func (v *View) focusList(list part) {
	v.inPage = false
	if list != v.list {
		v.list = list
		v.resetPage()
	}
}

func (v *View) openFilter() ui.Cmd {
	v.inPage = false
	v.filter.Open()
	return nil
}

// backAction leaves the page.
func (v *View) backAction() ui.Action {
	return ui.Action{ID: "lab.back", Keys: []string{"esc", "left", "h"}, Name: "back", Help: "Go back from the page to the list",
		Run: func() ui.Cmd { v.inPage = false; return nil }}
}

// openAction opens the counter or the event of the page's line under the cursor.
func (v *View) openAction() ui.Action {
	a := ui.Action{ID: "lab.open", Keys: []string{"enter"}, Name: "open",
		Help: "Open the counter or the event under the cursor"}
	v.page.Rewrite(v.writePage)
	if line := v.page.Current(); line != nil && line.Open != nil {
		a.Object, a.Run = line.Text, line.Open
		return a
	}
	a.Disabled = "this line names no counter and no recorded event"
	return a
}

// countersAction opens the counters of the selected row.
func (v *View) countersAction() ui.Action {
	a := ui.Action{ID: "lab.counters", Keys: []string{"enter", "C"}, Name: "counters",
		Help: "Show the counters of the selected workload's or port's connection, or the counters that the selected scene changes"}
	focus := v.countersFocus()
	if focus.Title == "" {
		a.Disabled = "nothing is selected"
		return a
	}
	a.Object = focus.Title
	if len(focus.Instances)+len(focus.Paths) == 0 {
		a.Disabled = "the source has no counters of " + focus.Title
		return a
	}
	a.Run = func() ui.Cmd { return ui.Go("counters", focus) }
	return a
}

// whyAction asks the Diagnose screen about the port of the selected scene, workload or cable.
func (v *View) whyAction() ui.Action {
	about := deck.Why{}
	switch v.list {
	case scenesPart:
		if s := v.scene(); s != nil {
			about = deck.Why{Object: v.place(v.selected(scenesPart)), Row: s.Title, From: s.Story}
		}
	case flowsPart:
		if f := v.flow(); f != nil {
			about = deck.Why{Object: f.Connection, Row: f.Name}
		}
	default:
		if p := v.port(); p != nil {
			about.Object = p.Description.Connection
		}
	}
	return v.deck.WhyAction("lab", about)
}

// countersFocus returns the request to the Counters screen.
func (v *View) countersFocus() deck.Focus {
	connection := ""
	switch v.list {
	case scenesPart:
		if s := v.scene(); s != nil && v.schema != nil {
			return deck.Focus{Paths: v.paths(v.selected(scenesPart)), Title: s.Title}
		}
	case flowsPart:
		if f := v.flow(); f != nil {
			connection = f.Connection
		}
	default:
		if p := v.port(); p != nil {
			connection = p.Description.Connection
		}
	}
	if connection == "" {
		return deck.Focus{}
	}
	return deck.Focus{Instances: v.deck.Monitor().Inventory().Instances(connection), Title: connection}
}

// hit handles the mouse; each zone does the same as a key.
func (v *View) hit(msg ui.HitMsg) ui.Cmd {
	for i := range v.tables {
		if id := tableIDs[i]; msg.ID == id || msg.ID == id+".scroll" || msg.ID == id+".head" || msg.ID == id+".title" {
			return v.hitList(part(i), msg)
		}
	}
	if msg.ID != zonePage {
		if msg.ID == zoneFilter && msg.Button == ui.Press {
			return v.openFilter()
		}
		return nil
	}
	if step := msg.Button.WheelRows(); step != 0 {
		v.page.Scroll.Scroll(step)
		return nil
	}
	if msg.Button == ui.Press {
		v.inPage = true
		v.page.Scroll.Select(msg.Index)
		if a := v.openAction(); msg.Double && a.Disabled == "" {
			return a.Run()
		}
	}
	return nil
}

func (v *View) hitList(list part, msg ui.HitMsg) ui.Cmd {
	table := &v.tables[list]
	if step := msg.Button.WheelRows(); step != 0 {
		table.List.Scroll(step)
		v.resetPage()
		return nil
	}
	scroll := msg.ID == table.ID+".scroll"
	if msg.Button != ui.Press && (!scroll || msg.Button != ui.Drag) {
		return nil
	}
	v.focusList(list)
	switch {
	case scroll:
		table.ScrollHit(msg.Hit)
	case msg.ID == table.ID:
		table.List.Select(msg.Index)
		if a := v.countersAction(); msg.Double && a.Disabled == "" {
			return a.Run()
		}
	}
	v.resetPage()
	return nil
}

// The zones of the page and of the filter.
const (
	zonePage   = "lab.page"
	zoneFilter = "lab.filter"
)
