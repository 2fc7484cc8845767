package powershell

import (
	"path"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/views/exec"
)

// isPattern reports whether a name is a pattern.
func isPattern(name string) bool { return strings.ContainsAny(name, "*?") }

// matches reports whether a name is what was typed, in any case, or fits into it where it is a pattern.
func matches(typed, name string) bool {
	if !isPattern(typed) {
		return strings.EqualFold(typed, name)
	}
	pattern := strings.NewReplacer(`\`, `\\`, "[", `\[`).Replace(strings.ToLower(typed))
	fits, err := path.Match(strings.ReplaceAll(pattern, "/", "\x00"),
		strings.ReplaceAll(strings.ToLower(name), "/", "\x00"))
	return err == nil && fits
}

// chosen returns the names of a list that a parameter means, in the order of the list. A name that none has is looked up by
// missing, which says what is wrong with it; a pattern may fit none. Commas may belong to a name, too.
func (p *invocation) chosen(parameter string, names []string, missing func(typed string) error) ([]string, error) {
	typed := p.values[parameter]
	if whole := strings.Join(typed, ","); slices.ContainsFunc(names,
		func(n string) bool { return strings.EqualFold(n, whole) }) {
		typed = []string{whole}
	}
	for _, one := range typed {
		if !isPattern(one) && !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, one) }) {
			return nil, missing(one)
		}
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !slices.ContainsFunc(typed, func(one string) bool { return matches(one, name) })
	}), nil
}

// ports returns the ports that -Name means: connections, or the one card that it names; all without it.
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
	names, err = p.chosen("Name", names, func(typed string) error {
		_, err := exec.Connection(p.view, typed)
		return err
	})
	return slices.DeleteFunc(all, func(port *driver.PortView) bool {
		return !slices.Contains(names, port.Description.Connection)
	}), err
}

// connections returns the connections that -Name must mean, at least one.
func (p *invocation) connections() ([]string, error) {
	if _, err := p.need("Name", "the name of a connection"); err != nil {
		return nil, err
	}
	if len(p.values["Name"]) == 1 && !isPattern(p.value("Name")) {
		name, err := exec.Connection(p.view, p.value("Name")) // a card is no connection
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

// vms returns the virtual machines that a parameter means, in the order of the host.
func (p *invocation) vms(parameter string) ([]string, error) {
	var names []string
	for i := range p.view.VMs {
		names = append(names, p.view.VMs[i].Name)
	}
	if !p.hasParameter(parameter) {
		return names, nil
	}
	chosen, err := p.chosen(parameter, names, func(typed string) error {
		_, err := exec.FindVM(p.view, typed)
		return err
	})
	return chosen, err
}
