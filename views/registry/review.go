package registry

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/impact"
	"cxdeck/driver/registry"
	"cxdeck/driver/wording"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/change"
	"cxdeck/views/deck"
	"cxdeck/views/registry/keyset"
)

// reviewMsg contains the review of a plan that was requested.
type reviewMsg struct {
	plan   driver.Plan
	review driver.Review
	// notes are further remarks on the plan.
	notes []string
	// tuning is the scenario of the plan; nil for another plan.
	tuning *scenario
	err    error
}

// reviewAction reviews the draft.
func (v *View) reviewAction() ui.Action {
	a := ui.Action{ID: "registry.review", Keys: []string{"r"}, FormerKeys: []string{"p"}, Name: "review and apply",
		Help: "Review the draft: its changes, warnings, the restarts it needs, a forecast; then apply it"}
	if a.Disabled = v.deck.CannotChange(); a.Disabled != "" {
		return a
	}
	if v.snapshot == nil || v.elsewhere || v.draft.Len() == 0 {
		a.Disabled = "the draft is empty; Enter on a key edits it"
		return a
	}
	a.Object = count(v.draft.Len(), "change")
	a.Run = func() ui.Cmd { return v.review(v.plan()) }
	return a
}

// plan returns the draft as a plan.
func (v *View) plan() driver.Plan {
	return driver.Plan{Title: v.planTitle(), Operations: v.draft.Operations(v.snapshot)}
}

// planTitle returns the title of the draft: "Set *JumboPacket of Ethernet 7 to 9014", "3 changes on Ethernet 7 and
// Ethernet 8".
func (v *View) planTitle() string {
	if operations := v.draft.Operations(v.snapshot); len(operations) == 1 {
		return wording.UpperFirst(operations[0].Describe())
	}
	var owners []string
	for i := range v.draft.Edits {
		if at := v.snapshot.Find(v.draft.Edits[i].ID); at >= 0 {
			owners = append(owners, v.snapshot.Entries[at].Owner)
		}
	}
	if len(v.draft.Others) > 0 {
		owners = append(owners, "other places of the registry")
	}
	return impact.ChangesTitle(v.draft.Len(), owners)
}

// review requests the review of a plan from the host, and opens its dialog.
func (v *View) review(plan driver.Plan) ui.Cmd {
	m := v.deck.Monitor()
	return ui.Background("Review: "+plan.Title, func(ctx context.Context) ui.Msg {
		msg := reviewMsg{plan: plan}
		msg.err = m.ReadHost(ctx, func(h *driver.Host) error {
			msg.review = h.Review(plan)
			return nil
		})
		return msg
	})
}

// The buttons of the review.
const (
	buttonApply = iota
	buttonGuarded
	buttonBack
)

var reviewButtons = [...]widget.Button{
	buttonApply: {Label: "Apply"}, buttonBack: {Label: "Back"},
}

// review is the dialog that shows the effects of a plan, and applies it.
type review struct {
	view   *View
	plan   driver.Plan // as requested, without restarts
	review driver.Review
	notes  []string
	tuning *scenario
	// later leaves out the restarts: values wait for the next restart.
	later    bool
	forecast change.Forecast

	page    browse.Page
	buttons widget.Buttons
	offers  []int // the constants of the buttons, by index
}

const zoneReview = "registry.review"

func newReview(v *View, msg reviewMsg) *review {
	d := &review{view: v, plan: msg.plan, review: msg.review, notes: msg.notes, tuning: msg.tuning}
	d.offers = []int{buttonApply, buttonGuarded, buttonBack}
	if msg.review.Management.Touched {
		d.offers = []int{buttonGuarded, buttonApply, buttonBack}
	}
	within := change.Period(v.deck, &msg.review)
	if within == 0 {
		d.offers = []int{buttonApply, buttonBack}
	}
	d.buttons = widget.Buttons{ID: "registry.review.button"}
	for _, button := range d.offers {
		b := reviewButtons[button]
		if button == buttonGuarded {
			b.Label = change.GuardedLabel(within)
		}
		d.buttons.Items = append(d.buttons.Items, b)
	}
	d.focusDefault()
	return d
}

// focusDefault focuses the first button; for a plan that is refused or interrupts others, the last one, Back.
func (d *review) focusDefault() {
	d.buttons.SetFocus(0)
	if d.review.Refusal != nil || len(d.question()) > 0 {
		d.buttons.SetFocus(len(d.offers) - 1)
	}
}

// question lists the impact of the plan on the host's users; it is empty for a plan without impact, such as one whose
// restarts are all postponed.
func (d *review) question() []string {
	now := func(r driver.Restart) bool { return !r.Needed }
	if d.later && !slices.ContainsFunc(d.review.Restarts, now) {
		return nil
	}
	list := change.Question(d.view.deck, &d.review.Impact, "Apply it anyway?")
	if guard := change.GuardNote(d.view.deck, &d.review); guard != "" && list != nil {
		list = slices.Insert(list, len(list)-1, guard)
	}
	return list
}

