package exec

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/mux"
)

// vlan_config is the tool of the WinOF driver for teams and VLANs. What it prints is pinned by the transcripts of the
// manual: its words are the tool's own.

// vlanConfigUsage is what it prints when it is asked for help.
const vlanConfigUsage = `To list all adapters including teams, use:
   vlan_config showlist [IPoIB]
To create a team use:
   vlan_config create team <Type> <Name> [NoFailBackToPrimary] [IPoIB]
      Type is one of the following: AFT | SFT | SLB | RLB | ALB | 3AD | SLA
      For IPoIB team, only 'AFT' type is supported
To add adapter to the team use:
   vlan_config attach team <TeamName> {<Adapter-GUID>} [primary] [SetTeamMacAddress]
To remove an adapter from the team use:
   vlan_config detach team <TeamName> {<Adapter-GUID>}
To delete an empty team use:
   vlan_config removeteam <TeamName>
To query an existing team, use:
   vlan_config queryteam <TeamName>
To modify an existing team, use:
   vlan_config modifyteam <TeamName> <NewTeamName> <TeamType>
To add a vlan use:
   vlan_config addvlan <TeamName> <VlanName> <VlanId> <Priority>
To remove a vlan use:
   vlan_config removevlan {TeamName} {VlanName}
To query vlan, use:
   vlan_config queryvlan <TeamName> <VlanName>
To modify vlan, use:
   vlan_config modifyvlan <team-name> <current-vlan-name> <newvlanname> <newvlanid> <newpriority>

Example:
   vlan_config create team AFT MyTeam
   vlan_config attach team MyTeam {2E9C1992-98B5-43C3-97A0-9993AEAC7F80}
   vlan_config attach team MyTeam {8D05C52B-BCD6-4FCE-8235-1E90BD334519}
`

// toldLines is a result with the lines that a tool prints.
type toldLines struct {
	lines  []string
	result any
}

// answer is the answer that prints lines. Names in them come from outside.
func (l toldLines) answer() answer {
	return answer{result: l.result, text: func(w io.Writer) error {
		for _, line := range l.lines {
			if _, err := fmt.Fprintln(w, Clean(line)); err != nil {
				return err
			}
		}
		return nil
	}}
}

func vlanConfigHelp(*call) (answer, error) {
	return toldLines{strings.Split(strings.TrimSuffix(vlanConfigUsage, "\n"), "\n"), struct {
		Usage string `json:"usage"`
	}{vlanConfigUsage}}.answer(), nil
}

// errNotWinOF is a host that vlan_config has nothing to do with.
var errNotWinOF = errors.New("the host has no adapter of WinOF, and vlan_config belongs to that driver; " +
	"team and New-NetLbfoTeam make teams of other adapters")

// muxHost is the host, which must have an adapter of WinOF.
func (c *call) muxHost() (*driver.View, error) {
	view, err := c.view()
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(view.Adapters,
		func(a driver.AdapterView) bool { return a.Description.Family == description.WinOF }) {
		return nil, errNotWinOF
	}
	return view, nil
}

// muxTeam is the team of WinOF that the first argument names.
func (c *call) muxTeam() (*driver.View, *driver.TeamView, error) {
	view, err := c.muxHost()
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for i := range view.Teams {
		t := &view.Teams[i]
		if t.Family != description.WinOF {
			if strings.EqualFold(t.Name, bare(c.arguments[0])) {
				return nil, nil, fmt.Errorf("the team %s is one of Windows Server, which vlan_config does not know; use team "+
					"or Set-NetLbfoTeam", t.Name)
			}
			continue
		}
		if strings.EqualFold(t.Name, bare(c.arguments[0])) {
			return view, t, nil
		}
		names = append(names, t.Name)
	}
	return nil, nil, fmt.Errorf("no team is called %q%s", bare(c.arguments[0]), suggest(bare(c.arguments[0]), names,
		"vlan_config showlist lists the teams"))
}

// bare is a name without the braces that the help of removevlan shows around it.
func bare(name string) string {
	if len(name) > 2 && name[0] == '{' && name[len(name)-1] == '}' {
		return name[1 : len(name)-1]
	}
	return name
}

