package events

import (
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/ui"
	"cxdeck/views/deck"
)

// Actions returns the possible actions of the screen.
func (v *View) Actions() []ui.Action {
	actions := deck.ListActions("events", &v.Table.List, v.endFollowing)
	if v.InPage {
		actions = deck.ListActions("events", &v.Page.Scroll, nil)
	}
	actions = append(actions, v.detailAction(), v.backAction(), v.countersAction(), v.deck.WhyAction("events", deck.WhyEvent(v.inventory(), v.event())), v.deck.WhatChangedAction("events", v.event()),
		ui.Action{ID: "events.follow", Keys: []string{"f"}, Name: toggleName(v.follow, "stop following", "follow"),
			Help: "Keep the newest event selected as events come in", Run: v.toggleFollow},
		ui.Action{ID: "events.filter", Keys: []string{"/"}, Name: "filter",
			Help: "Show only events with a text in message, adapter, source or kind", Run: v.OpenFilter},
		v.showAction(),
		v.severityAction(eventlog.Error), v.severityAction(eventlog.Warning), v.severityAction(eventlog.Information),
	)
	e := v.event()
	actions = append(actions, v.deck.ReplayActions("events")...)
	return append(actions, v.deck.CloseReplayAction("events", "X"),
		v.onlyAction(e), v.exportAction(),
		v.sameAction("events.adapter", "adapter", &v.criteria.adapter, e, func(e *eventlog.Event) string { return e.Adapter }),
		v.sameAction("events.source", "source", &v.criteria.source, e, func(e *eventlog.Event) string { return e.Source }),
		ui.Action{ID: "events.focus", Keys: []string{"tab"}, Name: "next part", Hidden: true,
			Help: "Move between the events and the detail", Run: v.nextPart},
	)
}

func toggleName(on bool, ifOn, ifOff string) string {
	if on {
		return ifOn
	}
	return ifOff
}

func (v *View) toggleFollow() ui.Cmd {
	if v.follow = !v.follow; v.follow {
		v.Table.List.Select(0)
		v.endFollowing()
	}
	return nil
}

func (v *View) nextPart() ui.Cmd {
	if v.InPage {
		return v.closeDetail()
	}
	return v.openDetail()
}

// detailAction opens the detail.
func (v *View) detailAction() ui.Action {
	a := ui.Action{ID: "events.detail", Keys: []string{"enter"}, Name: "detail",
		Help: "Show what triggers the selected event and what to do about it",
		Run:  v.openDetail}
	if v.event() == nil {
		a.Disabled = "no event is selected"
	}
	return a
}

// backAction leaves the detail, or clears all filters.
func (v *View) backAction() ui.Action {
	if v.InPage {
		return ui.Action{ID: "events.back", Keys: []string{"esc"}, Name: "back",
			Help: "Go back from the detail to the events", Run: v.closeDetail}
	}
	a := ui.Action{ID: "events.all", Keys: []string{"esc"}, Name: "show all", Hidden: !v.criteria.active(),
		Help: "Clear all filters", Run: func() ui.Cmd { v.clearCriteria(); v.refresh(true); return nil }}
	if !v.criteria.active() {
		a.Disabled = "nothing is filtered"
	}
	return a
}

// shows are the sets of severities through which the key cycles; any other set starts the cycle again.
var shows = [...]struct {
	name   string
	hidden [severityCount]bool
}{
	{name: "all"},
	{"errors and warnings", [severityCount]bool{eventlog.Information: true}},
	{"errors", [severityCount]bool{eventlog.Information: true, eventlog.Warning: true}},
	{"warnings", [severityCount]bool{eventlog.Information: true, eventlog.Error: true}},
	{"information", [severityCount]bool{eventlog.Warning: true, eventlog.Error: true}},
}

