package train

import (
	"errors"
	"slices"

	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
)

// ErrTells is the error for a command that tells what an exercise has broken.
var ErrTells = errors.New("fault list tells what the exercise has broken: it is not available in an exercise")

// RevealsFault reports whether a command of exec tells what an exercise has broken.
func RevealsFault(command string) bool { return slices.Contains([]string{"fault list"}, command) }

// LineRevealsFault is RevealsFault for the words of a line.
func LineRevealsFault(words []string) bool {
	if catalog.Commands().NeedsShell(words) {
		runner := exec.Runner{Table: catalog.Commands()}
		effect, err := runner.Examine(exec.ShellText(words))
		return err == nil && slices.ContainsFunc(effect.Commands, RevealsFault)
	}
	command, ok := catalog.Commands().Find(words)
	return ok && RevealsFault(command.Name)
}
