// Package exercise holds exercises for operators: each describes a host on which something is broken, as lines of exec, with what the
// operator is told, hints, and the steps of an expert. Exercises are data: embedded TOML files, or a file of the operator. The package
// neither breaks nor judges a host.
package exercise

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/tomlfile"
	"cxdeck/driver/wording"
)

//go:embed exercises
var embedded embed.FS

// Exercise is a host on which something is broken.
type Exercise struct {
	// Name identifies the exercise: "cable-out". Title does not reveal what is broken.
	Name  string `toml:"name"`
	Title string `toml:"title"`
	// Level is the difficulty, 1 to 5.
	Level int `toml:"level"`
	// Lab is the name of an embedded lab; empty for the default lab.
	Lab string `toml:"lab"`
	// Places are connections of which the seed chooses one; {place} in lines and texts is its name.
	Places []string `toml:"places"`
	// Story is what users report.
	Story string `toml:"story"`
	// Prepare are lines of exec that set up the host before it is broken; they are not faults.
	Prepare []string `toml:"prepare"`
	// Break are lines of exec that break the host, and Settle is the time that passes before the operator is called.
	Break  []string `toml:"break"`
	Settle Duration `toml:"settle"`
	// Broken says what was broken, Signs what shows it. They are shown at the end.
	Broken string   `toml:"broken"`
	Signs  []string `toml:"signs"`
	// Rules are the rules of findings that show what is broken: while one of them finds something that a healthy host has not, the
	// exercise is not solved.
	Rules []string `toml:"rules"`
	// Accepts are workloads that may stop in a solution, such as the traffic of a machine in quarantine.
	Accepts []string `toml:"accepts"`
	// Hints are given one by one on request.
	Hints []string `toml:"hints"`
	// Steps are the solution of an expert.
	Steps []Step `toml:"steps"`
}

// Step is a step of a solution.
type Step struct {
	// Text describes the step, Run are its lines of exec; a step that only looks has none that change the host.
	Text string   `toml:"text"`
	Run  []string `toml:"run"`
}

// Duration is a length of time as text: "20s".
type Duration time.Duration

// UnmarshalText reads "20s".
func (d *Duration) UnmarshalText(text []byte) error {
	read, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("invalid time %q: write it like 20s or 2m", text)
	}
	*d = Duration(read)
	return nil
}

// Levels is the number of levels.
const Levels = 5

// LevelWords describe the levels, from 1.
var LevelWords = [Levels + 1]string{
	1: "one fault that is plain to see", 2: "one setting of a port", 3: "one fault that affects traffic with peers, in Windows, at the adapter or at the switch port",
	4: "one fault that shows somewhere else", 5: "two faults, one of which hides the other",
}

// Limits of an exercise.
const (
	// MaxText is the maximum size of a file in bytes.
	MaxText     = 64 << 10
	maxName     = 40
	maxTitle    = 60
	maxSentence = 2000
	maxLine     = 500
	maxLines    = 60
	maxTexts    = 20
	maxSettle   = 10 * time.Minute
)

// Parse reads an exercise and checks it, except for what its lines do. It returns a *tomlfile.Error.
func Parse(text []byte) (*Exercise, error) {
	e := new(Exercise)
	if err := tomlfile.Decode(text, e, "an exercise", MaxText); err != nil {
		return nil, err
	}
	if problem := e.problem(); problem != "" {
		return nil, &tomlfile.Error{Problem: problem}
	}
	return e, nil
}

