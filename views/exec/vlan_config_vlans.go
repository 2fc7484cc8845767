package exec

import (
	"fmt"

	"cxdeck/driver"
)

// muxOwner is what the first argument names that VLANs can be on: a team, or an adapter by its GUID. guid is that of
// either.
func (c *call) muxOwner() (owner vlanOwner, guid string, err error) {
	_, t, err := c.muxTeam()
	if err == nil {
		return vlanOwner{team: t.Name, vlans: t.VLANs}, t.GUID, nil
	}
	guid, notGUID := driver.ParseGUID(c.arguments[0])
	if notGUID != nil {
		return vlanOwner{}, "", err
	}
	view, err := c.muxHost()
	if err != nil {
		return vlanOwner{}, "", err
	}
	name, err := byGUID(view, guid)
	if err != nil {
		return vlanOwner{}, "", err
	}
	owner, err = c.vlanOwner(name)
	return owner, guid, err
}

func vlanConfigAddVLAN(c *call) (answer, error) {
	owner, guid, err := c.muxOwner()
	if err != nil {
		return answer{}, err
	}
	add := driver.AddVLAN{Team: owner.team, Connection: owner.connection, Name: c.arguments[1]}
	if add.ID, add.Priority, err = idAndPriority(c.arguments[2:]); err != nil {
		return answer{}, err
	}
	return c.muxChange(add, func(view *driver.View) []string {
		made := ""
		for _, v := range allVLANs(view) {
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
	if id, err = wholeNumber(words[0], "id of a VLAN"); err == nil {
		priority, err = wholeNumber(words[1], "priority")
	}
	return id, priority, err
}

// muxVLAN is the VLAN that the second argument names, of what the first does, whose GUID it gives.
func (c *call) muxVLAN() (v driver.VLANView, guid string, err error) {
	owner, guid, err := c.muxOwner()
	if err != nil {
		return v, "", err
	}
	v, err = owner.find(bare(c.arguments[1]))
	return v, guid, err
}

func vlanConfigRemoveVLAN(c *call) (answer, error) {
	v, guid, err := c.muxVLAN()
	if err != nil {
		return answer{}, err
	}
	return c.muxChange(driver.RemoveVLAN{Team: v.Team, Connection: v.Connection, VLAN: v.Name},
		func(*driver.View) []string {
			return []string{
				"removing vlan to adapter with physical Guid =" + guid, "Vlan Guid =" + v.GUID,
				"pMuxPhysicalAdapter->RemoveMiniport succeeded",
			}
		})
}

func vlanConfigQueryVLAN(c *call) (answer, error) {
	v, _, err := c.muxVLAN()
	if err != nil {
		return answer{}, err
	}
	var lines []string
	field := func(name string, value any) { lines = append(lines, fmt.Sprintf("%-16s: %v", name, value)) }
	field("Vlan Guid", v.GUID)
	field("Vlan Name", v.Name)
	field("Vlan Id", v.ID)
	field("Vlan Priority", v.Priority)
	return toldLines{lines, struct {
		VLAN vlanRow `json:"vlan"`
	}{vlanRows([]driver.VLANView{v})[0]}}.answer(), nil
}

func vlanConfigModifyVLAN(c *call) (answer, error) {
	v, _, err := c.muxVLAN()
	if err != nil {
		return answer{}, err
	}
	change := driver.ModifyVLAN{Team: v.Team, Connection: v.Connection, VLAN: v.Name, Name: c.arguments[2]}
	if change.ID, change.Priority, err = idAndPriority(c.arguments[3:]); err != nil {
		return answer{}, err
	}
	return c.muxChange(change, func(*driver.View) []string { return []string{"New Attributes applied"} })
}
