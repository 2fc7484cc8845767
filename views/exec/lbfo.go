package exec

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/driver/mux"
)

// The commands of Windows Server for its own teams, which adapters of WinOF-2 are in (TEAM-15). Windows has two
// settings where the model has a type: how the switch takes part, and how what is sent is spread.

// The administrative modes of a member.
const (
	activeMember  = "Active"
	standbyMember = "Standby"
)

// oneOf is the word of a list that was typed, in any case; the first one when nothing was.
func oneOf(command, parameter string, typed []string, words []string) (string, error) {
	if len(typed) == 0 {
		return words[0], nil
	}
	for _, word := range words {
		if strings.EqualFold(word, typed[0]) {
			return word, nil
		}
	}
	return "", mistake("-%s of %s can't be %q%s", parameter, command, typed[0], perhaps(typed[0], words,
		"it is one of "+strings.Join(words, ", ")))
}

// lbfoRow is a team of Windows as Get-NetLbfoTeam shows it.
type lbfoRow struct {
	Name    string   `json:"name"`
	Members []string `json:"members"`
	Nics    []string `json:"team_nics"`
	Mode    string   `json:"teaming_mode"`
	Load    string   `json:"load_balancing_algorithm"`
	Status  string   `json:"status"`
	Standby []string `json:"standby"`
}

func lbfoOf(t *driver.TeamView) lbfoRow {
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
	down := func(m driver.MemberView) bool { return m.Status != mux.Connected }
	if t.Connected {
		if row.Status = "Up"; t.Why != "" || slices.ContainsFunc(t.Members, down) {
			row.Status = "Degraded"
		}
	}
	return row
}

// lbfo is a command on a team of Windows: what was typed, and the team that it is about.
type lbfo struct {
	call    *call
	command string
	values  map[string][]string
	view    *driver.View
}

// value is that of a parameter, empty without one.
func (l *lbfo) value(parameter string) string {
	if list := l.values[parameter]; len(list) > 0 {
		return list[0]
	}
	return ""
}

// team is the team of Windows that a parameter names.
func (l *lbfo) team(parameter string) (*driver.TeamView, error) {
	name := l.value(parameter)
	if name == "" {
		return nil, mistake("%s needs -%s with the name of a team", l.command, parameter)
	}
	var names []string
	for i := range l.view.Teams {
		t := &l.view.Teams[i]
		switch {
		case !strings.EqualFold(t.Name, name):
			names = append(names, t.Name)
		case t.Family != device.WinOF2:
			return nil, fmt.Errorf("the team %s is one of the WinOF driver, which Windows does not know as a team; use "+
				"team or vlan_config", t.Name)
		default:
			return t, nil
		}
	}
	return nil, fmt.Errorf("no team is called %q%s", name, perhaps(name, names, "Get-NetLbfoTeam lists the teams"))
}

