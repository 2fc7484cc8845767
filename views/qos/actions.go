package qos

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/lossless"
	"cxdeck/driver/wording"
	"cxdeck/ui"
	"cxdeck/views/change"
	"cxdeck/views/deck"
	"cxdeck/views/qos/setup"
)

// Actions returns the possible actions of the screen.
func (v *View) Actions() []ui.Action {
	if m := v.deck.Monitor(); m != nil && m.Lab() != v.state {
		v.refresh() // a key typed right after a change applies to its result
	}
	if v.state == nil && (v.sheets.Shown() || v.deck.HasSettings()) { // settings of this machine, which the keys scroll
		actions := append(deck.ListActions("qos", &v.sheets.Scroll, nil), v.deck.ReplayActions("qos")...)
		return append(actions, v.deck.SettingsAction("qos", deck.SettingsFocus{Filter: "pfc|pause"}), v.deck.CloseReplayAction("qos", "X"))
	}
	var actions []ui.Action
	if v.inPage {
		actions = append(deck.ListActions("qos", &v.page.Scroll, nil), v.openAction(), ui.Action{ID: "qos.back", Keys: []string{"esc"},
			Name: "back", Help: "Go back from the page to the priorities", Run: func() ui.Cmd { v.inPage = false; return nil }})
	} else {
		actions = append(deck.ListActions("qos", &v.table.List, v.selectionChanged), v.countersAction(), v.filter.AllAction("qos", v.arrange))
	}
	actions = append(actions, v.portAction("qos.port-before", "previous port", "Show the previous port", -1, "left", "h"),
		v.portAction("qos.port-after", "next port", "Show the next port", 1, "right", "l"), v.reviewAction(), v.intentAction(),
		v.wizardAction("qos.lossless", "n", "lossless", "Make RDMA of the shown port lossless, step by step",
			func(connection string) ui.Cmd { return v.wizards.Open(setup.LosslessID, connection) }),
		v.wizardAction("qos.wizards", "Z", "wizards", "List the wizards: lossless, trust, shares, pause, limits, congestion control, RoCE, dropless",
			v.wizards.List), v.whyAction())
	actions = append(actions, v.deck.ReplayActions("qos")...)
	return append(actions, change.UndoAction(v.deck, "qos"),
		ui.Action{ID: "qos.next", Keys: []string{"tab", "shift+tab"}, Name: "next part",
			Help: "Move between the priorities and the page with the mismatches", Run: func() ui.Cmd { v.inPage = !v.inPage; return nil }},
		ui.Action{ID: "qos.filter", Keys: []string{"/"}, Name: "filter",
			Help: "Show only ports that match a text; | divides alternatives", Run: func() ui.Cmd { v.inPage = false; v.filter.Open(); return nil }},
		v.deck.CloseReplayAction("qos", "X"),
		v.deck.BytesAction("qos", func() { v.page.Stale = true }),
	)
}

// OpenForm opens a form for the shown port; known is false for the form of another screen.
func (v *View) OpenForm(name string) (cmd ui.Cmd, known bool) {
	v.refresh()
	p := v.port()
	if _, known := setup.Makers()[name]; !known || p == nil {
		return nil, false
	}
	return v.wizards.Open(name, p.Description.Connection), true
}

// wizardAction opens a wizard for the shown port.
func (v *View) wizardAction(id, key, name, help string, open func(connection string) ui.Cmd) ui.Action {
	a := ui.Action{ID: id, Keys: []string{key}, Name: name, Help: help, Changes: true, AsksFirst: true, Disabled: v.deck.CannotChange()}
	p := v.port()
	if a.Disabled == "" && p == nil {
		a.Disabled = "there is no port"
	}
	if a.Disabled == "" {
		connection := p.Description.Connection
		a.Object, a.Run = connection, func() ui.Cmd { return open(connection) }
	}
	return a
}

// portAction shows another port.
func (v *View) portAction(id, name, help string, step int, keys ...string) ui.Action {
	a := ui.Action{ID: id, Keys: keys, Name: name, Help: help, Hidden: step < 0}
	if len(v.ports) < 2 {
		a.Disabled = "there is no other port"
		return a
	}
	a.Run = func() ui.Cmd {
		v.at = (v.at + step + len(v.ports)) % len(v.ports)
		v.page.Scroll.Select(0)
		v.selectionChanged()
		return nil
	}
	return a
}

