package lbfo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// standbyOperations returns the Operations that put a member on standby: the team then has one active member (TEAM-4).
func standbyOperations(t *teams.View, member string) ([]driver.Operation, error) {
	var operations []driver.Operation
	if !t.Type.FaultTolerant() {
		if t.Mode != mux.SwitchIndependent {
			return nil, fmt.Errorf("the team %s has the mode %s, which has no standby members; change it to SwitchIndependent "+
				"first", t.Name, t.Mode)
		}
		operations = append(operations, teams.Modify{Team: t.Name, Type: mux.AFT.String()})
	}
	others := slices.DeleteFunc(slices.Clone(t.Members), func(m teams.MemberView) bool { return m.Connection == member })
	if len(others) == 0 {
		return nil, fmt.Errorf("%s is the only member of the team %s: it can't be on standby", member, t.Name)
	}
	if cmp.Or(t.Primary, t.Members[0].Connection) == member {
		operations = append(operations, teams.SetPrimary{Team: t.Name, Connection: others[0].Connection})
	}
	return operations, nil
}

func addLbfoTeamMember(p *powershell.Invocation, in *struct {
	Team               *teams.View `need:"the name of a team"`
	Name               powershell.MemberNames
	AdministrativeMode string `one:"Active,Standby"`
}) (exec.Answer, error) {
	t, names, mode := in.Team, in.Name, in.AdministrativeMode
	var operations []driver.Operation
	for _, name := range names {
		operations = append(operations, teams.Attach{Team: t.Name, Connection: name})
		if mode == standbyMember {
			more, err := standbyOperations(t, name)
			if err != nil {
				return exec.Answer{}, err
			}
			operations = append(more, operations...)
		}
	}
	return applyToTeams(p, fmt.Sprintf("Add %s to the team %s", strings.Join(names, ", "), t.Name), operations...)
}

func setLbfoTeamMember(p *powershell.Invocation, in *struct {
	Name               powershell.MemberNames
	AdministrativeMode string `one:"Active,Standby"`
}) (exec.Answer, error) {
	names, mode := in.Name, in.AdministrativeMode
	for i := range p.View.Teams {
		t := &p.View.Teams[i]
		if t.Family != description.WinOF2 || !slices.ContainsFunc(t.Members,
			func(m teams.MemberView) bool { return m.Connection == names[0] }) {
			continue
		}
		title := fmt.Sprintf("Make %s %s in the team %s", names[0], strings.ToLower(mode), t.Name)
		if mode == standbyMember {
			operations, err := standbyOperations(t, names[0])
			if err != nil {
				return exec.Answer{}, err
			}
			if len(operations) == 0 {
				return exec.NothingChanges(title, []string{names[0] + " is on standby already"}), nil
			}
			return applyToTeams(p, title, operations...)
		}
		if !t.Type.FaultTolerant() {
			return exec.NothingChanges(title, []string{names[0] + " is active already"}), nil
		}
		return applyToTeams(p, title, teams.Modify{Team: t.Name, Type: mux.WindowsType(t.Mode, t.Algorithm).String()})
	}
	return exec.Answer{}, fmt.Errorf("%s is not a member of a team of Windows", names[0])
}

func removeLbfoTeamMember(p *powershell.Invocation, in *struct {
	Team *teams.View `need:"the name of a team"`
	Name powershell.MemberNames
}) (exec.Answer, error) {
	t, names := in.Team, in.Name
	var operations []driver.Operation
	for _, name := range names {
		operations = append(operations, teams.Detach{Team: t.Name, Connection: name})
	}
	return applyToTeams(p, fmt.Sprintf("Remove %s from the team %s", strings.Join(names, ", "), t.Name), operations...)
}
