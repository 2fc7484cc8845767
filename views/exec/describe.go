package exec

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// Description is the text of a command in help, documentation and completion. The file of a family has a table
// [commands.NAME] for each: arguments and help are one line; about has paragraphs separated by empty lines; flags and fields
// have one "name: text" per line, continued by indented lines; examples have a line each, with their purpose indented below.
// {name} is replaced by a phrase, "@name" in fields by a set of fields. "@name PREFIX; more" puts PREFIX before the names of
// the set, and "; more" after the meanings.
type Description struct {
	// Arguments is the rest of the synopsis: "NAME...".
	Arguments string
	// Help is a phrase: "list adapters and ports".
	Help     string
	About    []string
	Flags    []Flag
	Examples []Example
	// Result lists the fields of result in the JSON document.
	Result []Field
}

// Example is a line to type, with its purpose.
type Example struct{ Line, Purpose string }

// Field is a field of a JSON result. Names of nested fields have dots: "adapters.name".
type Field struct{ Name, Meaning string }

// withPrefix returns the field as a part of another one. Name may have several names, separated by commas.
func (f Field) withPrefix(name string) Field {
	return Field{name + "." + strings.ReplaceAll(f.Name, ", ", ", "+name+"."), f.Meaning}
}

// Describe returns the description of the command from its family's texts.
func (c *Command) Describe() *Description {
	if d := c.family.described()[c.Name]; d != nil {
		return d
	}
	return &Description{}
}

// Parameters returns the PowerShell parameters of the command.
func (c *Command) Parameters() []string {
	if c.family.Parameters == nil {
		return nil
	}
	return c.family.Parameters(c.Name)
}

// Synopsis returns the syntax of the command: name, arguments and flags.
func (c *Command) Synopsis() string {
	parts := []string{c.Name}
	if arguments := c.Describe().Arguments; arguments != "" {
		parts = append(parts, arguments)
	}
	for _, flag := range c.Flags {
		parts = append(parts, "["+flag.synopsis()+"]")
	}
	return strings.Join(parts, " ")
}

func (d *Description) flagHelp(name string) string {
	for _, flag := range d.Flags {
		if flag.Name == name {
			return flag.Help
		}
	}
	return ""
}

// textFile is the form of a texts.toml.
type textFile struct {
	Phrases  map[string]string
	Fields   map[string]string
	Commands map[string]struct{ Arguments, Help, About, Flags, Examples, Fields string }
}

// sharedTexts has the sets of fields that several families use.
//
//go:embed texts.toml
var sharedTexts string

// describeOnce decodes the texts of a family at their first use.
func describeOnce(family *Family) func() map[string]*Description {
	return sync.OnceValue(func() map[string]*Description {
		all, err := describe(family)
		if err != nil {
			return nil // a test decodes all files
		}
		return all
	})
}

// describe decodes the texts of a family. It returns an error for texts that can't be decoded, a command or flag without
// texts, and texts without a command or flag.
func describe(family *Family) (map[string]*Description, error) {
	var own, shared textFile
	for _, file := range []struct {
		text string
		into *textFile
	}{{sharedTexts, &shared}, {family.Texts, &own}} {
		if err := toml.NewDecoder(strings.NewReader(file.text)).DisallowUnknownFields().Decode(file.into); err != nil {
			return nil, fmt.Errorf("texts of commands: %w", err)
		}
	}
	r := textReader{own: &own, shared: &shared, phrases: family.Phrases}
	all := map[string]*Description{}
	for i := range family.Commands {
		c := &family.Commands[i]
		text, ok := own.Commands[c.Name]
		if !ok {
			return nil, fmt.Errorf("the command %s has no texts", c.Name)
		}
		delete(own.Commands, c.Name)
		d := &Description{Arguments: r.expand(text.Arguments), Help: r.expand(text.Help), Examples: parseExamples(text.Examples)}
		for _, paragraph := range strings.Split(strings.TrimSpace(text.About), "\n\n") {
			if paragraph != "" {
				d.About = append(d.About, r.expand(paragraph))
			}
		}
		d.Result = r.fields(text.Fields)
		help := parsePairs(text.Flags)
		for n, flag := range c.Flags {
			if n >= len(help) || help[n].Name != flag.Name {
				return nil, fmt.Errorf("the texts of %s do not match its flags: --%s", c.Name, flag.Name)
			}
			flag.Help = r.expand(help[n].Meaning)
			d.Flags = append(d.Flags, flag)
		}
		if len(help) > len(c.Flags) {
			return nil, fmt.Errorf("the command %s has no flag --%s", c.Name, help[len(c.Flags)].Name)
		}
		all[c.Name] = d
	}
	for name := range own.Commands {
		return nil, fmt.Errorf("there are texts for %s, but no such command", name)
	}
	return all, r.err
}

// textReader expands phrases and sets of fields. phrases has the phrases that Go code writes, such as lists.
type textReader struct {
	own, shared *textFile
	phrases     map[string]func() string
	err         error
}

// phrasePattern matches {name}. PowerShell's own braces have no name in lower case right after them.
var phrasePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[a-z][a-z-]*\}`) })

// expand joins the lines of a text and replaces its phrases.
func (r *textReader) expand(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return phrasePattern().ReplaceAllStringFunc(text, func(name string) string {
		key := name[1 : len(name)-1]
		if phrase, ok := r.phrases[key]; ok {
			return phrase()
		}
		for _, file := range []*textFile{r.own, r.shared} {
			if phrase, ok := file.Phrases[key]; ok {
				return r.expand(phrase)
			}
		}
		r.err = fmt.Errorf("the phrase %s is not defined", name)
		return name
	})
}

// fields parses the fields of a text, and expands its sets.
func (r *textReader) fields(text string) (list []Field) {
	for _, line := range joinLines(text) {
		set, ok := strings.CutPrefix(line, "@")
		if !ok {
			name, meaning, _ := strings.Cut(line, ": ")
			list = append(list, Field{name, meaning})
			continue
		}
		set, more, _ := strings.Cut(set, ";")
		set, prefix, _ := strings.Cut(set, " ")
		text, ok := r.own.Fields[set]
		if !ok {
			text, ok = r.shared.Fields[set]
		}
		if !ok {
			r.err = fmt.Errorf("there is no set of fields @%s", set)
			continue
		}
		for _, f := range r.fields(text) {
			if prefix != "" {
				f = f.withPrefix(prefix)
			}
			if more != "" {
				f.Meaning += ";" + more
			}
			list = append(list, f)
		}
	}
	return list
}

// parsePairs parses lines of "name: text".
func parsePairs(text string) (list []Field) {
	for _, line := range joinLines(text) {
		name, meaning, _ := strings.Cut(line, ": ")
		list = append(list, Field{name, meaning})
	}
	return list
}

// joinLines returns the lines of a text; an indented line continues the one before it.
func joinLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		body := strings.TrimSpace(line)
		switch {
		case body == "":
		case line[0] == ' ' && len(lines) > 0:
			lines[len(lines)-1] += " " + body
		default:
			lines = append(lines, body)
		}
	}
	return lines
}

func parseExamples(text string) (list []Example) {
	for line := range strings.Lines(text) {
		body := strings.TrimSpace(line)
		switch {
		case body == "":
		case line[0] == ' ' && len(list) > 0:
			list[len(list)-1].Purpose = body
		default:
			list = append(list, Example{Line: body})
		}
	}
	return list
}
