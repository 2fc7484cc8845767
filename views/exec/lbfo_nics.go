package exec

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver"
)

// vlanID is that of -VlanID.
func (p *cmdlet) vlanID() (int, error) {
	if p.value("VlanID") == "" {
		return 0, mistake("%s needs -VlanID", p.command)
	}
	return wholeNumber(p.value("VlanID"), "id of a VLAN")
}

// nic is the VLAN of a team that -Name or -VlanID means.
func (p *cmdlet) nic(t *driver.TeamView) (driver.VLANView, error) {
	for _, v := range t.VLANs {
		if name := p.value("Name"); name != "" && strings.EqualFold(v.Name, name) || name == "" &&
			p.value("VlanID") == strconv.Itoa(v.ID) {
			return v, nil
		}
	}
	return driver.VLANView{}, fmt.Errorf("the team %s has no such adapter of a VLAN; Get-NetLbfoTeam and vlan list "+
		"show those that it has", t.Name)
}

func addLbfoTeamNic(p *cmdlet) (answer, error) {
	t, err := p.team("Team")
	if err != nil {
		return answer{}, err
	}
	id, err := p.vlanID()
	if err != nil {
		return answer{}, err
	}
	name := cmp.Or(p.value("Name"), fmt.Sprintf("%s - VLAN %d", t.Name, id))
	return p.call.one(driver.AddVLAN{Team: t.Name, Name: name, ID: id})
}

func setLbfoTeamNic(p *cmdlet) (answer, error) {
	t, err := p.team("Team")
	if err != nil {
		return answer{}, err
	}
	if p.value("Name") == "" {
		return answer{}, mistake("Set-NetLbfoTeamNic needs -Name with the adapter of a VLAN")
	}
	v, err := p.nic(t)
	if err != nil {
		return answer{}, err
	}
	id, err := p.vlanID()
	if err != nil {
		return answer{}, err
	}
	return p.call.one(driver.ModifyVLAN{Team: t.Name, VLAN: v.Name, ID: id, Priority: v.Priority})
}

func removeLbfoTeamNic(p *cmdlet) (answer, error) {
	t, err := p.team("Team")
	if err != nil {
		return answer{}, err
	}
	if p.value("VlanID") == "" {
		return answer{}, mistake("Remove-NetLbfoTeamNic needs -VlanID")
	}
	v, err := p.nic(t)
	if err != nil {
		return answer{}, err
	}
	return p.call.one(driver.RemoveVLAN{Team: t.Name, VLAN: v.Name})
}
