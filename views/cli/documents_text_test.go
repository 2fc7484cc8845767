package cli

import (
	"fmt"
	"strings"
	"unicode"

	"cxdeck/perf"
	"cxdeck/ui"
)

// keyPages are the pages with a table of keys: between the mark <!-- keys: TABLE --> and <!-- end -->.
var keyPages = []struct{ file, table, screen string }{
	{"overview.md", "overview", "Overview"},
	{"counters.md", "counters", "Counters"},
	{"registry.md", "registry", "Registry"},
	{"teams.md", "teams", "Teams"},
	{"sriov.md", "sriov", "SR-IOV"},
	{"qos.md", "qos", "QoS"},
	{"diagnose.md", "diagnose", "Diagnose"},
	{"events.md", "events", "Events"},
	{"history.md", "history", "History"},
	{"comparing.md", "comparing", comparisonKeys},
	{"lab-screen.md", "lab", "Lab"},
	{"keys.md", "everywhere", ""},
	{"keys.md", "wizards", "Wizards"},
	{"keys.md", "letters", ""},
}

// generatedMark is the first comment of a generated page.
const generatedMark = "<!-- Made from the program by task docs. -->\n"

// fillKeys replaces the table between its marks.
func fillKeys(text, table, keys string) (string, error) {
	begin, end := "<!-- keys: "+table+" -->\n", "<!-- end -->"
	before, rest, ok := strings.Cut(text, begin)
	_, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		return "", fmt.Errorf("the page has no lines %q and %q", strings.TrimSpace(begin), end)
	}
	return before + begin + keys + end + after, nil
}

// keyTable returns the table of a screen's keys.
func keyTable(rows []ui.ReferenceRow, screen string) string {
	var b strings.Builder
	b.WriteString("| Keys | What it does |\n| --- | --- |\n")
	for _, row := range rows {
		if row.Screen != screen || len(row.Keys) == 0 {
			continue
		}
		keys := make([]string, len(row.Keys))
		for i, key := range row.Keys {
			keys[i] = "<kbd>" + cell(keyName(key)) + "</kbd>"
		}
		help := cell(row.Help)
		switch {
		case row.Dangerous:
			help += " *(asks first)*"
		case row.Changes:
			help += " *(not when read-only)*"
		}
		fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(keys, " "), help)
	}
	return b.String()
}

// letterTable returns the table of the meanings that keys have everywhere.
func letterTable() string {
	var b strings.Builder
	b.WriteString("| Keys | Meaning |\n| --- | --- |\n")
	for _, verb := range ui.Verbs() {
		b.WriteString("| ")
		for _, key := range verb.Keys {
			b.WriteString("<kbd>" + cell(keyName(key)) + "</kbd> ")
		}
		b.WriteString("| " + cell(verb.Does) + " |\n")
	}
	return b.String()
}

// keyNames has the names of keys that are not characters.
var keyNames = strings.NewReplacer("ctrl+", "Ctrl+", "shift+", "Shift+", "alt+", "Alt+", "pgup", "Page up", "pgdown",
	"Page down", "left", "←", "right", "→", "up", "↑", "down", "↓", "home", "Home", "end", "End", "enter", "Enter", "esc", "Esc",
	"tab", "Tab", "delete", "Delete", "backspace", "Backspace", "space", "Space", "f1", "F1", "f5", "F5")

func keyName(key string) string {
	switch {
	case key == " ":
		return "Space"
	case len(key) == 1:
		return key
	}
	return keyNames.Replace(key)
}

// cell escapes a text for a cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", "\\|", "<", "&lt;", "*", "\\*", "\n", " ").Replace(text)
}

// commandLinePage returns docs/command-line.md: the help page of each command.
func commandLinePage() string {
	var b strings.Builder
	b.WriteString("# The command line\n\n" + generatedMark + "\nFlags take precedence over the [configuration file](configuration.md). " +
		"`cxdeck man` prints all of this as a manual page.\n")
	for _, command := range commands() {
		fmt.Fprintf(&b, "\n## %s\n\n```text\n%s```\n", strings.TrimSpace("cxdeck "+command.name), helpText(command))
	}
	return b.String()
}

// counterSetsPage returns docs/counter-sets.md: all counter sets with their counters.
func counterSetsPage(lab *perf.Schema) string {
	filled := map[string]bool{}
	for i := range lab.Series {
		s := &lab.Series[i]
		if set, ok := perf.Catalogue().Set(s.Set); ok {
			if counter, ok := set.Counter(s.Counter); ok && counter.Uncaused == "" && !counter.AlwaysZero {
				filled[set.Name], filled[set.Name+`\`+counter.Name] = true, true
			}
		}
	}
	var b strings.Builder
	sets := perf.Catalogue().Sets()
	fmt.Fprintf(&b, "# Counter sets\n\n%s\nThe %d counter sets of the drivers' manuals, of Windows and of cxdeck. ● marks counters that "+
		"change in the default lab, some only with a fault; counters that stay 0 in every lab say why. A kind is cumulative (rises until it wraps or is reset), rate (change of a cumulative counter in a "+
		"second), gauge (can rise and fall), max (the largest value so far) or id (an identifier, not a quantity).\n\n", generatedMark, len(sets))
	for _, set := range sets {
		mark := ""
		if filled[set.Name] {
			mark = " ●"
		}
		fmt.Fprintf(&b, "- [%s](#%s)%s\n", set.Name, anchor(set.Name), mark)
	}
	for _, set := range sets {
		writeSet(&b, set, filled)
	}
	return b.String()
}

// writeSet writes the section of a set.
func writeSet(b *strings.Builder, set *perf.CounterSet, filled map[string]bool) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n", set.Name, prose(set.Description))
	for _, fact := range []struct{ name, text string }{
		{"In Performance Monitor", set.PerfmonName}, {"Instance", set.Instances}, {"Instance names", set.Naming},
		{"Enabled by", set.Enable}, {"Counts since", set.Starts}, {"Reset by", set.Reset},
		{"Subset of", set.ViewOf}, {"Same counters as", set.SameCountersAs},
	} {
		if fact.text != "" {
			fmt.Fprintf(b, "- %s: %s\n", fact.name, prose(fact.text))
		}
	}
	for _, note := range set.Notes {
		fmt.Fprintf(b, "- %s\n", prose(note))
	}
	if len(set.Counters) == 0 {
		return
	}
	b.WriteString("\n| Counter | Kind | Unit | What it counts |\n| --- | --- | --- | --- |\n")
	for _, counter := range set.Counters {
		name := cell(counter.Name)
		if filled[set.Name+`\`+counter.Name] {
			name += " ●"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", name, counter.KindName, cell(string(counter.Unit)), cell(counter.Describe()))
	}
}

// prose escapes a text of the catalogue for Markdown.
func prose(text string) string { return strings.NewReplacer("*", "\\*", "<", "&lt;").Replace(text) }

// anchor returns the link target of a heading.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}
