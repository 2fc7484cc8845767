package exec

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver"
)

// vlanID is that of -VlanID.
func (l *lbfo) vlanID() (int, error) {
	if l.value("VlanID") == "" {
		return 0, mistake("%s needs -VlanID", l.command)
	}
	return wholeNumber(l.value("VlanID"), "id of a VLAN")
}

// nic is the VLAN of a team that -Name or -VlanID means.
func (l *lbfo) nic(t *driver.TeamView) (driver.VLANView, error) {
	for _, v := range t.VLANs {
		if name := l.value("Name"); name != "" && strings.EqualFold(v.Name, name) || name == "" &&
			l.value("VlanID") == strconv.Itoa(v.ID) {
			return v, nil
		}
	}
	return driver.VLANView{}, fmt.Errorf("the team %s has no such adapter of a VLAN; Get-NetLbfoTeam and vlan list "+
		"show those that it has", t.Name)
}

func addLbfoTeamNic(l *lbfo) (answer, error) {
	t, err := l.team("Team")
	if err != nil {
		return answer{}, err
	}
	id, err := l.vlanID()
	if err != nil {
		return answer{}, err
	}
	name := cmp.Or(l.value("Name"), fmt.Sprintf("%s - VLAN %d", t.Name, id))
	return l.call.one(driver.AddVLAN{Team: t.Name, Name: name, ID: id})
}

func setLbfoTeamNic(l *lbfo) (answer, error) {
	t, err := l.team("Team")
	if err != nil {
		return answer{}, err
	}
	if l.value("Name") == "" {
		return answer{}, mistake("Set-NetLbfoTeamNic needs -Name with the adapter of a VLAN")
	}
	v, err := l.nic(t)
	if err != nil {
		return answer{}, err
	}
	id, err := l.vlanID()
	if err != nil {
		return answer{}, err
	}
	return l.call.one(driver.ModifyVLAN{Team: t.Name, VLAN: v.Name, ID: id, Priority: v.Priority})
}

func removeLbfoTeamNic(l *lbfo) (answer, error) {
	t, err := l.team("Team")
	if err != nil {
		return answer{}, err
	}
	if l.value("VlanID") == "" {
		return answer{}, mistake("Remove-NetLbfoTeamNic needs -VlanID")
	}
	v, err := l.nic(t)
	if err != nil {
		return answer{}, err
	}
	return l.call.one(driver.RemoveVLAN{Team: t.Name, VLAN: v.Name})
}
