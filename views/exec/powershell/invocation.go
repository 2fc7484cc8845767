package powershell

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/packages"
	"cxdeck/driver/qos"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// QoS returns the QoS of the host.
func (p *Invocation) QoS() (v qos.View, err error) {
	err = p.Call.Host.ReadHost(p.Call.Ctx, func(h *driver.Host) error {
		v = h.QoS()
		return nil
	})
	return v, err
}

// Invocation is a call of a cmdlet: the typed values by parameter, and the host's state at its start.
type Invocation struct {
	Call    *exec.Call
	Command string
	Values  map[string][]string
	View    *driver.View
}

// Handler turns a function into the handler of a cmdlet. Its parameters are in the table of package cmdlet.
func Handler(name string, do func(*Invocation) (exec.Answer, error)) func(*exec.Call) (exec.Answer, error) {
	return func(c *exec.Call) (exec.Answer, error) {
		values, err := readArguments(c, name, c.Arguments, cmdlet.Find(name).Parameters)
		if err != nil {
			return exec.Answer{}, err
		}
		if strings.Contains(name, "-Mlnx") {
			if err := c.CheckProduct(packages.WinOF, name, true); err != nil {
				return exec.Answer{}, err
			}
		}
		view, err := c.View()
		if err != nil {
			return exec.Answer{}, err
		}
		if !view.Machine.HyperV && strings.Contains(name, "-VM") { // without the role Windows lacks the cmdlets of Hyper-V
			return exec.Answer{}, errors.New(view.Machine.WhyNoHyperV)
		}
		return do(&Invocation{c, name, values, view})
	}
}

// readArguments parses the words after a cmdlet's name. -WhatIf makes the call apply its change only to a copy of the host.
func readArguments(c *exec.Call, command string, words []string, parameters []cmdlet.Parameter) (map[string][]string, error) {
	values, err := parseParameters(command, words, parameters)
	c.WhatIf = switchOn(values[cmdlet.WhatIf])
	return values, err
}

// switchOn reports whether a switch was typed without $false. values is empty if it was not typed.
func switchOn(values []string) bool {
	if len(values) == 0 {
		return false
	}
	on, ok := exec.BooleanWords()[strings.ToLower(values[0])]
	return on || !ok
}

// Has reports whether a parameter was typed.
func (p *Invocation) Has(parameter string) bool { return len(p.Values[parameter]) > 0 }

// Value returns the first value of a parameter; it is empty if the parameter was not typed.
func (p *Invocation) Value(parameter string) string {
	if p.Has(parameter) {
		return p.Values[parameter][0]
	}
	return ""
}

// Required returns the value of a required parameter; meaning describes the value in the error.
func (p *Invocation) Required(parameter, meaning string) (string, error) {
	if value := p.Value(parameter); value != "" {
		return value, nil
	}
	return "", exec.Mistake("%s requires -%s with %s", p.Command, parameter, meaning)
}

// Flag returns the value of the switch parameter.
func (p *Invocation) Flag(parameter string) bool { return switchOn(p.Values[parameter]) }

// Connection returns the connection that a required parameter names.
func (p *Invocation) Connection(parameter string) (string, error) {
	name, err := p.Required(parameter, "the name of a connection")
	if err != nil {
		return "", err
	}
	return exec.Connection(p.View, name)
}

// ApplyToConnections applies an Operation to each connection in one plan.
func (p *Invocation) ApplyToConnections(names []string, change func(name string) driver.Operation) (exec.Answer, error) {
	var operations []driver.Operation
	for _, name := range names {
		operations = append(operations, change(name))
	}
	return p.Apply(p.Command+" "+strings.Join(names, ", "), operations...)
}

// Apply applies Operations as one plan.
func (p *Invocation) Apply(title string, operations ...driver.Operation) (exec.Answer, error) {
	if len(operations) == 1 {
		return p.Call.ApplyOne(operations[0])
	}
	return p.Call.Apply(driver.Plan{Title: title, Operations: operations})
}

// WindowsMAC returns a MAC address with hyphens, in capitals: 02-15-5D-00-00-07.
func WindowsMAC(mac description.MAC) string {
	return strings.ToUpper(strings.ReplaceAll(mac.String(), ":", "-"))
}

// HyperVMAC returns a MAC address without separators, in capitals: 02155D000007.
func HyperVMAC(mac description.MAC) string {
	return strings.ToUpper(strings.ReplaceAll(mac.String(), ":", ""))
}

// BoolText returns True or False.
func BoolText(on bool) string { return wording.UpperFirst(fmt.Sprint(on)) }

// Block has the names and values of an object, which PowerShell prints with aligned colons.
type Block [][2]string

func (b Block) Lines() (lines []string) {
	width := 0
	for _, line := range b {
		width = max(width, len(line[0]))
	}
	for _, line := range b {
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%-*s : %s", width, line[0], exec.Clean(line[1])), " "))
	}
	return lines
}

// Blocks prints objects separated by empty lines, or the text none if there are no objects.
func Blocks(list []Block, result any, none string) exec.Answer {
	var lines []string
	for i, b := range list {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, b.Lines()...)
	}
	if len(list) == 0 {
		lines = []string{none}
	}
	printed := exec.PrintLines(lines, result)
	return exec.Answer{Result: result, Text: func(w io.Writer) error {
		for i, b := range list {
			if !exec.PutRow(w, b) {
				return printed.Text(w)
			} else if i == len(list)-1 {
				return nil
			}
		}
		return printed.Text(w)
	}}
}
