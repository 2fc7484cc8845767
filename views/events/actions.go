package events

import (
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/ui"
	"cxdeck/views/deck"
)

// Actions are what can be done here now.
func (v *View) Actions() []ui.Action {
	var actions []ui.Action
	if v.inDetail {
		actions = append(actions, deck.ListActions("events", &v.detail, nil)...)
	} else {
		actions = append(actions, deck.ListActions("events", &v.table.List, v.moved)...)
	}
	actions = append(actions, v.detailAction(), v.backAction(), v.countersAction(),
		ui.Action{ID: "events.follow", Keys: []string{"f"}, Name: toggled(v.follow, "stop following", "follow"),
			Help: "Keep the newest event selected as events come in", Run: v.toggleFollow},
		ui.Action{ID: "events.filter", Keys: []string{"/"}, Name: "filter",
			Help: "Show only events with a text in message, adapter, source or kind", Run: v.openFilter},
		v.severityAction("e", eventlog.Error), v.severityAction("w", eventlog.Warning), v.severityAction("i", eventlog.Information),
	)
	e := v.event()
	return append(actions, v.deck.CloseReplayAction("events", "X"),
		v.sameAction("events.adapter", "a", "adapter", &v.criteria.adapter, e, func(e *eventlog.Event) string { return e.Adapter }),
		v.sameAction("events.source", "s", "source", &v.criteria.source, e, func(e *eventlog.Event) string { return e.Source }),
		ui.Action{ID: "events.focus", Keys: []string{"tab"}, Name: "next part", Hidden: true,
			Help: "Move between the events and the detail", Run: v.nextPart},
	)
}

func toggled(on bool, ifOn, ifOff string) string {
	if on {
		return ifOn
	}
	return ifOff
}

func (v *View) toggleFollow() ui.Cmd {
	if v.follow = !v.follow; v.follow {
		v.table.List.Select(0)
	}
	return nil
}

func (v *View) openFilter() ui.Cmd {
	v.closeDetail()
	v.filter.Open()
	return nil
}

func (v *View) nextPart() ui.Cmd {
	if v.inDetail {
		v.closeDetail()
	} else {
		v.openDetail()
	}
	return nil
}

// detailAction opens the detail.
func (v *View) detailAction() ui.Action {
	a := ui.Action{ID: "events.detail", Keys: []string{"enter"}, Name: "detail",
		Help: "Show what triggers the selected event and what to do about it",
		Run:  func() ui.Cmd { v.openDetail(); return nil }}
	if v.event() == nil {
		a.Disabled = "no event is selected"
	}
	return a
}

// backAction leaves the detail, or drops all filters.
func (v *View) backAction() ui.Action {
	if v.inDetail {
		return ui.Action{ID: "events.back", Keys: []string{"esc"}, Name: "back",
			Help: "Go back from the detail to the events", Run: func() ui.Cmd { v.closeDetail(); return nil }}
	}
	a := ui.Action{ID: "events.all", Keys: []string{"esc", "x"}, Name: "show all", Hidden: !v.criteria.active(),
		Help: "Drop all filters", Run: func() ui.Cmd { v.clearCriteria(); v.refresh(true); return nil }}
	if !v.criteria.active() {
		a.Disabled = "nothing is filtered"
	}
	return a
}

// severityAction hides or shows the events of a severity.
func (v *View) severityAction(key string, s eventlog.Severity) ui.Action {
	word := severityWords[s]
	return ui.Action{ID: "events." + s.String(), Keys: []string{key},
		Name: toggled(v.criteria.hidden[s], "show ", "hide ") + word, Help: "Hide or show " + word,
		Run: func() ui.Cmd { v.toggleSeverity(s); return nil }}
}

func (v *View) toggleSeverity(s eventlog.Severity) {
	v.criteria.hidden[s] = !v.criteria.hidden[s]
	v.refresh(true)
}

// sameAction keeps to the events that share something with the selected one, or drops that again.
func (v *View) sameAction(id, key, what string, criterion *string, e *eventlog.Event, of func(*eventlog.Event) string) ui.Action {
	a := ui.Action{ID: id, Keys: []string{key}, Name: "this " + what,
		Help: "Keep to the " + what + " of the selected event, or show all again"}
	value := ""
	switch {
	case *criterion != "":
		a.Name = "every " + what
	case e == nil:
		a.Disabled = "no event is selected"
	case of(e) == "":
		a.Disabled = "the selected event names no " + what
	default:
		value, a.Object = of(e), of(e)
	}
	a.Run = func() ui.Cmd {
		*criterion = value
		v.refresh(true)
		return nil
	}
	return a
}

// countersAction opens the counters of the event's adapter with the cursor at the event's time.
func (v *View) countersAction() ui.Action {
	a := ui.Action{ID: "events.counters", Keys: []string{"c"}, Name: "counters then",
		Help: "Show the counters of the event's adapter at the time of the event"}
	e := v.event()
	if e == nil {
		a.Disabled = "no event is selected"
		return a
	}
	if e.Adapter == "" {
		a.Disabled = "the selected event names no adapter"
		return a
	}
	a.Object = e.Adapter
	focus := deck.Focus{Instances: instancesOf(v.inventory(), e.Adapter), Title: e.Adapter, At: e.Time}
	if len(focus.Instances) == 0 {
		a.Disabled = "the source has no counters of " + e.Adapter
		return a
	}
	a.Run = func() ui.Cmd { return ui.Go("counters", focus) }
	return a
}

func (v *View) inventory() *perf.Inventory {
	if m := v.deck.Monitor(); m != nil {
		return m.Inventory()
	}
	return nil
}

// instancesOf are the perfmon instances of the node with a name, or of what stands below it.
func instancesOf(inventory *perf.Inventory, name string) []string {
	if inventory == nil {
		return nil
	}
	for i := range inventory.Nodes {
		if n := &inventory.Nodes[i]; n.Name == name || n.ID == name {
			return deck.InstancesUnder(inventory.Nodes, i)
		}
	}
	return nil
}

// hit takes the mouse: every zone does what a key does.
func (v *View) hit(msg ui.HitMsg) ui.Cmd {
	switch msg.Button {
	case ui.WheelUp, ui.WheelDown:
		if msg.ID == "events.detail" {
			v.detail.Move(msg.Button.Wheel())
			return nil
		}
		v.table.List.Scroll(msg.Button.Wheel())
		v.moved()
		return nil
	case ui.Drag:
		if msg.ID == "events.table.scroll" {
			v.table.ScrollHit(msg.Hit)
			v.moved()
		}
		return nil
	case ui.Press:
		return v.press(msg)
	default:
	}
	return nil
}

func (v *View) press(msg ui.HitMsg) ui.Cmd {
	switch msg.ID {
	case "events.table":
		v.inDetail = false
		v.table.List.Select(msg.Index)
		v.moved()
		if msg.Double {
			v.openDetail()
		}
	case "events.table.scroll":
		v.table.ScrollHit(msg.Hit)
		v.moved()
	case "events.detail":
		v.inDetail = true
	case "events.severity":
		v.toggleSeverity(eventlog.Severity(min(max(msg.Index, 0), severityCount-1)))
	case "events.adapter":
		v.criteria.adapter = ""
		v.refresh(true)
	case "events.source":
		v.criteria.source = ""
		v.refresh(true)
	case "events.filter":
		return v.openFilter()
	}
	return nil
}
