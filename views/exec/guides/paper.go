package guides

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/driver/guide"
	"cxdeck/views/exec"
)

// Runbook returns a guide as Markdown, for a change ticket: preconditions, steps with their commands, and checks.
func (c *Course) Runbook() string {
	g, answers := c.Guide, c.Progress.Answers
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n", g.Title, g.Goal)
	c.answers(&b)
	if len(g.Needs) > 0 {
		b.WriteString("## Before\n\n")
		c.checks(&b, g.Needs)
	}
	b.WriteString("## Steps\n\n")
	number := 0
	for i := range g.Steps {
		s := &g.Steps[i]
		if !answers.Applies(s.When) {
			continue
		}
		number++
		fmt.Fprintf(&b, "%d. [ ] %s\n", number, markdown(answers.Fill(s.Title)))
		if s.Text != "" {
			fmt.Fprintf(&b, "\n   %s\n", markdown(answers.Fill(s.Text)))
		}
		if lines := slices.Concat(c.planLines(i), s.Run); s.Kind != guide.Outside && len(lines) > 0 {
			b.WriteString("\n   ```\n")
			for _, line := range lines {
				fmt.Fprintf(&b, "   %s\n", exec.Clean(answers.Fill(line)))
			}
			b.WriteString("   ```\n")
		}
	}
	if len(g.After) > 0 {
		b.WriteString("\n## After\n\n")
		c.checks(&b, g.After)
	}
	b.WriteString("\n## Undo\n\n")
	switch {
	case g.NoUndo != "":
		fmt.Fprintf(&b, "Not possible: %s\n", markdown(g.NoUndo))
	default:
		fmt.Fprintf(&b, "`guide undo %s` undoes the changes of the steps, the newest first.\n", g.Name)
		if len(g.Undo) > 0 {
			b.WriteString("Then it runs these lines:\n\n```\n")
			for _, line := range g.Undo {
				fmt.Fprintf(&b, "%s\n", exec.Clean(answers.Fill(line)))
			}
			b.WriteString("```\n")
		}
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

func (c *Course) checks(b *strings.Builder, checks []guide.Check) {
	for i := range checks {
		if !c.Progress.Answers.Applies(checks[i].When) {
			continue
		}
		fmt.Fprintf(b, "- [ ] %s", markdown(c.Progress.Answers.Fill(checks[i].Text)))
		if line := checks[i].Run; line != "" {
			fmt.Fprintf(b, ": `%s`", exec.Clean(c.Progress.Answers.Fill(line)))
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
