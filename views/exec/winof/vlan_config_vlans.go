package winof

import (
	"fmt"

	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/teams"
	"cxdeck/views/exec"
)

// muxOwner is an owner of VLANs as an argument: a team by name, or an adapter by GUID. guid is the GUID of either.
type muxOwner struct {
	exec.VLANOwner
	guid string
}

// Read finds the team or adapter.
func (o *muxOwner) Read(c *exec.Call, name, _ string) error {
	var t muxTeam
	err := t.Read(c, name, "")
	if err == nil {
		*o = muxOwner{exec.VLANOwner{Team: t.Name, VLANs: t.VLANs}, t.GUID}
		return nil
	}
	if _, notGUID := request.ParseGUID(name); notGUID != nil {
		return err
	}
	var m muxMember
	if err := m.Read(c, name, ""); err != nil {
		return err
	}
	o.guid = m.guid
	return o.VLANOwner.Read(c, m.connection, "")
}

func vlanConfigAddVLAN(c *exec.Call, in *struct {
	Owner    muxOwner
	Name     string
	ID       int `is:"id of a VLAN"`
	Priority int `is:"priority"`
}) (exec.Answer, error) {
	add := teams.AddVLAN{Team: in.Owner.Team, Connection: in.Owner.Connection, Name: in.Name, ID: in.ID, Priority: in.Priority}
	return muxChange(c, add, func(view *driver.View) []string {
		guid := ""
		for _, v := range exec.AllVLANs(view) {
			if v.Team == add.Team && v.Connection == add.Connection && v.Name == add.Name {
				guid = withoutBraces(v.GUID)
			}
		}
		return []string{
			"Adding vlan to adapter with Guid =" + in.Owner.guid, "Vlan Name=" + add.Name, fmt.Sprintf("Vlan Id=%d", add.ID),
			fmt.Sprintf("Vlan Priority=%d", add.Priority), "Miniport created with Guid = " + guid,
		}
	})
}

// muxVLAN has the arguments that name a VLAN.
type muxVLAN struct {
	Owner muxOwner
	VLAN  string
}

func vlanConfigRemoveVLAN(c *exec.Call, in *muxVLAN) (exec.Answer, error) {
	v, err := in.Owner.Find(trimBraces(in.VLAN))
	if err != nil {
		return exec.Answer{}, err
	}
	return muxChange(c, teams.RemoveVLAN{Team: v.Team, Connection: v.Connection, VLAN: v.Name},
		func(*driver.View) []string {
			return []string{
				"removing vlan to adapter with physical Guid =" + in.Owner.guid, "Vlan Guid =" + v.GUID,
				"pMuxPhysicalAdapter->RemoveMiniport succeeded",
			}
		})
}

func vlanConfigQueryVLAN(_ *exec.Call, in *muxVLAN) (exec.Answer, error) {
	v, err := in.Owner.Find(trimBraces(in.VLAN))
	if err != nil {
		return exec.Answer{}, err
	}
	var lines []string
	field := func(name string, value any) { lines = append(lines, fmt.Sprintf("%-16s: %v", name, value)) }
	field("Vlan Guid", v.GUID)
	field("Vlan Name", v.Name)
	field("Vlan Id", v.ID)
	field("Vlan Priority", v.Priority)
	return exec.PrintLines(lines, struct {
		VLAN teams.VLANView `json:"vlan"`
	}{v}), nil
}

func vlanConfigModifyVLAN(c *exec.Call, in *struct {
	Owner    muxOwner
	VLAN     string
	Name     string
	ID       int `is:"id of a VLAN"`
	Priority int `is:"priority"`
}) (exec.Answer, error) {
	v, err := in.Owner.Find(trimBraces(in.VLAN))
	if err != nil {
		return exec.Answer{}, err
	}
	change := teams.ModifyVLAN{Team: v.Team, Connection: v.Connection, VLAN: v.Name, Name: in.Name, ID: in.ID, Priority: in.Priority}
	return muxChange(c, change, func(*driver.View) []string { return []string{"New Attributes applied"} })
}
