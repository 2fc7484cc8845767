package guides

import (
	"context"
	"fmt"
	"strings"
	"time"

	"cxdeck/driver/guide"
	"cxdeck/views/exec"
)

// Runbook returns a guide as Markdown, for a change ticket: preconditions, steps with the commands of a real host, checks, and the
// commands that undo the steps. The commands come from a rehearsal on a copy of the host.
func (c *Course) Runbook(ctx context.Context) (string, error) {
	rehearsed, err := c.rehearse(ctx)
	if err != nil {
		return "", err
	}
	g, answers := c.Guide, rehearsed.answers
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n", g.Title, g.Goal)
	c.answers(&b)
	if len(g.Needs) > 0 {
		b.WriteString("## Before\n\n")
		c.checks(&b, g.Needs, answers)
	}
	b.WriteString("## Steps\n\n")
	for i, step := range c.realSteps(&rehearsed) {
		s := &g.Steps[step.at]
		fmt.Fprintf(&b, "%d. [ ] %s\n", i+1, markdown(answers.Fill(s.Title)))
		if s.Text != "" {
			fmt.Fprintf(&b, "\n   %s\n", markdown(answers.Fill(s.Text)))
		}
		if step.place != "" {
			fmt.Fprintf(&b, "\n   %s:\n", step.place)
		}
		if len(step.lines) > 0 {
			b.WriteString("\n   ```\n")
			for _, line := range step.lines {
				fmt.Fprintf(&b, "   %s\n", exec.Clean(line))
			}
			b.WriteString("   ```\n")
		}
		for _, text := range step.hand {
			fmt.Fprintf(&b, "\n   By hand: %s\n", markdown(text))
		}
		for _, line := range step.own {
			fmt.Fprintf(&b, "\n   In cxdeck: `%s`\n", exec.Clean(line))
		}
	}
	if len(g.After) > 0 {
		b.WriteString("\n## After\n\n")
		c.checks(&b, g.After, answers)
	}
	b.WriteString("\n## Undo\n\n")
	switch {
	case g.NoUndo != "":
		fmt.Fprintf(&b, "Not possible: %s\n", markdown(g.NoUndo))
	case len(rehearsed.undo)+len(rehearsed.undoByHand) == 0:
		b.WriteString("No command is necessary: the steps change nothing that stays.\n")
	default:
		b.WriteString(undoOf(&rehearsed))
	}
	if rehearsed.stopped != nil {
		fmt.Fprintf(&b, "\nA rehearsal on a copy of this host stopped, so that commands may be missing: %s.\n", markdown(strings.TrimSuffix(rehearsed.stopped.Error(), ".")))
	}
	for i, limit := range g.Limits {
		if i == 0 {
			b.WriteString("\n## Limits\n\n")
		}
		fmt.Fprintf(&b, "- %s\n", markdown(limit))
	}
	for i, t := range g.Trouble {
		if i == 0 {
			b.WriteString("\n## Trouble\n\n| Symptom | Cause | Fix |\n| --- | --- | --- |\n")
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", markdown(t.Symptom), markdown(t.Cause), markdown(t.Fix))
	}
	fmt.Fprintf(&b, "\nSource: %s\n", markdown(g.Source))
	return b.String(), nil
}

// undoOf returns the commands of the undo, and what is undone by hand.
func undoOf(r *rehearsal) string {
	var b strings.Builder
	for i, line := range r.undo {
		if i == 0 {
			b.WriteString("```\n")
		}
		b.WriteString(exec.Clean(line) + "\n")
	}
	if len(r.undo) > 0 {
		b.WriteString("```\n")
	}
	for _, text := range r.undoByHand {
		b.WriteString("- By hand: " + markdown(text) + "\n")
	}
	return b.String()
}

// answers writes the answers as a table.
func (c *Course) answers(b *strings.Builder) {
	for i := range c.Guide.Fields {
		f := &c.Guide.Fields[i]
		if i == 0 {
			b.WriteString("| Field | Answer |\n| --- | --- |\n")
		}
		fmt.Fprintf(b, "| %s | %s |\n", markdown(f.Label), markdown(c.Progress.Answers[f.Name]))
	}
	if len(c.Guide.Fields) > 0 {
		b.WriteByte('\n')
	}
}

// checks writes checks, each with the line that shows it.
func (c *Course) checks(b *strings.Builder, checks []guide.Check, answers guide.Answers) {
	for i := range checks {
		if !answers.Applies(checks[i].When) {
			continue
		}
		fmt.Fprintf(b, "- [ ] %s", markdown(answers.Fill(checks[i].Text)))
		if line := answers.Fill(checks[i].Run); line != "" {
			if lines := (Ran{Line: line}).real(c.Runner.Table); len(lines) > 0 {
				fmt.Fprintf(b, ": `%s`", exec.Clean(strings.Join(lines, "; ")))
			} else {
				fmt.Fprintf(b, " (in cxdeck: `%s`)", exec.Clean(line))
			}
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
}

// Protocol returns what was done as Markdown: the steps with their times, lines and answers, and the checks after them as they are now.
func (c *Course) Protocol(ctx context.Context) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Protocol: %s\n\n", c.Guide.Title)
	c.answers(&b)
	b.WriteString("## Steps\n\n")
	for _, done := range c.Progress.Done {
		fmt.Fprintf(&b, "### %s: step %d, %s\n\n", done.Time.Format(time.DateTime), done.Step+1, markdown(c.Progress.Answers.Fill(c.Guide.Steps[done.Step].Title)))
		if done.Ticked {
			b.WriteString("Done by the operator.\n\n")
		}
		for _, ran := range done.Lines {
			fmt.Fprintf(&b, "```\n> %s\n", exec.Clean(ran.Line))
			for line := range strings.Lines(strings.TrimSpace(ran.Output)) {
				b.WriteString(exec.Clean(strings.TrimRight(line, "\n")) + "\n")
			}
			b.WriteString("```\n\n")
		}
		if done.Failed != "" {
			fmt.Fprintf(&b, "Failed: %s\n\n", markdown(done.Failed))
		}
	}
	b.WriteString("## Checks\n\n")
	for _, v := range c.Check(ctx, c.Guide.After) {
		fmt.Fprintf(&b, "- %s: %s", v.State, markdown(v.Text))
		if v.Why != "" {
			fmt.Fprintf(&b, " (%s)", markdown(v.Why))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// markdown returns a text for Markdown on one line: characters that would format it are escaped.
func markdown(text string) string {
	return strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "|", `\|`, "<", `\<`, "[", `\[`, "]", `\]`).Replace(exec.Clean(text))
}
