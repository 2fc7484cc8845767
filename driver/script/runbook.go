package script

import (
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/cmdlet"
)

// Runbook returns a plan as a runbook in Markdown: the values before and after it, its interruptions and warnings, the commands that
// apply it, how to check it, and the commands that undo it. It fails when the plan can't be applied.
func Runbook(h *driver.Host, plan driver.Plan) (string, error) {
	review := h.Review(plan)
	if review.Refusal != nil {
		return "", review.Refusal
	}
	done, back, err := applied(h, review.Plan)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	line := func(format string, arguments ...any) {
		b.WriteString(cmdlet.OneLine(fmt.Sprintf(format, arguments...)) + "\n")
	}
	section := func(title string) { b.WriteString("\n## " + title + "\n\n") }
	d := h.Lab().Description()
	line("# %s", markdown(plan.Title))
	b.WriteString("\n")
	line("Host %s (%s). Written %s.", markdown(d.Host.Name), markdown(d.Host.System), h.Now().UTC().Format("2006-01-02 15:04:05 UTC"))
	if d.Twin != nil && len(d.Twin.Assumed) > 0 {
		b.WriteString("\n")
		line("It was tried on a twin of the host, in which %d facts are assumed; cxdeck twin show lists them.", len(d.Twin.Assumed))
	}
	section("Values")
	if len(review.Changes) == 0 {
		line("None.")
	} else {
		line("| Object | Key | Now | Planned |")
		line("| --- | --- | --- | --- |")
	}
	for _, c := range review.Changes {
		line("| %s | %s | %s | %s |", markdown(c.Target), markdown(c.Row.Name), markdown(typedOrNone(c.Row, c.From)), markdown(typedOrNone(c.Row, c.To)))
	}
	list := func(title string, items []string) {
		if len(items) > 0 {
			section(title)
		}
		for _, item := range items {
			line("- %s", markdown(item))
		}
	}
	var restarts, warnings []string
	for i := range review.Restarts {
		restarts = append(restarts, restartPhrase(&review.Restarts[i]))
	}
	for i := range review.Warnings {
		warnings = append(warnings, cautionPhrase(&review.Warnings[i]))
	}
	list("Other steps", review.Steps)
	list("Interruptions", restarts)
	list("Warnings", warnings)
	commands := func(title string, host *driver.Host, operations []driver.Operation) {
		section(title)
		b.WriteString("```powershell\n")
		for _, l := range strings.Split(write(host, "", "", operations), scriptLine)[4:] {
			if l != "" {
				line("%s", strings.ReplaceAll(l, "```", "` ` `"))
			}
		}
		b.WriteString("```\n")
	}
	commands("Apply, as administrator", h.Clone(), review.Plan.Operations)
	section("Check")
	line("Export the host again, and compare it with the twin: `cxdeck twin check NAME FILE...`. Each planned value must have arrived.")
	commands("Undo", done, back)
	return b.String(), nil
}

// markdown returns a text without effect on the form of a table or a paragraph.
func markdown(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "`", "'", "\n", " ", "[", `\[`, "*", `\*`, "#", `\#`).Replace(text)
}
