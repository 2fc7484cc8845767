package exec

import (
	"fmt"
	"io"
	"strings"

	"cxdeck/driver/request"
	"cxdeck/views/exec/syntax"
)

// Any is the Max of a command that takes any number of arguments.
const Any = -1

// Command is a row of the command table. Its texts are in texts.toml of its family.
type Command struct {
	// Name has one word or more: "undo", "adapter list", "reg profile save".
	Name string
	// Min and Max bound the number of arguments, both included.
	Min, Max int
	// Changes reports that it changes the host: read-only mode refuses it.
	Changes bool
	// Interrupts reports that it stops traffic: the console asks first.
	Interrupts bool
	// Asks reports that it asks a question unless a flag answers it; the console shows a dialog instead.
	Asks bool
	// Pipes reports that it takes a pipe after it itself.
	Pipes bool
	// NoHost reports that it runs without a host.
	NoHost bool
	Flags  []Flag
	// Reads is set for a command that takes lines of the input as further arguments when only Min are given. It returns a
	// function that reports whether a line is the last one.
	Reads func() func(line string) (last bool)
	Run   func(*Call) (Answer, error)

	// Words are the words of Name; NewTable sets them.
	Words  []string
	family *Family
}

// Flag is a flag of a command: "--interval TIME", or a switch when Value is empty. Help comes from the family's texts.
type Flag struct{ Name, Value, Help string }

func (f Flag) synopsis() string { return strings.TrimSpace("--" + f.Name + " " + f.Value) }

// Answer is the result of a command. The same data is printed as text for people and as JSON for programs.
type Answer struct {
	Text   func(w io.Writer) error
	Result any
	// Failed reports that the command was carried out, and that its answer is a failure: it exits with 1.
	Failed bool
	// Exit is the exit code in place of 1, for a command whose answer has degrees; 0 for none.
	Exit Status
	// printed reports that the process that owns the host has printed the answer already; status is its exit code.
	printed bool
	status  Status
	// notes are printed after the text, each a sentence without its full stop.
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

// MistakeError is a usage error, such as an unknown flag; it exits with 2.
type MistakeError struct{ Text string }

// Error returns the text.
func (e *MistakeError) Error() string { return e.Text }

// Mistake returns a MistakeError. The verb %q quotes a text as request.Quoted does, so that no backslash is doubled.
func Mistake(format string, args ...any) error {
	request.Words(args)
	return &MistakeError{fmt.Sprintf(format, args...)}
}

// Suggest returns the end of an error about an unknown word: the most similar one of words, or else otherwise.
func Suggest(word string, words []string, otherwise string) string {
	if near := request.Nearest(word, words); near != "" {
		return fmt.Sprintf("; did you mean %s?", syntax.Quote(near))
	}
	return "; " + otherwise
}

// CountNameWords returns how many words of the command's name begin a line. The names of tools match in any case, and with
// the extension .exe.
func (c *Command) CountNameWords(line []string) (same int) {
	for same < len(c.Words) && same < len(line) {
		word, name := line[same], c.Words[same]
		equal := word == name
		if !equal && c.family.Tools {
			equal = strings.EqualFold(word, name) ||
				same == 0 && (strings.EqualFold(TrimExe(word), name) || strings.EqualFold(word+consoleExtension, name))
		}
		if !equal {
			return same
		}
		same++
	}
	return same
}

// consoleExtension ends the files of Windows' consoles, such as devmgmt.msc; like .exe, Windows adds it to a name without one.
const consoleExtension = ".msc"

// TrimExe removes the extension .exe, in any case, from the name of a program.
func TrimExe(word string) string {
	const extension = ".exe"
	if at := len(word) - len(extension); at > 0 && strings.EqualFold(word[at:], extension) {
		return word[:at]
	}
	return word
}

// read separates flags and arguments in the words after a command's name, and checks the number of arguments. Words after
// -- are never flags.
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
		typed, value, hasValue := strings.Cut(word[2:], "=")
		flag, err := c.flag(typed)
		name := flag.Name
		switch {
		case err != nil:
			return nil, nil, err
		case flag.Value == "" && hasValue:
			return nil, nil, Mistake("--%s is a switch and takes no value", name)
		case flag.Value == "":
			value = "true"
		case !hasValue:
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

// formerFlags maps former names of flags, which scripts may use, to their present names.
var formerFlags = map[string]string{"most": "limit"}

// flag returns the flag with a name, or with a former one.
func (c *Command) flag(name string) (Flag, error) {
	var names []string
	for _, flag := range c.Flags {
		if flag.Name == name || flag.Name == formerFlags[name] {
			return flag, nil
		}
		names = append(names, "--"+flag.Name)
	}
	if name == "json" || name == "keep-going" {
		return Flag{}, Mistake("--%s is a flag of cxdeck exec, not of a line: write it outside the quotes or the script", name)
	}
	return Flag{}, Mistake("%s has no flag --%s%s", c.Name, name, Suggest("--"+name, names, "help "+c.Name+" explains it"))
}

// Flags makes flags from their names and values: "draft", "interval TIME".
func Flags(list ...string) []Flag {
	all := make([]Flag, len(list))
	for i, flag := range list {
		all[i].Name, all[i].Value, _ = strings.Cut(flag, " ")
	}
	return all
}
