package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"cxdeck/views/exec"
)

// Markdown writes the report for a ticket: the same sections, with the peaks of the charts in a table.
func (d *Document) Markdown(w io.Writer) error {
	var b strings.Builder
	line := func(format string, arguments ...any) { fmt.Fprintf(&b, format+"\n", arguments...) }
	line("# %s\n\n%s to %s, %s.\n", escape(d.Title), d.clock(d.From), d.clock(d.To), duration(d.From, d.To))
	if d.Session.Note != "" {
		line("%s\n", escape(d.Session.Note))
	}
	line("## Findings\n")
	for _, f := range d.Findings {
		line("- **%s** %s", f.Severity, escape(f.Text))
	}
	if len(d.Findings) == 0 {
		line("Nothing stands out.")
	}
	rows := func(title string, head []string, count int, row func(i int) []string) {
		if count == 0 {
			return
		}
		line("\n## %s\n\n| %s |\n|%s", title, strings.Join(head, " | "), strings.Repeat(" --- |", len(head)))
		for i := range count {
			cells := row(i)
			for j := range cells {
				cells[j] = escape(cells[j])
			}
			line("| %s |", strings.Join(cells, " | "))
		}
	}
	rows("Peaks", []string{"What", "Largest value"}, len(d.Charts), func(i int) []string {
		return []string{d.Charts[i].Title, d.Charts[i].Number(d.Charts[i].Peak, d.InBytes)}
	})
	if d.ComparedPeriods != "" {
		line("\n%s", escape(d.ComparedPeriods))
	}
	rows("Changed counters", []string{"Counter", "Before", "After", "Change", "Percent", "Deviations"}, len(d.ChangedCounters), func(i int) []string {
		m := d.ChangedCounters[i]
		return []string{m.Counter, m.Before, m.After, m.Change, m.Percent, m.Deviations}
	})
	rows("Changes", []string{"Time", "Change", "By", "Outcome"}, len(d.Changes), func(i int) []string {
		e := d.Changes[i]
		return []string{d.clock(e.Time), e.Plan.Title, e.By, changeResult(e)}
	})
	rows("Notes", []string{"From", "To", "Note"}, len(d.Marks), func(i int) []string {
		m := d.Marks[i]
		return []string{d.clock(m.From), d.clock(m.To), m.Text}
	})
	rows("Events", []string{"Time", "Severity", "ID", "Source", "Adapter", "Message"}, len(d.Events), func(i int) []string {
		e := d.Events[i]
		return []string{d.clock(e.Time), e.Severity.String(), fmt.Sprint(e.ID), e.Source, e.Adapter, e.Message}
	})
	if d.HiddenEvents > 0 {
		line("\n%d older events are left out.", d.HiddenEvents)
	}
	line("\n## Host\n")
	for _, f := range d.Host {
		line("- %s: %s", escape(f.Label), escape(f.Value))
	}
	for _, fact := range d.Assumed {
		line("- assumed: %s", escape(fact))
	}
	for _, device := range d.Devices {
		line("%s- **%s** %s", strings.Repeat("  ", device.Depth), escape(device.Name),
			escape(strings.Join(strings.Fields(device.Detail+" "+device.State+" "+device.Speed), " ")))
		var fields []string
		for _, f := range device.Fields {
			fields = append(fields, f.Label+": "+f.Value)
		}
		if len(fields) > 0 {
			line("%s  %s", strings.Repeat("  ", device.Depth), escape(strings.Join(fields, "; ")))
		}
	}
	for _, s := range d.Switches {
		line("- Virtual switch **%s** on %s, %s", escape(s.Name), escape(s.Connection), s.Kind)
	}
	for _, m := range d.Machines {
		line("- Virtual machine **%s**, %s: %s", escape(m.Name), escape(m.State), escape(m.Adapters))
	}
	rows("Registry", []string{"Connection", "Key", "Stored", "In effect", "Default", "Remark"}, len(d.Keys), func(i int) []string {
		k := d.Keys[i]
		return []string{k.Connection, k.Name, k.Stored, k.Effective, k.Default, k.Why}
	})
	if d.HostProblem != "" {
		line("\n%s", escape(d.HostProblem))
	}
	line("\nSession %d, made by cxdeck %s on %s.", d.Session.ID, escape(d.Version), d.clock(d.Created))
	_, err := io.WriteString(w, b.String())
	return err
}

// escape returns a text as one line in which the characters of Markdown and HTML markup are escaped.
func escape(text string) string {
	var b strings.Builder
	for _, r := range exec.Clean(text) {
		if r < utf8.RuneSelf && strings.ContainsRune("\\`*_{}[]<>#|!~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
