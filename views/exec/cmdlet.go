package exec

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
)

// cmdlet is a command of PowerShell with what was typed, and the host that it is about.
type cmdlet struct {
	call    *call
	command string
	values  map[string][]string
	view    *driver.View
}

// onCmdlet makes a command of PowerShell out of its parameters and what it does with them.
func onCmdlet(parameters string, do func(*cmdlet) (answer, error)) func(*call) (answer, error) {
	return func(c *call) (answer, error) {
		values, err := c.parameters(c.command.Name, c.arguments, parameters)
		if err != nil {
			return answer{}, err
		}
		view, err := c.view()
		if err != nil {
			return answer{}, err
		}
		return do(&cmdlet{c, c.command.Name, values, view})
	}
}

// parameters reads the words behind a command of PowerShell. With -WhatIf its change is tried on a copy of the host alone.
func (c *call) parameters(command string, words []string, parameters string) (map[string][]string, error) {
	values, err := psRead(command, words, readParameters(parameters))
	c.whatIf = psOn(values[psWhatIf])
	return values, err
}

// psOn says whether a switch has a value that means yes; without a value it was not typed.
func psOn(values []string) bool {
	if len(values) == 0 {
		return false
	}
	on, ok := truths()[strings.ToLower(values[0])]
	return on || !ok
}

// has says whether a parameter was typed.
func (p *cmdlet) has(parameter string) bool { return len(p.values[parameter]) > 0 }

// value is that of a parameter, empty without one.
func (p *cmdlet) value(parameter string) string {
	if p.has(parameter) {
		return p.values[parameter][0]
	}
	return ""
}

// need is the value of a parameter that must be there; what says what it is.
func (p *cmdlet) need(parameter, what string) (string, error) {
	if value := p.value(parameter); value != "" {
		return value, nil
	}
	return "", mistake("%s needs -%s with %s", p.command, parameter, what)
}

// number sets a number when its parameter was typed.
func (p *cmdlet) number(parameter string, into **int) error {
	if !p.has(parameter) {
		return nil
	}
	n, err := strconv.Atoi(p.value(parameter))
	if err != nil {
		return mistake("-%s of %s is a whole number, and %q is none", parameter, p.command, p.value(parameter))
	}
	*into = &n
	return nil
}

// truth sets a switch when its parameter was typed: $true and $false, with or without the dollar sign, or 1 and 0.
func (p *cmdlet) truth(parameter string, into **bool) error {
	if !p.has(parameter) {
		return nil
	}
	on, ok := truths()[strings.ToLower(p.value(parameter))]
	if !ok {
		return mistake("-%s of %s is $true or $false, and not %q", parameter, p.command, p.value(parameter))
	}
	*into = &on
	return nil
}

func truths() map[string]bool {
	return map[string]bool{
		"$true": true, "true": true, "1": true, "on": true, "yes": true,
		"$false": false, "false": false, "0": false, "off": false, "no": false,
	}
}

// flag says whether a switch without a value was typed, and not with $false behind it.
func (p *cmdlet) flag(parameter string) bool { return psOn(p.values[parameter]) }

// connection is the connection that a parameter names.
func (p *cmdlet) connection(parameter string) (string, error) {
	name, err := p.need(parameter, "the name of a connection")
	if err != nil {
		return "", err
	}
	return connection(p.view, name)
}

// address is an IP address that a parameter must have.
func (p *cmdlet) address(parameter string) (netip.Addr, error) {
	text, err := p.need(parameter, "an IP address")
	if err != nil {
		return netip.Addr{}, err
	}
	address, err := netip.ParseAddr(text)
	if err != nil || address.Zone() != "" {
		return address, mistake("-%s of %s is an IP address, and %q is none", parameter, p.command, text)
	}
	return address, nil
}

// prefix is a network with the length of its prefix that a parameter must have.
func (p *cmdlet) prefix(parameter string) (netip.Prefix, error) {
	text, err := p.need(parameter, "a network such as 172.16.0.0/16")
	if err != nil {
		return netip.Prefix{}, err
	}
	prefix, err := netip.ParsePrefix(text)
	if err != nil {
		return prefix, mistake("-%s of %s is a network such as 172.16.0.0/16, and %q is none", parameter, p.command, text)
	}
	return prefix, nil
}

// onEach applies an Operation to each connection in one plan.
func (p *cmdlet) onEach(names []string, change func(name string) driver.Operation) (answer, error) {
	var operations []driver.Operation
	for _, name := range names {
		operations = append(operations, change(name))
	}
	return p.apply(p.command+" "+strings.Join(names, ", "), operations...)
}

// apply applies Operations as one plan.
func (p *cmdlet) apply(title string, operations ...driver.Operation) (answer, error) {
	if len(operations) == 1 {
		return p.call.one(operations[0])
	}
	return p.call.apply(driver.Plan{Title: title, Operations: operations})
}

// readMAC reads a MAC address as Hyper-V writes it, without signs between its digits, or with colons or dashes.
func readMAC(text string) (mac description.MAC, err error) {
	digits := strings.NewReplacer(":", "", "-", "", ".", "").Replace(text)
	if len(digits) == 2*len(mac) {
		var b strings.Builder
		for i := range mac {
			if i > 0 {
				b.WriteByte(':')
			}
			b.WriteString(digits[2*i : 2*i+2])
		}
		err = mac.UnmarshalText([]byte(b.String()))
	}
	if err != nil || len(digits) != 2*len(mac) {
		return mac, mistake("%q is no MAC address of an adapter, such as 00155D720100", text)
	}
	return mac, nil
}

// dashed is a MAC address as Windows writes it.
func dashed(mac description.MAC) string {
	return strings.ToUpper(strings.ReplaceAll(mac.String(), ":", "-"))
}

// hyperVMAC is a MAC address as Hyper-V writes it.
func hyperVMAC(mac description.MAC) string {
	return strings.ToUpper(strings.ReplaceAll(mac.String(), ":", ""))
}

// title is a truth as PowerShell prints it.
func title(on bool) string { return upper(fmt.Sprint(on)) }

// block is a list of names with values, as PowerShell prints an object: the colons stand below each other. A name
// without a value is a line by itself.
type block [][2]string

func (b block) lines() (lines []string) {
	width := 0
	for _, one := range b {
		width = max(width, len(one[0]))
	}
	for _, one := range b {
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%-*s : %s", width, one[0], Clean(one[1])), " "))
	}
	return lines
}

// blocks prints objects one after the other, with an empty line between them; none is printed for no objects.
func blocks(list []block, result any, none string) answer {
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
	return toldLines{lines, result}.answer()
}
