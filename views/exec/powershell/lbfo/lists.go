package lbfo

import (
	"cmp"
	"slices"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// selectedTeams returns the teams of Windows that -Team selects; all without the parameter.
func selectedTeams(p *powershell.Invocation) (list []*teams.View, err error) {
	var names []string
	for i := range p.View.Teams {
		if t := &p.View.Teams[i]; t.Family == description.WinOF2 {
			list, names = append(list, t), append(names, t.Name)
		}
	}
	if !p.Has("Team") {
		return list, nil
	}
	names, err = p.SelectNames("Team", names, func(typed string) error {
		return request.Errorf("there is no team of Windows %q%s", typed, exec.Suggest(typed, names, "Get-NetLbfoTeam lists the teams"))
	})
	return slices.DeleteFunc(list, func(t *teams.View) bool { return !slices.Contains(names, t.Name) }), err
}

// lbfoMemberRow is a member of a team with the properties of Get-NetLbfoTeamMember.
type lbfoMemberRow struct {
	Name        string  `json:"name"`
	Description string  `json:"interface_description"`
	Team        string  `json:"team"`
	Mode        string  `json:"administrative_mode"`
	Status      string  `json:"operational_status"`
	Transmit    float64 `json:"transmit_link_speed_gbps"`
	Receive     float64 `json:"receive_link_speed_gbps"`
	Failure     string  `json:"failure_reason"`
}

// Operational states and failure reasons of a member, in the words of Windows.
const (
	failedMember = "Failed"

	noFailure      = "NoFailure"
	byDecision     = "AdministrativeDecision"
	noMedia        = "PhysicalMediaDisconnected"
	unstable       = "WaitingForStableConnectivity"
	lacpIncomplete = "LacpNegotiationIssue"
)

// memberOf returns the row of a team's member, which is on port.
func memberOf(t *teams.View, m *teams.MemberView, port *driver.PortView) lbfoMemberRow {
	row := lbfoMemberRow{
		Name: m.Connection, Description: port.Description.Device, Team: t.Name, Mode: activeMember, Status: activeMember,
		Failure: noFailure,
	}
	if t.Type.FaultTolerant() && m.Connection != cmp.Or(t.Primary, t.Members[0].Connection) {
		row.Mode = standbyMember
	}
	if port.Up {
		row.Transmit, row.Receive = port.Rate/1e9, port.Rate/1e9
	}
	switch {
	case m.Status == mux.Disabled:
		row.Status, row.Failure = failedMember, byDecision
	case m.Status == mux.Disconnected:
		row.Status, row.Failure = failedMember, noMedia
	case m.Role == mux.Active:
	case t.Type == mux.LACP:
		row.Status, row.Failure = failedMember, lacpIncomplete
	case row.Mode == standbyMember:
		row.Status, row.Failure = standbyMember, byDecision
	default:
		row.Status, row.Failure = failedMember, unstable
	}
	return row
}

func getLbfoTeamMember(p *powershell.Invocation) (exec.Answer, error) {
	teams, err := selectedTeams(p)
	if err != nil {
		return exec.Answer{}, err
	}
	var names []string
	for _, t := range teams {
		for _, m := range t.Members {
			names = append(names, m.Connection)
		}
	}
	names, err = p.NamesMatching(names, "member of a team of Windows", "Get-NetLbfoTeamMember")
	if err != nil {
		return exec.Answer{}, err
	}
	ports, err := exec.PortViews(p.View, "")
	if err != nil {
		return exec.Answer{}, err
	}
	rows, list := []lbfoMemberRow{}, []powershell.Block{}
	for _, t := range teams {
		for i := range t.Members {
			m := &t.Members[i]
			if !slices.Contains(names, m.Connection) {
				continue
			}
			at := slices.IndexFunc(ports, func(port *driver.PortView) bool { return port.Port == m.Port })
			r := memberOf(t, m, ports[at])
			rows = append(rows, r)
			list = append(list, powershell.Block{
				{"Name", r.Name}, {"InterfaceDescription", r.Description}, {"Team", r.Team}, {"AdministrativeMode", r.Mode},
				{"OperationalStatus", r.Status}, {"TransmitLinkSpeed(Gbps)", gigabits(r.Transmit)},
				{"ReceiveLinkSpeed(Gbps)", gigabits(r.Receive)}, {"FailureReason", r.Failure},
			})
		}
	}
	return powershell.Blocks(list, struct {
		Members []lbfoMemberRow `json:"members"`
	}{rows}, "No member of a team of Windows matches."), nil
}

// lbfoNicRow is an interface of a team with the properties of Get-NetLbfoTeamNic. VLAN is nil for the team's own interface.
type lbfoNicRow struct {
	Name        string  `json:"name"`
	Description string  `json:"interface_description"`
	Team        string  `json:"team"`
	VLAN        *int    `json:"vlan_id"`
	Primary     bool    `json:"primary"`
	Default     bool    `json:"default"`
	Transmit    float64 `json:"transmit_link_speed_gbps"`
	Receive     float64 `json:"receive_link_speed_gbps"`
}

func getLbfoTeamNic(p *powershell.Invocation) (exec.Answer, error) {
	found, err := selectedTeams(p)
	if err != nil {
		return exec.Answer{}, err
	}
	ports, err := exec.PortViews(p.View, "")
	if err != nil {
		return exec.Answer{}, err
	}
	var all []lbfoNicRow
	var names []string
	for _, t := range found {
		speed := 0.0
		for _, port := range ports {
			if slices.ContainsFunc(t.Members, func(m teams.MemberView) bool { return m.Port == port.Port && m.Role == mux.Active }) {
				speed += port.Rate / 1e9
			}
		}
		all = append(all, lbfoNicRow{Name: t.Name, Description: t.Miniport, Team: t.Name, Primary: true, Default: true,
			Transmit: speed, Receive: speed})
		for _, v := range t.VLANs {
			all = append(all, lbfoNicRow{Name: v.Name, Description: v.Miniport, Team: t.Name, VLAN: new(v.ID), Transmit: speed,
				Receive: speed})
		}
	}
	for i := range all {
		names = append(names, all[i].Name)
	}
	names, err = p.NamesMatching(names, "interface of a team of Windows", "Get-NetLbfoTeamNic")
	if err != nil {
		return exec.Answer{}, err
	}
	rows, list := []lbfoNicRow{}, []powershell.Block{}
	for _, r := range all {
		if !slices.Contains(names, r.Name) {
			continue
		}
		vlan := ""
		if r.VLAN != nil {
			vlan = strconv.Itoa(*r.VLAN)
		}
		rows = append(rows, r)
		list = append(list, powershell.Block{
			{"Name", r.Name}, {"InterfaceDescription", r.Description}, {"Team", r.Team}, {"VlanID", vlan},
			{"Primary", powershell.BoolText(r.Primary)}, {"Default", powershell.BoolText(r.Default)}, {"TransmitLinkSpeed(Gbps)", gigabits(r.Transmit)},
			{"ReceiveLinkSpeed(Gbps)", gigabits(r.Receive)},
		})
	}
	return powershell.Blocks(list, struct {
		Nics []lbfoNicRow `json:"team_nics"`
	}{rows}, "No interface of a team of Windows matches."), nil
}

// gigabits formats a link speed in Gb/s.
func gigabits(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
