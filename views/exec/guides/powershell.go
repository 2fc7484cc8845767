package guides

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cxdeck/driver/guide"
	"cxdeck/views/exec"
)

// part is a numbered part of a script: a step, or what follows a restart within one.
type part struct {
	title string
	lines []string
	// restarts reports that the last line restarts the host, which ends the script.
	restarts bool
}

// Script returns a guide as a script of Windows PowerShell, with the commands of a rehearsal on a copy of the host. It fails for a guide
// with a step that changes something, and that a real host has no command for.
func (c *Course) Script(ctx context.Context) (string, error) {
	rehearsed, err := c.rehearse(ctx)
	if err != nil {
		return "", err
	}
	g, answers := c.Guide, rehearsed.answers
	var parts []part
	for i, step := range c.realSteps(&rehearsed) {
		s := &g.Steps[step.at]
		name := fmt.Sprintf("step %d, %s,", i+1, answers.Fill(s.Title))
		switch {
		case s.Kind == guide.Outside || step.place != "":
			return "", fmt.Errorf("%s is not done in PowerShell: %w", name, errNoScript)
		case len(step.own) > 0 && s.Kind != guide.Look && rehearsed.stopped != nil:
			return "", fmt.Errorf("%s has no known command, because a rehearsal on a copy of this host stopped (%w): %w", name, rehearsed.stopped, errNoScript)
		case len(step.hand) > 0 && s.Kind != guide.Look:
			return "", fmt.Errorf("%s is partly done by hand (%s): %w", name, step.hand[0], errNoScript)
		case len(step.own) > 0 && s.Kind != guide.Look:
			return "", fmt.Errorf("%s has no command on a real host (%s): %w", name, step.own[0], errNoScript)
		}
		text := strings.Join(step.lines, "\n")
		if missing := cmp.Or(c.missing(text), unknownName().FindString(text)); missing != "" {
			return "", fmt.Errorf("%s requires an answer that is not known: %s", name, missing)
		}
		parts = append(parts, partsOf(answers.Fill(s.Title), step.lines)...)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<#\n%s\n\n%s\n", comment(g.Title), comment(g.Goal))
	for i := range g.Fields {
		fmt.Fprintf(&b, "%s: %s\n", comment(g.Fields[i].Label), comment(answers[g.Fields[i].Name]))
	}
	c.scriptChecks(&b, "Before:", g.Needs, answers)
	c.scriptChecks(&b, "After:", g.After, answers)
	if len(rehearsed.undo)+len(rehearsed.undoByHand) > 0 {
		b.WriteString("\nUndo:\n")
	}
	for _, line := range rehearsed.undo {
		fmt.Fprintf(&b, "  %s\n", comment(line))
	}
	for _, text := range rehearsed.undoByHand {
		fmt.Fprintf(&b, "  By hand: %s\n", comment(text))
	}
	for i, limit := range g.Limits {
		if i == 0 {
			b.WriteString("\nLimits:\n")
		}
		fmt.Fprintf(&b, "- %s\n", comment(limit))
	}
	b.WriteString("\nThe script stops at the first error. -From N begins at a part.\n#>\n#Requires -RunAsAdministrator\n")
	fmt.Fprintf(&b, "param([ValidateRange(1, %d)] [int] $From = 1)\n$ErrorActionPreference = 'Stop'\n\n%s", max(1, len(parts)), programFunction)
	for i, p := range parts {
		fmt.Fprintf(&b, "\nif ($From -le %d) {\n    Write-Host %s\n", i+1, quote(fmt.Sprintf("%d. %s", i+1, p.title)))
		for n, line := range p.lines {
			if p.restarts && n == len(p.lines)-1 && i+1 < len(parts) {
				fmt.Fprintf(&b, "    Write-Host %s\n", quote(fmt.Sprintf("The host restarts. Then run this script again with -From %d.", i+2)))
			}
			fmt.Fprintf(&b, "    %s\n", c.scriptLine(line))
		}
		if p.restarts {
			b.WriteString("    exit\n")
		}
		b.WriteString("}\n")
	}
	return b.String(), nil
}

// unknownName matches a name in a command that only the real host knows: <PortName>.
var unknownName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<[A-Z][A-Za-z]+>`) })

// missing returns the first placeholder of the guide that is left in a text; empty if each one has an answer.
func (c *Course) missing(text string) string {
	names := []string{}
	for i := range c.Guide.Fields {
		names = append(names, c.Guide.Fields[i].Name)
	}
	for i := range c.Guide.Steps {
		names = slices.AppendSeq(names, maps.Keys(c.Guide.Steps[i].Keep))
	}
	for _, name := range names {
		if strings.Contains(text, "{"+name+"}") {
			return name
		}
	}
	return ""
}

// errNoScript says what an operator does whose guide has no script.
var errNoScript = errors.New("export the guide as Markdown, to a file whose name ends in .md")

// programFunction runs a program with the quotes of its line as they are; 3010 is the code of a setup that requires a restart.
const programFunction = `function Invoke-Program([string] $Line) {
    cmd /c $Line
    if ($LASTEXITCODE -notin 0, 3010) { throw "$Line ended with $LASTEXITCODE." }
}
`

// partsOf divides the lines of a step after each restart of the host. Waiting for the restart is left to the operator.
func partsOf(title string, lines []string) (parts []part) {
	p := part{title: title}
	for _, line := range lines {
		waits := strings.HasPrefix(line, "Start-Sleep")
		if p.restarts && !waits {
			parts = append(parts, p)
			p = part{title: title + ", after the restart"}
		}
		if p.restarts {
			continue
		}
		p.lines = append(p.lines, line)
		p.restarts = strings.HasPrefix(strings.ToLower(line), "restart-computer")
	}
	return append(parts, p)
}

// scriptLine returns a line of a script: PowerShell as it is, and programs through a function that looks at their exit codes.
func (c *Course) scriptLine(line string) string {
	line = exec.Clean(line)
	if words, err := c.Runner.Table.Split(line); c.Runner.Table.IsShell(line) || err == nil && len(words) > 0 && c.Runner.Table.IsCmdlet(words[0]) {
		return line
	}
	return "Invoke-Program " + quote(line)
}

// scriptChecks writes checks into the comment of a script.
func (c *Course) scriptChecks(b *strings.Builder, title string, checks []guide.Check, answers guide.Answers) {
	written := false
	for i := range checks {
		if !answers.Applies(checks[i].When) {
			continue
		}
		if !written {
			fmt.Fprintf(b, "\n%s\n", title)
			written = true
		}
		fmt.Fprintf(b, "- %s\n", comment(answers.Fill(checks[i].Text)))
		if checks[i].Run != "" {
			for _, line := range (Ran{Line: answers.Fill(checks[i].Run)}).real(c.Runner.Table) {
				fmt.Fprintf(b, "  %s\n", comment(line))
			}
		}
	}
}

// quote returns a text as a string of PowerShell without variables.
func quote(text string) string {
	return "'" + strings.NewReplacer("'", "''", "\u2018", "''", "\u2019", "''").Replace(exec.Clean(text)) + "'"
}

// comment returns a text for a comment of PowerShell, which it does not end.
func comment(text string) string {
	return strings.ReplaceAll(exec.Clean(text), "#>", "# >")
}
