package exec

import (
	"fmt"
	"io"
	"strings"

	"cxdeck/driver/request"
)

// Any is a Max without a limit.
const Any = -1

// Command is one row of the table of commands. Its texts are in the TOML file of its family.
type Command struct {
	// Name is one word or more: "undo", "adapter list", "reg profile save".
	Name string
	// Min and Max are how many arguments it takes.
	Min, Max int
	// Changes reports that it changes the host: refused when read-only.
	Changes bool
	// Interrupts reports that it stops traffic: the console asks first.
	Interrupts bool
	// Asks reports that it asks a question unless the answer is given with it: the console asks in its own way.
	Asks bool
	// NoHost reports that it needs no host.
	NoHost bool
	Flags  []Flag
	Run    func(*Call) (Answer, error)

	words  []string // of Name
	family *Family
}

// Flag is an option of a command: "--interval TIME", or a switch when Value is empty. Help is in the texts.
type Flag struct{ Name, Value, Help string }

func (f Flag) synopsis() string { return strings.TrimSpace("--" + f.Name + " " + f.Value) }

// Answer is the result of a command. The same data is printed as text for people and as JSON for programs.
type Answer struct {
	Text   func(w io.Writer) error
	Result any
	// printed reports that the owner of the host has answered, with a status.
	printed bool
	status  Status
	// notes follow the text, a sentence without its end each.
	notes []string
}

func (a *Answer) writeNotes(w io.Writer) error {
	for _, note := range a.notes {
		if _, err := fmt.Fprintf(w, "Note: %s.\n", Clean(note)); err != nil {
			return err
		}
	}
	return nil
}

// MistakeError is a line that can't be understood.
type MistakeError struct{ Text string }

// Error returns what is wrong with it.
func (e *MistakeError) Error() string { return e.Text }

// Mistake returns the error of a line that is not understood, which exits with 2.
func Mistake(format string, args ...any) error { return &MistakeError{fmt.Sprintf(format, args...)} }

// Suggest ends a sentence about an unknown word: with the nearest known one, or else with where to look.
func Suggest(word string, words []string, otherwise string) string {
	if near := request.Nearest(word, words); near != "" {
		return fmt.Sprintf("; did you mean %s?", Quote(near))
	}
	return "; " + otherwise
}

// begins returns how many words of the command's name a line begins with. Windows takes the names of its programs in any case
// and with their extension.
func (c *Command) begins(line []string) (same int) {
	for same < len(c.words) && same < len(line) {
		word, name := line[same], c.words[same]
		equal := word == name
		if !equal && c.family.Tools {
			equal = strings.EqualFold(word, name) || same == 0 && strings.EqualFold(TrimExe(word), name)
		}
		if !equal {
			return same
		}
		same++
	}
	return same
}

// TrimExe returns the name of a program without its extension.
func TrimExe(word string) string {
	const extension = ".exe"
	if at := len(word) - len(extension); at > 0 && strings.EqualFold(word[at:], extension) {
		return word[:at]
	}
	return word
}

// read takes the flags out of the words that follow a command's name and counts the rest. After -- nothing is a flag.
func (c *Command) read(rest []string) (arguments []string, flags map[string]string, err error) {
	flags = map[string]string{}
	for i := 0; i < len(rest); i++ {
		word := rest[i]
		if word == "--" && !c.family.Tools {
			arguments = append(arguments, rest[i+1:]...)
			break
		}
		if c.family.Tools || !strings.HasPrefix(word, "--") {
			arguments = append(arguments, word)
			continue
		}
		name, value, given := strings.Cut(word[2:], "=")
		flag, err := c.flag(name)
		switch {
		case err != nil:
			return nil, nil, err
		case flag.Value == "" && given:
			return nil, nil, Mistake("--%s is a switch and takes no value", name)
		case flag.Value == "":
			value = "true"
		case !given:
			if i++; i == len(rest) {
				return nil, nil, Mistake("--%s requires a value: %s", name, c.Describe().flagHelp(name))
			}
			value = rest[i]
		}
		flags[name] = value
	}
	switch {
	case len(arguments) < c.Min:
		return nil, nil, Mistake("an argument is missing: %s", c.Synopsis())
	case c.Max >= 0 && len(arguments) > c.Max:
		return nil, nil, Mistake("unexpected argument %q: %s; quote a name with spaces", arguments[c.Max], c.Synopsis())
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
	return Flag{}, Mistake("%s has no flag --%s%s", c.Name, name, Suggest("--"+name, names, "help "+c.Name+" explains it"))
}

// Flags are flags with their values: "draft", "interval TIME".
func Flags(list ...string) []Flag {
	all := make([]Flag, len(list))
	for i, one := range list {
		all[i].Name, all[i].Value, _ = strings.Cut(one, " ")
	}
	return all
}
