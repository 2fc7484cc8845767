package cmdlet

import (
	"net/netip"
	"testing"
)

// TestLine writes values as their parameters take them.
func TestLine(t *testing.T) {
	t.Parallel()
	for want, line := range map[string]Line{
		`New-NetLbfoTeam -Name "a b" -TeamMembers ([WildcardPattern]::Escape('a [b]')) -TeamingMode Lacp -Confirm:$false`: New("New-NetLbfoTeam").
			With("Name", "a b").With("TeamMembers", "a [b]").With("TeamingMode", "Lacp").WithoutConfirm(),
		`New-NetLbfoTeam -tm '$x'`:               New("New-NetLbfoTeam").With("tm", "$x"),
		`Set-VMSwitch -AllowManagementOS $false`: New("Set-VMSwitch").With("AllowManagementOS", new(false)),
		`Set-VMNetworkAdapter -ManagementOS -IovWeight 0`: New("Set-VMNetworkAdapter").Switch("ManagementOS").
			With("VmqWeight", (*int)(nil)).With("IovWeight", new(0)),
		`New-NetVirtualizationProviderAddress -InterfaceIndex $NIC.InterfaceIndex -ProviderAddress "10.0.0.1"`: New("New-NetVirtualizationProviderAddress").
			With("InterfaceIndex", Expression("$NIC.InterfaceIndex")).With("ProviderAddress", netip.MustParseAddr("10.0.0.1")),
		`Get-VMNetworkAdapter -VMName "a" | Remove-VMNetworkAdapter`: New("Get-VMNetworkAdapter").With("VMName", "a").
			Pipe("Remove-VMNetworkAdapter"),
	} {
		if got := line.String(); got != want {
			t.Errorf("it is\n%s, not\n%s", got, want)
		}
	}
}

// TestLineOfTheTable holds that a name which the table does not have is not written.
func TestLineOfTheTable(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]func(){
		"a command":               func() { New("Set-Nothing") },
		"a command behind a pipe": func() { New("Get-VM").Pipe("Stop-Nothing") },
		"a parameter":             func() { New("Get-VM").With("Nothing", 1) },
		"a nil parameter":         func() { New("Get-VM").With("Nothing", (*int)(nil)) },
		"a switch":                func() { New("Get-VM").Switch("WhatIf") },
		"no name":                 func() { New("Get-VM").Switch("") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is written", name)
				}
			}()
			write()
		}()
	}
}
