package lbfo

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver/teams"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// findNic finds the VLAN of a team by -Name or -VlanID.
func findNic(p *powershell.Invocation, t *teams.View) (teams.VLANView, error) {
	for _, v := range t.VLANs {
		if name := p.Value("Name"); name != "" && strings.EqualFold(v.Name, name) || name == "" &&
			p.Value("VlanID") == strconv.Itoa(v.ID) {
			return v, nil
		}
	}
	return teams.VLANView{}, fmt.Errorf("the team %s has no VLAN interface with this name or id; Get-NetLbfoTeamNic lists "+
		"its interfaces", t.Name)
}

func addLbfoTeamNic(p *powershell.Invocation, in *struct {
	Team   *teams.View `need:"the name of a team"`
	VlanID int         `need:"the id of a VLAN"`
	Name   string
}) (exec.Answer, error) {
	name := cmp.Or(in.Name, fmt.Sprintf("%s - VLAN %d", in.Team.Name, in.VlanID))
	return p.Call.ApplyOne(teams.AddVLAN{Team: in.Team.Name, Name: name, ID: in.VlanID})
}

func setLbfoTeamNic(p *powershell.Invocation, in *struct {
	Team   *teams.View `need:"the name of a team"`
	Name   string      `need:"the adapter of a VLAN"`
	VlanID int         `need:"the id of a VLAN"`
}) (exec.Answer, error) {
	v, err := findNic(p, in.Team)
	if err != nil {
		return exec.Answer{}, err
	}
	return p.Call.ApplyOne(teams.ModifyVLAN{Team: in.Team.Name, VLAN: v.Name, ID: in.VlanID, Priority: v.Priority})
}

func removeLbfoTeamNic(p *powershell.Invocation, in *struct {
	Team   *teams.View `need:"the name of a team"`
	VlanID string      `need:"the id of a VLAN"`
}) (exec.Answer, error) {
	v, err := findNic(p, in.Team)
	if err != nil {
		return exec.Answer{}, err
	}
	return p.Call.ApplyOne(teams.RemoveVLAN{Team: in.Team.Name, VLAN: v.Name})
}
