package exec

import (
	"cmp"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/teams"
)

// VLANOwner is a team or a connection with VLANs. One of Team and Connection is empty.
type VLANOwner struct {
	Team, Connection string
	VLANs            []teams.VLANView
}

// Read finds a team, or else a connection, by its name, in any case.
func (o *VLANOwner) Read(c *Call, name, _ string) error {
	view, err := c.View()
	if err != nil {
		return err
	}
	var names []string
	for _, t := range view.Teams {
		if strings.EqualFold(t.Name, name) {
			*o = VLANOwner{Team: t.Name, VLANs: t.VLANs}
			return nil
		}
		names = append(names, t.Name)
	}
	for _, a := range view.Adapters {
		for _, p := range a.Ports {
			if strings.EqualFold(p.Description.Connection, name) {
				*o = VLANOwner{Connection: p.Description.Connection, VLANs: p.VLANs}
				return nil
			}
			names = append(names, p.Description.Connection)
		}
	}
	return request.Errorf("there is no team or connection %q%s", name, Suggest(name, names,
		"team list and adapter list print the names"))
}

// Find finds a VLAN by its name, in any case.
func (o *VLANOwner) Find(name string) (teams.VLANView, error) {
	var names []string
	for _, v := range o.VLANs {
		if strings.EqualFold(v.Name, name) {
			return v, nil
		}
		names = append(names, v.Name)
	}
	on := cmp.Or(o.Team, o.Connection)
	return teams.VLANView{}, request.Errorf("%s has no VLAN %q%s", on, name, Suggest(name, names,
		"vlan list prints the names"))
}

// AllVLANs returns the VLANs of all teams and all ports.
func AllVLANs(view *driver.View) []teams.VLANView {
	rows := []teams.VLANView{}
	for _, t := range view.Teams {
		rows = append(rows, t.VLANs...)
	}
	for _, a := range view.Adapters {
		for _, p := range a.Ports {
			rows = append(rows, p.VLANs...)
		}
	}
	return rows
}

// WholeNumber parses an integer argument; noun is its name in the error.
func WholeNumber(text, noun string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, Mistake("invalid %[2]s %[1]q: it must be an integer", text, noun)
	}
	return n, nil
}
