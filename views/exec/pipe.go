package exec

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The manuals pass lists on to Select and to Where-Object, as in netstat -xan | ? {$_ -match "445"}. Commands that only read
// are followed by these two, which work on the printed text: lines, tables, and objects of "name : value" lines.

// stage is a part of a pipe after the first: it takes the lines of the part before it.
type stage func(lines []string) ([]string, error)

// splitPipe separates the words of a command from the stages after it; stages is nil without a pipe.
func splitPipe(words []string) (first []string, stages []stage, err error) {
	at := slices.Index(words, PipeSign)
	if at < 0 {
		return words, nil, nil
	}
	for rest := words[at+1:]; ; {
		end := slices.Index(rest, PipeSign)
		part := rest
		if end >= 0 {
			part = rest[:end]
		}
		s, err := readStage(part)
		if err != nil {
			return nil, nil, err
		}
		if stages = append(stages, s); end < 0 {
			return words[:at], stages, nil
		}
		rest = rest[end+1:]
	}
}

func readStage(words []string) (stage, error) {
	if len(words) == 0 {
		return nil, Mistake("a | must be followed by a command")
	}
	switch strings.ToLower(words[0]) {
	case "select", "select-object":
		return readSelect(words[1:])
	case "?", "where", "where-object":
		return readWhere(strings.TrimSpace(strings.Trim(strings.TrimSpace(strings.Join(words[1:], " ")), "{}")))
	}
	return nil, Mistake("| can be followed by Select or Where-Object here, not by %q", words[0])
}

// maxSelected is the maximum number of properties of Select.
const maxSelected = 20

// readSelect reads the properties of Select, by commas or spaces.
func readSelect(words []string) (stage, error) {
	if len(words) > 0 && slices.Contains([]string{"-property", "-expandproperty"}, strings.ToLower(words[0])) {
		words = words[1:]
	}
	names := strings.FieldsFunc(strings.Join(words, ","), func(r rune) bool { return r == ',' || r == ' ' })
	if len(names) == 0 || len(names) > maxSelected {
		return nil, Mistake("Select requires 1 to %d properties", maxSelected)
	}
	return func(lines []string) ([]string, error) {
		objects := readObjects(lines)
		var heading []string
		for _, name := range names {
			for _, o := range objects {
				if label := o.label(name); label != "" {
					name = label
					break
				}
			}
			heading = append(heading, name)
		}
		var b strings.Builder
		t := NewTextTable(&b, heading...)
		var dashes []string
		for _, name := range heading {
			dashes = append(dashes, strings.Repeat("-", len([]rune(name))))
		}
		t.Row(dashes...)
		for _, o := range objects {
			var cells []string
			for _, name := range names {
				cells = append(cells, o.value(name))
			}
			t.Row(cells...)
		}
		err := t.Flush()
		return strings.Split(strings.TrimRight(b.String(), "\n"), "\n"), err
	}, nil
}

// whereExpression matches a condition: $_ or $_.Property or Property, an operator, and a value that may have quotes.
var whereExpression = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\$_|\$_\.\w+|\w+)\s+-(match|notmatch|like|notlike|eq|ne)\s+("[^"]*"|'[^']*'|\S.*)$`)
})

