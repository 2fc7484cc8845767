package lbfo

import (
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// Cmdlets returns the cmdlets for teams, their members and their interfaces, in the order of help.
func Cmdlets() []exec.Command {
	return []exec.Command{
		powershell.Interrupts("New-NetLbfoTeam", powershell.Bound(newLbfoTeam)),
		powershell.Reads("Get-NetLbfoTeam", powershell.Bound(getLbfoTeam)),
		powershell.Reads("Get-NetLbfoTeamMember", getLbfoTeamMember),
		powershell.Reads("Get-NetLbfoTeamNic", getLbfoTeamNic),
		powershell.Interrupts("Set-NetLbfoTeam", powershell.Bound(setLbfoTeam)),
		powershell.Interrupts("Rename-NetLbfoTeam", powershell.Bound(renameLbfoTeam)),
		powershell.Interrupts("Remove-NetLbfoTeam", powershell.Bound(removeLbfoTeam)),
		powershell.Interrupts("Add-NetLbfoTeamMember", powershell.Bound(addLbfoTeamMember)),
		powershell.Interrupts("Set-NetLbfoTeamMember", powershell.Bound(setLbfoTeamMember)),
		powershell.Interrupts("Remove-NetLbfoTeamMember", powershell.Bound(removeLbfoTeamMember)),
		powershell.Changes("Add-NetLbfoTeamNic", powershell.Bound(addLbfoTeamNic)),
		powershell.Interrupts("Set-NetLbfoTeamNic", powershell.Bound(setLbfoTeamNic)),
		powershell.Interrupts("Remove-NetLbfoTeamNic", powershell.Bound(removeLbfoTeamNic)),
	}
}