// questionLines returns the question, wrapped.
func (d *review) questionLines(width int) (lines []string) {
	for _, sentence := range d.question() {
		lines = append(lines, widget.Wrap(sentence, width-2)...)
	}
	return lines
}

// applied returns the plan that the buttons apply.
func (d *review) applied() driver.Plan {
	if d.later {
		return d.plan
	}
	return d.review.Plan
}

func (d *review) Title() string { return "Review: " + d.plan.Title }

// reviewWidth is the maximum width of the review, in cells.
const reviewWidth = 112

func (d *review) Size(width, height int) (int, int) {
	width = min(width, reviewWidth)
	d.page.Fit(width, cmp.Or(d.page.Glyphs, themes.UnicodeGlyphs()))
	d.page.Rewrite(d.write)
	return width, min(height, len(d.page.Lines)+len(d.questionLines(width))+2)
}

func (d *review) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case ui.KeyMsg:
		return d.key(msg.Name)
	case ui.HitMsg:
		if msg.ID == d.buttons.ID && msg.Button == ui.Press {
			return d.press(d.offers[msg.Index])
		}
		if step := msg.Button.WheelRows(); step != 0 {
			d.page.Scroll.Scroll(step)
		}
	case change.ForecastMsg, change.TickMsg:
		d.page.Stale = true
		return false, d.forecast.Update(msg)
	}
	return false, nil
}

func (d *review) key(name string) (bool, ui.Cmd) {
	switch name {
	case "enter":
		return d.press(d.offers[d.buttons.Focus()])
	case "q":
		return d.press(buttonBack)
	default:
		if cmd, known := ui.Perform(d.Actions(), name, false); known {
			return false, cmd
		}
		if !d.page.Scroll.ScrollKey(name) {
			d.buttons.Key(name)
		}
	}
	return false, nil
}

// Actions implements ui.Keyed.
func (d *review) Actions() []ui.Action {
	forecast := ui.Action{ID: "review.forecast", Keys: []string{"F"}, Name: "forecast", Help: "Forecast the effect of the plan on a copy of the host",
		Run: func() ui.Cmd {
			d.page.Stale = true
			return d.forecast.Toggle(d.view.deck.Monitor(), d.applied())
		}}
	if d.forecast.Running() {
		forecast.Name = "stop the forecast"
	}
	list := []ui.Action{forecast}
	if len(d.review.Restarts) > 0 {
		restart := ui.Action{ID: "review.restart", Keys: []string{"R"}, Name: "restart later", Help: "Restart with the plan, or postpone the restart",
			Run: func() ui.Cmd {
				d.later, d.page.Stale = !d.later, true
				d.focusDefault()
				d.forecast.Cancel()
				return nil
			}}
		if d.later {
			restart.Name = "restart now"
		}
		list = append(list, restart)
	}
	return append(list, ui.Action{ID: "review.export", Keys: []string{"x"}, Name: "export", Help: "Write the plan to a file",
		Run: func() ui.Cmd { return change.ExportPlan(d.view.deck, d.applied()) }})
}

// Escape implements ui.Escaper: it stops a running forecast.
func (d *review) Escape() bool {
	d.forecast.Cancel()
	return false
}

// press runs the action of a button.
func (d *review) press(button int) (bool, ui.Cmd) {
	if button == buttonBack {
		d.forecast.Cancel()
		return true, nil
	}
	v := d.view
	switch {
	case d.review.Refusal != nil:
		return false, ui.Toast(ui.Caution, "This plan can't be applied: "+d.review.Refusal.Error())
	case v.deck.ReadOnly:
		return false, ui.Toast(ui.Caution, "Read-only mode: plans can't be applied. Start cxdeck without --read-only to apply them.")
	}
	d.forecast.Cancel()
	within := time.Duration(0)
	if button == buttonGuarded {
		within = change.Period(v.deck, &d.review)
	}
	return true, v.apply(&d.review, d.applied(), within, d.tuning)
}

func (d *review) Draw(area widget.Area) {
	body, foot := area.SplitBottom(1)
	asked := d.questionLines(area.Width)
	body, asks := body.SplitBottom(min(1+len(asked), max(body.Height-3, 1)))
	for y, line := range asked[:min(len(asked), asks.Height)] {
		asks.PrintCut(2, y, asks.Width-2, line, warn)
		if y == 0 {
			asks.Set(0, 0, area.Glyphs().Warning, warn)
		}
	}
	p := &d.page
	p.Fit(area.Width, area.Glyphs())
	p.Rewrite(d.write)
	p.Scroll.SetHeight(body.Height)
	from, to := p.Scroll.Visible()
	for y, l := range p.Lines[from:to] {
		l.Draw(body, y, body.Width)
	}
	if to < len(p.Lines) {
		body.Set(body.Width-1, body.Height-1, area.Glyphs().ArrowDown, accent)
	}
	area.Zone(0, 0, area.Width, body.Height, zoneReview, 0)
	d.buttons.Draw(foot, true)
}

func (d *review) Hints() []ui.Hint {
	hints := []ui.Hint{{Key: "enter", Name: "press the button"}, {Key: "tab", Name: "next button"}}
	return append(append(hints, ui.Hints(d.Actions())...), ui.Hint{Key: "esc", Name: "back"})
}

