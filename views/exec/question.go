package exec

import (
	"fmt"
	"slices"
	"strings"
)

// question is what a tool asks before it does something, as the tool prints it.
type question struct {
	// before are the lines that stand above it, with their ends.
	before string
	// text is the line itself, at whose end the answer is typed.
	text string
	// usual is the answer of whoever types none; yes says that it means yes.
	usual string
	yes   bool
}

// ask asks a question and says whether the answer is yes. An answer that was given with the command, such as -y, spares
// it. Where nobody can be asked, in a script or for JSON, the usual answer counts, and the output says so.
func (c *call) ask(q question, given string) (yes bool, err error) {
	say := func(text string) {
		if !c.runner.JSON {
			fmt.Fprint(c.runner.Out, text) //nolint:errcheck // what follows tells
		}
	}
	say(q.before + q.text + " ")
	typed := given
	switch {
	case given != "":
		say(given + "\n")
	case c.runner.Ask == nil || c.runner.JSON:
		say(q.usual + "\nNobody could be asked; the usual answer counts.\n")
	default:
		typed = c.runner.Ask(c.ctx)
	}
	if err := c.ctx.Err(); err != nil {
		return false, err
	}
	word := strings.ToLower(strings.TrimSpace(typed))
	switch {
	case word == "":
		return q.yes, nil
	case slices.Contains([]string{"y", "yes", "a"}, word):
		return true, nil
	case slices.Contains([]string{"n", "no", "l"}, word):
		return false, nil
	}
	return false, mistake("%q is no answer: it is y or n", typed)
}

// answerNo is what follows a question that was answered with no; with is what answers yes without being asked.
func answerNo(with string) error {
	return fmt.Errorf("nothing was changed: the answer was no; with %s it is yes without a question", with)
}