// countersAction opens the counters of the selected priority.
func (v *View) countersAction() ui.Action {
	a := ui.Action{ID: "qos.counters", Keys: []string{"enter", "C"}, Name: "counters", Help: "Show the counters of the selected priority"}
	p, priority := v.port(), v.selected()
	if p == nil || priority < 0 {
		a.Disabled = "select a priority"
		return a
	}
	instance := instanceOf(p, priority)
	a.Object = instance
	if len(v.find().at[priority]) == 0 {
		a.Disabled = "the source has no counters for " + instance
		return a
	}
	a.Run = func() ui.Cmd { return ui.Go("counters", deck.Focus{Instances: []string{instance}, Title: instance}) }
	return a
}

// whyAction asks the Diagnose screen about the shown port, and its selected priority.
func (v *View) whyAction() ui.Action {
	p := v.port()
	if p == nil {
		return v.deck.WhyAction("qos", deck.Why{})
	}
	about := deck.Why{Object: p.Description.Connection}
	if priority := v.selected(); priority >= 0 && !v.inPage {
		about.Row = instanceOf(p, priority)
	}
	return v.deck.WhyAction("qos", about)
}

// openAction opens what the page's line under the cursor names.
func (v *View) openAction() ui.Action {
	a := ui.Action{ID: "qos.open", Keys: []string{"enter"}, Name: "open",
		Help: "Review the plan that fixes the mismatch under the cursor, or open the counter there"}
	v.page.Rewrite(v.writePage)
	if line := v.page.Current(); line != nil && line.Open != nil {
		a.Object, a.Run = line.Opens, line.Open
		return a
	}
	a.Disabled = "this line names no mismatch and no counter"
	return a
}

// reviewAction reviews the plan that fixes all mismatches of the shown port.
func (v *View) reviewAction() ui.Action {
	a := ui.Action{ID: "qos.review", Keys: []string{"r"}, Name: "fix", Changes: true, AsksFirst: true,
		Help: "Review and apply the plan that makes adapter and switch port agree"}
	if a.Disabled = v.deck.CannotChange(); a.Disabled != "" {
		return a
	}
	list := slices.Concat(v.path().Needs, v.path().Mismatches)
	if len(list) == 0 {
		a.Disabled = "adapter and switch port agree"
		return a
	}
	if !slices.ContainsFunc(list, func(m lossless.Mismatch) bool { return len(m.Fix) > 0 }) {
		a.Disabled = "no plan can fix the mismatches of this port"
		return a
	}
	port, p := v.ports[v.at], v.port()
	title := "Make " + p.Description.Connection + " and " + p.Description.Switch.Name + " agree"
	a.Object = p.Description.Connection
	a.Run = func() ui.Cmd {
		return change.DoBuilt(v.deck, "Apply", title, wording.UpperFirst(v.problems())+".", func(h *driver.Host) (driver.Plan, error) { return h.AgreementPlan(port) })
	}
	return a
}

// problems counts what is wrong at the shown port: "1 mismatch, 2 RDMA needs are not met"; it is empty when nothing is.
func (v *View) problems() string {
	var parts []string
	if n := len(v.path().Mismatches); n > 0 {
		parts = append(parts, wording.Count(n, "mismatch"))
	}
	switch n := len(v.path().Needs); n {
	case 0:
	case 1:
		parts = append(parts, "1 need of RDMA is not met")
	default:
		parts = append(parts, fmt.Sprintf("%d needs of RDMA are not met", n))
	}
	return strings.Join(parts, ", ")
}

// fix shows the plan that fixes a mismatch, and asks whether to apply it.
func (v *View) fix(m *lossless.Mismatch) ui.Cmd {
	plan := driver.Plan{Title: m.Title}
	for _, o := range m.Fix {
		plan.Operations = append(plan.Operations, o)
	}
	return change.DoBuilt(v.deck, "Apply", m.Title, wording.UpperFirst(m.Text)+".", func(*driver.Host) (driver.Plan, error) { return plan, nil })
}

// hit takes the mouse.
func (v *View) hit(msg ui.HitMsg) ui.Cmd {
	step := msg.Button.WheelRows()
	switch {
	case step != 0 && msg.ID == zonePage:
		v.page.Scroll.Scroll(step)
	case step != 0:
		v.table.List.Scroll(step)
		v.selectionChanged()
	case msg.Button != ui.Press:
	case msg.ID == zonePage:
		v.inPage = true
		v.page.Scroll.Select(msg.Index)
	case msg.ID == v.table.ID:
		v.inPage = false
		v.table.List.Select(msg.Index)
		v.selectionChanged()
	case msg.ID == zoneFilter:
		v.inPage = false
		v.filter.Open()
	}
	return nil
}
