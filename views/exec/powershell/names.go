package powershell

import (
	"path"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/views/exec"
)

// isPattern reports whether a typed name has wildcards.
func isPattern(name string) bool { return strings.ContainsAny(name, "*?") }

// matches reports whether a name equals typed, or matches its wildcards, in any case.
func matches(typed, name string) bool {
	if !isPattern(typed) {
		return strings.EqualFold(typed, name)
	}
	pattern := strings.NewReplacer(`\`, `\\`, "[", `\[`).Replace(strings.ToLower(typed))
	matched, err := path.Match(strings.ReplaceAll(pattern, "/", "\x00"),
		strings.ReplaceAll(strings.ToLower(name), "/", "\x00"))
	return err == nil && matched
}

// selectNames returns the names that a parameter selects, in the order of names. missing returns the error for a typed name
// that names does not have; a pattern may match none. A name may itself contain commas.
func (p *invocation) selectNames(parameter string, names []string, missing func(typed string) error) ([]string, error) {
	typed := p.values[parameter]
	if whole := strings.Join(typed, ","); slices.ContainsFunc(names,
		func(n string) bool { return strings.EqualFold(n, whole) }) {
		typed = []string{whole}
	}
	for _, pattern := range typed {
		if !isPattern(pattern) && !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, pattern) }) {
			return nil, missing(pattern)
		}
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !slices.ContainsFunc(typed, func(pattern string) bool { return matches(pattern, name) })
	}), nil
}

// ports returns the ports that -Name selects, by connection or, if it has one value, by card; all without the parameter.
func (p *invocation) ports() ([]*driver.PortView, error) {
	all, err := exec.PortViews(p.view, "")
	if err != nil || !p.hasParameter("Name") {
		return all, err
	}
	if len(p.values["Name"]) == 1 && !isPattern(p.value("Name")) {
		return exec.PortViews(p.view, p.value("Name"))
	}
	var names []string
	for _, port := range all {
		names = append(names, port.Description.Connection)
	}
	names, err = p.selectNames("Name", names, func(typed string) error {
		_, err := exec.Connection(p.view, typed)
		return err
	})
	return slices.DeleteFunc(all, func(port *driver.PortView) bool {
		return !slices.Contains(names, port.Description.Connection)
	}), err
}

// connections returns the connections that -Name selects; it is an error if there are none.
func (p *invocation) connections() ([]string, error) {
	if _, err := p.required("Name", "the name of a connection"); err != nil {
		return nil, err
	}
	if len(p.values["Name"]) == 1 && !isPattern(p.value("Name")) {
		name, err := exec.Connection(p.view, p.value("Name")) // an error for a card
		return []string{name}, err
	}
	ports, err := p.ports()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, port := range ports {
		names = append(names, port.Description.Connection)
	}
	if len(names) == 0 {
		return nil, exec.Mistake("no connection matches %q; adapter list prints the names", p.value("Name"))
	}
	return names, nil
}

// vms returns the virtual machines that a parameter selects, in the host's order; all without the parameter.
func (p *invocation) vms(parameter string) ([]string, error) {
	var names []string
	for i := range p.view.VMs {
		names = append(names, p.view.VMs[i].Name)
	}
	if !p.hasParameter(parameter) {
		return names, nil
	}
	selected, err := p.selectNames(parameter, names, func(typed string) error {
		_, err := exec.FindVM(p.view, typed)
		return err
	})
	return selected, err
}