// connections are those that a parameter names.
func (l *lbfo) connections(parameter string) (names []string, err error) {
	for _, name := range l.values[parameter] {
		if name, err = connection(l.view, name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil, mistake("%s needs -%s with the name of a connection", l.command, parameter)
	}
	return names, nil
}

// apply applies Operations as one plan, and shows the teams that there are then.
func (l *lbfo) apply(title string, operations ...driver.Operation) (answer, error) {
	if len(operations) == 0 {
		return answer{}, mistake("%s changes nothing: say what", l.command)
	}
	return l.call.apply(driver.Plan{Title: title, Operations: operations})
}

// onLbfo makes a command of PowerShell out of what it does with its parameters.
func onLbfo(command string, parameters []psParameter, do func(*lbfo) (answer, error)) func(*call) (answer, error) {
	return func(c *call) (answer, error) {
		values, err := c.parameters(command, c.arguments, parameters)
		if err != nil {
			return answer{}, err
		}
		view, err := c.view()
		if err != nil {
			return answer{}, err
		}
		return do(&lbfo{c, command, values, view})
	}
}

// mode is the teaming mode that was typed, or the one that counts without it.
func (l *lbfo) mode(usual string) (string, error) {
	if l.value("TeamingMode") == "" {
		return usual, nil
	}
	return oneOf(l.command, "TeamingMode", l.values["TeamingMode"], mux.Modes())
}

// algorithm is the load balancing algorithm that was typed, or the one that counts without it.
func (l *lbfo) algorithm(usual string) (string, error) {
	typed := l.value("LoadBalancingAlgorithm")
	if typed == "" {
		return usual, nil
	}
	if word, err := mux.ParseAlgorithm(typed); err == nil {
		return word, nil
	}
	return oneOf(l.command, "LoadBalancingAlgorithm", []string{typed}, mux.Algorithms())
}

func newLbfoTeam(l *lbfo) (answer, error) {
	name := l.value("Name")
	if name == "" {
		return answer{}, mistake("New-NetLbfoTeam needs -Name with the name of the new team")
	}
	members, err := l.connections("TeamMembers")
	if err != nil {
		return answer{}, err
	}
	for _, member := range members {
		if family, _ := kindOf(l.view, member); family != device.WinOF2 {
			return answer{}, fmt.Errorf("%s is an adapter of WinOF, whose own driver makes its teams; use team create or "+
				"vlan_config", member)
		}
	}
	mode, err := l.mode(mux.SwitchIndependent)
	if err != nil {
		return answer{}, err
	}
	load, err := l.algorithm(mux.Dynamic)
	if err != nil {
		return answer{}, err
	}
	if nic := l.value("TeamNicName"); nic != "" && !strings.EqualFold(nic, name) {
		return answer{}, fmt.Errorf("the adapter of a team is called as the team in a lab: leave -TeamNicName %s out",
			Quote(nic))
	}
	n := newTeam{create: driver.CreateTeam{Name: name, Type: mux.WindowsType(mode, load).String(), Family: device.WinOF2,
		Algorithm: load}, members: members}
	return l.call.apply(n.plan())
}

func getLbfoTeam(l *lbfo) (answer, error) {
	rows := []lbfoRow{}
	if l.value("Name") != "" {
		t, err := l.team("Name")
		if err != nil {
			return answer{}, err
		}
		rows = append(rows, lbfoOf(t))
	} else {
		for i := range l.view.Teams {
			if l.view.Teams[i].Family == device.WinOF2 {
				rows = append(rows, lbfoOf(&l.view.Teams[i]))
			}
		}
	}
	return answer{
		result: struct {
			Teams []lbfoRow `json:"teams"`
		}{rows},
		text: func(w io.Writer) error {
			for i := range rows {
				r := &rows[i]
				_, err := fmt.Fprintf(w, "Name                   : %s\nMembers                : {%s}\nTeamNics               "+
					": {%s}\n"+
					"TeamingMode            : %s\nLoadBalancingAlgorithm : %s\nStatus                 : %s\n\n",
					Clean(r.Name), Clean(strings.Join(r.Members, ", ")), Clean(strings.Join(r.Nics, ", ")), r.Mode, r.Load, r.Status)
				if err != nil {
					return err
				}
			}
			return nil
		},
	}, nil
}

func setLbfoTeam(l *lbfo) (answer, error) {
	t, err := l.team("Name")
	if err != nil {
		return answer{}, err
	}
	if l.values["TeamingMode"] == nil && l.values["LoadBalancingAlgorithm"] == nil {
		return answer{}, mistake("Set-NetLbfoTeam needs -TeamingMode or -LoadBalancingAlgorithm")
	}
	mode, err := l.mode(t.Mode)
	if err != nil {
		return answer{}, err
	}
	load, err := l.algorithm(t.Algorithm)
	if err != nil {
		return answer{}, err
	}
	kind := mux.WindowsType(mode, load)
	if t.Type.FaultTolerant() && mode == mux.SwitchIndependent {
		kind = t.Type // members that stand by stay so
	}
	return l.call.one(driver.ModifyTeam{Team: t.Name, Type: kind.String(), Algorithm: load})
}

func renameLbfoTeam(l *lbfo) (answer, error) {
	t, err := l.team("Name")
	if err != nil {
		return answer{}, err
	}
	if l.value("NewName") == "" {
		return answer{}, mistake("Rename-NetLbfoTeam needs -NewName")
	}
	return l.call.one(driver.ModifyTeam{Team: t.Name, Name: l.value("NewName")})
}

func removeLbfoTeam(l *lbfo) (answer, error) {
	t, err := l.team("Name")
	if err != nil {
		return answer{}, err
	}
	return l.call.one(driver.DeleteTeam{Team: t.Name})
}