// withoutBraces is a GUID as the tool prints it where it made one.
func withoutBraces(guid string) string { return strings.Trim(guid, "{}") }

// toggles takes words that are on when they are there, in any case, off the end of the arguments.
func (*call) toggles(words []string, names ...string) (on []bool, err error) {
	on = make([]bool, len(names))
	for _, word := range words {
		at := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, word) })
		if at < 0 {
			return nil, mistake("vlan_config does not know %q here%s", word, suggest(word, names,
				"vlan_config --help shows how it is written"))
		}
		on[at] = true
	}
	return on, nil
}

// muxPort is a port of WinOF with its names.
type muxPort struct{ connection, guid, device string }

// muxPorts are the ports of WinOF of one kind of link.
func muxPorts(view *driver.View, ipoib bool) (list []muxPort) {
	for _, a := range view.Adapters {
		for _, p := range a.Ports {
			if a.Description.Family == description.WinOF && (p.Description.Link == description.InfiniBand) == ipoib {
				list = append(list, muxPort{p.Description.Connection, p.Description.Interface, p.Description.Device})
			}
		}
	}
	return list
}

// byGUID is the connection of WinOF whose GUID was typed.
func byGUID(view *driver.View, typed string) (string, error) {
	guid, err := driver.ParseGUID(typed)
	if err != nil {
		return "", &MistakeError{err.Error()}
	}
	for _, ipoib := range []bool{false, true} {
		for _, p := range muxPorts(view, ipoib) {
			if p.guid == guid {
				return p.connection, nil
			}
		}
	}
	for _, a := range view.Adapters {
		for _, p := range a.Ports {
			if p.Description.Interface == guid {
				return "", fmt.Errorf("%s has the GUID %s and the driver %s; only adapters of WinOF can be in a team of "+
					"vlan_config",
					p.Description.Connection, guid, a.Driver)
			}
		}
	}
	return "", fmt.Errorf("no adapter has the GUID %s; vlan_config showlist and vlan_config showlist IPoIB list them",
		guid)
}

func vlanConfigShowList(c *call) (answer, error) {
	view, err := c.muxHost()
	if err != nil {
		return answer{}, err
	}
	on, err := c.toggles(c.arguments, "IPoIB")
	if err != nil {
		return answer{}, err
	}
	type adapterRow struct {
		GUID       string `json:"guid"`
		Device     string `json:"device"`
		Connection string `json:"connection"`
	}
	adapters, teams := []adapterRow{}, []teamRow{}
	var lines []string
	for _, p := range muxPorts(view, on[0]) {
		adapters = append(adapters, adapterRow{p.guid, p.device, p.connection})
		lines = append(lines, p.guid+"     "+p.device)
	}
	for i := range view.Teams {
		if t := &view.Teams[i]; t.Family == description.WinOF && t.IPoIB == on[0] {
			teams = append(teams, teamOf(t))
		}
	}
	if len(teams) > 0 {
		lines = append(lines, muxLines(teams)...)
	}
	return toldLines{lines, struct {
		Adapters []adapterRow `json:"adapters"`
		Teams    []teamRow    `json:"teams"`
	}{adapters, teams}}.answer(), nil
}

// muxLines are how the tool shows teams.
func muxLines(teams []teamRow) []string {
	lines := []string{fmt.Sprintf("Found %d team(s)", len(teams))}
	field := func(name string, value any) { lines = append(lines, fmt.Sprintf("%-19s: %v", name, value)) }
	for i := range teams {
		t := &teams[i]
		primary := ""
		for _, m := range t.Members {
			if m.Connection == t.Primary {
				primary = m.GUID
			}
		}
		failback := 0
		if t.Failback {
			failback = 1
		}
		protocol := 0
		if t.IPoIB {
			protocol = 1 // the manual shows that of Ethernet alone
		}
		field("Name", t.Name)
		field("GUID", t.GUID)
		field("PrimaryAdapterGuid", primary)
		field("TeamType", t.TypeNumber)
		field("L2Protocol", protocol)
		field("FallBackToPrimary", failback)
		field("MemberCount", len(t.Members))
		for j, m := range t.Members {
			field(fmt.Sprintf("Member[%d]", j), m.GUID)
		}
		field("VlanCount", len(t.VLANs))
		for j, v := range t.VLANs {
			field(fmt.Sprintf("Vlan[%d] Name", j), v.Name)
		}
	}
	return lines
}

