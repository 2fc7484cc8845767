package winof

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// The transcripts of the manual pin the output of vlan_config, the tool for teams and VLANs, word for word.

// vlanConfigUsage is the tool's help text.
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

func vlanConfigHelp(*exec.Call) (exec.Answer, error) {
	return exec.PrintLines(strings.Split(strings.TrimSuffix(vlanConfigUsage, "\n"), "\n"), struct {
		Usage string `json:"usage"`
	}{vlanConfigUsage}), nil
}

// errNotWinOF is the error for a host without a WinOF adapter.
var errNotWinOF = errors.New("vlan_config requires a WinOF adapter, and the host has none; team and New-NetLbfoTeam " +
	"create teams of other adapters")

// muxHost returns the state of the host, or errNotWinOF.
func muxHost(c *exec.Call) (*driver.View, error) {
	view, err := c.View()
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(view.Adapters,
		func(a driver.AdapterView) bool { return a.Description.Family == description.WinOF }) {
		return nil, errNotWinOF
	}
	return view, nil
}

// muxTeam is a WinOF team as an argument.
type muxTeam struct{ *teams.View }

// Read finds the team by its name, in any case.
func (found *muxTeam) Read(c *exec.Call, name, _ string) error {
	view, err := muxHost(c)
	if err != nil {
		return err
	}
	name = trimBraces(name)
	var names []string
	for i := range view.Teams {
		t := &view.Teams[i]
		switch same := strings.EqualFold(t.Name, name); {
		case t.Family == description.WinOF && same:
			found.View = t
			return nil
		case t.Family == description.WinOF:
			names = append(names, t.Name)
		case same:
			return fmt.Errorf("%s is a team of Windows Server, which vlan_config does not support; use team or Set-NetLbfoTeam", t.Name)
		}
	}
	return request.Errorf("there is no team %q%s", name, exec.Suggest(name, names, "vlan_config showlist lists the teams"))
}

// trimBraces removes the braces around a name, which the tool's help of removevlan shows.
func trimBraces(name string) string {
	if len(name) > 2 && name[0] == '{' && name[len(name)-1] == '}' {
		return name[1 : len(name)-1]
	}
	return name
}

// withoutBraces returns a GUID without braces, as the tool prints new ones.
func withoutBraces(guid string) string { return strings.Trim(guid, "{}") }

// muxWord is an option without a value; the tag is lists the valid words.
type muxWord string

// Read accepts a valid word in any case.
func (w *muxWord) Read(_ *exec.Call, word, is string) error {
	names := strings.Split(is, ",")
	at := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, word) })
	if at < 0 {
		return exec.Mistake("vlan_config does not support %q here%s", word, exec.Suggest(word, names,
			"vlan_config --help shows the syntax"))
	}
	*w = muxWord(names[at])
	return nil
}

// muxPort is a WinOF port with its names.
type muxPort struct{ connection, guid, device string }

// muxPorts returns the WinOF InfiniBand ports, or the Ethernet ports if ipoib is false.
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

// muxMember is a WinOF port as an argument, by its GUID.
type muxMember struct{ muxPort }

// Read finds the port.
func (m *muxMember) Read(c *exec.Call, typed, _ string) error {
	view, err := muxHost(c)
	if err != nil {
		return err
	}
	guid, err := request.ParseGUID(typed)
	if err != nil {
		return &exec.MistakeError{Text: err.Error()}
	}
	for _, ipoib := range []bool{false, true} {
		for _, p := range muxPorts(view, ipoib) {
			if p.guid == guid {
				m.muxPort = p
				return nil
			}
		}
	}
	for _, a := range view.Adapters {
		for _, p := range a.Ports {
			if p.Description.Interface == guid {
				return fmt.Errorf("%s has the GUID %s and the driver %s; only WinOF adapters can be in a team of "+
					"vlan_config",
					p.Description.Connection, guid, a.Driver)
			}
		}
	}
	return fmt.Errorf("no adapter has the GUID %s; vlan_config showlist and vlan_config showlist IPoIB list them",
		guid)
}