// problem returns what is wrong with an exercise; empty for nothing.
func (e *Exercise) problem() string {
	switch {
	case e.Name == "":
		return "name is required"
	case len(e.Name) > maxName || !tomlfile.IsName(e.Name):
		return fmt.Sprintf("name must be at most %d small letters, digits and hyphens, not %q", maxName, wording.Shorten(e.Name, maxName))
	case e.Level < 1 || e.Level > Levels:
		return fmt.Sprintf("level must be 1 to %d, not %d", Levels, e.Level)
	case e.Lab != "" && !slices.ContainsFunc(description.NamedLabs(), func(l description.NamedLab) bool { return l.Name == e.Lab }):
		return fmt.Sprintf("there is no embedded lab %q", wording.Shorten(e.Lab, maxName))
	case time.Duration(e.Settle) < 0 || time.Duration(e.Settle) > maxSettle:
		return fmt.Sprintf("settle must be 0s to %s", maxSettle)
	case len(e.Steps) == 0:
		return "steps is required: the solution of an expert"
	case len(e.Steps) > maxTexts:
		return fmt.Sprintf("steps has more than %d entries", maxTexts)
	}
	text := func(name, value string, limit int) tomlfile.Field {
		return tomlfile.Field{Name: name, Values: []string{value}, MinCount: 1, MaxCount: 1, MaxLength: limit}
	}
	texts := func(name string, values []string, minCount int) tomlfile.Field {
		return tomlfile.Field{Name: name, Values: values, MinCount: minCount, MaxCount: maxTexts, MaxLength: maxSentence}
	}
	lines := func(name string, values []string, minCount, maxCount int) tomlfile.Field {
		return tomlfile.Field{Name: name, Values: values, MinCount: minCount, MaxCount: maxCount, MaxLength: maxLine, Line: true}
	}
	fields := []tomlfile.Field{
		text("title", e.Title, maxTitle), text("story", e.Story, maxSentence), text("broken", e.Broken, maxSentence),
		lines("break", e.Break, 1, maxLines), texts("signs", e.Signs, 1), texts("hints", e.Hints, 1), lines("accepts", e.Accepts, 0, maxTexts),
		{Name: "rules", Values: e.Rules, MinCount: 1, MaxCount: maxTexts, MaxLength: maxName}, lines("prepare", e.Prepare, 0, maxLines),
		lines("places", e.Places, 0, maxTexts),
	}
	changes := false
	for i := range e.Steps {
		fields = append(fields, text(fmt.Sprintf("text of step %d", i+1), e.Steps[i].Text, maxSentence),
			lines(fmt.Sprintf("run of step %d", i+1), e.Steps[i].Run, 0, maxLines))
		changes = changes || len(e.Steps[i].Run) > 0
	}
	for i := range fields {
		if problem := fields[i].Problem(); problem != "" {
			return problem
		}
	}
	if !changes {
		return "no step has a line in run: the steps change nothing"
	}
	return ""
}

// At returns the exercise for a seed: {place} is replaced by the name of a place that the seed chooses.
func (e *Exercise) At(seed uint64) *Exercise {
	if len(e.Places) == 0 {
		return e
	}
	place := e.Places[int((seed-1)%uint64(len(e.Places)))]
	fill := func(list []string) []string {
		filled := make([]string, len(list))
		for i, text := range list {
			filled[i] = strings.ReplaceAll(text, "{place}", place)
		}
		return filled
	}
	c := *e
	c.Prepare, c.Break, c.Signs, c.Hints = fill(e.Prepare), fill(e.Break), fill(e.Signs), fill(e.Hints)
	c.Title, c.Story, c.Broken = fill([]string{e.Title})[0], fill([]string{e.Story})[0], fill([]string{e.Broken})[0]
	c.Steps = make([]Step, len(e.Steps))
	for i, s := range e.Steps {
		c.Steps[i] = Step{fill([]string{s.Text})[0], fill(s.Run)}
	}
	return &c
}

// All returns the embedded exercises by level. They are read on first use.
func All() []*Exercise { return all() }

// Find returns the embedded exercise with a name.
func Find(name string) (*Exercise, bool) {
	i := slices.IndexFunc(all(), func(e *Exercise) bool { return strings.EqualFold(e.Name, name) })
	if i < 0 {
		return nil, false
	}
	return all()[i], true
}

var all = sync.OnceValue(func() []*Exercise {
	list, err := tomlfile.ReadAll(embedded, Parse)
	if err != nil {
		panic("exercise: an embedded exercise is damaged: " + err.Error()) // a test reads them: this can't ship
	}
	slices.SortStableFunc(list, func(a, b *Exercise) int { return cmp.Compare(a.Level, b.Level) })
	return list
})
