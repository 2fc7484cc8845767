package powershell

import (
	"fmt"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/cmdlet"
	"cxdeck/views/exec"
)

// cmdlet is a command of PowerShell with the typed arguments and its host.
type invocation struct {
	call    *exec.Call
	command string
	values  map[string][]string
	view    *driver.View
}

// onCmdlet makes a command of PowerShell from its function, with the parameters that the table of cmdlets has.
func onCmdlet(name string, do func(*invocation) (exec.Answer, error)) func(*exec.Call) (exec.Answer, error) {
	return func(c *exec.Call) (exec.Answer, error) {
		values, err := readArguments(c, name, c.Arguments, cmdlet.Find(name).Parameters)
		if err != nil {
			return exec.Answer{}, err
		}
		view, err := c.View()
		if err != nil {
			return exec.Answer{}, err
		}
		return do(&invocation{c, name, values, view})
	}
}

// readArguments reads the words behind a command of PowerShell. With -WhatIf its change is tried on a copy of the host alone.
func readArguments(c *exec.Call, command string, words []string, parameters []cmdlet.Parameter) (map[string][]string, error) {
	values, err := psRead(command, words, parameters)
	c.WhatIf = psOn(values[cmdlet.WhatIf])
	return values, err
}

// psOn reports whether a switch has a value that means yes; without a value it was not typed.
func psOn(values []string) bool {
	if len(values) == 0 {
		return false
	}
	on, ok := exec.TruthWords()[strings.ToLower(values[0])]
	return on || !ok
}

// hasParameter reports whether a parameter was typed.
func (p *invocation) hasParameter(parameter string) bool { return len(p.values[parameter]) > 0 }

// value returns the value of a parameter, empty if it is absent.
func (p *invocation) value(parameter string) string {
	if p.hasParameter(parameter) {
		return p.values[parameter][0]
	}
	return ""
}

// need returns the value of a parameter that must be there; what says what it is.
func (p *invocation) need(parameter, what string) (string, error) {
	if value := p.value(parameter); value != "" {
		return value, nil
	}
	return "", exec.Mistake("%s requires -%s with %s", p.command, parameter, what)
}

// flag reports whether a switch without a value was typed, and not with $false behind it.
func (p *invocation) flag(parameter string) bool { return psOn(p.values[parameter]) }

// connection returns the connection that a parameter names.
func (p *invocation) connection(parameter string) (string, error) {
	name, err := p.need(parameter, "the name of a connection")
	if err != nil {
		return "", err
	}
	return exec.Connection(p.view, name)
}

// applyToConnections applies an Operation to each connection in one plan.
func (p *invocation) applyToConnections(names []string, change func(name string) driver.Operation) (exec.Answer, error) {
	var operations []driver.Operation
	for _, name := range names {
		operations = append(operations, change(name))
	}
	return p.apply(p.command+" "+strings.Join(names, ", "), operations...)
}

// apply applies Operations as one plan.
func (p *invocation) apply(title string, operations ...driver.Operation) (exec.Answer, error) {
	if len(operations) == 1 {
		return p.call.ApplyOne(operations[0])
	}
	return p.call.Apply(driver.Plan{Title: title, Operations: operations})
}

// windowsMAC returns a MAC address as Windows writes it.
func windowsMAC(mac description.MAC) string {
	return strings.ToUpper(strings.ReplaceAll(mac.String(), ":", "-"))
}

// hyperVMAC returns a MAC address as Hyper-V writes it.
func hyperVMAC(mac description.MAC) string {
	return strings.ToUpper(strings.ReplaceAll(mac.String(), ":", ""))
}

// title returns a truth as PowerShell prints it.
func title(on bool) string { return exec.Capital(fmt.Sprint(on)) }

// block is a list of names with values, as PowerShell prints an object: the colons are below each other. A name
// without a value is a line by itself.
type block [][2]string

func (b block) lines() (lines []string) {
	width := 0
	for _, one := range b {
		width = max(width, len(one[0]))
	}
	for _, one := range b {
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%-*s : %s", width, one[0], exec.Clean(one[1])), " "))
	}
	return lines
}

// blocks prints objects one after the other, with an empty line between them; none is printed for no objects.
func blocks(list []block, result any, none string) exec.Answer {
	var lines []string
	for i, b := range list {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, b.lines()...)
	}
	if len(list) == 0 {
		lines = []string{none}
	}
	return exec.PrintLines(lines, result)
}