func vlanConfigShowList(c *exec.Call, in *struct {
	Words []muxWord `is:"IPoIB"`
}) (exec.Answer, error) {
	view, err := muxHost(c)
	if err != nil {
		return exec.Answer{}, err
	}
	ipoib := len(in.Words) > 0
	type adapterRow struct {
		GUID       string `json:"guid"`
		Device     string `json:"device"`
		Connection string `json:"connection"`
	}
	adapters, teams := []adapterRow{}, []exec.TeamRow{}
	var lines []string
	for _, p := range muxPorts(view, ipoib) {
		adapters = append(adapters, adapterRow{p.guid, p.device, p.connection})
		lines = append(lines, p.guid+"     "+p.device)
	}
	for i := range view.Teams {
		if t := &view.Teams[i]; t.Family == description.WinOF && t.IPoIB == ipoib {
			teams = append(teams, exec.TeamOf(t))
		}
	}
	if len(teams) > 0 {
		lines = append(lines, muxLines(teams)...)
	}
	return exec.PrintLines(lines, struct {
		Adapters []adapterRow   `json:"adapters"`
		Teams    []exec.TeamRow `json:"teams"`
	}{adapters, teams}), nil
}

// muxLines formats teams as the tool does.
func muxLines(teams []exec.TeamRow) []string {
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
			protocol = 1 // an assumption: the manual shows only Ethernet, 0
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

func vlanConfigQueryTeam(_ *exec.Call, in *struct{ Team muxTeam }) (exec.Answer, error) {
	row := exec.TeamOf(in.Team.View)
	return exec.PrintLines(muxLines([]exec.TeamRow{row}), struct {
		Team exec.TeamRow `json:"team"`
	}{row}), nil
}

// muxChange applies an Operation, and answers with the lines of the tool; lines gets the state after the change.
func muxChange(c *exec.Call, o driver.Operation, lines func(*driver.View) []string) (exec.Answer, error) {
	entry, err := c.Do(driver.Plan{Title: wording.UpperFirst(o.Describe()), Operations: []driver.Operation{o}})
	if err != nil {
		return exec.Answer{}, err
	}
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.PrintLines(lines(view), struct {
		Change exec.EntryRow `json:"change"`
	}{entry}), nil
}

func vlanConfigCreate(c *exec.Call, in *struct {
	Type  mux.Type
	Name  string
	Words []muxWord `is:"NoFailBackToPrimary,IPoIB"`
}) (exec.Answer, error) {
	if _, err := muxHost(c); err != nil {
		return exec.Answer{}, err
	}
	name := in.Name
	create := teams.Create{Name: name, Type: in.Type.String(), NoFailback: slices.Contains(in.Words, "NoFailBackToPrimary"),
		IPoIB: slices.Contains(in.Words, "IPoIB"), Family: description.WinOF}
	return muxChange(c, create, func(view *driver.View) []string {
		guid := ""
		if t, err := exec.FindTeam(view, name); err == nil {
			guid = withoutBraces(t.GUID)
		}
		return []string{"Adding team " + name, "Team created with Guid = " + guid}
	})
}

func vlanConfigAttach(c *exec.Call, in *struct {
	Team   muxTeam
	Member muxMember
	Words  []muxWord `is:"primary,SetTeamMacAddress"`
}) (exec.Answer, error) {
	change := teams.Attach{Team: in.Team.Name, Connection: in.Member.connection, Primary: slices.Contains(in.Words, "primary"),
		SetMAC: slices.Contains(in.Words, "SetTeamMacAddress")}
	return muxChange(c, change, func(*driver.View) []string {
		return []string{fmt.Sprintf("Adding adapter %s to team %s", in.Member.guid, in.Team.Name)}
	})
}

func vlanConfigDetach(c *exec.Call, in *struct {
	Team   muxTeam
	Member muxMember
}) (exec.Answer, error) {
	return muxChange(c, teams.Detach{Team: in.Team.Name, Connection: in.Member.connection}, func(*driver.View) []string {
		return []string{fmt.Sprintf("Removing adapter %s from team %s", in.Member.guid, in.Team.Name)}
	})
}

func vlanConfigRemoveTeam(c *exec.Call, in *struct{ Team muxTeam }) (exec.Answer, error) {
	lines := []string{"Delete team " + in.Team.Name}
	for _, m := range in.Team.Members {
		lines = append(lines, "Deleting member "+m.GUID)
	}
	return muxChange(c, teams.Delete{Team: in.Team.Name}, func(*driver.View) []string { return lines })
}

func vlanConfigModifyTeam(c *exec.Call, in *struct {
	Team muxTeam
	Name string
	Type mux.Type
}) (exec.Answer, error) {
	change := teams.Modify{Team: in.Team.Name, Name: in.Name, Type: in.Type.String()}
	return muxChange(c, change, func(*driver.View) []string { return []string{"New Attributes applied"} })
}
