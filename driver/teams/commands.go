package teams

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/teams/mux"
)

// The commands for a team depend on its family: vlan_config takes adapters by their GUIDs, the commands of Windows by their
// connections. The methods Commands have no host: they return vlan_config commands, with the name of a connection in place of
// its GUID. Set.CommandsOf returns both.

// Commands returns the commands of vlan_config or Windows.
func (o Create) Commands() []string {
	if o.Family == description.WinOF2 {
		return []string{"# " + cmdlet.OneLine(o.Name) + " is created with its first member: Windows has no team without one."}
	}
	command := fmt.Sprintf("vlan_config create team %s %s", cmdlet.Word(o.Type), cmdlet.Word(o.Name))
	if o.NoFailback {
		command += " NoFailBackToPrimary"
	}
	if o.IPoIB {
		command += " IPoIB"
	}
	return []string{command}
}

// Commands returns the vlan_config command; a change of failback alone has no command.
func (o Modify) Commands() []string {
	if o.Name == "" && o.Type == "" {
		return nil
	}
	name, kind := o.Name, o.Type
	if name == "" {
		name = o.Team
	}
	if kind == "" {
		kind = "<type>"
	}
	return []string{fmt.Sprintf("vlan_config modifyteam %s %s %s", cmdlet.Word(o.Team), cmdlet.Word(name), cmdlet.Word(kind))}
}

func (o Delete) Commands() []string {
	return []string{"vlan_config removeteam " + cmdlet.Word(o.Team)}
}

func (o Attach) Commands() []string { return o.vlanConfig("{GUID of " + o.Connection + "}") }

func (o Attach) vlanConfig(guid string) []string {
	command := fmt.Sprintf("vlan_config attach team %s %s", cmdlet.Word(o.Team), cmdlet.Word(guid))
	if o.Primary {
		command += " primary"
	}
	if o.SetMAC {
		command += " SetTeamMacAddress"
	}
	return []string{command}
}

func (o Detach) Commands() []string { return o.vlanConfig("{GUID of " + o.Connection + "}") }

func (o Detach) vlanConfig(guid string) []string {
	return []string{fmt.Sprintf("vlan_config detach team %s %s", cmdlet.Word(o.Team), cmdlet.Word(guid))}
}

// Commands is empty: the Teaming tab of the adapter's properties has it, and vlan_config only with a new attachment.
func (SetPrimary) Commands() []string { return nil }

// Commands is empty: vlan_config has no command for the address.
func (SetAddress) Commands() []string { return nil }

// Commands is empty: vlan_config has no command for them.
func (Restore) Commands() []string { return nil }

func (o AddVLAN) Commands() []string { return o.vlanConfig(vlanOwner(o.Team, o.Connection)) }

func (o AddVLAN) vlanConfig(owner string) []string {
	return []string{fmt.Sprintf("vlan_config addvlan %s %s %d %d", owner, cmdlet.Word(o.Name), o.ID, o.Priority)}
}

func (o ModifyVLAN) Commands() []string { return o.vlanConfig(vlanOwner(o.Team, o.Connection)) }

func (o ModifyVLAN) vlanConfig(owner string) []string {
	name := o.Name
	if name == "" {
		name = o.VLAN
	}
	return []string{fmt.Sprintf("vlan_config modifyvlan %s %s %s %d %d", owner, cmdlet.Word(o.VLAN), cmdlet.Word(name), o.ID, o.Priority)}
}

func (o RemoveVLAN) Commands() []string { return o.vlanConfig(vlanOwner(o.Team, o.Connection)) }

func (o RemoveVLAN) vlanConfig(owner string) []string {
	return []string{fmt.Sprintf("vlan_config removevlan %s %s", owner, cmdlet.Word(o.VLAN))}
}

// vlanOwner names a team or a connection to vlan_config.
func vlanOwner(team, connection string) string {
	if team != "" {
		return cmdlet.Word(team)
	}
	return cmdlet.Word("{GUID of " + connection + "}")
}

