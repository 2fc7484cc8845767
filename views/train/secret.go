package train

import (
	"errors"
	"slices"

	"cxdeck/views/exec/catalog"
)

// ErrTells is the error for a command that tells what an exercise has broken.
var ErrTells = errors.New("fault list tells what the exercise has broken: it is not available in an exercise")

// Tells reports whether a command of exec tells what an exercise has broken.
func Tells(command string) bool { return slices.Contains([]string{"fault list"}, command) }

// TellsLine is Tells for the words of a line.
func TellsLine(words []string) bool {
	command, ok := catalog.Commands().Find(words)
	return ok && Tells(command.Name)
}
