package powershell

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/views/exec"
)

// Cmdlets for the teams of Windows Server, whose members are WinOF-2 adapters (TEAM-15). Windows has two settings in place
// of the model's team type: teaming mode and load balancing algorithm.

// Administrative modes of a member.
const (
	activeMember  = "Active"
	standbyMember = "Standby"
)

// chooseWord returns the word of words that was typed, in any case, or the first of them if nothing was typed.
func chooseWord(command, parameter string, typed []string, words []string) (string, error) {
	if len(typed) == 0 {
		return words[0], nil
	}
	for _, word := range words {
		if strings.EqualFold(word, typed[0]) {
			return word, nil
		}
	}
	return "", exec.Mistake("invalid value %[3]q for -%[1]s of %[2]s%[4]s", parameter, command, typed[0], exec.Suggest(typed[0], words,
		"choose from "+strings.Join(words, ", ")))
}

// lbfoRow is a team of Windows with the properties of Get-NetLbfoTeam.
type lbfoRow struct {
	Name    string   `json:"name"`
	Members []string `json:"members"`
	Nics    []string `json:"team_nics"`
	Mode    string   `json:"teaming_mode"`
	Load    string   `json:"load_balancing_algorithm"`
	Status  string   `json:"status"`
	Standby []string `json:"standby"`
}

func lbfoOf(t *teams.View) lbfoRow {
	row := lbfoRow{Name: t.Name, Members: []string{}, Nics: []string{t.Name}, Standby: []string{}, Status: "Down", Mode: t.Mode,
		Load: t.Algorithm}
	for _, m := range t.Members {
		row.Members = append(row.Members, m.Connection)
		if t.Type.FaultTolerant() && m.Connection != cmp.Or(t.Primary, t.Members[0].Connection) {
			row.Standby = append(row.Standby, m.Connection)
		}
	}
	for _, v := range t.VLANs {
		row.Nics = append(row.Nics, v.Name)
	}
	down := func(m teams.MemberView) bool { return m.Status != mux.Connected }
	if t.Connected {
		if row.Status = "Up"; t.Why != "" || slices.ContainsFunc(t.Members, down) {
			row.Status = "Degraded"
		}
	}
	return row
}

// team finds a team of Windows by its name, in any case.
func (p *invocation) team(name string) (*teams.View, error) {
	var names []string
	for i := range p.view.Teams {
		t := &p.view.Teams[i]
		switch {
		case !strings.EqualFold(t.Name, name):
			names = append(names, t.Name)
		case t.Family != description.WinOF2:
			return nil, fmt.Errorf("%s is a team of the WinOF driver, which Windows does not manage; use team or vlan_config", t.Name)
		default:
			return t, nil
		}
	}
	return nil, request.Errorf("there is no team %q%s", name, exec.Suggest(name, names, "Get-NetLbfoTeam lists the teams"))
}

