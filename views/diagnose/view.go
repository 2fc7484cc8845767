package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/checkup"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/health/findings"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/perf/diagnosis"
	"cxdeck/perf/monitor"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// View is the Diagnose screen.
type View struct {
	browse.Browser
	deck    *deck.Deck
	monitor *monitor.Monitor
	report  *findings.Report
	now     time.Time
	// about is the row of another screen that was asked about, nil for none.
	about *deck.Why
	// places are the series of facts in a schema, for curves.
	places   *diagnosis.SeriesIndex
	placedIn *perf.Schema
	placedOf *perf.Inventory
	// cursorPlaced reports that the focused page has put its cursor on a fix.
	cursorPlaced bool
	// rows are the shown findings: what is wrong now, then what has ended.
	rows []*findings.Finding
}

// The columns of the table.
const (
	severityColumn = iota
	sinceColumn
	connectionColumn
	titleColumn
)

var columns = []widget.TableColumn{
	severityColumn: {Title: "Severity", Width: 13}, sinceColumn: {Title: "Since", Width: 8},
	connectionColumn: {Title: "Object", Width: 14, Rank: 1}, titleColumn: {Title: "What is wrong", Width: 36, Grow: 1},
}

// New returns the screen; its first ui.DataMsg fills it.
func New(d *deck.Deck) *View {
	v := &View{deck: d}
	v.Browser = browse.NewBrowser("diagnose", columns, v.arrange, v.moved)
	v.Table.SortColumn = -1
	return v
}

func (v *View) ID() string { return "diagnose" }

func (v *View) Title() string { return "Diagnose" }

func (v *View) Help() string {
	return "What is wrong now, the worst first, and below it what was wrong and has ended. About 190 rules look at counters, settings, " +
		"states and events every few seconds. The page explains the selected finding: its causes, the counters and settings " +
		"that show it, and the fixes: Enter on a fix reviews its plan, r reviews the first one. C shows the counters of the object. w on any row of any screen " +
		"asks why: it opens the findings about the object of that row, or what was checked when nothing is wrong. " +
		"On a recording, the rules that read counters and events run, at its position; on a log or this machine, only the rules that read counters."
}

func (v *View) Update(msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case ui.ShowMsg:
		if about, ok := msg.Arg.(deck.Why); ok {
			v.ask(about)
			return v.deck.LoadSessionsOnce()
		}
		if v.about = nil; msg.Arg != nil {
			if focus, ok := msg.Arg.(deck.Focus); ok {
				v.Filter.Set(focus.Title)
			}
		}
		v.refresh()
		return v.deck.LoadSessionsOnce()
	case ui.DataMsg:
		v.refresh()
	case ui.KeyMsg, ui.PasteMsg:
		v.Filter.Follow(&v.Table.List, msg, v.arrange, v.moved)
	case ui.HitMsg:
		if msg.ID != zonePage {
			v.Hit(msg)
		} else if step := msg.Button.WheelRows(); step != 0 {
			v.Page.Scroll.Scroll(step)
		} else if msg.Button == ui.Press {
			v.Page.Scroll.Select(msg.Index)
		}
	}
	return nil
}

// refresh takes over the newest report.
func (v *View) refresh() {
	m := v.deck.Monitor()
	if m == nil {
		return
	}
	v.monitor, v.report, v.now = m, m.Health(), m.Status().Now
	v.arrange()
}

// arrange finds the findings that the filter lets through, and keeps the selected one.
func (v *View) arrange() {
	selected := ""
	if f := v.finding(); f != nil && (v.InPage || v.Table.List.Cursor() > 0) { // the worst finding stays selected until the operator moves
		selected = f.Key()
	}
	v.rows = v.rows[:0]
	if v.report != nil {
		for _, f := range slices.Concat(v.report.Findings, v.report.Ended) {
			if v.about != nil && !f.At(v.about.Object) {
				continue
			}
			if !v.Filter.Active() || v.Filter.Match(f.Title, f.Subject.Name, f.Subject.Connection, f.Subject.Texts["adapter"], f.Rule.ID) {
				v.rows = append(v.rows, f)
			}
		}
	}
	v.Table.List.SetLength(len(v.rows))
	if selected == "" {
		v.Table.List.Select(0)
	} else if at := slices.IndexFunc(v.rows, func(f *findings.Finding) bool { return f.Key() == selected }); at >= 0 {
		v.Table.List.Select(at)
	}
	v.Page.Stale = true
}

