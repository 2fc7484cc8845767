package exec

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/perf"
)

// Command is one row of the table of commands: looking a line up, help, documentation and completion are made from it.
type Command struct {
	// Name is one word or more: "undo", "adapter list", "reg profile save".
	Name string
	// Arguments is the rest of the synopsis: "NAME...".
	Arguments string
	// Help is a phrase: "list adapters and ports".
	Help string
	// About is the longer text, a paragraph a string.
	About    []string
	Examples []Example
	Flags    []Flag
	// Changes says that it changes the host: refused when read-only.
	Changes bool
	// Interrupts says that it stops traffic: the console asks first.
	Interrupts bool
	// Asks says that it asks a question unless the answer is given with it: the console asks in its own way.
	Asks bool
	// Result tells what the result of the JSON document has in it: fields with their meaning.
	Result []Field
	// least and most are how many arguments it takes; most below 0 is any number.
	least, most int
	// hostless says that it needs no host.
	hostless bool
	// tool says that it is a program of the vendor's: its options begin with one dash, and it reads them itself.
	tool bool
	run  func(*call) (answer, error)
}

// Example is a line with what it is good for.
type Example struct{ Line, What string }

// Flag is an option of a command: "--interval TIME", or a switch when Value is empty.
type Flag struct{ Name, Value, Help string }

// Field is a field of a JSON result; those of a list have names with dots: "adapters.name".
type Field struct{ Name, Meaning string }

// answer is what a command has to say. The same data goes to people as text and to programs as JSON.
type answer struct {
	text   func(w io.Writer) error
	result any
	// printed says that the owner of the host has answered, with a status.
	printed bool
	status  Status
	// notes follow the text, a sentence without its end each.
	notes []string
}

func (a *answer) writeNotes(w io.Writer) error {
	for _, note := range a.notes {
		if _, err := fmt.Fprintf(w, "Note: %s.\n", Clean(note)); err != nil {
			return err
		}
	}
	return nil
}

// Synopsis is how the command is written.
func (c *Command) Synopsis() string {
	parts := []string{c.Name}
	if c.Arguments != "" {
		parts = append(parts, c.Arguments)
	}
	for _, flag := range c.Flags {
		parts = append(parts, "["+flag.synopsis()+"]")
	}
	return strings.Join(parts, " ")
}

func (f Flag) synopsis() string { return strings.TrimSpace("--" + f.Name + " " + f.Value) }

// MistakeError is a line that can't be understood.
type MistakeError struct{ Text string }

// Error says what is wrong with it.
func (e *MistakeError) Error() string { return e.Text }

func mistake(format string, args ...any) error { return &MistakeError{fmt.Sprintf(format, args...)} }

// firstWords are what a line can begin with.
func firstWords() []string {
	var words []string
	for _, c := range Commands() {
		if first := strings.Fields(c.Name)[0]; !slices.Contains(words, first) {
			words = append(words, first)
		}
	}
	return words
}

// Find is the command that words begin with; ok is false when they begin with none.
func Find(words []string) (command *Command, ok bool) {
	if len(words) == 0 {
		return nil, false
	}
	command, _, err := find(words)
	return command, err == nil
}

// OwnHelp says whether a word is the name of a tool that has a command for its own help, such as vlan_config --help.
func OwnHelp(word string) bool {
	return slices.ContainsFunc(Commands(), func(c Command) bool {
		name := strings.Fields(c.Name)
		return c.tool && len(name) > 1 && strings.HasSuffix(name[1], "-help") && c.begins(name, []string{word}) == 1
	})
}

// find is the command that words begin with, and what follows its name.
func find(words []string) (command *Command, rest []string, err error) {
	typed := words
	all, words := Commands(), verbFirst(words)
	most := 0          // words that stand at the front of a name, too
	var nexts []string // what may follow these
	for i := range all {
		name := strings.Fields(all[i].Name)
		same := all[i].begins(name, words)
		if same == len(name) {
			return &all[i], words[same:], nil
		}
		if same > most {
			most, nexts = same, nil
		}
		if same == most && !slices.Contains(nexts, name[same]) {
			nexts = append(nexts, name[same])
		}
	}
	known := strings.Join(words[:most], " ")
	if command := manualCommand(typed); command != "" {
		return nil, nil, &notHereError{command}
	}
	switch {
	case most == 0:
		return nil, nil, mistake("there is no command %q%s", words[0], perhaps(words[0], firstWords(), "help lists all"))
	case len(words) == most:
		return nil, nil, mistake("%s needs a word more: %s", known, strings.Join(nexts, ", "))
	}
	return nil, nil, mistake("there is no command \"%s %s\"%s", known, words[most],
		perhaps(words[most], nexts, "there are "+strings.Join(nexts, ", ")))
}

// begins is how many words of a name a line begins with. Windows takes the names of its programs in any case, and with
// what they end in.
func (c *Command) begins(name, words []string) (same int) {
	for same < len(name) && same < len(words) {
		word := words[same]
		equal := word == name[same]
		if c.tool {
			equal = strings.EqualFold(word, name[same]) || same == 0 && strings.EqualFold(word, name[same]+".exe")
		}
		if !equal {
			return same
		}
		same++
	}
	return same
}

// perhaps ends a sentence about a word that nothing has: with the nearest one there is, or else with where to look.
func perhaps(word string, words []string, otherwise string) string {
	if near := perf.Nearest(word, words); near != "" {
		return fmt.Sprintf("; did you mean %s?", Quote(near))
	}
	return "; " + otherwise
}

// read takes the flags out of what follows a command's name and counts the rest. After -- nothing is a flag.
func (c *Command) read(rest []string) (arguments []string, flags map[string]string, err error) {
	flags = map[string]string{}
	for i := 0; i < len(rest); i++ {
		word := rest[i]
		if word == "--" && !c.tool {
			arguments = append(arguments, rest[i+1:]...)
			break
		}
		if c.tool || !strings.HasPrefix(word, "--") {
			arguments = append(arguments, word)
			continue
		}
		name, value, given := strings.Cut(word[2:], "=")
		flag, err := c.flag(name)
		switch {
		case err != nil:
			return nil, nil, err
		case flag.Value == "" && given:
			return nil, nil, mistake("--%s is a switch: leave the value out", name)
		case flag.Value == "":
			value = "true"
		case !given:
			if i++; i == len(rest) {
				return nil, nil, mistake("--%s needs a value: %s", name, flag.Help)
			}
			value = rest[i]
		}
		flags[name] = value
	}
	switch {
	case len(arguments) < c.least:
		return nil, nil, mistake("something is missing: %s", c.Synopsis())
	case c.most >= 0 && len(arguments) > c.most:
		return nil, nil, mistake("%q is one word too many: %s; a name with spaces stands in quotes", arguments[c.most],
			c.Synopsis())
	}
	return arguments, flags, nil
}

func (c *Command) flag(name string) (Flag, error) {
	var names []string
	for _, flag := range c.Flags {
		if flag.Name == name {
			return flag, nil
		}
		names = append(names, "--"+flag.Name)
	}
	return Flag{}, mistake("%s has no flag --%s%s", c.Name, name, perhaps("--"+name, names, "help "+c.Name+" explains it"))
}
