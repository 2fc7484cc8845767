package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/ui/widget"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
)

// helpWidth is the width of help in columns: the narrowest common terminal.
const helpWidth = 80

// printHelp prints the page of a command.
func (s *session) printHelp(c command) error {
	_, err := io.WriteString(s.streams.Out, helpText(c))
	return err
}

func runHelp(s *session) error {
	all := commands()
	if len(s.arguments) == 0 {
		return s.printHelp(all[0])
	}
	if len(s.arguments) > 1 {
		return mistake("help takes one command, not %d", len(s.arguments))
	}
	found, err := findCommand(all, s.arguments[0])
	if err != nil {
		return err
	}
	return s.printHelp(found)
}

// maxSynopsis is the maximum length of a synopsis on one line, in characters.
const maxSynopsis = 78

// synopses returns the syntax of a command: one line, or a line for each alternative if that is too long.
func (c command) synopses() []string {
	line := func(arguments string) string {
		parts := []string{"cxdeck", c.name, arguments, "[FLAGS]"}
		return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
	}
	whole := line(c.arguments)
	if len(whole) <= maxSynopsis {
		return []string{whole}
	}
	var lines []string
	for alternative := range strings.SplitSeq(c.arguments, " | ") {
		lines = append(lines, line(alternative))
	}
	return lines
}

// helpText returns the help page of a command: description, syntax, flags by group, and examples.
func helpText(c command) string {
	var b strings.Builder
	about := c.about
	if len(about) == 0 {
		about = []string{"Print " + strings.TrimPrefix(c.help, "print ") + "."}
	}
	for i, paragraph := range about {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, line := range widget.Wrap(paragraph, helpWidth) {
			fmt.Fprintln(&b, line)
		}
	}
	fmt.Fprintf(&b, "\nUsage:\n  %s\n", strings.Join(c.synopses(), "\n  "))
	if c.name == "" {
		fmt.Fprintln(&b, "  cxdeck COMMAND [ARGUMENTS] [FLAGS]")
		fmt.Fprintln(&b, "\nCommands:")
		for _, command := range commands()[1:] {
			fmt.Fprintf(&b, "  %-12s %s\n", command.name, command.help)
		}
	}
	if c.name == "exec" {
		fmt.Fprintf(&b, "\nCommands:\n%s", exec.Summary(catalog.Commands().Commands()))
	}
	rows := c.rows()
	for _, group := range groups {
		heading := false
		for _, row := range rows {
			if row.group != group {
				continue
			}
			if !heading {
				fmt.Fprintf(&b, "\n%s:\n", group)
				heading = true
			}
			b.WriteString(flagHelp(row))
		}
	}
	if len(c.examples) > 0 {
		fmt.Fprintln(&b, "\nExamples:")
		for _, example := range c.examples {
			fmt.Fprintf(&b, "  %s\n      %s\n", example.line, example.purpose)
		}
	}
	if c.name == "" {
		fmt.Fprintln(&b, "\ncxdeck help COMMAND explains a command. Exit codes: 0 done, 1 failed, 2 usage error.")
	}
	return b.String()
}

// flagHelp returns a flag's line, wrapped under its own column.
func flagHelp(row flagRow) string {
	const column = 24
	var b strings.Builder
	short := "    "
	if row.short != "" {
		short = "-" + row.short + ", "
	}
	name := "  " + short + "--" + row.name
	if row.value != "" {
		name += " " + row.value
	}
	for i, line := range widget.Wrap(row.help, helpWidth-column) {
		switch {
		case i > 0:
			name = ""
		case len(name) >= column:
			fmt.Fprintln(&b, name)
			name = ""
		}
		fmt.Fprintf(&b, "%-*s%s\n", column, name, line)
	}
	return b.String()
}
