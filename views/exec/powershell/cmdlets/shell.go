package cmdlets

import (
	"strings"

	"cxdeck/views/exec"
	"cxdeck/views/exec/shell"
)

// powerShell is the row of the command powershell, whose lines the runner runs itself; only help and documentation need the row.
func powerShell(*exec.Call) (exec.Answer, error) {
	return exec.Answer{}, exec.Mistake("powershell runs lines of PowerShell, and none stands here")
}

// valueCmdlets lists the cmdlets that work on objects of any kind, for help.
func valueCmdlets() string {
	var list []string
	for _, b := range shell.Builtins() {
		name := b.Name
		if len(b.Aliases) > 0 {
			name += " (" + strings.Join(b.Aliases, ", ") + ")"
		}
		list = append(list, name+" "+b.Help)
	}
	return strings.Join(list, "; ")
}
