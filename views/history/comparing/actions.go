package comparing

import (
	"fmt"

	"cxdeck/perf/compare"
	"cxdeck/ui"
	"cxdeck/views/comparison"
	"cxdeck/views/deck"
)

// screen is the screen whose actions these are.
const screen = "history"

// Help explains a comparison.
const Help = "What differs between two periods of time: the sentence at the top names the counter that changed most and says how many changed by more than their noise. Tab goes through counters, registry, host and events. The chart has the curves of the selected counter, the first " +
	"period dashed. Enter opens the counter at that time, a adds it to the chart on Counters. Before and after a change, the noise " +
	"is the largest difference between the means of any two periods of the hour before; [ and ] choose how long the periods are."

// Actions returns the possible actions. back returns to the sessions.
func (p *Page) Actions(back func() ui.Cmd) []ui.Action {
	if p.Working() {
		return []ui.Action{{ID: screen + ".back", Keys: []string{"esc"}, Name: "cancel", Help: "Cancel the comparison", Run: back}}
	}
	list := deck.ListActions(screen, p.list(), nil)
	for i := range list {
		move := list[i].Run
		list[i].Run = func() ui.Cmd { move(); return p.readCurves() }
	}
	list = append(list, p.openAction(), p.addAction(),
		ui.Action{ID: screen + ".focus", Keys: []string{"tab"}, Name: "next section", Help: "Go to the next section: counters, registry, host, events",
			Run: func() ui.Cmd { return p.selectSection(1) }},
		ui.Action{ID: screen + ".focus-back", Keys: []string{"shift+tab"}, Name: "previous section", Hidden: true, Help: "Go to the previous section",
			Run: func() ui.Cmd { return p.selectSection(int(sectionCount) - 1) }})
	list = append(list, p.lengthActions()...)
	show := ui.Action{ID: screen + ".show", Keys: []string{"v"}, Name: "changed only", Help: "Show all counters that differ, or only the ones that changed by more than their noise",
		Run: func() ui.Cmd { p.changedOnly = !p.changedOnly; p.arrange(); return p.readCurves() }}
	if p.changedOnly {
		show.Name = "show all"
	}
	if p.section != counterSection || p.found == nil {
		show.Disabled = "only the Counters section has noise: press Tab to go to it"
	}
	return append(list, show,
		ui.Action{ID: screen + ".filter", Keys: []string{"/"}, Name: "filter", Help: "Show only the counters whose name, instance or set contains a text",
			Run: func() ui.Cmd { p.section = counterSection; p.filter.Open(); return nil }},
		p.deck.BytesAction(screen, nil),
		ui.Action{ID: screen + ".refresh", Keys: []string{"f5"}, Name: "compare again", Hidden: true, Help: "Repeat the comparison with the newest samples",
			Run: func() ui.Cmd { return p.begin(p.request) }},
		ui.Action{ID: screen + ".back", Keys: []string{"esc"}, Name: "back", Help: "Clear the filter; without a filter, go back to the sessions", Run: func() ui.Cmd { return p.leave(back) }})
}

func (p *Page) leave(back func() ui.Cmd) ui.Cmd {
	if p.filter.Active() {
		p.filter.Set("")
		p.arrange()
		return p.readCurves()
	}
	return back()
}

// selectSection selects another section, by sections forward.
func (p *Page) selectSection(by int) ui.Cmd {
	p.section = (p.section + section(by)) % sectionCount
	return nil
}

// openAction opens the selected counter or event on Counters, or the selected key on Registry.
func (p *Page) openAction() ui.Action {
	a := ui.Action{ID: screen + ".open", Keys: []string{"enter"}, Name: "open", Help: "Open the counter on Counters at that time, or the key on Registry"}
	if p.found == nil || p.list().Cursor() < 0 || p.list().Length() == 0 {
		a.Disabled = "nothing is selected"
		return a
	}
	at := p.list().Cursor()
	second := p.found.Second
	switch p.section {
	case counterSection:
		d := p.selected()
		a.Object = d.Name()
		a.Run = func() ui.Cmd {
			return p.open(second.Session, second.From, deck.Focus{Paths: []string{d.Series.Path()}, Title: d.Name(), At: second.From, Range: second.Range})
		}
	case keySection:
		k := p.found.Host.Keys[at]
		a.Object = k.Key
		a.Run = func() ui.Cmd { return ui.Go("registry", deck.KeyFocus{Connection: k.Connection, Key: k.Key}) }
	case eventSection:
		e := p.events[at]
		a.Object = e.Message
		a.Run = func() ui.Cmd {
			subject := second
			if !e.second {
				subject = p.found.First
			}
			return p.open(subject.Session, e.First, deck.Focus{At: e.First})
		}
	default:
		a.Disabled = "there is no detail page for this row"
	}
	return a
}

