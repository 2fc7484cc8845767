package linuxhost

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Absent is the value of the setting "link" before a bond or VLAN is made and after it is removed, and of "master" outside of a bond.
const Absent = "none"

// optionsOfBonds are the options with which a bond is made, in the order of its value.
var optionsOfBonds = []string{"mode", "miimon", "xmit_hash_policy", "lacp_rate"}

// AddBond makes the plan for a new bond of assignments such as "mode=802.3ad" and "members=eth1,eth2". Members that are up are taken down:
// the kernel accepts no other ones.
func AddBond(m *Machine, name string, assignments []string) (Plan, error) {
	if err := checkNewName(m, name); err != nil {
		return nil, err
	}
	values := map[string]string{"mode": "balance-rr", "miimon": "100", "xmit_hash_policy": "layer2"}
	var members []string
	for _, assignment := range assignments {
		key, value, found := strings.Cut(assignment, "=")
		switch {
		case !found || value == "":
			return nil, fmt.Errorf("%q must be OPTION=VALUE, such as mode=802.3ad or members=eth1,eth2", assignment)
		case key == "members":
			members = strings.Split(value, ",")
			continue
		case !slices.Contains(optionsOfBonds, key):
			return nil, fmt.Errorf("a new bond has no option %q; choose from %s, members", key, strings.Join(optionsOfBonds, ", "))
		}
		checked, err := checkValue(&Interface{}, Setting{Name: "bond." + key}, value)
		if err != nil {
			return nil, fmt.Errorf("%s %w", key, err)
		}
		values[key] = checked
	}
	if values["lacp_rate"] != "" && values["mode"] != "802.3ad" {
		return nil, fmt.Errorf("lacp_rate is for the mode 802.3ad only")
	}
	if values["lacp_rate"] == "" && values["mode"] == "802.3ad" {
		values["lacp_rate"] = "slow"
	}
	plan := Plan{{Interface: name, Name: "link", Old: Absent, New: bondText(func(option string) string { return values[option] })}}
	for n, member := range members {
		if slices.Contains(members[:n], member) {
			return nil, fmt.Errorf("the member %s is given twice", member)
		}
		i, ok := m.Interface(member)
		if !ok {
			return nil, fmt.Errorf("there is no interface %q", member)
		}
		s, ok := i.Setting("master")
		if !ok || i.Master != "" {
			return nil, fmt.Errorf("the interface %s can't be a member%s", member, map[bool]string{true: ": it is a member of " + i.Master}[i.Master != ""])
		}
		plan = append(plan, joinSteps(i, Change{Interface: member, Name: "master", Old: s.Value, New: name})...)
	}
	return append(plan, Change{Interface: name, Name: "state", Old: "down", New: "up"}), nil
}

// AddVLAN makes the plan for a VLAN on an interface; its name is PARENT.ID when name is empty.
func AddVLAN(m *Machine, parent, id, name string) (Plan, error) {
	i, ok := m.Interface(parent)
	if !ok {
		return nil, fmt.Errorf("there is no interface %q", parent)
	}
	if i.Index == loopback {
		return nil, fmt.Errorf("the interface %s carries no VLANs", parent)
	}
	const last = 4094
	number, err := checkNumber(id, 1, last)
	if err != nil {
		return nil, fmt.Errorf("the VLAN %w", err)
	}
	for _, other := range m.Interfaces {
		if other.Kind == "vlan" && other.Below == parent && strconv.Itoa(other.VLAN) == number {
			return nil, fmt.Errorf("the interface %s has the VLAN %s already: %s", parent, number, other.Name)
		}
	}
	if name == "" {
		name = parent + "." + number
	}
	if err := checkNewName(m, name); err != nil {
		return nil, err
	}
	return Plan{{Interface: name, Name: "link", Old: Absent, New: "vlan " + number + " " + parent}, {Interface: name, Name: "state", Old: "down", New: "up"}}, nil
}

// RemoveLink makes the plan that removes a bond or a VLAN; its undo makes it again, with its members.
func RemoveLink(m *Machine, name string) (Plan, error) {
	i, ok := m.Interface(name)
	if !ok {
		return nil, fmt.Errorf("there is no interface %q", name)
	}
	s, ok := i.Setting("link")
	if !ok {
		return nil, fmt.Errorf("the interface %s is neither a bond nor a VLAN", name)
	}
	for _, other := range m.Interfaces {
		if other.Below == name {
			return nil, fmt.Errorf("the interface %s carries %s: remove it first", name, other.Name)
		}
	}
	if i.Master != "" {
		return nil, fmt.Errorf("the interface %s is a member of %s: remove it there first", name, i.Master)
	}
	var plan Plan
	if i.Up {
		plan = append(plan, Change{Interface: name, Name: "state", Old: "up", New: "down"})
	}
	for _, member := range i.Members {
		plan = append(plan, Change{Interface: member.Name, Name: "master", Old: name, New: Absent})
	}
	return append(plan, Change{Interface: name, Name: "link", Old: s.Value, New: Absent}), nil
}

// loopback is the index of the loopback interface.
const loopback = 1

// checkNewName accepts a name that the kernel takes and that no interface has.
func checkNewName(m *Machine, name string) error {
	const longest = 15
	odd := func(r rune) bool { return r == '/' || r == ':' || unicode.IsSpace(r) || !unicode.IsPrint(r) }
	if name == "" || name == "." || name == ".." || name == Absent || len(name) > longest || strings.IndexFunc(name, odd) >= 0 {
		return fmt.Errorf("%q is no name of an interface: it must have 1 to 15 characters, without blanks, / and colons", name)
	}
	if _, ok := m.Interface(name); ok {
		return fmt.Errorf("there is an interface %s already", name)
	}
	return nil
}

// bondText is the value of a bond's "link": what ip needs to make it again.
func bondText(value func(option string) string) string {
	text := "bond"
	for _, option := range optionsOfBonds {
		if v := value(option); v != "" {
			text += " " + option + " " + v
		}
	}
	return text
}

// joinSteps takes an interface down before it becomes a member: the kernel takes it up again.
func joinSteps(i *Interface, c Change) []Change {
	if i.Up {
		return []Change{{Interface: c.Interface, Name: "state", Old: "up", New: "down"}, c}
	}
	return []Change{c}
}

// linkCommand returns the line of ip that makes or removes a bond or a VLAN.
func linkCommand(c *Change) string {
	words := strings.Fields(c.New)
	switch {
	case c.New == Absent:
		return "ip link del dev " + quote(c.Interface)
	case len(words) == 3 && words[0] == "vlan":
		return "ip link add link " + quote(words[2]) + " name " + quote(c.Interface) + " type vlan id " + words[1]
	}
	return "ip link add name " + quote(c.Interface) + " type " + c.New
}
