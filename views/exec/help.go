package exec

import (
	"fmt"
	"io"
	"strings"

	"cxdeck/driver/wording"
	"cxdeck/ui/widget"
)

// HelpWidth is the width of help pages in columns: the narrowest common terminal.
const HelpWidth = 80

type commandRow struct {
	Name     string `json:"name"`
	Synopsis string `json:"synopsis"`
	Help     string `json:"help"`
	Changes  bool   `json:"changes"`
}

// Help prints the page of a command, or lists the commands whose names begin with the arguments; all without arguments.
func Help(c *Call) (Answer, error) {
	name := strings.Join(c.Arguments, " ")
	found := c.Runner.Table.commandsNamed(name)
	if len(found) == 0 {
		command, rest, err := c.Runner.Table.find(c.Arguments)
		if err == nil {
			err = Mistake("unexpected argument %q: the command is %s", rest[0], command.Name)
		}
		return Answer{}, err
	}
	rows := make([]commandRow, len(found))
	for i := range found {
		rows[i] = commandRow{found[i].Name, found[i].Synopsis(), found[i].Describe().Help, found[i].Changes}
	}
	return Answer{
		Result: struct {
			Commands []commandRow `json:"commands"`
		}{rows},
		Text: func(w io.Writer) error {
			text := Summary(found)
			if len(found) == 1 {
				text = found[0].Page()
			} else if name == "" {
				text += "\nhelp COMMAND explains a command.\n"
			}
			_, err := io.WriteString(w, text)
			return err
		},
	}, nil
}

// commandsNamed returns the commands whose names are name, or begin with the words of it; all if name is empty.
func (t *Table) commandsNamed(name string) (found []*Command) {
	for _, command := range t.commands {
		if name == "" || command.Name == name || strings.HasPrefix(command.Name, name+" ") {
			found = append(found, command)
		}
	}
	return found
}

// HelpOn returns the page of the command whose name begins words, or else a line for each command whose name begins with
// words; it is empty if there is none. words must not be empty.
func (t *Table) HelpOn(words []string) string {
	if command, ok := t.Find(words); ok {
		return command.Page()
	}
	return Summary(t.commandsNamed(strings.Join(words, " ")))
}

// Summary returns a line for each command: name, arguments and help.
func Summary(all []*Command) string {
	const column = 24
	var b strings.Builder
	for _, c := range all {
		d := c.Describe()
		name := "  " + strings.TrimSpace(c.Name+" "+d.Arguments)
		if len(name) > column-2 {
			fmt.Fprintln(&b, name)
			name = ""
		}
		fmt.Fprintf(&b, "%-*s%s\n", column, name, d.Help)
	}
	return b.String()
}

// Page returns the help page of a command.
func (c *Command) Page() string {
	d := c.Describe()
	var b strings.Builder
	paragraph := func(text string) {
		for _, line := range widget.Wrap(text, HelpWidth) {
			fmt.Fprintln(&b, line)
		}
	}
	paragraph(c.Synopsis())
	fmt.Fprintln(&b)
	paragraph(sentence(d.Help))
	for _, text := range d.About {
		fmt.Fprintln(&b)
		paragraph(text)
	}
	if parameters := c.Parameters(); len(parameters) > 0 {
		fmt.Fprintln(&b)
		paragraph("Parameters: " + strings.Join(parameters, ", ") + ".")
	}
	flagWidth := 17
	if len(d.Flags) > 0 {
		fmt.Fprintln(&b)
	}
	for _, flag := range d.Flags {
		flagWidth = max(flagWidth, len(flag.synopsis()))
	}
	for _, flag := range d.Flags {
		lead := fmt.Sprintf("  %-*s ", flagWidth, flag.synopsis())
		for _, line := range widget.Wrap(flag.Help, HelpWidth-len(lead)) {
			fmt.Fprintln(&b, lead+line)
			lead = strings.Repeat(" ", len(lead))
		}
	}
	if len(d.Examples) > 0 {
		fmt.Fprintln(&b)
	}
	for _, example := range d.Examples {
		fmt.Fprintln(&b, "  "+example.Line)
		if example.Purpose != "" {
			fmt.Fprintln(&b, "      "+example.Purpose)
		}
	}
	return b.String()
}

// sentence returns a phrase with a capital first letter and a full stop.
func sentence(phrase string) string {
	return wording.UpperFirst(strings.TrimSuffix(phrase, ".")) + "."
}