// write writes the page.
func (d *review) write() {
	p := &d.page
	if err := d.review.Refusal; err != nil {
		p.Item(p.Glyphs.Failed, wording.UpperFirst(err.Error())+".", bad)
	}
	d.writeChanges(p)
	for _, note := range d.notes {
		p.Item(p.Glyphs.Bullet, note, muted)
	}
	for _, step := range d.review.Steps {
		p.Text(wording.UpperFirst(step), text)
	}
	d.writeRestarts(p)
	d.writeCautions(p)
	writeForecast(&d.forecast, p, d.view)
	d.writeFooter(p)
	p.Scroll.SetLength(len(p.Lines))
}

// writeChanges writes the diff by adapter and key.
func (d *review) writeChanges(p *browse.Page) {
	wide := 0
	for i := range d.review.Changes {
		wide = max(wide, widget.Width(d.review.Changes[i].Row.Name))
	}
	target := ""
	for i := range d.review.Changes {
		c := &d.review.Changes[i]
		if c.Target != target {
			target = c.Target
			p.Text(target, title)
		}
		to := keyset.FormatWithMeaning(c.Row, c.To)
		if !c.To.Exists() {
			to = "deleted"
		}
		l := browse.Line{Text: fmt.Sprintf("  %s  %10s  %c  %s", widget.Pad(c.Row.Name, wide), keyset.FormatWithMeaning(c.Row, c.From), p.Glyphs.ArrowRight, to)}
		switch {
		case c.Verdict.Grade == registry.Invalid:
			l.Value, l.ValueStyle = string(p.Glyphs.Failed)+" acts as "+keyset.FormatWithMeaning(c.Row, c.Next), bad
		case d.later && c.Applies != registry.AtOnce || !c.InEffect:
			l.Value, l.ValueStyle = string(p.Glyphs.Pending)+" waits: "+keyset.MomentWords[c.Applies], waiting
		case c.Next.String() != c.To.String():
			l.Value, l.ValueStyle = "acts as "+keyset.FormatWithMeaning(c.Row, c.Next), muted
		}
		p.Add(l)
	}
}

// writeRestarts writes the restarts of the plan, and the traffic that they interrupt.
func (d *review) writeRestarts(p *browse.Page) {
	for i := range d.review.Restarts {
		r := &d.review.Restarts[i]
		if d.later && r.Needed {
			p.Add(browse.Line{Text: "  " + r.Operation.Describe() + ": later", Style: muted})
			continue
		}
		what := fmt.Sprintf("down about %s", seconds(r.Down))
		if !r.Back {
			what = "stays down"
		}
		if r.Rate > 0 {
			tuples := 0
			for _, f := range r.Flows {
				tuples += f.Tuples
			}
			what += fmt.Sprintf("; interrupts %s in %s", d.view.deck.BitRate(r.Rate), count(tuples, "flow"))
		} else {
			what += "; it carries no traffic now"
		}
		if r.VirtualFunctions > 0 {
			what += "; " + count(r.VirtualFunctions, "virtual function") + " are recreated"
		}
		if r.Management {
			what += "; your own session uses it"
		}
		style := text
		if r.Management || !r.Back {
			style = warn
		}
		p.Item(p.Glyphs.Restarting, wording.UpperFirst(r.Operation.Describe())+": "+what, style)
		d.writeWaitingValues(p, r.Connections)
	}
}

// writeWaitingValues writes the pending values that also take effect with the restart of connections.
func (d *review) writeWaitingValues(p *browse.Page, connections []string) {
	s := d.view.snapshot
	for i := range s.Entries {
		e := &s.Entries[i]
		if _, drafted := d.view.draft.EditOf(e.ID); drafted || !e.Pending || !s.Reads(e, connections) {
			continue
		}
		p.Item(p.Glyphs.Pending, fmt.Sprintf("%s %s is pending and takes effect then, too", e.Row.Name, keyset.FormatWithMeaning(e.Row, e.Stored)), waiting)
	}
}

// writeCautions writes the warnings about the plan, the most severe first.
func (d *review) writeCautions(p *browse.Page) {
	for i := range d.review.Warnings {
		c := &d.review.Warnings[i]
		glyph, role := deck.SeverityLook(p.Glyphs, c.Severity)
		said := wording.UpperFirst(c.Text)
		if about := change.CautionSubject(c); about != "" {
			said = about + ": " + c.Text
		}
		p.Item(glyph, said, themes.Style{Role: role})
	}
}

// writeFooter writes how the plan can be exported, and whether it can be undone.
func (d *review) writeFooter(p *browse.Page) {
	back := "u undoes it afterwards"
	if !d.review.Reversible {
		back = "it can't be undone"
	}
	p.Add(browse.Line{Text: "x exports a script, .reg file, runbook or ticket", Style: muted, Value: back, ValueStyle: muted})
}

// seconds formats a length of time, rounded to half a second.
func seconds(d time.Duration) string {
	return fmt.Sprintf("%g s", d.Round(500*time.Millisecond).Seconds())
}
