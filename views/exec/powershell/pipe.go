package powershell

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/cmdlet"
	"cxdeck/views/exec"
	"cxdeck/views/exec/shell"
)

// pipeKey is a parameter that a cmdlet takes from a property of an object in a pipe.
type pipeKey struct{ parameter, property string }

// adapterNouns are the nouns of the cmdlets whose objects are adapters, by their property Name.
func adapterNouns() []string {
	return []string{
		"NetAdapter", "NetAdapterSriov", "NetAdapterRdma", "NetAdapterVmq", "NetAdapterQos", "NetAdapterAdvancedProperty",
		"NetAdapterHardwareInfo", "NetAdapterVPort", "NetLbfoTeamMember",
	}
}

// pipeKeys returns the parameters that a command takes from objects of a noun; none if it takes no such objects.
func pipeKeys(command, from string) []pipeKey {
	_, noun, _ := strings.Cut(command, "-")
	c := cmdlet.Find(command)
	takes := func(name string) bool {
		return c != nil && slices.ContainsFunc(c.Parameters, func(p cmdlet.Parameter) bool { return p.Name == name })
	}
	only := func(keys ...pipeKey) []pipeKey {
		return slices.DeleteFunc(keys, func(k pipeKey) bool { return !takes(k.parameter) })
	}
	isAdapter := slices.Contains(adapterNouns(), from)
	switch {
	case isAdapter && noun == from && noun == "NetAdapterAdvancedProperty":
		return only(pipeKey{"Name", "Name"}, pipeKey{"RegistryKeyword", "RegistryKeyword"})
	case from == "NetLbfoTeamMember" && noun == from:
		return only(pipeKey{"Name", "Name"}, pipeKey{"Team", "Team"})
	case isAdapter && strings.HasPrefix(noun, "NetAdapter"):
		return only(pipeKey{"Name", "Name"})
	case isAdapter && (strings.HasPrefix(noun, "NetIP") || strings.HasPrefix(noun, "Dns") || strings.HasPrefix(noun, "NetVirtualizationProvider")):
		return only(pipeKey{"InterfaceAlias", "Name"})
	case strings.HasPrefix(from, "VMNetworkAdapter") && strings.HasPrefix(noun, "VMNetworkAdapter"):
		return only(pipeKey{"VMName", "VMName"}, pipeKey{"Name", "Name"})
	case from == "VM" && strings.HasPrefix(noun, "VMNetworkAdapter"):
		return only(pipeKey{"VMName", "Name"})
	case from == "VMSwitch" && noun == "VMSwitchExtension":
		return only(pipeKey{"VMSwitchName", "Name"})
	case from == "NetLbfoTeam" && (noun == "NetLbfoTeamMember" || noun == "NetLbfoTeamNic"):
		return only(pipeKey{"Team", "Name"})
	case from == "NetLbfoTeamNic" && noun == from:
		return only(pipeKey{"Team", "Team"}, pipeKey{"Name", "Name"})
	case from == "NetIPAddress" && (noun == from || noun == "NetIPInterface"):
		return only(pipeKey{"IPAddress", "IPAddress"}, pipeKey{"InterfaceAlias", "InterfaceAlias"})
	case from == "NetQosFlowControl" && noun == from:
		return only(pipeKey{"Priority", "Priority"})
	case strings.HasPrefix(from, "NetVirtualization") && noun == from:
		var keys []pipeKey
		for _, p := range c.Parameters {
			if p.Kind != cmdlet.SwitchKind && p.Name != "InterfaceIndex" {
				keys = append(keys, pipeKey{p.Name, p.Name})
			}
		}
		return keys
	case from == noun, strings.HasPrefix(from, "VMSwitch") && strings.HasPrefix(noun, "VMSwitch"):
		return only(pipeKey{"Name", "Name"})
	}
	return nil
}

// CheckCall returns why a cmdlet can't be called with these words.
func CheckCall(command string, words []string, piped bool, from string) error {
	c := cmdlet.Find(command)
	if c == nil {
		return nil
	}
	if !piped || from == "" {
		_, err := parseParameters(command, words, c.Parameters)
		return err
	}
	keys := pipeKeys(command, from)
	if len(keys) == 0 {
		return exec.Mistake("%s takes no objects of Get-%s from a pipe", command, from)
	}
	return checkPiped(command, words, keys)
}

