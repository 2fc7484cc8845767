package exec

import (
	"strings"

	"cxdeck/driver/wording"
)

// Output runs a command that only reads, and returns the lines of its text. The error of a command that fails is its only line.
func (c *Call) Output(words ...string) []string {
	text, err := c.output(words)
	if err != nil {
		return []string{wording.UpperFirst(err.Error()) + "."}
	}
	return strings.Split(strings.TrimRight(text, "\n"), "\n")
}

func (c *Call) output(words []string) (string, error) {
	command, rest, err := c.Runner.Table.find(words)
	if err != nil {
		return "", err
	}
	if command.Changes {
		return "", Mistake("%s changes the host", command.Name)
	}
	arguments, flags, err := command.read(rest)
	if err != nil {
		return "", err
	}
	answer, err := command.Run(&Call{Ctx: c.Ctx, Runner: c.Runner, Command: command, Host: c.Host, Arguments: arguments, Flags: flags})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if err := answer.Text(&b); err != nil {
		return "", err
	}
	return b.String(), answer.writeNotes(&b)
}

// RunProgram runs another program of the table in place of this command, as start does.
func (c *Call) RunProgram(words []string) (Answer, error) {
	command, rest, err := c.Runner.Table.find(words)
	if err != nil {
		return Answer{}, err
	}
	arguments, flags, err := command.read(rest)
	if err != nil {
		return Answer{}, err
	}
	other := *c
	other.Command, other.Arguments, other.Flags = command, arguments, flags
	answer, err := command.Run(&other)
	c.notes = other.notes
	return answer, err
}
