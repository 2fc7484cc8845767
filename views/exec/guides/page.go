package guides

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/guide"
	"cxdeck/driver/wording"
	"cxdeck/ui/widget"
	"cxdeck/views/exec"
)

// Page returns the guide as text of a width: goal, fields, preconditions, steps with their state, and checks. It has all steps, and the
// checks that apply.
func (c *Course) Page(width int) string {
	g, answers := c.Guide, c.Progress.Answers
	given := answers.Given()
	var b strings.Builder
	field := func(label, text string) {
		for i, line := range widget.Wrap(exec.Clean(text), max(width-14, 10)) {
			if i > 0 {
				label = ""
			}
			fmt.Fprintf(&b, "%-12s  %s\n", label, line)
		}
	}
	fmt.Fprintf(&b, "%s\n\n", g.Title)
	field("Goal", g.Goal)
	field("For", FamilyText(g.Families))
	if f, found := guide.FormOf(g.Name); found {
		field("Form", fmt.Sprintf("the guide %s, %s, does it with a form", f.Name, f.Title))
	}
	for _, name := range g.Procedures {
		if lines, found := guide.Find(name); found && g.Form() != "" && lines != g {
			field("Lines", fmt.Sprintf("the guide %s, %s, does it with the lines of the manual", lines.Name, lines.Title))
		}
	}
	for i := range g.Fields {
		f := &g.Fields[i]
		if !f.Asks() {
			continue
		}
		text := fmt.Sprintf("%s: %s", f.Name, f.Label)
		if choices := f.ChoiceIDs(); len(choices) > 0 {
			text += ", one of " + strings.Join(choices, ", ")
		}
		if f.Low < f.High {
			text += fmt.Sprintf(", %d to %d", f.Low, f.High)
		}
		if len(f.Columns) > 0 {
			text += ", rows of " + strings.Join(f.Columns, "/")
		}
		if answer := answers[f.Name]; answer != "" {
			text += " (" + answer + ")"
		} else if f.Optional {
			text += " (optional)"
		}
		if f.Help != "" {
			text += ". " + f.Help
		}
		field(map[bool]string{true: "Fields"}[i == 0], text)
	}
	checks := func(label string, list []guide.Check) {
		for i := range list {
			if answers.Applies(list[i].When) {
				field(label, given.Fill(list[i].Text))
				label = ""
			}
		}
	}
	checks("Needs", g.Needs)
	b.WriteByte('\n')
	for i := range g.Steps {
		s := &g.Steps[i]
		mark := " "
		switch {
		case c.Progress.isDone(i):
			mark = "x"
		case !answers.Applies(s.When):
			mark = "-"
		}
		title := given.Fill(s.Title)
		switch s.Kind {
		case guide.Outside:
			title += " (outside the host)"
		case guide.Plan:
			title += " (form)"
		case guide.Run, guide.Look:
		}
		fmt.Fprintf(&b, "[%s] %2d. %s\n", mark, i+1, exec.Clean(title))
		if s.Text != "" {
			for _, line := range widget.Wrap(exec.Clean(given.Fill(s.Text)), max(width-8, 10)) {
				fmt.Fprintf(&b, "        %s\n", line)
			}
		}
		for _, line := range slices.Concat(c.planLines(i), s.Run) {
			for i, part := range widget.Wrap(exec.Clean(given.Fill(line)), max(width-10, 10)) {
				fmt.Fprintf(&b, "        %s %s\n", map[bool]string{true: ">", false: " "}[i == 0], part)
			}
		}
	}
	b.WriteByte('\n')
	checks("After", g.After)
	if g.NoUndo != "" {
		field("Undo", "not possible: "+g.NoUndo)
	}
	for i, l := range g.Limits {
		field(map[bool]string{true: "Limits"}[i == 0], l)
	}
	for i, t := range g.Trouble {
		text := wording.UpperFirst(t.Symptom) + ": "
		if t.Cause != "" {
			text += t.Cause + ". "
		}
		field(map[bool]string{true: "Trouble"}[i == 0], text+wording.UpperFirst(t.Fix)+".")
	}
	field("Source", g.Source)
	return b.String()
}