// checkPiped checks the words of a cmdlet that gets some parameters from a pipe.
func checkPiped(command string, words []string, keys []pipeKey) error {
	var rest []cmdlet.Parameter
	var names []string
	for _, p := range cmdlet.Find(command).Parameters {
		if !slices.ContainsFunc(keys, func(k pipeKey) bool { return k.parameter == p.Name }) {
			rest = append(rest, p)
		}
	}
	for _, word := range words {
		name, _, _ := strings.Cut(strings.TrimPrefix(word, "-"), ":")
		if p, err := findParameter(command, name, cmdlet.Find(command).Parameters); err == nil && strings.HasPrefix(word, "-") &&
			slices.ContainsFunc(keys, func(k pipeKey) bool { return k.parameter == p.Name }) {
			return exec.Mistake("%s takes -%s from the pipe; omit the parameter", command, p.Name)
		}
	}
	for _, k := range keys {
		names = append(names, "-"+k.parameter)
	}
	_, err := parseParameters(command, words, rest)
	if err != nil {
		err = exec.Mistake("%s (%s comes from the pipe)", err.Error(), strings.Join(names, ", "))
	}
	return err
}

// BindPiped returns the words of the calls of a cmdlet with objects from a pipe. Objects that differ only in a parameter with a list
// are one call, which changes the host once.
func BindPiped(command string, words []string, objects []*shell.Object) (calls [][]string, err error) {
	var all [][]string // values by object and key
	var keys []pipeKey
	for _, o := range objects {
		now := pipeKeys(command, o.Noun)
		switch {
		case len(now) == 0 && o.Noun == "":
			return nil, exec.Mistake("%s takes no such objects from a pipe; ForEach-Object { %s ... $_.Name } passes a property on", command, command)
		case len(now) == 0:
			return nil, exec.Mistake("%s takes no objects of Get-%s from a pipe", command, o.Noun)
		case keys != nil && !slices.Equal(keys, now):
			return nil, exec.Mistake("the objects in the pipe before %s are of different kinds", command)
		}
		keys = now
		values, err := keyValues(command, o, keys)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(all, func(other []string) bool { return slices.Equal(other, values) }) {
			all = append(all, values)
		}
	}
	if err := checkPiped(command, words, keys); err != nil {
		return nil, err
	}
	if one := joined(command, keys, all); one != nil {
		all = [][]string{one}
	}
	for _, values := range all {
		calls = append(calls, append(pipedWords(command, keys, values), words...))
	}
	return calls, nil
}

// keyValues returns the properties of an object that a command takes.
func keyValues(command string, o *shell.Object, keys []pipeKey) (values []string, err error) {
	for _, k := range keys {
		v, ok := o.Get(k.property)
		text := shell.Text(v)
		switch {
		case !ok:
			return nil, exec.Mistake("an object in the pipe lacks the property %s, which %s needs: select it, too", k.property, command)
		case IsPattern(text) && !strings.HasPrefix(text, "*"):
			return nil, fmt.Errorf("%q in the pipe has a wildcard, so that %s would select more", text, command)
		}
		values = append(values, strings.Trim(text, "{}"))
	}
	return values, nil
}

// joined returns the values of one call in place of several, if they differ in one list only; nil if they do not.
func joined(command string, keys []pipeKey, all [][]string) []string {
	differs := -1
	for i := range keys {
		if slices.ContainsFunc(all, func(values []string) bool { return values[i] != all[0][i] }) {
			if differs >= 0 {
				return nil
			}
			differs = i
		}
	}
	if differs < 0 {
		return all[0]
	}
	list := slices.ContainsFunc(cmdlet.Find(command).Parameters, func(p cmdlet.Parameter) bool { return p.Name == keys[differs].parameter && p.List })
	var parts []string
	for _, values := range all {
		if parts = append(parts, values[differs]); values[differs] == "" || strings.ContainsAny(values[differs], ",{}") {
			return nil
		}
	}
	if !list {
		return nil
	}
	one := slices.Clone(all[0])
	one[differs] = strings.Join(parts, ",")
	return one
}

// pipedWords returns the parameters with the values of an object. An adapter of the host has no machine.
func pipedWords(command string, keys []pipeKey, values []string) (words []string) {
	for i, k := range keys {
		switch {
		case values[i] != "":
			words = append(words, "-"+k.parameter+":"+values[i])
		case k.parameter == "VMName" && strings.Contains(command, "-VMNetworkAdapter"):
			words = append(words, "-ManagementOS")
		}
	}
	return words
}
