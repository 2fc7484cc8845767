package exec

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/packages"
	"cxdeck/views/exec/shell"
	"cxdeck/views/exec/syntax"
)

// Family is a group of commands with the file of their texts.
type Family struct {
	Commands []Command
	// Texts is the contents of the family's texts.toml; see Description.
	Texts string
	// Phrases has functions that write the phrases {name} in descriptions from tables.
	Phrases map[string]func() string
	// Tools reports that the commands are programs of the vendor or of Windows: their names match in any case, and each parses
	// its own options.
	Tools bool
	// Parameters returns the parameters of a command in PowerShell's notation: "-Name", "-Name or -Alias". It may be nil.
	Parameters func(command string) []string
	// Check returns why a cmdlet can't be called with the words behind its name, which has shell.Placeholder for values that are not
	// known yet. With piped it gets objects of the noun from, or of an unknown one. Bind returns the words for each call that a cmdlet
	// with objects from a pipe makes. Both are nil for programs.
	Check func(command string, words []string, piped bool, from string) error
	Bind  func(command string, words []string, objects []*shell.Object) ([][]string, error)
	// Product is the driver package that the commands are part of: they fail when it was uninstalled. Empty for commands of no package.
	Product packages.Product
	// Respell returns a line in the order and spelling of the table, such as the verb before the options. It may be nil.
	Respell func(words []string) []string

	described func() map[string]*Description
}

// Table is the table of commands, for look-up, help, documentation and completion. It is immutable and safe for concurrent use.
type Table struct {
	commands []*Command // in the order of help
	// starts maps the first word of names, and for tools also in lower case, to the commands.
	starts map[string]*start
	firsts []string
}

// start has the commands whose names begin with the same word.
type start struct {
	commands []*Command
	family   *Family
}

// NewTable returns a table of the families' commands, in the order of help.
func NewTable(families ...*Family) *Table {
	t := &Table{starts: map[string]*start{}}
	for _, family := range families {
		family.described = describeOnce(family)
		for i := range family.Commands {
			c := &family.Commands[i]
			c.Words, c.family = strings.Fields(c.Name), family
			t.commands = append(t.commands, c)
			first := c.Words[0]
			s := t.starts[first]
			if s == nil {
				s = &start{family: family}
				t.starts[first] = s
				t.firsts = append(t.firsts, first)
				if family.Tools {
					t.starts[strings.ToLower(first)] = s
					t.starts[strings.TrimSuffix(strings.ToLower(first), consoleExtension)] = s
				}
			}
			s.commands = append(s.commands, c)
		}
	}
	return t
}

// Commands returns the commands in the order of help.
func (t *Table) Commands() []*Command { return t.commands }

// start returns the commands whose names begin with a word; nil if there are none.
func (t *Table) start(word string) *start {
	if s := t.starts[word]; s != nil {
		return s
	}
	if s := t.starts[strings.ToLower(TrimExe(word))]; s != nil && s.family.Tools {
		return s
	}
	return t.starts[SetupProduct(word)]
}

// Respell applies the Respell of the family of the line's first word.
func (t *Table) Respell(words []string) []string {
	if len(words) > 0 {
		if s := t.start(words[0]); s != nil && s.family.Respell != nil {
			return s.family.Respell(words)
		}
	}
	return words
}

// Find returns the command whose name begins words; ok is false if there is none.
func (t *Table) Find(words []string) (command *Command, ok bool) {
	command, _ = t.Match(words)
	return command, command != nil
}

// Unknown returns the error for words that begin with no command; nil if one reads them.
func (t *Table) Unknown(words []string) error {
	_, _, err := t.find(words)
	return err
}

// IsProgram reports whether words call a program of the vendor or of Windows, or a cmdlet, which a real host has too.
func (t *Table) IsProgram(words []string) bool {
	command, ok := t.Find(words)
	return ok && command.family.Tools
}

// Match returns the command whose name begins words, and the words after the name; the command is nil if there is none.
func (t *Table) Match(words []string) (command *Command, rest []string) {
	if len(words) == 0 {
		return nil, nil
	}
	s := t.start(words[0])
	if s == nil {
		return nil, nil
	}
	if s.family.Respell != nil {
		words = s.family.Respell(words)
	}
	for _, c := range s.commands {
		if same := c.CountNameWords(words); same == len(c.Words) {
			return c, words[same:]
		}
	}
	return nil, nil
}

// find is Match, with an error for a line without a command: the unknown word, the most similar one, or how to complete the
// name.
func (t *Table) find(words []string) (command *Command, rest []string, err error) {
	if command, rest = t.Match(words); command != nil {
		return command, rest, nil
	}
	typed, words := words, t.Respell(words)
	known := 0         // number of words that begin a name
	var nexts []string // words that may follow
	for _, c := range t.commands {
		same := c.CountNameWords(words)
		if same > known {
			known, nexts = same, nil
		}
		if same == known && !slices.Contains(nexts, c.Words[same]) {
			nexts = append(nexts, c.Words[same])
		}
	}
	prefix := strings.Join(words[:known], " ")
	if command := manualCommand(typed); command != "" {
		return nil, nil, &unsupportedError{command}
	}
	if program := guestProgram(typed); known == 0 && program != "" {
		return nil, nil, fmt.Errorf("%s is a program of a virtual machine: vm console VM takes it", program)
	}
	if line := switchLine(typed); known == 0 && line != "" {
		return nil, nil, fmt.Errorf("%s is a line of a switch: switch console NAME takes it", line)
	}
	switch {
	case known == 0 && missingCmdlet(words[0]) != "":
		return nil, nil, Mistake("%s", missingCmdlet(words[0]))
	case known == 0:
		return nil, nil, Mistake("unknown command %q%s", words[0], Suggest(words[0], t.firsts, "cxdeck exec help lists the commands"))
	case len(words) == known:
		return nil, nil, Mistake("%s requires a subcommand: %s", prefix, strings.Join(nexts, ", "))
	}
	return nil, nil, Mistake("unknown command \"%s %s\"%s", prefix, words[known],
		Suggest(words[known], nexts, "the commands are "+strings.Join(nexts, ", ")))
}

// HasOwnHelp reports whether a word is the name of a tool that has a command for its own help, such as vlan_config --help.
func (t *Table) HasOwnHelp(word string) bool {
	s := t.start(word)
	return s != nil && s.family.Tools && slices.ContainsFunc(s.commands, func(c *Command) bool {
		return len(c.Words) > 1 && strings.HasSuffix(c.Words[1], "-help")
	})
}

// Split is the function Split, without the path before the name of a tool.
func (t *Table) Split(line string) ([]string, error) {
	words, err := syntax.Split(line)
	if len(words) > 0 {
		words[0] = t.toolName(words[0])
	}
	return words, err
}

// toolName removes the path before the name of a tool. Words that are not the name of a tool are returned unchanged.
func (t *Table) toolName(word string) string {
	at := strings.LastIndexAny(word, `\/`)
	if at < 0 || at == len(word)-1 {
		return word
	}
	name := TrimExe(word[at+1:])
	if slices.ContainsFunc(t.firsts, func(first string) bool { return strings.EqualFold(first, name) }) ||
		SetupProduct(word[at+1:]) != "" || manualCommand([]string{word[at+1:]}) != "" {
		return word[at+1:]
	}
	return word
}
