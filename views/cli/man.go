package cli

import (
	"fmt"
	"io"
	"strings"

	"cxdeck/driver/wording"
	"cxdeck/views/exec/catalog"
)

func runMan(s *session) error {
	if err := s.noArguments(); err != nil {
		return err
	}
	_, err := io.WriteString(s.streams.Out, manualPage(s.version))
	return err
}

// manualPage returns cxdeck(1) in the man macros, from the tables of commands and flags.
func manualPage(version string) string {
	var b strings.Builder
	all := commands()
	fmt.Fprintf(&b, ".TH CXDECK 1 \"\" \"cxdeck %s\" \"User Commands\"\n", roff(version))
	fmt.Fprint(&b, ".SH NAME\ncxdeck \\- watch and operate ConnectX network adapters from a terminal\n.SH SYNOPSIS\n")
	for i, c := range all {
		if i > 0 {
			fmt.Fprintln(&b, ".br")
		}
		for i, line := range c.synopses() {
			if i > 0 {
				b.WriteString(".br\n")
			}
			fmt.Fprintf(&b, ".B %s\n", roff(line))
		}
	}
	fmt.Fprintln(&b, ".SH DESCRIPTION")
	for _, paragraph := range all[0].about {
		fmt.Fprintf(&b, ".PP\n%s\n", roff(paragraph))
	}
	fmt.Fprintln(&b, ".SH COMMANDS")
	for _, c := range all[1:] {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s.\n", roff(strings.TrimSpace(c.name+" "+c.arguments)), roff(sentence(c.help)))
		for _, paragraph := range c.about {
			fmt.Fprintf(&b, ".sp\n%s\n", roff(paragraph))
		}
	}
	for _, group := range groups {
		fmt.Fprintf(&b, ".SH %s OPTIONS\n", strings.ToUpper(group))
		for _, row := range flags() {
			if row.group != group {
				continue
			}
			name := "--" + row.name
			if row.short != "" {
				name = "-" + row.short + ", " + name
			}
			fmt.Fprintf(&b, ".TP\n.B %s", roff(name))
			if row.value != "" {
				fmt.Fprintf(&b, " \\fI%s\\fR", roff(row.value))
			}
			fmt.Fprintf(&b, "\n%s.\n", roff(sentence(row.help)))
		}
	}
	fmt.Fprintln(&b, ".SH COMMANDS OF EXEC")
	for _, c := range catalog.Commands().Commands() {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s.\n", roff(c.Synopsis()), roff(sentence(c.Describe().Help)))
		for _, paragraph := range c.Describe().About {
			fmt.Fprintf(&b, ".sp\n%s\n", roff(paragraph))
		}
		for _, flag := range c.Describe().Flags {
			fmt.Fprintf(&b, ".sp\n.B %s\n%s.\n", roff(strings.TrimSpace("--"+flag.Name+" "+flag.Value)), roff(sentence(flag.Help)))
		}
	}
	fmt.Fprintln(&b, ".SH EXAMPLES")
	for _, c := range all {
		for _, example := range c.examples {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s.\n", roff(example.line), roff(sentence(example.purpose)))
		}
	}
	fmt.Fprint(&b, `.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
Failed; one sentence on the error stream says why.
.TP
.B 2
Usage error: an invalid command line or configuration file.
.SH ENVIRONMENT
.TP
.B NO_COLOR
Any value: no colours.
.TP
.B XDG_CONFIG_HOME, XDG_STATE_HOME
Where the configuration and the history are kept.
.SH FILES
.TP
.I $XDG_CONFIG_HOME/cxdeck/config.toml
Configuration.
.TP
.I $XDG_STATE_HOME/cxdeck/cxdeck.db
History of all sessions.
`)
	return b.String()
}

// roff escapes the special characters of the man macros.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

func sentence(text string) string {
	return wording.UpperFirst(strings.TrimSuffix(text, "."))
}
