package winof

import (
	"fmt"

	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/teams"
	"cxdeck/views/exec"
)

// muxOwner is what the first argument names that VLANs can be on: a team, or an adapter by its GUID. guid is that of
// either.
func muxOwner(c *exec.Call) (owner exec.VLANOwner, guid string, err error) {
	_, t, err := muxTeam(c)
	if err == nil {
		return exec.VLANOwner{Team: t.Name, VLANs: t.VLANs}, t.GUID, nil
	}
	guid, notGUID := request.ParseGUID(c.Arguments[0])
	if notGUID != nil {
		return exec.VLANOwner{}, "", err
	}
	view, err := muxHost(c)
	if err != nil {
		return exec.VLANOwner{}, "", err
	}
	name, err := byGUID(view, guid)
	if err != nil {
		return exec.VLANOwner{}, "", err
	}
	owner, err = c.FindVLANOwner(name)
	return owner, guid, err
}

func vlanConfigAddVLAN(c *exec.Call) (exec.Answer, error) {
	owner, guid, err := muxOwner(c)
	if err != nil {
		return exec.Answer{}, err
	}
	add := teams.AddVLAN{Team: owner.Team, Connection: owner.Connection, Name: c.Arguments[1]}
	if add.ID, add.Priority, err = idAndPriority(c.Arguments[2:]); err != nil {
		return exec.Answer{}, err
	}
	return muxChange(c, add, func(view *driver.View) []string {
		made := ""
		for _, v := range exec.AllVLANs(view) {
			if v.Team == add.Team && v.Connection == add.Connection && v.Name == add.Name {
				made = withoutBraces(v.GUID)
			}
		}
		return []string{
			"Adding vlan to adapter with Guid =" + guid, "Vlan Name=" + add.Name, fmt.Sprintf("Vlan Id=%d", add.ID),
			fmt.Sprintf("Vlan Priority=%d", add.Priority), "Miniport created with Guid = " + made,
		}
	})
}

// idAndPriority are the two last words of verbs for VLANs.
func idAndPriority(words []string) (id, priority int, err error) {
	if id, err = exec.WholeNumber(words[0], "id of a VLAN"); err == nil {
		priority, err = exec.WholeNumber(words[1], "priority")
	}
	return id, priority, err
}

// muxVLAN is the VLAN that the second argument names, of what the first does, whose GUID it gives.
func muxVLAN(c *exec.Call) (v teams.VLANView, guid string, err error) {
	owner, guid, err := muxOwner(c)
	if err != nil {
		return v, "", err
	}
	v, err = owner.Find(bare(c.Arguments[1]))
	return v, guid, err
}

func vlanConfigRemoveVLAN(c *exec.Call) (exec.Answer, error) {
	v, guid, err := muxVLAN(c)
	if err != nil {
		return exec.Answer{}, err
	}
	return muxChange(c, teams.RemoveVLAN{Team: v.Team, Connection: v.Connection, VLAN: v.Name},
		func(*driver.View) []string {
			return []string{
				"removing vlan to adapter with physical Guid =" + guid, "Vlan Guid =" + v.GUID,
				"pMuxPhysicalAdapter->RemoveMiniport succeeded",
			}
		})
}

func vlanConfigQueryVLAN(c *exec.Call) (exec.Answer, error) {
	v, _, err := muxVLAN(c)
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

func vlanConfigModifyVLAN(c *exec.Call) (exec.Answer, error) {
	v, _, err := muxVLAN(c)
	if err != nil {
		return exec.Answer{}, err
	}
	change := teams.ModifyVLAN{Team: v.Team, Connection: v.Connection, VLAN: v.Name, Name: c.Arguments[2]}
	if change.ID, change.Priority, err = idAndPriority(c.Arguments[3:]); err != nil {
		return exec.Answer{}, err
	}
	return muxChange(c, change, func(*driver.View) []string { return []string{"New Attributes applied"} })
}
