package train

import (
	"fmt"
	"strings"
	"time"

	"cxdeck/driver/exercise"
	"cxdeck/driver/wording"
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
		Paragraph{Text: fmt.Sprintf("Level %d: %s. Find what is wrong and fix it, with as little interruption as possible.", e.Level, exercise.LevelWords[e.Level])})
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
	took := deck.Length(r.Took.Truncate(time.Second))
	if r.Took < time.Second {
		took = "none passed on the lab's clock"
	}
	add("Time", took+", "+wording.Count(c.Hints, "hint"))
	interrupted := "none"
	if n := len(r.Interruptions); n > 0 {
		interrupted = fmt.Sprintf("%d: %s", n, strings.Join(r.Interruptions[:min(n, 6)], ", "))
	}
	add("Cut off", interrupted)
	add("Lost", perf.Number(r.Lost, perf.Bytes, false, true)+": traffic that the interruptions cut off, without what the fault itself lost")
	add("", "")
	commands := false
	for i, s := range e.Steps {
		text := s.Text
		if len(e.Steps) > 1 {
			text = fmt.Sprintf("%d. %s", i+1, text)
		}
		add(map[bool]string{true: "Expert"}[i == 0], text)
		for _, line := range s.Run {
			list = append(list, Paragraph{Text: line, Command: true})
			commands = true
		}
	}
	if commands {
		add("", "")
		add("", "Type each command after : in the console, or as cxdeck exec COMMAND.")
	}
	return list
}

// State returns how much is still wrong, after a check that did not end the course. It names the workloads, as users do, and no
// objects: to find them is the exercise.
func (r *Result) State() (list []Paragraph) {
	var left []string
	if r.Problems > 0 {
		left = append(left, wording.Count(r.Problems, "problem")+isOrAre(r.Problems)+"left")
	}
	if n := len(r.Slow); n > 0 {
		named := strings.Join(r.Slow[:min(n, maxRemaining)], ", ")
		if more := n - maxRemaining; more > 0 {
			named += fmt.Sprintf(" and %d more", more)
		}
		left = append(left, fmt.Sprintf("%s%sslower than without the fault (%s)", wording.Count(n, "workload"), isOrAre(n), named))
	}
	return append(list, Paragraph{Text: "Not solved: " + strings.Join(left, ", and ") + "."})
}

func isOrAre(n int) string {
	if n == 1 {
		return " is "
	}
	return " are "
}

// PlainText writes paragraphs as lines of text, wrapped by wrap.
func PlainText(list []Paragraph, width int, wrap func(text string, width int) []string) string {
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
