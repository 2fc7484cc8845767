package exec

import (
	"cmp"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/mux"
)

// newTeam is a team that is to be made, with its members.
type newTeam struct {
	create  driver.CreateTeam
	members []string
	// primary and address are members, or empty: which is the primary one, and whose address the team gets.
	primary, address string
}

// plan makes the team.
func (n *newTeam) plan() driver.Plan {
	plan := driver.Plan{Title: "Create the team " + n.create.Name, Operations: []driver.Operation{n.create}}
	for _, member := range n.members {
		plan.Operations = append(plan.Operations, driver.AttachMember{
			Team: n.create.Name, Connection: member, Primary: member == n.primary, SetMAC: member == n.address,
		})
	}
	return plan
}

// kindOf is the family of a connection's adapter, and whether it is a port of InfiniBand.
func kindOf(view *driver.View, name string) (family description.Family, ipoib bool) {
	for _, a := range view.Adapters {
		for _, p := range a.Ports {
			if p.Description.Connection == name {
				return a.Description.Family, p.Description.Link == description.InfiniBand
			}
		}
	}
	return 0, false
}

func teamCreate(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	kind, err := mux.ParseType(c.arguments[1])
	if err != nil {
		return answer{}, &MistakeError{err.Error()}
	}
	n := newTeam{create: driver.CreateTeam{Name: c.arguments[0], Type: kind.String(), GUID: c.flags["guid"]}}
	_, n.create.NoFailback = c.flags["no-failback"]
	_, n.create.IPoIB = c.flags["ipoib"]
	for _, name := range c.arguments[2:] {
		if name, err = connection(view, name); err != nil {
			return answer{}, err
		}
		n.members = append(n.members, name)
	}
	if n.primary, err = n.among("primary", c.flags["primary"]); err != nil {
		return answer{}, err
	}
	if n.address, err = n.among("mac", c.flags["mac"]); err != nil {
		return answer{}, err
	}
	switch word, given := c.flags["family"]; {
	case given:
		if err := n.create.Family.UnmarshalText([]byte(strings.ToLower(word))); err != nil {
			return answer{}, mistake("--family is winof or winof-2, and not %q", word)
		}
	case len(n.members) > 0:
		var ipoib bool
		n.create.Family, ipoib = kindOf(view, n.members[0])
		n.create.IPoIB = n.create.IPoIB || ipoib
	default:
		n.create.Family = view.Adapters[0].Description.Family
		for _, a := range view.Adapters {
			if a.Description.Family != n.create.Family {
				return answer{}, mistake("a team without members needs --family winof or --family winof-2: the host has " +
					"adapters of both")
			}
		}
	}
	return c.apply(n.plan())
}

// among is the member that a flag names, as the host has its name; empty without the flag.
func (n *newTeam) among(flag, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	for _, member := range n.members {
		if strings.EqualFold(member, name) {
			return member, nil
		}
	}
	return "", mistake("--%s names %q, which is not among the members of the new team", flag, name)
}

func teamModify(c *call) (answer, error) {
	_, t, err := c.team()
	if err != nil {
		return answer{}, err
	}
	if len(c.flags) == 0 {
		return answer{}, mistake("say what changes: --name, --type or --failback")
	}
	change := driver.ModifyTeam{Team: t.Name, Name: c.flags["name"]}
	if text, given := c.flags["type"]; given {
		kind, err := mux.ParseType(text)
		if err != nil {
			return answer{}, &MistakeError{err.Error()}
		}
		change.Type = kind.String()
	}
	switch text, given := c.flags["failback"]; {
	case !given:
	case text == "on" || text == "off":
		change.Failback = new(text == "on")
	default:
		return answer{}, mistake("--failback is on or off, and not %q", text)
	}
	return c.one(change)
}

func teamRemove(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	var names []string
	var plan driver.Plan
	for _, name := range c.arguments {
		t, err := findTeam(view, name)
		if err != nil {
			return answer{}, err
		}
		names = append(names, t.Name)
		plan.Operations = append(plan.Operations, driver.DeleteTeam{Team: t.Name})
	}
	plan.Title = "Remove the team " + strings.Join(names, ", ")
	return c.apply(plan)
}

// member is the team that the first argument names, and the connection that the second does.
func (c *call) member() (team, member string, err error) {
	view, t, err := c.team()
	if err != nil {
		return "", "", err
	}
	member, err = connection(view, c.arguments[1])
	return t.Name, member, err
}

func teamAttach(c *call) (answer, error) {
	team, member, err := c.member()
	if err != nil {
		return answer{}, err
	}
	change := driver.AttachMember{Team: team, Connection: member}
	_, change.Primary = c.flags["primary"]
	_, change.SetMAC = c.flags["mac"]
	return c.one(change)
}

func teamDetach(c *call) (answer, error) {
	team, member, err := c.member()
	if err != nil {
		return answer{}, err
	}
	return c.one(driver.DetachMember{Team: team, Connection: member})
}

func teamPrimary(c *call) (answer, error) {
	if strings.EqualFold(c.arguments[1], "none") {
		_, t, err := c.team()
		if err != nil {
			return answer{}, err
		}
		return c.one(driver.SetPrimary{Team: t.Name})
	}
	team, member, err := c.member()
	if err != nil {
		return answer{}, err
	}
	return c.one(driver.SetPrimary{Team: team, Connection: member})
}

// teamTypesHelp lists the types for a help page.
func teamTypesHelp() string {
	var parts []string
	for _, row := range mux.Types() {
		parts = append(parts, row.Name+" ("+row.Title+")")
	}
	return "TYPE is one of " + strings.Join(parts, ", ") + ". Teams of IPoIB are of the type AFT only."
}

// drillMember is the member whose cable a drill pulls: the one that is named, or else the first that carries traffic.
func drillMember(t *driver.TeamView, name string) (string, error) {
	var names []string
	active := ""
	for _, m := range t.Members {
		if strings.EqualFold(m.Connection, name) {
			return m.Connection, nil
		}
		if m.Role == mux.Active {
			active = cmp.Or(active, m.Connection)
		}
		names = append(names, m.Connection)
	}
	switch {
	case name != "":
		return "", mistake("%s is no member of the team %s%s", name, t.Name, suggest(name, names, "team show prints them"))
	case active == "":
		return "", mistake("no member of the team %s carries traffic: there is nothing to fail over from", t.Name)
	}
	return active, nil
}
