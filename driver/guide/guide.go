// Package guide holds the procedures of the manuals as guides: each has a goal, what it asks, preconditions that are checked on the
// host, steps as lines of exec, the checks after them, limits and troubleshooting. Guides are data: embedded TOML files, or a file of
// the operator. The package neither runs nor checks a line.
package guide

import (
	"cmp"
	"embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cxdeck/device/tomlfile"
	"cxdeck/driver/wording"
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
	// Procedures are the procedures of the manuals that the form of the guide leads through.
	Procedures []string `toml:"procedures" json:"procedures,omitempty"`
	// Pages are the pages of its form, in order; a guide without a plan step has none.
	Pages []Page `toml:"pages" json:"pages,omitempty"`
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
	InfiniBand bool `toml:"infiniband" json:"infiniband,omitempty"`
	// Low and High are the limits of a number; without limits both are 0.
	Low  int    `toml:"low" json:"low,omitempty"`
	High int    `toml:"high" json:"high,omitempty"`
	Help string `toml:"help" json:"help,omitempty"`
	FormPart
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

var fieldKinds = []FieldKind{Text, Number, YesNo, Choice, Connection, Team, Machine, File, MAC, One, Many, Rows, Shares, Facts, Curves}

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
	// Each is a field whose answer is a list: the check is made for each item, and {FIELD} is the item. Where items have parts with a
	// slash between them, such as a machine and its adapter, {FIELD-1} and {FIELD-2} are the parts.
	Each string `toml:"each" json:"each,omitempty"`
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
	// Plan is a step whose plan a form makes from the answers: it is applied wholly or not at all. Its lines run after the plan.
	Plan StepKind = "plan"
)

// Step is a step.
type Step struct {
	Title string   `toml:"title" json:"title,omitempty"`
	Text  string   `toml:"text" json:"text,omitempty"`
	Kind  StepKind `toml:"kind" json:"kind,omitempty"`
	// Form is the form of a plan step.
	Form string `toml:"form" json:"form,omitempty"`
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

// Parse reads a guide and checks it, except for what its lines do. It returns a *tomlfile.Error.
func Parse(text []byte) (*Guide, error) {
	g := new(Guide)
	if err := tomlfile.Decode(text, g, "a guide", MaxText); err != nil {
		return nil, err
	}
	if problem := g.problem(); problem != "" {
		return nil, &tomlfile.Error{Problem: problem}
	}
	return g, nil
}

// problem returns what is wrong with a guide; empty for nothing.
func (g *Guide) problem() string {
	switch {
	case g.Name == "":
		return "name is required"
	case len(g.Name) > maxName || !tomlfile.IsName(g.Name):
		return fmt.Sprintf("name must be at most %d small letters, digits and hyphens, not %q", maxName, wording.Shorten(g.Name, maxName))
	case !slices.Contains(Groups, g.Group):
		return fmt.Sprintf("group must be one of %s, not %q", strings.Join(Groups, ", "), wording.Shorten(g.Group, maxName))
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
		case !tomlfile.IsName(f.Name):
			return fmt.Sprintf("the name of field %d must be small letters, digits and hyphens, not %q", i+1, wording.Shorten(f.Name, maxName))
		case known[f.Name]:
			return fmt.Sprintf("two fields have the name %q", f.Name)
		case !slices.Contains(fieldKinds, f.Kind):
			return fmt.Sprintf("field %s: there is no kind %q", f.Name, wording.Shorten(string(f.Kind), maxName))
		case (f.Kind == Choice) != (len(f.Choices)+len(f.Options) > 0):
			return fmt.Sprintf("field %s: choices belong to the kind %q", f.Name, Choice)
		}
		if problem := g.formProblem(f); problem != "" {
			return fmt.Sprintf("field %s: %s", f.Name, problem)
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
		case s.Kind != Run && s.Kind != Look && s.Kind != Outside && s.Kind != Plan:
			return fmt.Sprintf("step %d: there is no kind %q", i+1, wording.Shorten(string(s.Kind), maxName))
		case (s.Kind == Plan) != (s.Form != ""):
			return fmt.Sprintf("step %d: a form belongs to the kind %q", i+1, Plan)
		case s.Kind == Plan && len(g.Pages) == 0:
			return fmt.Sprintf("step %d: a guide with a form requires pages", i+1)
		case s.Kind != Outside && s.Kind != Plan && len(s.Run) == 0:
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
			if f, found := g.Field(c.Each); c.Each != "" && (!found || f.Kind != Many) {
				return fmt.Sprintf("the check %q: each must be a field of the kind %q", wording.Shorten(c.Text, maxName), Many)
			}
			known := maps.Clone(known)
			for part := range partsOfItem {
				known[partName(c.Each, part)] = c.Each != ""
			}
			if problem := cmp.Or(unknownPlaceholder(known, append(slices.Clone(c.Meet), c.Run, c.Text)), conditionProblem(known, c.When)); problem != "" {
				return fmt.Sprintf("the check %q: %s", wording.Shorten(c.Text, maxName), problem)
			}
		}
	}
	return cmp.Or(g.patternProblem(), unknownPlaceholder(known, g.Undo))
}

// textProblem checks the lengths and characters of the texts.
func (g *Guide) textProblem() string {
	var fields []tomlfile.Field
	add := func(name string, required bool, limit int, values ...string) {
		fields = append(fields, tomlfile.Field{Name: name, Values: values, MaxCount: maxList, MaxLength: limit, Optional: !required, Line: limit == maxLine})
	}
	add("title", true, maxTitle, g.Title)
	add("goal", true, maxLong, g.Goal)
	add("source", true, maxLong, g.Source)
	add("no_undo", false, maxLong, g.NoUndo)
	add("undo", true, maxLine, g.Undo...)
	add("limits", true, maxLong, g.Limits...)
	add("prepare", true, maxLine, g.Try.Prepare...)
	for i := range g.Fields {
		f := &g.Fields[i]
		add("label", true, maxTitle, f.Label)
		add("help", false, maxLong, f.Help)
		add("choices", true, maxTitle, f.Choices...)
	}
	for i := range g.Steps {
		s := &g.Steps[i]
		add(fmt.Sprintf("title of step %d", i+1), true, maxTitle, s.Title)
		add(fmt.Sprintf("text of step %d", i+1), false, maxLong, s.Text)
		add(fmt.Sprintf("run of step %d", i+1), true, maxLine, s.Run...)
	}
	for _, c := range slices.Concat(g.Needs, g.After) {
		add("text of a check", true, maxLong, c.Text)
		add("run of a check", false, maxLine, c.Run)
		add("meet", true, maxLine, c.Meet...)
	}
	for _, t := range g.Trouble {
		add("symptom", true, maxLong, t.Symptom)
		add("cause", false, maxLong, t.Cause)
		add("fix", true, maxLong, t.Fix)
	}
	for i := range fields {
		if problem := fields[i].Problem(); problem != "" {
			return problem
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
			return fmt.Sprintf("%q of %s is no regular expression: %v", wording.Shorten(pattern, maxName), wording.Shorten(where, maxName), err)
		}
	}
	return ""
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
	list, err := tomlfile.ReadAll(embedded, Parse)
	if err != nil {
		panic("guide: an embedded guide is damaged: " + err.Error()) // a test reads them: this can't ship
	}
	slices.SortStableFunc(list, func(a, b *Guide) int {
		return cmp.Or(cmp.Compare(slices.Index(Groups, a.Group), slices.Index(Groups, b.Group)), strings.Compare(a.Title, b.Title))
	})
	return list
})