func (v *View) moved() {
	v.Page.Stale, v.cursorPlaced = true, false
	v.Page.Scroll.Select(0)
}

// finding returns the selected finding, nil for none.
func (v *View) finding() *findings.Finding {
	if at := v.Table.List.Cursor(); at >= 0 && at < len(v.rows) {
		return v.rows[at]
	}
	return nil
}

// Actions returns the possible actions of the screen.
func (v *View) Actions() []ui.Action {
	actions := deck.ListActions("diagnose", &v.Table.List, v.moved)
	if v.InPage {
		actions = append(deck.ListActions("diagnose", &v.Page.Scroll, nil), v.openAction(), ui.Action{ID: "diagnose.back", Keys: []string{"esc"},
			Name: "back", Help: "Go back from the page to the findings", Run: func() ui.Cmd { v.InPage = false; return nil }})
	} else {
		open := ui.Action{ID: "diagnose.detail", Keys: []string{"enter"}, Name: "page", Help: "Go into the page: Enter on a fix reviews its plan",
			Run: func() ui.Cmd { v.InPage = true; return nil }}
		if v.finding() == nil {
			open.Disabled = "no finding is selected"
		}
		actions = append(actions, open)
		if v.about != nil && !v.Filter.Active() {
			actions = append(actions, v.forgetAction())
		} else {
			actions = append(actions, v.Filter.AllAction("diagnose", v.arrange))
		}
	}
	actions = append(actions, v.PartActions("findings")...)
	actions = append(actions, v.reviewAction(), v.countersAction(), v.whyAction())
	actions = append(actions, v.deck.ReplayActions("diagnose")...)
	return append(actions, change.UndoAction(v.deck, "diagnose"), v.deck.CloseReplayAction("diagnose", "X"))
}

// openAction opens the fix under the page's cursor.
func (v *View) openAction() ui.Action {
	a := ui.Action{ID: "diagnose.open", Keys: []string{"enter"}, Name: "open", Help: "Review the plan of the fix under the cursor"}
	v.syncPage()
	if line := v.Page.Current(); line != nil && line.Open != nil {
		a.Object, a.Run = line.Opens, line.Open
		return a
	}
	a.Disabled = "this line names no fix that the console can apply"
	return a
}

// reviewAction reviews the first fix that the console can apply.
func (v *View) reviewAction() ui.Action {
	a := ui.Action{ID: "diagnose.review", Keys: []string{"r"}, Name: "fix", Changes: true, AsksFirst: true,
		Help: "Review and apply the first fix of the selected finding"}
	f := v.finding()
	switch {
	case v.deck.CannotChange() != "":
		a.Disabled = v.deck.CannotChange()
	case f == nil:
		a.Disabled = "no finding is selected"
	case !f.Until.IsZero():
		a.Disabled = "the finding has ended"
	default:
		at := slices.IndexFunc(f.Fixes, func(fix findings.Fix) bool { return fix.Applies() })
		if at < 0 {
			a.Disabled = "the console can't apply a fix of this finding: its page says what to do"
			return a
		}
		a.Object, a.Run = f.Subject.Name, func() ui.Cmd { return v.fix(f, at) }
	}
	return a
}

// fix reviews a fix of a finding.
func (v *View) fix(f *findings.Finding, at int) ui.Cmd {
	fix := &f.Fixes[at]
	return change.Propose(v.deck, "Apply", fix.Title, wording.UpperFirst(f.Title)+".", func(h *driver.Host) (driver.Plan, error) {
		return checkup.Plan(h, f, fix)
	})
}

// sharing returns the number of other findings that a fix of a finding fixes, too.
func (v *View) sharing(f *findings.Finding, fix *findings.Fix) (n int) {
	for _, other := range v.report.Findings {
		if other != f && slices.ContainsFunc(other.Fixes, func(o findings.Fix) bool { return fix.Same(&o) }) {
			n++
		}
	}
	return n
}

// countersAction opens the counters of the finding's object at the moment when it began.
func (v *View) countersAction() ui.Action {
	a := ui.Action{ID: "diagnose.counters", Keys: []string{"C"}, Name: "counters at that time", Help: "Show the counters of the finding's object when it began"}
	f := v.finding()
	if f == nil {
		a.Disabled = "no finding is selected"
		return a
	}
	name := cmp.Or(f.Subject.Connection, f.Subject.Name)
	focus := deck.Focus{Instances: v.monitor.Inventory().Instances(name), Title: name, At: f.Since}
	if len(focus.Instances) == 0 {
		a.Disabled = "the source has no counters of " + name
		return a
	}
	a.Object, a.Run = name, func() ui.Cmd { return ui.Go("counters", focus) }
	return a
}

