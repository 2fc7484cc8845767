package host

import (
	"cmp"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/views/exec"
)

func teamCreate(c *exec.Call, view *driver.View) (exec.Answer, error) {
	kind, err := mux.ParseType(c.Arguments[1])
	if err != nil {
		return exec.Answer{}, &exec.MistakeError{Text: err.Error()}
	}
	n := exec.NewTeam{Create: teams.Create{Name: c.Arguments[0], Type: kind.String(), GUID: c.Flags["guid"]}}
	_, n.Create.NoFailback = c.Flags["no-failback"]
	_, n.Create.IPoIB = c.Flags["ipoib"]
	for _, name := range c.Arguments[2:] {
		if name, err = exec.Connection(view, name); err != nil {
			return exec.Answer{}, err
		}
		n.Members = append(n.Members, name)
	}
	if n.Primary, err = checkMembers(&n, "primary", c.Flags["primary"]); err != nil {
		return exec.Answer{}, err
	}
	if n.Address, err = checkMembers(&n, "mac", c.Flags["mac"]); err != nil {
		return exec.Answer{}, err
	}
	switch word, given := c.Flags["family"]; {
	case given:
		if err := n.Create.Family.UnmarshalText([]byte(strings.ToLower(word))); err != nil {
			return exec.Answer{}, exec.Mistake("--family is winof or winof-2, and not %q", word)
		}
	case len(n.Members) > 0:
		var ipoib bool
		n.Create.Family, ipoib = exec.FamilyOf(view, n.Members[0])
		n.Create.IPoIB = n.Create.IPoIB || ipoib
	default:
		n.Create.Family = view.Adapters[0].Description.Family
		for _, a := range view.Adapters {
			if a.Description.Family != n.Create.Family {
				return exec.Answer{}, exec.Mistake("a team without members needs --family winof or --family winof-2: the host has " +
					"adapters of both")
			}
		}
	}
	return c.Apply(n.Plan())
}

// checkMembers is the member that a flag names, as the host has its name; empty without the flag.
func checkMembers(n *exec.NewTeam, flag, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	for _, member := range n.Members {
		if strings.EqualFold(member, name) {
			return member, nil
		}
	}
	return "", exec.Mistake("--%s names %q, which is not among the members of the new team", flag, name)
}

func teamModify(c *exec.Call) (exec.Answer, error) {
	_, t, err := teamNamed(c)
	if err != nil {
		return exec.Answer{}, err
	}
	if len(c.Flags) == 0 {
		return exec.Answer{}, exec.Mistake("say what changes: --name, --type or --failback")
	}
	change := teams.Modify{Team: t.Name, Name: c.Flags["name"]}
	if text, given := c.Flags["type"]; given {
		kind, err := mux.ParseType(text)
		if err != nil {
			return exec.Answer{}, &exec.MistakeError{Text: err.Error()}
		}
		change.Type = kind.String()
	}
	switch text, given := c.Flags["failback"]; {
	case !given:
	case text == "on" || text == "off":
		change.Failback = new(text == "on")
	default:
		return exec.Answer{}, exec.Mistake("--failback is on or off, and not %q", text)
	}
	return c.ApplyOne(change)
}

func teamRemove(c *exec.Call, view *driver.View) (exec.Answer, error) {
	var names []string
	var plan driver.Plan
	for _, name := range c.Arguments {
		t, err := exec.FindTeam(view, name)
		if err != nil {
			return exec.Answer{}, err
		}
		names = append(names, t.Name)
		plan.Operations = append(plan.Operations, teams.Delete{Team: t.Name})
	}
	plan.Title = "Remove the team " + strings.Join(names, ", ")
	return c.Apply(plan)
}

// memberNamed is the team that the first argument names, and the connection that the second does.
func memberNamed(c *exec.Call) (team, member string, err error) {
	view, t, err := teamNamed(c)
	if err != nil {
		return "", "", err
	}
	member, err = exec.Connection(view, c.Arguments[1])
	return t.Name, member, err
}

func teamAttach(c *exec.Call) (exec.Answer, error) {
	team, member, err := memberNamed(c)
	if err != nil {
		return exec.Answer{}, err
	}
	change := teams.Attach{Team: team, Connection: member}
	_, change.Primary = c.Flags["primary"]
	_, change.SetMAC = c.Flags["mac"]
	return c.ApplyOne(change)
}

func teamDetach(c *exec.Call) (exec.Answer, error) {
	team, member, err := memberNamed(c)
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(teams.Detach{Team: team, Connection: member})
}

func teamPrimary(c *exec.Call) (exec.Answer, error) {
	if strings.EqualFold(c.Arguments[1], "none") {
		_, t, err := teamNamed(c)
		if err != nil {
			return exec.Answer{}, err
		}
		return c.ApplyOne(teams.SetPrimary{Team: t.Name})
	}
	team, member, err := memberNamed(c)
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(teams.SetPrimary{Team: team, Connection: member})
}

// drillMember is the member whose cable a drill pulls: the one that is named, or else the first that carries traffic.
func drillMember(t *teams.View, name string) (string, error) {
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
		return "", exec.Mistake("%s is no member of the team %s%s", name, t.Name, exec.Suggest(name, names, "team show prints them"))
	case active == "":
		return "", exec.Mistake("no member of the team %s carries traffic: there is nothing to fail over from", t.Name)
	}
	return active, nil
}
