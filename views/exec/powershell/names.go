package powershell

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/teams"
	"cxdeck/views/exec"
)

// team finds a team of Windows by its name, in any case.
func (p *Invocation) team(name string) (*teams.View, error) {
	var names []string
	for i := range p.View.Teams {
		t := &p.View.Teams[i]
		switch {
		case !strings.EqualFold(t.Name, name):
			names = append(names, t.Name)
		case t.Family != description.WinOF2:
			return nil, fmt.Errorf("%s is a team of the WinOF driver, which Windows does not manage; use team or vlan_config", t.Name)
		default:
			return t, nil
		}
	}
	return nil, request.Errorf("there is no team %q%s", name, exec.Suggest(name, names, "Get-NetLbfoTeam lists the teams"))
}

// teamConnections returns the connections that a parameter names; it is an error if there is none.
func (p *Invocation) teamConnections(parameter string) (names []string, err error) {
	for _, name := range p.Values[parameter] {
		if name, err = exec.Connection(p.View, name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil, exec.Mistake("%s requires -%s with the name of a connection", p.Command, parameter)
	}
	return names, nil
}

// NamesMatching returns the names that -Name selects; all without the parameter. kind is the noun for a name, and lister the
// cmdlet that lists the names, in the error.
func (p *Invocation) NamesMatching(names []string, kind, lister string) ([]string, error) {
	if !p.Has("Name") {
		return names, nil
	}
	return p.SelectNames("Name", names, func(typed string) error {
		return request.Errorf("there is no %s %q%s", kind, typed, exec.Suggest(typed, names, lister+" lists them"))
	})
}

// IsPattern reports whether a typed name has wildcards.
func IsPattern(name string) bool { return strings.ContainsAny(name, "*?") }

// Matches reports whether a name equals typed, or matches its wildcards, in any case.
func Matches(typed, name string) bool {
	if !IsPattern(typed) {
		return strings.EqualFold(typed, name)
	}
	pattern := strings.NewReplacer(`\`, `\\`, "[", `\[`).Replace(strings.ToLower(typed))
	matched, err := path.Match(strings.ReplaceAll(pattern, "/", "\x00"),
		strings.ReplaceAll(strings.ToLower(name), "/", "\x00"))
	return err == nil && matched
}

// SelectNames returns the names that a parameter selects, in the order of names. missing returns the error for a typed name
// that names does not have; a pattern may match none. A name may itself contain commas.
func (p *Invocation) SelectNames(parameter string, names []string, missing func(typed string) error) ([]string, error) {
	typed := p.Values[parameter]
	if whole := strings.Join(typed, ","); slices.ContainsFunc(names,
		func(n string) bool { return strings.EqualFold(n, whole) }) {
		typed = []string{whole}
	}
	for _, pattern := range typed {
		if !IsPattern(pattern) && !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, pattern) }) {
			return nil, missing(pattern)
		}
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !slices.ContainsFunc(typed, func(pattern string) bool { return Matches(pattern, name) })
	}), nil
}

// Ports returns the ports that -Name selects, by connection or, if it has one value, by card; all without the parameter.
func (p *Invocation) Ports() ([]*driver.PortView, error) {
	all, err := exec.PortViews(p.View, "")
	if err != nil || !p.Has("Name") {
		return all, err
	}
	if len(p.Values["Name"]) == 1 && !IsPattern(p.Value("Name")) {
		return exec.PortViews(p.View, p.Value("Name"))
	}
	var names []string
	for _, port := range all {
		names = append(names, port.Description.Connection)
	}
	names, err = p.SelectNames("Name", names, func(typed string) error {
		_, err := exec.Connection(p.View, typed)
		return err
	})
	return slices.DeleteFunc(all, func(port *driver.PortView) bool {
		return !slices.Contains(names, port.Description.Connection)
	}), err
}

// Connections returns the connections that -Name selects; it is an error if there are none.
func (p *Invocation) Connections() ([]string, error) {
	if _, err := p.Required("Name", "the name of a connection"); err != nil {
		return nil, err
	}
	if len(p.Values["Name"]) == 1 && !IsPattern(p.Value("Name")) {
		name, err := exec.Connection(p.View, p.Value("Name")) // an error for a card
		return []string{name}, err
	}
	ports, err := p.Ports()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, port := range ports {
		names = append(names, port.Description.Connection)
	}
	if len(names) == 0 {
		return nil, exec.Mistake("no connection matches %q; adapter list prints the names", p.Value("Name"))
	}
	return names, nil
}
