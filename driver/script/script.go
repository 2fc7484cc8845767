// Package script formats plans for people and for real hosts: as a PowerShell script, as a registry file, and as text for a
// change ticket. It changes nothing on a host.
package script

import (
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
)

// PowerShell returns a plan as a script for the real host, with the restarts that its values need, and the script that undoes
// it. Both begin with a byte order mark and have Windows line ends, so that every version of PowerShell reads them correctly.
// It fails when the plan can't be applied.
func PowerShell(h *driver.Host, plan driver.Plan) (script, inverse string, err error) {
	if err := h.Check(plan); err != nil {
		return "", "", err
	}
	plan = h.Complete(plan)
	done, back, err := applied(h, plan)
	if err != nil {
		return "", "", err
	}
	note := "Host " + h.Lab().Description().Host.Name
	return write(h.Clone(), plan.Title, note, plan.Operations), write(done, "Undo: "+plan.Title, note, back), nil
}

// applied returns a copy of a host on which a plan was applied, with the Operations that undo it.
func applied(h *driver.Host, plan driver.Plan) (done *driver.Host, back []driver.Operation, err error) {
	done = h.Clone()
	entry, err := done.Apply(plan)
	return done, entry.Inverse.Operations, err
}

// The line ends and the byte order mark of scripts.
const (
	scriptStart = "\uFEFF"
	scriptLine  = "\r\n"
)

// write returns the commands of Operations in order; each is applied to the host before the next, because commands depend on
// the state of the host.
func write(h *driver.Host, title, note string, operations []driver.Operation) string {
	var b strings.Builder
	line := func(s string) { b.WriteString(s + scriptLine) }
	b.WriteString(scriptStart)
	line("# " + cmdlet.OneLine(title))
	line("# " + cmdlet.OneLine(note))
	line("# Run as administrator. Adapters are restarted where the script says so, and not by each value.")
	line("$ErrorActionPreference = 'Stop'")
	for _, o := range operations {
		line("")
		line("# " + cmdlet.OneLine(o.Describe()))
		for _, c := range h.Review(driver.Plan{Operations: []driver.Operation{o}}).Changes {
			line("# " + cmdlet.OneLine(fmt.Sprintf("%s of %s before: %s", c.Row.Name, c.Target, typedOrNone(c.Row, c.From))))
		}
		commands := h.Commands(o)
		if len(commands) == 0 {
			line("# There is no command for it: do it by hand.")
		}
		for _, c := range commands {
			line(c)
		}
		// A refused Operation, such as the start of a running adapter, does not affect the commands.
		_, _ = h.Apply(driver.Plan{Operations: []driver.Operation{o}})
	}
	return b.String()
}

// typedOrNone returns a stored value of a key for a sentence, with its type if that is not the key's own.
func typedOrNone(r *registry.Row, v registry.Value) string {
	if !v.Exists() {
		return edit.OrNothing(v)
	}
	return r.WithType(v)
}

// Ticket returns a plan as text for a change ticket: its changes, interruptions and warnings, and the commands that apply and
// undo it. It fails when the plan can't be applied.
func Ticket(h *driver.Host, plan driver.Plan) (string, error) {
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
	line("Change: %s", plan.Title)
	line("Host: %s (%s)", h.Lab().Description().Host.Name, h.Lab().Description().Host.System)
	line("Written: %s", h.Now().UTC().Format("2006-01-02 15:04:05 UTC"))
	section := func(title string) { b.WriteString("\n" + title + "\n") }
	section("Values")
	for _, c := range review.Changes {
		line("- %s, %s: %s -> %s", c.Target, c.Row.Name, typedOrNone(c.Row, c.From), typedOrNone(c.Row, c.To))
	}
	if len(review.Changes) == 0 {
		line("- none")
	}
	if len(review.Steps) > 0 {
		section("Other steps")
	}
	for _, s := range review.Steps {
		line("- %s", s)
	}
	if len(review.Restarts) > 0 {
		section("Interruptions")
	}
	for _, r := range review.Restarts {
		line("- %s", restartPhrase(&r))
	}
	if len(review.Warnings) > 0 {
		section("Warnings")
	}
	for _, w := range review.Warnings {
		line("- %s", cautionPhrase(&w))
	}
	for _, part := range []struct {
		title      string
		host       *driver.Host
		operations []driver.Operation
	}{{"Commands", h.Clone(), review.Plan.Operations}, {"Commands to undo it", done, back}} {
		section(part.title)
		for _, l := range strings.Split(write(part.host, "", "", part.operations), scriptLine)[4:] {
			if l != "" {
				line("  %s", l)
			}
		}
	}
	return b.String(), nil
}

// restartPhrase returns a restart and its interruptions as a phrase.
func restartPhrase(r *driver.Restart) string {
	s := fmt.Sprintf("%s: %s down", r.Operation.Describe(), strings.Join(r.Connections, ", "))
	if r.Back {
		s += fmt.Sprintf(" for about %.0f s", r.Down.Seconds())
	}
	const giga = 1e9
	if len(r.Flows) > 0 {
		s += fmt.Sprintf("; interrupts %.1f Gb/s in %d groups of flows, the largest %s", r.Rate/giga, len(r.Flows), r.Flows[0].Name)
	}
	if len(r.Teams) > 0 {
		s += "; other members take over in " + strings.Join(r.Teams, ", ")
	}
	if r.VirtualFunctions > 0 {
		s += fmt.Sprintf("; %d virtual functions are recreated", r.VirtualFunctions)
	}
	return s
}

// cautionPhrase returns a caution with its subject.
func cautionPhrase(c *driver.Caution) string {
	about := strings.TrimSpace(c.Target + " " + c.Key)
	if about == "" {
		return c.Severity.String() + ": " + c.Text
	}
	return c.Severity.String() + ": " + about + ": " + c.Text
}