// showAction cycles through the sets of severities.
func (v *View) showAction() ui.Action {
	next := 0
	for i := range shows {
		if shows[i].hidden == v.criteria.hidden {
			next = (i + 1) % len(shows)
		}
	}
	return ui.Action{ID: "events.show", Keys: []string{"v"}, FormerKeys: []string{"e", "i"}, Name: "show " + shows[next].name,
		Help: "Show all events, errors and warnings, or only one severity",
		Run: func() ui.Cmd {
			v.criteria.hidden = shows[next].hidden
			v.refresh(true)
			return nil
		}}
}

// onlyAction cycles through filters by the selected event: its adapter, its source, both, none.
func (v *View) onlyAction(e *eventlog.Event) ui.Action {
	c := &v.criteria
	a := ui.Action{ID: "events.only", Keys: []string{"O"}, FormerKeys: []string{"a", "s"},
		Help: "Filter by the adapter of the selected event, by its source, by both, or show all again"}
	adapter, source := c.adapter, c.source
	switch {
	case e == nil && adapter == "" && source == "":
		a.Name, a.Disabled = "only this adapter", "no event is selected"
		return a
	case adapter == "" && source == "" && e.Adapter != "":
		a.Name, a.Object, adapter = "only this adapter", e.Adapter, e.Adapter
	case source == "" && adapter == "" && e.Source == "":
		a.Name, a.Disabled = "only this adapter", "the selected event names no adapter and no source"
		return a
	case source == "" && adapter == "":
		a.Name, a.Object, source = "only this source", e.Source, e.Source
	case source == "" && e != nil && e.Source != "":
		a.Name, a.Object, adapter, source = "only this source", e.Source, "", e.Source
	case adapter == "" && e != nil && e.Adapter != "":
		a.Name, a.Object, adapter = "only this adapter, too", e.Adapter, e.Adapter
	default:
		a.Name, adapter, source = "every adapter and source", "", ""
	}
	a.Run = func() ui.Cmd {
		c.adapter, c.source = adapter, source
		v.refresh(true)
		return nil
	}
	return a
}

// severityAction hides or shows the events of a severity.
func (v *View) severityAction(s eventlog.Severity) ui.Action {
	word := severityWords[s]
	return ui.Action{ID: "events." + s.String(), Hidden: true,
		Name: toggleName(v.criteria.hidden[s], "show ", "hide ") + word, Help: "Hide or show " + word,
		Run: func() ui.Cmd { v.toggleSeverity(s); return nil }}
}

func (v *View) toggleSeverity(s eventlog.Severity) {
	v.criteria.hidden[s] = !v.criteria.hidden[s]
	v.refresh(true)
}

// sameAction shows only events that share an attribute with the selected one, or shows all again.
func (v *View) sameAction(id, what string, criterion *string, e *eventlog.Event, text func(*eventlog.Event) string) ui.Action {
	a := ui.Action{ID: id, Hidden: true, Name: "this " + what,
		Help: "Show only events with the " + what + " of the selected event, or show all again"}
	value := ""
	switch {
	case *criterion != "":
		a.Name = "every " + what
	case e == nil:
		a.Disabled = "no event is selected"
	case text(e) == "":
		a.Disabled = "the selected event names no " + what
	default:
		value, a.Object = text(e), text(e)
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
	a := ui.Action{ID: "events.counters", Keys: []string{"C"}, FormerKeys: []string{"c"}, Name: "counters at event",
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

// instancesOf returns the perfmon instances of the node with a name, or of the nodes below it.
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

// hit handles the mouse; each zone does the same as a key.
func (v *View) hit(msg ui.HitMsg) ui.Cmd {
	if v.Hit(msg) {
		return nil
	}
	switch msg.ID {
	case v.Table.ID:
		if msg.Double {
			return v.openDetail()
		}
	case "events.severity":
		v.toggleSeverity(eventlog.Severity(min(max(msg.Index, 0), severityCount-1)))
	case "events.adapter":
		v.criteria.adapter = ""
		v.refresh(true)
	case "events.source":
		v.criteria.source = ""
		v.refresh(true)
	}
	return nil
}