// besideFrom is the minimum width for the page beside the table.
const besideFrom = 110

// Draw draws the screen's body.
func (v *View) Draw(area widget.Area) {
	p := browse.PlacePanels(area.Width, area.Height, besideFrom, v.InPage)
	v.drawBar(p.Bar.In(area))
	empty := "The rules run when the source has two samples."
	if v.report != nil {
		empty = fmt.Sprintf("Nothing is wrong. Checked %s at %s.", v.report.Scope(), v.report.Checked.Format(time.TimeOnly))
		if v.report.Subjects[findings.Port] == 0 {
			empty = "This source has no topology: the rules require the ports of the counters, and it names none. X closes a session."
		} else if v.about != nil {
			empty = "Nothing is wrong with " + v.about.Object + ": the page says what was checked. Esc shows all findings."
		}
		if v.Filter.Active() && len(v.report.Findings)+len(v.report.Ended) > 0 {
			empty = v.Filter.NoMatch("No finding matches")
		}
	}
	glyphs := area.Glyphs()
	v.DrawTable(p.Table.In(area), empty, func(row int, cells []widget.TableCell) {
		f := v.rows[row]
		glyph, role := deck.SeverityLook(glyphs, f.Severity)
		style, word := themes.Style{Role: role}, string(glyph)+" "+f.Severity.String()
		text := themes.Style{}
		switch {
		case !f.Until.IsZero():
			style, text, word = themes.Style{Role: themes.Muted}, themes.Style{Role: themes.Muted}, "ended"
		case f.Follows != "":
			text = themes.Style{Role: themes.Muted}
		}
		cells[severityColumn] = widget.TableCell{Text: word, Style: style}
		cells[sinceColumn] = widget.TableCell{Text: since(f), Style: themes.Style{Role: themes.Muted}}
		cells[connectionColumn] = widget.TableCell{Text: widget.CutName(f.Subject.Name, v.Table.ColumnWidth(connectionColumn), glyphs.Ellipsis), Style: text}
		cells[titleColumn] = widget.TableCell{Text: f.Title, Style: text}
	})
	p.DrawRule(area, v.InPage)
	v.drawPage(p.Page.In(area))
}

// zonePage is the zone of the page's lines for the mouse.
const zonePage = "diagnose.line"

// drawPage draws the page; with the focus it has a cursor, for the fix that Enter reviews.
func (v *View) drawPage(area widget.Area) {
	if !v.InPage || area.Width == 0 || area.Height == 0 {
		v.cursorPlaced = false
		v.DrawPage(area, v.writePage)
		return
	}
	p := &v.Page
	p.Fit(area.Width, area.Glyphs())
	p.Scroll.SetHeight(area.Height)
	v.syncPage()
	from, to := p.Scroll.Visible()
	for y := range to - from {
		p.Lines[from+y].Draw(area, y, area.Width)
		area.Zone(0, y, area.Width, 1, zonePage, from+y)
		if from+y == p.Scroll.Cursor() {
			area.Ground(0, y, area.Width, themes.Selected)
		}
	}
	if to < len(p.Lines) {
		area.Set(area.Width-1, area.Height-1, area.Glyphs().ArrowDown, themes.Style{Role: themes.Accent})
	}
}

// syncPage writes a page with the focus. Its cursor starts at the first fix that the console can apply, and stays on a fix when the
// lines above it change.
func (v *View) syncPage() {
	p, fix := &v.Page, ""
	if line := p.Current(); line != nil && v.cursorPlaced {
		fix = line.Opens
	}
	p.Rewrite(v.writePage)
	if p.Width == 0 {
		return
	}
	p.Scroll.SetLength(len(p.Lines))
	if line := p.Current(); v.cursorPlaced && (fix == "" || line != nil && line.Opens == fix) {
		return
	}
	v.cursorPlaced = true
	if at := slices.IndexFunc(p.Lines, func(l browse.Line) bool { return l.Open != nil && (fix == "" || l.Opens == fix) }); at >= 0 {
		p.Scroll.Select(at)
	}
}