// CommandsOf returns the commands for an Operation on the host in its current state.
func (s Set) CommandsOf(o Operation) (commands []string) {
	name, connection := names(o)
	switch o := o.(type) {
	case Create:
		return o.Commands()
	case Restore:
		return s.restoreCommands(o)
	}
	var team *Team
	if i, err := s.Find(name); err == nil {
		team = &s.Teams[i]
	}
	if team != nil && team.Family == description.WinOF2 {
		return s.windowsCommands(team, o)
	}
	guid := "{GUID of " + connection + "}"
	if port, err := s.Port(connection); err == nil {
		d, _, _ := s.Lab().Port(port)
		guid = d.Interface
	}
	owner := cmdlet.Word(name)
	if name == "" {
		owner = cmdlet.Word(guid)
	}
	switch o := o.(type) {
	case Modify:
		if o.Type == "" && o.Name != "" && team != nil { // modifyteam takes both
			o.Type = team.Machine.Type.String()
		}
		return o.Commands()
	case Delete:
		if team != nil {
			for _, w := range team.VLANs {
				commands = append(commands, RemoveVLAN{Team: o.Team, VLAN: w.Name}.vlanConfig(owner)...)
			}
		}
		return append(commands, o.Commands()...)
	case Attach:
		return o.vlanConfig(guid)
	case Detach:
		return o.vlanConfig(guid)
	case AddVLAN:
		return o.vlanConfig(owner)
	case ModifyVLAN:
		return o.vlanConfig(owner)
	case RemoveVLAN:
		return o.vlanConfig(owner)
	}
	return o.Commands()
}

// windowsCommands returns the cmdlets for Windows Server's own teams.
func (s Set) windowsCommands(t *Team, o Operation) (commands []string) {
	add := func(l cmdlet.Line) { commands = append(commands, l.String()) }
	balanced := func(l cmdlet.Line, t mux.Type, algorithm string) {
		add(l.With("TeamingMode", t.Mode()).With("LoadBalancingAlgorithm", algorithm).WithoutConfirm())
	}
	member := func(connection, mode string) cmdlet.Line {
		return cmdlet.New("Set-NetLbfoTeamMember").With("Name", connection).With("AdministrativeMode", mode).WithoutConfirm()
	}
	rename := func(name, from, to string) { add(cmdlet.New(name).With("Name", from).With("NewName", to)) }
	remove := func() { add(cmdlet.New("Remove-NetLbfoTeam").With("Name", t.Name).WithoutConfirm()) }
	switch o := o.(type) {
	case Modify:
		name := t.Name
		if o.Name != "" && o.Name != name {
			rename("Rename-NetLbfoTeam", name, o.Name)
			name = o.Name
		}
		if wanted, algorithm, err := o.target(t); err == nil && (wanted != t.Machine.Type || algorithm != t.algorithm) {
			balanced(cmdlet.New("Set-NetLbfoTeam").With("Name", name), wanted, algorithm)
			for _, m := range t.Machine.Members {
				if wanted.FaultTolerant() == t.Machine.Type.FaultTolerant() || m.Key == t.Machine.First() {
					continue
				}
				role := "Active"
				if wanted.FaultTolerant() {
					role = "Standby"
				}
				add(member(s.Lab().Connection(m.Key), role))
			}
		}
	case Delete:
		if len(t.Machine.Members) == 0 {
			return []string{"# " + cmdlet.OneLine(t.Name) + " has no members: Windows has no such team."}
		}
		remove()
	case Attach:
		if len(t.Machine.Members) == 0 {
			balanced(cmdlet.New("New-NetLbfoTeam").With("Name", t.Name).With("TeamMembers", o.Connection), t.Machine.Type, t.algorithm)
		} else {
			line := cmdlet.New("Add-NetLbfoTeamMember").With("Name", o.Connection).With("Team", t.Name)
			if t.Machine.Type.FaultTolerant() && !o.Primary {
				line = line.With("AdministrativeMode", "Standby")
			}
			add(line.WithoutConfirm())
			if t.Machine.Type.FaultTolerant() && o.Primary {
				add(member(s.Lab().Connection(t.Machine.First()), "Standby"))
			}
		}
		if port, err := s.Port(o.Connection); err == nil && o.SetMAC {
			add(addressOf(t.Name, s.Lab().Address(port)))
		}
	case Detach:
		if len(t.Machine.Members) == 1 {
			remove()
			break
		}
		add(cmdlet.New("Remove-NetLbfoTeamMember").With("Name", o.Connection).With("Team", t.Name).WithoutConfirm())
	case SetAddress:
		if port, err := s.Port(o.Connection); err == nil {
			add(addressOf(t.Name, s.Lab().Address(port)))
		} else if len(t.Machine.Members) > 0 {
			add(addressOf(t.Name, s.Lab().Address(t.Machine.Members[0].Key)))
		}
	case SetPrimary:
		if t.Machine.Type.FaultTolerant() {
			for _, m := range t.Machine.Members {
				if c := s.Lab().Connection(m.Key); c == o.Connection {
					commands = slices.Insert(commands, 0, member(c, "Active").String())
				} else {
					add(member(c, "Standby"))
				}
			}
		}
	case AddVLAN:
		add(cmdlet.New("Add-NetLbfoTeamNic").With("Team", t.Name).With("VlanID", o.ID).With("Name", o.Name).WithoutConfirm())
	case ModifyVLAN:
		for _, w := range t.VLANs {
			if !strings.EqualFold(w.Name, o.VLAN) {
				continue
			}
			if w.ID != o.ID {
				add(cmdlet.New("Set-NetLbfoTeamNic").With("Team", t.Name).With("Name", w.Name).With("VlanID", o.ID).WithoutConfirm())
			}
			if o.Name != "" && o.Name != w.Name {
				rename("Rename-NetAdapter", w.Name, o.Name)
			}
		}
	case RemoveVLAN:
		for _, w := range t.VLANs {
			if strings.EqualFold(w.Name, o.VLAN) {
				add(cmdlet.New("Remove-NetLbfoTeamNic").With("Team", t.Name).With("VlanID", w.ID).WithoutConfirm())
			}
		}
	}
	return commands
}

