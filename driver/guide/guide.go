// Package guide holds the procedures of the manuals as guides: each has a goal, what it asks, preconditions that are checked on the
// host, steps as lines of exec, the checks after them, limits and troubleshooting. Guides are data: embedded TOML files, or a file of
// the operator. The package neither runs nor checks a line.
package guide

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/pelletier/go-toml/v2"
)

//go:embed guides
var embedded embed.FS

// Guide is a procedure.
type Guide struct {
	// Name is the id of the procedure: "rss-configure". Group is its topic, one of Groups.
	Name  string `toml:"name" json:"name,omitempty"`
	Title string `toml:"title" json:"title,omitempty"`
	Group string `toml:"group" json:"group,omitempty"`
	// Families are the driver families that it is for: "winof", "winof2".
	Families []string `toml:"families" json:"families,omitempty"`
	Goal     string   `toml:"goal" json:"goal,omitempty"`
	// Source is its place in the manuals.
	Source string `toml:"source" json:"source,omitempty"`
	// Fields are what it asks.
	Fields []Field `toml:"fields" json:"fields,omitempty"`
	// Needs are the preconditions, After the checks after the last step.
	Needs []Check `toml:"needs" json:"needs,omitempty"`
	Steps []Step  `toml:"steps" json:"steps,omitempty"`
	After []Check `toml:"after" json:"after,omitempty"`
	// NoUndo is the reason why the guide can't be undone; empty for a guide whose changes are undone one by one. Undo are lines that
	// run after that, for what the journal of the host does not hold.
	NoUndo string   `toml:"no_undo" json:"no_undo,omitempty"`
	Undo   []string `toml:"undo" json:"undo,omitempty"`
	// Limits are sentences about what the procedure does not do.
	Limits  []string  `toml:"limits" json:"limits,omitempty"`
	Trouble []Trouble `toml:"trouble" json:"trouble,omitempty"`
	Try     Try       `toml:"try" json:"try,omitempty"`
}

// Field is a question.
type Field struct {
	// Name is its placeholder: {name} in lines and texts is the answer.
	Name  string    `toml:"name" json:"name,omitempty"`
	Label string    `toml:"label" json:"label,omitempty"`
	Kind  FieldKind `toml:"kind" json:"kind,omitempty"`
	// Default is the answer without another one; empty for none. Choices are the possible answers of a choice.
	Default string   `toml:"default" json:"default,omitempty"`
	Choices []string `toml:"choices" json:"choices,omitempty"`
	// Optional allows an empty answer.
	Optional bool `toml:"optional" json:"optional,omitempty"`
	// InfiniBand reports that a connection must be InfiniBand; others are Ethernet.
	InfiniBand bool   `toml:"infiniband" json:"infiniband,omitempty"`
	Help       string `toml:"help" json:"help,omitempty"`
}

// FieldKind is the kind of an answer.
type FieldKind string

// The kinds of answers.
const (
	Text       FieldKind = "text"
	Number     FieldKind = "number"
	YesNo      FieldKind = "yes-no"
	Choice     FieldKind = "choice"
	Connection FieldKind = "connection"
	Team       FieldKind = "team"
	Machine    FieldKind = "machine"
	File       FieldKind = "file"
)

var fieldKinds = []FieldKind{Text, Number, YesNo, Choice, Connection, Team, Machine, File}

// Check is a line of exec that reads, and what its answer must say.
type Check struct {
	// Text is what holds when the check is met.
	Text string `toml:"text" json:"text,omitempty"`
	// Run is the line. Without a line nobody can see it from the host, and the operator confirms it.
	Run string `toml:"run" json:"run,omitempty"`
	// Expect must match the answer, Refuse must not; both are regular expressions, and empty ones are not looked at.
	Expect string `toml:"expect" json:"expect,omitempty"`
	Refuse string `toml:"refuse" json:"refuse,omitempty"`
	// Fails reports that the line must fail, such as a search for a name that is not in use.
	Fails bool `toml:"fails" json:"fails,omitempty"`
	// When is the condition under which it applies; see Applies.
	When string `toml:"when" json:"when,omitempty"`
	// Guide is the guide that meets it, Meet are lines that do; both are empty when nothing in the console can.
	Guide string   `toml:"guide" json:"guide,omitempty"`
	Meet  []string `toml:"meet" json:"meet,omitempty"`
}

