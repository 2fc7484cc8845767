package host

import (
	"cmp"
	"fmt"
	"io"
	"strconv"

	"cxdeck/driver/teams"
	"cxdeck/views/exec"
)

func writeVLANs(w io.Writer, rows []teams.VLANView) error {
	t := exec.NewTextTable(w, "VLAN", "ON", "ID", "PRIORITY", "GUID", "WHY")
	for _, v := range rows {
		t.Row(v.Name, cmp.Or(v.Team, v.Connection), strconv.Itoa(v.ID), strconv.Itoa(v.Priority), v.GUID, v.Why)
	}
	return t.Flush()
}

func vlanList(c *exec.Call) (exec.Answer, error) {
	var rows []teams.VLANView
	if len(c.Arguments) > 0 {
		owner, err := c.FindVLANOwner(c.Arguments[0])
		if err != nil {
			return exec.Answer{}, err
		}
		rows = append([]teams.VLANView{}, owner.VLANs...)
	} else {
		view, err := c.View()
		if err != nil {
			return exec.Answer{}, err
		}
		rows = exec.AllVLANs(view)
	}
	return exec.Answer{
		Result: struct {
			VLANs []teams.VLANView `json:"vlans"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "There is no VLAN; vlan add makes one.")
				return err
			}
			return writeVLANs(w, rows)
		},
	}, nil
}

func vlanAdd(c *exec.Call) (exec.Answer, error) {
	owner, err := c.FindVLANOwner(c.Arguments[0])
	if err != nil {
		return exec.Answer{}, err
	}
	change := teams.AddVLAN{Team: owner.Team, Connection: owner.Connection, Name: c.Arguments[1], GUID: c.Flags["guid"]}
	if change.ID, err = exec.WholeNumber(c.Arguments[2], "id of a VLAN"); err != nil {
		return exec.Answer{}, err
	}
	if change.Priority, err = exec.WholeNumber(cmp.Or(c.Flags["priority"], "0"), "priority"); err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(change)
}

func vlanModify(c *exec.Call) (exec.Answer, error) {
	owner, err := c.FindVLANOwner(c.Arguments[0])
	if err != nil {
		return exec.Answer{}, err
	}
	is, err := owner.Find(c.Arguments[1])
	if err != nil {
		return exec.Answer{}, err
	}
	change := teams.ModifyVLAN{
		Team: owner.Team, Connection: owner.Connection, VLAN: is.Name, Name: cmp.Or(c.Flags["name"], is.Name), ID: is.ID,
		Priority: is.Priority,
	}
	if len(c.Flags) == 0 {
		return exec.Answer{}, exec.Mistake("say what changes: --name, --id or --priority")
	}
	if text, given := c.Flags["id"]; given {
		if change.ID, err = exec.WholeNumber(text, "id of a VLAN"); err != nil {
			return exec.Answer{}, err
		}
	}
	if text, given := c.Flags["priority"]; given {
		if change.Priority, err = exec.WholeNumber(text, "priority"); err != nil {
			return exec.Answer{}, err
		}
	}
	return c.ApplyOne(change)
}

func vlanRemove(c *exec.Call) (exec.Answer, error) {
	owner, err := c.FindVLANOwner(c.Arguments[0])
	if err != nil {
		return exec.Answer{}, err
	}
	is, err := owner.Find(c.Arguments[1])
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(teams.RemoveVLAN{Team: owner.Team, Connection: owner.Connection, VLAN: is.Name})
}
