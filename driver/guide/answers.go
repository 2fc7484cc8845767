package guide

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// Answers are the answers to the fields of a guide, and what its steps kept, by name.
type Answers map[string]string

var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{([a-z0-9]+(?:-[a-z0-9]+)*)\}`) })

// unknownPlaceholder returns a sentence about a placeholder that no field and no earlier step gives; empty for none.
func unknownPlaceholder(known map[string]bool, texts []string) string {
	for _, text := range texts {
		for _, found := range placeholder().FindAllStringSubmatch(text, -1) {
			if !known[found[1]] {
				return fmt.Sprintf("there is no field %q for {%s}", found[1], found[1])
			}
		}
	}
	return ""
}

// Fill puts the answers in place of the placeholders of a text.
func (a Answers) Fill(text string) string {
	return placeholder().ReplaceAllStringFunc(text, func(found string) string {
		if answer, given := a[found[1:len(found)-1]]; given {
			return answer
		}
		return found
	})
}

// Given returns the answers that are not empty: Fill keeps the placeholders of the others.
func (a Answers) Given() Answers {
	given := maps.Clone(a)
	maps.DeleteFunc(given, func(_, answer string) bool { return answer == "" })
	return given
}

// partsOfItem is the maximum number of parts of an item of a list.
const partsOfItem = 2

func partName(field string, part int) string { return fmt.Sprintf("%s-%d", field, part+1) }

// Item returns the answers with one item in place of the list of a field. parts are the columns of a row.
func (a Answers) Item(field, item string, parts []string) Answers {
	answers := maps.Clone(a)
	answers[field] = item
	for i := range min(len(parts), partsOfItem) {
		answers[partName(field, i)] = parts[i]
	}
	return answers
}

// Quoted reports whether an answer that a line names has a quote: a form accepts it, and the line would end the answer there.
func (a Answers) Quoted(line string) bool {
	for name, answer := range a {
		if strings.ContainsAny(answer, "\"'`") && strings.Contains(line, "{"+name+"}") {
			return true
		}
	}
	return false
}

// Pattern puts the answers, as plain text, in place of the placeholders of a regular expression.
func (a Answers) Pattern(expression string) string {
	quoted := make(Answers, len(a))
	for name, answer := range a {
		quoted[name] = regexp.QuoteMeta(answer)
	}
	return quoted.Fill(expression)
}

// Missing returns the label of the first field without an answer that a text names, or a name that an earlier step was to keep; empty for
// none.
func (g *Guide) Missing(a Answers, text string) string {
	for _, found := range placeholder().FindAllStringSubmatch(text, -1) {
		if _, given := a[found[1]]; given {
			continue
		}
		for i := range g.Fields {
			if g.Fields[i].Name == found[1] {
				return g.Fields[i].Label
			}
		}
		return found[1]
	}
	return ""
}

// condition splits "field=value", "field!=value" or "field", which holds for an answer that is not empty.
func condition(when string) (field, value string, equal bool) {
	if field, value, found := strings.Cut(when, "!="); found {
		return field, value, false
	}
	if field, value, found := strings.Cut(when, "="); found {
		return field, value, true
	}
	return when, "", false
}

func conditionProblem(known map[string]bool, when string) string {
	if field, _, _ := condition(when); when != "" && !known[field] {
		return fmt.Sprintf("when names the field %q, which does not exist", field)
	}
	return ""
}

// Applies reports whether a step or check with a condition applies: "field=value", "field!=value", or "field" for an answer.
func (a Answers) Applies(when string) bool {
	if when == "" {
		return true
	}
	field, value, equal := condition(when)
	return strings.EqualFold(a[field], value) == equal
}

// Check returns what is wrong with an answer to a field.
func (f *Field) Check(answer string) error {
	switch {
	case answer == "" && !f.Optional:
		return fmt.Errorf("%s is required", f.Label)
	case answer == "":
		return nil
	case len(answer) > maxLine:
		return fmt.Errorf("%s is longer than %d characters", f.Label, maxLine)
	case strings.ContainsFunc(answer, unicode.IsControl):
		return fmt.Errorf("%s has a control character", f.Label)
	case strings.ContainsAny(answer, `"'`):
		return fmt.Errorf("%s must not contain quotes", f.Label)
	}
	switch f.Kind {
	case Number:
		n, err := strconv.ParseInt(answer, 0, 64)
		switch {
		case err != nil:
			return fmt.Errorf("%s must be an integer, not %q", f.Label, answer)
		case f.Low < f.High && (n < int64(f.Low) || n > int64(f.High)):
			return fmt.Errorf("%s must be %d to %d, not %d", f.Label, f.Low, f.High, n)
		}
	case YesNo:
		if answer != "yes" && answer != "no" {
			return fmt.Errorf("%s must be yes or no, not %q", f.Label, answer)
		}
	case Choice:
		choices := f.ChoiceIDs()
		if !slices.Contains(choices, answer) {
			return fmt.Errorf("%s must be one of %s, not %q", f.Label, strings.Join(choices, ", "), answer)
		}
	case Facts, Curves:
		return fmt.Errorf("%s is shown and not asked", f.Label)
	case Text, Connection, Team, Machine, File, MAC, One, Many, Rows, Shares: // the host or the form knows
	}
	return nil
}

// Field returns the field with a name.
func (g *Guide) Field(name string) (*Field, bool) {
	for i := range g.Fields {
		if strings.EqualFold(g.Fields[i].Name, name) {
			return &g.Fields[i], true
		}
	}
	return nil, false
}

// Defaults returns the default answers; optional fields without a default have an empty one. The fields of a form have none: the form
// knows the host.
func (g *Guide) Defaults() Answers {
	a := Answers{}
	for i := range g.Fields {
		if f := &g.Fields[i]; f.Page == "" && (f.Default != "" || f.Optional) {
			a[f.Name] = f.Default
		}
	}
	return a
}