// StepKind is the kind of a step.
type StepKind string

// The kinds of steps.
const (
	// Run is a step of commands.
	Run StepKind = "run"
	// Look is a step that only reads.
	Look StepKind = "look"
	// Outside is work outside the host: the firmware set-up of a server, a cable, another machine. Its lines do it in the lab.
	Outside StepKind = "outside"
)

// Step is a step.
type Step struct {
	Title string   `toml:"title" json:"title,omitempty"`
	Text  string   `toml:"text" json:"text,omitempty"`
	Kind  StepKind `toml:"kind" json:"kind,omitempty"`
	// Run are its lines of exec, as the manuals have them.
	Run []string `toml:"run" json:"run,omitempty"`
	// Expect must match the answer of the last line.
	Expect string `toml:"expect" json:"expect,omitempty"`
	// Keep takes answers of later placeholders from the answers of the lines: the first group of a regular expression.
	Keep map[string]string `toml:"keep" json:"keep,omitempty"`
	When string            `toml:"when" json:"when,omitempty"`
}

// Trouble is a row of a troubleshooting table.
type Trouble struct {
	Symptom string `toml:"symptom" json:"symptom,omitempty"`
	Cause   string `toml:"cause" json:"cause,omitempty"`
	Fix     string `toml:"fix" json:"fix,omitempty"`
}

// Try is how the guide is tried in the lab.
type Try struct {
	// Lab is the embedded lab; empty for the default lab.
	Lab string `toml:"lab" json:"lab,omitempty"`
	// Prepare are lines that bring the lab into the state that the guide starts from, Answers the answers.
	Prepare []string          `toml:"prepare" json:"prepare,omitempty"`
	Answers map[string]string `toml:"answers" json:"answers,omitempty"`
}

// Groups are the topics, in the order of the list.
var Groups = []string{
	"installation", "ports", "teaming", "virtualization", "qos", "rdma", "performance", "infiniband", "firmware", "diagnosis", "boot",
}

// Limits of a guide.
const (
	// MaxText is the maximum size of a file in bytes.
	MaxText  = 128 << 10
	maxName  = 60
	maxTitle = 80
	maxLong  = 2000
	maxLine  = 1000
	maxList  = 60
)

// TextError is an error in a guide, with its place.
type TextError struct {
	// Line and Column count from 1; both are 0 when the place is unknown.
	Line, Column int
	Problem      string
}

