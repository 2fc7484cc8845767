package teams

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/teams/mux"
)

// What is typed for a team depends on whose it is: vlan_config knows adapters by their GUIDs, the commands of Windows
// by their connections. The methods Commands know no host: they speak vlan_config, with the name of a connection in the
// place of its GUID. Set.CommandsOf knows both worlds.

// Commands is that of vlan_config or of Windows.
func (o Create) Commands() []string {
	if o.Family == description.WinOF2 {
		return []string{"# " + cmdlet.OneLine(o.Name) + " comes with its first member: Windows has no team without one."}
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

// Commands is that of vlan_config, which has none for the failback alone.
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

// Commands is empty: they follow from what there is.
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

// CommandsOf are what is typed for an Operation as the host is now.
func (s Set) CommandsOf(o Operation) (commands []string) {
	name, connection := names(o)
	switch o := o.(type) {
	case Create:
		return o.Commands()
	case Restore:
		return s.restoreCommands(o)
	}
	var of *Team
	if i, err := s.Find(name); err == nil {
		of = &s.Teams[i]
	}
	if of != nil && of.Family == description.WinOF2 {
		return s.windowsCommands(of, o)
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
		if o.Type == "" && o.Name != "" && of != nil { // it takes both
			o.Type = of.Machine.Type.String()
		}
		return o.Commands()
	case Delete:
		if of != nil {
			for _, w := range of.VLANs {
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

// windowsCommands are the cmdlets for Windows Server's own teams.
func (s Set) windowsCommands(t *Team, o Operation) (commands []string) {
	const sure = " -Confirm:$false"
	settings := func(t mux.Type, algorithm string) string {
		return fmt.Sprintf("-TeamingMode %s -LoadBalancingAlgorithm %s%s", t.Mode(), algorithm, sure)
	}
	standby := func(connection, mode string) string {
		return fmt.Sprintf("Set-NetLbfoTeamMember -Name %s -AdministrativeMode %s%s", cmdlet.Pattern(connection), mode, sure)
	}
	switch o := o.(type) {
	case Modify:
		name := t.Name
		if o.Name != "" && o.Name != name {
			commands = append(commands, fmt.Sprintf("Rename-NetLbfoTeam -Name %s -NewName %s", cmdlet.Pattern(name), cmdlet.Quote(o.Name)))
			name = o.Name
		}
		if wanted, algorithm, err := o.wanted(t); err == nil && (wanted != t.Machine.Type || algorithm != t.algorithm) {
			commands = append(commands, "Set-NetLbfoTeam -Name "+cmdlet.Pattern(name)+" "+settings(wanted, algorithm))
			for _, m := range t.Machine.Members {
				if wanted.FaultTolerant() == t.Machine.Type.FaultTolerant() || m.Key == t.Machine.First() {
					continue
				}
				role := "Active"
				if wanted.FaultTolerant() {
					role = "Standby"
				}
				commands = append(commands, standby(s.Lab().Connection(m.Key), role))
			}
		}
	case Delete:
		if len(t.Machine.Members) == 0 {
			return []string{"# " + cmdlet.OneLine(t.Name) + " has no members: Windows has no such team."}
		}
		commands = append(commands, fmt.Sprintf("Remove-NetLbfoTeam -Name %s%s", cmdlet.Pattern(t.Name), sure))
	case Attach:
		if len(t.Machine.Members) == 0 {
			commands = append(commands, fmt.Sprintf("New-NetLbfoTeam -Name %s -TeamMembers %s %s",
				cmdlet.Quote(t.Name), cmdlet.Pattern(o.Connection), settings(t.Machine.Type, t.algorithm)))
		} else {
			command := fmt.Sprintf("Add-NetLbfoTeamMember -Name %s -Team %s", cmdlet.Pattern(o.Connection), cmdlet.Pattern(t.Name))
			if t.Machine.Type.FaultTolerant() && !o.Primary {
				command += " -AdministrativeMode Standby"
			}
			commands = append(commands, command+sure)
			if t.Machine.Type.FaultTolerant() && o.Primary {
				commands = append(commands, standby(s.Lab().Connection(t.Machine.First()), "Standby"))
			}
		}
		if port, err := s.Port(o.Connection); err == nil && o.SetMAC {
			digits := strings.ToUpper(strings.ReplaceAll(s.Lab().Address(port).String(), ":", "-"))
			commands = append(commands, fmt.Sprintf("Set-NetAdapter -Name %s -MacAddress %s%s", cmdlet.Pattern(t.Name), cmdlet.Quote(digits), sure))
		}
	case Detach:
		if len(t.Machine.Members) == 1 {
			return []string{fmt.Sprintf("Remove-NetLbfoTeam -Name %s%s", cmdlet.Pattern(t.Name), sure)}
		}
		commands = append(commands, fmt.Sprintf("Remove-NetLbfoTeamMember -Name %s -Team %s%s", cmdlet.Pattern(o.Connection), cmdlet.Pattern(t.Name), sure))
	case SetPrimary:
		if t.Machine.Type.FaultTolerant() {
			for _, m := range t.Machine.Members {
				if c := s.Lab().Connection(m.Key); c == o.Connection {
					commands = slices.Insert(commands, 0, standby(c, "Active"))
				} else {
					commands = append(commands, standby(c, "Standby"))
				}
			}
		}
	case AddVLAN:
		commands = append(commands, fmt.Sprintf("Add-NetLbfoTeamNic -Team %s -VlanID %d -Name %s%s", cmdlet.Pattern(t.Name), o.ID, cmdlet.Quote(o.Name), sure))
	case ModifyVLAN:
		for _, w := range t.VLANs {
			if !strings.EqualFold(w.Name, o.VLAN) {
				continue
			}
			if w.ID != o.ID {
				commands = append(commands, fmt.Sprintf("Set-NetLbfoTeamNic -Team %s -Name %s -VlanID %d%s",
					cmdlet.Pattern(t.Name), cmdlet.Pattern(w.Name), o.ID, sure))
			}
			if o.Name != "" && o.Name != w.Name {
				commands = append(commands, fmt.Sprintf("Rename-NetAdapter -Name %s -NewName %s", cmdlet.Pattern(w.Name), cmdlet.Quote(o.Name)))
			}
		}
	case RemoveVLAN:
		for _, w := range t.VLANs {
			if strings.EqualFold(w.Name, o.VLAN) {
				commands = append(commands, fmt.Sprintf("Remove-NetLbfoTeamNic -Team %s -VlanID %d%s", cmdlet.Pattern(t.Name), w.ID, sure))
			}
		}
	}
	return commands
}

// restoreCommands bring back what a team lacks and remove what it has too much.
func (s Set) restoreCommands(o Restore) (commands []string) {
	done := s.Rehearsal()
	for _, step := range o.steps(s) {
		commands = append(commands, done.CommandsOf(step)...)
		if _, err := step.Inverse(done); err == nil {
			_ = step.Apply(done) // inverse says beforehand what is wrong
		}
	}
	return commands
}

// steps are the Operations that an operator would do one by one for it.
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
	for _, w := range r.VLANs {
		if !slices.ContainsFunc(now.VLANs, func(is VLANRecord) bool { return is.Name == w.Name }) {
			list = append(list, AddVLAN{Team: r.Name, Name: w.Name, ID: w.ID, Priority: w.Priority})
		}
	}
	return list
}
