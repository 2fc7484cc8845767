package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"cxdeck/driver/health/findings"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// ask shows the findings about an object that another screen asks about.
func (v *View) ask(about deck.Why) {
	v.about, v.InPage = &about, false
	v.Filter.Set("")
	v.Table.List.Select(0)
	v.refresh()
	v.moved()
	if about.Row == "" || v.finding() == nil {
		return
	}
	for i, f := range v.rows { // the finding that the row's counter, key or event shows comes first
		if v.matchesRow(f) {
			v.Table.List.Select(i)
			break
		}
	}
}

// matchesRow reports whether a finding is shown by the row that was asked about, and not only by its object.
func (v *View) matchesRow(f *findings.Finding) bool {
	about := v.about
	switch {
	case about.Key != "" && f.Item != nil:
		return f.Item.Key == about.Key
	case about.Event != "":
		return slices.Contains(f.Rule.Events, about.Event)
	case about.Counter != "":
		for i := range f.Evidence {
			if f.Evidence[i].Fact.GivenBy(about.Set, about.Counter) {
				return true
			}
		}
	}
	return false
}

// forgetAction shows all findings again after a question.
func (v *View) forgetAction() ui.Action {
	return ui.Action{ID: "diagnose.all", Keys: []string{"esc"}, Name: "show all", Help: "Show the findings about all objects again",
		Run: func() ui.Cmd { v.about = nil; v.arrange(); return nil }}
}

// whyAction asks about the object of the selected finding.
func (v *View) whyAction() ui.Action {
	about := deck.Why{}
	if f := v.finding(); f != nil {
		about.Object = cmp.Or(f.Subject.Connection, f.Subject.Name)
	} else if v.report != nil && v.monitor != nil && v.monitor.Inventory() != nil {
		about.Object = v.monitor.Inventory().Host
	}
	return v.deck.WhyAction("diagnose", about)
}

// question names the row that was asked about.
func (v *View) question() string { return cmp.Or(v.about.Row, v.about.Object) }

// maxVerdicts is the number of rules that the answer lists in full.
const maxVerdicts = 12

// writeAnswer writes what was checked about an object of which nothing is wrong, and where the value of the row comes from.
func (v *View) writeAnswer() {
	p, about := &v.Page, v.about
	subjects := v.report.About(about.Object)
	if len(subjects) == 0 {
		p.Item(p.Glyphs.Down, "No rule has facts about "+about.Object+" on this source.", themes.Style{Role: themes.Muted})
	} else {
		p.Item(p.Glyphs.Up, "Nothing is wrong with "+about.Object+".", themes.Style{Role: themes.Good, Attr: themes.Bold})
	}
	v.writeRow()
	v.writeRowRules()
	v.writeChecks()
}

// writeRow writes the row that was asked about: its value, where it comes from, and its curve.
func (v *View) writeRow() {
	p, about := &v.Page, v.about
	if about.Row == "" {
		return
	}
	p.Blank()
	p.Field("Row", about.Row)
	p.Field("Value", about.Value)
	p.Field("From", about.From)
}

// writeRowRules writes the rules that read the row's counter with the facts that decided, and the curve of the counter.
func (v *View) writeRowRules() {
	p, about := &v.Page, v.about
	if about.Counter == "" {
		return
	}
	near, _ := v.verdicts()
	for i := range near {
		if e := factOf(&near[i], about); e != nil {
			v.writeCurve(near[i].Subject, []findings.Evidence{*e}, time.Time{})
			break
		}
	}
	if len(near) == 0 {
		if i, found := v.monitor.Schema().Find(perf.JoinPath(about.Set, about.Instance, about.Counter)); found {
			v.writeSeries([]int{i}, time.Time{})
		}
	}
	p.Blank()
	if len(near) == 0 {
		p.Text("No rule reads this counter.", themes.Style{Role: themes.Muted})
		return
	}
	p.Text("Rules that read this counter, and what they found:", themes.Style{Role: themes.Muted})
	v.writeVerdicts(near)
}

// verdicts returns the rules about the object that read the row's counter, and the others, the heaviest first.
func (v *View) verdicts() (near, other []findings.Verdict) {
	for _, s := range v.report.About(v.about.Object) {
		for _, verdict := range s.Verdicts() {
			if v.about.Counter != "" && verdict.Reads(v.about.Set, v.about.Counter) {
				near = append(near, verdict)
			} else {
				other = append(other, verdict)
			}
		}
	}
	slices.SortStableFunc(other, func(a, b findings.Verdict) int { return cmp.Compare(b.Rule.Weight, a.Rule.Weight) })
	return near, other
}

// writeChecks writes the rules that were evaluated about the object.
func (v *View) writeChecks() {
	p := &v.Page
	near, other := v.verdicts()
	if len(other) == 0 {
		return
	}
	p.Blank()
	p.Text(fmt.Sprintf("Checked at %s: %s about %s.", v.report.Checked.Format(time.TimeOnly), wording.Count(len(near)+len(other), "rule"), v.about.Object),
		themes.Style{Role: themes.Muted})
	v.writeVerdicts(other[:min(len(other), maxVerdicts)])
	if more := len(other) - maxVerdicts; more > 0 {
		p.Text(fmt.Sprintf("and %s, none of which found anything.", wording.Count(more, "other rule")), themes.Style{Role: themes.Muted})
	}
}

// factOf returns the fact of a verdict that the row's counter gives.
func factOf(verdict *findings.Verdict, about *deck.Why) *findings.Evidence {
	for i := range verdict.Facts {
		if verdict.Facts[i].Fact.GivenBy(about.Set, about.Counter) {
			return &verdict.Facts[i]
		}
	}
	return nil
}

// writeVerdicts writes rules with the facts that decided.
func (v *View) writeVerdicts(list []findings.Verdict) {
	p := &v.Page
	for i := range list {
		verdict := &list[i]
		word, style := "no", themes.Style{Role: themes.Good}
		if slices.ContainsFunc(v.rows, func(f *findings.Finding) bool {
			return f.Rule == verdict.Rule && f.Subject.Name == verdict.Subject.Name && f.Until.IsZero()
		}) {
			word, style = "found", themes.Style{Role: themes.Bad}
		} else if verdict.Holds {
			word, style = "for a moment", themes.Style{Role: themes.Warn}
		}
		text := ""
		for _, e := range verdict.Facts {
			if text != "" {
				text += ", "
			}
			text += e.Fact.Meaning + ": " + e.Words()
		}
		p.Add(browse.Line{Text: verdict.Rule.ID, Value: word, ValueStyle: style})
		for _, part := range browse.Paragraph("  ", text, p.Width) {
			p.Add(browse.Line{Text: part, Style: themes.Style{Role: themes.Muted}})
		}
	}
}
