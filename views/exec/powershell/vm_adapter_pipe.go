package powershell

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/cmdlet"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
)

// getVMNetworkAdapter implements Get-VMNetworkAdapter, alone or at the start of a pipe: | where {$_.MacAddress -eq MAC} selects
// adapters, | Set-VMNetworkAdapter changes them.
func getVMNetworkAdapter(c *exec.Call) (exec.Answer, error) {
	parts := [][]string{{}}
	for _, word := range c.Arguments {
		if word == exec.PipeSign {
			parts = append(parts, nil)
			continue
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], word)
	}
	c.Arguments = parts[0]
	var list []virtualization.VMAdapterView
	var p *invocation
	_, err := cmdletHandler("Get-VMNetworkAdapter",
		func(call *invocation) (_ exec.Answer, err error) {
			p = call
			list, err = p.guests()
			return exec.Answer{}, err
		})(c)
	if err != nil {
		return exec.Answer{}, err
	}
	if p.flag("All") {
		list = append(list, p.view.HostAdapters...)
	}
	for i, part := range parts[1:] {
		if len(part) == 0 {
			return exec.Answer{}, exec.Mistake("a | must be followed by a command")
		}
		if slices.Contains([]string{"where", "where-object", "?"}, strings.ToLower(part[0])) {
			if list, err = filterAdapters(list, part[1:]); err != nil {
				return exec.Answer{}, err
			}
			continue
		}
		if last := len(parts) - 2; i < last {
			return exec.Answer{}, exec.Mistake("%s must be the last command of the line: it passes nothing on to %q", part[0], strings.Join(parts[i+2], " "))
		}
		return p.changePiped(list, part)
	}
	return p.showGuests(list), nil
}

// changePiped runs the last cmdlet of a pipe on the selected adapters.
func (p *invocation) changePiped(list []virtualization.VMAdapterView, words []string) (exec.Answer, error) {
	names := []string{"where"}
	for _, command := range guestChanges() {
		names = append(names, command.name)
		if !strings.EqualFold(command.name, words[0]) {
			continue
		}
		if err := p.call.MayChange(command.name); err != nil {
			return exec.Answer{}, err
		}
		if len(list) == 0 {
			return exec.Answer{}, fmt.Errorf("no network adapter matches; %s changed nothing", command.name)
		}
		values, err := readArguments(p.call, command.name, words[1:], cmdlet.Find(command.name).PipedParameters(cmdlet.Find(p.command)))
		if err != nil {
			return exec.Answer{}, err
		}
		last := &invocation{p.call, command.name, values, p.view}
		change, err := command.change(last)
		if err != nil {
			return exec.Answer{}, err
		}
		return last.applyToEach(list, change)
	}
	return exec.Answer{}, exec.Mistake("| can't be followed by %q%s", words[0], exec.Suggest(words[0], names,
		"use where {$_.MacAddress -eq MAC}, "+strings.Join(names[1:], ", ")))
}

// comparisons returns the comparison operators of where, in any case.
func comparisons() map[string]func(value, with string) bool {
	return map[string]func(value, with string) bool{
		"-eq":   strings.EqualFold,
		"-ne":   func(value, with string) bool { return !strings.EqualFold(value, with) },
		"-like": func(value, with string) bool { return matches(with, value) },
	}
}

// filterAdapters returns the adapters that match the expression of where: {$_.MacAddress -eq 00155D720100}, or in the short
// form MacAddress -eq 00155D720100.
func filterAdapters(list []virtualization.VMAdapterView, words []string) ([]virtualization.VMAdapterView, error) {
	fields := strings.Fields(strings.Trim(strings.Join(words, " "), "{} "))
	if len(fields) < 3 || comparisons()[strings.ToLower(fields[1])] == nil {
		return nil, exec.Mistake("write where {$_.MacAddress -eq MAC}; it compares with -eq, -ne or -like")
	}
	property := map[string]func(*virtualization.VMAdapterView) string{
		"macaddress": func(a *virtualization.VMAdapterView) string { return hyperVMAC(a.MAC) },
		"name":       func(a *virtualization.VMAdapterView) string { return a.Name },
		"switchname": func(a *virtualization.VMAdapterView) string { return a.Switch },
		"vmname":     func(a *virtualization.VMAdapterView) string { return a.VM },
	}[strings.TrimPrefix(strings.ToLower(fields[0]), "$_.")]
	if property == nil {
		return nil, exec.Mistake("%q is not one of $_.MacAddress, $_.Name, $_.SwitchName, $_.VMName", fields[0])
	}
	holds, with := comparisons()[strings.ToLower(fields[1])], strings.Join(fields[2:], " ")
	return slices.DeleteFunc(slices.Clone(list), func(a virtualization.VMAdapterView) bool { return !holds(property(&a), with) }), nil
}
