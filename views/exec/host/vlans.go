package host

import (
	"cmp"
	"fmt"
	"io"
	"strconv"

	"cxdeck/driver"
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

func vlanList(c *exec.Call, in *struct {
	View  *driver.View
	Owner exec.VLANOwner
}) (exec.Answer, error) {
	rows := exec.AllVLANs(in.View)
	if len(c.Arguments) > 0 {
		rows = append([]teams.VLANView{}, in.Owner.VLANs...)
	}
	return exec.Answer{
		Result: struct {
			VLANs []teams.VLANView `json:"vlans"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "There are no VLANs; vlan add creates one.")
				return err
			}
			return writeVLANs(w, rows)
		},
	}, nil
}

func vlanAdd(c *exec.Call, in *struct {
	Owner    exec.VLANOwner
	Name     string
	ID       int    `is:"the id of a VLAN" range:"1 4094"`
	Priority int    `is:"the priority of a VLAN" range:"0 7" flag:"priority"`
	GUID     string `flag:"guid"`
}) (exec.Answer, error) {
	return c.ApplyOne(teams.AddVLAN{Team: in.Owner.Team, Connection: in.Owner.Connection, Name: in.Name, ID: in.ID, Priority: in.Priority,
		GUID: in.GUID})
}

func vlanModify(c *exec.Call, in *struct {
	Owner    exec.VLANOwner
	VLAN     string
	Name     string `flag:"name"`
	ID       *int   `is:"the id of a VLAN" range:"1 4094" flag:"id"`
	Priority *int   `is:"the priority of a VLAN" range:"0 7" flag:"priority"`
}) (exec.Answer, error) {
	vlan, err := in.Owner.Find(in.VLAN)
	if err != nil {
		return exec.Answer{}, err
	}
	change := teams.ModifyVLAN{Team: in.Owner.Team, Connection: in.Owner.Connection, VLAN: vlan.Name, Name: cmp.Or(in.Name, vlan.Name),
		ID: *cmp.Or(in.ID, &vlan.ID), Priority: *cmp.Or(in.Priority, &vlan.Priority)}
	if len(c.Flags) == 0 {
		return exec.Answer{}, exec.Mistake("one of --name, --id and --priority is required")
	}
	return c.ApplyOne(change)
}

func vlanRemove(c *exec.Call, in *struct {
	Owner exec.VLANOwner
	VLAN  string
}) (exec.Answer, error) {
	vlan, err := in.Owner.Find(in.VLAN)
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(teams.RemoveVLAN{Team: in.Owner.Team, Connection: in.Owner.Connection, VLAN: vlan.Name})
}
