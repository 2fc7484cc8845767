package overview

import (
	"slices"
	"strings"

	"cxdeck/ui"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// Actions returns the possible actions of the screen.
func (v *View) Actions() []ui.Action {
	actions := v.moveActions()
	if v.focus == footPart {
		actions = append(actions, v.openEventAction())
	} else {
		actions = append(actions, v.countersAction())
	}
	bytes := v.deck.BytesAction("overview", nil)
	bytes.Hidden = false
	actions = append(actions, v.deck.ReplayActions("overview")...)
	return append(actions,
		ui.Action{ID: "overview.filter", Keys: []string{"/"}, Name: "filter",
			Help: "Show only adapters, ports, functions, teams and VLANs that match a text; | divides alternatives", Run: v.openFilter},
		v.filter.AllAction("overview", v.arrange),
		v.whyAction(), v.keysAction(), v.restartAction(), v.cableAction(), v.framesAction(), v.framesExportAction(),
		ui.Action{ID: "overview.sort", Keys: []string{"s"}, Name: "sort by " + v.followingOrder().String(),
			Help: "Sort adapters, and the ports of each, by place, name, rate or drops, and hosts by trouble, drops, pauses, errors or utilisation, with the heat of it", Run: v.nextOrder},
		change.UndoAction(v.deck, "overview"),
		v.deck.CloseReplayAction("overview", "X"),
		ui.Action{ID: "overview.focus", Keys: []string{"tab"}, Name: "next part",
			Help: "Move between the tree, the details and the events", Run: v.nextPart(1)},
		ui.Action{ID: "overview.focus-back", Keys: []string{"shift+tab"}, Name: "part before", Hidden: true,
			Help: "Move back between the tree, the details and the events", Run: v.nextPart(partCount - 1)},
		bytes,
	)
}

func (v *View) openFilter() ui.Cmd {
	v.focus = treePart
	v.filter.Open()
	return nil
}

// followingOrder returns the order after the present one; the hosts of a fleet have more of them.
func (v *View) followingOrder() order {
	if isFleet(v.nodes()) {
		return fleetOrders[(slices.Index(fleetOrders, v.order)+1)%len(fleetOrders)]
	}
	return (v.order + 1) % (byDrops + 1)
}

func (v *View) nextOrder() ui.Cmd {
	v.order = v.followingOrder()
	v.arrange()
	return nil
}

func (v *View) nextPart(step part) func() ui.Cmd {
	return func() ui.Cmd {
		v.focus = (v.focus + step) % partCount
		return nil
	}
}

// moveActions returns the actions that move the cursor of the focused part; left and right fold the tree.
func (v *View) moveActions() []ui.Action {
	switch v.focus {
	case sidePart:
		return append(deck.ListActions("overview", &v.page.Scroll, nil),
			ui.Action{ID: "overview.topic-back", Keys: []string{"left", "h"}, Name: "section before", Hidden: true,
				Help: "Choose the previous section of the details", Run: func() ui.Cmd { v.chooseTopic(-1); return nil }},
			ui.Action{ID: "overview.topic", Keys: []string{"right", "l"}, Name: "section", Hidden: len(v.topics) == 0,
				Help: "Choose the next section of the details: Enter shows its counters", Run: func() ui.Cmd { v.chooseTopic(1); return nil }})
	case footPart:
		return deck.ListActions("overview", &v.foot, nil)
	default:
	}
	return append(deck.ListActions("overview", &v.table.List, v.move),
		ui.Action{ID: "overview.fold", Keys: []string{"left", "h"}, Name: "fold", Hidden: true,
			Help: "Collapse the row, or go to its parent", Run: v.collapseOrLeave},
		ui.Action{ID: "overview.unfold", Keys: []string{"right", "l"}, Name: "unfold", Hidden: true,
			Help: "Expand the row, or go to its first child", Run: v.expandOrEnter},
		ui.Action{ID: "overview.toggle", Keys: []string{" "}, Name: "fold or unfold", Hidden: true,
			Help: "Expand or collapse the row", Run: v.toggleFold})
}

func (v *View) collapseOrLeave() ui.Cmd {
	list := &v.table.List
	at := list.Cursor()
	if at < 0 {
		return nil
	}
	v.moved = true
	if v.rows[at].fold == open && !v.filter.Active() {
		v.folded[v.node().ID] = true
		v.arrange()
		return nil
	}
	if up := parentRow(v.rows, at); up >= 0 {
		list.Select(up)
		v.remember()
	}
	return nil
}

func (v *View) expandOrEnter() ui.Cmd {
	list := &v.table.List
	at := list.Cursor()
	if at < 0 {
		return nil
	}
	v.moved = true
	switch v.rows[at].fold {
	case closed:
		delete(v.folded, v.node().ID)
		v.arrange()
	case open:
		list.Move(1)
		v.remember()
	default:
	}
	return nil
}

func (v *View) toggleFold() ui.Cmd {
	at := v.table.List.Cursor()
	if at < 0 || v.rows[at].fold == leaf {
		return nil
	}
	v.moved = true
	if v.rows[at].fold == closed {
		delete(v.folded, v.node().ID)
	} else {
		v.folded[v.node().ID] = true
	}
	v.arrange()
	return nil
}

// countersAction opens the counters of the selected node.
func (v *View) countersAction() ui.Action {
	a := ui.Action{ID: "overview.counters", Keys: []string{"enter", "C"}, Name: "counters",
		Help: "Show the counters of the selected adapter, port, function, team or VLAN"}
	n := v.node()
	if n == nil {
		a.Disabled = "nothing is selected"
		return a
	}
	a.Object = n.Name
	if paths := v.topicPaths(); len(paths) > 0 {
		title := n.Name + ": " + strings.ToLower(v.topic)
		a.Name = "counters of " + strings.ToLower(v.topic)
		a.Run = func() ui.Cmd { return ui.Go("counters", deck.Focus{Paths: paths, Title: title}) }
		return a
	}
	if v.focus == treePart && v.isMarked(v.selectedNode()) {
		a.Name, a.Run = "why it is marked", v.explainMarks
		return a
	}
	instances := deck.InstancesUnder(v.nodes(), v.selectedNode())
	a.Disabled = reasonUnless(len(instances) > 0, "the source has no counters of "+n.Name)
	a.Run = func() ui.Cmd { return ui.Go("counters", deck.Focus{Instances: instances, Title: n.Name}) }
	return a
}

// whyAction asks the Diagnose screen about the selected node, or the event under the cursor.
func (v *View) whyAction() ui.Action {
	if v.focus == footPart {
		first, end := v.log.Span()
		if at := end - 1 - v.foot.Cursor(); v.foot.Cursor() >= 0 && at >= first {
			return v.deck.WhyAction("overview", deck.WhyEvent(v.inventory, v.log.At(at)))
		}
		return v.deck.WhyAction("overview", deck.Why{})
	}
	return v.deck.WhyAction("overview", deck.WhyNode(v.nodes(), v.selectedNode()))
}

// topicPaths returns the paths of the chosen section's counters; none when no section is chosen.
func (v *View) topicPaths() (paths []string) {
	chosen := v.chosenTopic()
	for _, t := range v.topics {
		if t.title != chosen {
			continue
		}
		for _, i := range t.series[:min(len(t.series), maxTopicCurves)] {
			paths = append(paths, v.schema.Series[i].Path())
		}
	}
	return paths
}

const maxTopicCurves = 32

// openEventAction shows the event under the cursor on the Events screen.
func (v *View) openEventAction() ui.Action {
	a := ui.Action{ID: "overview.open-event", Keys: []string{"enter"}, Name: "open event",
		Help: "Show the selected event with its trigger and remedy"}
	first, end := v.log.Span()
	at := end - 1 - v.foot.Cursor()
	if v.foot.Cursor() < 0 || at < first {
		a.Disabled = "there are no events yet"
		return a
	}
	sequence := v.log.At(at).Sequence
	a.Run = func() ui.Cmd { return ui.Go("events", deck.EventFocus{Sequence: sequence}) }
	return a
}

// reasonUnless returns the reason if the condition is false.
func reasonUnless(condition bool, reason string) string {
	if condition {
		return ""
	}
	return reason
}
