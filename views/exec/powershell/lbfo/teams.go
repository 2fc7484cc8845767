package lbfo

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
	"cxdeck/views/exec/syntax"
)

// Cmdlets for the teams of Windows Server, whose members are WinOF-2 adapters (TEAM-15). Windows has two settings in place
// of the model's team type: teaming mode and load balancing algorithm.

// Administrative modes of a member.
const (
	activeMember  = "Active"
	standbyMember = "Standby"
)

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

// applyToTeams applies Operations as one plan; it is an error if there are none.
func applyToTeams(p *powershell.Invocation, title string, operations ...driver.Operation) (exec.Answer, error) {
	if len(operations) == 0 {
		return exec.Answer{}, exec.Mistake("%s changes nothing: a parameter is required", p.Command)
	}
	return p.Call.Apply(driver.Plan{Title: title, Operations: operations})
}

// teamingMode returns the typed teaming mode, or byDefault.
func teamingMode(p *powershell.Invocation, byDefault string) (string, error) {
	if p.Value("TeamingMode") == "" {
		return byDefault, nil
	}
	return powershell.ChooseWord(p.Command, "TeamingMode", p.Values["TeamingMode"], mux.Modes())
}

// loadBalancing returns the typed load balancing algorithm, or byDefault.
func loadBalancing(p *powershell.Invocation, byDefault string) (string, error) {
	typed := p.Value("LoadBalancingAlgorithm")
	if typed == "" {
		return byDefault, nil
	}
	if word, err := mux.ParseAlgorithm(typed); err == nil {
		return word, nil
	}
	return powershell.ChooseWord(p.Command, "LoadBalancingAlgorithm", []string{typed}, mux.Algorithms())
}

func newLbfoTeam(p *powershell.Invocation, in *struct {
	Name        string `need:"the name of the new team"`
	TeamMembers powershell.MemberNames
	TeamNicName string
}) (exec.Answer, error) {
	for _, member := range in.TeamMembers {
		if family, _ := exec.FamilyOf(p.View, member); family != description.WinOF2 {
			return exec.Answer{}, fmt.Errorf("%s is a WinOF adapter, whose driver has its own teams; use team create or "+
				"vlan_config", member)
		}
	}
	mode, err := teamingMode(p, mux.SwitchIndependent)
	if err != nil {
		return exec.Answer{}, err
	}
	load, err := loadBalancing(p, mux.Dynamic)
	if err != nil {
		return exec.Answer{}, err
	}
	if in.TeamNicName != "" && !strings.EqualFold(in.TeamNicName, in.Name) {
		return exec.Answer{}, fmt.Errorf("in a lab the interface of a team has the name of the team: omit -TeamNicName %s",
			syntax.Quote(in.TeamNicName))
	}
	n := exec.NewTeam{Create: teams.Create{Name: in.Name, Type: mux.WindowsType(mode, load).String(), Family: description.WinOF2,
		Algorithm: load}, Members: in.TeamMembers}
	return p.Call.Apply(n.Plan())
}

func getLbfoTeam(p *powershell.Invocation, in *struct{ Name *teams.View }) (exec.Answer, error) {
	rows := []lbfoRow{}
	if in.Name != nil {
		rows = append(rows, lbfoOf(in.Name))
	} else {
		for i := range p.View.Teams {
			if p.View.Teams[i].Family == description.WinOF2 {
				rows = append(rows, lbfoOf(&p.View.Teams[i]))
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

func setLbfoTeam(p *powershell.Invocation, in *struct {
	Name *teams.View `need:"the name of a team"`
}) (exec.Answer, error) {
	t := in.Name
	if p.Values["TeamingMode"] == nil && p.Values["LoadBalancingAlgorithm"] == nil {
		return exec.Answer{}, exec.Mistake("Set-NetLbfoTeam requires -TeamingMode or -LoadBalancingAlgorithm")
	}
	mode, err := teamingMode(p, t.Mode)
	if err != nil {
		return exec.Answer{}, err
	}
	load, err := loadBalancing(p, t.Algorithm)
	if err != nil {
		return exec.Answer{}, err
	}
	kind := mux.WindowsType(mode, load)
	if t.Type.FaultTolerant() && mode == mux.SwitchIndependent {
		kind = t.Type // standby members stay on standby
	}
	return p.Call.ApplyOne(teams.Modify{Team: t.Name, Type: kind.String(), Algorithm: load})
}

func renameLbfoTeam(p *powershell.Invocation, in *struct {
	Name    *teams.View `need:"the name of a team"`
	NewName string      `need:"the new name"`
}) (exec.Answer, error) {
	return p.Call.ApplyOne(teams.Modify{Team: in.Name.Name, Name: in.NewName})
}

func removeLbfoTeam(p *powershell.Invocation, in *struct {
	Name *teams.View `need:"the name of a team"`
}) (exec.Answer, error) {
	return p.Call.ApplyOne(teams.Delete{Team: in.Name.Name})
}
