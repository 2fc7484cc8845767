package exec

import (
	"slices"
	"strings"
)

// Family is a group of commands with the file of their texts.
type Family struct {
	Commands []Command
	// Texts is the TOML file with the descriptions; see Description.
	Texts string
	// Phrases are texts that tables of the driver make, for the {name} of a description.
	Phrases map[string]func() string
	// Tools reports that the commands are programs of the vendor or of Windows: their names have no case, options begin
	// with one dash, and each reads its own.
	Tools bool
	// Parameters returns the parameters of a command in PowerShell's notation: "-Name", "-Name or -Alias". It may be nil.
	Parameters func(command string) []string
	// Respell puts a line as an operator may write it into the order and spelling of the table, such as options
	// before a verb; nil changes nothing.
	Respell func(words []string) []string

	described func() map[string]*Description
}

// Table is the table of commands: looking a line up, help, documentation and completion are made from it. It does not
// change once it is made, and any number of goroutines may use it.
type Table struct {
	commands []*Command // in the order of help
	// starts has the commands by their first word, as it is written and in lower case.
	starts map[string]*start
	firsts []string
}

// start is a first word with the commands that begin with it.
type start struct {
	commands []*Command
	family   *Family
}

// NewTable makes a table of families, in the order of help.
func NewTable(families ...*Family) *Table {
	t := &Table{starts: map[string]*start{}}
	for _, family := range families {
		family.described = describeOnce(family)
		for i := range family.Commands {
			c := &family.Commands[i]
			c.words, c.family = strings.Fields(c.Name), family
			t.commands = append(t.commands, c)
			first := c.words[0]
			s := t.starts[first]
			if s == nil {
				s = &start{family: family}
				t.starts[first] = s
				t.firsts = append(t.firsts, first)
				if family.Tools {
					t.starts[strings.ToLower(first)] = s
				}
			}
			s.commands = append(s.commands, c)
		}
	}
	return t
}

// Commands returns the commands in the order of help.
func (t *Table) Commands() []*Command { return t.commands }

// start returns the entry of a first word; nil when no command begins with it.
func (t *Table) start(word string) *start {
	if s := t.starts[word]; s != nil {
		return s
	}
	if s := t.starts[strings.ToLower(TrimExe(word))]; s != nil && s.family.Tools {
		return s
	}
	return nil
}

// respell returns a line in the spelling of the table.
func (t *Table) respell(words []string) []string {
	if len(words) > 0 {
		if s := t.start(words[0]); s != nil && s.family.Respell != nil {
			return s.family.Respell(words)
		}
	}
	return words
}

// Find returns the command that words begin with.
func (t *Table) Find(words []string) (command *Command, ok bool) {
	command, _ = t.match(words)
	return command, command != nil
}

// match returns the command that words begin with and the words that follow its name; nil without one.
func (t *Table) match(words []string) (command *Command, rest []string) {
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
		if same := c.begins(words); same == len(c.words) {
			return c, words[same:]
		}
	}
	return nil, nil
}

// find is match with an error that names the word that is wrong.
func (t *Table) find(words []string) (command *Command, rest []string, err error) {
	if command, rest = t.match(words); command != nil {
		return command, rest, nil
	}
	typed, words := words, t.respell(words)
	known := 0         // words that begin a name
	var nexts []string // words that may follow them
	for _, c := range t.commands {
		same := c.begins(words)
		if same > known {
			known, nexts = same, nil
		}
		if same == known && !slices.Contains(nexts, c.words[same]) {
			nexts = append(nexts, c.words[same])
		}
	}
	front := strings.Join(words[:known], " ")
	if command := manualCommand(typed); command != "" {
		return nil, nil, &notHereError{command}
	}
	switch {
	case known == 0:
		return nil, nil, Mistake("unknown command %q%s", words[0], Suggest(words[0], t.firsts, "help lists all"))
	case len(words) == known:
		return nil, nil, Mistake("%s is incomplete: %s", front, strings.Join(nexts, ", "))
	}
	return nil, nil, Mistake("unknown command \"%s %s\"%s", front, words[known],
		Suggest(words[known], nexts, "the commands are "+strings.Join(nexts, ", ")))
}

// OwnHelp reports whether a word is the name of a tool that has a command for its own help, such as vlan_config --help.
func (t *Table) OwnHelp(word string) bool {
	s := t.start(word)
	return s != nil && s.family.Tools && slices.ContainsFunc(s.commands, func(c *Command) bool {
		return len(c.words) > 1 && strings.HasSuffix(c.words[1], "-help")
	})
}

// Split cuts a line into words as the function does, and leaves out the path that precedes the name of a tool.
func (t *Table) Split(line string) ([]string, error) {
	words, err := Split(line)
	if len(words) > 0 {
		words[0] = t.toolName(words[0])
	}
	return words, err
}

// toolName returns the word that a line begins with as a command is called: without the path before it.
func (t *Table) toolName(word string) string {
	at := strings.LastIndexAny(word, `\/`)
	if at < 0 || at == len(word)-1 {
		return word
	}
	name := TrimExe(word[at+1:])
	if slices.ContainsFunc(t.firsts, func(first string) bool { return strings.EqualFold(first, name) }) ||
		manualCommand([]string{word[at+1:]}) != "" {
		return word[at+1:]
	}
	return word
}