// teamConnections returns the connections that a parameter names; it is an error if there is none.
func (p *invocation) teamConnections(parameter string) (names []string, err error) {
	for _, name := range p.values[parameter] {
		if name, err = exec.Connection(p.view, name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil, exec.Mistake("%s requires -%s with the name of a connection", p.command, parameter)
	}
	return names, nil
}

// applyToTeams applies Operations as one plan; it is an error if there are none.
func (p *invocation) applyToTeams(title string, operations ...driver.Operation) (exec.Answer, error) {
	if len(operations) == 0 {
		return exec.Answer{}, exec.Mistake("%s changes nothing: a parameter is required", p.command)
	}
	return p.call.Apply(driver.Plan{Title: title, Operations: operations})
}

// mode returns the typed teaming mode, or byDefault.
func (p *invocation) mode(byDefault string) (string, error) {
	if p.value("TeamingMode") == "" {
		return byDefault, nil
	}
	return chooseWord(p.command, "TeamingMode", p.values["TeamingMode"], mux.Modes())
}

// algorithm returns the typed load balancing algorithm, or byDefault.
func (p *invocation) algorithm(byDefault string) (string, error) {
	typed := p.value("LoadBalancingAlgorithm")
	if typed == "" {
		return byDefault, nil
	}
	if word, err := mux.ParseAlgorithm(typed); err == nil {
		return word, nil
	}
	return chooseWord(p.command, "LoadBalancingAlgorithm", []string{typed}, mux.Algorithms())
}

func newLbfoTeam(p *invocation, in *struct {
	Name        string `need:"the name of the new team"`
	TeamMembers memberNames
	TeamNicName string
}) (exec.Answer, error) {
	for _, member := range in.TeamMembers {
		if family, _ := exec.FamilyOf(p.view, member); family != description.WinOF2 {
			return exec.Answer{}, fmt.Errorf("%s is a WinOF adapter, whose driver has its own teams; use team create or "+
				"vlan_config", member)
		}
	}
	mode, err := p.mode(mux.SwitchIndependent)
	if err != nil {
		return exec.Answer{}, err
	}
	load, err := p.algorithm(mux.Dynamic)
	if err != nil {
		return exec.Answer{}, err
	}
	if in.TeamNicName != "" && !strings.EqualFold(in.TeamNicName, in.Name) {
		return exec.Answer{}, fmt.Errorf("in a lab the interface of a team has the name of the team: omit -TeamNicName %s",
			exec.Quote(in.TeamNicName))
	}
	n := exec.NewTeam{Create: teams.Create{Name: in.Name, Type: mux.WindowsType(mode, load).String(), Family: description.WinOF2,
		Algorithm: load}, Members: in.TeamMembers}
	return p.call.Apply(n.Plan())
}

func getLbfoTeam(p *invocation, in *struct{ Name *teams.View }) (exec.Answer, error) {
	rows := []lbfoRow{}
	if in.Name != nil {
		rows = append(rows, lbfoOf(in.Name))
	} else {
		for i := range p.view.Teams {
			if p.view.Teams[i].Family == description.WinOF2 {
				rows = append(rows, lbfoOf(&p.view.Teams[i]))
			}
		}
	}
	return exec.Answer{
		Result: struct {
			Teams []lbfoRow `json:"teams"`
		}{rows},
		Text: func(w io.Writer) error {
			for i := range rows {
				r := &rows[i]
				properties := [][2]string{{"Name", r.Name}, {"Members", "{" + strings.Join(r.Members, ", ") + "}"}, {"TeamNics", "{" + strings.Join(r.Nics, ", ") + "}"},
					{"TeamingMode", r.Mode}, {"LoadBalancingAlgorithm", r.Load}, {"Status", r.Status}}
				if exec.PutRow(w, properties) {
					continue
				}
				for _, property := range properties {
					if _, err := fmt.Fprintf(w, "%-22s : %s\n", property[0], exec.Clean(property[1])); err != nil {
						return err
					}
				}
				if _, err := fmt.Fprintln(w); err != nil {
					return err
				}
			}
			return nil
		},
	}, nil
}

func setLbfoTeam(p *invocation, in *struct {
	Name *teams.View `need:"the name of a team"`
}) (exec.Answer, error) {
	t := in.Name
	if p.values["TeamingMode"] == nil && p.values["LoadBalancingAlgorithm"] == nil {
		return exec.Answer{}, exec.Mistake("Set-NetLbfoTeam requires -TeamingMode or -LoadBalancingAlgorithm")
	}
	mode, err := p.mode(t.Mode)
	if err != nil {
		return exec.Answer{}, err
	}
	load, err := p.algorithm(t.Algorithm)
	if err != nil {
		return exec.Answer{}, err
	}
	kind := mux.WindowsType(mode, load)
	if t.Type.FaultTolerant() && mode == mux.SwitchIndependent {
		kind = t.Type // standby members stay on standby
	}
	return p.call.ApplyOne(teams.Modify{Team: t.Name, Type: kind.String(), Algorithm: load})
}

func renameLbfoTeam(p *invocation, in *struct {
	Name    *teams.View `need:"the name of a team"`
	NewName string      `need:"the new name"`
}) (exec.Answer, error) {
	return p.call.ApplyOne(teams.Modify{Team: in.Name.Name, Name: in.NewName})
}

func removeLbfoTeam(p *invocation, in *struct {
	Name *teams.View `need:"the name of a team"`
}) (exec.Answer, error) {
	return p.call.ApplyOne(teams.Delete{Team: in.Name.Name})
}
