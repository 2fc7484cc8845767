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
	if n.Primary, err = memberOf(&n, "primary", c.Flags["primary"]); err != nil {
		return exec.Answer{}, err
	}
	if n.Address, err = memberOf(&n, "mac", c.Flags["mac"]); err != nil {
		return exec.Answer{}, err
	}
	switch word, given := c.Flags["family"]; {
	case given:
		if err := n.Create.Family.UnmarshalText([]byte(strings.ToLower(word))); err != nil {
			return exec.Answer{}, exec.Mistake("--family must be winof or winof-2, not %q", word)
		}
	case len(n.Members) > 0:
		var ipoib bool
		n.Create.Family, ipoib = exec.FamilyOf(view, n.Members[0])
		n.Create.IPoIB = n.Create.IPoIB || ipoib
	default:
		n.Create.Family = view.Adapters[0].Description.Family
		for _, a := range view.Adapters {
			if a.Description.Family != n.Create.Family {
				return exec.Answer{}, exec.Mistake("a team without members requires --family winof or --family winof-2: the host has " +
					"adapters of both")
			}
		}
	}
	return c.Apply(n.Plan())
}

// memberOf returns the member that a flag names, in the host's spelling; it is empty without the flag.
func memberOf(n *exec.NewTeam, flag, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	for _, member := range n.Members {
		if strings.EqualFold(member, name) {
			return member, nil
		}
	}
	return "", exec.Mistake("--%s: %q is not a member of the new team", flag, name)
}

func teamModify(c *exec.Call, in *struct {
	Team     *teams.View
	Name     string   `flag:"name"`
	Type     mux.Type `flag:"type"`
	Failback *bool    `is:"--failback" flag:"failback"`
}) (exec.Answer, error) {
	if len(c.Flags) == 0 {
		return exec.Answer{}, exec.Mistake("one of --name, --type and --failback is required")
	}
	change := teams.Modify{Team: in.Team.Name, Name: in.Name, Failback: in.Failback}
	if in.Type != 0 {
		change.Type = in.Type.String()
	}
	return c.ApplyOne(change)
}

func teamRemove(c *exec.Call, in *struct{ Teams []*teams.View }) (exec.Answer, error) {
	var names []string
	var plan driver.Plan
	for _, t := range in.Teams {
		names = append(names, t.Name)
		plan.Operations = append(plan.Operations, teams.Delete{Team: t.Name})
	}
	plan.Title = "Remove the team " + strings.Join(names, ", ")
	return c.Apply(plan)
}

func teamAttach(c *exec.Call, in *struct {
	Team    *teams.View
	Member  string `is:"connection"`
	Primary bool   `flag:"primary"`
	MAC     bool   `flag:"mac"`
}) (exec.Answer, error) {
	return c.ApplyOne(teams.Attach{Team: in.Team.Name, Connection: in.Member, Primary: in.Primary, SetMAC: in.MAC})
}

func teamDetach(c *exec.Call, in *struct {
	Team   *teams.View
	Member string `is:"connection"`
}) (exec.Answer, error) {
	return c.ApplyOne(teams.Detach{Team: in.Team.Name, Connection: in.Member})
}

func teamPrimary(c *exec.Call, in *struct {
	Team   *teams.View
	Member connectionOrNone
}) (exec.Answer, error) {
	return c.ApplyOne(teams.SetPrimary{Team: in.Team.Name, Connection: string(in.Member)})
}

// connectionOrNone is a connection as an argument; it is empty for the word none.
type connectionOrNone string

// Read finds the connection.
func (n *connectionOrNone) Read(c *exec.Call, text, _ string) error {
	if strings.EqualFold(text, "none") {
		return nil
	}
	return c.Parse((*string)(n), text, exec.IsConnection)
}

// drillMember returns the member whose cable a drill pulls: the named one, or the first active one if name is empty.
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
		return "", exec.Mistake("%s is not a member of the team %s%s", name, t.Name, exec.Suggest(name, names, "team show lists the members"))
	case active == "":
		return "", exec.Mistake("no member of the team %s carries traffic, so the drill can't cause a failover", t.Name)
	}
	return active, nil
}
