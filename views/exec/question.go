package exec

import (
	"fmt"
	"slices"
	"strings"
)

// Question is the question that a tool asks before a change.
type Question struct {
	// Before has the lines above the question, with their line ends.
	Before string
	// Text is the question; the answer is typed after it.
	Text string
	// Usual is the default answer; Yes reports that it means yes.
	Usual string
	Yes   bool
}

// Ask asks a question and reports whether the answer is yes. given is an answer from the command line, such as -y, or empty; it
// skips the question. In scripts and with JSON, where nobody can answer, the default answer is used, and the output says so.
func (c *Call) Ask(q Question, given string) (yes bool, err error) {
	write := func(text string) {
		if !c.Runner.JSON {
			fmt.Fprint(c.Runner.Out, text) //nolint:errcheck // the answer's own write returns it
		}
	}
	write(q.Before + q.Text + " ")
	typed := given
	switch {
	case given != "":
		write(given + "\n")
	case c.Runner.Ask == nil || c.Runner.JSON:
		write(q.Usual + "\nThere is no terminal to ask on; the default answer is used.\n")
	default:
		typed = c.Runner.Ask(c.Ctx)
	}
	if err := c.Ctx.Err(); err != nil {
		return false, err
	}
	word := strings.ToLower(strings.TrimSpace(typed))
	switch {
	case word == "":
		return q.Yes, nil
	case slices.Contains([]string{"y", "yes", "a"}, word):
		return true, nil
	case slices.Contains([]string{"n", "no", "l"}, word):
		return false, nil
	}
	return false, Mistake("invalid answer %q: it must be y or n", typed)
}

// AnswerNo returns the error for the answer no; flag is the flag that answers yes in advance.
func AnswerNo(flag string) error {
	return fmt.Errorf("nothing was changed: the answer was no; %s answers yes without asking", flag)
}
