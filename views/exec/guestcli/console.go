package guestcli

import (
	_ "embed"

	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
	"cxdeck/views/exec/console"
)

//go:embed texts.toml
var guestTexts string

// Family returns the console of a virtual machine.
func Family() *exec.Family {
	return &exec.Family{
		Texts: guestTexts,
		Commands: []exec.Command{
			{Name: "vm console", Min: 2, Max: 1 + console.MaxLines, Changes: true, Interrupts: true, Run: exec.Bound(runLines)},
			{Name: "vm try", Min: 2, Max: 1 + console.MaxLines, Run: exec.Bound(tryLines)},
		},
	}
}

// arguments are the arguments of a console.
type arguments struct {
	VM    *virtualization.VMView
	Lines []string
}

// guest is a console in use at a virtual machine.
type guest struct{ *console.Session }

func consoleOf(in *arguments) *console.Console {
	return &console.Console{Name: in.VM.Name, Prompt: `C:\> `, Run: func(s *console.Session) error { return (&guest{s}).run() }}
}

// runLines runs lines in a machine.
func runLines(c *exec.Call, in *arguments) (exec.Answer, error) {
	return consoleOf(in).Apply(c, in.Lines)
}

// tryLines runs lines on a copy, so that nothing changes.
func tryLines(c *exec.Call, in *arguments) (exec.Answer, error) {
	return consoleOf(in).Try(c, in.Lines)
}