func since(f *findings.Finding) string {
	if f.Started {
		return "start"
	}
	return f.Since.Format(time.TimeOnly)
}

// minFilterWidth is the width of the bar that counts and filter need, in cells.
const minFilterWidth = 30

// drawBar draws the number of findings, what was checked, and the filter.
func (v *View) drawBar(area widget.Area) {
	if v.report == nil {
		v.DrawFilter(area)
		return
	}
	if v.about != nil {
		area.PrintCut(0, 0, area.Width, "Why: "+v.question(), themes.Style{Role: themes.Accent})
		return
	}
	text := fmt.Sprintf("checked %s: %s", v.report.Checked.Format(time.TimeOnly), v.report.Scope())
	if widget.Width(text)+minFilterWidth > area.Width {
		text = "checked " + v.report.Checked.Format(time.TimeOnly)
	}
	area.PrintRight(area.Width, 0, text, themes.Style{Role: themes.Muted})
	room := area.Sub(0, 0, max(area.Width-widget.Width(text)-2, 0), 1)
	x := 0
	for _, s := range []eventlog.Severity{eventlog.Error, eventlog.Warning} {
		if n := v.report.Count(s); n > 0 {
			glyph, role := deck.SeverityLook(area.Glyphs(), s)
			x = room.Print(x, 0, fmt.Sprintf("%c %d", glyph, n), themes.Style{Role: role}) + 2
		}
	}
	v.DrawFilter(room.Sub(x, 0, room.Width-x, 1))
}

// writePage writes the selected finding.
func (v *View) writePage() {
	p, f := &v.Page, v.finding()
	if f == nil && v.about != nil && v.report != nil {
		v.writeAnswer()
		return
	}
	if f == nil {
		p.Text("No finding is selected.", themes.Style{Role: themes.Muted})
		return
	}
	if v.about != nil && v.about.Row != "" && !v.matchesRow(f) {
		p.Item(p.Glyphs.Up, "No finding is about "+v.about.Row+".", themes.Style{Role: themes.Good})
		v.writeRow()
		v.writeRowRules()
		p.Blank()
		p.Text("What is wrong with "+v.about.Object+":", themes.Style{Role: themes.Muted})
	}
	glyph, role := deck.SeverityLook(p.Glyphs, f.Severity)
	p.Item(glyph, f.Title, themes.Style{Role: role, Attr: themes.Bold})
	p.Blank()
	p.Field("Why", f.Why())
	p.Field("Cause", strings.Join(f.Rule.Causes, " "))
	if f.Follows != "" {
		p.Field("Follows", "from "+f.Follows)
	}
	if f.Item != nil && f.Item.Shown != "" {
		p.Field("Evidence", f.Item.Shown)
	}
	for _, e := range f.Evidence {
		p.Field("Evidence", e.Fact.Meaning+": "+e.Text())
	}
	moment := f.Since
	if f.Started {
		moment = time.Time{}
	}
	v.writeCurve(f.Subject, f.Evidence, moment)
	for _, e := range f.Events[max(len(f.Events)-3, 0):] {
		p.Field("Event", e.Time.Format(time.TimeOnly)+" "+e.Message)
	}
	p.Blank()
	for i := range f.Fixes {
		fix := &f.Fixes[i]
		line := browse.Line{Label: fmt.Sprintf("Fix %d", i+1), Text: fix.Title, Column: 10}
		if fix.Applies() && f.Until.IsZero() && v.deck.CannotChange() == "" {
			line.Opens, line.Open = fix.Title, func() ui.Cmd { return v.fix(f, i) }
			line.Style = themes.Style{Role: themes.Accent}
		}
		text := fix.Title
		if others := v.sharing(f, fix); others > 0 {
			text += " (it fixes " + wording.Count(others, "other finding") + ", too)"
		}
		for n, part := range widget.Wrap(text, max(p.Width-10, 10)) {
			row := line
			row.Text = part
			if n > 0 {
				row.Label = ""
			}
			p.Add(row)
		}
	}
	p.Blank()
	p.Field("Since", since(f))
	if !f.Until.IsZero() {
		p.Field("Until", f.Until.Format(time.TimeOnly))
	}
	p.Field("Rule", f.Rule.ID)
	p.Field("Manual", f.Rule.Source)
	if v.about != nil && v.matchesRow(f) {
		v.writeRow()
		v.writeRowRules()
	}
}
