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
// {name} represents a phrase, "@name" in fields for a set of fields, "@name PREFIX; more" for a set whose names begin with
// PREFIX and whose meanings end with "; more".
type Description struct {
	// Arguments is the rest of the synopsis: "NAME...".
	Arguments string
	// Help is a phrase: "list adapters and ports".
	Help     string
	About    []string
	Flags    []Flag
	Examples []Example
	// Result has the fields of the JSON document's result.
	Result []Field
}

// Example is a line with its purpose.
type Example struct{ Line, What string }

// Field is a field of a JSON result; the fields of a list have names with dots: "adapters.name".
type Field struct{ Name, Meaning string }

// withPrefix returns a field within another; it may be several names with commas between them.
func (f Field) withPrefix(name string) Field {
	return Field{name + "." + strings.ReplaceAll(f.Name, ", ", ", "+name+"."), f.Meaning}
}

// Describe returns the description of the command.
func (c *Command) Describe() *Description {
	if d := c.family.described()[c.Name]; d != nil {
		return d
	}
	return &Description{}
}

// parameters returns the parameters of the command besides flags.
func (c *Command) parameters() []string {
	if c.family.Parameters == nil {
		return nil
	}
	return c.family.Parameters(c.Name)
}

// Synopsis returns how the command is written.
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

// textFile is a file of texts as it is written.
type textFile struct {
	Phrases  map[string]string
	Fields   map[string]string
	Commands map[string]struct{ Arguments, Help, About, Flags, Examples, Fields string }
}

// sharedTexts has the phrases and sets of fields that several families use.
//
//go:embed texts.toml
var sharedTexts string

// describeOnce decodes the texts of a family when they are first asked for.
func describeOnce(family *Family) func() map[string]*Description {
	return sync.OnceValue(func() map[string]*Description {
		all, err := describe(family)
		if err != nil {
			return nil // a test holds that all files can be read
		}
		return all
	})
}

// describe decodes the texts of a family. The error names the first thing that can't be read, or that no command has.
func describe(family *Family) (map[string]*Description, error) {
	var own, shared textFile
	for _, one := range []struct {
		text string
		into *textFile
	}{{sharedTexts, &shared}, {family.Texts, &own}} {
		if err := toml.NewDecoder(strings.NewReader(one.text)).DisallowUnknownFields().Decode(one.into); err != nil {
			return nil, fmt.Errorf("texts of commands: %w", err)
		}
	}
	r := textReader{own: &own, shared: &shared, made: family.Phrases}
	all := map[string]*Description{}
	for i := range family.Commands {
		c := &family.Commands[i]
		text, ok := own.Commands[c.Name]
		if !ok {
			return nil, fmt.Errorf("the command %s has no texts", c.Name)
		}
		delete(own.Commands, c.Name)
		d := &Description{Arguments: r.expand(text.Arguments), Help: r.expand(text.Help), Examples: examples(text.Examples)}
		for _, paragraph := range strings.Split(strings.TrimSpace(text.About), "\n\n") {
			if paragraph != "" {
				d.About = append(d.About, r.expand(paragraph))
			}
		}
		d.Result = r.fields(text.Fields)
		help := pairs(text.Flags)
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

// textReader expands phrases and sets of fields.
type textReader struct {
	own, shared *textFile
	made        map[string]func() string
	err         error
}

// phraseName is a phrase in a text. PowerShell has other things in braces.
var phraseName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[a-z][a-z-]*\}`) })

// expand joins the lines of a text and puts the phrases in.
func (r *textReader) expand(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return phraseName().ReplaceAllStringFunc(text, func(name string) string {
		key := name[1 : len(name)-1]
		if made, ok := r.made[key]; ok {
			return made()
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

// fields returns the fields of a text, with the sets that it names.
func (r *textReader) fields(text string) (list []Field) {
	for _, line := range joined(text) {
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

// pairs are lines of "name: text".
func pairs(text string) (list []Field) {
	for _, line := range joined(text) {
		name, meaning, _ := strings.Cut(line, ": ")
		list = append(list, Field{name, meaning})
	}
	return list
}

// joined returns the lines of a text, each with the indented ones that continue with it.
func joined(text string) (lines []string) {
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

func examples(text string) (list []Example) {
	for line := range strings.Lines(text) {
		body := strings.TrimSpace(line)
		switch {
		case body == "":
		case line[0] == ' ' && len(list) > 0:
			list[len(list)-1].What = body
		default:
			list = append(list, Example{Line: body})
		}
	}
	return list
}