// Error returns the place and the problem.
func (e *TextError) Error() string {
	if e.Line == 0 {
		return e.Problem
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// Parse reads a guide and checks it, except for what its lines do. It returns a *TextError.
func Parse(text []byte) (*Guide, error) {
	if len(text) > MaxText {
		return nil, &TextError{Problem: fmt.Sprintf("the guide is longer than %d kB", MaxText>>10)}
	}
	g := new(Guide)
	err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(g)
	var strict *toml.StrictMissingError
	var decode *toml.DecodeError
	switch {
	case err == nil:
	case errors.As(err, &strict) && len(strict.Errors) > 0:
		line, column := strict.Errors[0].Position()
		key := strict.Errors[0].Key()
		return nil, &TextError{line, column, fmt.Sprintf("a guide has no key %q", key[len(key)-1])}
	case errors.As(err, &decode):
		line, column := decode.Position()
		return nil, &TextError{line, column, oneLine(strings.TrimPrefix(decode.Error(), "toml: "))}
	default:
		return nil, &TextError{Problem: oneLine(strings.TrimPrefix(err.Error(), "toml: "))}
	}
	if problem := g.problem(); problem != "" {
		return nil, &TextError{Problem: problem}
	}
	return g, nil
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

var namePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`) })

// problem returns what is wrong with a guide; empty for nothing.
func (g *Guide) problem() string {
	switch {
	case g.Name == "":
		return "name is required"
	case len(g.Name) > maxName || !namePattern().MatchString(g.Name):
		return fmt.Sprintf("name must be at most %d small letters, digits and hyphens, not %q", maxName, shorten(g.Name))
	case !slices.Contains(Groups, g.Group):
		return fmt.Sprintf("group must be one of %s, not %q", strings.Join(Groups, ", "), shorten(g.Group))
	case len(g.Steps) == 0:
		return "steps is required"
	case len(g.Families) == 0 || slices.ContainsFunc(g.Families, func(f string) bool { return f != "winof" && f != "winof2" }):
		return `families must list "winof", "winof2" or both`
	}
	if problem := g.textProblem(); problem != "" {
		return problem
	}
	known := map[string]bool{}
	for i := range g.Fields {
		f := &g.Fields[i]
		switch {
		case !namePattern().MatchString(f.Name):
			return fmt.Sprintf("the name of field %d must be small letters, digits and hyphens, not %q", i+1, shorten(f.Name))
		case known[f.Name]:
			return fmt.Sprintf("two fields have the name %q", f.Name)
		case !slices.Contains(fieldKinds, f.Kind):
			return fmt.Sprintf("field %s: there is no kind %q", f.Name, shorten(string(f.Kind)))
		case (f.Kind == Choice) != (len(f.Choices) > 0):
			return fmt.Sprintf("field %s: choices belong to the kind %q", f.Name, Choice)
		}
		if f.Default != "" {
			if err := f.Check(f.Default); err != nil {
				return fmt.Sprintf("the default of field %s: %v", f.Name, err)
			}
		}
		known[f.Name] = true
	}
	for i := range g.Steps {
		s := &g.Steps[i]
		switch {
		case s.Kind != Run && s.Kind != Look && s.Kind != Outside:
			return fmt.Sprintf("step %d: there is no kind %q", i+1, shorten(string(s.Kind)))
		case s.Kind != Outside && len(s.Run) == 0:
			return fmt.Sprintf("step %d has no line in run", i+1)
		}
		if problem := unknownPlaceholder(known, append(slices.Clone(s.Run), s.Title, s.Text)); problem != "" {
			return fmt.Sprintf("step %d: %s", i+1, problem)
		}
		if problem := conditionProblem(known, s.When); problem != "" {
			return fmt.Sprintf("step %d: %s", i+1, problem)
		}
		for name := range s.Keep {
			known[name] = true
		}
	}
	for _, list := range [][]Check{g.Needs, g.After} {
		for i := range list {
			c := &list[i]
			if problem := cmp.Or(unknownPlaceholder(known, append(slices.Clone(c.Meet), c.Run, c.Text)), conditionProblem(known, c.When)); problem != "" {
				return fmt.Sprintf("the check %q: %s", shorten(c.Text), problem)
			}
		}
	}
	return cmp.Or(g.patternProblem(), unknownPlaceholder(known, g.Undo))
}

// textProblem checks the lengths and characters of the texts.
func (g *Guide) textProblem() string {
	type text struct {
		name     string
		values   []string
		required bool
		longest  int
	}
	texts := []text{
		{"title", []string{g.Title}, true, maxTitle}, {"goal", []string{g.Goal}, true, maxLong}, {"source", []string{g.Source}, true, maxLong},
		{"no_undo", []string{g.NoUndo}, false, maxLong}, {"undo", g.Undo, true, maxLine}, {"limits", g.Limits, true, maxLong},
		{"prepare", g.Try.Prepare, true, maxLine},
	}
	for i := range g.Fields {
		f := &g.Fields[i]
		texts = append(texts, text{"label", []string{f.Label}, true, maxTitle}, text{"help", []string{f.Help}, false, maxLong}, text{"choices", f.Choices, true, maxTitle})
	}
	for i := range g.Steps {
		s := &g.Steps[i]
		texts = append(texts, text{fmt.Sprintf("title of step %d", i+1), []string{s.Title}, true, maxTitle},
			text{fmt.Sprintf("text of step %d", i+1), []string{s.Text}, false, maxLong}, text{fmt.Sprintf("run of step %d", i+1), s.Run, true, maxLine})
	}
	for _, c := range slices.Concat(g.Needs, g.After) {
		texts = append(texts, text{"text of a check", []string{c.Text}, true, maxLong}, text{"run of a check", []string{c.Run}, false, maxLine}, text{"meet", c.Meet, true, maxLine})
	}
	for _, t := range g.Trouble {
		texts = append(texts, text{"trouble", []string{t.Symptom, t.Fix}, true, maxLong}, text{"trouble", []string{t.Cause}, false, maxLong})
	}
	for _, t := range texts {
		if len(t.values) > maxList {
			return fmt.Sprintf("%s has more than %d entries", t.name, maxList)
		}
		for _, value := range t.values {
			switch {
			case strings.TrimSpace(value) == "" && t.required:
				return t.name + " is required"
			case len(value) > t.longest:
				return fmt.Sprintf("%s is longer than %d characters", t.name, t.longest)
			case strings.ContainsFunc(value, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }):
				return t.name + " has a control character"
			case t.longest == maxLine && strings.Contains(value, "\n"):
				return t.name + " has a line break within a line"
			}
		}
	}
	return ""
}

// patternProblem checks the regular expressions.
func (g *Guide) patternProblem() string {
	patterns := map[string]string{}
	for i := range g.Steps {
		patterns[g.Steps[i].Expect] = g.Steps[i].Title
		for name, pattern := range g.Steps[i].Keep {
			if compiled, err := regexp.Compile(pattern); err == nil && compiled.NumSubexp() != 1 {
				return fmt.Sprintf("keep of %s must have one group in parentheses", name)
			}
			patterns[pattern] = g.Steps[i].Title
		}
	}
	for _, c := range slices.Concat(g.Needs, g.After) {
		patterns[c.Expect], patterns[c.Refuse] = c.Text, c.Text
	}
	for pattern, where := range patterns {
		if _, err := regexp.Compile(pattern); err != nil {
			return fmt.Sprintf("%q of %s is no regular expression: %v", shorten(pattern), shorten(where), err)
		}
	}
	return ""
}

func shorten(text string) string {
	if runes := []rune(text); len(runes) > maxName {
		return string(runes[:maxName]) + "…"
	}
	return text
}

// All returns the embedded guides by group and title. They are read on first use.
func All() []*Guide { return all() }

// Find returns the embedded guide with a name.
func Find(name string) (*Guide, bool) {
	i := slices.IndexFunc(all(), func(g *Guide) bool { return strings.EqualFold(g.Name, name) })
	if i < 0 {
		return nil, false
	}
	return all()[i], true
}

var all = sync.OnceValue(func() []*Guide {
	list, err := readAll(embedded)
	if err != nil {
		panic("guide: an embedded guide is damaged: " + err.Error()) // a test reads them: this can't ship
	}
	return list
})

func readAll(files fs.FS) (list []*Guide, err error) {
	err = fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		g, err := Parse(text)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, g)
		return nil
	})
	slices.SortStableFunc(list, func(a, b *Guide) int {
		return cmp.Or(cmp.Compare(slices.Index(Groups, a.Group), slices.Index(Groups, b.Group)), strings.Compare(a.Title, b.Title))
	})
	return list, err
}