// readWhere reads the condition of Where-Object.
func readWhere(condition string) (stage, error) {
	m := whereExpression().FindStringSubmatch(condition)
	if m == nil {
		return nil, Mistake(`write ? {$_ -match "TEXT"} or ? PROPERTY -eq VALUE; it compares with -match, -like, -eq and their opposites, not %q`, condition)
	}
	value := strings.TrimSpace(m[3])
	if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') {
		value = value[1 : n-1]
	}
	operator, negative := m[2], strings.HasPrefix(m[2], "n")
	pattern := regexp.QuoteMeta(value)
	switch operator {
	case "match", "notmatch":
		pattern = value
	case "like", "notlike":
		pattern = "^" + strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(pattern) + "$"
	default:
		pattern = "^" + pattern + "$"
	}
	if len(pattern) > maxSentence {
		return nil, Mistake("the pattern of Where-Object is too long")
	}
	holds, err := regexp.Compile("(?i)" + pattern)
	if err != nil {
		return nil, Mistake("invalid regular expression %q", value)
	}
	if m[1] == "$_" {
		return func(lines []string) (kept []string, _ error) {
			for _, line := range lines {
				if holds.MatchString(line) != negative {
					kept = append(kept, line)
				}
			}
			return kept, nil
		}, nil
	}
	property := strings.TrimPrefix(m[1], "$_.")
	return func(lines []string) (kept []string, _ error) {
		objects := readObjects(lines)
		for i, o := range objects {
			if holds.MatchString(o.value(property)) == negative {
				continue
			}
			if len(kept) == 0 {
				kept = append(kept, o.before...)
			} else if o.block {
				kept = append(kept, "")
			}
			kept = append(kept, objects[i].lines...)
		}
		return kept, nil
	}, nil
}

// textObject is an object of a printed list.
type textObject struct {
	names, values []string
	// lines are its text, and before the heading of its table; block reports that it has a line for each property.
	lines, before []string
	block         bool
}

func sameProperty(a, b string) bool {
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, " ", "")) }
	return plain(a) == plain(b)
}

// label returns the printed name of a property; empty when the object has none.
func (o *textObject) label(name string) string {
	if i := slices.IndexFunc(o.names, func(n string) bool { return sameProperty(n, name) }); i >= 0 {
		return o.names[i]
	}
	return ""
}

func (o *textObject) value(name string) string {
	if i := slices.IndexFunc(o.names, func(n string) bool { return sameProperty(n, name) }); i >= 0 {
		return o.values[i]
	}
	return ""
}

// readObjects reads the objects of a printed list: blocks of "name : value" lines, or the rows of a table below its heading.
func readObjects(lines []string) (list []textObject) {
	if len(lines) == 0 {
		return nil
	}
	if name, _, ok := strings.Cut(lines[0], " : "); ok && strings.TrimSpace(name) != "" || strings.HasSuffix(lines[0], " :") {
		current := textObject{block: true}
		for _, line := range append(slices.Clone(lines), "") {
			name, value, ok := strings.Cut(line+" ", " : ")
			switch {
			case strings.TrimSpace(line) == "" && len(current.lines) > 0:
				list, current = append(list, current), textObject{block: true}
				continue
			case ok:
				current.names, current.values = append(current.names, strings.TrimSpace(name)), append(current.values, strings.TrimSpace(value))
			}
			current.lines = append(current.lines, line)
		}
		return list
	}
	heading := []rune(lines[0])
	var starts []int
	for i, r := range heading {
		if r != ' ' && (i == 0 || i > 1 && heading[i-1] == ' ' && heading[i-2] == ' ') {
			starts = append(starts, i)
		}
	}
	before := lines[:1]
	for _, line := range lines[1:] {
		if strings.Trim(line, "- ") == "" {
			before = lines[:2]
			continue
		}
		o := textObject{lines: []string{line}, before: before}
		text := []rune(line)
		cell := func(line []rune, i int) string {
			from, to := min(starts[i], len(line)), len(line)
			if i+1 < len(starts) {
				to = min(starts[i+1], len(line))
			}
			return strings.TrimSpace(string(line[from:to]))
		}
		for i := range starts {
			o.names, o.values = append(o.names, cell(heading, i)), append(o.values, cell(text, i))
		}
		list = append(list, o)
	}
	return list
}

// piped puts the stages of a pipe behind the text of an answer. The JSON document has the whole list.
func (a *Answer) piped(stages []stage) {
	before := a.Text
	if before == nil || len(stages) == 0 {
		return
	}
	a.Text = func(w io.Writer) error {
		var b strings.Builder
		if err := before(&b); err != nil {
			return err
		}
		lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
		for _, next := range stages {
			var err error
			if lines, err = next(lines); err != nil {
				return err
			}
		}
		for _, line := range lines {
			if _, err := fmt.Fprintln(w, line); err != nil {
				return err
			}
		}
		return nil
	}
}