// addAction adds the counter under the cursor to the chart of Counters.
func (p *Page) addAction() ui.Action {
	a := ui.Action{ID: screen + ".add", Keys: []string{"a"}, Name: "add to chart", Help: "Add the selected counter to the chart on Counters"}
	d := p.selected()
	if p.section != counterSection || d == nil {
		a.Disabled = "no counter is selected"
		return a
	}
	a.Object = d.Name()
	a.Run = func() ui.Cmd {
		add := deck.AddCounter{Path: d.Series.Path()}
		return ui.Batch(func() ui.Msg { return add }, ui.Toast(ui.Note, d.Name()+" was added to the chart on Counters."))
	}
	return a
}

// lengthActions change the length of the periods around a change.
func (p *Page) lengthActions() []ui.Action {
	length := func(id, key, name, help, end string, direction int) ui.Action {
		a := ui.Action{ID: screen + "." + id, Keys: []string{key}, Name: name, Help: help, Hidden: p.request.Kind != Around}
		next := comparison.NextLength(p.request.Length, direction)
		switch {
		case p.request.Kind != Around:
			a.Disabled = "only the periods before and after a change have a length to choose"
		case next == p.request.Length:
			a.Disabled = "this is the " + end + " length"
		}
		a.Run = func() ui.Cmd {
			request := p.request
			request.Length = next
			return p.begin(request)
		}
		return a
	}
	return []ui.Action{
		length("shorter", "[", "shorter", "Compare shorter periods before and after the change", "shortest", -1),
		length("longer", "]", "longer", "Compare longer periods before and after the change", "longest", 1),
	}
}

// Hit handles the mouse.
func (p *Page) Hit(msg ui.HitMsg) ui.Cmd {
	list := p.list()
	table := p.tables[p.section].ID
	switch step := msg.Button.WheelRows(); {
	case step != 0:
		list.Scroll(step)
	case msg.ID == table+".scroll" && (msg.Button == ui.Press || msg.Button == ui.Drag):
		p.tables[p.section].ScrollHit(msg.Hit)
	case msg.Button != ui.Press:
	case msg.ID == table:
		list.Select(msg.Index)
		if a := p.openAction(); msg.Double && a.Disabled == "" {
			return a.Run()
		}
	case msg.ID == sectionZone:
		p.section = section(min(max(msg.Index, 0), int(sectionCount)-1))
	}
	return p.readCurves()
}

// log adds the comparison to the action log, with the command that prints the same.
func (p *Page) log() ui.Cmd {
	commands := p.commands()
	if len(commands) == 0 {
		return nil
	}
	return ui.Log(p.deck.WallTime(), workName(p.request), commands)
}

// commands returns the command line that prints the same comparison; none if there is no such command.
func (p *Page) commands() []string {
	c := p.found
	if c == nil || c.Second.Session == 0 {
		return nil
	}
	switch p.request.Kind {
	case WhatChanged:
		return []string{fmt.Sprintf("cxdeck sessions changed %d --from %q --to %q", c.Second.Session, comparison.Stamp(c.Second.From), comparison.Stamp(c.Second.To))}
	case Around:
		return []string{fmt.Sprintf("cxdeck sessions changed %d --change %d", c.Second.Session, p.request.Change)}
	default:
		if c.First.Session == 0 || p.request.Ranges != [2]compare.Range{} {
			return nil // the command line compares whole sessions
		}
		return []string{fmt.Sprintf("cxdeck sessions compare %d %d", c.First.Session, c.Second.Session)}
	}
}