func vlanConfigQueryTeam(c *call) (answer, error) {
	_, t, err := c.muxTeam()
	if err != nil {
		return answer{}, err
	}
	row := teamOf(t)
	return toldLines{muxLines([]teamRow{row}), struct {
		Team teamRow `json:"team"`
	}{row}}.answer(), nil
}

// muxChange applies an Operation, and gives the answer with the lines that the tool prints, which are found after it.
func (c *call) muxChange(o driver.Operation, lines func(*driver.View) []string) (answer, error) {
	entry, err := c.do(driver.Plan{Title: upper(o.Describe()), Operations: []driver.Operation{o}})
	if err != nil {
		return answer{}, err
	}
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	return toldLines{lines(view), struct {
		Change entryRow `json:"change"`
	}{entry}}.answer(), nil
}

func vlanConfigCreate(c *call) (answer, error) {
	if _, err := c.muxHost(); err != nil {
		return answer{}, err
	}
	kind, err := mux.ParseType(c.arguments[0])
	if err != nil {
		return answer{}, &MistakeError{err.Error()}
	}
	on, err := c.toggles(c.arguments[2:], "NoFailBackToPrimary", "IPoIB")
	if err != nil {
		return answer{}, err
	}
	name := c.arguments[1]
	create := driver.CreateTeam{Name: name, Type: kind.String(), NoFailback: on[0], IPoIB: on[1], Family: description.WinOF}
	return c.muxChange(create, func(view *driver.View) []string {
		guid := ""
		if t, err := findTeam(view, name); err == nil {
			guid = withoutBraces(t.GUID)
		}
		return []string{"Adding team " + name, "Team created with Guid = " + guid}
	})
}

func vlanConfigAttach(c *call) (answer, error) {
	view, t, err := c.muxTeam()
	if err != nil {
		return answer{}, err
	}
	member, err := byGUID(view, c.arguments[1])
	if err != nil {
		return answer{}, err
	}
	on, err := c.toggles(c.arguments[2:], "primary", "SetTeamMacAddress")
	if err != nil {
		return answer{}, err
	}
	change := driver.AttachMember{Team: t.Name, Connection: member, Primary: on[0], SetMAC: on[1]}
	guid, err := driver.ParseGUID(c.arguments[1])
	if err != nil {
		return answer{}, err
	}
	return c.muxChange(change, func(*driver.View) []string {
		return []string{fmt.Sprintf("Adding adapter %s to team %s", guid, t.Name)}
	})
}

func vlanConfigDetach(c *call) (answer, error) {
	view, t, err := c.muxTeam()
	if err != nil {
		return answer{}, err
	}
	member, err := byGUID(view, c.arguments[1])
	if err != nil {
		return answer{}, err
	}
	guid, err := driver.ParseGUID(c.arguments[1])
	if err != nil {
		return answer{}, err
	}
	return c.muxChange(driver.DetachMember{Team: t.Name, Connection: member}, func(*driver.View) []string {
		return []string{fmt.Sprintf("Removing adapter %s from team %s", guid, t.Name)}
	})
}

func vlanConfigRemoveTeam(c *call) (answer, error) {
	_, t, err := c.muxTeam()
	if err != nil {
		return answer{}, err
	}
	lines := []string{"Delete team " + t.Name}
	for _, m := range t.Members {
		lines = append(lines, "Deleting member "+m.GUID)
	}
	return c.muxChange(driver.DeleteTeam{Team: t.Name}, func(*driver.View) []string { return lines })
}

func vlanConfigModifyTeam(c *call) (answer, error) {
	_, t, err := c.muxTeam()
	if err != nil {
		return answer{}, err
	}
	kind, err := mux.ParseType(c.arguments[2])
	if err != nil {
		return answer{}, &MistakeError{err.Error()}
	}
	change := driver.ModifyTeam{Team: t.Name, Name: c.arguments[1], Type: kind.String()}
	return c.muxChange(change, func(*driver.View) []string { return []string{"New Attributes applied"} })
}
