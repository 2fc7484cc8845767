package exec

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/driver"
)

// vlanRow is a VLAN as JSON.
type vlanRow struct {
	Team       string `json:"team,omitempty"`
	Connection string `json:"connection,omitempty"`
	Name       string `json:"name"`
	ID         int    `json:"id"`
	Priority   int    `json:"priority"`
	GUID       string `json:"guid"`
	Device     string `json:"device"`
	Why        string `json:"why,omitempty"`
}

func vlanRows(list []driver.VLANView) []vlanRow {
	rows := []vlanRow{}
	for _, v := range list {
		rows = append(rows, vlanRow{v.Team, v.Connection, v.Name, v.ID, v.Priority, v.GUID, v.Miniport, v.Why})
	}
	return rows
}

func writeVLANs(w io.Writer, rows []vlanRow) error {
	t := newTable(w, "VLAN", "ON", "ID", "PRIORITY", "GUID", "WHY")
	for _, v := range rows {
		t.row(v.Name, cmp.Or(v.Team, v.Connection), strconv.Itoa(v.ID), strconv.Itoa(v.Priority), v.GUID, v.Why)
	}
	return t.Flush()
}

// vlanOwner is the team or the connection that VLANs are on; the other one is empty.
type vlanOwner struct {
	team, connection string
	vlans            []driver.VLANView
}

// vlanOwner is what a name means that VLANs can be on: a team, or else a connection.
func (c *call) vlanOwner(name string) (vlanOwner, error) {
	view, err := c.view()
	if err != nil {
		return vlanOwner{}, err
	}
	var names []string
	for _, t := range view.Teams {
		if strings.EqualFold(t.Name, name) {
			return vlanOwner{team: t.Name, vlans: t.VLANs}, nil
		}
		names = append(names, t.Name)
	}
	for _, a := range view.Adapters {
		for _, p := range a.Ports {
			if strings.EqualFold(p.Description.Connection, name) {
				return vlanOwner{connection: p.Description.Connection, vlans: p.VLANs}, nil
			}
			names = append(names, p.Description.Connection)
		}
	}
	return vlanOwner{}, fmt.Errorf("no team and no connection is called %q%s", name, suggest(name, names,
		"team list and adapter list print the names"))
}

// find is the VLAN of a name or an id.
func (o *vlanOwner) find(name string) (driver.VLANView, error) {
	var names []string
	for _, v := range o.vlans {
		if strings.EqualFold(v.Name, name) {
			return v, nil
		}
		names = append(names, v.Name)
	}
	on := cmp.Or(o.team, o.connection)
	return driver.VLANView{}, fmt.Errorf("no VLAN of %s is called %q%s", on, name, suggest(name, names,
		"vlan list prints the names"))
}

func vlanList(c *call) (answer, error) {
	var rows []vlanRow
	if len(c.arguments) > 0 {
		owner, err := c.vlanOwner(c.arguments[0])
		if err != nil {
			return answer{}, err
		}
		rows = vlanRows(owner.vlans)
	} else {
		view, err := c.view()
		if err != nil {
			return answer{}, err
		}
		rows = allVLANs(view)
	}
	return answer{
		result: struct {
			VLANs []vlanRow `json:"vlans"`
		}{rows},
		text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "There is no VLAN; vlan add makes one.")
				return err
			}
			return writeVLANs(w, rows)
		},
	}, nil
}

// allVLANs are those of all teams and all ports.
func allVLANs(view *driver.View) []vlanRow {
	rows := []vlanRow{}
	for _, t := range view.Teams {
		rows = append(rows, vlanRows(t.VLANs)...)
	}
	for _, a := range view.Adapters {
		for _, p := range a.Ports {
			rows = append(rows, vlanRows(p.VLANs)...)
		}
	}
	return rows
}

// wholeNumber is an argument that must be one; what says what of.
func wholeNumber(text, what string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, mistake("%q is no %s: it is a whole number", text, what)
	}
	return n, nil
}

func vlanAdd(c *call) (answer, error) {
	owner, err := c.vlanOwner(c.arguments[0])
	if err != nil {
		return answer{}, err
	}
	change := driver.AddVLAN{Team: owner.team, Connection: owner.connection, Name: c.arguments[1], GUID: c.flags["guid"]}
	if change.ID, err = wholeNumber(c.arguments[2], "id of a VLAN"); err != nil {
		return answer{}, err
	}
	if change.Priority, err = wholeNumber(cmp.Or(c.flags["priority"], "0"), "priority"); err != nil {
		return answer{}, err
	}
	return c.one(change)
}

func vlanModify(c *call) (answer, error) {
	owner, err := c.vlanOwner(c.arguments[0])
	if err != nil {
		return answer{}, err
	}
	is, err := owner.find(c.arguments[1])
	if err != nil {
		return answer{}, err
	}
	change := driver.ModifyVLAN{
		Team: owner.team, Connection: owner.connection, VLAN: is.Name, Name: cmp.Or(c.flags["name"], is.Name), ID: is.ID,
		Priority: is.Priority,
	}
	if len(c.flags) == 0 {
		return answer{}, mistake("say what changes: --name, --id or --priority")
	}
	if text, given := c.flags["id"]; given {
		if change.ID, err = wholeNumber(text, "id of a VLAN"); err != nil {
			return answer{}, err
		}
	}
	if text, given := c.flags["priority"]; given {
		if change.Priority, err = wholeNumber(text, "priority"); err != nil {
			return answer{}, err
		}
	}
	return c.one(change)
}

func vlanRemove(c *call) (answer, error) {
	owner, err := c.vlanOwner(c.arguments[0])
	if err != nil {
		return answer{}, err
	}
	is, err := owner.find(c.arguments[1])
	if err != nil {
		return answer{}, err
	}
	return c.one(driver.RemoveVLAN{Team: owner.team, Connection: owner.connection, VLAN: is.Name})
}
