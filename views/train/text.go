package train

import (
	"fmt"
	"strings"
	"time"

	"cxdeck/driver/exercise"
	"cxdeck/perf"
	"cxdeck/views/deck"
)

// Paragraph is a text with an optional label; a command line is not wrapped.
type Paragraph struct {
	Label, Text string
	Command     bool
}

// Task returns what the operator is told: the story, and the hints so far.
func (c *Course) Task() (list []Paragraph) {
	e := c.Exercise
	list = append(list, Paragraph{Text: e.Story}, Paragraph{},
		Paragraph{Text: fmt.Sprintf("Level %d: %s. Find what is wrong and fix it, with as little interruption as possible. The time runs.", e.Level, exercise.LevelWords[e.Level])})
	for i, hint := range e.Hints[:c.Hints] {
		if i == 0 {
			list = append(list, Paragraph{})
		}
		list = append(list, Paragraph{Label: fmt.Sprintf("Hint %d", i+1), Text: hint})
	}
	return list
}

// LastHint returns the newest hint.
func (c *Course) LastHint() []Paragraph {
	if c.Hints == 0 {
		return nil
	}
	return []Paragraph{{Label: fmt.Sprintf("Hint %d", c.Hints), Text: c.Exercise.Hints[c.Hints-1]}}
}

// EndPage returns the page at the end of a course.
func (c *Course) EndPage() (list []Paragraph) {
	e, r := c.Exercise, c.Ended
	add := func(label, text string) { list = append(list, Paragraph{Label: label, Text: text}) }
	if c.GaveUp {
		add("", "Given up. This is the solution.")
	} else {
		add("", "Solved.")
	}
	add("", "")
	add("Broken", e.Broken)
	add("", "")
	for i, sign := range e.Signs {
		add(map[bool]string{true: "Signs"}[i == 0], sign)
	}
	add("", "")
	if len(r.Changes) == 0 {
		add("You", "changed nothing")
	}
	for i, change := range r.Changes {
		add(map[bool]string{true: "You"}[i == 0], change)
	}
	add("Time", deck.Length(r.Took.Truncate(time.Second))+", "+deck.Count(c.Hints, "hint"))
	interrupted := "none"
	if n := len(r.Interruptions); n > 0 {
		interrupted = fmt.Sprintf("%d: %s", n, strings.Join(r.Interruptions[:min(n, 6)], ", "))
	}
	add("Cut off", interrupted)
	add("Lost", perf.Number(r.Lost, perf.Bytes, false, true)+" of traffic since the call")
	add("", "")
	for i, s := range e.Steps {
		add(map[bool]string{true: "Expert"}[i == 0], fmt.Sprintf("%d. %s", i+1, s.Text))
		for _, line := range s.Run {
			list = append(list, Paragraph{Text: line, Command: true})
		}
	}
	return list
}

// State returns what is still wrong, after a check that did not end the course.
func (r *Result) State() (list []Paragraph) {
	list = append(list, Paragraph{Text: "Not solved yet:"})
	for _, sentence := range r.Remaining {
		list = append(list, Paragraph{Text: "- " + sentence + "."})
	}
	return list
}

// Plain writes paragraphs as lines of text, wrapped by wrap.
func Plain(list []Paragraph, width int, wrap func(text string, width int) []string) string {
	const label = 10
	var b strings.Builder
	labelled := false
	for _, p := range list {
		if p.Command {
			fmt.Fprintf(&b, "%*s$ %s\n", label+2, "", p.Text)
			continue
		}
		indent := 0
		if labelled = p.Label != "" || labelled && p.Text != ""; labelled {
			indent = label
		}
		if p.Text == "" {
			b.WriteByte('\n')
			continue
		}
		for i, line := range wrap(p.Text, width-indent) {
			if i > 0 {
				p.Label = ""
			}
			if indent > 0 {
				fmt.Fprintf(&b, "%-*s", indent, p.Label)
			}
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
