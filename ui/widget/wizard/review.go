package wizard

import (
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// changeLooks are the glyph, word and colour of a line of a plan, by the kind of change.
var changeLooks = [...]struct {
	glyph rune
	word  string
	role  themes.Role
}{
	Does:    {'*', "", themes.Text},
	Adds:    {'+', "new", themes.Good},
	Removes: {'-', "removed", themes.Bad},
	Changes: {'~', "", themes.Info},
}

// writeReview writes the review into the pane.
func (w *Wizard) writeReview(review *Review) {
	p := &w.pane
	p.blank()
	p.heading("What will be done")
	if review.Refusal != "" {
		glyph, style := p.mark(Bad)
		p.wrap([]panePiece{{1, string(glyph), style}}, 3, review.Refusal, style)
	}
	if review.Pending != "" {
		glyph, style := p.mark(Busy)
		p.wrap([]panePiece{{1, string(glyph), style}}, 3, review.Pending, style)
	}
	if len(review.Lines) == 0 && review.Pending == "" && review.Refusal == "" {
		p.row(panePiece{1, "Nothing: no changes.", mutedStyle})
	}
	w.writeLines(review.Lines)
	for _, m := range review.Warnings {
		p.message(1, m)
	}
	if len(review.Forecast) > 0 || review.Forecasting != "" {
		p.blank()
		p.heading("Forecast")
		if review.Forecasting != "" {
			glyph, style := p.mark(Busy)
			p.wrap([]panePiece{{1, string(glyph), style}}, 3, review.Forecasting, style)
		}
		p.facts(1, review.Forecast)
	}
	if len(review.Commands) == 0 {
		return
	}
	p.blank()
	p.heading("Equivalent commands")
	w.tab = max(0, min(w.tab, len(review.Commands)-1))
	row := p.row()
	row.tabs, row.tab = review.Commands, w.tab
	for _, line := range review.Commands[w.tab].Lines {
		x := 1
		for _, part := range widget.Wrap(line, max(p.width-5, 1)) {
			p.row(panePiece{x, part, plainStyle})
			x = 5 // continued lines are indented further
		}
	}
}

// writeLines writes the plan as a difference: the changed values in columns, then other effects.
func (w *Wizard) writeLines(lines []Line) {
	p := &w.pane
	names := 0
	for i := range lines {
		if lines[i].Change == Changes {
			names = max(names, widget.Width(lines[i].Text))
		}
	}
	names = min(names, p.width/2)
	for i := range lines {
		l := &lines[i]
		look := changeLooks[min(l.Change, Changes)]
		style := themes.Style{Role: look.role}
		lead := []panePiece{{1, string(look.glyph), style}}
		if l.Change == Changes {
			text := l.From + " " + string(p.glyphs.ArrowRight) + " " + l.To
			p.wrap(append(lead, panePiece{3, l.Text, style}), 3+names+2, text, plainStyle)
		} else {
			p.wrap(lead, 3, l.Text, style)
		}
		if l.Note != "" {
			p.wrap(nil, 5, l.Note, mutedStyle)
		}
	}
}

// stageLooks are the words and marks of the stages of an operation.
var stageLooks = [...]struct {
	word string
	mark Mark
}{
	Waiting:    {"waiting", Down},
	Running:    {"running", Busy},
	Done:       {"done", Good},
	Failed:     {"failed", Bad},
	RolledBack: {"rolled back", Warn},
}

// writeProgress writes the stage of each operation.
func (w *Wizard) writeProgress() {
	p := &w.pane
	p.blank()
	done := 0
	for i := range w.progress.Operations {
		if w.progress.Operations[i].Stage == Done {
			done++
		}
	}
	const behindWord = 16
	p.row(panePiece{0, w.progress.Title, themes.Style{Role: themes.Title, Attr: themes.Bold}},
		panePiece{widget.Width(w.progress.Title) + 2, countOf(done, len(w.progress.Operations)), mutedStyle})
	for i := range w.progress.Operations {
		o := &w.progress.Operations[i]
		look := stageLooks[min(o.Stage, RolledBack)]
		glyph, style := p.mark(look.mark)
		if o.Stage == RolledBack {
			glyph = p.glyphs.Replay
		}
		p.wrap([]panePiece{{1, string(glyph), style}, {3, look.word, style}}, behindWord, o.Text, plainStyle)
		if o.Note != "" {
			p.wrap(nil, behindWord+2, o.Note, style)
		}
		if o.Stage == Running && w.result == nil {
			p.focusFrom(len(p.rows) - 1)
		}
	}
}

// writeResult writes the result and the possible next steps.
func (w *Wizard) writeResult() {
	p, r := &w.pane, w.result
	glyph, style := p.mark(r.Mark)
	style.Attr |= themes.Bold
	p.row(panePiece{0, string(glyph), style}, panePiece{2, r.Word, style})
	p.wrap(nil, 2, r.Text, plainStyle)
	p.facts(2, r.Facts)
	if len(r.Next) > 0 {
		p.blank()
		p.heading("What next")
		for _, key := range r.Next {
			p.key(2, key)
		}
	}
}
