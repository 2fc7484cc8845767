package powershell

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver/teams"
	"cxdeck/views/exec"
)

// vlanID is that of -VlanID.
func (p *cmdlet) vlanID() (int, error) {
	if p.value("VlanID") == "" {
		return 0, exec.Mistake("%s needs -VlanID", p.command)
	}
	return exec.WholeNumber(p.value("VlanID"), "id of a VLAN")
}

// nic is the VLAN of a team that -Name or -VlanID means.
func (p *cmdlet) nic(t *teams.View) (teams.VLANView, error) {
	for _, v := range t.VLANs {
		if name := p.value("Name"); name != "" && strings.EqualFold(v.Name, name) || name == "" &&
			p.value("VlanID") == strconv.Itoa(v.ID) {
			return v, nil
		}
	}
	return teams.VLANView{}, fmt.Errorf("the team %s has no such adapter of a VLAN; Get-NetLbfoTeam and vlan list "+
		"show its interfaces", t.Name)
}

func addLbfoTeamNic(p *cmdlet) (exec.Answer, error) {
	t, err := p.team("Team")
	if err != nil {
		return exec.Answer{}, err
	}
	id, err := p.vlanID()
	if err != nil {
		return exec.Answer{}, err
	}
	name := cmp.Or(p.value("Name"), fmt.Sprintf("%s - VLAN %d", t.Name, id))
	return p.call.ApplyOne(teams.AddVLAN{Team: t.Name, Name: name, ID: id})
}

func setLbfoTeamNic(p *cmdlet) (exec.Answer, error) {
	t, err := p.team("Team")
	if err != nil {
		return exec.Answer{}, err
	}
	if p.value("Name") == "" {
		return exec.Answer{}, exec.Mistake("Set-NetLbfoTeamNic needs -Name with the adapter of a VLAN")
	}
	v, err := p.nic(t)
	if err != nil {
		return exec.Answer{}, err
	}
	id, err := p.vlanID()
	if err != nil {
		return exec.Answer{}, err
	}
	return p.call.ApplyOne(teams.ModifyVLAN{Team: t.Name, VLAN: v.Name, ID: id, Priority: v.Priority})
}

func removeLbfoTeamNic(p *cmdlet) (exec.Answer, error) {
	t, err := p.team("Team")
	if err != nil {
		return exec.Answer{}, err
	}
	if p.value("VlanID") == "" {
		return exec.Answer{}, exec.Mistake("Remove-NetLbfoTeamNic needs -VlanID")
	}
	v, err := p.nic(t)
	if err != nil {
		return exec.Answer{}, err
	}
	return p.call.ApplyOne(teams.RemoveVLAN{Team: t.Name, VLAN: v.Name})
}
