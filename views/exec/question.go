package exec

import (
	"fmt"
	"slices"
	"strings"
)

// Question is a tool's question before a change, as the tool prints it.
type Question struct {
	// before are the lines that are above it, with their ends.
	Before string
	// text is the line itself, at whose end the answer is typed.
	Text string
	// usual is the default answer; yes reports that it means yes.
	Usual string
	Yes   bool
}

// Ask asks a question and reports whether the answer is yes. An answer given with the command, such as -y, skips the question.
// Where no answer is possible, in a script or for JSON, the default answer counts, and the output says so.
func (c *Call) Ask(q Question, given string) (yes bool, err error) {
	say := func(text string) {
		if !c.Runner.JSON {
			fmt.Fprint(c.Runner.Out, text) //nolint:errcheck // what follows tells
		}
	}
	say(q.Before + q.Text + " ")
	typed := given
	switch {
	case given != "":
		say(given + "\n")
	case c.Runner.Ask == nil || c.Runner.JSON:
		say(q.Usual + "\nThere is no terminal to ask on; the default answer is used.\n")
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

// AnswerNo returns the error after a question was answered with no; with is the flag that answers yes in advance.
func AnswerNo(with string) error {
	return fmt.Errorf("nothing was changed: the answer was no; %s answers yes without asking", with)
}
