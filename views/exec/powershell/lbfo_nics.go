package powershell

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver/teams"
	"cxdeck/views/exec"
)

// nic finds the VLAN of a team by -Name or -VlanID.
func (p *invocation) nic(t *teams.View) (teams.VLANView, error) {
	for _, v := range t.VLANs {
		if name := p.value("Name"); name != "" && strings.EqualFold(v.Name, name) || name == "" &&
			p.value("VlanID") == strconv.Itoa(v.ID) {
			return v, nil
		}
	}
	return teams.VLANView{}, fmt.Errorf("the team %s has no VLAN interface with this name or id; Get-NetLbfoTeamNic lists "+
		"its interfaces", t.Name)
}

func addLbfoTeamNic(p *invocation, in *struct {
	Team   *teams.View `need:"the name of a team"`
	VlanID int         `need:"the id of a VLAN"`
	Name   string
}) (exec.Answer, error) {
	name := cmp.Or(in.Name, fmt.Sprintf("%s - VLAN %d", in.Team.Name, in.VlanID))
	return p.call.ApplyOne(teams.AddVLAN{Team: in.Team.Name, Name: name, ID: in.VlanID})
}

func setLbfoTeamNic(p *invocation, in *struct {
	Team   *teams.View `need:"the name of a team"`
	Name   string      `need:"the adapter of a VLAN"`
	VlanID int         `need:"the id of a VLAN"`
}) (exec.Answer, error) {
	v, err := p.nic(in.Team)
	if err != nil {
		return exec.Answer{}, err
	}
	return p.call.ApplyOne(teams.ModifyVLAN{Team: in.Team.Name, VLAN: v.Name, ID: in.VlanID, Priority: v.Priority})
}

func removeLbfoTeamNic(p *invocation, in *struct {
	Team   *teams.View `need:"the name of a team"`
	VlanID string      `need:"the id of a VLAN"`
}) (exec.Answer, error) {
	v, err := p.nic(in.Team)
	if err != nil {
		return exec.Answer{}, err
	}
	return p.call.ApplyOne(teams.RemoveVLAN{Team: in.Team.Name, VLAN: v.Name})
}
