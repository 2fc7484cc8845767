package linuxcli

import (
	_ "embed"

	"cxdeck/driver/linux"
	"cxdeck/views/exec"
	"cxdeck/views/exec/console"
)

//go:embed texts.toml
var linuxTexts string

// Family returns the console of the Linux host.
func Family() *exec.Family {
	return &exec.Family{
		Texts: linuxTexts,
		Commands: []exec.Command{
			{Name: "linux console", Min: 1, Max: console.MaxLines, Changes: true, Run: runLines},
			{Name: "linux try", Min: 1, Max: console.MaxLines, Run: tryLines},
		},
	}
}

// shell is a console in use.
type shell struct{ *console.Session }

func linuxConsole() *console.Console {
	return &console.Console{Name: linux.Host, Prompt: "[" + linux.Host + "]# ", Run: func(s *console.Session) error { return (&shell{s}).run() }}
}

// runLines runs lines on the Linux host.
func runLines(c *exec.Call) (exec.Answer, error) { return linuxConsole().Apply(c, c.Arguments) }

// tryLines runs lines on a copy, so that nothing changes.
func tryLines(c *exec.Call) (exec.Answer, error) { return linuxConsole().Try(c, c.Arguments) }
