package qos

import (
	"errors"
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/survey"
	"cxdeck/driver/wording"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
)

// failures returns the failed checks of the stored intent: own of the shown port, host of the whole host.
func (v *View) failures() (own, host []survey.Failure) {
	if v.state == nil || v.state.Drift == nil || v.port() == nil {
		return nil, nil
	}
	return v.state.Drift.At(v.ports[v.at])
}

// drawDrift draws in a line which checks of the stored intent fail.
func (v *View) drawDrift(area widget.Area) {
	d := v.state.Drift
	own, host := v.failures()
	glyph, style := area.Glyphs().Warning, warning
	if len(own)+len(host) == 0 {
		glyph, style = area.Glyphs().Up, good
	}
	x := area.Print(0, 0, string(glyph)+" Intent "+d.File, style)
	area.PrintCut(x, 0, area.Width-x, ": "+driftText(d, own, host), themes.Style{})
}

// driftText lists the failed checks, the port's first.
func driftText(d *survey.Drift, own, host []survey.Failure) string {
	if len(own)+len(host) == 0 {
		if others := len(d.Failed); others > 0 {
			return fmt.Sprintf("no check of this port fails, %d of other ports", others)
		}
		return "no check fails"
	}
	ofPort, ofHost := numbers(own), numbers(host)
	text := fmt.Sprintf("%d checks fail (I)", len(ofPort)+len(ofHost))
	if len(ofPort)+len(ofHost) == 1 {
		text = "1 check fails (I)"
	}
	if len(ofPort) > 0 {
		text += "; port: " + strings.Join(ofPort, ", ")
	}
	if len(ofHost) > 0 {
		text += "; whole host: " + strings.Join(ofHost, ", ")
	}
	return text
}

// numbers lists checks, each once: "host 22", "path 1".
func numbers(list []survey.Failure) (names []string) {
	for i := range list {
		name := fmt.Sprintf("%s %d", list[i].Group, list[i].Number)
		if i == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return names
}

// sentence says what a check wanted and found: "host 22: PFC is on for the priority of RDMA: wanted PFC on 3, found none".
func sentence(f *survey.Failure) string {
	object := ""
	if f.Object != "" {
		object = " (" + f.Object + ")"
	}
	return fmt.Sprintf("%s %d%s: %s: wanted %s, found %s", f.Group, f.Number, object, f.Title, f.Wanted, f.Found)
}

// writeDrift writes the failed checks with the wanted values and the values found.
func (v *View) writeDrift() {
	own, host := v.failures()
	if len(own)+len(host) == 0 {
		return
	}
	p := &v.page
	p.Blank()
	v.heading("Intent " + v.state.Drift.File)
	for _, list := range [][]survey.Failure{own, host} {
		for i := range list {
			from := len(p.Lines)
			p.Item(p.Glyphs.Warning, wording.UpperFirst(sentence(&list[i]))+".", warning)
			if v.deck.CannotChange() != "" {
				continue
			}
			for line := from; line < len(p.Lines); line++ {
				p.Lines[line].Open, p.Lines[line].Opens = v.showIntent, "plan of the intent"
			}
		}
	}
}

// intentAction shows the failed checks of the stored intent with the plan.
func (v *View) intentAction() ui.Action {
	a := ui.Action{ID: "qos.intent", Keys: []string{"I"}, Name: "intent", Changes: true, AsksFirst: true,
		Help: "Show which checks of the stored intent fail, and review the plan that brings the host to the intent"}
	if a.Disabled = v.deck.CannotChange(); a.Disabled != "" {
		return a
	}
	switch own, host := v.failures(); {
	case v.state == nil || v.state.Drift == nil:
		a.Disabled = "no intent is stored; : intent keep FILE stores one"
		return a
	case len(v.state.Drift.Failed) == 0:
		a.Disabled = "no check of the stored intent fails"
		return a
	case len(own)+len(host) == 0:
		a.Disabled = "no check of this port fails; other ports have failed checks"
		return a
	}
	a.Object, a.Run = v.state.Drift.File, v.showIntent
	return a
}

// errNothingToPlan is the error for failed checks without a plan.
var errNothingToPlan = errors.New("no plan can fix what fails: the page lists it")

func (v *View) showIntent() ui.Cmd {
	d := v.state.Drift
	own, host := v.failures()
	var reasons []string
	for _, list := range [][]survey.Failure{own, host} {
		for i := range list {
			reasons = append(reasons, wording.UpperFirst(sentence(&list[i])))
		}
	}
	note := "The plan is for all ports of the intent " + d.File + "."
	return change.DoFor(v.deck, "Apply", "Bring the host to the intent "+d.File, reasons, note, func(h *driver.Host) (driver.Plan, error) {
		kept := h.Intent()
		if kept == nil {
			return driver.Plan{}, errors.New("no intent is stored")
		}
		plan, err := survey.Plan(h, kept.Declared())
		if err == nil && len(plan.Operations) == 0 {
			err = errNothingToPlan
		}
		return plan, err
	})
}