// addressOf returns the command that sets the MAC address of a team's interface.
func addressOf(team string, address description.MAC) cmdlet.Line {
	digits := strings.ToUpper(strings.ReplaceAll(address.String(), ":", "-"))
	return cmdlet.New("Set-NetAdapter").With("Name", team).With("MacAddress", digits).WithoutConfirm()
}

// restoreCommands returns the commands that add the members and VLANs that a team lacks, and remove the extra ones.
func (s Set) restoreCommands(o Restore) (commands []string) {
	done := s.CopyOfHost()
	for _, step := range o.steps(s) {
		commands = append(commands, done.CommandsOf(step)...)
		if _, err := step.Inverse(done); err == nil {
			_ = step.Apply(done) // the error of inverse
		}
	}
	return commands
}

// steps returns the Operations that restore the team one by one.
func (o Restore) steps(s Set) (list []Operation) {
	r := &o.Team
	now := Record{}
	if i, err := s.Find(r.Name); err == nil {
		now = s.Teams[i].Record(s)
	} else {
		list = append(list, Create{Name: r.Name, Type: r.Type, IPoIB: r.IPoIB, NoFailback: !r.Failback, Family: r.Family, Algorithm: r.Algorithm})
	}
	for _, c := range now.Members {
		if !slices.Contains(r.Members, c) {
			list = append(list, Detach{r.Name, c})
		}
	}
	for _, c := range r.Members {
		if !slices.Contains(now.Members, c) {
			list = append(list, Attach{r.Name, c, c == r.Primary, c == r.AddressOf})
		}
	}
	if r.Family == description.WinOF2 && r.AddressOf != now.AddressOf && (r.AddressOf == "" || slices.Contains(now.Members, r.AddressOf)) {
		list = append(list, SetAddress{r.Name, r.AddressOf})
	}
	for _, w := range r.VLANs {
		if !slices.ContainsFunc(now.VLANs, func(is VLANRecord) bool { return is.Name == w.Name }) {
			list = append(list, AddVLAN{Team: r.Name, Name: w.Name, ID: w.ID, Priority: w.Priority})
		}
	}
	return list
}
